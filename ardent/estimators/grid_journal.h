// The journal of a grid search: finished points survive a killed process.
//
// JSON lines. The first says which search it is: {"ardent_grid": 1, "data": name, "search": {…}};
// every other is a finished point: {"point": 3, "scores": {"accuracy": [0.9, …], …}}, with numbers
// that read back to the same bits. A line that was cut off at the end is forgotten.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "ardent/estimators/evaluation.h"

namespace ardent {

/// What a journal is of.
struct GridSearchRecord {
  std::string data;                 // its name, for the reader alone
  std::string search;               // a JSON object: all that the scores depend on
  Index points = 0;                 // of the grid
  std::vector<std::string> scores;  // names of a point's scores
  Index runs = 0;                   // values of each
};

class GridJournal {
 public:
  /// Opens the journal at `path`, or begins one. InputError where the file is no journal, is
  /// damaged, is of another search (it says what differs), or is in use by another process.
  GridJournal(std::string path, const GridSearchRecord& record);
  ~GridJournal();
  GridJournal(const GridJournal&) = delete;
  GridJournal& operator=(const GridJournal&) = delete;

  /// The points that were finished when the journal was opened.
  const std::map<Index, NamedValues>& finished() const { return finished_; }
  /// Adds a finished point; it is in the operating system's hands when this returns. Called from
  /// several threads at once.
  void append(Index point, const NamedValues& scores);

 private:
  /// Takes the finished points of a journal, and returns how many of its bytes are whole lines.
  std::size_t read(const std::string& text, const GridSearchRecord& record);
  void write(const std::string& line);

  std::string path_;
  std::mutex mutex_;
  int file_ = -1;
  std::map<Index, NamedValues> finished_;
};

}  // namespace ardent
