// Every operator and function on every type computes in generated C what format::apply computes, on the edges of the
// type.

#include <doctest/doctest.h>

#include <cmath>

#include "tests/emit/flows.hpp"

using namespace flows;

namespace {

std::vector<Value> edges(ScalarType type) {
  std::vector<Value> all;
  for (int k : {0, 1, 2, 3, 7, 63}) all.push_back(Value::of_integer(type, k));
  for (const Value& v : {format::lowest(type), format::highest(type)}) all.push_back(v);
  if (format::is_signed(type)) {
    for (int k : {-1, -2, -7}) all.push_back(Value::of_integer(type, k));
  }
  if (format::is_floating(type)) {
    for (double x : {0.5, -0.5, 2.5, -3.75, 1e30, std::nan("")}) all.push_back(Value::of(type, x));
  }
  return all;
}

/// Constants that the emitter treats, or C spells, in a way of their own.
std::vector<Value> special(ScalarType type) {
  std::vector<Value> all{Value::of_integer(type, 0), Value::of_integer(type, 3), format::highest(type)};
  if (format::is_signed(type)) {
    all.push_back(Value::of_integer(type, -1));
    all.push_back(format::lowest(type));
  }
  return all;
}

/// One kernel a case: r[i] = f(a[i], b[i]) on all pairs of edge values.
struct Case {
  std::string what;
  ScalarType from, to;
  flow::Flow flow;
  std::vector<Value> left, right, expected;
};

template <class Compute>
Case make_case(const std::string& what, ScalarType from, ScalarType to, const Expr& value, Compute&& compute) {
  Case c{what + " on " + std::string(format::name_of(from)), from, to, {}, {}, {}, {}};
  c.flow = flow_of("k", {"n"},
                   {array("a", {size("n")}, operand, from), array("b", {size("n")}, operand, from),
                    array("r", {size("n")}, result, to)},
                   {loop("i", num(0), size("n"), {set("r", {var("i")}, value)})});
  for (const Value& a : edges(from)) {
    for (const Value& b : edges(from)) {
      format::Fault fault = format::Fault::none;
      const Value r = compute(a, b, fault);
      if (fault != format::Fault::none) continue;
      c.left.push_back(a);
      c.right.push_back(b);
      c.expected.push_back(r);
    }
  }
  return c;
}

bool same(const Value& a, const Value& b) {
  return a == b || (format::is_floating(a.type) && std::isnan(a.real) && std::isnan(b.real));
}

void check_all(const std::vector<Case>& cases) {
  std::vector<emit::Module> modules;
  for (const Case& c : cases) {
    REQUIRE_MESSAGE(flow::verify(c.flow) == "", c.what);
    modules.push_back(emit::emit(c.flow));
  }
  for (run::Backend backend : {run::Backend::jit, run::Backend::native}) {
    auto kernels = run::compile_batch(modules, backend);
    for (std::size_t k = 0; k < cases.size(); ++k) {
      const Case& c = cases[k];
      auto* error = std::get_if<run::CompileError>(&kernels[k]);
      REQUIRE_MESSAGE(!error, c.what, ": ", error ? error->message : "", "\n", modules[k].source);
      run::Bindings bindings;
      bindings.sizes["n"] = static_cast<std::int64_t>(c.left.size());
      bindings.arrays["a"] = vector(c.from, c.left);
      bindings.arrays["b"] = vector(c.from, c.right);
      bindings.arrays["r"] = vector(c.to, std::vector<Value>(c.left.size(), Value::of_integer(c.to, 0)));
      run::Limits limits;
      limits.trusted = true;  // a child for each of a thousand kernels would take longer than all else
      const run::Outcome outcome = run::execute(std::get<run::Kernel>(kernels[k]), bindings, limits);
      REQUIRE_MESSAGE(outcome.status == run::Outcome::Status::ok, c.what, ": ", outcome.message);
      for (std::size_t i = 0; i < c.left.size(); ++i) {
        const Value got = bindings.arrays["r"].get_flat(static_cast<std::int64_t>(i));
        CHECK_MESSAGE(same(got, c.expected[i]), run::name_of(backend), ": ", c.what, ": ", format::to_string(c.left[i]),
                      ", ", format::to_string(c.right[i]), " gives ", format::to_string(got), ", not ",
                      format::to_string(c.expected[i]), "\n", modules[k].shown.characters);
      }
    }
  }
}

std::vector<ScalarType> all_types() {
  std::vector<ScalarType> types;
  for (int t = 0; t <= static_cast<int>(ScalarType::boolean); ++t) types.push_back(static_cast<ScalarType>(t));
  return types;
}

Expr a(ScalarType type) { return get("a", {var("i")}, type); }
Expr b(ScalarType type) { return get("b", {var("i")}, type); }

}  // namespace

TEST_CASE("binary operators agree with format::apply on every type") {
  std::vector<Case> cases;
  for (ScalarType type : all_types()) {
    for (int k = 0; k <= static_cast<int>(BinaryOp::logical_or); ++k) {
      const auto o = static_cast<BinaryOp>(k);
      if (format::is_floating(type) && format::is_bitwise(o)) continue;
      const Expr value = op(o, a(type), b(type));
      cases.push_back(make_case(
          std::string(format::symbol(o)), type, value->type, value,
          [&](const Value& x, const Value& y, format::Fault& fault) { return format::apply(o, x, y, fault); }));
    }
  }
  check_all(cases);
}

TEST_CASE("operators with constants agree with format::apply, whatever form the emitter gives them") {
  std::vector<Case> cases;
  for (ScalarType type : all_types()) {
    for (const Value& constant : special(type)) {
      for (BinaryOp o : {BinaryOp::power, BinaryOp::divide, BinaryOp::modulo, BinaryOp::shift_left,
                         BinaryOp::shift_right, BinaryOp::subtract}) {
        if (format::is_floating(type) && format::is_bitwise(o)) continue;
        const Expr left = op(o, flow::constant(constant), b(type));
        const Expr right = op(o, a(type), flow::constant(constant));
        const std::string text = std::string(format::symbol(o)) + " with " + format::to_string(constant);
        cases.push_back(make_case(
            "left " + text, type, type, left,
            [&](const Value&, const Value& y, format::Fault& fault) { return format::apply(o, constant, y, fault); }));
        cases.push_back(make_case(
            "right " + text, type, type, right,
            [&](const Value& x, const Value&, format::Fault& fault) { return format::apply(o, x, constant, fault); }));
      }
    }
  }
  check_all(cases);
}

TEST_CASE("unary operators and functions agree with format::apply on every type") {
  std::vector<Case> cases;
  for (ScalarType type : all_types()) {
    for (format::UnaryOp o : {format::UnaryOp::negate, format::UnaryOp::logical_not, format::UnaryOp::bit_not}) {
      if (o == format::UnaryOp::bit_not && format::is_floating(type)) continue;
      const ScalarType to = o == format::UnaryOp::logical_not ? ScalarType::boolean : type;
      cases.push_back(make_case(std::string(format::symbol(o)), type, to, typed(to, flow::Unary{o, a(type)}),
                                [&](const Value& x, const Value&, format::Fault&) { return format::apply(o, x); }));
    }
    for (int k = 0; k <= static_cast<int>(format::Function::max); ++k) {
      const auto f = static_cast<format::Function>(k);
      if (format::floating_only(f) && !format::is_floating(type)) continue;
      const int count = format::arity(f).least;  // the third one is the first again
      flow::Call call{f, {a(type)}};
      if (count > 1) call.arguments.push_back(b(type));
      if (count > 2) call.arguments.push_back(a(type));
      cases.push_back(make_case(std::string(format::name_of(f)), type, type, typed(type, call),
                                [&, f, count](const Value& x, const Value& y, format::Fault&) {
                                  const Value arguments[] = {x, y, x};
                                  return format::apply(f, arguments, count);
                                }));
    }
  }
  check_all(cases);
}

TEST_CASE("casts agree with format::cast between every two types") {
  std::vector<Case> cases;
  for (ScalarType from : all_types()) {
    for (ScalarType to : all_types()) {
      cases.push_back(make_case("cast to " + std::string(format::name_of(to)), from, to, typed(to, flow::Cast{a(from)}),
                                [&, to](const Value& x, const Value&, format::Fault&) { return format::cast(to, x); }));
    }
  }
  check_all(cases);
}

TEST_CASE("updates agree with format::combine on every type") {
  std::vector<Case> cases;
  for (ScalarType type : all_types()) {
    for (ReduceOp o : {ReduceOp::sum, ReduceOp::prod, ReduceOp::min, ReduceOp::max, ReduceOp::any, ReduceOp::all}) {
      Case c = make_case(std::string(format::update_symbol(o)), type, type, a(type),
                         [&](const Value& x, const Value& y, format::Fault&) { return format::combine(o, x, y); });
      const Stmt first = set("r", {var("i")}, a(type));
      const Stmt second = update(o, "r", {var("i")}, b(type));
      c.flow.root = seq({loop("i", num(0), size("n"), {first, second})});
      cases.push_back(c);
    }
  }
  check_all(cases);
}
