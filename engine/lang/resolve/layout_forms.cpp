#include "engine/lang/resolve/layout_forms.hpp"

#include <algorithm>
#include <utility>

#include "engine/format/operation.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/syntax_names.hpp"

namespace trellis::lang::resolving {

namespace {

using format::BinaryOp;
using math::Affine;

constexpr std::size_t most_pairs = 2;  ///< of forms that are compared

class LayoutFormReader {
 public:
  LayoutFormReader(const syntax::LayoutDecl& layout, const std::map<std::string, std::int64_t>& numbers,
                   LayoutTrouble& trouble)
      : layout_(layout), numbers_(numbers), trouble_(trouble) {}

  std::optional<format::Layout> read() {
    format::Layout result;
    for (const syntax::Expr& name : layout_.from) result.dimensions.push_back(*syntax::bare_name(name));
    for (const syntax::Constraint& c : layout_.constraints)
      if (!constraint(c, result.stored)) return std::nullopt;
    // Forms are read once to find what they compare, and then for each way in which that may be.
    if (!branch(0)) return std::nullopt;
    const std::size_t ways = std::size_t{1} << pairs_.size();
    for (std::size_t way = 0; way < ways; ++way) result.branches.push_back(*branch(way));
    return result;
  }

 private:
  std::nullopt_t refuse(const syntax::Expr& at, std::string what) {
    if (trouble_.what.empty()) trouble_ = {at->span, std::move(what)};
    return std::nullopt;
  }

  /// Bit k of `way`: of the k-th pair the first is less than the second; else it is not.
  std::optional<format::Layout::Branch> branch(std::size_t way) {
    way_ = way;
    format::Layout::Branch result;
    for (const syntax::Expr& to : layout_.to) {
      const auto one = form(to);
      if (!one) return std::nullopt;
      result.to.push_back(*one);
    }
    for (std::size_t k = 0; k < pairs_.size(); ++k)
      result.where.push_back({pairs_[k].first,
                              (way >> k & 1) != 0 ? math::Relation::less : math::Relation::greater_equal,
                              pairs_[k].second});
    return result;
  }

  bool constraint(const syntax::Constraint& c, std::vector<math::Constraint>& into) {
    std::vector<Affine> sides;
    for (const syntax::Expr& side : c.sides) {
      const auto one = form(side);
      if (!one || !pairs_.empty()) {
        if (one) refuse(side, "what is stored is told by forms without min and max");
        return false;
      }
      sides.push_back(*one);
    }
    for (std::size_t k = 0; k < c.relations.size(); ++k) into.push_back({sides[k], c.relations[k], sides[k + 1]});
    return true;
  }

  std::optional<Affine> form(const syntax::Expr& e) {
    if (const auto* n = e.as<syntax::Number>()) {
      const NumberValue value = number_value(n->spelling);
      if (!value.integral || value.overflow || value.magnitude > INT32_MAX) return refuse(e, "this is no coordinate");
      return Affine(static_cast<std::int64_t>(value.magnitude));
    }
    if (const std::string* name = syntax::bare_name(e)) return named(e, *name);
    if (const auto* u = e.as<syntax::Unary>(); u && u->op == format::UnaryOp::negate) {
      const auto of = form(u->operand);
      return of ? std::optional(-*of) : std::nullopt;
    }
    if (const auto* b = e.as<syntax::Binary>()) return binary(e, *b);
    if (const auto* r = e.as<syntax::Reference>()) return call(e, *r);
    return refuse(e, "a level's coordinate is made by + - * / % min max");
  }

  std::optional<Affine> named(const syntax::Expr& e, const std::string& name) {
    if (const auto number = numbers_.find(name); number != numbers_.end()) return Affine(number->second);
    const auto is_name = [&](const syntax::Expr& from) { return *syntax::bare_name(from) == name; };
    if (std::ranges::any_of(layout_.from, is_name)) return Affine::name(name);
    return refuse(e, name + " is neither a coordinate nor a parameter of the layout");
  }

  std::optional<Affine> binary(const syntax::Expr& e, const syntax::Binary& b) {
    const auto left = form(b.left), right = form(b.right);
    if (!left || !right) return std::nullopt;
    switch (b.op) {
      case BinaryOp::add: return *left + *right;
      case BinaryOp::subtract: return *left - *right;
      case BinaryOp::multiply:
        if (left->is_constant()) return left->constant * *right;
        if (right->is_constant()) return right->constant * *left;
        return refuse(e, "the product of two coordinates is no quasi-affine form");
      case BinaryOp::divide:
      case BinaryOp::modulo:
        if (!right->is_constant() || right->constant < 1)
          return refuse(b.right, "coordinates are divided by numbers from 1 on");
        return b.op == BinaryOp::divide ? Affine::div(*left, right->constant) : Affine::mod(*left, right->constant);
      default: return refuse(e, "a level's coordinate is made by + - * / % min max");
    }
  }

  std::optional<Affine> call(const syntax::Expr& e, const syntax::Reference& r) {
    const auto function = format::function(r.name.text);
    const bool known = function && (*function == format::Function::min || *function == format::Function::max);
    if (!known || !r.arguments || r.arguments->size() != 2)
      return refuse(e, "a level's coordinate is made by + - * / % min max");
    const auto a = form((*r.arguments)[0].value), b = form((*r.arguments)[1].value);
    if (!a || !b) return std::nullopt;
    const std::size_t k = pair(*a, *b);
    if (k >= most_pairs) return refuse(e, "a layout compares two pairs of coordinates at most");
    const bool first_is_less = (way_ >> k & 1) != 0;
    return first_is_less == (*function == format::Function::max) ? pairs_[k].second : pairs_[k].first;
  }

  std::size_t pair(const Affine& a, const Affine& b) {
    for (std::size_t k = 0; k < pairs_.size(); ++k)
      if (pairs_[k] == std::pair(a, b) || pairs_[k] == std::pair(b, a)) return k;
    if (pairs_.size() < most_pairs) pairs_.emplace_back(a, b);
    return pairs_.size() - (pairs_.back() == std::pair(a, b) ? 1 : 0);
  }

  const syntax::LayoutDecl& layout_;
  const std::map<std::string, std::int64_t>& numbers_;
  LayoutTrouble& trouble_;
  std::vector<std::pair<Affine, Affine>> pairs_;
  std::size_t way_ = 0;
};

}  // namespace

std::optional<format::Layout> layout_forms(const syntax::LayoutDecl& layout,
                                           const std::map<std::string, std::int64_t>& numbers, LayoutTrouble& trouble) {
  return LayoutFormReader(layout, numbers, trouble).read();
}

}  // namespace trellis::lang::resolving
