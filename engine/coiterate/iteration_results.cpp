#include "engine/coiterate/iteration_results.hpp"

#include <algorithm>
#include <utility>

namespace trellis::coiterate {

namespace {

const lang::Access& access_of(const lang::Expr& e) { return *e.as<lang::Access>(); }

const loop::For* loop_of(const std::vector<loop::Stmt>& loops, const lang::Expr& index) {
  const auto* variable = index.as<lang::Variable>();
  for (const loop::Stmt& s : loops)
    if (variable && s.as<loop::For>()->variable == variable->name) return s.as<loop::For>();
  return nullptr;
}

bool names_one_of(const std::set<std::string>& variables, const lang::Expr& e) {
  if (const auto* v = e.as<lang::Variable>()) return variables.contains(v->name);
  bool found = false;
  lang::for_each_child(e, [&](const lang::Expr& child) { found = found || names_one_of(variables, child); });
  return found;
}

}  // namespace

IterationResults::IterationResults(const loop::Stmt& body, const Stretch& stretch,
                                   std::function<bool(const lang::Expr&)> moves)
    : stretch_(stretch), moves_(std::move(moves)) {
  std::vector<loop::Stmt> loops;
  collect(body, loops, true);
  for (const std::string& tensor : declared_) writes_.erase(tensor);
  note_reads(body);
  for (const auto& [tensor, kind] : kinds_) apart_ = apart_ && !writes_.contains(tensor) && !reads_.contains(tensor);
  for (const auto& [tensor, writes] : writes_) {
    const std::optional<Kind> kind = kind_of(tensor, writes);
    apart_ = apart_ && kind;
    if (kind) kinds_[tensor] = *kind;
  }
}

/// All but what choices read of what they keep themselves.
void IterationResults::note_reads(const loop::Stmt& body) {
  const auto note = [&](const Read& read) { reads_[access_of(read.access).tensor].push_back(read.access); };
  const std::function<loop::Stmt(const loop::Stmt&)> without_once = [&](const loop::Stmt& s) {
    return is_once(s) ? loop::block({}) : loop::map_children(s, without_once, [](const lang::Expr& e) { return e; });
  };
  for_each_read(without_once(body), note);
  for (const loop::Stmt& s : once_) {
    const std::set<std::string> own = written_in(s);
    for_each_read(s, [&](const Read& read) {
      if (!own.contains(access_of(read.access).tensor)) note(read);
    });
  }
}

bool IterationResults::is_once(const loop::Stmt& s) const {
  return std::ranges::any_of(once_, [&](const loop::Stmt& one) { return one.same(s); });
}

/// Is it the same candidate that wins, whichever of the stretch comes first? An index below 0 would be none.
bool IterationResults::decides_ties(const Choice& choice) const {
  if (choice.ties == Choice::Ties::never) return !stretch_.descending;
  const std::optional<math::Affine> index = lang::affine(choice.index);
  if (!index || !stretch_.non_negative(*index)) return false;
  const bool rises = index->quotients.empty() && index->coefficient(stretch_.variable) >= 0;
  return choice.ties == Choice::Ties::least ? rises : !stretch_.descending;
}

std::vector<lang::Expr> IterationResults::kept_by(const loop::Stmt& s, const std::vector<loop::Stmt>& loops) const {
  std::vector<lang::Expr> kept;
  if (const auto choice = choice_of(s); choice && decides_ties(*choice) && !moves_(choice->value)) {
    kept = choice->targets;
  } else if (const auto passing = passing_of(s, stretch_.variable); passing && !stretch_.descending) {
    // Where each iteration comes by it several times, it must be another counter each time.
    const auto& indices = access_of(passing->counter).indices;
    const auto counts = [&](const loop::Stmt& inner) {
      return std::ranges::any_of(indices, [&](const auto& index) { return loop_of({inner}, index) != nullptr; });
    };
    if (std::ranges::all_of(loops, counts)) kept = {passing->counter};
  }
  const auto is_elsewhere = [&](const lang::Expr& target) {
    return !declared_.contains(access_of(target).tensor) && std::ranges::none_of(access_of(target).indices, moves_);
  };
  return std::ranges::all_of(kept, is_elsewhere) ? kept : std::vector<lang::Expr>{};
}

void IterationResults::collect(const loop::Stmt& s, std::vector<loop::Stmt>& loops, bool always) {
  const std::vector<lang::Expr> kept = kept_by(s, loops);
  for (const lang::Expr& target : kept)
    apart_ = kinds_.emplace(access_of(target).tensor, Kind::chosen).second && apart_;
  if (!kept.empty()) return once_.push_back(s);
  if (const auto* d = s.as<loop::Declare>()) declared_.insert(d->tensor.name);
  if (const auto* a = s.as<loop::Assign>()) writes_[access_of(a->target).tensor].push_back({s, always, loops});
  const auto* f = s.as<loop::For>();
  if (f) loops.push_back(s);
  if (f) loops_.insert(f->variable);
  loop::for_each_child(
      s, [&](const loop::Stmt& child) { collect(child, loops, always && !s.as<loop::If>() && !s.as<loop::While>()); },
      [](const lang::Expr&) {});
  if (f) loops.pop_back();
}

std::optional<IterationResults::Kind> IterationResults::kind_of(const std::string& tensor,
                                                                const std::vector<Write>& writes) const {
  const auto reads = reads_.find(tensor);
  const lang::Access& first = writes.front().target();
  if (std::ranges::none_of(writes, [&](const Write& w) { return std::ranges::any_of(w.target().indices, moves_); }))
    return reads == reads_.end() && alike(writes) ? std::optional(Kind::shared) : std::nullopt;
  if (!std::ranges::all_of(writes, [&](const Write& w) { return moves_alike(w.target(), first); })) return std::nullopt;
  if (std::ranges::all_of(writes, [&](const Write& w) { return !w.updates() && stretch_.takes_runs(w.target()); })) {
    const auto own = [&](const lang::Expr& read) { return moves_alike(access_of(read), first); };
    return reads == reads_.end() || std::ranges::all_of(reads->second, own) ? std::optional(Kind::run) : std::nullopt;
  }
  return reads == reads_.end() && is_row(tensor, writes) ? std::optional(Kind::row) : std::nullopt;
}

/// Updates by one operation, whose order does not matter, or nothing but assignments: what the last one leaves stays.
bool IterationResults::alike(const std::vector<Write>& writes) {
  const auto operation = [](const Write& w) { return w.statement.as<loop::Assign>()->op; };
  return std::ranges::all_of(writes, [&](const Write& w) { return operation(w) == operation(writes.front()); });
}

/// The iteration's coordinate stands at the same place, and nowhere else does anything move.
bool IterationResults::moves_alike(const lang::Access& a, const lang::Access& b) const {
  for (std::size_t d = 0; d < a.indices.size(); ++d)
    if ((moves_(a.indices[d]) || moves_(b.indices[d])) && !(a.indices[d] == b.indices[d])) return false;
  return true;
}

bool IterationResults::is_row(const std::string& tensor, const std::vector<Write>& writes) const {
  const lang::TensorInfo* const described = stretch_.info(tensor);
  if (!described || !described->format.all_known()) return false;
  int moving = 0;
  for (const lang::Expr& index : writes.front().target().indices) {
    if (!moves_(index)) continue;
    const auto* variable = index.as<lang::Variable>();
    if (!variable || variable->name != stretch_.variable || ++moving > 1) return false;
  }
  return std::ranges::any_of(writes, [&](const Write& w) { return sets_all(w); });
}

/// `for j in 0:m { C(i,j) = e }`: whatever was there before, or is done beside it, the iteration's elements are its
/// own.
bool IterationResults::sets_all(const Write& write) const {
  const lang::Access& target = write.target();
  const lang::TensorInfo& described = *stretch_.info(target.tensor);
  if (write.updates() || !write.always) return false;
  std::set<std::string> seen;
  for (std::size_t d = 0; d < target.indices.size(); ++d) {
    if (moves_(target.indices[d])) continue;
    const loop::For* const f = loop_of(write.loops, target.indices[d]);
    const std::optional<math::Affine> low = f ? lang::affine(f->low) : std::nullopt;
    const std::optional<math::Affine> high = f ? lang::affine(f->high) : std::nullopt;
    const bool whole = low && high && *low == math::Affine(0) && *high == described.shape[d] && !f->until;
    if (!whole || !seen.insert(f->variable).second) return false;
  }
  return seen.size() == write.loops.size();
}

bool IterationResults::is_own(const lang::Access& access, const lang::Expr& index) const {
  const auto kind = kinds_.find(access.tensor);
  if (kind == kinds_.end() || kind->second == Kind::shared || kind->second == Kind::chosen) return false;
  const auto at = std::ranges::find_if(access.indices, [&](const lang::Expr& i) { return index.same(i); });
  const auto d = static_cast<std::size_t>(at - access.indices.begin());
  return std::ranges::any_of(writes_.at(access.tensor), [&](const Write& w) {
    return index == w.target().indices[d] && is_in(access, w.target());
  });
}

/// Where the iteration writes, or beside it in a direction in which it goes on: H(i-1,j) was left by a loop around, in
/// runs of its own, when the iteration writes H(i,j).
bool IterationResults::is_in(const lang::Access& read, const lang::Access& written) const {
  for (std::size_t d = 0; d < written.indices.size(); ++d) {
    if (!names_one_of(loops_, written.indices[d]) && !(read.indices[d] == written.indices[d])) return false;
  }
  return true;
}

bool IterationResults::any_of(Kind kind) const {
  return std::ranges::any_of(kinds_, [&](const auto& one) { return one.second == kind; });
}

bool IterationResults::takes_more_than_rows() const {
  if (any_of(Kind::shared) || any_of(Kind::run) || any_of(Kind::chosen)) return true;
  std::set<std::string> copied;
  for (const auto& [tensor, kind] : kinds_)
    for (const loop::Stmt& s : set_all(tensor).loops) copied.insert(s.as<loop::For>()->variable);
  return copied != loops_;
}

const IterationResults::Write& IterationResults::set_all(const std::string& row) const {
  return *std::ranges::find_if(writes_.at(row), [&](const Write& w) { return sets_all(w); });
}

loop::Stmt IterationResults::copies() const {
  std::vector<loop::Stmt> all;
  for (const auto& [tensor, kind] : kinds_)
    if (kind == Kind::row) all.push_back(copy(set_all(tensor)));
  loop::For others;
  others.variable = stretch_.variable;
  others.kind = loop::For::Kind::forall;
  others.low = lang::binary(format::BinaryOp::add, stretch_.first, lang::integer(1));
  others.high = lang::binary(format::BinaryOp::add, stretch_.last, lang::integer(1));
  const loop::Stmt from = all.front();
  others.body = loop::block(std::move(all));
  return loop::Stmt(loop::StmtNode{std::move(others), from->span}, from.origin(), from.id());
}

loop::Stmt IterationResults::copy(const Write& row) const {
  const loop::Stmt& from = row.statement;
  const lang::Expr& target = from.as<loop::Assign>()->target;
  const auto made = [&](auto node) {
    return loop::Stmt(loop::StmtNode{std::move(node), from->span}, from.origin(), from.id());
  };
  loop::Stmt copied = made(loop::Assign{target, {}, lang::substitute(target, {{stretch_.variable, stretch_.first}})});
  for (auto s = row.loops.rbegin(); s != row.loops.rend(); ++s) {
    loop::For inner;
    inner.variable = s->as<loop::For>()->variable;
    inner.low = s->as<loop::For>()->low;
    inner.high = s->as<loop::For>()->high;
    inner.kind = loop::For::Kind::forall;
    inner.body = loop::block({std::move(copied)});
    copied = made(std::move(inner));
  }
  return copied;
}

}  // namespace trellis::coiterate
