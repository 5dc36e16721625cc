#include "engine/results/find_operands.hpp"

#include <algorithm>

#include "engine/coiterate/lower.hpp"
#include "engine/results/copy_operand.hpp"
#include "engine/results/find_cost.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::results {
namespace {

using Find = lang::Schedule::Find;
using How = Find::How;

/// Each makes three nests of one.
constexpr std::size_t most_choices = 2;

bool goes_along(const loop::For& f, const std::string& tensor) {
  bool found = false;
  coiterate::for_each_read(f.body, [&](const coiterate::Read& read) {
    const auto& access = *read.access.as<lang::Access>();
    if (access.tensor != tensor || found) return;
    for (const lang::Expr& index : access.indices) found = found || contains(lang::free_variables(index), f.variable);
  });
  return found;
}

/// Everything that is read of the tensor is read of a table of its own.
std::optional<OperandCopy> with_table(const loop::Stmt& loops, const Find& find, const lang::Program& program) {
  const lang::TensorInfo* tensor = program.tensor(find.tensor);
  if (!tensor || coiterate::written_in(loops).contains(find.tensor)) return std::nullopt;
  const bool table = find.how == How::table;
  const auto kind = table ? WorkspaceKind::bytemap : WorkspaceKind::hash;
  return copy_operand(loops, *tensor, tensor->name + (table ? "_table" : "_hash"), kind, program, Copied::everything);
}

/// The ways that there are, and what each takes; empty: it is found nowhere.
std::optional<FindChoice> choice_for(const Find& find, const loop::Stmt& loops, const lang::Program& program,
                                     const coiterate::Wishes& wishes) {
  const lang::TensorInfo* tensor = program.tensor(find.tensor);
  if (!tensor) return std::nullopt;
  // What is walked shows where it is met.
  const loop::Stmt walked = with_find(loops, {find.tensor, How::gallop, find.span});
  const auto queries = queries_for(walked, coiterate::lower(walked, program, "", wishes).lattices, *tensor, program);
  if (queries.empty()) return std::nullopt;
  FindChoice made{find.tensor, {}};
  const How looked_up = tensor->shape.size() == 1 ? How::table : How::hash;
  for (const How how : {looked_up, How::gallop, How::scan}) made.ways.push_back({how, cost_of(how, queries, *tensor)});
  return made;
}

lang::Expr at_most(const std::string& a, const std::string& b) {
  const auto cost = [](const std::string& name) {
    return lang::Expr(lang::ExprNode{lang::Variable{name}, format::ScalarType::f64, {}});
  };
  return lang::binary(format::BinaryOp::less_equal, cost(a), cost(b));
}

/// let by_table = … { let by_scan = … { if by_table <= by_scan { … } else { … } } }
class Alternatives {
 public:
  Alternatives(const FindChoice& choice, const lang::Program& program, const loop::Stmt& from)
      : choice_(choice), program_(program), from_(from), names_(from, program) {
    std::set<std::string> around;
    for (const WayToFind& way : choice.ways)
      costs_.push_back(names_.variable(choice.tensor + "_by_" + std::string(lang::name_of(way.how)), around));
  }

  loop::Stmt build(std::vector<Written>& written) {
    loop::Stmt all = best(0, written);
    for (std::size_t k = costs_.size(); k-- > 0;)
      all = loop::block({made(loop::Let{costs_[k], choice_.ways[k].cost, all})});
    return all;
  }

 private:
  template <class Node>
  loop::Stmt made(Node node) const {
    return loop::Stmt(loop::StmtNode{std::move(node), from_->span}, from_.origin());
  }

  loop::Stmt found_by(How how, std::vector<Written>& written) const {
    const Find find{choice_.tensor, how, {}};
    if (how != How::table && how != How::hash) return with_find(from_, find);
    auto copy = with_table(from_, find, program_);
    if (!copy) return from_;
    written.push_back(std::move(copy->written));
    return copy->loops;
  }

  /// Of those from the k-th on: it, if it takes no longer than any behind it.
  loop::Stmt best(std::size_t k, std::vector<Written>& written) const {
    const loop::Stmt own = found_by(choice_.ways[k].how, written);
    if (k + 1 == choice_.ways.size()) return own;
    lang::Expr condition;
    for (std::size_t other = k + 1; other < costs_.size(); ++other) {
      const lang::Expr one = at_most(costs_[k], costs_[other]);
      condition = condition ? lang::binary(format::BinaryOp::logical_and, condition, one) : one;
    }
    return loop::block({made(loop::If{condition, own, best(k + 1, written)})});
  }

  const FindChoice& choice_;
  const lang::Program& program_;
  const loop::Stmt& from_;
  FreshNames names_;
  std::vector<std::string> costs_;
};

bool looks_up(const flow::Flow& flow, const std::string& tensor) {
  bool found = false;
  for_each_stmt(flow.root, [&](const flow::Stmt& s) {
    if (const auto* l = s.as<flow::Locate>()) found |= l->tensor == tensor;
  });
  return found;
}

bool seeks(const flow::Flow& flow, const std::string& tensor) {
  bool found = false;
  for_each_stmt(flow.root, [&](const flow::Stmt& s) {
    const auto* c = s.as<flow::Coiterate>();
    for (const flow::Cursor& cursor : c ? c->cursors : std::vector<flow::Cursor>())
      found |= cursor.tensor == tensor && cursor.find != flow::Cursor::Find::chosen;
    if (const auto* l = s.as<flow::Locate>()) found |= l->tensor == tensor && !l->march.empty();
  });
  return found;
}

template <class Item>
std::vector<std::string> names(const std::vector<Item>& items) {
  std::vector<std::string> all;
  for (const Item& item : items) all.push_back(item.tensor);
  return all;
}

bool is_done(const Find& find, const Finding& finding, const flow::Flow& flow) {
  switch (find.how) {
    case How::binary: return looks_up(flow, find.tensor);
    case How::table:
    case How::hash: return contains(names(finding.written), find.tensor);
    case How::automatic: return contains(names(finding.choices), find.tensor);
    default: return seeks(flow, find.tensor);
  }
}

}  // namespace

loop::Stmt with_find(const loop::Stmt& s, const Find& find) {
  const loop::Stmt inner = loop::map_children(
      s, [&](const loop::Stmt& child) { return with_find(child, find); }, [](const lang::Expr& e) { return e; });
  const auto* f = inner.as<loop::For>();
  if (!f || !goes_along(*f, find.tensor)) return inner;
  loop::For next = *f;
  std::erase_if(next.finds, [&](const Find& other) { return other.tensor == find.tensor; });
  next.finds.push_back(find);
  return loop::Stmt(loop::StmtNode{std::move(next), inner->span}, inner.origin(), inner.id());
}

Finding find_operands(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                      const coiterate::Wishes& wishes) {
  Finding all{loops, {}, {}};
  if (kernel.schedule.finds.empty()) return all;
  for (const Find& find : kernel.schedule.finds) {
    if (find.how == How::table || find.how == How::hash) {
      auto copy = with_table(all.loops, find, program);
      if (!copy) continue;
      all.loops = std::move(copy->loops);
      all.written.push_back(std::move(copy->written));
    } else if (find.how != How::automatic) {
      all.loops = with_find(all.loops, find);
    }
  }
  all.loops = loop::number(all.loops);
  for (const Find& find : kernel.schedule.finds)
    if (find.how == How::automatic && all.choices.size() < most_choices)
      if (auto choice = choice_for(find, all.loops, program, wishes)) all.choices.push_back(*std::move(choice));
  for (const FindChoice& choice : all.choices)
    all.loops = loop::number(Alternatives(choice, program, all.loops).build(all.written));
  return all;
}

bool check_finds(const Finding& finding, const flow::Flow& flow, const lang::Kernel& kernel,
                 text::Diagnostics& diagnostics) {
  for (const Find& one : kernel.schedule.finds) {
    if (is_done(one, finding, flow)) continue;
    const bool full = one.how == How::automatic && finding.choices.size() == most_choices;
    diagnostics
        .error("E0913", one.span,
               "`" + lang::to_string(one) + "` is " + (full ? "one choice too many" : "of no use here"),
               full ? "the kernel chooses for two operands already, between nine nests of loops"
                    : "nothing is found in " + one.tensor + " like that")
        .notes.push_back({{},
                          full ? "`show find` says what each way takes: name one for " + one.tensor
                               : "it is for an operand beside another one where both are needed, as x in A(i,j)*x(j)"});
    return false;
  }
  return true;
}

}  // namespace trellis::results
