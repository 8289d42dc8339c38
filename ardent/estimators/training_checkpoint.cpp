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
    .version = 2,
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

/// One part of a problem's fit, and what is below it.
class TrainingCheckpoint::Stages : public StageCheckpoint {
 public:
  Stages(TrainingCheckpoint& all, Place place) : all_(all), place_(std::move(place)) {}

  bool due(Index stage) const override { return stage % all_.plan_.stages == 0; }
  void leave(Index stage, const ContainerWriter& state, StateOf of) override {
    all_.put(place_, {stage, of, state.bytes(kEntryFormat), {}});
  }
  std::shared_ptr<const Container> found() const override {
    const std::lock_guard lock(all_.mutex_);
    const auto entry = all_.entries_.find(place_);
    if (entry == all_.entries_.end() || entry->second.stage == 0) return nullptr;
    return std::make_shared<const Container>(
        container_of(entry->second.bytes, all_.plan_.path, kEntryFormat));
  }
  std::shared_ptr<StageCheckpoint> part(const std::string& name) override {
    const std::string& own = place_.second;
    return std::make_shared<Stages>(
        all_, Place(place_.first, own.empty() ? name : fmt::format("{}: {}", own, name)));
  }

 private:
  TrainingCheckpoint& all_;
  Place place_;
};

TrainingCheckpoint::TrainingCheckpoint(CheckpointPlan plan, const Dataset& data,
                                       const RecordedOptions& options)
    : plan_(std::move(plan)), share_(data.share), run_(fingerprint(data, options)) {
  require(plan_.stages >= 1, "checkpoint_stages", ">= 1", plan_.stages);
  if (plan_.resume) read();
}

TrainingCheckpoint::~TrainingCheckpoint() = default;

void TrainingCheckpoint::read() {
  std::string bytes;
  std::error_code ignored;
  if (leads() && std::filesystem::exists(plan_.path, ignored)) {
    const Buffer<char> contents = read_whole_file(plan_.path, kTrainingFormat);
    bytes.assign(contents.begin(), contents.end());
  }
  if (share_) bytes = share_->gather(bytes).front();
  if (bytes.empty()) return;
  const Container file = container_of(bytes, plan_.path, kTrainingFormat);
  const auto text = [&](Index part, Index share) {
    const auto array = file.array<char>(fmt::format("part.{}.{}", part, share));
    return std::string(array.begin(), array.end());
  };
  try {
    if (file.about().at("run") != run_) {
      file.refuse("it is of other data or options, or of another number of processes");
    }
    Index number = 0;
    for (const auto& part : file.about().at("parts")) {
      Entry entry;
      entry.stage = part.at("stage").get<Index>();
      const Place place{part.at("problem").get<Index>(), part.at("name").get<std::string>()};
      if (part.at("of_rows").get<bool>()) entry.of = StateOf::rows;
      const bool split = share_ && entry.of == StateOf::rows;
      entry.bytes = text(number, split ? share_->place() : 0);
      for (Index s = 0; split && leads() && s < share_->shares(); ++s) {
        entry.shares.push_back(text(number, s));
      }
      entries_[place] = std::move(entry);
      ++number;
    }
  } catch (const nlohmann::json::exception& error) {
    file.refuse_malformed(error);
  }
}

void TrainingCheckpoint::save() const {
  ContainerWriter file;
  file.about = {{"run", run_}, {"parts", nlohmann::json::array()}};
  const auto add = [&](Index part, std::size_t share, const std::string& bytes) {
    file.add(fmt::format("part.{}.{}", part, share), std::vector<char>(bytes.begin(), bytes.end()));
  };
  Index number = 0;
  for (const auto& [place, own] : entries_) {
    file.about["parts"].push_back({{"problem", place.first},
                                   {"name", place.second},
                                   {"stage", own.stage},
                                   {"of_rows", own.of == StateOf::rows}});
    if (own.shares.empty()) add(number, 0, own.bytes);
    for (std::size_t s = 0; s < own.shares.size(); ++s) add(number, s, own.shares[s]);
    ++number;
  }
  file.save(plan_.path, kTrainingFormat);
}

void TrainingCheckpoint::put(const Place& place, Entry entry) {
  const std::lock_guard lock(mutex_);
  const Index stage = entry.stage;
  if (share_ && entry.of == StateOf::rows) entry.shares = share_->gather_at_first(entry.bytes);
  if (stage == 0) {
    std::erase_if(entries_, [&](const auto& own) { return own.first.first == place.first; });
  }
  entries_[place] = std::move(entry);
  if (leads()) save();
  if (!plan_.written) return;
  const auto& [problem, part] = place;
  plan_.written(stage > 0 ? fmt::format("{}, after stage {} of model {}{}", plan_.path, stage,
                                        problem + 1, part.empty() ? "" : fmt::format(" ({})", part))
                          : fmt::format("{}, after model {}", plan_.path, problem + 1));
}

std::shared_ptr<StageCheckpoint> TrainingCheckpoint::stages_of(Index problem) {
  return std::make_shared<Stages>(*this, Place(problem, ""));
}

std::optional<std::string> TrainingCheckpoint::finished(Index problem) const {
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find({problem, ""});
  if (entry == entries_.end() || entry->second.stage > 0) return std::nullopt;
  return entry->second.bytes;
}

void TrainingCheckpoint::finish(Index problem, const std::string& bytes) {
  put({problem, ""}, {0, StateOf::rows, bytes, {}});
}

}  // namespace ardent
