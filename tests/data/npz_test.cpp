#include "ardent/data/npz.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/temporary_files.h"

namespace ardent {
namespace {

SparseTable small_table() {
  SparseTable table;
  table.rows = 3;
  table.cols = 5;
  table.offsets = {0, 2, 2, 3};
  table.columns = {1, 4, 0};
  table.values = {0.5, -1e-300, 3};
  return table;
}

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::uint32_t u32_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, 4);
  return value;
}

TEST(Npz, EveryMemberIsAnAlignedArrayWhereTheDirectorySaysItIs) {
  const TemporaryFiles files;
  write_sparse_npz(small_table(), files.path("a.npz"));
  const std::string bytes = slurp(files.path("a.npz"));
  ASSERT_EQ(u32_at(bytes, bytes.size() - 22), 0x06054b50u) << "end of the directory";
  std::size_t entry = u32_at(bytes, bytes.size() - 6);
  std::vector<std::string> names;
  for (int member = 0; member < 5; ++member) {
    ASSERT_EQ(u32_at(bytes, entry), 0x02014b50u);
    const auto length = static_cast<std::size_t>(u32_at(bytes, entry + 28) & 0xffff);
    const std::size_t local = u32_at(bytes, entry + 42);
    names.push_back(bytes.substr(entry + 46, length));
    ASSERT_EQ(u32_at(bytes, local), 0x04034b50u);
    EXPECT_EQ(bytes.substr(local + 4, 26), bytes.substr(entry + 6, 26)) << "the same twice";
    EXPECT_EQ(bytes.substr(local + 30, length), names.back());
    const std::size_t array = local + 30 + length;
    EXPECT_EQ(bytes.substr(array, 6), "\x93NUMPY");
    const std::size_t header = static_cast<unsigned char>(bytes[array + 8]);
    EXPECT_EQ((10 + header) % 64, 0u);
    if (names.back() == "data.npy") {
      double first = 0;
      std::memcpy(&first, bytes.data() + array + 10 + header, 8);
      EXPECT_EQ(first, 0.5);
    }
    entry += 46 + length;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"indices.npy", "indptr.npy", "format.npy", "shape.npy",
                                             "data.npy"}));
}

TEST(Npz, SciPyReadsTheSameMatrix) {
  if (std::system("python3 -c 'import scipy.sparse' 2>/dev/null") != 0) {
    GTEST_SKIP() << "needs python3 with SciPy";
  }
  const TemporaryFiles files;
  write_sparse_npz(small_table(), files.path("a.npz"));
  const std::string check =
      "python3 -c \"import scipy.sparse as s; m = s.load_npz('" + files.path("a.npz") +
      "'); assert m.shape == (3, 5) and m.format == 'csr' and m.nnz == 3; "
      "assert m[0, 1] == 0.5 and m[0, 4] == -1e-300 and m[2, 0] == 3 and m[1].nnz == 0\"";
  EXPECT_EQ(std::system(check.c_str()), 0);
}

TEST(Npz, SameCodesSameBytes) {
  const TemporaryFiles files;
  write_sparse_npz(small_table(), files.path("a.npz"));
  write_sparse_npz(small_table(), files.path("b.npz"));
  EXPECT_EQ(slurp(files.path("a.npz")), slurp(files.path("b.npz")));
  EXPECT_THROW(write_sparse_npz(small_table(), files.path("none/a.npz")), Error);
}

}  // namespace
}  // namespace ardent
