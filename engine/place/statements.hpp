#pragma once
// Fragments as statements of the loop IR: variables become loops, dimensions that a temporary lost are left out, and
// argmin and argmax are spelled out with the best value beside the index, and steps become buffers.

#include <map>
#include <string>
#include <vector>

#include "engine/loop/stmt.hpp"
#include "engine/place/buffers.hpp"
#include "engine/place/markers.hpp"
#include "engine/place/temporaries.hpp"

namespace trellis::place {

class Statements {
 public:
  Statements(const lang::Program& program, const Fragments& fragments, const std::vector<Initialiser>& initialisers,
             const BufferPlan& buffers);

  /// One instance of a fragment.
  loop::Stmt update(int fragment, const LoopNames& names) const;
  /// What it has put into a buffer, as an element of the result.
  loop::Stmt store(int fragment, const LoopNames& names) const;
  /// Of the temporaries that an accumulation writes.
  std::vector<loop::Stmt> declarations(int fragment) const;
  /// The accumulator's element before its first update.
  std::vector<loop::Stmt> identities(int fragment, const LoopNames& names) const;

  /// The element of a saved slice that this iteration reads, and its value before anything overwrites it.
  loop::Stmt save(const SavedSlice& slice, const LoopNames& names) const;

  const std::vector<lang::TensorInfo>& temporaries() const { return temporaries_; }

 private:
  lang::Expr rewrite(const lang::Expr& e, const Fragment& f, const LoopNames& names) const;
  lang::Expr access(const lang::Access& access, const Fragment& f, const LoopNames& names) const;
  /// The element of a buffer.
  lang::Expr buffered(const lang::Access& access, const Fragment& f, const LoopNames& names) const;
  lang::Expr saved(const SavedSlice& slice, const LoopNames& names) const;
  const lang::TensorInfo& info(const std::string& tensor) const;
  loop::Stmt update_best(const Fragment& f, const LoopNames& names) const;

  const lang::Program& program_;
  const std::vector<Fragment>& fragments_;
  const BufferPlan& buffers_;
  std::map<std::string, std::vector<bool>> kept_;  ///< by temporary and dimension
  std::vector<lang::TensorInfo> temporaries_;      ///< shrunk
};

}  // namespace trellis::place
