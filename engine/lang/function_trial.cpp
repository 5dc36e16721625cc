#include "engine/lang/function_trial.hpp"

#include <cmath>
#include <random>

#include "engine/lang/function_apply.hpp"

namespace trellis::lang {

using format::ScalarType;
using format::Value;
using Values = std::vector<Value>;

namespace {

constexpr std::int64_t steps_each = 20000;  ///< of one application
constexpr std::int64_t steps_all = 2000000;

std::vector<Value> samples(ScalarType type, std::mt19937_64& random) {
  if (format::is_boolean(type)) return {Value::truth(false), Value::truth(true)};
  Values values;
  const bool negative = format::is_signed(type) || format::is_floating(type);
  for (int v = 0; v <= 4; ++v) {
    values.push_back(Value::of(type, v));
    if (negative && v > 0) values.push_back(Value::of(type, -v));
  }
  for (int i = 0; i < 4; ++i) {
    const auto drawn = static_cast<double>(random() % 200);
    values.push_back(Value::of(type, format::is_floating(type) ? (drawn - 100) / 8 : negative ? drawn - 100 : drawn));
  }
  return values;
}

bool same(const Value& a, const Value& b) {
  if (!format::is_floating(a.type)) return a == b;
  if (std::isnan(a.real) && std::isnan(b.real)) return true;
  if (a.real == b.real) return true;
  return std::abs(a.real - b.real) <= 1e-6 * std::max(1.0, std::max(std::abs(a.real), std::abs(b.real)));
}

class Trials {
 public:
  Trials(const Function& function, const std::vector<Function>& functions)
      : function_(function), functions_(functions) {
    std::mt19937_64 random(20260701);
    for (const auto& parameter : function.parameters) samples_.push_back(samples(parameter.type, random));
  }

  Trial run(const std::vector<LiteralClause>& clauses) {
    const FunctionProperties& p = function_.properties;
    if (p.commutative)
      each(2, "commutative", [&](const Values& v) { compare(call({v[0], v[1]}), call({v[1], v[0]})); });
    if (p.associative) each(3, "associative", [&](const Values& v) { associative(v[0], v[1], v[2]); });
    if (p.idempotent) each(2, "idempotent", [&](const Values& v) { idempotent(v); });
    for (const auto& special : p.identities) identity(special);
    for (const auto& special : p.annihilators)
      special_result("annihilator " + to_string(special.value), special, special.value);
    for (const auto& constant : p.constants)
      special_result("constant " + to_string(constant.when.value), constant.when, constant.result);
    for (const LiteralClause& clause : clauses) agree(clause);
    return std::move(trial_);
  }

 private:
  /// A value and how it was come by: "f(1, 2)".
  struct Result {
    std::string text;
    std::optional<Value> value;
  };

  Result named(const Value& value) const { return {to_string(value), value}; }

  Result call(const std::vector<Result>& arguments) {
    Result result{function_.definition + "(", {}};
    Values values;
    for (const Result& argument : arguments) {
      result.text += (values.empty() ? "" : ", ") + argument.text;
      if (!argument.value) return result;
      values.push_back(*argument.value);
    }
    result.text += ")";
    result.value = value_of(function_, values);
    return result;
  }
  Result call(const Values& values) {
    std::vector<Result> arguments;
    for (const Value& value : values) arguments.push_back(named(value));
    return call(arguments);
  }

  std::optional<Value> value_of(const Function& function, const Values& values) {
    if (endless_) return std::nullopt;
    const Applied applied = apply(function, values, functions_, steps_each);
    if (applied.end == Applied::End::endless) {
      endless_ = true;
      std::string list;
      for (const Value& value : values) list += (list.empty() ? "" : ", ") + to_string(value);
      trial_.unchecked = what_ + " of " + function_.definition + " could not be checked: " + function_.definition +
                         "(" + list + ") takes more than " + std::to_string(steps_each) + " steps";
    }
    return applied.end == Applied::End::finished ? std::optional(applied.value) : std::nullopt;
  }

  void compare(const Result& left, const Result& right) {
    if (!left.value || !right.value || same(*left.value, *right.value)) return;
    trial_.failure = what_ + " fails: " + left.text + " = " + to_string(*left.value) + " but " + right.text +
                     (right.text.ends_with(to_string(*right.value)) ? "" : " = " + to_string(*right.value));
  }

  /// Calls `check` with each choice of `count` operands (those of the function, the last one repeated).
  template <class F>
  void each(std::size_t count, const std::string& what, F&& check) {
    what_ = what;
    std::vector<std::size_t> at(count, 0);
    const auto& of = [&](std::size_t i) -> const Values& { return samples_[std::min(i, samples_.size() - 1)]; };
    for (std::int64_t done = 0; done < steps_all / 1000 && open(); ++done) {
      Values values;
      for (std::size_t i = 0; i < count; ++i) values.push_back(of(i)[at[i]]);
      check(values);
      std::size_t i = count;
      while (i > 0 && ++at[i - 1] == of(i - 1).size()) at[--i] = 0;
      if (i == 0) return;
    }
  }

  bool open() const { return trial_.failure.empty() && !endless_; }

  void associative(const Value& a, const Value& b, const Value& c) {
    compare(call({call({a, b}), named(c)}), call({named(a), call({b, c})}));
  }

  /// Idempotence and identities hold for what the function gives: gcd(0, -4) is 4, and gcd(0, 4) as well.
  void idempotent(const Values& v) {
    const Result given = call(v);
    if (given.value) compare(call({*given.value, *given.value}), named(*given.value));
  }

  void identity(const FunctionProperties::Special& special) {
    const std::size_t operands = samples_.size();
    each(operands, "identity " + to_string(special.value), [&](const Values& v) {
      const Result given = call(v);
      for (std::size_t i = 0; given.value && i < operands && open(); ++i) {
        if (operands != 2 || (special.position && *special.position != static_cast<int>(i))) continue;
        Values around{*given.value, *given.value};
        if (around[0].type != function_.parameters[1 - i].type) continue;
        around[i] = special.value;
        compare(call(around), named(*given.value));
      }
    });
  }

  void special_result(const std::string& what, const FunctionProperties::Special& special, const Value& result) {
    each(samples_.size(), what, [&](const Values& v) {
      for (std::size_t i = 0; i < v.size() && open(); ++i) {
        if (special.position && *special.position != static_cast<int>(i)) continue;
        Values with = v;
        with[i] = special.value;
        compare(call(with), named(result));
      }
    });
  }

  void agree(const LiteralClause& clause) {
    std::string patterns;
    for (std::size_t i = 0; i < clause.operands.size(); ++i)
      patterns +=
          (i ? ", " : "") + (clause.operands[i] ? to_string(*clause.operands[i]) : clause.function.parameters[i].name);
    each(samples_.size(), "clause " + patterns, [&](Values v) {
      for (std::size_t i = 0; i < v.size(); ++i)
        if (clause.operands[i]) v[i] = *clause.operands[i];
      compare(call(v), {"the clause gives " + to_string(value_of(clause.function, v).value_or(Value{})),
                        value_of(clause.function, v)});
    });
  }

  const Function& function_;
  const std::vector<Function>& functions_;
  std::vector<Values> samples_;
  std::string what_;
  bool endless_ = false;
  Trial trial_;
};

}  // namespace

Trial try_out(const Function& function, const std::vector<LiteralClause>& clauses,
              const std::vector<Function>& functions) {
  return Trials(function, functions).run(clauses);
}

}  // namespace trellis::lang
