#pragma once
// What a session made of its program and is likely to be asked for again: printed forms of kernels, by which they are
// known, their compilations, machine code.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/cost/degrees.hpp"
#include "engine/distribute/row_graph.hpp"
#include "engine/lang/program.hpp"
#include "engine/lazy/stats.hpp"
#include "engine/plan/made.hpp"
#include "engine/run/background.hpp"
#include "engine/run/kernel.hpp"
#include "engine/session/state/compiled.hpp"
#include "engine/session/state/shared_text.hpp"
#include "engine/text/recent.hpp"

namespace trellis::session {

/// What a kernel without an order runs as, with data like the present.
struct Plan {
  std::shared_ptr<const Compilation> written;  ///< what its equations were compiled to as they stand
  std::string data;                            ///< sizes, formats, magnitudes of entries
  std::shared_ptr<const Compilation> chosen;
  double cycles_written = 0, cycles = 0;  ///< estimated, of either
  bool split = false, rounds = false;     ///< products are computed in steps; which associates them anew
  std::vector<plan::Within> within = {};  ///< what has to hold of index tensors
  bool lists = true;                      ///< may be walked
  struct Way {
    std::string what;                   ///< in words
    double cycles = 0, laying_out = 0;  ///< estimated; the second is a part of the first
  };
  std::vector<Way> ways = {};  ///< that were looked at: the chosen one, then the others, the least first
  std::shared_ptr<const Compilation> second = {};  ///< of those
};

/// Whether an index tensor's values are at least 0 and below a size.
struct KnownRange {
  tensor::Tensor of;  ///< as it was
  std::optional<std::int64_t> size;
  bool within = false;
};

/// How many entries a tensor has at each coordinate of each dimension.
struct KnownDegrees {
  tensor::Tensor of;  ///< as it was
  std::shared_ptr<const lazy::Counted> counted;
};

/// What each rank runs of a kernel.
struct KnownRank {
  std::shared_ptr<const Compilation> whole, of_rank;
};

class Caches {
 public:
  /// What the kernel computes, as text: equal whatever the formats are and whatever else the schedule says.
  SharedText meaning_of(const lang::Program& program, const lang::Kernel& kernel) const;
  /// What it computes and the formats that it computes it in: of equal ones a run is a run.
  SharedText definition_of(const lang::Program& program, const lang::Kernel& kernel) const;
  std::shared_ptr<CompiledKernel> compiled(const lang::Program& program, const lang::Kernel& kernel);
  /// The same where it is there already, else null.
  std::shared_ptr<const CompiledKernel> known(const lang::Program& program, const lang::Kernel& kernel) const {
    return compiled_.known(program, kernel);
  }
  /// The program is another one.
  void forget_program() { known_.clear(); }

  text::Recent<run::Kernel> machine_code{64};
  /// The native back end beside the session; trials of other schedules share it.
  std::shared_ptr<run::Background> beside = std::make_shared<run::Background>();
  text::Recent<Plan> plans{32};
  text::Recent<KnownRange> ranges{16};
  mutable text::Recent<KnownDegrees> degrees{16};
  mutable text::Recent<distribute::RowGraph> rows{8};  ///< that ranks are cut by, or that lead to what they want
  text::Recent<KnownRank> of_ranks{8};
  std::shared_ptr<cost::Degrees> counted = std::make_shared<cost::Degrees>();

 private:
  /// What is known of a kernel of the program as it stands; also of copies of it, whatever their schedules.
  struct Known {
    SharedText meaning, definition;
    std::shared_ptr<CompiledKernel> compiled;
  };
  /// Null for a kernel that the program has in another form.
  Known* find(const lang::Program& program, const lang::Kernel& kernel) const;

  mutable std::map<std::string, Known> known_;  ///< by kernel of the program as it stands
  CompiledKernels compiled_;
};

}  // namespace trellis::session
