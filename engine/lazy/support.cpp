#include "engine/lazy/support.hpp"

#include <algorithm>

#include "engine/lazy/fills.hpp"
#include "engine/lazy/operation.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lazy {

namespace {

using Op = lang::Shape::Op;

Support everywhere() { return Support({Everywhere()}); }
Support nowhere() { return Support({Nowhere()}); }

Support united(const std::vector<Support>& parts) {
  std::vector<Support> kept;
  for (const Support& part : parts) {
    if (part.as<Everywhere>()) return part;
    if (!part.as<Nowhere>()) add_once(kept, part);
  }
  if (kept.empty()) return nowhere();
  return kept.size() == 1 ? kept[0] : Support({Union{std::move(kept)}});
}

Support intersected(const std::vector<Support>& parts) {
  std::vector<Support> kept;
  for (const Support& part : parts) {
    if (part.as<Nowhere>()) return part;
    if (!part.as<Everywhere>()) add_once(kept, part);
  }
  if (kept.empty()) return everywhere();
  return kept.size() == 1 ? kept[0] : Support({Intersection{std::move(kept)}});
}

Support projected(const Fields& over, const Support& of) {
  if (of.as<Everywhere>() || of.as<Nowhere>()) return of;
  return Support({Projection{over, of}});
}

class Deriving {
 public:
  explicit Deriving(text::FunctionRef<bool(const Table&)> is_full) : is_full_(is_full) {}

  Support of(const Expr& expr) const {
    return expr.match([&](const Table& t) { return is_full_(t) ? everywhere() : Support({Stored{expr}}); },
                      [](const Const&) { return nowhere(); }, [&](const Map& m) { return of_map(m); },
                      [&](const Agg& a) { return projected(a.over, of(a.of)); },
                      [&](const Arg& a) { return projected({a.over}, of(a.of)); },
                      [&](const Shape& s) { return of_shape(expr, s); });
  }

 private:
  /// An operand that decides cuts to where it stores something, and a choice to the arm that its condition's fill
  /// takes.
  Support of_map(const Map& map) const {
    std::vector<Support> all;
    std::vector<format::ScalarType> types;
    for (const Expr& argument : map.arguments) {
      all.push_back(of(argument));
      types.push_back(argument->type);
    }
    if (std::holds_alternative<Where>(map.op))
      return united({all[0], fill_of(map.arguments[0]).is_true() ? all[1] : all[2]});
    std::vector<Support> deciders;
    std::optional<format::Value> decided;
    for (const auto& constant : deciding(map.op, types)) {
      const auto position = static_cast<std::size_t>(constant.position);
      if (!(fill_of(map.arguments[position]) == constant.value)) continue;
      if (!decided) decided = constant.result;
      if (constant.result == *decided) deciders.push_back(all[position]);
    }
    return deciders.empty() ? united(all) : intersected(deciders);
  }

  /// A part whose fill is not the result's is stored as a whole, and so is what is put around it.
  Support of_shape(const Expr& expr, const Shape& shape) const {
    const format::Value fill = fill_of(expr);
    if (shape.outside && !(*shape.outside == fill)) return everywhere();
    std::vector<Support> parts;
    std::size_t whole = 0;
    for (std::size_t p = 0; p < shape.parts.size(); ++p) {
      const Support part = fill_of(shape.parts[p]) == fill ? of(shape.parts[p]) : everywhere();
      if (part.as<Everywhere>()) ++whole;
      if (!part.as<Nowhere>()) parts.push_back(Support({Moved{expr, p, part}}));
    }
    return whole == shape.parts.size() && shape.op != Op::pad ? everywhere() : united(parts);
  }

  text::FunctionRef<bool(const Table&)> is_full_;
};

}  // namespace

Support support_of(const Expr& expr, text::FunctionRef<bool(const Table&)> is_full) {
  return Deriving(is_full).of(expr);
}

Support support_of(const Expr& expr) {
  return support_of(expr, [](const Table&) { return false; });
}

std::string to_string(const Support& support) {
  const auto joined = [](const std::vector<Support>& parts, const std::string& sign) {
    std::string text;
    for (const Support& part : parts) {
      const bool sum = part.as<Union>() || part.as<Intersection>();
      text += (text.empty() ? "" : sign) + (sum ? "(" + to_string(part) + ")" : to_string(part));
    }
    return text;
  };
  return support.match(
      [](const Everywhere&) { return std::string("everywhere"); },
      [](const Nowhere&) { return std::string("nowhere"); }, [](const Stored& s) { return s.table.as<Table>()->name; },
      [&](const Union& u) { return joined(u.of, " ∪ "); }, [&](const Intersection& i) { return joined(i.of, " ∩ "); },
      [](const Projection& p) { return "∃(" + to_string(p.of) + ")"; },
      [](const Moved& m) { return std::string(lang::name_of(m.shape.as<Shape>()->op)) + "(" + to_string(m.of) + ")"; });
}

}  // namespace trellis::lazy
