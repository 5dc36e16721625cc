#pragma once
// The last run of each kernel, by its definition: what `check` compares, whatever happened to the tensors since.

#include <set>
#include <string>

#include "engine/session/state/content.hpp"

namespace trellis::session {

class Runs {
 public:
  void finish(const SharedText& definition, FinishedRun run);
  /// Null: none.
  const FinishedRun* of(const SharedText& definition) const;
  /// Whatever the kernel's definition was.
  bool ever(const std::string& kernel) const;
  bool any() const { return !all_.empty(); }
  /// The one after which the tensor was as it is; null: none.
  const FinishedRun* that_left(const std::string& tensor, const tensor::Tensor& value) const;
  void keep_only(const std::set<const FinishedRun*>& runs);

  const FinishedRuns& all() const { return all_; }
  void restore(FinishedRuns all) { all_ = std::move(all); }

 private:
  FinishedRuns all_;
};

}  // namespace trellis::session
