// Many signals over one dictionary: SparseCoder(atoms, options).code(signals).
#pragma once

#include "ardent/estimators/coder_options.h"
#include "ardent/inference/coding/batch_coder.h"

namespace ardent {

/// The coder that the command line and Python offer: a BatchCoder asked by CoderOptions.
class SparseCoder {
 public:
  /// One atom per row. InputError if there is none, if all are zero, if a number is not finite, or
  /// if an option is out of its range or contradicts another.
  SparseCoder(const Features& atoms, const CoderOptions& options = {});
  /// Of a dictionary whose atoms are scaled already where `unit_norm` asks for it.
  SparseCoder(std::shared_ptr<const Dictionary> dictionary, const CoderOptions& options = {});

  /// One signal per row. InputError if there is none, if they have another length than the atoms,
  /// or if a number is not finite. `farm`: processes that share the work.
  CodedSignals code(const Features& signals, const ProgressCallback& progress = {},
                    TaskFarm* farm = nullptr) {
    return coder_.code(signals, progress, farm);
  }

  const Dictionary& dictionary() const { return coder_.dictionary(); }
  /// Gram rows computed so far.
  Index gram_rows() const { return coder_.gram_rows(); }

 private:
  BatchCoder coder_;
};

}  // namespace ardent
