#include "engine/lang/function_apply.hpp"

#include <cassert>
#include <map>

namespace trellis::lang {

using format::Value;

namespace {

/// One application. What cannot be computed leaves `end_` set; values after that mean nothing.
class Application {
 public:
  Application(const std::vector<Function>& functions, std::int64_t& steps) : functions_(functions), steps_(steps) {}

  Applied run(const Function& function, const std::vector<Value>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) locals_[function.parameters[i].name] = arguments[i];
    for (const Function::Variable& local : function.locals) locals_[local.name] = Value::of(local.type, 0);
    steps(function.body);
    const Value result = on() ? value(function.result) : Value{};
    return {end_, result};
  }

 private:
  bool on() const { return end_ == Applied::End::finished; }

  bool begin() {
    if (--steps_ < 0) end_ = Applied::End::endless;
    return on();
  }

  void steps(const std::vector<FunctionStep>& all) {
    for (const FunctionStep& step : all)
      if (begin()) run(step);
  }

  void run(const FunctionStep& step) {
    step.match([&](const FunctionAssign& a) { locals_[a.name] = value(a.value); },
               [&](const FunctionWhile& w) {
                 while (begin() && value(w.condition).is_true() && on()) steps(w.body);
               },
               [&](const FunctionIf& i) {
                 const bool holds = value(i.condition).is_true();
                 if (on()) steps(holds ? i.then : i.otherwise);
               });
  }

  std::vector<Value> values(const std::vector<Expr>& all) {
    std::vector<Value> result;
    for (const Expr& e : all) result.push_back(value(e));
    return result;
  }

  Value binary(const Binary& b) {
    const Value left = value(b.left);
    if (b.op == format::BinaryOp::logical_and && !left.is_true()) return Value::truth(false);
    if (b.op == format::BinaryOp::logical_or && left.is_true()) return Value::truth(true);
    const Value right = value(b.right);
    if (format::is_logical(b.op)) return right;
    format::Fault fault = format::Fault::none;
    const Value result = format::apply(b.op, left, right, fault);
    if (fault != format::Fault::none && on()) end_ = Applied::End::division;
    return result;
  }

  Value application(const Apply& a) {
    const std::vector<Value> arguments = values(a.arguments);
    if (!begin()) return {};
    const Applied inner = Application(functions_, steps_).run(function_named(functions_, a.function), arguments);
    if (on()) end_ = inner.end;
    return inner.value;
  }

  Value value(const Expr& e) {
    return e.match([](const Constant& c) { return c.value; }, [&](const Variable& v) { return locals_.at(v.name); },
                   [&](const Unary& u) { return format::apply(u.op, value(u.operand)); },
                   [&](const Binary& b) { return binary(b); },
                   [&](const Select& s) { return value(s.condition).is_true() ? value(s.then) : value(s.otherwise); },
                   [&](const Cast& c) { return format::cast(e->type, value(c.operand)); },
                   [&](const Call& c) {
                     const std::vector<Value> arguments = values(c.arguments);
                     return format::apply(c.function, arguments.data(), static_cast<int>(arguments.size()));
                   },
                   [&](const Apply& a) { return application(a); },
                   [](const auto&) {
                     assert(false && "functions compute with their operands alone");
                     return Value{};
                   });
  }

  const std::vector<Function>& functions_;
  std::int64_t& steps_;
  std::map<std::string, Value> locals_;
  Applied::End end_ = Applied::End::finished;
};

}  // namespace

std::optional<Value> Function::identity() const {
  for (const FunctionProperties::Special& special : properties.identities)
    if (!special.position || *special.position == 0) return special.value;
  return std::nullopt;
}

std::vector<Value> Function::annihilators(int place) const {
  std::vector<Value> values;
  for (const FunctionProperties::Special& special : properties.annihilators)
    if (special.position.value_or(place) == place) values.push_back(special.value);
  return values;
}

std::string definition_of(const std::string& instance) { return instance.substr(0, instance.rfind('_')); }

Applied apply(const Function& function, const std::vector<Value>& arguments, const std::vector<Function>& functions,
              std::int64_t limit) {
  return Application(functions, limit).run(function, arguments);
}

const Function& function_named(const std::vector<Function>& functions, const std::string& name) {
  for (const Function& function : functions)
    if (function.name == name) return function;
  assert(false && "every application's function is among the program's");
  return functions.front();
}

}  // namespace trellis::lang
