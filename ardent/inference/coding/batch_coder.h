// Many signals over one dictionary.
//
// Φᵀy of a batch of signals is one matrix product; Gram rows are shared between signals within a
// memory bound; signals are coded in parallel. Codes are the same bits for any number of threads.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "ardent/base/progress.h"
#include "ardent/base/task_farm.h"
#include "ardent/data/matrix.h"
#include "ardent/inference/accelerator.h"
#include "ardent/inference/coding/coded_signals.h"
#include "ardent/inference/coding/signal_batch.h"

namespace ardent {

/// The atoms that a signal takes: those of its code, else the nearest one.
std::vector<Index> atoms_of(const CodedSignals& coded, Index signal);

struct BatchOptions {
  CodeOptions code;
  bool unit_norm =
      false;  // scale atoms and signals to length 1 (zeros stay zero), as the paper does
  std::size_t gram_bytes = std::size_t{1} << 30;       // for the Gram rows that signals share
  std::shared_ptr<Accelerator> accelerator = nullptr;  // codes whole batches; null: the processor
  bool processor_will_do = false;                      // for what the accelerator does not have
};

class BatchCoder {
 public:
  /// One atom per row. InputError as for make_dictionary, if an option is out of its range, and if
  /// the accelerator has not what is asked for.
  BatchCoder(const Features& atoms, const BatchOptions& options);
  /// Of a dictionary whose atoms are scaled already where `unit_norm` asks for it.
  BatchCoder(std::shared_ptr<const Dictionary> dictionary, const BatchOptions& options);

  /// One signal per row. InputError if there is none, if they have another length than the atoms,
  /// or if a number is not finite. `progress` may stop it: an Error. Batches are dealt out to the
  /// processes of the farm, if there is one.
  CodedSignals code(const Features& signals, const ProgressCallback& progress = {},
                    TaskFarm* farm = nullptr);

  const Dictionary& dictionary() const { return *dictionary_; }
  /// Gram rows computed so far.
  Index gram_rows() const { return rows_->computed(); }
  bool on_device() const { return device_ != nullptr; }

 private:
  void take_to_device(Accelerator& accelerator);
  void check(const Features& signals) const;
  /// Signals begin … end in the columns of a matrix, scaled where asked for.
  Matrix batch(const Features& signals, Index begin, Index end) const;
  bool rows_pay(Index signals) const;
  std::vector<FirstCode> first_codes(const Matrix& signals, const Matrix& products, bool share,
                                     std::vector<double>& seconds);
  void code_batch(const Matrix& signals, bool share, CodedSignals& coded);
  void code_on_device(const Matrix& signals, CodedSignals& coded);
  Index signals_per_batch(bool dealt_out) const;

  BatchOptions options_;
  std::shared_ptr<const Dictionary> dictionary_;
  std::unique_ptr<GramRows> rows_;
  std::unique_ptr<DeviceDictionary> device_;  // null: the processor codes
};

}  // namespace ardent
