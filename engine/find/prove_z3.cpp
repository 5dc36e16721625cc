// The only file that includes Z3. Its context, and all questions, are those of one thread at a time (prove.cpp).
#include "engine/find/provers.hpp"

#ifdef TRELLIS_HAS_Z3

#include <z3++.h>

#include <algorithm>

namespace trellis::find {

namespace {

/// In Z3's own units: some 20 ms.
constexpr unsigned limit = 100000;

class Pair {
 public:
  Pair(const Query& query, std::size_t same) : query_(query), solver_(context_) {
    z3::params parameters(context_);
    parameters.set("rlimit", limit);
    solver_.set(parameters);
    for (const bool first : {true, false}) add_bounds(first);
    add_order(same);
    for (const Term& one : query.fiber) solver_.add(of(one, true) == of(one, false));
    asked_first_ = std::make_unique<z3::expr>(of(query.asked, true));
    asked_second_ = std::make_unique<z3::expr>(of(query.asked, false));
    add_promises();
  }

  Answer never_falls() {
    solver_.add(*asked_first_ > *asked_second_);
    const z3::check_result found = solver_.check();
    if (found == z3::unsat) return {Verdict::proven, {}, "Z3"};
    if (found == z3::unknown) return {Verdict::unknown, {}, "Z3"};
    return {Verdict::refuted, small(), "Z3"};
  }

 private:
  /// A value of an index tensor that the question is about.
  struct Value {
    std::string tensor;
    std::vector<z3::expr> indices;
    z3::expr value;
  };

  z3::expr variable(const std::string& name, bool first) {
    const bool own = std::ranges::any_of(query_.loops, [&](const Loop& l) { return l.variable == name; });
    return context_.int_const((own && first ? name + "'" : name).c_str());
  }

  z3::expr of(const Term& term, bool first) {
    const auto part = [&] { return of(term.parts.front(), first); };
    switch (term.kind) {
      case Term::Kind::number: return context_.int_val(term.number);
      case Term::Kind::name: return variable(term.name, first);
      case Term::Kind::applied: return value(term, first);
      case Term::Kind::sum: {
        z3::expr all = context_.int_val(0);
        for (const Term& one : term.parts) all = all + of(one, first);
        return all;
      }
      case Term::Kind::scaled: return context_.int_val(term.number) * part();
      case Term::Kind::quotient: return part() / context_.int_val(term.number);
      case Term::Kind::remainder: return z3::mod(part(), context_.int_val(term.number));
    }
    return context_.int_val(0);
  }

  z3::expr value(const Term& term, bool first) {
    z3::expr_vector indices(context_);
    std::vector<z3::expr> all;
    for (const Term& index : term.parts) {
      all.push_back(of(index, first));
      indices.push_back(all.back());
    }
    std::vector<z3::sort> sorts(all.size(), context_.int_sort());
    const z3::func_decl tensor =
        context_.function(term.name.c_str(), static_cast<unsigned>(sorts.size()), sorts.data(), context_.int_sort());
    const z3::expr result = tensor(indices);
    values_.push_back({term.name, std::move(all), result});
    return result;
  }

  void add_bounds(bool first) {
    for (const Loop& l : query_.loops) {
      if (l.low) solver_.add(of(*l.low, first) <= variable(l.variable, first));
      if (l.high) solver_.add(variable(l.variable, first) < of(*l.high, first));
    }
    for (const math::Constraint& c : query_.assumed) solver_.add(holds(c));
  }

  z3::expr holds(const math::Constraint& c) {
    const z3::expr left = of(term(c.left), false), right = of(term(c.right), false);
    switch (c.relation) {
      case math::Relation::less: return left < right;
      case math::Relation::less_equal: return left <= right;
      case math::Relation::equal: return left == right;
      case math::Relation::not_equal: return left != right;
      case math::Relation::greater_equal: return left >= right;
      case math::Relation::greater: return left > right;
    }
    return left == right;
  }

  /// The outermost loops stand still; at the first difference the first iteration comes first.
  void add_order(std::size_t same) {
    z3::expr equal = context_.bool_val(true), before = context_.bool_val(false);
    for (std::size_t l = 0; l < query_.loops.size(); ++l) {
      const Loop& loop = query_.loops[l];
      const z3::expr a = variable(loop.variable, true), b = variable(loop.variable, false);
      if (l < same) {
        solver_.add(a == b);
        continue;
      }
      before = before || (equal && (loop.way == Loop::Way::up ? a < b : loop.way == Loop::Way::down ? a > b : a != b));
      equal = equal && a == b;
    }
    solver_.add(before);
  }

  /// Of each pair of values, and each one.
  void add_promises() {
    for (std::size_t a = 0; a < values_.size(); ++a) {
      const auto found = query_.promises.find(values_[a].tensor);
      if (found == query_.promises.end()) continue;
      const format::Promises& promises = found->second;
      if (promises.low) solver_.add(of(term(*promises.low), false) <= values_[a].value);
      if (promises.high) solver_.add(values_[a].value < of(term(*promises.high), false));
      for (std::size_t b = 0; b < values_.size(); ++b)
        if (a != b && values_[b].tensor == values_[a].tensor) add_promises(promises, values_[a], values_[b]);
    }
  }

  void add_promises(const format::Promises& promises, const Value& a, const Value& b) {
    z3::expr above = context_.bool_val(true);
    for (std::size_t d = 0; d + 1 < a.indices.size(); ++d) above = above && a.indices[d] == b.indices[d];
    const z3::expr &x = a.indices.back(), &y = b.indices.back();
    const z3::expr before = above && x < y;
    if (promises.sorted) solver_.add(z3::implies(before, promises.strictly ? a.value < b.value : a.value <= b.value));
    if (promises.decreasing)
      solver_.add(z3::implies(before, promises.strictly ? a.value > b.value : a.value >= b.value));
    if (promises.injective) solver_.add(z3::implies(a.value == b.value, above && x == y));
  }

  /// With numbers as small as may be.
  Example small() {
    for (const int bound : {1, 2, 3, 5, 8, 13, 40}) {
      solver_.push();
      for (const Loop& l : query_.loops)
        for (const bool first : {true, false}) solver_.add(variable(l.variable, first) <= bound);
      for (const Value& v : values_) solver_.add(v.value <= bound && v.value >= -bound);
      const bool found = solver_.check() == z3::sat;
      const std::optional<Example> example = found ? std::optional(read(solver_.get_model())) : std::nullopt;
      solver_.pop();
      if (example) return *example;
    }
    if (solver_.check() == z3::sat) return read(solver_.get_model());
    return {};
  }

  Example read(const z3::model& model) {
    const auto number = [&](const z3::expr& e) {
      std::int64_t value = 0;
      return model.eval(e, true).is_numeral_i64(value) ? value : 0;
    };
    Example example;
    for (const Loop& l : query_.loops) {
      example.first.emplace_back(l.variable, number(variable(l.variable, true)));
      example.second.emplace_back(l.variable, number(variable(l.variable, false)));
    }
    for (const Value& v : values_) {
      std::string element = v.tensor + "(";
      for (const z3::expr& index : v.indices)
        element += (element.back() == '(' ? "" : ",") + std::to_string(number(index));
      const std::pair<std::string, std::int64_t> one{element + ")", number(v.value)};
      if (std::ranges::find(example.values, one) == example.values.end()) example.values.push_back(one);
    }
    example.asked_first = number(*asked_first_);
    example.asked_second = number(*asked_second_);
    return example;
  }

  const Query& query_;
  z3::context context_;
  z3::solver solver_;
  std::vector<Value> values_;
  std::unique_ptr<z3::expr> asked_first_, asked_second_;
};

}  // namespace

bool has_prover_of_functions() { return true; }

Answer never_falls_by_z3(const Query& query, std::size_t same) {
  try {
    return Pair(query, same).never_falls();
  } catch (const z3::exception&) { return {Verdict::unknown, {}, "Z3"}; }
}

}  // namespace trellis::find

#else

namespace trellis::find {

bool has_prover_of_functions() { return false; }
Answer never_falls_by_z3(const Query&, std::size_t) { return {}; }

}  // namespace trellis::find

#endif
