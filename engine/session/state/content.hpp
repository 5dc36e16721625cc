#pragma once
// What a session holds at one moment: what was declared, what is in memory, what ran.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/check/reference.hpp"
#include "engine/lang/syntax.hpp"
#include "engine/run/kernel.hpp"
#include "engine/session/state/actions.hpp"
#include "engine/session/state/data.hpp"
#include "engine/session/state/offer.hpp"
#include "engine/session/state/shared_text.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/shared.hpp"

namespace trellis::view {
struct RankLanes;
}

namespace trellis::session {

/// How long a run took, by what; 0: nobody measured it.
struct Took {
  double ms = 0;
  run::Backend backend = run::Backend::jit;
  std::shared_ptr<const view::RankLanes> lanes = {};  ///< of a run on ranks; null: it was none, or they ran in step
};

/// What a kernel found and left when it ran.
struct FinishedRun {
  std::string kernel;
  check::State before;
  std::map<std::string, SharedText> makers;  ///< of its results, as far as they held something before: see State::put
  std::map<std::string, tensor::Tensor> after;
  Took took = {};
  std::vector<std::string> reassociated = {};  ///< sums: see explore::reassociated_sums
  /// Elements differ by much where values cancel and sums are added up in another order.
  check::By checked_by() const { return reassociated.empty() ? check::By::elements : check::By::equations; }
};
/// The last one of each kernel, by its definition.
using FinishedRuns = std::map<SharedText, std::shared_ptr<const FinishedRun>>;

/// Everything that commands change: what `undo` puts back. It is taken before each statement, so what grows with the
/// session is shared with it until a statement changes that. Tensors are never copied: none is changed in place.
struct Content {
  text::Shared<lang::syntax::File> declared;
  std::map<std::string, format::Value> sizes;  ///< that data brought along
  text::Shared<Tensors> tensors;
  text::Shared<Makers> makers;                ///< of tensors that hold something: see State::put
  std::map<std::string, lang::Order> orders;  ///< of the command line
  Offer offer;
  int last_action = Actions::none;  ///< of State::actions
  int lesson = 0;                   ///< of the tutorial; 0: none
  FinishedRuns runs = {};
};

}  // namespace trellis::session
