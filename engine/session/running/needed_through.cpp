#include "engine/session/running/needed_through.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/distribute/renumber.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

/// Walks of one exchange's tensor, as far as its reads lie within them.
class Walks {
 public:
  Walks(const flow::Flow& flow, const std::string& tensor, int level, std::set<std::string> own)
      : flow_(flow), tensor_(tensor), level_(level), own_(std::move(own)) {}

  /// The operands whose rows lead to all reads of others' elements; empty where some read has no such walk.
  std::set<std::string> leaders() {
    visit(flow_.root);
    return sound_ ? found_ : std::set<std::string>{};
  }

 private:
  using Leads = std::set<std::string>;
  using Expr = flow::Expr;
  using Position = flow::Position;
  using Stmt = flow::Stmt;

  void visit(const Stmt& s) {
    if (const auto* a = s.as<flow::Assign>()) position(a->tensor, a->position);
    if (const auto* loop = s.as<flow::Coiterate>()) return walk(s, *loop);
    const std::set<std::string> bound = flow::bound_by(s);
    const auto outside = leads_;
    for (const std::string& name : bound) leads_.erase(name);
    for_each_child(
        s, [&](const Stmt& child) { visit(child); }, [&](const Expr& e) { visit(e); });
    leads_ = outside;
  }

  void walk(const Stmt& s, const flow::Coiterate& loop) {
    for_each_child(
        s, [](const Stmt&) {}, [&](const Expr& e) { visit(e); });
    const auto outside = leads_;
    for (const flow::Coiterate::Point& point : loop.points) {
      leads_.erase(loop.variable);
      Leads all;
      bool rows = !point.leads.empty() && !point.regions;
      for (const int k : point.leads) {
        const flow::Cursor& cursor = loop.cursors[static_cast<std::size_t>(k)];
        rows &= goes_along_row(cursor);
        all.insert(cursor.tensor);
      }
      if (rows) leads_[loop.variable] = all;
      visit(point.body);
      leads_ = outside;
    }
    if (loop.counting) visit(*loop.counting);
  }

  bool goes_along_row(const flow::Cursor& cursor) const {
    const flow::Tensor& a = *flow_.tensor(cursor.tensor);
    const auto* row = cursor.parent.as<flow::Direct>();
    if (a.storage != flow::Tensor::Storage::operand || a.levels.size() != 2 || cursor.level != 1 || !row) return false;
    const format::Facts &outer = a.levels[0].facts, &inner = a.levels[1].facts;
    return cursor.plain() && cursor.stretch == 1 && !cursor.takes_segments() && outer.dense() && !outer.bounded &&
           inner.positions && inner.points() && inner.slots == 0 && inner.child == format::Child::entry;
  }

  void visit(const Expr& e) {
    if (const auto* v = e.as<flow::Value>()) position(v->tensor, v->position);
    for_each_child(e, [&](const Expr& child) { visit(child); });
  }

  void position(const std::string& tensor, const Position& at) {
    if (tensor != tensor_) return;
    const auto* direct = at.as<flow::Direct>();
    while (direct && direct->level != level_) direct = direct->parent.as<flow::Direct>();
    const auto* name = direct ? direct->coordinate.as<flow::Name>() : nullptr;
    if (name && own_.contains(name->name)) return;  // which needs no exchange
    const auto led = name ? leads_.find(name->name) : leads_.end();
    if (led == leads_.end()) sound_ = false;
    else found_.insert(led->second.begin(), led->second.end());
  }

  const flow::Flow& flow_;
  const std::string& tensor_;
  const int level_;
  const std::set<std::string> own_;     ///< variables of loops that are dealt out
  std::map<std::string, Leads> leads_;  ///< by variable of a walk around
  std::set<std::string> found_;
  bool sound_ = true;
};

/// The only level of a tensor that is cut; -1: there are none, or several.
int cut_level(const distribute::Plan& plan, const distribute::Tensor& tensor) {
  const distribute::Home* home = plan.home(tensor);
  const lang::TensorInfo& info = plan.tensors.at(tensor);
  int found = -1;
  for (std::size_t level = 0; home && level < home->size(); ++level) {
    const std::size_t d = format::dimension_of(info.format, level);
    if ((*home)[d] < 0) continue;
    if (found >= 0) return -1;
    found = static_cast<int>(level);
  }
  return found;
}

std::set<std::string> dealt_variables(const distribute::Plan& plan) {
  std::set<std::string> names;
  loop::for_each(plan.loops, [&](const loop::Stmt& s) {
    if (const auto* f = s.as<loop::For>(); f && plan.is_dealt(s.id())) names.insert(f->variable);
  });
  return names;
}

/// Does the rank's kernel take the rows of the operand, and where they have entries? It may have lost its walk since.
bool takes_rows(const emit::Module& module, const std::string& operand) {
  const auto takes = [&](format::Array array) {
    return std::ranges::any_of(module.arguments, [&](const emit::Argument& a) {
      return a.kind == emit::Argument::Kind::array && a.name == operand && a.level == 1 && a.array == array;
    });
  };
  return takes(format::Array::positions) && takes(format::Array::coordinates);
}

}  // namespace

std::vector<run::RankPlan::Through> needed_through(const distribute::Plan& plan, const Compilation& of_rank) {
  const flow::Flow& flow = of_rank.lowered;
  std::vector<run::RankPlan::Through> all;
  for (std::size_t k = 0; k < plan.exchanges.size(); ++k) {
    const distribute::Exchange& e = plan.exchanges[k];
    const int level = cut_level(plan, e.tensor);
    if (e.kind != distribute::Exchange::Kind::ghosts || e.lists.empty() || e.reads.size() != 1 || level < 0) continue;
    for (const std::string& name : Walks(flow, e.tensor.name, level, dealt_variables(plan)).leaders()) {
      if (!takes_rows(of_rank.module, name)) continue;
      const distribute::Home* home = plan.home({name, -1});
      const std::size_t first = format::dimension_of(*flow.tensor(name), 0);
      all.push_back({static_cast<int>(k), level, name, home ? (*home)[first] : -1});
    }
  }
  return all;
}

std::optional<std::map<std::size_t, distribute::Wants>> wants_through(const distribute::Plan& plan,
                                                                      const distribute::Cuts& cuts,
                                                                      const Compilation& of_rank, bool anew,
                                                                      const RowsOf& rows_of) {
  std::map<std::size_t, std::vector<distribute::Leader>> leaders;
  std::map<std::size_t, int> levels;
  for (const run::RankPlan::Through& t : needed_through(plan, of_rank)) {
    const std::size_t rows = format::dimension_of(*of_rank.lowered.tensor(t.operand), 0);
    const distribute::Pattern* const pattern = rows_of(t.operand, rows);
    if (!pattern) return std::nullopt;
    distribute::Leader one{pattern, static_cast<int>(t.partition)};
    if (const lang::TensorInfo* info = of_rank.program.tensor(t.operand); info && anew) {
      one.to = distribute::numbers_along(plan, cuts, *info, distribute::Into::ranks)[1 - rows];
      one.from = distribute::numbers_along(plan, cuts, *info, distribute::Into::user)[rows];
    }
    const auto k = static_cast<std::size_t>(t.exchange);
    leaders[k].push_back(one);
    levels[k] = t.level;
  }
  std::map<std::size_t, distribute::Wants> made;
  for (const auto& [k, all] : leaders) {
    const lang::TensorInfo& info = plan.tensors.at(plan.exchanges[k].tensor);
    const std::size_t d = format::dimension_of(info.format, static_cast<std::size_t>(levels.at(k)));
    const auto size = distribute::number_in(info.shape[d], cuts.sizes);
    if (!size) return std::nullopt;
    made.emplace(k, distribute::wants_of(plan, cuts, all, d, *size));
  }
  return made;
}

}  // namespace trellis::session
