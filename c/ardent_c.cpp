// The C interface (include/ardent/ardent_c.h) over the public C++ one: no exception leaves it.
#include <cstdio>
#include <exception>
#include <span>
#include <string>

#include "ardent/ardent_c.h"
#include "ardent/predictor.h"
#include "ardent/version.h"

#define ARDENT_EXPORTED extern "C" __attribute__((visibility("default")))

struct ardent_model {
  ardent::Predictor predictor;
};

namespace {

// Of fixed size: no memory is needed to say that memory ran out.
thread_local char last_error[1024] = "";

template <class Result, class Call>
Result guarded(Result failed, const Call& call) noexcept {
  try {
    return call();
  } catch (const std::exception& error) {
    std::snprintf(last_error, sizeof last_error, "%s", error.what());
  } catch (...) {
    std::snprintf(last_error, sizeof last_error, "something failed");
  }
  return failed;
}

std::span<const double> row_of(const double* row, std::int64_t count) {
  return {row, static_cast<std::size_t>(row && count > 0 ? count : 0)};
}

}  // namespace

ARDENT_EXPORTED const char* ardent_version() {
  static const std::string text = ardent::version();
  return text.c_str();
}

ARDENT_EXPORTED const char* ardent_error() {
  return last_error;
}

ARDENT_EXPORTED ardent_model* ardent_load(const char* path) {
  return guarded<ardent_model*>(nullptr, [&] {
    return new ardent_model{ardent::Predictor(ardent::load_model(path ? path : ""))};
  });
}

ARDENT_EXPORTED void ardent_free(ardent_model* model) {
  delete model;
}

ARDENT_EXPORTED std::int64_t ardent_features(const ardent_model* model) {
  return model->predictor.features();
}

ARDENT_EXPORTED std::int64_t ardent_classes(const ardent_model* model) {
  return static_cast<std::int64_t>(model->predictor.labels().size());
}

ARDENT_EXPORTED const char* ardent_label(const ardent_model* model, std::int64_t k) {
  const auto& labels = model->predictor.labels();
  if (k < 0 || k >= ardent_classes(model)) return nullptr;
  return labels[static_cast<std::size_t>(k)].c_str();
}

ARDENT_EXPORTED std::int64_t ardent_classify(const ardent_model* model, const double* row,
                                             std::int64_t count, double* probabilities) {
  return guarded<std::int64_t>(-1, [&] {
    const std::size_t room = probabilities ? model->predictor.labels().size() : 0;
    return model->predictor.classify(row_of(row, count), {probabilities, room});
  });
}

ARDENT_EXPORTED int ardent_regress(const ardent_model* model, const double* row,
                                   std::int64_t count, double* mean, double* variance) {
  return guarded(-1, [&] {
    if (!variance) {
      *mean = model->predictor.mean(row_of(row, count));
      return 0;
    }
    const ardent::RowMoments found = model->predictor.moments(row_of(row, count));
    *mean = found.mean;
    *variance = found.variance;
    return 0;
  });
}
