#include "ardent/base/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ardent/base/error.h"
#include "base/temporary_files.h"

namespace ardent {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void put(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

class AtomicFileTest : public testing::Test {
 protected:
  std::string path_string(const char* name) const { return (folder / name).string(); }

  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  }

  TemporaryFiles made;
  const fs::path& folder = made.folder();
};

TEST_F(AtomicFileTest, AppearsWholeAtCommitAndNotBefore) {
  const fs::path path = folder / "model";
  AtomicFile file(path.string());
  file.write("first ");
  file.write("second");
  EXPECT_FALSE(fs::exists(path));
  file.commit();
  EXPECT_EQ(contents(path), "first second");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, WithoutCommitTheOldFileStaysAndNothingIsLeftBehind) {
  const fs::path path = folder / "model";
  put(path, "old");
  {
    AtomicFile file(path.string());
    file.write("half of the n");
  }
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, AnEmptyFileAndBinaryBytesAreWrittenAsTheyAre) {
  AtomicFile(path_string("empty")).commit();
  EXPECT_EQ(fs::file_size(folder / "empty"), 0u);
  const std::string bytes("\0\n\r\xff", 4);
  AtomicFile file(path_string("bytes"));
  file.write(bytes);
  file.commit();
  EXPECT_EQ(contents(folder / "bytes"), bytes);
}

TEST_F(AtomicFileTest, ThroughALinkTheTargetIsReplacedAndTheLinkStays) {
  put(folder / "target", "old");
  fs::create_symlink(folder / "target", folder / "link");
  AtomicFile file(path_string("link"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(contents(folder / "target"), "new");
}

TEST_F(AtomicFileTest, PermissionsFollowTheUmaskOrTheFileReplaced) {
  const mode_t before = umask(027);
  AtomicFile fresh(path_string("fresh"));
  fresh.commit();
  umask(before);
  EXPECT_EQ(fs::status(folder / "fresh").permissions(), fs::perms{0640});
  put(folder / "kept", "old");
  fs::permissions(folder / "kept", fs::perms{0604});
  AtomicFile replaced(path_string("kept"));
  replaced.commit();
  EXPECT_EQ(fs::status(folder / "kept").permissions(), fs::perms{0604});
}

TEST_F(AtomicFileTest, PlacesThatCannotBeWrittenAreTheCallersToMend) {
  EXPECT_THROW(AtomicFile(""), InputError);
  EXPECT_THROW(AtomicFile{folder.string()}, InputError);
  EXPECT_THROW(AtomicFile(path_string("no/such/folder/model")), InputError);
}

TEST_F(AtomicFileTest, DevicesAreWrittenDirectly) {
  AtomicFile null("/dev/null");
  null.write("gone");
  null.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(AtomicFileTest, AFullDiskIsAnErrorAtCommitAtTheLatest) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const auto write_to_full_disk = [] {
    AtomicFile full("/dev/full");
    full.write("does not fit");
    full.commit();
  };
  EXPECT_THROW(write_to_full_disk(), Error);
}

TEST_F(AtomicFileTest, ARedirectedStandardOutputIsAppendedToNotReplaced) {
  const fs::path path = folder / "redirected";
  put(path, "before\n");
  std::fflush(stdout);
  const int saved = dup(STDOUT_FILENO);
  ASSERT_NE(std::freopen(path.c_str(), "ab", stdout), nullptr);
  std::printf("printed\n");
  {
    AtomicFile file("/dev/stdout");
    file.write("written\n");
    file.commit();
  }
  std::printf("after\n");
  std::fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  EXPECT_EQ(contents(path), "before\nprinted\nwritten\nafter\n");
  EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, AfterCommitNothingMoreIsAccepted) {
  AtomicFile file(path_string("model"));
  file.commit();
  EXPECT_THROW(file.write("more"), Error);
  EXPECT_THROW(file.commit(), Error);
}

}  // namespace
}  // namespace ardent
