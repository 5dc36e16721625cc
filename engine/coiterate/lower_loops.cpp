#include "engine/coiterate/lowering.hpp"

#include <algorithm>
#include <cassert>

namespace trellis::coiterate {

/// One loop's lattice in the making.
struct Lowering::Plan {
  Offers offers;
  Algebra algebra = Algebra::everywhere();
  loop::Stmt body;
  std::vector<int> leads, follows;  ///< literals; all others are looked up
  std::vector<Cursor> cursors;
  std::vector<int> cursor_of;       ///< by literal, -1: none

  bool leads_with(int literal) const { return std::find(leads.begin(), leads.end(), literal) != leads.end(); }
};

namespace {

/// More leads than this that are not all needed at once would take a loop for each subset of them.
constexpr std::size_t most_merged = 3;

/// Cheaper found than walked past.
bool quickly_located(const format::Facts& facts) { return facts.locate == format::Locate::hash || facts.locate == format::Locate::direct; }

std::string people_name(const lang::Access& access, const lang::TensorInfo& info, int level) {
  std::string text;
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    bool within = false;
    for (int l = 0; l <= level; ++l) within |= info.format.order[static_cast<std::size_t>(l)] == static_cast<int>(d);
    text += (d > 0 ? "," : "") + (within ? lang::to_string(access.indices[d]) : ":");
  }
  return access.tensor + "(" + text + ")";
}

}  // namespace

// A sequence: the variable indexes a sparse level, alone and with factor 1 or -1, below a parent that is known; and the loop
// leaves the tensor alone.
Offers Lowering::offers(const loop::For& f) {
  Offers found;
  const std::set<std::string> changed = written_in(f.body);
  for_each_read(f.body, [&](const Read& read) {
    const auto& access = *read.access.as<lang::Access>();
    const lang::TensorInfo* described = info(access.tensor);
    if (changed.count(access.tensor) || !described || !lookup(access.tensor).sparse()) return;
    const Tensor& tensor = lookup(access.tensor);
    const auto rank = static_cast<int>(tensor.levels.size());
    int level = 0;
    while (level < rank && known(level_index(access, *described, level)) &&
           (tensor.levels[static_cast<std::size_t>(level)].facts.full() || states_.count(level_key(access, *described, level))))
      ++level;
    if (level == rank || tensor.levels[static_cast<std::size_t>(level)].facts.full()) return;
    for (int l = 0; l < level; ++l)
      if ((read.guarded || read.behind) && is_risky(level_index(access, *described, l))) return;
    const std::optional<math::Affine> index = lang::affine(level_index(access, *described, level));
    if (!index || std::abs(index->coefficient(f.variable)) != 1) return;
    const math::Affine rest = *index - math::Affine::name(f.variable, index->coefficient(f.variable));
    if (rest.mentions(f.variable)) return;
    std::set<std::string> names;
    rest.collect_names(names);
    for (const std::string& name : names)
      if (!bound_.count(name) && !program_.parameter(name)) return;
    Literal literal{level_key(access, *described, level), people_name(access, *described, level), read.access, level, level + 1 == rank,
                    level + 1 == rank && tensor.pattern, index->coefficient(f.variable) < 0, {}, tensor.levels[static_cast<std::size_t>(level)].facts,
                    tensor.fill, read.guarded};
    // stored = ±variable + rest
    literal.offset = literal.reversed ? rest : -rest;
    for (Literal& known_literal : found.literals)
      if (known_literal.key == literal.key && known_literal.access.as<lang::Access>()->tensor == access.tensor) {
        known_literal.guarded &= read.guarded;
        return;
      }
    found.literals.push_back(std::move(literal));
  });
  return found;
}

// Roles (COITERATION rule 7): what is only met together with others and quickly found need not be walked.
Lowering::Plan Lowering::plan(const loop::For& f, const Offers& offers, const Algebra& algebra) {
  Plan plan{offers, algebra, f.body, {}, {}, {}, {}};
  const auto& literals = offers.literals;
  const auto covered = [&](const std::vector<int>& leads) {
    Algebra rest = algebra;
    for (const int lead : leads) rest = rest.with(lead, false);
    return rest.is_nowhere();
  };
  std::vector<int> leads;
  for (const int literal : algebra.literals()) leads.push_back(literal);
  if (!covered(leads)) leads.clear();
  // Negated ones lead nowhere; then unordered ones, then those that are found at once.
  const auto drop = [&](auto&& which) {
    for (std::size_t k = 0; k < leads.size();) {
      std::vector<int> fewer = leads;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      if (which(leads[k]) && !fewer.empty() && covered(fewer)) leads = fewer;
      else ++k;
    }
  };
  const auto facts = [&](int literal) { return literals[static_cast<std::size_t>(literal)].facts; };
  const auto temporary = [&](int literal) {
    return lookup(literals[static_cast<std::size_t>(literal)].access.as<lang::Access>()->tensor).storage == Tensor::Storage::temporary;
  };
  drop([&](int l) { return algebra.negates(l) && algebra.with(l, true).is_nowhere(); });
  drop([&](int l) { return !facts(l).ordered; });
  drop([&](int l) { return quickly_located(facts(l)); });

  const std::set<std::string> appended = around().appended;
  const bool appends = std::any_of(appended.begin(), appended.end(), [&](const std::string& name) { return written_.count(name) > 0; });
  const bool any_order = f.kind == loop::For::Kind::forall && !appends;
  for (const int l : leads)
    if (!facts(l).ordered && (leads.size() > 1 || !any_order)) {
      leads.clear();
      break;
    }
  const bool parallel = f.execution == loop::For::Execution::parallel;
  if (parallel && leads.size() > 1) leads.clear();
  plan.leads = leads;
  // Beside a lead that jumps about, nothing can move along.
  const bool in_order = std::all_of(leads.begin(), leads.end(), [&](int l) { return facts(l).ordered; });
  for (int l = 0; l < static_cast<int>(literals.size()) && !parallel && in_order; ++l) {
    if (plan.leads_with(l) || !facts(l).ordered || quickly_located(facts(l)) || temporary(l)) continue;
    plan.follows.push_back(l);
  }
  return plan;
}

Cursor Lowering::cursor(const Literal& literal, const loop::For& f, Cursor::Role role) {
  const auto& access = *literal.access.as<lang::Access>();
  const Tensor tensor = lookup(access.tensor);
  const Resolved parent = resolve(access, literal.guarded);
  Cursor c;
  c.name = fresh("p" + tensor.name + (literal.last ? "" : std::to_string(literal.level + 1)));
  c.tensor = tensor.name;
  c.level = literal.level;
  c.parent = parent.position;
  c.exists = exists(literal.guarded ? in_range(access, literal.level) : std::nullopt, parent.missing);
  for (int level = 0; level < literal.level; ++level)
    if (is_risky(level_index(access, *info(access.tensor), level))) {
      // The loop may turn out to run nowhere.
      const Expr runs(ExprNode{Binary{format::BinaryOp::less, expr(f.low), expr(f.high)}, format::ScalarType::boolean, {}});
      c.exists = both(runs, c.exists);
      break;
    }
  c.reversed = literal.reversed;
  c.offset = affine(literal.offset);
  c.role = role;
  const auto* low = f.low.as<lang::Constant>();
  const std::optional<math::Affine> high = lang::affine(f.high);
  const auto dimension = static_cast<std::size_t>(tensor.order[static_cast<std::size_t>(literal.level)]);
  const bool moved = literal.reversed || !(literal.offset == math::Affine(0));
  c.below = moved || !low || low->value.integer != 0;
  c.above = moved || !high || !(*high == info(access.tensor)->shape[dimension]);
  names_.insert(c.name);
  return c;
}

Stmt Lowering::loop(const loop::Stmt& s, const loop::For& f) {
  const Offers offered = f.until ? Offers{} : offers(f);
  if (offered.literals.empty()) return dense_loop(s, f);
  const Surroundings surroundings = around();
  const loop::Stmt body = reduce(f.body, surroundings);
  const Algebra algebra = support(body, offered, surroundings);
  if (algebra.is_nowhere()) return make(Seq{}, s);
  Plan p = plan(f, offered, algebra);
  p.body = body;
  if (p.leads.empty() && p.follows.empty()) return dense_loop(s, f);

  Coiterate c;
  c.variable = f.variable;
  c.low = expr(f.low);
  c.high = expr(f.high);
  if (f.descending) c.direction = Loop::Direction::down;
  if (f.execution == loop::For::Execution::parallel) c.execution = Loop::Execution::parallel;
  c.reduces = reduced(f);
  const std::set<std::string> outer_names = names_;
  p.cursor_of.assign(offered.literals.size(), -1);
  const auto open = [&](const std::vector<int>& literals, Cursor::Role role) {
    for (const int l : literals) {
      p.cursor_of[static_cast<std::size_t>(l)] = static_cast<int>(p.cursors.size());
      p.cursors.push_back(cursor(offered.literals[static_cast<std::size_t>(l)], f, role));
    }
  };
  open(p.leads, Cursor::Role::lead);
  open(p.follows, Cursor::Role::follow);
  c.cursors = p.cursors;

  const bool hidden = data_.erase(f.variable) > 0;
  bound_.insert(f.variable);
  const bool everywhere = p.leads.empty() && everywhere_.insert(f.variable).second;
  c.points = points(p);
  if (everywhere) everywhere_.erase(f.variable);
  bound_.erase(f.variable);
  if (hidden) data_.insert(f.variable);
  names_ = outer_names;
  return make(std::move(c), s);
}

// Temporaries may have turned out to be useless where operands are absent.
std::vector<std::string> Lowering::reduced(const loop::For& f) {
  std::vector<std::string> names;
  for (const std::string& tensor : f.reduces)
    if (alive_.count(tensor) || program_.tensor(tensor)) names.push_back(lookup(tensor).name);
  return names;
}

Stmt Lowering::dense_loop(const loop::Stmt& s, const loop::For& f) {
  Loop l{f.variable, expr(f.low), expr(f.high), Loop::Direction::up, Loop::Execution::serial, {}, f.unroll, {}};
  if (f.descending) l.direction = Loop::Direction::down;
  if (f.execution == loop::For::Execution::parallel) l.execution = Loop::Execution::parallel;
  if (f.execution == loop::For::Execution::vectorized) l.execution = Loop::Execution::vector;
  l.reduces = reduced(f);
  const bool hidden = data_.erase(f.variable) > 0;
  bound_.insert(f.variable);
  const bool everywhere = everywhere_.insert(f.variable).second;
  l.body = stmt(f.body);
  if (f.until) l.until = expr(*f.until);
  if (everywhere) everywhere_.erase(f.variable);
  bound_.erase(f.variable);
  if (hidden) data_.insert(f.variable);
  return make(std::move(l), s);
}

// The lattice, top down: a point for each set of leads that can be left, while the residual asks for any of them. Points with
// more leads run first, so no loop runs before one that it must follow.
std::vector<Coiterate::Point> Lowering::points(const Plan& plan) {
  const bool flatten = plan.leads.size() > most_merged && [&] {
    for (const int lead : plan.leads)
      if (!plan.algebra.with(lead, false).is_nowhere()) return true;
    return false;
  }();
  const auto cursors = [&](const std::vector<int>& literals) {
    std::vector<int> numbers;
    for (const int l : literals) numbers.push_back(plan.cursor_of[static_cast<std::size_t>(l)]);
    return numbers;
  };
  if (flatten) return {{cursors(plan.leads), true, flat(plan, plan.body)}};

  struct Open {
    std::vector<int> leads;
    Algebra algebra;
    loop::Stmt body;
  };
  std::vector<Open> all;
  const Surroundings surroundings = around();
  const std::function<void(const std::vector<int>&, const Algebra&, const loop::Stmt&)> build =
      [&](const std::vector<int>& leads, const Algebra& algebra, const loop::Stmt& body) {
        if (algebra.is_nowhere() || is_nothing(body)) return;
        std::vector<int> needed;
        for (const int l : leads)
          if (algebra.depends_on(l)) needed.push_back(l);
        const bool known = std::any_of(all.begin(), all.end(), [&](const Open& o) { return o.leads == needed; });
        if (known) return;
        all.push_back({needed, algebra, body});
        for (const int l : needed)
          build(needed, algebra.with(l, false), without(body, plan.offers.literals[static_cast<std::size_t>(l)], surroundings));
      };
  build(plan.leads, plan.algebra, plan.body);
  std::stable_sort(all.begin(), all.end(), [](const Open& a, const Open& b) { return a.leads.size() > b.leads.size(); });

  std::vector<Coiterate::Point> result;
  for (const Open& point : all) {
    std::vector<int> untested = point.leads;
    untested.insert(untested.end(), plan.follows.begin(), plan.follows.end());
    // Where every coordinate is visited anyway, what is absent there is only a value.
    Stmt code = point.leads.empty() ? flat(plan, point.body) : cases(plan, untested, point.algebra, point.body, false);
    result.push_back({cursors(point.leads), false, std::move(code)});
  }
  return result;
}

// A decision tree over what may be here, leads first; where the residual asks for nothing, there is no code.
Stmt Lowering::cases(const Plan& plan, std::vector<int> untested, const Algebra& algebra, const loop::Stmt& body, bool some_present) {
  const auto nothing = [&] { return Stmt(StmtNode{Seq{}, body->span}); };
  if (algebra.is_nowhere() || is_nothing(body)) return nothing();
  const auto reads = [&](int l) {
    bool found = false;
    const Literal& literal = plan.offers.literals[static_cast<std::size_t>(l)];
    const Offers one{{literal}};
    const std::string& tensor = literal.access.as<lang::Access>()->tensor;
    for_each_read(body, [&](const Read& read) {
      const auto& access = *read.access.as<lang::Access>();
      found |= access.tensor == tensor && one.of(access, *info(tensor)) == 0;
    });
    return found;
  };
  std::erase_if(untested, [&](int l) { return !algebra.depends_on(l) && !reads(l); });
  if (untested.empty()) return stmt(body);

  const int l = untested.front();
  const Literal& literal = plan.offers.literals[static_cast<std::size_t>(l)];
  const Cursor& cursor = plan.cursors[static_cast<std::size_t>(plan.cursor_of[static_cast<std::size_t>(l)])];
  untested.erase(untested.begin());
  const std::map<std::string, State> outside = states_;
  states_[literal.key] = {Position(PositionNode{At{cursor.name, !literal.facts.unique}}, origin()), ""};
  Stmt then = cases(plan, untested, algebra.with(l, true), body, some_present || plan.leads_with(l));
  states_ = outside;
  // The loop stands at the coordinate of some lead: the last one to be tested is here if none of the others was.
  const bool other_leads = std::any_of(untested.begin(), untested.end(), [&](int k) { return plan.leads_with(k); });
  if (plan.leads_with(l) && !some_present && !other_leads) return Stmt(StmtNode{Test{cursor.name, then, {}, true}, body->span}, {{text::Stage::loops, body.id()}});
  Stmt otherwise = cases(plan, untested, algebra.with(l, false), without(body, literal, around()), some_present);
  const auto empty = [](const Stmt& s) {
    const auto* seq = s.as<Seq>();
    return seq && seq->statements.empty();
  };
  if (empty(then) && empty(otherwise)) return nothing();
  Test test{cursor.name, then, {}};
  if (!empty(otherwise)) test.otherwise = otherwise;
  return Stmt(StmtNode{std::move(test), body->span}, {{text::Stage::loops, body.id()}});
}

// One body for all cases: each operand is where its cursor stands, or missing. (COITERATION rule 14.)
Stmt Lowering::flat(const Plan& plan, const loop::Stmt& body) {
  const std::map<std::string, State> outside = states_;
  std::vector<std::pair<std::string, Expr>> lets;
  for (std::size_t l = 0; l < plan.offers.literals.size(); ++l) {
    if (plan.cursor_of[l] < 0) continue;
    const Literal& literal = plan.offers.literals[l];
    const Cursor& cursor = plan.cursors[static_cast<std::size_t>(plan.cursor_of[l])];
    const bool several = !literal.facts.unique;
    const std::string here = fresh(cursor.name + "_here");
    names_.insert(here);
    lets.emplace_back(here, Expr(ExprNode{Here{cursor.name, several}, format::ScalarType::i64, {}}));
    states_[literal.key] = {Position(PositionNode{At{here, several}}, origin()), here};
  }
  Stmt result = stmt(body);
  for (auto let = lets.rbegin(); let != lets.rend(); ++let) result = Stmt(StmtNode{Let{let->first, let->second, result}, body->span}, body.origin());
  states_ = outside;
  return result;
}

}  // namespace trellis::coiterate
