#pragma once
// The one state that all commands work on: what was declared, which tensors are in memory, what each kernel was compiled to.
// Derived values (program, analyses, compilations, machine code) are cached by content and made when first asked for.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/check/reference.hpp"
#include "engine/compile.hpp"
#include "engine/lang/program.hpp"
#include "engine/lang/syntax.hpp"
#include "engine/run/kernel.hpp"
#include "engine/session/actions.hpp"
#include "engine/session/compiled.hpp"
#include "engine/session/selection.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/cancel.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::session {

enum class Exit;  // reply.hpp

struct Options {
  lang::Overrides parameters;                 ///< -D: over what `param` says
  std::map<std::string, lang::Order> orders;  ///< --set: by kernel; "" means every kernel that has these loops
  run::Backend backend = run::Backend::jit;
  run::Limits limits;
  std::size_t data_limit = 0;  ///< bytes that one tensor may take; 0: half of the machine's memory
  std::string folder;          ///< --safe: files are read and written beneath it; empty: anywhere
};

/// How far long work is.
struct Progress {
  std::string what;                 ///< "timing order"
  std::int64_t number = 0, of = 0;  ///< the one that has begun, from 1, of so many; 0: it is the only one
  std::string which;                ///< "i k j"
  bool operator==(const Progress&) const = default;
};
/// `timing order 2 of 6: i k j`.
std::string to_string(const Progress& progress);

/// What a kernel found and left when it ran.
struct FinishedRun {
  std::string kernel;
  check::State before;
  std::map<std::string, SharedText> makers;  ///< of its results, as far as they held something before: see State::put
  std::map<std::string, tensor::Tensor> after;
  std::vector<std::string> reassociated = {};  ///< sums: see explore::reassociated_sums
  /// Elements differ by much where values cancel and sums are added up in another order.
  check::By checked_by() const { return reassociated.empty() ? check::By::elements : check::By::equations; }
};
/// The last one of each kernel, by its definition.
using FinishedRuns = std::map<SharedText, std::shared_ptr<const FinishedRun>>;

/// Everything that commands change: what `undo` puts back. Tensors are shared, never copied: none is changed in place.
struct Content {
  lang::syntax::File declared;
  std::map<std::string, format::Value> sizes;  ///< that data brought along
  std::map<std::string, tensor::Tensor> tensors;
  std::map<std::string, SharedText> makers;   ///< of tensors that hold something: see State::put
  std::map<std::string, lang::Order> orders;  ///< of the command line
  Offer offer;
  int last_action = Actions::none;  ///< of State::actions
  int lesson = 0;                   ///< of the tutorial; 0: none
  FinishedRuns runs = {};
};

class History;
struct Cursor;
struct OrdersListed;
struct Learnt;
struct Quiz;

/// Whether each name of the order is an index of the kernel.
bool has_loops(const lang::Kernel& kernel, const lang::Order& order);

class State {
 public:
  explicit State(Options chosen);

  text::Cancel cancel;  ///< of this session alone: what its commands do now should end
  Options options;
  text::Sources sources;
  Offer offer;  ///< of the last error, for `fix N`
  std::shared_ptr<History> history;
  std::shared_ptr<Cursor> cursor;  ///< in what is replayed
  Selection selection;             ///< what everyone looks at
  Actions actions;                 ///< of this session, those that were undone as well
  std::shared_ptr<Learnt> learnt;  ///< of the tutorial
  std::shared_ptr<Quiz> quiz;
  int lesson = 0;  ///< of the tutorial that the content belongs to; 0: none
  /// At a prompt: what is defined again takes the place of what was.
  bool replaces = false;
  /// Called now and then during long work, on the thread that works. May be empty.
  std::function<void(const Progress&)> progress;
  void tell(const Progress& how_far) const {
    if (progress) progress(how_far);
  }
  /// Called while `orders time` fills its table, with what there is of it so far. May be empty.
  std::function<void(const OrdersListed&)> filling;

  Content content() const {
    return {file_, sizes_, tensors_, makers_, options.orders, offer, last_action_, lesson, finished_};
  }
  void restore(Content content);
  /// A command has made tensors what they are now.
  void acted(const lang::syntax::Statement& statement);
  int last_action() const { return last_action_; }
  /// What the kernels compute as they are now, with the tensors that they use, by name; of one alone when one has that name.
  /// Empty when the program is wrong.
  std::map<std::string, SharedText> meanings(const std::string& kernel = "");
  /// Goes up with every change of the content.
  std::uint64_t version() const { return version_; }

  /// Where a name in a statement points to; empty, which is reported, when the program may not go there (Options::folder).
  std::optional<std::string> path_of(const lang::syntax::Name& name, text::Diagnostics& diagnostics) const;

  // ---- what was declared ----
  /// True if the statement has taken the place of another one (only with `replaces`).
  bool add(const lang::syntax::Statement& statement);
  const lang::syntax::File& declared() const { return file_; }
  /// Puts a fix, which is about what stands `at`, where `edit_for` puts it into a text: into the block of that kernel;
  /// outside of any block when there is none, which is where `main` usually stands.
  void mend(const std::string& kernel, const lang::syntax::Statement& statement, text::Span at = {});
  /// The source of schedule commands that are tried out; the same commands have the same one.
  int tried_source(const std::string& commands);
  /// Whether something is said for the first time: what is worth saying once in a session.
  bool first_time(const std::string& what) { return announced_.insert(what).second; }
  /// Declares this in place of all that was. False: it is wrong, which is reported, and everything is as before.
  bool become(lang::syntax::File declared, text::Diagnostics& diagnostics);
  /// Takes the last statement back that was added.
  void withdraw();
  /// From here on the program has one kernel more, its last: what the expression is, at the sizes that there are now.
  /// For a copy of the state that is thrown away.
  void ask_for(lang::syntax::Expr value);
  /// The program as it stands; null when it has errors, which go to `diagnostics` (so do announcements, once each).
  const lang::Program* program(text::Diagnostics& diagnostics);
  /// A kernel by name; without one `main`, else the only kernel, else the last. Null is reported.
  const lang::Kernel* kernel(const std::optional<lang::syntax::Name>& name, text::Span at,
                             text::Diagnostics& diagnostics);

  // ---- what was compiled ----
  std::shared_ptr<const place::Analysis> analysis(const lang::Kernel& kernel, text::Diagnostics& diagnostics);
  /// What `analysis` has found already, else null.
  std::shared_ptr<const place::Analysis> known_analysis(const lang::Kernel& kernel) const;
  /// Of a kernel that computes a pattern: the factorisation that it is of; null when it is of none.
  std::shared_ptr<const symbolic::Elimination> elimination(const lang::Kernel& kernel);
  /// Null when the order is illegal or something else is wrong; the reason is in `diagnostics`.
  std::shared_ptr<const Compilation> compilation(const lang::Kernel& kernel, text::Diagnostics& diagnostics);
  /// All that was said of the kernel when it was compiled as it is now, however long ago: `compilation` warns once.
  text::Diagnostics said_of(const lang::Kernel& kernel);
  /// What `order` finds of a loop program: its loops before any schedule command. Null is reported.
  std::shared_ptr<const Compilation> unscheduled(const lang::Kernel& kernel, text::Diagnostics& diagnostics);
  /// The order that the kernel runs in: given, or chosen by the compiler (or its variables, when nothing is legal).
  lang::Order order_of(const lang::Kernel& kernel, const place::Analysis& analysis) const;
  /// Null is reported; `exit` tells a compiler that took too long.
  const run::Kernel* machine_code(const Compilation&, run::Backend, text::Diagnostics&, Exit& exit);

  // ---- what is in memory ----
  std::optional<format::Value> parameter(const std::string& name) const;
  /// Of a size now; empty when a name in it has no value.
  std::optional<std::int64_t> value_of(const math::Affine& size) const;
  /// Is the value what the declaration promises of it? E0416 where it is not.
  bool keeps_promises(const lang::TensorInfo& info, const tensor::Tensor& value, text::Span at,
                      text::Diagnostics& diagnostics) const;
  /// The same of what the tensor is now, which is looked at once.
  bool keeps_promises(const lang::TensorInfo& info, text::Span at, text::Diagnostics& diagnostics);
  /// Makes `name` equal to `value` if it has no value; false if it has another.
  bool bind(const std::string& name, std::int64_t value);
  /// Sizes that data in memory brought along.
  using Sizes = std::map<std::string, format::Value>;
  const Sizes& bound_sizes() const { return sizes_; }
  void restore(Sizes sizes) { sizes_ = std::move(sizes); }
  /// Reports at `at` that `what` needs a size that has no value, and offers to give it one.
  void report_unknown_size(const std::string& size, const std::string& what, text::Span at,
                           text::Diagnostics& diagnostics);
  /// The sizes of a tensor now; a size without a value is reported at `at`.
  std::optional<tensor::Index> shape_of(const lang::TensorInfo& tensor, text::Span at, text::Diagnostics& diagnostics);
  /// The tensor in memory in its declared format, made of fills when it is not there yet. Null is reported: E0625 when
  /// it is empty.
  const tensor::Tensor* tensor(const lang::TensorInfo& info, text::Span at, text::Diagnostics& diagnostics);
  /// The tensor that this one is derived from (TensorInfo::entries_of); "" when it is not.
  std::string base_of(const std::string& name) const {
    const lang::TensorInfo* info = program_ ? program_->tensor(name) : nullptr;
    return info ? info->entries_of : "";
  }
  /// Of a derived tensor: whether what it was then would be the same now.
  bool derived_the_same(const std::string& name, const tensor::Tensor& then) const;
  /// Whether it was loaded, filled or computed.
  bool has(const std::string& name) const { return makers_.contains(name); }
  /// What filled the tensor (load, random, fill_with), when its shape, type or fill has become another one since. Such
  /// a tensor is empty: `tensor` refuses it.
  std::optional<lang::syntax::Statement> outgrown(const lang::TensorInfo& info) const;
  /// What is in memory by that name, whatever is declared now; else null.
  const tensor::Tensor* held(const std::string& name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() || !found->second ? nullptr : &found->second;
  }
  /// `maker`: the meaning of the kernel that made all of it out of fills, so that running that kernel again begins with fills
  /// again; empty when there is none.
  void put(const std::string& name, tensor::Tensor value, SharedText maker = {});
  /// Of those tensors that hold something.
  std::map<std::string, SharedText> makers(const std::vector<std::string>& tensors) const;
  /// Commands by the tensor that they fill, as they replay.
  using Fills = std::map<std::string, std::string>;
  /// Whether the tensor was filled by that command, and fits it still; a kernel may have gone on from there.
  bool filled_by(const std::string& tensor, const std::string& command) const;
  /// Drops tensors and runs that the program no longer makes. `before`: what the text filled until now; `wanted`: what
  /// it fills.
  void keep_what_stands(const Fills& before, const Fills& wanted);
  /// The same elements as before, in other storage: who made them stays who made them.
  void store_anew(const std::string& name, tensor::Tensor value);
  std::map<std::string, format::Promises> kept_;  ///< of tensors as they are now, those that were looked at
  /// The kernel as it is compiled now: it inherits what its results hold, as far as it did not make that itself.
  lang::Kernel with_inheritance(const lang::Kernel& kernel) const;
  /// What the kernel computes, as text: equal whatever the formats are and whatever else the schedule says.
  SharedText meaning_of(const lang::Kernel& kernel) const;
  /// A new tensor of fills with the declared type and format, within the limit of memory. Empty is reported.
  std::optional<tensor::Tensor> create(const lang::TensorInfo& info, const tensor::Index& shape, text::Span at,
                                       text::Diagnostics& diagnostics);
  std::size_t data_limit() const;

  // ---- what ran ----
  /// What `check` compares, whatever happened to the tensors since.
  void finish(const lang::Kernel& kernel, FinishedRun run);
  /// Null when the kernel, as it is defined now and with the present values of parameters, did not run.
  const FinishedRun* finished(const lang::Kernel& kernel) const;
  bool ever_ran(const std::string& kernel) const;  ///< whatever its definition was
  bool any_ran() const { return !finished_.empty(); }
  /// The last run of a kernel that left the tensor as it is; null when it is loaded, filled, laid out anew, or not
  /// there.
  const FinishedRun* run_that_left(const std::string& tensor) const;
  /// Makes the kernel's results what its last run found, before it and those behind it ran: a kernel that starts from
  /// what a tensor holds does not start from its own result.
  void rewind(const lang::Kernel& kernel);

 private:
  bool holds_as_declared(const lang::TensorInfo& info) const;
  void drop(const std::string& tensor);
  const tensor::Tensor* entries(const lang::TensorInfo& info, text::Span at, text::Diagnostics& diagnostics);
  void forget_sizes_of_data();
  /// Carries a schedule out, and explains what stands in its way.
  Attempt attempted(const lang::Kernel& kernel, const std::shared_ptr<const place::Analysis>& analysis);
  std::optional<tensor::Tensor> lay_out(const tensor::Tensor& value, const lang::TensorInfo& info, text::Span at,
                                        text::Diagnostics& diagnostics);
  void apply_chosen_orders();
  void place_chosen_order(const std::string& scope, lang::Schedule& schedule);
  void widen_levels();
  void explain_refused_order(const lang::Kernel& kernel, Attempt& attempt);
  /// What it computes and the formats that it computes it in: of equal ones a run is a run.
  SharedText definition_key(const lang::Kernel& kernel) const;
  /// What is known of a kernel of the program as it stands; also of copies of it, whatever their schedules.
  struct Known {
    SharedText meaning, definition;
    std::shared_ptr<CompiledKernel> compiled;
  };
  /// Null for a kernel that the program has in another form.
  Known* known(const lang::Kernel& kernel) const;
  std::shared_ptr<CompiledKernel> compiled(const lang::Kernel& kernel);
  std::string printed_meaning(const lang::Kernel& kernel) const;
  std::string printed_definition(const lang::Kernel& kernel) const;

  lang::syntax::File file_;
  std::optional<lang::syntax::Expr> asked_;  ///< the expression of `ask_for`
  std::uint64_t version_ = 0;
  bool stale_ = true;
  std::optional<lang::Program> program_;
  text::Diagnostics program_diagnostics_;
  bool announced_all_ = false;  ///< that the program as it stands has to announce
  std::set<std::string> announced_;
  mutable std::map<std::string, Known> known_;  ///< by kernel of the program as it stands
  std::map<std::string, int> tried_;
  std::map<std::string, int> written_orders_;  ///< sources that hold the orders of the command line
  CompiledKernels compiled_;
  text::Recent<run::Kernel> machine_code_{64};
  Sizes sizes_;
  FinishedRuns finished_;
  std::map<std::string, tensor::Tensor> tensors_;
  /// What a tensor stores, as a pattern, and in which layout it was asked for.
  struct Derived {
    tensor::Tensor value;
    tensor::Tensor of;  ///< the entries that it was made from
  };
  std::map<std::string, Derived> derived_;
  std::map<std::string, SharedText> makers_;
  int last_action_ = Actions::none;
};

}  // namespace trellis::session
