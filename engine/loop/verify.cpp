#include <set>

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

namespace {

using format::ScalarType;

/// Walks the tree with the names in scope; stops at the first thing that is broken.
class Verifier {
 public:
  explicit Verifier(const lang::Program& program) : program_(program) {}

  std::string run(const Stmt& stmt) {
    check(stmt);
    return broken_;
  }

 private:
  const lang::TensorInfo* tensor(const std::string& name) const {
    for (auto it = declared_.rbegin(); it != declared_.rend(); ++it) {
      if (it->name == name) return &*it;
    }
    return program_.tensor(name);
  }

  void require(bool holds, const std::string& what) {
    if (!holds && broken_.empty()) broken_ = what;
  }

  void check(const Expr& expr) {
    if (!expr) return require(false, "a missing expression");
    const std::string shown = broken_.empty() ? lang::to_string(expr) : "";
    if (expr.as<lang::Reduce>()) return require(false, "a reduction in a loop: " + shown);
    if (auto* v = expr.as<lang::Variable>()) require(bound_.contains(v->name), "unbound variable " + v->name);
    if (auto* p = expr.as<lang::Parameter>()) require(program_.parameter(p->name), "unknown parameter " + p->name);
    if (auto* b = expr.as<lang::Binary>()) {
      const bool shift = b->op == format::BinaryOp::shift_left || b->op == format::BinaryOp::shift_right;
      require(shift || b->left->type == b->right->type, "operands of two types: " + shown);
    }
    if (auto* a = expr.as<lang::Access>()) check_access(expr, *a, shown);
    lang::for_each_child(expr, [&](const Expr& child) { check(child); });
  }

  void check_access(const Expr& expr, const lang::Access& access, const std::string& shown) {
    const lang::TensorInfo* info = tensor(access.tensor);
    if (!info) return require(false, "tensor used outside the block that declares it, or unknown: " + access.tensor);
    require(info->shape.size() == access.indices.size(), "wrong number of indices: " + shown);
    require(info->type == expr->type, "wrong type of access: " + shown);
    require(!access.step, "a timestep in a loop: " + shown);
    for (const Expr& index : access.indices) {
      require(index && index->type == ScalarType::i64, "an index that is no i64: " + shown);
    }
  }

  void check_type(const Expr& expr, ScalarType type, const std::string& what) {
    require(expr && expr->type == type, what + " must be " + std::string(format::name_of(type)));
  }

  void check_body(const Stmt& body) {
    require(body && body.as<Block>(), "a body that is no block");
    if (body) check(body);
  }

  void bind(const std::string& name, const Stmt& body) {
    const bool fresh = bound_.insert(name).second;
    require(fresh, "name bound twice on one path: " + name);
    check_body(body);
    if (fresh) bound_.erase(name);
  }

  void check(const Stmt& stmt) {
    if (!stmt) return require(false, "a missing statement");
    stmt.match(
        [&](const Block& b) {
          const std::size_t outer = declared_.size();
          for (const Stmt& child : b.statements) check(child);
          declared_.resize(outer);
        },
        [&](const For& f) { check_for(f); },
        [&](const While& w) {
          check(w.condition);
          check_type(w.condition, ScalarType::boolean, "a condition");
          check_body(w.body);
        },
        [&](const If& i) {
          check(i.condition);
          check_type(i.condition, ScalarType::boolean, "a condition");
          check_body(i.then);
          if (i.otherwise) check_body(*i.otherwise);
        },
        [&](const Let& l) {
          check(l.value);
          bind(l.name, l.body);
        },
        [&](const Declare& d) {
          require(!tensor(d.tensor.name), "tensor declared twice: " + d.tensor.name);
          declared_.push_back(d.tensor);
        },
        [&](const Assign& a) { check_assign(a); },
        [&](const Reset& r) {
          const lang::TensorInfo* info = tensor(r.tensor);
          require(info, "tensor used outside the block that declares it, or unknown: " + r.tensor);
          check(r.value);
          if (info) check_type(r.value, info->type, "the new value of " + r.tensor);
        },
        [&](const Lifecycle& l) {
          require(tensor(l.tensor), "tensor used outside the block that declares it, or unknown: " + l.tensor);
        },
        [&](const Exchange& e) {
          require(tensor(e.tensor), "tensor used outside the block that declares it, or unknown: " + e.tensor);
          for (const Expr& key : e.keys) {
            check(key);
            check_type(key, ScalarType::i64, "where an exchange stands");
          }
        },
        [&](const Note&) {});
  }

  void check_for(const For& f) {
    check(f.low);
    check(f.high);
    check_type(f.low, ScalarType::i64, "a bound");
    check_type(f.high, ScalarType::i64, "a bound");
    require(f.unroll >= 1, "an unroll factor below 1");
    require(f.jam == 1 || (lang::is_jam(f.jam) && !f.until), "a jammed loop that ends early");
    require(f.lanes == 1 || (f.execution == For::Execution::vectorized && lang::is_lanes(f.lanes)),
            "a loop that adds up in parts, but not in vectors");
    require(f.reduces.empty() || f.kind == For::Kind::forall, "a serial loop that reduces");
    for (const std::string& name : f.reduces) require(tensor(name), "reduces an unknown tensor: " + name);
    bind(f.variable, f.body);
    if (!f.until) return;
    require(f.kind == For::Kind::serial, "a forall with an early exit");
    const bool fresh = bound_.insert(f.variable).second;
    check(*f.until);
    check_type(*f.until, ScalarType::boolean, "an until");
    if (fresh) bound_.erase(f.variable);
  }

  void check_assign(const Assign& a) {
    require(a.target && a.target.as<lang::Access>(), "an assignment to something that is no access");
    require(!a.op || !format::is_arg(*a.op), "an argmin or argmax update");
    check(a.target);
    check(a.value);
    if (a.target && a.value) {
      require(a.target->type == a.value->type,
              "an assignment of another type: " + lang::to_string(a.target) + " and " + lang::to_string(a.value));
    }
  }

  const lang::Program& program_;
  std::set<std::string> bound_;
  std::vector<lang::TensorInfo> declared_;
  std::string broken_;
};

}  // namespace

std::string verify(const Stmt& stmt, const lang::Program& program) { return Verifier(program).run(stmt); }

}  // namespace trellis::loop
