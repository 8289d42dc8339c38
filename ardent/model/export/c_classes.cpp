#include "ardent/model/export/c_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "ardent/model/export/c_coupling.h"

namespace ardent {
namespace {

/// @name_logit(part, phi): f, or κ(v) f where the part's probability averages over the posterior.
void add_logit(CSource& source, const RowModel& model) {
  const auto moderated = std::ranges::count(model.parts, true, &RowPart::moderated);
  const bool some = moderated > 0, all = moderated == std::ssize(model.parts);
  if (some && !all) {
    std::vector<Index> flags;
    for (const RowPart& part : model.parts) flags.push_back(part.moderated ? 1 : 0);
    source.add("\n");
    source.add_integers("moderated", flags);
  }
  source.add(R"(
static inline @real @name_logit(int part, const @number *phi)
{
)");
  const std::string score = source.rounded("@name_score(part, phi)");
  const std::string moderate = fmt::format("{} / sqrt@f((@real)1 + {} * @name_variance(part, phi))",
                                           score, source.real(std::numbers::pi / 8));
  if (some && !all)
    source.add("    if (@name_moderated[part])\n        return " + moderate + ";\n");
  source.add("    return " + (all ? moderate : score) + ";\n}\n");
}

void add_two_classes(CSource& source, const RowModel& model) {
  const Index positive = model.parts[0].positive;
  source.add(fmt::format(R"(
static inline int @name_classify(const @number *phi, @real *p)
{{
    const @real f = @name_logit(0, phi);
    p[{0}] = @name_sigmoid(f, &p[{1}]);
    return f >= 0 ? {0} : {1};
}}
)",
                         positive, 1 - positive));
}

/// The end of @name_classify: the model's temperature, and the likeliest, the first of equals.
std::string choose_code(const CSource& source, const RowModel& model) {
  std::string code;
  if (model.temperature != 1) {
    code += fmt::format(R"(    for (sum = 0, k = 0; k < @NAME_CLASSES; ++k) {{
        p[k] = @name_exp(@name_log(p[k] > {0} ? p[k] : {0}) * {1});
        sum += p[k];
    }}
    for (k = 0; k < @NAME_CLASSES; ++k)
        p[k] /= sum;
)",
                        source.real(1e-12), source.real(1 / model.temperature));
  }
  return code + R"(    for (best = 0, k = 1; k < @NAME_CLASSES; ++k)
        if (p[k] > p[best])
            best = k;
    return best;
}
)";
}

void add_sides(CSource& source, const RowModel& model) {
  std::vector<Index> positive, negative;
  for (const RowPart& part : model.parts) {
    positive.push_back(part.positive);
    negative.push_back(part.negative);
  }
  source.add("\n");
  source.add_integers("positive", positive);
  if (model.pairs) source.add_integers("negative", negative);
}

void add_one_against_rest(CSource& source, const RowModel& model) {
  add_sides(source, model);
  source.add(fmt::format(R"(
static inline int @name_classify(const @number *phi, @real *p)
{{
    @real sum = 0, other;
    int k, best;
    for (k = 0; k < @NAME_CLASSES; ++k)
        p[k] = 0;
    for (k = 0; k < @NAME_PARTS; ++k) {{
        const @real own = @name_sigmoid(@name_logit(k, phi), &other);
        p[@name_positive[k]] = own;
        sum += own;
    }}
    for (k = 0; k < @NAME_CLASSES; ++k)
        p[k] = sum > 0 ? p[k] / sum : {};
)",
                         source.real(1 / static_cast<double>(model.classes.size()))));
  source.add(choose_code(source, model));
}

void add_pairs(CSource& source, const RowModel& model) {
  add_sides(source, model);
  add_c_coupling(source, model);
  source.add(fmt::format(R"(
static inline int @name_classify(const @number *phi, @real *p)
{{
    const @real least = {0}, most = {1};
    @real r[@NAME_CLASSES * @NAME_CLASSES] = {{0}};
    int k, best;
)",
                         source.real(1e-7), source.real(1 - 1e-7)));
  if (model.temperature != 1) source.add("    @real sum;\n");
  source.add(R"(    for (k = 0; k < @NAME_PARTS; ++k) {
        const int i = @name_positive[k], j = @name_negative[k];
        @real b, a = @name_sigmoid(@name_logit(k, phi), &b);
        r[i * @NAME_CLASSES + j] = a < least ? least : a > most ? most : a;
        r[j * @NAME_CLASSES + i] = b < least ? least : b > most ? most : b;
    }
    @name_couple(r, p);
)");
  source.add(choose_code(source, model));
}

}  // namespace

void add_c_classes(CSource& source, const RowModel& model) {
  add_logit(source, model);
  if (model.classes.size() == 2) {
    add_two_classes(source, model);
  } else if (model.pairs) {
    add_pairs(source, model);
  } else {
    add_one_against_rest(source, model);
  }
}

Index c_classes_stack(const CSource& source, const RowModel& model) {
  const auto classes = std::ssize(model.classes);
  if (!model.pairs) return 0;
  return classes * classes * source.real_bytes() + c_coupling_stack(source, classes);
}

}  // namespace ardent
