#include <fmt/format.h>

#include "ardent/base/error.h"
#include "ardent/model/public_model.h"
#include "ardent/model/row_predictor.h"
#include "ardent/predictor.h"

namespace ardent {
namespace {

constexpr Index kSmallScratch = 512, kScratch = 4096, kLargeScratch = 65536;

/// call(scratch), with so many numbers on the stack.
template <class Call>
auto with_scratch(Index numbers, const Call& call) {
  // Not one array of the largest size: threads may have small stacks.
  const auto with = [&call]<Index size>(std::integral_constant<Index, size>) {
    alignas(64) double scratch[size];
    return call(scratch);
  };
  if (numbers <= kSmallScratch) return with(std::integral_constant<Index, kSmallScratch>{});
  if (numbers <= kScratch) return with(std::integral_constant<Index, kScratch>{});
  return with(std::integral_constant<Index, kLargeScratch>{});
}

}  // namespace

struct v0::Predictor::Held {
  RowPredictor predictor;
};

namespace v0 {

Predictor::Predictor(const Model& model, const PredictOptions& options) {
  const ardent::PredictOptions asked = internal_options(options);
  RowPredictor predictor(
      row_model(model.held().model, {.moderated = asked.moderated, .plug_in = asked.plug_in}));
  const Index numbers = predictor.scratch() + std::ssize(predictor.model().classes);
  if (numbers > kLargeScratch) {
    throw InputError(
        fmt::format("predicting a row of this model takes {} KiB on the stack, more than {}: use "
                    "predict()",
                    numbers / 128, kLargeScratch / 128));
  }
  held_ = std::make_shared<const Held>(std::move(predictor));
}

Index Predictor::features() const {
  return held_->predictor.model().features;
}

const std::vector<std::string>& Predictor::labels() const {
  return held_->predictor.model().classes;
}

Index Predictor::classify(std::span<const double> row, std::span<double> probabilities) const {
  const RowPredictor& predictor = held_->predictor;
  const std::size_t classes = predictor.model().classes.size();
  if (!probabilities.empty() && probabilities.size() != classes) {
    throw InputError(fmt::format("there is room for {} probabilities, and the model has {} classes",
                                 probabilities.size(), classes));
  }
  return with_scratch(predictor.scratch() + std::ssize(labels()), [&](double* scratch) {
    const std::span<double> p =
        probabilities.empty() ? std::span(scratch + predictor.scratch(), classes) : probabilities;
    return predictor.classify(row, p, scratch);
  });
}

double Predictor::mean(std::span<const double> row) const {
  return with_scratch(held_->predictor.scratch(),
                      [&](double* scratch) { return held_->predictor.mean(row, scratch); });
}

RowMoments Predictor::moments(std::span<const double> row) const {
  return with_scratch(held_->predictor.scratch(), [&](double* scratch) {
    const double mean = held_->predictor.mean(row, scratch);
    return RowMoments{mean, held_->predictor.variance(row, mean, scratch)};
  });
}

}  // namespace v0
}  // namespace ardent
