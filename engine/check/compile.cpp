// Equations to instructions.

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/check/code.hpp"

namespace trellis::check {

using format::BinaryOp;
using format::ScalarType;
using format::Value;
using lang::Expr;
using math::Affine;

namespace {

class Compiler {
 public:
  Compiler(const lang::Program& program, const std::vector<std::string>& tensors, const Values& parameters,
           const std::map<std::string, Value>& values, Absence absence)
      : program_(program), tensors_(tensors), parameters_(parameters), values_(values), absence_(absence) {}

  Code compile(const lang::Equation& equation) {
    code_.tensor = number_of(equation.access().tensor);
    code_.span = equation.span;
    code_.variables = equation.domain.variables;
    for (const std::string& name : code_.variables) bind(name);
    if (equation.access().step) add_left(*lang::affine(*equation.access().step) + Affine(1));
    for (const Expr& index : equation.access().indices) add_left(*lang::affine(index));
    for (const math::Constraint& c : equation.domain.constraints) code_.domain.push_back(condition(c));
    const int result = value(equation.right);
    emit({.op = Op::finish, .type = equation.right->type, .a = result});
    return std::move(code_);
  }

 private:
  int number_of(const std::string& tensor) const {
    return static_cast<int>(std::find(tensors_.begin(), tensors_.end(), tensor) - tensors_.begin());
  }

  int fresh(Slot initial = {.integer = 0}, Certainty certainty = Certainty::computed) {
    code_.registers.push_back(initial);
    code_.certainty.push_back(certainty);
    return static_cast<int>(code_.registers.size()) - 1;
  }

  int bind(const std::string& name) {
    const int reg = fresh();
    scope_.emplace_back(name, reg);
    return reg;
  }

  int register_of(const std::string& name) const {
    for (auto known = scope_.rbegin(); known != scope_.rend(); ++known)
      if (known->first == name) return known->second;
    return -1;
  }

  int emit(Instruction instruction) {
    code_.instructions.push_back(instruction);
    return static_cast<int>(code_.instructions.size()) - 1;
  }
  int here() const { return static_cast<int>(code_.instructions.size()); }
  void land(int instruction) { code_.instructions[static_cast<std::size_t>(instruction)].target = here(); }

  void add_left(const Affine& written) {
    const Affine form = written.substitute(parameters_);
    const int reg = form.terms.empty() ? -1 : register_of(form.terms[0].first);
    code_.left.push_back({reg, form.constant});
  }

  int form(const Affine& written) {
    const Affine affine = written.substitute(parameters_);
    Form result;
    result.constant = affine.constant;
    for (const auto& [name, coefficient] : affine.terms) result.terms.push_back({register_of(name), coefficient});
    for (const math::Quotient& q : affine.quotients)
      result.parts.push_back({q.coefficient, q.kind, form(*q.numerator), q.divisor});
    code_.forms.push_back(std::move(result));
    return static_cast<int>(code_.forms.size()) - 1;
  }

  int condition(const math::Constraint& c) {
    code_.conditions.push_back({form(c.left - c.right), c.relation});
    return static_cast<int>(code_.conditions.size()) - 1;
  }

  int value(const Expr& e) {
    return e.match(
        [&](const lang::Constant& c) { return fresh(slot_of(c.value), Certainty::constant); },
        [&](const lang::Parameter& p) {
          return fresh(slot_of(format::cast(e->type, values_.at(p.name))), Certainty::constant);
        },
        [&](const lang::Variable& v) { return register_of(v.name); }, [&](const lang::Access& a) { return read(e, a); },
        [&](const lang::Unary& u) {
          const int operand = value(u.operand);
          return result({.op = Op::unary, .type = e->type, .operation = static_cast<std::uint8_t>(u.op), .b = operand});
        },
        [&](const lang::Binary& b) { return binary(e, b); }, [&](const lang::Select& s) { return select(s); },
        [&](const lang::Cast& c) {
          const int operand = value(c.operand);
          return result({.op = Op::cast, .type = e->type, .other = c.operand->type, .b = operand});
        },
        [&](const lang::Call& c) { return call(e, c); }, [&](const lang::Apply& a) { return application(a, e->span); },
        [&](const lang::Reduce& r) { return reduce(e, r); }, [&](const lang::Shape& s) { return shape(s); },
        [](const lang::Stored&) -> int { throw std::logic_error("equations do not ask for what is stored"); });
  }

  int result(Instruction instruction) {
    instruction.a = fresh();
    emit(instruction);
    return instruction.a;
  }

  int read(const Expr& e, const lang::Access& a) {
    Code::ReadAccess access{number_of(a.tensor), {}, {}, e->span};
    if (a.step) access.dimensions.push_back(dimension((*lang::affine(*a.step) + Affine(1)).substitute(parameters_)));
    for (const Expr& index : a.indices) {
      if (auto affine = lang::affine(index)) access.dimensions.push_back(dimension(affine->substitute(parameters_)));
      else access.dimensions.push_back({-1, value(index), 0});
    }
    access.scope = scope_;
    code_.accesses.push_back(std::move(access));
    return result({.op = Op::read, .type = e->type, .b = static_cast<int>(code_.accesses.size()) - 1, .span = e->span});
  }

  Code::Dimension dimension(const Affine& affine) {
    const bool shifted_variable = affine.quotients.empty() && affine.terms.size() == 1 && affine.terms[0].second == 1;
    if (shifted_variable) return {-1, register_of(affine.terms[0].first), affine.constant};
    return {form(affine), -1, 0};
  }

  int binary(const Expr& e, const lang::Binary& b) {
    if (format::is_logical(b.op)) return logical(b);
    const bool index = e->type == ScalarType::i64;
    if (auto affine = index ? lang::affine(e) : std::nullopt)
      return result({.op = Op::form, .type = e->type, .b = form(*affine)});
    const int left = value(b.left);
    const int right = value(b.right);
    Op op = Op::binary;
    const bool plain = e->type == ScalarType::f64 && absence_ == Absence::ignored;
    if (plain && b.op == BinaryOp::add) op = Op::add_real;
    if (plain && b.op == BinaryOp::subtract) op = Op::subtract_real;
    if (plain && b.op == BinaryOp::multiply) op = Op::multiply_real;
    if (plain && b.op == BinaryOp::divide) op = Op::divide_real;
    return result({.op = op,
                   .type = b.left->type,
                   .other = b.right->type,
                   .operation = static_cast<std::uint8_t>(b.op),
                   .b = left,
                   .c = right,
                   .span = e->span});
  }

  int logical(const lang::Binary& b) {
    const int outcome = fresh();
    emit({.op = Op::move, .a = outcome, .b = value(b.left)});
    int decided;
    if (b.op == BinaryOp::logical_and) {
      decided = emit({.op = Op::jump_if_false, .a = outcome});
    } else {
      const int otherwise = emit({.op = Op::jump_if_false, .a = outcome});
      decided = emit({.op = Op::jump});
      land(otherwise);
    }
    emit({.op = Op::move, .a = outcome, .b = value(b.right)});
    land(decided);
    return outcome;
  }

  int select(const lang::Select& s) {
    const int outcome = fresh();
    const int otherwise = emit({.op = Op::jump_if_false, .a = value(s.condition)});
    emit({.op = Op::choose, .a = outcome, .b = value(s.then)});
    const int end = emit({.op = Op::jump});
    land(otherwise);
    emit({.op = Op::choose, .a = outcome, .b = value(s.otherwise)});
    land(end);
    return outcome;
  }

  /// Where it is, then the one operand that is there.
  int shape(const lang::Shape& s) {
    std::vector<int> indices;
    for (const Expr& index : s.to) indices.push_back(value(index));
    const int to = fresh();
    for (std::size_t k = 1; k < indices.size(); ++k) fresh();
    for (std::size_t k = 0; k < indices.size(); ++k)
      emit({.op = Op::move, .a = to + static_cast<int>(k), .b = indices[k]});
    const int part = fresh();
    const std::size_t outer = scope_.size();
    for (const std::string& name : s.from) bind(name);  // the registers behind it
    const auto size = [&](const Affine& form) { return form.substitute(parameters_).constant; };
    code_.shapes.push_back({ShapePlaces(s, size), static_cast<int>(indices.size())});
    emit({.op = Op::place, .a = part, .b = static_cast<int>(code_.shapes.size()) - 1, .c = to});
    const int outcome = fresh();
    std::vector<int> ends;
    const Op take = s.parts.size() > 1 || s.outside ? Op::choose : Op::move;  // as a condition does
    for (std::size_t k = 0; k < s.parts.size(); ++k) {
      const bool last = k + 1 == s.parts.size() && !s.outside;
      const int other = last ? -1 : emit({.op = Op::jump_if_false, .a = is_part(part, k)});
      emit({.op = take, .a = outcome, .b = value(s.parts[k])});
      ends.push_back(emit({.op = Op::jump}));
      if (!last) land(other);
    }
    scope_.resize(outer);
    if (s.outside) emit({.op = Op::choose, .a = outcome, .b = value(*s.outside)});
    for (const int end : ends) land(end);
    return outcome;
  }

  int is_part(int part, std::size_t number) {
    const int wanted = fresh({.integer = static_cast<std::int64_t>(number)}, Certainty::constant);
    return result({.op = Op::binary,
                   .type = ScalarType::i64,
                   .other = ScalarType::i64,
                   .operation = static_cast<std::uint8_t>(BinaryOp::equal),
                   .b = part,
                   .c = wanted});
  }

  int call(const Expr& e, const lang::Call& c) {
    std::vector<int> arguments;
    for (const Expr& argument : c.arguments) arguments.push_back(value(argument));
    const int first = static_cast<int>(code_.registers.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) fresh();
    for (std::size_t i = 0; i < arguments.size(); ++i)
      emit({.op = Op::move, .a = first + static_cast<int>(i), .b = arguments[i]});
    return result({.op = Op::call,
                   .type = e->type,
                   .operation = static_cast<std::uint8_t>(c.function),
                   .b = first,
                   .c = static_cast<int>(arguments.size())});
  }

  // ---- functions of the user, written out where they are applied ----------------------------------------------

  int application(const lang::Apply& a, text::Span span) {
    std::vector<int> arguments;
    for (const Expr& argument : a.arguments) arguments.push_back(value(argument));
    const lang::Function& function = *program_.function(a.function);
    if (absence_ == Absence::ignored) return application(function, arguments, span);
    code_.functions.push_back(&function);
    const int outcome = fresh();
    std::vector<int> annihilated;
    for (std::size_t k = 0; k < arguments.size(); ++k)
      annihilated.push_back(emit({.op = Op::annihilate,
                                  .type = a.arguments[k]->type,
                                  .operation = static_cast<std::uint8_t>(code_.functions.size() - 1),
                                  .a = outcome,
                                  .b = arguments[k],
                                  .c = static_cast<int>(k)}));
    emit({.op = Op::move, .a = outcome, .b = application(function, arguments, span)});
    for (const int one : annihilated) land(one);
    return outcome;
  }

  int application(const lang::Function& function, const std::vector<int>& arguments, text::Span span) {
    const auto outside = std::exchange(scope_, {});
    for (std::size_t i = 0; i < arguments.size(); ++i)
      emit({.op = Op::move, .a = bind(function.parameters[i].name), .b = arguments[i]});
    for (const lang::Function::Variable& local : function.locals) bind(local.name);
    for (const auto& [name, reg] : scope_)
      if (reg >= 0 && is_local(function, name)) emit({.op = Op::move, .a = reg, .b = fresh()});
    steps(function.body, function, span);
    const int outcome = fresh();
    emit({.op = Op::move, .a = outcome, .b = value(function.result)});
    scope_ = outside;
    return outcome;
  }

  static bool is_local(const lang::Function& function, const std::string& name) {
    return std::any_of(function.locals.begin(), function.locals.end(),
                       [&](const auto& local) { return local.name == name; });
  }

  void steps(const std::vector<lang::FunctionStep>& all, const lang::Function& function, text::Span span) {
    for (const lang::FunctionStep& step : all)
      step.match(
          [&](const lang::FunctionAssign& a) { emit({.op = Op::move, .a = register_of(a.name), .b = value(a.value)}); },
          [&](const lang::FunctionWhile& w) { repeat(w, function, span); },
          [&](const lang::FunctionIf& i) {
            const int otherwise = emit({.op = Op::jump_if_false, .a = value(i.condition)});
            steps(i.then, function, span);
            const int end = emit({.op = Op::jump});
            land(otherwise);
            steps(i.otherwise, function, span);
            land(end);
          });
  }

  void repeat(const lang::FunctionWhile& w, const lang::Function& function, text::Span span) {
    const int count = fresh();
    emit({.op = Op::move, .a = count, .b = fresh()});
    const int start = here();
    const int exit = emit({.op = Op::jump_if_false, .a = value(w.condition)});
    steps(w.body, function, span);
    emit({.op = Op::repeat, .a = count, .target = start, .span = span});
    land(exit);
  }

  /// acc = identity; for each level: enter, body, next; the innermost body accumulates.
  int reduce(const Expr& e, const lang::Reduce& r) {
    const bool arg = format::is_arg(r.op);
    const bool user = r.op == format::ReduceOp::user;
    const Slot start =
        arg ? Slot{.integer = -1}
            : slot_of(user ? *program_.function(r.function)->identity() : format::identity(r.op, e->type));
    const int initial = fresh(start);
    const int accumulator = fresh();
    fresh();  // argmin and argmax keep the best value beside the index
    emit({.op = Op::move, .a = accumulator, .b = initial});
    const Nest nest = nest_of(r.domain, parameters_);
    const std::size_t outer = scope_.size();
    std::vector<int> exits;
    for (const math::Constraint& c : nest.conditions) exits.push_back(emit({.op = Op::test, .b = condition(c)}));
    std::vector<int> entries;
    std::vector<std::vector<int>> skips;
    for (const Level& level : nest.levels) open_level(level, entries, skips);
    const int term = value(r.body);
    if (user)
      emit({.op = Op::choose,
            .a = accumulator,
            .b = application(*program_.function(r.function), {accumulator, term}, e->span)});
    else
      accumulate(r, accumulator, term, nest.levels.empty() ? -1 : register_of(nest.levels.back().variable),
                 r.body->type);
    for (std::size_t i = entries.size(); i-- > 0;) {
      for (int skip : skips[i]) land(skip);
      const int level = code_.instructions[static_cast<std::size_t>(entries[i])].b;
      emit({.op = Op::next, .a = code_.levels[static_cast<std::size_t>(level)].reg, .target = entries[i] + 1});
      land(entries[i]);
    }
    for (int exit : exits) land(exit);
    scope_.resize(outer);
    return accumulator;
  }

  void open_level(const Level& level, std::vector<int>& entries, std::vector<std::vector<int>>& skips) {
    Code::RangeForms range;
    for (const Bound& bound : level.lower) range.lower.push_back({form(bound.form), bound.divisor});
    for (const Bound& bound : level.upper) range.upper.push_back({form(bound.form), bound.divisor});
    range.reg = bind(level.variable);
    fresh();  // its last value
    code_.levels.push_back(std::move(range));
    entries.push_back(emit({.op = Op::enter, .b = static_cast<int>(code_.levels.size()) - 1}));
    skips.emplace_back();
    for (const math::Constraint& c : level.conditions)
      skips.back().push_back(emit({.op = Op::test, .b = condition(c)}));
  }

  void accumulate(const lang::Reduce& r, int accumulator, int term, int candidate, ScalarType type) {
    const auto operation = static_cast<std::uint8_t>(r.op);
    if (format::is_arg(r.op))
      emit({.op = Op::improve, .type = type, .operation = operation, .a = accumulator, .b = term, .c = candidate});
    else if (r.op == format::ReduceOp::sum && type == ScalarType::f64 && absence_ == Absence::ignored)
      emit({.op = Op::sum_real, .a = accumulator, .b = term});
    else emit({.op = Op::combine, .type = type, .operation = operation, .a = accumulator, .b = term});
  }

  const lang::Program& program_;
  const std::vector<std::string>& tensors_;
  const Values& parameters_;
  const std::map<std::string, Value>& values_;
  Absence absence_;
  std::vector<std::pair<std::string, int>> scope_;
  Code code_;
};

}  // namespace

Code compile(const lang::Program& program, const lang::Equation& equation, const std::vector<std::string>& tensors,
             const Values& parameters, const std::map<std::string, format::Value>& values, Absence absence) {
  return Compiler(program, tensors, parameters, values, absence).compile(equation);
}

}  // namespace trellis::check
