#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "cli/command_runner.h"

namespace ardent::cli_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Four atoms, and signals 2·first − second, and nothing.
constexpr const char* kAtoms = "0 1:1\n0 2:1\n0 3:1\n0 1:1 2:1 3:1 4:1\n";
constexpr const char* kSignals = "0 1:2 2:-1\n0 5:0\n";

/// The coefficients of the first two lines of a table, which must be of signal 0 and atoms 0 and 1.
std::pair<double, double> first_two(const std::string& table) {
  double first = NAN, second = NAN, sd = NAN;
  EXPECT_EQ(std::sscanf(table.c_str(), "signal,atom,coefficient,sd\n0,0,%lf,%lf\n0,1,%lf,", &first,
                        &sd, &second),
            3)
      << table;
  return {first, second};
}

TEST_F(CommandTest, CodeWritesCoefficientsWithTheirDeviations) {
  write("atoms.libsvm", kAtoms);
  write("signals.libsvm", kSignals);
  const Outcome outcome = ardent("code atoms.libsvm signals.libsvm --features 5 --lambda 1e-6");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto [first, second] = first_two(outcome.out);
  EXPECT_NEAR(first, 2, 1e-3);
  EXPECT_NEAR(second, -1, 1e-3);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 3);
}

TEST_F(CommandTest, CodeReportsEachSignal) {
  write("atoms.libsvm", kAtoms);
  write("signals.libsvm", kSignals);
  const Outcome outcome = ardent(
      "code atoms.libsvm signals.libsvm --features 5 --lambda-ratio 0.1 --screening dome --json -o "
      "codes.npz");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = outcome.json();
  EXPECT_EQ(json["signals"], 2);
  EXPECT_EQ(json["atoms"], 4);
  EXPECT_EQ(json["length"], 5);
  EXPECT_EQ(json["output"], "codes.npz");
  const auto& first = json["reports"][0];
  EXPECT_EQ(first["nonzeros"], 2);
  EXPECT_NEAR(first["lambda"], 0.4, 1e-12);
  EXPECT_LE(first["gap"], 1e-6);
  EXPECT_EQ(first["outer_iterations"], first["steps"].size());
  EXPECT_TRUE(first["steps"][0].contains("rejected"));
  EXPECT_GE(first["seconds"], 0);
  EXPECT_EQ(json["reports"][1]["nonzeros"], 0);
  EXPECT_THAT(slurp(path("codes.npz")), StartsWith("PK\x03\x04"));
  // The same numbers as CSV, and a line for people.
  const Outcome csv =
      ardent("code atoms.libsvm signals.libsvm --features 5 --lambda-ratio 0.1 -o codes.csv");
  EXPECT_THAT(csv.out, HasSubstr("2 signals over 4 atoms: 1.0 non-zeros"));
  EXPECT_THAT(slurp(path("codes.csv")), StartsWith("signal,atom,coefficient,sd\n0,0,"));
}

TEST_F(CommandTest, CodeLassoOfOrthogonalAtomsIsASoftThreshold) {
  write("atoms.libsvm", "0 1:1\n0 2:1\n0 3:1\n");
  write("signals.libsvm", "0 1:2 2:-1 3:0.25\n");
  const Outcome outcome = ardent("code atoms.libsvm signals.libsvm --method lasso --lambda 0.5");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto [first, second] = first_two(outcome.out);
  EXPECT_NEAR(first, 1.5, 1e-9);
  EXPECT_NEAR(second, -0.5, 1e-9);
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 3);
}

TEST_F(CommandTest, CodeReadsNpyAndIdx) {
  // IDX: 2 images of 1×2 bytes. NPY: one signal of 2 numbers.
  write("atoms-idx3-ubyte",
        std::string("\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x02\x01\0\0\x01", 20));
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }";
  header.append(117 - header.size(), ' ');
  std::string npy = std::string("\x93NUMPY\x01\0", 8) + "v" + std::string(1, '\0') + header + "\n";
  const double numbers[] = {3, -2};
  npy.append(reinterpret_cast<const char*>(numbers), sizeof numbers);
  write("signals.npy", npy);
  const Outcome outcome = ardent("code atoms-idx3-ubyte signals.npy --lambda 1e-8");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto [first, second] = first_two(outcome.out);
  EXPECT_NEAR(first, 3, 1e-3);
  EXPECT_NEAR(second, -2, 1e-3);
}

TEST_F(CommandTest, CodeRefusesWhatItCannotDoAndWritesNothing) {
  write("atoms.libsvm", kAtoms);
  write("signals.libsvm", kSignals);
  write("zeros.libsvm", "0 1:0\n0 4:0\n");
  write("bad.csv", "a,b,c,d\n1,2,nan,4\n");
  write("empty.libsvm", "");
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const Outcome outcome = ardent("code " + arguments + " -o codes.npz");
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(why)) << arguments;
    EXPECT_FALSE(std::filesystem::exists(path("codes.npz"))) << arguments;
  };
  refused("atoms.libsvm signals.libsvm", "the signals are 2 × 5, but the dictionary is 4 × 4");
  refused("zeros.libsvm atoms.libsvm", "all 2 atoms of the dictionary are zero");
  refused("atoms.libsvm bad.csv", "nan");
  refused("atoms.libsvm empty.libsvm", "empty.libsvm");
  refused("atoms.libsvm atoms.libsvm --lambda -1", "--lambda must be auto or a number > 0");
  refused("atoms.libsvm atoms.libsvm --lambda 0", "--lambda must be auto or a number > 0");
  refused("atoms.libsvm atoms.libsvm --lambda-ratio 2",
          "--lambda-ratio must be none or a number > 0 and <= 1");
  refused("atoms.libsvm atoms.libsvm --method lasso", "needs lambda or lambda-ratio");
  refused("atoms.libsvm atoms.libsvm --screening edpp", "--screening must be one of");
  refused("atoms.libsvm", "SIGNALS");
}

}  // namespace
}  // namespace ardent::cli_test
