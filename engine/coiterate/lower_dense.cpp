#include "engine/coiterate/lower_dense.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace trellis::coiterate {

namespace {

using format::ScalarType;

class Lowering {
 public:
  Lowering(const lang::Program& program, AffineIndices indices) : program_(program), indices_(indices) {}

  Flow run(const loop::Stmt& loops, const std::string& kernel) {
    Flow flow;
    flow.kernel = kernel;
    flow.root = stmt(loops);
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
    return number(flow);
  }

 private:
  // Tensors.

  Tensor describe(const lang::TensorInfo& info, const std::string& name) {
    Tensor tensor{name, info.type, {}, info.format.order, Tensor::Storage::operand};
    if (tensor.order.empty()) {
      for (std::size_t d = 0; d < info.shape.size(); ++d) tensor.order.push_back(static_cast<int>(d));
    }
    for (int dimension : tensor.order) {
      tensor.levels.push_back({expr(lang::to_expr(info.shape[static_cast<std::size_t>(dimension)], {}))});
    }
    return tensor;
  }

  Tensor& lookup(const std::string& name) {
    if (const auto renamed = alive_.find(name); renamed != alive_.end()) {
      return *std::find_if(temporaries_.begin(), temporaries_.end(),
                           [&](const Tensor& t) { return t.name == renamed->second; });
    }
    const auto known = operands_.find(name);
    if (known != operands_.end()) return known->second;
    const lang::TensorInfo* info = program_.tensor(name);
    assert(info && "loops name tensors of the program or declared ones");
    return operands_.emplace(name, describe(*info, name)).first->second;
  }

  Tensor& written(const std::string& name) {
    Tensor& tensor = lookup(name);
    if (tensor.storage == Tensor::Storage::operand) tensor.storage = Tensor::Storage::result;
    return tensor;
  }

  /// Temporaries of one name in disjoint blocks share their storage when they are alike, else the later one is renamed.
  std::string declare(const lang::TensorInfo& info) {
    std::string name = info.name;
    for (int suffix = 2;; ++suffix) {
      const auto taken = std::find_if(temporaries_.begin(), temporaries_.end(),
                                      [&](const Tensor& t) { return t.name == name; });
      Tensor tensor = describe(info, name);
      tensor.storage = Tensor::Storage::temporary;
      if (taken == temporaries_.end() && program_.tensor(name) == nullptr) {
        temporaries_.push_back(std::move(tensor));
        break;
      }
      const bool alike = taken != temporaries_.end() && taken->type == tensor.type && taken->order == tensor.order &&
                         std::equal(taken->levels.begin(), taken->levels.end(), tensor.levels.begin(),
                                    tensor.levels.end(),
                                    [](const Level& a, const Level& b) { return a.size == b.size; });
      if (alike) break;
      name = info.name + "_" + std::to_string(suffix);
    }
    alive_[info.name] = name;
    return name;
  }

  // Expressions.

  text::Origin origin() const { return {{text::Stage::loops, stmt_}}; }

  template <class Node>
  Expr make(Node node, const lang::Expr& from) {
    return Expr(ExprNode{std::move(node), from->type, from->span}, origin());
  }

  Expr expr(const lang::Expr& e) {
    return e.match([&](const lang::Constant& c) { return make(Constant{c.value}, e); },
                   [&](const lang::Parameter& p) {
                     parameters_.insert(p.name);
                     const lang::ParameterInfo* info = program_.parameter(p.name);
                     const bool real = info && info->real;
                     return make(Name{real ? Name::Kind::real : Name::Kind::size, p.name}, e);
                   },
                   [&](const lang::Variable& v) {
                     return inside_function_ ? make(Value{v.name, root()}, e) : make(Name{Name::Kind::variable, v.name}, e);
                   },
                   [&](const lang::Access& a) {
                     Position at = position(a, lookup(a.tensor));
                     return make(Value{lookup(a.tensor).name, at}, e);
                   },
                   [&](const lang::Unary& u) { return make(Unary{u.op, expr(u.operand)}, e); },
                   [&](const lang::Binary& b) {
                     Expr left = expr(b.left);
                     Expr right = expr(b.right);
                     return make(Binary{b.op, left, right}, e);
                   },
                   [&](const lang::Select& s) {
                     Expr condition = expr(s.condition);
                     Expr then = expr(s.then);
                     Expr otherwise = expr(s.otherwise);
                     return make(Select{condition, then, otherwise}, e);
                   },
                   [&](const lang::Cast& c) { return make(Cast{expr(c.operand)}, e); },
                   [&](const lang::Call& c) {
                     Call call{c.function, {}};
                     for (const lang::Expr& argument : c.arguments) call.arguments.push_back(expr(argument));
                     return make(std::move(call), e);
                   },
                   [&](const lang::Apply& a) {
                     applied_.insert(a.function);
                     Apply apply{a.function, {}};
                     for (const lang::Expr& argument : a.arguments) apply.arguments.push_back(expr(argument));
                     return make(std::move(apply), e);
                   },
                   [&](const lang::Reduce&) {
                     assert(false && "loops hold no reductions");
                     return integer(0);
                   });
  }

  // Functions.

  Function function(const lang::Function& f) {
    inside_function_ = true;
    Function result{f.name, {}, {}, steps(f.body), expr(f.result)};
    inside_function_ = false;
    for (const auto& v : f.parameters) result.parameters.push_back({v.name, v.type, {}, {}, Tensor::Storage::temporary});
    for (const auto& v : f.locals) result.locals.push_back({v.name, v.type, {}, {}, Tensor::Storage::temporary});
    return result;
  }

  Stmt steps(const std::vector<lang::FunctionStep>& all) {
    Seq seq;
    for (const lang::FunctionStep& step : all) {
      const auto add = [&](auto node) { seq.statements.push_back(Stmt(StmtNode{std::move(node), step->span})); };
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
    return Stmt(StmtNode{std::move(seq), {}});
  }

  Position position(const lang::Access& access, const Tensor& tensor) {
    assert(!access.step && "placement has turned timesteps into buffers");
    const std::string name = tensor.name;
    const std::vector<int> order = tensor.order;
    Position at = root();
    for (std::size_t level = 0; level < order.size(); ++level) {
      const lang::Expr& index = access.indices[static_cast<std::size_t>(order[level])];
      std::optional<Site> check;
      if (indices_ == AffineIndices::checked || depends_on_data(index)) {
        const auto* implied = index.as<lang::Cast>();  // to i64, by the resolver
        check = Site{index->span, "index " + lang::to_string(implied ? implied->operand : index) + " of " + access.tensor};
      }
      at = Position(PositionNode{Direct{name, static_cast<int>(level), at, expr(index), check}}, origin());
    }
    return at;
  }

  bool depends_on_data(const lang::Expr& index) const {
    const std::optional<math::Affine> affine = lang::affine(index);
    if (!affine) return true;
    return std::any_of(data_.begin(), data_.end(), [&](const std::string& name) { return affine->mentions(name); });
  }

  // Statements.

  template <class Node>
  Stmt make(Node node, const loop::Stmt& from) {
    return Stmt(StmtNode{std::move(node), from->span}, {{text::Stage::loops, from.id()}});
  }

  Stmt stmt(const loop::Stmt& s) {
    const int outer = stmt_;
    stmt_ = s.id();
    Stmt lowered = s.match(
        [&](const loop::Block& b) { return make(block(b), s); },
        [&](const loop::For& f) { return make(loop(f), s); },
        [&](const loop::While& w) {
          Expr condition = expr(w.condition);
          return make(While{condition, stmt(w.body)}, s);
        },
        [&](const loop::If& i) {
          If result{expr(i.condition), stmt(i.then), std::nullopt};
          if (i.otherwise) result.otherwise = stmt(*i.otherwise);
          return make(std::move(result), s);
        },
        [&](const loop::Let& l) {
          Expr value = expr(l.value);
          const bool added = depends_on_data(l.value) && data_.insert(l.name).second;
          Stmt body = stmt(l.body);
          if (added) data_.erase(l.name);
          return make(Let{l.name, value, body}, s);
        },
        [&](const loop::Declare& d) { return make(Declare{declare(d.tensor)}, s); },
        [&](const loop::Assign& a) { return make(assign(a), s); },
        [&](const loop::Reset& r) {
          Expr value = expr(r.value);
          return make(Reset{written(r.tensor).name, value}, s);
        },
        [&](const loop::Lifecycle&) { return make(Seq{}, s); },  // dense storage is always both readable and writable
        [&](const loop::Note& n) { return make(Note{n.text}, s); });
    stmt_ = outer;
    return lowered;
  }

  Seq block(const loop::Block& b) {
    const std::map<std::string, std::string> outside = alive_;
    Seq seq;
    for (const loop::Stmt& inner : b.statements) {
      if (!inner.as<loop::Lifecycle>()) seq.statements.push_back(stmt(inner));
    }
    alive_ = outside;
    return seq;
  }

  Loop loop(const loop::For& f) {
    Loop l{f.variable, expr(f.low), expr(f.high), Loop::Direction::up, Loop::Execution::serial, {}, f.unroll, {}};
    if (f.descending) l.direction = Loop::Direction::down;
    if (f.execution == loop::For::Execution::parallel) l.execution = Loop::Execution::parallel;
    if (f.execution == loop::For::Execution::vectorized) l.execution = Loop::Execution::vector;
    for (const std::string& tensor : f.reduces) l.reduces.push_back(lookup(tensor).name);
    const bool hidden = data_.erase(f.variable) > 0;
    l.body = stmt(f.body);
    if (f.until) l.until = expr(*f.until);
    if (hidden) data_.insert(f.variable);
    return l;
  }

  Assign assign(const loop::Assign& a) {
    const lang::Access& access = *a.target.as<lang::Access>();
    Position at = position(access, written(access.tensor));
    return {lookup(access.tensor).name, at, a.op, expr(a.value)};
  }

  const lang::Program& program_;
  AffineIndices indices_;
  std::map<std::string, Tensor> operands_;
  std::vector<Tensor> temporaries_;
  std::map<std::string, std::string> alive_;  ///< temporaries in scope, and what they are called in the flow
  std::set<std::string> parameters_;
  std::set<std::string> data_;  ///< variables whose values no proof covers
  std::set<std::string> applied_;  ///< functions
  bool inside_function_ = false;
  int stmt_ = -1;
};

}  // namespace

Flow lower_dense(const loop::Stmt& loops, const lang::Program& program, const std::string& kernel,
                 AffineIndices indices) {
  Flow flow = Lowering(program, indices).run(loops, kernel);
  assert(verify(flow).empty());
  return flow;
}

}  // namespace trellis::coiterate
