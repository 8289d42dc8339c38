// One table of options feeds the command line, the Python keywords and the documentation.
//
// A default is written once, in the option struct; the table binds a name and a help text to the
// field, reads its default from it, and checks a text before it is put there.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ardent/base/types.h"

namespace ardent {

struct Option {
  std::string name;
  std::string values;  // what may stand there: "NUMBER > 0", "linear|rbf|elm"
  std::string help;    // formula and meaning
  std::function<std::string()> get;
  std::function<void(std::string_view)> set;  // InputError naming option, rule and value
};

class OptionTable {
 public:
  void add(std::string name, double& field, std::string help, double above,
           std::string zero_name = "");
  void add(std::string name, Index& field, std::string help, Index at_least);
  void add(std::string name, std::uint64_t& field, std::string help);
  void add(std::string name, bool& field, std::string help);  // on|off
  void add(std::string name, std::string& field, std::string help,
           std::vector<std::string> choices);

  const std::vector<Option>& options() const { return options_; }
  /// Throws InputError listing the names there are if `name` is none of them.
  void set(std::string_view name, std::string_view text);
  /// Every option by name, as text that set() takes back to the same value.
  std::map<std::string, std::string> values() const;

 private:
  std::vector<Option> options_;
};

}  // namespace ardent
