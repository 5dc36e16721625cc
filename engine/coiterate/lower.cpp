#include "engine/coiterate/lowering.hpp"
#include "engine/coiterate/print_lattice.hpp"
#include "engine/format/sparse_scalar.hpp"

#include <algorithm>
#include <cassert>

namespace trellis::coiterate {

namespace {

/// Temporaries with a single assignment, which reaches each element once after a reset to the fill that is always carried out:
/// its indices are the variables of the loops in between. No other reset undoes that.
class Fresh {
 public:
  std::set<std::string> in(const loop::Stmt& loops) {
    visit(loops);
    std::set<std::string> names;
    for (const auto& [name, writes] : writes_)
      if (writes == 1 && good_.count(name) && !otherwise_.count(name)) names.insert(name);
    return names;
  }

 private:
  void visit(const loop::Stmt& s) {
    if (const auto* d = s.as<loop::Declare>()) {
      reset_at_.erase(d->tensor.name);
      fills_[d->tensor.name] = d->tensor.fill;
    }
    if (const auto* r = s.as<loop::Reset>()) {
      const auto* value = r->value.as<lang::Constant>();
      if (value && value->value == fills_[r->tensor]) reset_at_[r->tensor] = around_.size();
      else otherwise_.insert(r->tensor);
    }
    if (const auto* a = s.as<loop::Assign>()) assignment(*a);
    const auto* f = s.as<loop::For>();
    const bool repeats = f || s.as<loop::While>(), may_not_run = repeats || s.as<loop::If>();
    const auto before = reset_at_;
    if (repeats) around_.push_back(f && !f->until ? f->variable : "");
    loop::map_children(s, [&](const loop::Stmt& child) {
      visit(child);
      if (may_not_run) reset_at_ = before;
      return child;
    }, [](const lang::Expr& e) { return e; });
    if (repeats) around_.pop_back();
  }

  void assignment(const loop::Assign& a) {
    const auto& access = *a.target.as<lang::Access>();
    ++writes_[access.tensor];
    const auto reset = reset_at_.find(access.tensor);
    if (a.op || reset == reset_at_.end()) return;
    std::set<std::string> loops(around_.begin() + static_cast<std::ptrdiff_t>(reset->second), around_.end()), indices;
    for (const lang::Expr& index : access.indices)
      if (const auto* v = index.as<lang::Variable>()) indices.insert(v->name);
    if (indices.size() == access.indices.size() && indices == loops && loops.size() == around_.size() - reset->second) good_.insert(access.tensor);
  }

  std::vector<std::string> around_;  ///< variables of the loops; "" of one that may run any number of times
  std::map<std::string, std::size_t> reset_at_;
  std::map<std::string, format::Value> fills_;
  std::map<std::string, int> writes_;
  std::set<std::string> good_;
  std::set<std::string> otherwise_;  ///< reset to something else than the fill
};

/// A copy of a flow in which other nodes are named as origins.
class Renaming {
 public:
  explicit Renaming(std::function<text::NodeId(text::NodeId)> renamed) : renamed_(std::move(renamed)) {}

  Stmt stmt(const Stmt& s) const {
    const Stmt inner = flow::map_children(
        s, [&](const Stmt& child) { return stmt(child); }, [&](const Expr& child) { return expr(child); });
    if (!inner.as<Coiterate>()) return Stmt(*inner, origin(s.origin()), s.id());
    Coiterate c = *inner.as<Coiterate>();
    for (Coiterate::Point& point : c.points) point.origin = origin(point.origin);
    return Stmt(StmtNode{std::move(c), s->span}, origin(s.origin()), s.id());
  }

 private:
  Expr expr(const Expr& e) const {
    const Expr inner = flow::map_children(e, [&](const Expr& child) { return expr(child); });
    return Expr(*inner, origin(e.origin()), e.id());
  }
  text::Origin origin(const text::Origin& all) const {
    text::Origin result;
    for (const text::NodeId node : all) result = text::merge(result, {renamed_(node)});
    return result;
  }

  std::function<text::NodeId(text::NodeId)> renamed_;
};

}  // namespace

Lowered Lowering::run(const loop::Stmt& loops, const std::string& kernel) {
  for (const std::string& name : Fresh().in(loops))
    if (!program_.tensor(name)) fresh_.insert(name);
  for (const std::string& name : written_in(loops))
    if (program_.tensor(name)) written_.insert(name);
  loop::for_each(loops, [&](const loop::Stmt& s) {
    if (const auto* d = s.as<loop::Declare>()) {
      declared_[d->tensor.name] = d->tensor;
      written_.erase(d->tensor.name);
    }
  });
  for (const lang::TensorInfo& one : program_.tensors)
    if (format::is_sparse_scalar(one.format)) untouched_[one.name] = one.fill;
  Flow flow;
  flow.kernel = kernel;
  Seq all{{stmt(loops)}};
  for (const std::string& name : written_)
    if (lookup(name).sparse()) all.statements.push_back(make(Freeze{name}, loops));
  flow.root = all.statements.size() == 1 ? all.statements.front() : make(std::move(all), loops);
  for (auto f = program_.functions.rbegin(); f != program_.functions.rend(); ++f)
    if (applied_.count(f->name)) flow.functions.push_back(function(*f));
  std::reverse(flow.functions.begin(), flow.functions.end());
  for (const lang::ParameterInfo& parameter : program_.parameters) {
    if (parameters_.count(parameter.name) == 0) continue;
    (parameter.real ? flow.reals : flow.sizes).push_back(parameter.name);
  }
  for (const lang::TensorInfo& info : program_.tensors) {
    const auto used = operands_.find(info.name);
    if (used != operands_.end()) flow.tensors.push_back(used->second);
  }
  flow.tensors.insert(flow.tensors.end(), temporaries_.begin(), temporaries_.end());
  flow.root = mark_writes(of_shown_lattices(flow.root), marks_);
  return {flow::number(flow), std::move(lattices_)};
}

text::NodeId Lowering::in_lattice(int point, int outcome) {
  lattice_nodes_.push_back({within_.lattice, point, outcome});
  return {text::Stage::lattice, static_cast<int>(lattice_nodes_.size()) - 1};
}

text::Origin Lowering::origin(int stmt) const {
  if (inside_function_) return function_;
  if (stmt < 0) return {};
  return text::merge({{text::Stage::loops, stmt}}, around_);
}

/// Of lattices that are alike only one is shown: that is what flow is of.
Stmt Lowering::of_shown_lattices(const Stmt& root) const {
  const std::vector<int> same_as = same_lattices(lattices_);
  std::map<int, NumberedLattice> shown;
  for (const NumberedLattice& one : distinct(lattices_)) shown.emplace(one.number, one);
  const auto number_of = [&](const LatticeNode& node) {
    const NumberedLattice& lattice = shown.at(same_as[static_cast<std::size_t>(node.lattice)]);
    if (node.point < 0) return lattice.id;
    return node.outcome < 0 ? lattice.point_id(node.point) : lattice.outcome_id(node.point, node.outcome);
  };
  return Renaming([&](text::NodeId node) {
           const auto number = static_cast<std::size_t>(node.id);
           if (node.stage == text::Stage::algebra) node.id = same_as[number];
           if (node.stage == text::Stage::lattice) node.id = number_of(lattice_nodes_[number]);
           return node;
         }).stmt(root);
}

const lang::TensorInfo* Lowering::info(const std::string& name) const {
  const auto declared = declared_.find(name);
  return declared != declared_.end() ? &declared->second : program_.tensor(name);
}

namespace {

/// Runs are appended as such; other regions are made of what was appended once the kernel is through (Tensor::settle).
format::Facts appended(const format::Facts& stored) {
  format::Facts facts;
  if (stored.region == format::Region::run) facts = format::facts(format::Level{"sparse_rle", {}});
  facts.wide = stored.wide;
  facts.decreasing = stored.decreasing;
  facts.unique = stored.unique;
  if (!stored.covaries()) return facts;
  facts.single = true;
  facts.child = format::Child::parent;
  facts.positions = false;
  return facts;
}

/// A workspace is a table, whatever regions its declaration asks for: what is in it comes and goes.
format::Facts inserted(const format::Facts& stored, bool last) {
  if (stored.region == format::Region::point && stored.locate != format::Locate::one) return stored;
  return format::facts(format::Level{last ? "bytemap" : "hashed", {}});
}

}  // namespace

// What the kernel appends to is laid out as if it were compressed until the run is over (Tensor::settle); what it inserts into
// is a table of its own.
Tensor Lowering::describe(const lang::TensorInfo& info, const std::string& name, Tensor::Storage storage) {
  Tensor tensor{name, info.type, {}, info.format.order, storage, info.fill, info.format.pattern};
  if (tensor.order.empty()) {
    for (std::size_t d = 0; d < info.shape.size(); ++d) tensor.order.push_back(static_cast<int>(d));
  }
  const std::vector<format::Facts> stored = format::facts(info.format);
  const int statement = std::exchange(stmt_, -1);  // sizes come from wherever they are used
  for (std::size_t level = 0; level < tensor.order.size(); ++level) {
    const auto dimension = static_cast<std::size_t>(tensor.order[level]);
    format::Facts facts = level < stored.size() ? stored[level] : format::facts(format::Level{});
    if (!facts.dense() && storage == Tensor::Storage::result) facts = appended(facts);
    if (!facts.dense() && storage == Tensor::Storage::temporary)
      facts = inserted(facts, level + 1 == tensor.order.size());
    tensor.levels.push_back({expr(lang::to_expr(info.shape[dimension], {})), facts});
  }
  stmt_ = statement;
  return tensor;
}

Tensor& Lowering::lookup(const std::string& name) {
  if (const auto renamed = alive_.find(name); renamed != alive_.end()) {
    return *std::find_if(temporaries_.begin(), temporaries_.end(), [&](const Tensor& t) { return t.name == renamed->second; });
  }
  const auto known = operands_.find(name);
  if (known != operands_.end()) return known->second;
  const lang::TensorInfo* info = program_.tensor(name);
  assert(info && "loops name tensors of the program or declared ones");
  const auto storage = written_.count(name) ? Tensor::Storage::result : Tensor::Storage::operand;
  return operands_.emplace(name, describe(*info, name, storage)).first->second;
}

/// Temporaries of one name in disjoint blocks share their storage when they are alike, else the later one is renamed.
std::string Lowering::declare(const lang::TensorInfo& info) {
  std::string name = info.name;
  declared_[info.name] = info;
  for (int suffix = 2;; ++suffix) {
    const auto taken = std::find_if(temporaries_.begin(), temporaries_.end(), [&](const Tensor& t) { return t.name == name; });
    Tensor tensor = describe(info, name, Tensor::Storage::temporary);
    if (taken == temporaries_.end() && program_.tensor(name) == nullptr) {
      temporaries_.push_back(std::move(tensor));
      break;
    }
    const auto alike_levels = [](const Level& a, const Level& b) { return a.size == b.size && a.facts == b.facts; };
    const bool alike = taken != temporaries_.end() && taken->type == tensor.type && taken->order == tensor.order && taken->fill == tensor.fill &&
                       std::equal(taken->levels.begin(), taken->levels.end(), tensor.levels.begin(), tensor.levels.end(), alike_levels);
    if (alike) break;
    name = info.name + "_" + std::to_string(suffix);
  }
  alive_[info.name] = name;
  return name;
}

Surroundings Lowering::around() const {
  Surroundings result{program_, [this](const std::string& name) { return info(name); }, fresh_, {}};
  for (const std::string& name : written_) {
    const format::Format& stored = program_.tensor(name)->format;
    const bool sparse = std::any_of(stored.levels.begin(), stored.levels.end(),
                                    [](const format::Level& l) { return !format::facts(l).dense(); });
    if (sparse) result.results.insert(name);
  }
  result.appended.insert(result.results.begin(), result.results.end());
  return result;
}

std::string Lowering::fresh(const std::string& name) {
  std::string result = name;
  for (int suffix = 2; names_.count(result) || bound_.count(result); ++suffix) result = name + "_" + std::to_string(suffix);
  return result;
}

// Functions.

Function Lowering::function(const lang::Function& f) {
  inside_function_ = true;
  function_ = f.origin;
  Function result{f.name, {}, {}, steps(f.body), expr(f.result)};
  inside_function_ = false;
  for (const auto& v : f.parameters) result.parameters.push_back({v.name, v.type, {}, {}, Tensor::Storage::temporary});
  for (const auto& v : f.locals) result.locals.push_back({v.name, v.type, {}, {}, Tensor::Storage::temporary});
  for (int place = 0; place < std::ssize(f.parameters); ++place) result.annihilators.push_back(f.annihilators(place));
  return result;
}

Stmt Lowering::steps(const std::vector<lang::FunctionStep>& all) {
  Seq seq;
  for (const lang::FunctionStep& step : all) {
    const auto add = [&](auto node) { seq.statements.push_back(Stmt(StmtNode{std::move(node), step->span}, function_)); };
    step.match([&](const lang::FunctionAssign& a) { add(Assign{a.name, root(), {}, expr(a.value)}); },
               [&](const lang::FunctionWhile& w) {
                 Expr condition = expr(w.condition);
                 add(While{condition, steps(w.body)});
               },
               [&](const lang::FunctionIf& i) {
                 If lowered{expr(i.condition), steps(i.then), {}};
                 if (!i.otherwise.empty()) lowered.otherwise = steps(i.otherwise);
                 add(std::move(lowered));
               });
  }
  return Stmt(StmtNode{std::move(seq), {}}, function_);
}

Lowered lower(const loop::Stmt& loops, const lang::Program& program, const std::string& kernel) {
  Lowered lowered = Lowering(program).run(loops, kernel);
  assert(flow::verify(lowered.flow).empty());
  return lowered;
}

}  // namespace trellis::coiterate
