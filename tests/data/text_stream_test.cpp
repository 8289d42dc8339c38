#include "ardent/data/text_stream.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <array>

namespace ardent {
namespace {

using ::testing::ElementsAre;

class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe(ends_.data()), 0); }
  ~Pipe() {
    close(ends_[0]);
    finish();
  }
  void send(const std::string& text) {
    EXPECT_EQ(write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void finish() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  int end() const { return ends_[0]; }

 private:
  std::array<int, 2> ends_{};
};

std::vector<std::string> records(const std::string& text, bool quotes) {
  Pipe pipe;
  pipe.send(text);
  pipe.finish();
  TextStream stream(pipe.end(), "p");
  std::vector<std::string> found;
  for (std::string record; stream.next(record, quotes);) found.push_back(record);
  return found;
}

TEST(TextStream, ALineIsThereBeforeTheNext) {
  Pipe pipe;
  TextStream stream(pipe.end(), "p");
  std::string record;
  pipe.send("# note\n\n1 1:2\n1 ");
  EXPECT_EQ(stream.first_lines(), "# note\n\n1 1:2\n1 ");
  EXPECT_TRUE(stream.next(record, false) && stream.next(record, false) &&
              stream.next(record, false));
  EXPECT_EQ(record, "1 1:2\n");
  EXPECT_EQ(stream.lines(), 3u);
  EXPECT_FALSE(stream.has_line());
  pipe.send("2:3\n");
  EXPECT_TRUE(stream.next(record, false));
  EXPECT_EQ(record, "1 2:3\n");
  pipe.finish();
  EXPECT_FALSE(stream.next(record, false));
}

TEST(TextStream, RecordsMaySpanLinesInsideQuotes) {
  EXPECT_THAT(records("a,\"b\nc\"\n\"\"\"d\n\",e", true),
              ElementsAre("a,\"b\nc\"\n", "\"\"\"d\n\",e"));
  EXPECT_THAT(records("a\"b\nc\n\n", false), ElementsAre("a\"b\n", "c\n", "\n"));
  EXPECT_THAT(records("", false), ElementsAre());
}

TEST(TextStream, LongLinesAndTheRestComeWhole) {
  const std::string line(60000, 'x');
  Pipe pipe;
  TextStream stream(pipe.end(), "p");
  pipe.send(line);
  pipe.send("\n");
  std::string record;
  EXPECT_TRUE(stream.next(record, true));
  EXPECT_EQ(record, line + "\n");
  pipe.send("y");
  pipe.finish();
  EXPECT_EQ(stream.rest(), "y");
}

}  // namespace
}  // namespace ardent
