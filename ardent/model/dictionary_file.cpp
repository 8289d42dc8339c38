#include "ardent/model/dictionary_file.h"

#include "ardent/model/model_parts.h"

namespace ardent {

// Numbers go through an array: JSON would print and parse them.
void add_dictionary(ArrayFileWriter& file, const Basis& basis) {
  const CodeOptions& coding = basis.coding;
  file.add("basis.atom_classes", basis.atom_classes);
  file.add("basis.coding",
           std::vector<double>{coding.lambda, coding.lambda_ratio, coding.noise_factor,
                               coding.outer_tolerance, coding.tolerance, basis.sharpness});
  file.about["coding"] = {{"start", coding.code_start == CodeStart::ones ? "ones" : "zero"},
                          {"max_outer", coding.max_outer},
                          {"nonnegative", coding.nonnegative}};
}

void read_dictionary(const ArrayFile& file, Basis& basis) {
  CodeOptions& coding = basis.coding;
  basis.atom_classes = file.list<std::uint32_t>("basis.atom_classes");
  const auto numbers = file.array<double>("basis.coding");
  if (numbers.size() != 6) file.refuse("its dictionary has not six coding options");
  coding.lambda = numbers[0];
  coding.lambda_ratio = numbers[1];
  coding.noise_factor = numbers[2];
  coding.outer_tolerance = numbers[3];
  coding.tolerance = numbers[4];
  basis.sharpness = numbers[5];
  const auto& about = file.about().at("coding");
  coding.code_start = parse_code_start(about.at("start").get<std::string>());
  coding.max_outer = whole_number_of(about.at("max_outer"));
  coding.nonnegative = about.at("nonnegative").get<bool>();
}

}  // namespace ardent
