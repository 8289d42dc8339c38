// Reads a LIBSVM file once: read_libsvm FILE THREADS. Prints what was read and how long it took, as
// one JSON object. read_libsvm.py runs it beside LIBLINEAR's reader.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>

#include "ardent/base/parallel.h"
#include "ardent/data/reader.h"

int main(int argc, char** argv) try {
  if (argc != 3) {
    fmt::print(stderr, "usage: read_libsvm FILE THREADS\n");
    return 2;
  }
  const ardent::ThreadScope scope(std::atoi(argv[2]));
  const auto start = std::chrono::steady_clock::now();
  const auto data = ardent::read_dataset(argv[1], {.format = "libsvm"});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  fmt::print("{{\"rows\": {}, \"features\": {}, \"entries\": {}, \"seconds\": {:.4f}}}\n",
             data.rows(), data.cols(), ardent::stored(data.features), elapsed.count());
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "read_libsvm: {}\n", error.what());
  return 1;
}
