#pragma once
// What kernels were compiled to, as long as it is likely to be asked for again. A compilation is known by what it was
// made from: the part of the program that it reads, its equations and where they stand, its schedule. They are compared
// as values, so that touching one tensor or equation compiles the kernels anew that read it, and no others.

#include <memory>
#include <set>
#include <string>

#include "engine/compile.hpp"
#include "engine/session/state/offer.hpp"
#include "engine/symbolic/elimination.hpp"
#include "engine/text/recent.hpp"

namespace trellis::session {

/// One schedule of a kernel, carried out: a compilation, or why there is none.
struct Attempt {
  lang::Schedule schedule;
  std::set<std::string> inherited;                 ///< Kernel::inherited
  std::shared_ptr<const Compilation> compilation;  ///< null: `said` has the errors
  text::Diagnostics said = {};
  Offer offer = {};
};

/// A kernel without its schedule, and all that was found out about it. An analysis is null when the definitions are
/// wrong, and of loop programs.
class CompiledKernel {
 public:
  CompiledKernel(lang::Program part, lang::Kernel kernel) : part_(std::move(part)), kernel_(std::move(kernel)) {}

  const lang::Program& part() const { return part_; }
  bool made_from(const lang::Program& part, const lang::Kernel& kernel) const;
  Attempt* attempt(const lang::Schedule& schedule, const std::set<std::string>& inherited);
  Attempt& add(Attempt attempt) { return attempts_.add(std::move(attempt)); }

  bool analysed = false;
  text::Diagnostics said = {};  ///< by the analysis
  std::shared_ptr<const place::Analysis> analysis;
  bool recognised = false;  ///< it was looked whether it is an elimination
  std::shared_ptr<const symbolic::Elimination> elimination;
  std::shared_ptr<const place::Analysis> tiled;  ///< the same, with the tiles of the last order that has some
  text::Recent<std::shared_ptr<const place::Analysis>> by_inheritance{8};  ///< the same, with what the kernel inherits

 private:
  lang::Program part_;
  lang::Kernel kernel_;
  text::Recent<Attempt> attempts_{32};
};

class CompiledKernels {
 public:
  /// Of that kernel of the program, new if it is not known.
  std::shared_ptr<CompiledKernel> of(const lang::Program& program, const lang::Kernel& kernel);
  /// Null when it is not known.
  std::shared_ptr<const CompiledKernel> known(const lang::Program& program, const lang::Kernel& kernel) const;
  std::size_t size() const { return kernels_.size(); }

 private:
  text::Recent<std::shared_ptr<CompiledKernel>> kernels_{48};
};

}  // namespace trellis::session
