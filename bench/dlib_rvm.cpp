// dlib's relevance vector machine: dlib_rvm TRAIN TEST FEATURES GAMMA, rows of a label (+1, -1) and numbers.
// Prints CPU seconds of training, accuracy on TEST, and kernels kept.
#include <dlib/svm.h>

#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

using Sample = dlib::matrix<double, 0, 1>;
using Kernel = dlib::radial_basis_kernel<Sample>;

struct Rows {
  std::vector<Sample> samples;
  std::vector<double> labels;
};

Rows read(const char* path, long features) {
  std::ifstream file(path);
  Rows rows;
  double label = 0;
  while (file >> label) {
    Sample sample(features);
    for (long k = 0; k < features; ++k) {
      file >> sample(k);
    }
    rows.samples.push_back(sample);
    rows.labels.push_back(label);
  }
  return rows;
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) {
    std::cerr << "usage: dlib_rvm TRAIN TEST FEATURES GAMMA\n";
    return 2;
  }
  const long features = std::stol(words[3]);
  const Rows train = read(words[1], features);
  const Rows test = read(words[2], features);
  dlib::rvm_trainer<Kernel> trainer;
  trainer.set_kernel(Kernel(std::stod(words[4])));
  const std::clock_t start = std::clock();
  const auto decide = trainer.train(train.samples, train.labels);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  double right = 0;
  for (std::size_t i = 0; i < test.samples.size(); ++i) {
    right += decide(test.samples[i]) * test.labels[i] > 0;
  }
  std::cout << seconds << ' ' << right / static_cast<double>(test.samples.size()) << ' '
            << decide.basis_vectors.size() << '\n';
}
