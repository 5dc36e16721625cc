#pragma once
// The one state that all commands work on, in five parts: what was declared, which tensors are in memory, what ran,
// what was compiled, and where whoever uses it is. What needs several of them stands here. Derived values (program,
// analyses, compilations, machine code) are cached by content and made when first asked for.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/compile.hpp"
#include "engine/session/reply/exit.hpp"
#include "engine/session/state/actions.hpp"
#include "engine/session/state/caches.hpp"
#include "engine/session/state/content.hpp"
#include "engine/session/state/data.hpp"
#include "engine/session/state/declarations.hpp"
#include "engine/session/state/focus.hpp"
#include "engine/session/state/history.hpp"
#include "engine/session/state/options.hpp"
#include "engine/session/state/runs.hpp"
#include "engine/text/cancel.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::session {

/// How far long work is.
struct Progress {
  std::string what;                 ///< "timing order"
  std::int64_t number = 0, of = 0;  ///< the one that has begun, from 1, of so many; 0: it is the only one
  std::string which;                ///< "i k j"
  bool operator==(const Progress&) const = default;
};
/// `timing order 2 of 6: i k j`.
std::string to_string(const Progress& progress);

struct OrdersListed;

class State {
 public:
  explicit State(Options chosen);

  text::Cancel cancel;  ///< of this session alone: what its commands do now should end
  Options options;
  text::Sources sources;

  Declarations declarations;
  Data data;
  Runs runs;
  Caches caches;
  Focus focus;

  Offer offer;  ///< of the last error, for `fix N`
  std::shared_ptr<History> history;
  Actions actions;  ///< of this session, those that were undone as well
  int lesson = 0;   ///< of the tutorial that the content belongs to; 0: none
  /// At a prompt: what is defined again takes the place of what was.
  bool replaces = false;
  /// Called now and then during long work, on the thread that works. May be empty.
  std::function<void(const Progress&)> progress;
  void tell(const Progress& how_far) const {
    if (progress) progress(how_far);
  }
  /// Called while `orders time` fills its table, with what there is of it so far. May be empty.
  std::function<void(const OrdersListed&)> filling;

  // ---- the content, and the way back ----
  Content content() const;
  void restore(Content content);
  /// Goes up with every change of the content.
  std::uint64_t version() const { return declarations.version() + data.version(); }
  /// A command has made tensors what they are now.
  void acted(const lang::syntax::Statement& statement);
  int last_action() const { return last_action_; }

  // ---- what was declared ----
  /// True if the statement has taken the place of another one (only with `replaces`).
  bool add(const lang::syntax::Statement& statement);
  /// Declares this in place of all that was. False: it is wrong, which is reported, and everything is as before.
  bool become(lang::syntax::File declared, text::Diagnostics& diagnostics);
  /// Whether the program has no errors; nothing is said of it.
  bool is_right();
  /// The program as it stands; null when it has errors, which go to `diagnostics` (so do announcements, once each).
  const lang::Program* program(text::Diagnostics& diagnostics);
  /// A kernel by name; without one `main`, else the only kernel, else the last. Null is reported.
  const lang::Kernel* kernel(const std::optional<lang::syntax::Name>& name, text::Span at,
                             text::Diagnostics& diagnostics);
  /// What the kernel computes, as text: see Caches.
  SharedText meaning_of(const lang::Kernel& kernel) const { return caches.meaning_of(*declarations.program(), kernel); }

  // ---- what was compiled ----
  /// With the tiles of its order, if it has some.
  std::shared_ptr<const place::Analysis> analysis(const lang::Kernel& kernel, text::Diagnostics& diagnostics);
  /// Of a kernel that computes a pattern: the factorisation that it is of; null when it is of none.
  std::shared_ptr<const symbolic::Elimination> elimination(const lang::Kernel& kernel);
  /// Null when the order is illegal or something else is wrong; the reason is in `diagnostics`.
  std::shared_ptr<const Compilation> compilation(const lang::Kernel& kernel, text::Diagnostics& diagnostics);
  /// All that was said of the kernel when it was compiled as it is now, however long ago: `compilation` warns once.
  text::Diagnostics said_of(const lang::Kernel& kernel);
  /// What `order` finds of a loop program: its loops before any schedule command. Null is reported.
  std::shared_ptr<const Compilation> unscheduled(const lang::Kernel& kernel, text::Diagnostics& diagnostics);
  /// Null is reported; `exit` tells a compiler that took too long.
  const run::Kernel* machine_code(const Compilation&, run::Backend, text::Diagnostics&, Exit& exit);

  // ---- what is in memory ----
  std::optional<format::Value> parameter(const std::string& name) const {
    return declarations.parameter(name, data.sizes());
  }
  /// Of a size now; empty when a name in it has no value.
  std::optional<std::int64_t> value_of(const math::Affine& size) const {
    return declarations.value_of(size, data.sizes());
  }
  /// Makes `name` equal to `value` if it has no value; false if it has another.
  bool bind(const std::string& name, std::int64_t value);
  /// The sizes of a tensor now; a size without a value is reported at `at`.
  std::optional<tensor::Index> shape_of(const lang::TensorInfo& tensor, text::Span at, text::Diagnostics& diagnostics);
  /// The tensor in memory in its declared format, made of fills when it is not there yet. Null is reported: E0625 when
  /// it is empty.
  const tensor::Tensor* tensor(const lang::TensorInfo& info, text::Span at, text::Diagnostics& diagnostics);
  /// A new tensor of fills with the declared type and format, within the limit of memory. Empty is reported.
  std::optional<tensor::Tensor> create(const lang::TensorInfo& info, const tensor::Index& shape, text::Span at,
                                       text::Diagnostics& diagnostics) const;
  std::size_t data_limit() const;
  /// Of those in memory.
  std::size_t memory_limit() const;
  /// The tensor that this one is derived from (TensorInfo::entries_of); "" when it is not.
  std::string base_of(const std::string& name) const;
  /// What filled the tensor (load, random, fill_with), when its shape, type or fill has become another one since. Such
  /// a tensor is empty: `tensor` refuses it.
  std::optional<lang::syntax::Statement> outgrown(const lang::TensorInfo& info) const;
  /// Whether it holds something of the declared type, fill and shape.
  bool holds_as_declared(const lang::TensorInfo& info) const;
  /// Is the value what the declaration promises of it? E0416 where it is not.
  bool keeps_promises(const lang::TensorInfo& info, const tensor::Tensor& value, text::Span at,
                      text::Diagnostics& diagnostics) const;
  /// The same of what the tensor is now, which is looked at once.
  bool keeps_promises(const lang::TensorInfo& info, text::Span at, text::Diagnostics& diagnostics);

  // ---- what ran ----
  /// The kernel as it is compiled now: it inherits what its results hold, as far as it did not make that itself.
  lang::Kernel with_inheritance(const lang::Kernel& kernel) const;
  void finish(const lang::Kernel& kernel, FinishedRun run);
  /// Null when the kernel, as it is defined now and with the present values of parameters, did not run.
  const FinishedRun* finished(const lang::Kernel& kernel) const;
  /// The last run of a kernel that left the tensor as it is; null when it is loaded, filled, laid out anew, or not
  /// there.
  const FinishedRun* run_that_left(const std::string& tensor) const;

 private:
  std::shared_ptr<const place::Analysis> untiled_analysis(const lang::Kernel& kernel, text::Diagnostics& diagnostics);
  /// Carries a schedule out, and explains what stands in its way.
  Attempt attempted(const lang::Kernel& kernel, const std::shared_ptr<const place::Analysis>& analysis);
  void offer_tiles(const lang::Kernel& kernel, Attempt& attempt);
  void explain_refused_order(const lang::Kernel& kernel, Attempt& attempt);

  int last_action_ = Actions::none;
};

/// Where a name in a statement points to; empty, which is reported, when the program may not go there
/// (Options::folder).
std::optional<std::string> path_of(const State& state, const lang::syntax::Name& name, text::Diagnostics& diagnostics);
/// The order that the kernel runs in: given, or chosen by the compiler (or its variables, when nothing is legal).
lang::Order order_of(const lang::Kernel& kernel, const place::Analysis& analysis);
/// What the kernels compute as they are now, with the tensors that they use, by name; of one alone when one has that
/// name. Empty when the program is wrong.
std::map<std::string, SharedText> meanings(State& state, const std::string& kernel = "");
/// Makes the kernel's results what its last run found, before it and those behind it ran: a kernel that starts from
/// what a tensor holds does not start from its own result.
void rewind(State& state, const lang::Kernel& kernel);
/// Reports at `at` that `what` needs a size that has no value, and offers to give it one.
void report_unknown_size(State& state, const std::string& size, const std::string& what, text::Span at,
                         text::Diagnostics& diagnostics);

/// Commands by the tensor that they fill, as they replay.
using Fills = std::map<std::string, std::string>;
/// Whether the tensor was filled by that command, and fits it still; a kernel may have gone on from there.
bool filled_by(const State& state, const std::string& tensor, const std::string& command);
/// Drops tensors and runs that the program no longer makes. `before`: what the text filled until now; `wanted`: what it
/// fills.
void keep_what_stands(State& state, const Fills& before, const Fills& wanted);

}  // namespace trellis::session
