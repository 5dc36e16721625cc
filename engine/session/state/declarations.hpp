#pragma once
// What was declared in a session, statement by statement, and the program that it is.

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "engine/lang/program.hpp"
#include "engine/lang/stepwise.hpp"
#include "engine/lang/syntax.hpp"
#include "engine/session/state/data.hpp"
#include "engine/session/state/definitions.hpp"
#include "engine/session/state/offer.hpp"
#include "engine/session/state/options.hpp"
#include "engine/text/diagnostic.hpp"
#include "engine/text/shared.hpp"
#include "engine/text/source.hpp"

namespace trellis::session {

/// Whether each name of the order is an index of the kernel.
bool has_loops(const lang::Kernel& kernel, const lang::Order& order);

class Declarations {
 public:
  const lang::syntax::File& file() const { return *file_; }
  const text::Shared<lang::syntax::File>& shared() const { return file_; }
  /// True if the statement has taken the place of another one (only with `replaces`).
  bool add(const lang::syntax::Statement& statement, bool replaces);
  /// Puts a fix, which is about what stands `at`, where `edit_for` puts it into a text: into the block of that kernel;
  /// outside of any block when there is none, which is where `main` usually stands.
  void mend(const std::string& kernel, const lang::syntax::Statement& statement, text::Span at, bool replaces);
  /// Takes the last statement back that was added.
  void withdraw();
  /// From here on the program has one kernel more, its last: what the expression is.
  void ask_for(lang::syntax::Expr value);
  void restore(text::Shared<lang::syntax::File> file);
  /// Goes up with every change.
  std::uint64_t version() const { return version_; }

  /// The program does not count any more; it will be made anew.
  void touch() {
    stale_ = true;
    grows_ = false;
  }
  /// Resolves what was declared, if something changed since; true: the program is another one.
  bool resolve(const Options& options, const Data::Sizes& sizes, text::Sources& sources);
  /// Whether these would be right behind what was declared, when that can be told without resolving all of it.
  using Statements = std::span<const lang::syntax::Statement>;
  bool would_be_right(Statements more, const Options& options);
  /// As it was resolved last; null where that had errors.
  const lang::Program* program() const { return program_ ? &*program_ : nullptr; }
  /// Errors are said whenever they stand in the way, all else once in a session. What is said last is on offer.
  void announce(text::Diagnostics& diagnostics, Offer& offer);
  /// Whether something is said for the first time: what is worth saying once in a session.
  bool first_time(const std::string& what) { return announced_.insert(what).second; }

  /// Declares this in place of all that was; what was is for `take_back`, where this turns out to be wrong.
  struct Former {
    text::Shared<lang::syntax::File> file;
    std::optional<lang::Program> program;
    text::Diagnostics said;
  };
  Former replace(lang::syntax::File file);
  void take_back(Former former);
  /// What `replace` declared stays.
  void accept() { ++version_; }

  /// Of the program, or that data brought along; empty: it has none.
  std::optional<format::Value> parameter(const std::string& name, const Data::Sizes& sizes) const;
  std::optional<std::int64_t> value_of(const math::Affine& size, const Data::Sizes& sizes) const;

  /// The source of a text that stands in no file, such as an order of the command line, so that messages can point at
  /// it; the same text has the same one.
  int written(text::Sources& sources, const std::string& title, const std::string& text);

 private:
  void apply_chosen_orders(const Options& options, text::Sources& sources);
  void place_chosen_order(const std::string& scope, lang::Schedule& schedule, text::Sources& sources);
  std::optional<lang::Program> addition(Statements more, const Options& options, text::Diagnostics& said);
  bool grow(const Options& options, const Data::Sizes& sizes);
  void resolve_all(const Options& options, const Data::Sizes& sizes, text::Sources& sources);
  void widen_levels(lang::Program& program, const Data::Sizes& sizes) const;

  text::Shared<lang::syntax::File> file_;
  Subjects subjects_;                        ///< of `file_`
  std::optional<lang::syntax::Expr> asked_;  ///< the expression of `ask_for`
  std::uint64_t version_ = 0;
  bool stale_ = true;
  std::optional<lang::Program> program_;
  bool grows_ = false;        ///< the program is what the first statements resolve to; others have come behind them
  std::size_t resolved_ = 0;  ///< so many
  std::optional<lang::Growth> growth_;  ///< of the program, once it grows
  text::Diagnostics said_;              ///< of the program
  bool announced_all_ = false;          ///< that the program as it stands has to announce
  std::set<std::string> announced_;
  std::map<std::string, int> written_;  ///< sources, by title and text
};

}  // namespace trellis::session
