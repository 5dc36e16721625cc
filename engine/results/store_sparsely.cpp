#include "engine/results/store_sparsely.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "engine/coiterate/offers.hpp"
#include "engine/format/neutral_element.hpp"
#include "engine/loop/instead_of.hpp"
#include "engine/results/workspace.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::results {

namespace {

/// A temporary all of whose elements start at one constant, which its updates leave alone.
struct Candidate {
  lang::TensorInfo tensor;
  std::set<int> starts;  ///< statements
};

class Candidates {
 public:
  explicit Candidates(const loop::Stmt& loops) {
    visit(loops);
    std::erase_if(all_, [&](const auto& one) { return unfit_.contains(one.first) || one.second.starts.empty(); });
  }

  const std::map<std::string, Candidate>& all() const { return all_; }

 private:
  void visit(const loop::Stmt& s) {
    const auto* d = s.as<loop::Declare>();
    if (d && d->tensor.shape.size() == 1 && d->tensor.format.all_dense()) declared(d->tensor);
    if (const auto* r = s.as<loop::Reset>()) unfit_.insert(r->tensor);
    if (const auto* a = s.as<loop::Assign>()) assigned(s, *a);
    const auto* f = s.as<loop::For>();
    if (f) around_.push_back(f->variable);
    if (s.as<loop::While>() || (f && f->until)) unfit_in(s);
    loop::for_each_child(
        s, [&](const loop::Stmt& child) { visit(child); }, [](const lang::Expr&) {});
    if (f) around_.pop_back();
  }

  void declared(const lang::TensorInfo& tensor) {
    if (!all_.try_emplace(tensor.name, Candidate{tensor, {}}).second) unfit_.insert(tensor.name);
    depth_[tensor.name] = around_.size();
  }

  void assigned(const loop::Stmt& s, const loop::Assign& a) {
    const auto& target = *a.target.as<lang::Access>();
    const auto found = all_.find(target.tensor);
    if (found == all_.end()) return;
    Candidate& one = found->second;
    if (a.op) {
      const auto neutral = format::neutral_element(*a.op, a.value->type);
      if (!neutral || !(*neutral == one.tensor.fill)) unfit_.insert(target.tensor);
      return;
    }
    const auto* value = a.value.as<lang::Constant>();
    if (!value || !(value->value == one.tensor.fill) || !once(target)) unfit_.insert(target.tensor);
    one.starts.insert(s.id());
  }

  /// In each life of the temporary, the element is started once at most: it is that of the only loop inside, if any.
  bool once(const lang::Access& target) const {
    const std::size_t inside = around_.size() - depth_.at(target.tensor);
    const auto* at = target.indices.front().as<lang::Variable>();
    return inside == 0 || (inside == 1 && at && at->name == around_.back());
  }

  void unfit_in(const loop::Stmt& s) {
    for (const std::string& name : coiterate::written_in(s)) unfit_.insert(name);
  }

  std::map<std::string, Candidate> all_;
  std::map<std::string, std::size_t> depth_;  ///< loops around the declaration
  std::set<std::string> unfit_;
  std::vector<std::string> around_;
};

/// The temporary as a table of marks.
lang::TensorInfo table_of(lang::TensorInfo temporary) {
  temporary.format = workspace_format(WorkspaceKind::bytemap, {0});
  return temporary;
}

/// With tables for these temporaries, empty where they come to life.
loop::Stmt with_tables(const loop::Stmt& s, const std::map<std::string, Candidate>& tables) {
  const auto* b = s.as<loop::Block>();
  const loop::Stmt inner = loop::map_children(
      s, [&](const loop::Stmt& child) { return with_tables(child, tables); }, [](const lang::Expr& e) { return e; });
  if (!b) return inner;
  loop::Block next;
  for (const loop::Stmt& child : inner.as<loop::Block>()->statements) {
    const auto* d = child.as<loop::Declare>();
    if (!d || !tables.contains(d->tensor.name)) {
      next.statements.push_back(child);
      continue;
    }
    const lang::TensorInfo table = table_of(d->tensor);
    next.statements.push_back(loop::instead_of(child, loop::Declare{table}));
    next.statements.push_back(start_at_fill(table, child));
  }
  return loop::Stmt(loop::StmtNode{std::move(next), s->span}, s.origin(), s.id());
}

loop::Stmt collected(const loop::Stmt& loops, const std::map<std::string, Candidate>& tables) {
  std::set<int> starts;
  for (const auto& [name, one] : tables) starts.insert(one.starts.begin(), one.starts.end());
  return loop::number(with_tables(schedule::without(loops, starts), tables));
}

/// Temporaries that lead some loop.
std::set<std::string> leading(const coiterate::Lowered& lowered) {
  std::set<std::string> names;
  for (const coiterate::Lattice& lattice : lowered.lattices)
    for (const int operand : lattice.with_role(coiterate::Lattice::Role::leads)) {
      const coiterate::Literal& literal = lattice.operands[static_cast<std::size_t>(operand)].literal;
      if (literal.temporary) names.insert(literal.access.as<lang::Access>()->tensor);
    }
  return names;
}

/// Temporaries that some loop fills at every coordinate: tables of marks would be full.
std::set<std::string> filled(const coiterate::Lowered& lowered) {
  std::set<std::string> names;
  for (const coiterate::Lattice& lattice : lowered.lattices) {
    if (lattice.algebra.is_nowhere() || !lattice.with_role(coiterate::Lattice::Role::leads).empty()) continue;
    loop::for_each(lattice.for_().body, [&](const loop::Stmt& s) {
      const auto* a = s.as<loop::Assign>();
      const auto& target = a ? *a->target.as<lang::Access>() : lang::Access{};
      for (const lang::Expr& index : target.indices)
        for (const std::string& variable : lang::free_variables(index))
          if (variable == lattice.for_().variable) names.insert(target.tensor);
    });
  }
  return names;
}

bool appends(const flow::Flow& flow) {
  return std::ranges::any_of(flow.tensors, [](const flow::Tensor& t) { return t.appends(); });
}

}  // namespace

WithCopies store_sparsely(WithCopies dense, const lang::Program& program, const std::string& kernel,
                          const coiterate::Wishes& wishes) {
  if (!appends(dense.lowered.flow)) return dense;
  std::map<std::string, Candidate> tables = Candidates(dense.loops).all();
  while (!tables.empty()) {
    WithCopies sparse{collected(dense.loops, tables), dense.written, {}};
    sparse.lowered = coiterate::lower(sparse.loops, program, kernel, wishes);
    const std::set<std::string> useful = leading(sparse.lowered), full = filled(sparse.lowered);
    const auto gone =
        std::erase_if(tables, [&](const auto& one) { return !useful.contains(one.first) || full.contains(one.first); });
    if (gone > 0) continue;
    for (const auto& [name, one] : tables) {
      const lang::TensorInfo table = table_of(one.tensor);
      sparse.written.push_back({name, Written::How::instead, {table}, "loops go along what it stores"});
    }
    return sparse;
  }
  return dense;
}

}  // namespace trellis::results
