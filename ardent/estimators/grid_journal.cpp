#include "ardent/estimators/grid_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "ardent/base/error.h"

namespace ardent {
namespace {

// The order of scores is that of the table.
using Json = nlohmann::ordered_json;

std::string reason() {
  return std::generic_category().message(errno);
}

std::string line_of(const Json& written) {
  return written.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Of few levels: what is nested without end cannot be printed, and no journal has it.
Json parse_line(std::string_view line, const std::string& path) {
  constexpr int kMostLevels = 16;
  return Json::parse(line, [&](int depth, Json::parse_event_t, const Json&) {
    if (depth <= kMostLevels) return true;
    throw InputError(
        fmt::format("{}: the journal is damaged: a line is nested {} levels deep", path, depth));
  });
}

/// JSON has no infinity and no NaN: they are written as text.
Json number_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value));
}

double number_from(const Json& written) {
  if (written.is_number()) return written.get<double>();
  const auto text = written.get<std::string>();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

/// Nothing where the line is no finished point of this search.
std::optional<std::pair<Index, NamedValues>> parse_point(std::string_view line,
                                                         const GridSearchRecord& record,
                                                         const std::string& path) {
  try {
    const Json written = parse_line(line, path);
    const auto point = written.at("point").get<Index>();
    if (point < 0 || point >= record.points) return std::nullopt;
    NamedValues scores;
    for (const std::string& name : record.scores) {
      scores.push_back({name, {}});
      const Json& values = written.at("scores").at(name);
      if (std::ssize(values) != record.runs) return std::nullopt;
      for (const Json& value : values) scores.back().second.push_back(number_from(value));
    }
    return std::pair{point, std::move(scores)};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

void check_search(const std::string& path, const Json& found, const Json& wanted) {
  for (const auto& [name, value] : wanted.items()) {
    const std::string there = found.contains(name) ? found[name].dump() : "not reported";
    if (there == value.dump()) continue;
    throw InputError(
        fmt::format("{}: this journal is of another search: its {} is {}, that of this search is "
                    "{}; give another file to begin anew",
                    path, name, there, value.dump()));
  }
}

/// The search of a journal's first line.
Json parse_header(const std::string& path, std::string_view line) {
  try {
    const Json written = parse_line(line, path);
    const auto version = written.at("ardent_grid").get<Index>();
    if (version == 1) return written.at("search");
    if (version > 1) {
      throw InputError(fmt::format(
          "{}: this is no journal of a grid search that this program reads: it has format version "
          "{}, and version 1 is read; use a newer ardent, or give another file to begin anew",
          path, version));
    }
  } catch (const Json::exception&) {
    // Said below, as for a version that is not ours.
  }
  throw InputError(fmt::format(
      "{}: this is no journal of a grid search; give a new file, or one that --resume wrote",
      path));
}

std::string contents(int file, const std::string& path) {
  std::string text;
  char block[1 << 16];
  while (true) {
    const ssize_t count = ::read(file, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InputError(fmt::format("{}: cannot read: {}", path, reason()));
    if (count == 0) return text;
    text.append(block, static_cast<std::size_t>(count));
  }
}

}  // namespace

GridJournal::GridJournal(std::string path, const GridSearchRecord& record)
    : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw InputError(fmt::format("{}: cannot open: {}", path_, reason()));
  try {
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw InputError(fmt::format("{}: another process is writing this journal", path_));
    }
    const std::string header = line_of(
        {{"ardent_grid", 1}, {"data", record.data}, {"search", Json::parse(record.search)}});
    const std::string there = contents(file_, path_);
    // Killed while writing the first line: there is nothing to keep.
    const bool begun = !header.starts_with(there);
    const std::size_t whole = begun ? read(there, record) : 0;
    if (whole < there.size() && ::ftruncate(file_, static_cast<off_t>(whole)) != 0) {
      throw Error(fmt::format("{}: cannot cut off an unfinished line: {}", path_, reason()));
    }
    if (!begun) write(header);
  } catch (...) {
    ::close(file_);
    throw;
  }
}

GridJournal::~GridJournal() {
  ::close(file_);
}

std::size_t GridJournal::read(const std::string& text, const GridSearchRecord& record) {
  const std::size_t header_end = text.find('\n');
  const Json found = parse_header(
      path_, header_end == std::string::npos ? "" : std::string_view(text).substr(0, header_end));
  check_search(path_, found, Json::parse(record.search));
  std::size_t begin = header_end + 1;
  for (Index line = 2; begin < text.size(); ++line) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) return begin;
    auto point = parse_point(std::string_view(text).substr(begin, end - begin), record, path_);
    if (!point && end + 1 == text.size()) return begin;
    if (!point) {
      throw InputError(fmt::format(
          "{}:{}: the journal is damaged: this is no finished point of the search", path_, line));
    }
    finished_.insert(std::move(*point));
    begin = end + 1;
  }
  return begin;
}

void GridJournal::append(Index point, const NamedValues& scores) {
  Json written{{"point", point}, {"scores", Json::object()}};
  for (const auto& [name, values] : scores) {
    written["scores"][name] = Json::array();
    for (const double value : values) written["scores"][name].push_back(number_json(value));
  }
  const std::lock_guard lock(mutex_);
  write(line_of(written));
}

void GridJournal::write(const std::string& line) {
  const char* at = line.data();
  const char* const end = at + line.size();
  while (at < end) {
    const ssize_t count = ::write(file_, at, static_cast<std::size_t>(end - at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(fmt::format("{}: cannot write: {}", path_, reason()));
    at += count;
  }
}

}  // namespace ardent
