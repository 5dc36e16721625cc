#pragma once
// What a command answers: a typed, immutable value. Terminal, JSON and later windows render the same one.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/check/reference.hpp"
#include "engine/coiterate/print_lattice.hpp"
#include "engine/compile.hpp"
#include "engine/explore/orders.hpp"
#include "engine/explore/suggest.hpp"
#include "engine/explore/why.hpp"
#include "engine/lazy/why.hpp"
#include "engine/place/core.hpp"
#include "engine/run/roof.hpp"
#include "engine/run/timing.hpp"
#include "engine/session/replay/cursor.hpp"
#include "engine/session/reply/exit.hpp"
#include "engine/session/running/plan_choice.hpp"
#include "engine/session/stages/flow_passes.hpp"
#include "engine/session/stages/formats.hpp"
#include "engine/session/state/selection.hpp"
#include "engine/text/diagnostic.hpp"
#include "engine/text/fit.hpp"
#include "engine/text/text.hpp"
#include "engine/view/growth.hpp"
#include "engine/view/ranks_picture.hpp"

namespace trellis::session {

/// A statement that is no command, and succeeded.
struct Accepted {};

/// quit, exit: nothing behind it is carried out.
struct Left {};

/// clear: what stands on the screen may go.
struct Cleared {};

struct Loaded {
  std::string tensor;
  tensor::Index shape;
  std::int64_t entries = 0;   ///< as the file or the generator gave them
  bool as_truths = false;     ///< values other than 0 and 1 became true
  bool in_file = false;       ///< too large to be read: its elements stay in the file
  std::string declared = {};  ///< "tensor A(n, m): csr", when this statement has declared it
};

/// Stored entries that held the fill are gone.
struct Pruned {
  std::string tensor;
  std::int64_t before = 0, after = 0;  ///< entries
};

struct Ran {
  /// What became of the steps of a kernel with `until`.
  struct Steps {
    enum class End { met, not_met, diverged } end = End::not_met;
    std::int64_t taken = 0, most = 0;
    std::string place = {};  ///< diverged: "x(0) is nan"
  };
  struct Kernel {
    std::string kernel;
    run::Backend backend;
    lang::Order order;
    bool order_chosen = false;
    double compile_ms = 0;  ///< C to machine code
    double run_ms = 0;
    StageTimes stages;  ///< source text to C
    std::vector<std::string> results;
    std::string how = {};  ///< without code of its own: "by the elimination tree"
    std::optional<Steps> steps = {};
    std::string why = {};  ///< that back end, where nobody named one: BackEnd::why
  };
  std::vector<Kernel> kernels;
};

struct Checked {
  struct Kernel {
    std::string kernel;
    check::Report report;
    std::vector<std::string> reassociated =
        {};  ///< sums that are added up in another order: explore::reassociated_sums
  };
  std::vector<Kernel> kernels;
  double max_rel_error() const;
  bool sampled() const;
  const check::Difference* first_difference() const;
};

struct Shown {
  std::string stage;
  std::string kernel;
  text::Text text;
  std::shared_ptr<const place::Analysis> analysis;      ///< stage graph and placement
  std::vector<place::Event> events;                     ///< stage placement
  std::optional<place::Certificate> certificate;        ///< stage placement, when legal
  std::shared_ptr<const Compilation> compilation = {};  ///< stages algebra and lattice: what the lattices are of
  std::vector<coiterate::NumberedLattice> lattices = {};
  text::Text nest = {};                   ///< stage placement, when legal: the loops alone
  std::vector<std::string> remarks = {};  ///< stages flow and c, by line: how what is looked up there is found
  std::map<int, double> cost = {};        ///< stages loops and cost: session::cost_shares
  std::vector<PassShown> passes = {};     ///< `show flow each`
  std::shared_ptr<const view::RanksPicture> ranks = {};  ///< stage ranks, of so many; null: of any number
};

struct Timed {
  struct Backend {
    run::Backend backend;
    run::Timing timing;
  };
  struct Kernel {
    std::string kernel;
    lang::Order order;
    std::size_t bytes = 0;        ///< of operands and results, each once
    std::optional<double> flops;  ///< of one run
    std::vector<Backend> backends;
    int threads = 1;
    std::optional<run::Roof> roof;  ///< of this machine, on that many threads
  };
  std::vector<Kernel> kernels;
};
/// Of one run with the median time; empty when it is not known how much it does.
double gb_per_s(const Timed::Kernel& kernel, const run::Timing& timing);
std::optional<double> gflop_per_s(const Timed::Kernel& kernel, const run::Timing& timing);

/// count: what a kernel does on its data, at one size or at several.
struct Counted {
  struct Row {
    std::int64_t value = 0;                  ///< of the size
    std::int64_t steps = 0, operations = 0;  ///< explore::StepCount
    std::int64_t entries = 0;                ///< that the results store
    double elements = 0;                     ///< that they have
  };
  std::string kernel;
  std::string size;  ///< "": at that of now, in one row
  std::vector<Row> rows;
  std::string path;  ///< of the picture, when there is one
};
/// Steps, operations, entries and all elements over the size.
view::Growth growth_of(const Counted& counted);

struct OrdersListed {
  std::string kernel;
  explore::OrderTable table;               ///< the fastest first, then those that are illegal, nearest first
  std::optional<run::Backend> timed;       ///< that the medians are of
  std::optional<std::size_t> filled = {};  ///< while it is being filled: so many rows from the top
  bool stopped = false;                    ///< before every legal order was measured
  /// Loops that were written with each in the other somewhere, so that the program stands in none of these orders.
  std::optional<std::pair<std::string, std::string>> both_ways = {};
  lang::Order present = {};  ///< in force
};

/// `fix N` applies the N-th one.
struct Suggested {
  std::string kernel;
  lang::Order order;
  double cycles = 0;  ///< as it runs now: cost::estimate_cycles
  std::vector<explore::Suggestion> suggestions;
  bool planned = false;  ///< it runs otherwise than in that order: see PlanChoice
  /// tune: what was measured.
  struct Tuned {
    std::string backend;
    double now_ms = 0;                      ///< as it stood
    std::vector<std::optional<double>> ms;  ///< with each suggestion; empty: it cannot run as it stands
    std::optional<std::size_t> kept;        ///< the number of the one that the kernel has now, from 1
  };
  std::optional<Tuned> tuned = {};
  /// Of the best there is: what all are shown as multiples of.
  double least() const;
};

/// plan: what a kernel runs as, and what lazy arrays would make of its equations.
struct PlanShown {
  std::string kernel;
  bool reasons = false;  ///< the runner-up as well, and what would change the choice
  PlanChoice choice;
  std::optional<lazy::Why> why;       ///< empty: its equations are no queries
  std::string no_query;               ///< why not
  std::vector<std::string> unfilled;  ///< sparse operands without data, which count as full
};

struct WhyAnswered {
  explore::Why why;
  text::Diagnostic diagnostic;  ///< when illegal: the same as an error to read
};

struct CoreFound {
  std::string kernel;
  lang::Order order;
  bool legal = false;
  std::vector<place::CoreDependence> core;
  struct Read {
    std::string text;  ///< as the user wrote it
    int line = 0, written_line = 0;
  };
  std::vector<Read> reads;  ///< of each dependence
};

struct Differed {
  struct Side {
    std::string name;
    double cycles = 0;  ///< cost::estimate_cycles; 0 when there is nothing to do
  };
  std::string stage;
  Side left, right;
  std::string diff;  ///< unified; empty when nothing differs
};

/// `order i j`, `fix 1`: what the schedule is now.
struct Scheduled {
  std::string command;
  std::string kernel;  ///< "" when it is about the whole program
};

/// print, and an expression alone.
struct Printed {
  std::string tensor;  ///< "" when it is another expression
  tensor::Tensor value;
  std::string expression = {};
  /// How much of a large one is printed: what has room where people look and all of it elsewhere; all of it, as
  /// `print A whole` asks; or its summary, of a result that nobody asked for by name.
  enum class Extent { as_seen, whole, summary } extent = Extent::as_seen;
};

struct Saved {
  std::string tensor;  ///< "" when it is the session
  std::string path;
  std::size_t statements = 0, actions = 0;  ///< of the session: that declare, and that load, fill and run
  std::int64_t fills = 0;                   ///< of the tensor: entries of the file that hold the fill
};

/// export.
struct Exported {
  std::string what;  ///< "c", "dot", "json"
  std::string kernel;
  std::vector<std::string> files;
  std::string function;  ///< that the C file defines
  std::string next;      ///< a command of the shell that uses the files
};

struct Plotted {
  std::string tensor;
  std::string text;  ///< the picture, when it goes to the terminal
  std::string path;  ///< the file, when it goes there
};

/// step, back, goto, next, place, lattice: where a replay stands, and what happens there.
struct Stepped {
  std::string replay;  ///< "execution", "placement", "lattice"
  std::string kernel;
  std::size_t at = 0, of = 0;  ///< steps taken, of so many
  bool complete = true;        ///< false: there are more steps than are kept
  std::shared_ptr<const Recorded> execution = {};
  std::shared_ptr<const ReplayedPlacement> placement = {};
  std::shared_ptr<const ReplayedLattices> lattices = {};
  std::string forth = {}, back = {};  ///< the statements that go on from here, and back
  std::string again = {};             ///< the one of them that goes on in the same way
};

/// select, pin, unpin: where everyone looks now.
struct Selected {
  Selection selection;
};

/// snapshot, restore, undo, redo, reset.
struct Travelled {
  std::string command;
  std::string name;                     ///< of a snapshot
  std::vector<std::string> statements;  ///< that were undone or redone, in that order
};

struct HistoryListed {
  std::vector<std::string> done, undone;  ///< in the order in which they were written
  std::vector<std::string> snapshots;
};

/// source: the statements of the file follow as replies of their own.
struct Sourced {
  std::string file;
};

struct ExamplesListed {
  struct Entry {
    std::string name, summary;
  };
  std::vector<Entry> entries;
};

/// help, explain, examples NAME.
struct Explained {
  std::string topic;
  std::string text;
};

/// tutorial N, next, back: a page of it, with the program that the session holds now.
struct LessonShown {
  struct Task {
    std::string text, statement;
    bool done = false;
  };
  int number = 0, of = 0;
  std::string title, text;
  std::vector<Task> tasks;
};

/// list: the program, statement by statement; delete: what was taken out of it.
struct ProgramListed {
  std::vector<std::string> statements;
  enum class What { all, deleted } what = What::all;
};

/// tutorial list.
struct LessonsListed {
  struct Entry {
    std::string title;
    std::size_t done = 0, tasks = 0;
  };
  std::vector<Entry> lessons;
  int present = 0;  ///< 0: none
};

/// quiz: a question, and when it is answered, what is right and why.
struct Quizzed {
  struct Answer {
    std::size_t given = 0, right = 0;  ///< among the choices, from 1; none given: it was skipped
    std::string reason;
  };
  int number = 0;     ///< of the question, from 1
  std::string kind;   ///< "order", "placement", "lattice", "execution"
  std::string about;  ///< the program: a kernel, or an example
  std::string scene;  ///< what to look at
  std::string question;
  std::vector<std::string> choices;
  std::optional<Answer> answer;
  int right = 0, answered = 0;  ///< so far
};

using Result = std::variant<Accepted, Loaded, Pruned, Ran, Checked, Shown, FormatsShown, OrdersListed, WhyAnswered,
                            Scheduled, Printed, Saved, Explained, Timed, Suggested, PlanShown, CoreFound, Differed,
                            Travelled, Stepped, HistoryListed, ProgramListed, Sourced, ExamplesListed, Exported,
                            Plotted, LessonShown, LessonsListed, Quizzed, Selected, Left, Cleared, Counted>;

/// That a statement did a task of the lesson that the session is in.
struct Learning {
  int lesson = 0;
  std::string task;               ///< the statement, as the lesson says it
  std::vector<std::string> left;  ///< the other ones; empty: the lesson is done
  std::string next_title;         ///< of the lesson behind it; "" when there is none
};

struct Reply {
  std::string command;  ///< "run", …; "statement" for declarations and equations
  int line = 0;         ///< of the command in its source
  Exit exit = Exit::success;
  text::Diagnostics diagnostics;
  Result result;
  std::optional<Learning> learning;
  bool ok() const { return exit == Exit::success; }
};

/// The message that is the result: why an order is illegal. Null when the result is none.
const text::Diagnostic* answer_of(const Reply& reply);
/// All messages in the order in which they are printed: that one, then what is said besides.
std::vector<const text::Diagnostic*> messages_of(const Reply& reply);

/// Whether large tensors are printed in part.
enum class Elision { never, when_large };
/// Whether it is what somebody wanted to see, or to find in a file: no declaration, no run.
bool shows_something(const Result& result);
/// What goes to standard output (empty if nothing), without colour. What is drawn leaves out, or puts elsewhere, what
/// has no room on the page; lines of text may still be too long for it.
std::string output_of(const Reply& reply, Elision elision = Elision::never, const text::Page& page = {});
/// How `text::fit` makes them fit.
text::Overflow overflow_of(const Reply& reply);
/// What is worth saying besides: timings, announcements. Goes to standard error, after the diagnostics.
std::string remarks_of(const Reply& reply);

/// One object a command (docs/design/language.md#replies-as-json).
nlohmann::ordered_json to_json(const Reply& reply, const text::Sources& sources);

}  // namespace trellis::session
