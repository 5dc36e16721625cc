#include "engine/emit/expression.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace trellis::emit {

namespace {

using flow::Expr;
using format::BinaryOp;
using format::ScalarType;

std::string c_type(ScalarType type) { return std::string(format::c_name(type)); }

bool narrow(ScalarType type) { return type == ScalarType::i16 || type == ScalarType::u8; }
/// Types other than int, in which a plain literal is a smaller int than it should be.
bool wider_than_int(ScalarType type) {
  return type == ScalarType::i64 || type == ScalarType::u64 || type == ScalarType::u32;
}

c::Expr cast_to(ScalarType type, c::Expr operand) { return c::expr(c::Cast{c_type(type), std::move(operand)}); }

c::Expr as_typed(ScalarType type, c::Expr operand) {
  return wider_than_int(type) && c::is_plain_literal(operand) ? cast_to(type, std::move(operand)) : operand;
}

bool is_literal(const c::Expr& e, std::string_view digits) {
  const auto* token = e.as<c::Token>();
  return token && token->text == digits;
}

std::string c_symbol(BinaryOp op) { return op == BinaryOp::bit_xor ? "^" : std::string(format::symbol(op)); }

/// What bool arithmetic on {0, 1} comes to, any nonzero result being true.
std::string boolean_symbol(BinaryOp op) { return op == BinaryOp::multiply ? "&" : op == BinaryOp::add ? "|" : "^"; }

}  // namespace

c::Expr arithmetic(ScalarType type, const std::string& op, c::Expr left, c::Expr right) {
  if (c::is_plain_literal(left) && c::is_plain_literal(right)) left = as_typed(type, std::move(left));
  c::Expr result = c::binary(op, std::move(left), std::move(right));
  const bool may_leave = op == "+" || op == "-" || op == "*" || op == "<<";
  return narrow(type) && may_leave ? cast_to(type, std::move(result)) : result;
}

c::Expr sum(c::Expr left, c::Expr right) {
  if (const auto* b = right.as<c::Binary>(); b && (b->op == "+" || b->op == "-")) {
    return c::binary(b->op, sum(std::move(left), b->left), b->right);
  }
  return arithmetic(ScalarType::i64, "+", std::move(left), std::move(right));
}

c::Expr without_cast(const c::Expr& value, ScalarType type) {
  const auto* cast = value.as<c::Cast>();
  return cast && cast->type == c_type(type) ? cast->operand : value;
}

c::Expr Expressions::expr(const Expr& e) {
  c::Expr plain = bare(e);
  return e.id() < 0 ? plain : c::Expr(*plain, {{text::Stage::flow, e.id()}});
}

c::Expr Expressions::bare(const Expr& e) {
  return e.match(
      [&](const flow::Constant& k) { return constant(k.value); },
      [&](const flow::Name& n) {
        if (n.kind == flow::Name::Kind::variable) return c::token(names_.variable(n.name));
        used_.insert(n.name);
        return c::token(names_.fixed(n.name));
      },
      [&](const flow::Value& v) { return element(v.tensor, v.position); },
      [&](const flow::Here& h) { return c::token(names_.variable(h.cursor)); },  // a let's value: see Statements::let
      [&](const flow::Unary& u) { return unary(u, e->type); }, [&](const flow::Binary& b) { return binary(b, e); },
      [&](const flow::Select& s) {
        c::Expr condition = expr(s.condition);
        c::Expr then = expr(s.then);
        return c::expr(c::Conditional{condition, then, expr(s.otherwise)});
      },
      [&](const flow::Cast& k) { return cast(k.operand, e->type); },
      [&](const flow::Call& k) { return function(k, e->type); },
      [&](const flow::Apply& a) {
        std::vector<c::Expr> arguments;
        for (const Expr& argument : a.arguments) arguments.push_back(expr(argument));
        const bool fallible = shared_.fallible.count(a.function) > 0;
        if (fallible) arguments.push_back(c::token("fault"));
        records_faults_ = records_faults_ || fallible;
        return c::call(Names::function(a.function), arguments);
      },
      [&](const flow::After& a) {
        c::Expr first = expr(a.first);
        return c::binary(",", first, expr(a.value));
      },
      [&](const flow::Checked& k) { return checked(expr(k.coordinate), k.check, *flow_.tensor(k.tensor), k.level); },
      [&](const flow::Stored& s) { return stored(*flow_.tensor(s.tensor), s.level); },
      [&](const flow::Begin& b) {
        return c::expr(c::Index{array(*flow_.tensor(b.tensor), b.level, format::Array::positions), offset(b.parent)});
      },
      [&](const flow::Coordinate& k) {
        const c::Expr entry = expr(k.entry);
        return c::expr(c::Index{array(*flow_.tensor(k.tensor), k.level, format::Array::coordinates), entry});
      });
}

c::Expr Expressions::element(const std::string& tensor, const flow::Position& position) {
  using Storage = flow::Tensor::Storage;
  const flow::Tensor& info = *flow_.tensor(tensor);
  used_.insert(tensor);
  const c::Expr name = c::token(names_.fixed(tensor));
  if (!info.levels.empty()) return c::expr(c::Index{name, offset(position)});
  return info.storage == Storage::result ? c::expr(c::Unary{"*", name}) : name;
}

c::Expr Expressions::offset(const flow::Position& position) {
  if (const auto* at = position.as<flow::At>()) return c::token(names_.variable(at->name));
  if (const auto* within = position.as<flow::Within>()) return sum(block_base(*within), expr(within->coordinate));
  const auto* d = position.as<flow::Direct>();
  if (!d) return c::number(0);
  c::Expr parent = offset(d->parent);
  c::Expr coordinate = expr(d->coordinate);
  const flow::Level& level = flow_.tensor(d->tensor)->levels[static_cast<std::size_t>(d->level)];
  if (d->check) coordinate = checked(coordinate, *d->check, *flow_.tensor(d->tensor), d->level);
  if (level.facts.bounded) return sum(bounds_base(*flow_.tensor(d->tensor), d->level, parent), coordinate);
  if (is_literal(parent, "0")) return coordinate;
  c::Expr start = arithmetic(ScalarType::i64, "*", parent, expr(level.size));
  return is_literal(coordinate, "0") ? start : sum(start, coordinate);
}

// Where the children of a level in bounds would begin if its coordinates began at 0.
c::Expr Expressions::bounds_base(const flow::Tensor& tensor, int level, const c::Expr& parent) {
  const c::Expr first = c::expr(c::Index{array(tensor, level, format::Array::offsets), parent});
  if (!tensor.levels[static_cast<std::size_t>(level)].facts.starts) return first;
  return arithmetic(ScalarType::i64, "-", first,
                    c::expr(c::Index{array(tensor, level, format::Array::starts), parent}));
}

// Where the block's children would begin if its coordinates began at 0: the last child is that of the last coordinate.
c::Expr Expressions::block_base(const flow::Within& within) {
  const auto known = bases_.find(within.name);
  if (known != bases_.end()) return c::token(known->second);
  return block_base(*flow_.tensor(within.tensor), within.level, c::token(names_.variable(within.name)));
}

c::Expr Expressions::block_base(const flow::Tensor& tensor, int level, const c::Expr& entry) {
  const c::Expr behind = arithmetic(ScalarType::i64, "+", entry, c::number(1));
  const std::int64_t width = tensor.levels[static_cast<std::size_t>(level)].facts.width;
  const c::Expr end = width > 0 ? arithmetic(ScalarType::i64, "*", behind, c::number(width))
                                : c::expr(c::Index{array(tensor, level, format::Array::offsets), behind});
  const c::Expr last = c::expr(c::Index{array(tensor, level, format::Array::coordinates), entry});
  return arithmetic(ScalarType::i64, "-", arithmetic(ScalarType::i64, "-", end, c::number(1)), last);
}

c::Expr Expressions::checked(c::Expr coordinate, const flow::Site& site, const flow::Tensor& tensor, int level) {
  c::Expr number = fault_site(FaultKind::index_out_of_range, site.span, site.what);
  const c::Expr end = size(tensor, level);
  return c::call(prelude_.use(Helper::at), {std::move(coordinate), end, c::token("fault"), number});
}

c::Expr Expressions::array(const flow::Tensor& tensor, int level, format::Array which) {
  used_arrays_.insert({tensor.name, level, which});
  return c::token(array_name(names_, tensor, level, which));
}

std::string Expressions::capacity(const flow::Tensor& tensor) { return names_.fix(tensor.name + "'capacity"); }

static const char* suffix_of(format::Array which) {
  switch (which) {
    case format::Array::positions: return "'pos";
    case format::Array::coordinates: return "'crd";
    case format::Array::table: return "'table";
    case format::Array::starts: return "'start";
    case format::Array::offsets: return "'ofs";
    case format::Array::values: break;
  }
  return "";
}

const std::string& array_name(Names& names, const flow::Tensor& tensor, int level, format::Array which) {
  const auto has = [&](const format::Facts& f) {
    switch (which) {
      case format::Array::positions: return f.positions;
      case format::Array::coordinates: return f.coordinates;
      case format::Array::table: return f.table;
      case format::Array::starts: return f.starts;
      case format::Array::offsets: return f.offsets;
      case format::Array::values: break;
    }
    return false;
  };
  const auto alike =
      std::count_if(tensor.levels.begin(), tensor.levels.end(), [&](const auto& l) { return has(l.facts); });
  return names.fix(tensor.name + "." + (alike > 1 ? std::to_string(level + 1) : "") + suffix_of(which));
}

std::string array_type(const flow::Tensor& tensor, int level, format::Array which) {
  const format::Facts& facts = tensor.levels[static_cast<std::size_t>(level)].facts;
  if (which == format::Array::table && facts.locate == format::Locate::direct) return "uint8_t";
  return facts.wide ? "int64_t" : "int32_t";
}

c::Expr Expressions::count(const flow::Tensor& tensor) { return count(tensor, static_cast<int>(tensor.levels.size())); }

c::Expr Expressions::count(const flow::Tensor& tensor, int levels) {
  c::Expr product = c::number(1);
  for (std::size_t k = 0; k < static_cast<std::size_t>(levels); ++k) {
    if (tensor.levels[k].facts.bounded) {
      product = c::expr(c::Index{array(tensor, static_cast<int>(k), format::Array::offsets), product});
      continue;
    }
    c::Expr size = expr(tensor.levels[k].size);
    product = k == 0 ? size : arithmetic(ScalarType::i64, "*", product, size);
  }
  return product;
}

c::Expr Expressions::stored(const flow::Tensor& tensor, int level) {
  const format::Facts& facts = tensor.levels[static_cast<std::size_t>(level)].facts;
  const c::Expr above = level == 0 ? c::number(1) : stored(tensor, level - 1);
  if (facts.positions) return c::expr(c::Index{array(tensor, level, format::Array::positions), above});
  if (facts.per_parent()) return above;
  if (facts.bounded) return c::expr(c::Index{array(tensor, level, format::Array::offsets), above});
  const c::Expr each = facts.slots > 0 ? c::number(facts.slots) : size(tensor, level);
  return level == 0 ? each : arithmetic(ScalarType::i64, "*", above, each);
}

c::Expr Expressions::constant(const format::Value& value) {
  std::string digits = format::to_string(value);
  if (format::is_boolean(value.type)) return c::number(value.integer);
  const bool negative = digits.front() == '-';
  if (negative) digits.erase(0, 1);
  if (format::is_floating(value.type)) {
    const bool single = value.type == ScalarType::f32;
    if (!std::isfinite(value.real)) {
      digits = std::isnan(value.real) ? prelude_.use_nan() : prelude_.use_infinity();
      if (single) digits = "(float)" + digits;
    } else {
      if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
      if (single) digits += 'f';
    }
  } else if (negative && value.integer == format::lowest(value.type).integer && !narrow(value.type)) {
    // C has no negative literals, and the magnitude of the lowest value does not fit.
    return c::binary("-", c::expr(c::Unary{"-", c::token(std::to_string(-(value.integer + 1)))}), c::number(1));
  } else if (!format::is_signed(value.type)) {
    const auto magnitude = static_cast<std::uint64_t>(value.integer);
    const std::uint64_t fits = value.type == ScalarType::u64 ? std::numeric_limits<std::int64_t>::max()
                                                             : std::numeric_limits<std::int32_t>::max();
    if (magnitude > fits) digits += 'u';
  }
  return negative ? c::expr(c::Unary{"-", c::token(digits)}) : c::token(digits);
}

c::Expr Expressions::unary(const flow::Unary& u, ScalarType type) {
  c::Expr operand = expr(u.operand);
  switch (u.op) {
    case format::UnaryOp::logical_not: return c::expr(c::Unary{"!", operand});
    case format::UnaryOp::bit_not:
      if (format::is_boolean(type)) return c::expr(c::Unary{"!", operand});
      break;
    case format::UnaryOp::negate:
      if (format::is_boolean(type)) return operand;
      break;
  }
  const std::string op = u.op == format::UnaryOp::negate ? "-" : "~";
  c::Expr result = c::expr(c::Unary{op, as_typed(type, operand)});
  return narrow(type) ? cast_to(type, result) : result;
}

c::Expr Expressions::binary(const flow::Binary& b, const Expr& whole) {
  const ScalarType type = whole->type;
  switch (b.op) {
    case BinaryOp::power: return power(b, type);
    case BinaryOp::divide:
    case BinaryOp::modulo: return division(b, whole);
    case BinaryOp::shift_left:
    case BinaryOp::shift_right: return shift(b, type);
    default: break;
  }
  c::Expr left = expr(b.left);
  c::Expr right = expr(b.right);
  if (format::is_comparison(b.op) || format::is_logical(b.op)) return c::binary(c_symbol(b.op), left, right);
  const bool table = format::is_boolean(type) && !format::is_bitwise(b.op);
  return arithmetic(type, table ? boolean_symbol(b.op) : c_symbol(b.op), left, right);
}

c::Expr Expressions::power(const flow::Binary& b, ScalarType type) {
  if (format::is_boolean(type)) {
    c::Expr base = expr(b.left);
    return c::binary("||", base, c::expr(c::Unary{"!", expr(b.right)}));
  }
  const auto* exponent = b.right.as<flow::Constant>();
  const int power = exponent ? format::small_power(exponent->value).value_or(0) : 0;
  const bool repeatable = b.left.as<flow::Value>() || b.left.as<flow::Name>();
  c::Expr base = expr(b.left);
  if (power && repeatable) {
    c::Expr product = arithmetic(type, "*", base, base);
    return power == 2 ? product : arithmetic(type, "*", product, base);
  }
  if (power) return c::call(prelude_.use(power == 2 ? Helper::square : Helper::cube, type), {base});
  const bool library = exponent && format::is_floating(type);
  return c::call(library ? prelude_.use_math("pow", 2, type) : prelude_.use(Helper::power, type),
                 {base, expr(b.right)});
}

c::Expr Expressions::division(const flow::Binary& b, const Expr& whole) {
  const ScalarType type = whole->type;
  const bool quotient = b.op == BinaryOp::divide;
  c::Expr left = expr(b.left);
  c::Expr right = expr(b.right);
  if (format::is_floating(type)) {
    return quotient ? c::binary("/", left, right) : c::call(prelude_.use(Helper::mod_real, type), {left, right});
  }
  const auto* divisor = b.right.as<flow::Constant>();
  const bool safe =
      divisor && divisor->value.integer != 0 && !(format::is_signed(type) && divisor->value.integer == -1);
  if (safe && !format::is_signed(type)) return arithmetic(type, quotient ? "/" : "%", left, right);
  if (safe) return c::call(prelude_.use(quotient ? Helper::floor_div : Helper::floor_mod, type), {left, right});
  c::Expr site = fault_site(FaultKind::division_by_zero, whole->span, flow::to_string(whole));
  return c::call(prelude_.use(quotient ? Helper::div : Helper::mod, type), {left, right, c::token("fault"), site});
}

c::Expr Expressions::shift(const flow::Binary& b, ScalarType type) {
  c::Expr left = expr(b.left);
  if (format::is_boolean(type)) return left;
  const std::int64_t mask = static_cast<std::int64_t>(8 * format::size_of(type)) - 1;
  const auto* known = b.right.as<flow::Constant>();
  c::Expr by = known ? c::number(known->value.integer & mask) : c::binary("&", expr(b.right), c::number(mask));
  if (b.op == BinaryOp::shift_right) return c::binary(">>", as_typed(type, left), by);
  // Shifting a negative constant draws a warning.
  if (c::is_plain_literal(left)) return c::call(prelude_.use(Helper::shift_left, type), {left, by});
  return arithmetic(type, "<<", left, by);
}

c::Expr Expressions::cast(const Expr& operand, ScalarType type) {
  if (const auto* known = operand.as<flow::Constant>()) return constant(format::cast(type, known->value));
  const ScalarType from = operand->type;
  c::Expr value = expr(operand);
  if (from == type) return value;
  if (format::is_boolean(type)) return c::binary("!=", value, c::number(0));
  if (format::is_floating(from) && !format::is_floating(type)) {
    return c::call(prelude_.use(Helper::to, type), {value});
  }
  return cast_to(type, value);
}

c::Expr Expressions::function(const flow::Call& call, ScalarType type) {
  std::vector<c::Expr> arguments;
  for (const Expr& argument : call.arguments) arguments.push_back(expr(argument));
  switch (call.function) {
    case format::Function::abs:
      return c::call(format::is_floating(type) ? prelude_.use_math("fabs", 1, type) : prelude_.use(Helper::abs, type),
                     arguments);
    case format::Function::sign: return c::call(prelude_.use(Helper::sign, type), arguments);
    case format::Function::min:
    case format::Function::max: {
      const Helper helper = call.function == format::Function::min ? Helper::min : Helper::max;
      c::Expr best = arguments.front();
      for (std::size_t k = 1; k < arguments.size(); ++k)
        best = c::call(prelude_.use(helper, type), {best, arguments[k]});
      return best;
    }
    default:
      return c::call(prelude_.use_math(format::name_of(call.function), static_cast<int>(arguments.size()), type),
                     arguments);
  }
}

c::Expr Expressions::fault_site(FaultKind kind, text::Span span, std::string what) {
  records_faults_ = true;
  shared_.sites.push_back({kind, span, std::move(what)});
  return c::number(static_cast<std::int64_t>(shared_.sites.size()) - 1);
}

}  // namespace trellis::emit
