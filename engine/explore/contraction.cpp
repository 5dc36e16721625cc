#include "engine/explore/contraction.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "engine/explore/strides.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::explore {
namespace {

using Variables = std::set<std::string>;

Variables variables_of(const lang::Access& access) {
  Variables found;
  for (const lang::Expr& index : access.indices)
    for (const std::string& name : lang::free_variables(index)) found.insert(name);
  return found;
}

/// The only one of the three that the access lacks; empty: it lacks none or several.
std::string lacked(const lang::Access& access, const Variables& three) {
  const Variables has = variables_of(access);
  std::string found;
  for (const std::string& one : three)
    if (!has.contains(one)) {
      if (!found.empty()) return "";
      found = one;
    }
  return found;
}

class Finder {
 public:
  Finder(const lang::Kernel& kernel, const lang::Program& program, const Names& sizes, std::int64_t least)
      : program_(program), sizes_(sizes), least_(least), results_(kernel.results()) {
    for (const lang::Equation& equation : kernel.equations) visit(equation, equation.right);
  }
  std::vector<Contraction> found;

 private:
  void visit(const lang::Equation& equation, const lang::Expr& e) {
    if (const auto* sum = e.as<lang::Reduce>()) look_at(equation.access(), *sum);
    lang::for_each_child(e, [&](const lang::Expr& child) { visit(equation, child); });
  }

  void look_at(const lang::Access& t, const lang::Reduce& sum) {
    const auto* product = sum.body.as<lang::Binary>();
    if (sum.op != format::ReduceOp::sum || !product || product->op != format::BinaryOp::multiply) return;
    const auto *a = product->left.as<lang::Access>(), *b = product->right.as<lang::Access>();
    if (!a || !b || !format::is_floating(sum.body->type)) return;
    for (const lang::Access* one : {&t, a, b})
      if (const lang::TensorInfo* info = program_.tensor(one->tensor); !info || !info->format.all_dense()) return;
    // What both operands have and the result lacks is summed; what one of them has alone, it shares with the result.
    const Variables in_t = variables_of(t), in_a = variables_of(*a), in_b = variables_of(*b);
    Variables three;
    for (const Variables* some : {&in_t, &in_a, &in_b})
      for (const std::string& one : *some)
        if (in_t.contains(one) + in_a.contains(one) + in_b.contains(one) == 2) three.insert(one);
    if (three.size() != 3) return;
    Contraction one{.target = t.tensor, .row = "", .column = "", .sum = lacked(t, three), .type = sum.body->type};
    for (const lang::Access* operand : {a, b}) add_once(one.operands, operand->tensor);
    const std::string lacks_a = lacked(*a, three), lacks_b = lacked(*b, three);
    if (Variables{one.sum, lacks_a, lacks_b} != three) return;
    // Vectors go along what the result and the operand that has it store contiguously.
    const auto fits = [&](const std::string& column, const lang::Access& operand) {
      return stride_of(t, column, program_) == Stride::contiguous &&
             stride_of(operand, column, program_) == Stride::contiguous;
    };
    if (fits(lacks_a, *b)) one.column = lacks_a, one.row = lacks_b;
    else if (fits(lacks_b, *a)) one.column = lacks_b, one.row = lacks_a;
    else {
      one.in_strips = true;
      const bool by_rows = along_strips(t, *a, lacks_b) ||
                           (!along_strips(t, *b, lacks_a) && stride_of(t, lacks_b, program_) == Stride::contiguous);
      one.column = by_rows ? lacks_b : lacks_a, one.row = by_rows ? lacks_a : lacks_b;
    }
    for (const std::string& index : three)
      if (is_short(index, {&t, a, b})) return;
    one.recurs = contains(results_, a->tensor) || contains(results_, b->tensor);
    one.of_results = contains(results_, a->tensor) && contains(results_, b->tensor);
    if (std::ranges::none_of(found, [&](const Contraction& other) {
          return other.row == one.row && other.column == one.column && other.sum == one.sum;
        }))
      found.push_back(std::move(one));
  }

  /// Do strips of the operand serve the result, which is the same tensor, along that index?
  static bool along_strips(const lang::Access& t, const lang::Access& operand, const std::string& index) {
    if (t.tensor != operand.tensor) return false;
    for (std::size_t d = 0; d < t.indices.size(); ++d) {
      const auto *of_t = t.indices[d].as<lang::Variable>(), *of_operand = operand.indices[d].as<lang::Variable>();
      if (of_t && of_operand && of_t->name == index && of_operand->name == index) return true;
    }
    return false;
  }

  bool is_short(const std::string& index, std::initializer_list<const lang::Access*> accesses) const {
    const auto value = [&](const std::string& name) {
      const auto known = sizes_.find(name);
      return known == sizes_.end() ? std::nullopt : std::optional(known->second);
    };
    for (const lang::Access* access : accesses)
      for (std::size_t d = 0; d < access->indices.size(); ++d) {
        const auto* variable = access->indices[d].as<lang::Variable>();
        if (!variable || variable->name != index) continue;
        const auto size = program_.tensor(access->tensor)->shape[d].evaluate(value);
        if (size && *size < least_) return true;
      }
    return false;
  }

  const lang::Program& program_;
  const Names& sizes_;
  std::int64_t least_;
  std::vector<std::string> results_;
};

}  // namespace

std::vector<Contraction> contractions(const lang::Kernel& kernel, const lang::Program& program, const Names& sizes,
                                      std::int64_t least) {
  return Finder(kernel, program, sizes, least).found;
}

std::vector<std::vector<std::string>> block_lines(const Contraction& c, const lang::Order& order,
                                                  const RegisterBlock& block, Rounding rounding) {
  const auto values_in = [&](std::int64_t bytes) { return bytes / static_cast<std::int64_t>(format::size_of(c.type)); };
  // Strips of one tensor serve rows and columns alike if one divides the other: of 6 by 32 what is next to that.
  // So do those of two factors, as what is summed goes into strips of rows too.
  const bool apart = (c.operands.size() > 1 && !c.of_results) || values_in(block.row_bytes) % block.rows == 0;
  const std::int64_t columns = values_in(apart ? block.row_bytes : block.row_bytes * 3 / 4);
  const std::int64_t rows = apart ? block.rows : 8;
  // Tiles of related loops have one size, which whole blocks fill.
  const std::int64_t least = std::lcm(columns, rows), panel = least * std::max<std::int64_t>(1, 96 / least);
  const auto tile = [](const std::string& variable, std::int64_t size) {
    return lang::tile_text(variable, size) + " ";
  };
  std::string outside;
  for (const lang::LoopName& loop : order)
    if (!lang::tile_of(loop.name) && loop.name != c.row && loop.name != c.column && loop.name != c.sum)
      outside += lang::to_string(lang::Order{loop}) + " ";
  const std::string inside = c.sum + " " + c.row + " " + c.column;
  const std::string held = "; registers " + c.row + " " + c.column;
  std::vector<std::string> tiled;
  if (!c.recurs) {
    tiled = {tile(c.sum, block.sums) + tile(c.row, 192 / rows * rows) + tile(c.column, columns) + tile(c.row, rows)};
  } else {
    tiled = {
        tile(c.row, panel) + tile(c.sum, panel) + tile(c.column, columns) + tile(c.row, rows),
        tile(c.column, panel) + tile(c.row, panel) + tile(c.sum, panel) + tile(c.column, columns) + tile(c.row, rows),
        tile(c.sum, panel) + tile(c.row, panel) + tile(c.column, panel) + tile(c.column, columns) + tile(c.row, rows)};
  }
  std::string packed;
  for (const std::string& operand : c.operands) packed += "; pack " + operand;
  std::vector<std::vector<std::string>> lines;
  for (const std::string& tiles : tiled) {
    const std::string line = "order " + outside + tiles + inside + held;
    lines.emplace_back();
    for (const std::string& held_so : c.in_strips ? std::vector{line + packed} : std::vector{line + packed, line}) {
      if (rounding == Rounding::fused) lines.back().push_back(held_so + "; fused");
      lines.back().push_back(held_so);
    }
  }
  return lines;
}

}  // namespace trellis::explore
