#include "engine/format/operation.hpp"

#include <array>
#include <cstddef>

namespace trellis::format {

namespace {

struct BinaryFact {
  std::string_view symbol;
  int precedence;
};
constexpr std::array<BinaryFact, 19> binary_facts{{{"^", 110},
                                                   {"*", 90},
                                                   {"/", 90},
                                                   {"%", 90},
                                                   {"+", 80},
                                                   {"-", 80},
                                                   {"<<", 70},
                                                   {">>", 70},
                                                   {"&", 60},
                                                   {"xor", 50},
                                                   {"|", 40},
                                                   {"==", 30},
                                                   {"!=", 30},
                                                   {"<", 30},
                                                   {"<=", 30},
                                                   {">", 30},
                                                   {">=", 30},
                                                   {"&&", 20},
                                                   {"||", 10}}};

enum class Operands { any, floating };
struct FunctionFact {
  std::string_view name;
  Arity arity;
  Operands operands;
};
constexpr Arity one{1, 1}, two{2, 2}, three{3, 3}, several{2, -1};
constexpr std::array<FunctionFact, 30> function_facts{
    {{"abs", one, Operands::any},        {"sqrt", one, Operands::floating},  {"cbrt", one, Operands::floating},
     {"exp", one, Operands::floating},   {"exp2", one, Operands::floating},  {"expm1", one, Operands::floating},
     {"log", one, Operands::floating},   {"log2", one, Operands::floating},  {"log10", one, Operands::floating},
     {"log1p", one, Operands::floating}, {"sin", one, Operands::floating},   {"cos", one, Operands::floating},
     {"tan", one, Operands::floating},   {"asin", one, Operands::floating},  {"acos", one, Operands::floating},
     {"atan", one, Operands::floating},  {"atan2", two, Operands::floating}, {"sinh", one, Operands::floating},
     {"cosh", one, Operands::floating},  {"tanh", one, Operands::floating},  {"erf", one, Operands::floating},
     {"floor", one, Operands::floating}, {"ceil", one, Operands::floating},  {"round", one, Operands::floating},
     {"trunc", one, Operands::floating}, {"sign", one, Operands::any},       {"hypot", two, Operands::floating},
     {"fma", three, Operands::floating}, {"min", several, Operands::any},    {"max", several, Operands::any}}};
static_assert(static_cast<std::size_t>(Function::max) + 1 == function_facts.size());

struct ReduceFact {
  std::string_view name, update;
};
constexpr std::array<ReduceFact, 9> reduce_facts{{{"sum", "+="},
                                                  {"prod", "*="},
                                                  {"min", "min="},
                                                  {"max", "max="},
                                                  {"any", "||="},
                                                  {"all", "&&="},
                                                  {"argmin", "argmin="},
                                                  {"argmax", "argmax="},
                                                  {"", ""}}};

template <class Enum, class Facts>
const auto& fact(const Facts& facts, Enum which) {
  return facts[static_cast<std::size_t>(which)];
}

template <class Enum, class Facts>
std::optional<Enum> find(const Facts& facts, std::string_view name) {
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (facts[i].name == name) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace

std::string_view symbol(UnaryOp op) {
  switch (op) {
    case UnaryOp::negate: return "-";
    case UnaryOp::logical_not: return "!";
    case UnaryOp::bit_not: return "~";
  }
  return "";
}

std::string_view symbol(BinaryOp op) { return fact(binary_facts, op).symbol; }
int precedence(BinaryOp op) { return fact(binary_facts, op).precedence; }

std::string_view name_of(Function function) { return fact(function_facts, function).name; }
std::optional<Function> function(std::string_view name) { return find<Function>(function_facts, name); }
Arity arity(Function function) { return fact(function_facts, function).arity; }
bool floating_only(Function function) { return fact(function_facts, function).operands == Operands::floating; }

std::string_view name_of(ReduceOp op) { return fact(reduce_facts, op).name; }
std::optional<ReduceOp> reduce_op(std::string_view name) { return find<ReduceOp>(reduce_facts, name); }
std::string_view update_symbol(ReduceOp op) { return fact(reduce_facts, op).update; }

}  // namespace trellis::format
