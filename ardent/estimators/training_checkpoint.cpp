#include "ardent/estimators/training_checkpoint.h"

#include <fmt/format.h>

#include <filesystem>

#include "ardent/base/checksum.h"
#include "ardent/base/error.h"
#include "ardent/base/whole_file.h"
#include "ardent/estimators/data_checksum.h"
#include "ardent/model/model_parts.h"

namespace ardent {
namespace {

constexpr ContainerFormat kTrainingFormat{
    .kind = "training",
    .version = 1,
    .remedy = ": give the data and options of that training, or leave --resume away to begin anew"};
constexpr ContainerFormat kEntryFormat{.kind = "training-part", .version = 1};

std::string fingerprint(const Dataset& data, const RecordedOptions& options) {
  std::string text = data_checksum(data);
  if (data.share) text = fmt::format("{}", fmt::join(data.share->gather(text), " "));
  for (const auto& [name, value] : options) text += fmt::format("\n{}={}", name, value);
  Checksum sum;
  sum.add(text.data(), text.size());
  return fmt::format("{:016x}", sum.value());
}

Container container_of(const std::string& bytes, const std::string& name,
                       const ContainerFormat& format) {
  // Contents begin at a multiple of 64 bytes.
  return Container(name, Buffer<char>::copy_of(std::vector<char>(bytes.begin(), bytes.end())),
                   format);
}

}  // namespace

std::string bytes_of(const Fit& fit) {
  ContainerWriter file;
  add_parts(file, {Part{-1, -1, fit.posterior, fit.report}});
  file.about["engine"] = fit.report.engine;
  return file.bytes(kEntryFormat);
}

Fit fit_of(const std::string& bytes, const std::string& name) {
  const Container file = container_of(bytes, name, kEntryFormat);
  Part part = read_parts(file).front();
  part.report.engine = file.about().at("engine").get<std::string>();
  return Fit{std::move(part.posterior), std::move(part.report)};
}

/// One problem's part of the file.
class TrainingCheckpoint::Stages : public StageCheckpoint {
 public:
  Stages(TrainingCheckpoint& all, Index problem) : all_(all), problem_(problem) {
    const std::lock_guard lock(all.mutex_);
    const auto entry = all.entries_.find(problem);
    if (entry == all.entries_.end() || entry->second.stage == 0) return;
    found_ = container_of(entry->second.bytes, all.plan_.path, kEntryFormat);
  }

  bool due(Index stage) const override { return stage % all_.plan_.stages == 0; }
  void leave(Index stage, const ContainerWriter& state) override {
    all_.put(problem_, {stage, state.bytes(kEntryFormat)});
  }
  const Container* found() const override { return found_ ? &*found_ : nullptr; }

 private:
  TrainingCheckpoint& all_;
  Index problem_;
  std::optional<Container> found_;
};

TrainingCheckpoint::TrainingCheckpoint(CheckpointPlan plan, const Dataset& data,
                                       const RecordedOptions& options)
    : plan_(std::move(plan)), share_(data.share), run_(fingerprint(data, options)) {
  require(plan_.stages >= 1, "checkpoint_stages", ">= 1", plan_.stages);
  if (plan_.resume) read();
}

TrainingCheckpoint::~TrainingCheckpoint() = default;

void TrainingCheckpoint::read() {
  const bool leads = !share_ || share_->place() == 0;
  std::string bytes;
  std::error_code ignored;
  if (leads && std::filesystem::exists(plan_.path, ignored)) {
    const Buffer<char> contents = read_whole_file(plan_.path, kTrainingFormat);
    bytes.assign(contents.begin(), contents.end());
  }
  if (share_) bytes = share_->gather(bytes).front();
  if (bytes.empty()) return;
  const Container file = container_of(bytes, plan_.path, kTrainingFormat);
  try {
    if (file.about().at("run") != run_) {
      file.refuse("it is of other data or options, or of another number of processes");
    }
    for (const auto& part : file.about().at("parts")) {
      const auto problem = part.at("problem").get<Index>();
      const auto own = file.array<char>(fmt::format("part.{}", problem));
      entries_[problem] = {part.at("stage").get<Index>(), {own.begin(), own.end()}};
    }
  } catch (const nlohmann::json::exception& error) {
    file.refuse_malformed(error);
  }
}

void TrainingCheckpoint::put(Index problem, Entry entry) {
  const std::lock_guard lock(mutex_);
  const Index stage = entry.stage;
  entries_[problem] = std::move(entry);
  if (!share_ || share_->place() == 0) {
    ContainerWriter file;
    file.about = {{"run", run_}, {"parts", nlohmann::json::array()}};
    for (const auto& [p, own] : entries_) {
      file.about["parts"].push_back({{"problem", p}, {"stage", own.stage}});
      file.add(fmt::format("part.{}", p), std::vector<char>(own.bytes.begin(), own.bytes.end()));
    }
    file.save(plan_.path, kTrainingFormat);
  }
  if (!plan_.written) return;
  plan_.written(stage > 0
                    ? fmt::format("{}, after stage {} of model {}", plan_.path, stage, problem + 1)
                    : fmt::format("{}, after model {}", plan_.path, problem + 1));
}

std::shared_ptr<StageCheckpoint> TrainingCheckpoint::stages_of(Index problem) {
  return std::make_shared<Stages>(*this, problem);
}

std::optional<Fit> TrainingCheckpoint::finished(Index problem) const {
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(problem);
  if (entry == entries_.end() || entry->second.stage > 0) return std::nullopt;
  return fit_of(entry->second.bytes, plan_.path);
}

void TrainingCheckpoint::finish(Index problem, const Fit& fit) {
  put(problem, {0, bytes_of(fit)});
}

}  // namespace ardent
