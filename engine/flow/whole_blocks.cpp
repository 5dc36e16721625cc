#include "engine/flow/whole_blocks.hpp"

#include "engine/flow/rename.hpp"

#include <algorithm>
#include <utility>

namespace trellis::flow {

namespace {

constexpr std::int64_t largest_block = 8;  ///< of iterations that are worth being known
constexpr int most_statements = 24;        ///< that are worth being written twice

/// A loop from 0 to the lesser of what is left and a block's size.
struct Ragged {
  Expr left;
  std::int64_t size;
};

std::optional<Ragged> ragged(const Loop& loop) {
  const auto* call = loop.high.as<Call>();
  const bool plain = is_zero(loop.low) && is_plain(loop, {But::down, But::vector, But::unless});
  if (!plain || !call || call->function != format::Function::min || call->arguments.size() != 2) return std::nullopt;
  for (const std::size_t k : {0, 1}) {
    const auto* size = call->arguments[k].as<Constant>();
    if (size && size->value.integer > 0 && size->value.integer <= largest_block)
      return Ragged{call->arguments[1 - k], size->value.integer};
  }
  return std::nullopt;
}

bool mentions_any(const Expr& expr, const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [&](const std::string& one) { return flow::names(expr, one); });
}

/// Dense loops alone, and not many statements.
bool is_small(const Stmt& stmt) {
  int count = 0;
  bool dense = true;
  for_each_stmt(stmt, [&](const Stmt& s) {
    ++count;
    dense &= s.match([](const Coiterate&) { return false; }, [](const Append&) { return false; },
                     [](const Insert&) { return false; }, [](const Locate&) { return false; },
                     [](const Await&) { return false; }, [](const Exchange&) { return false; },
                     [](const While&) { return false; }, [](const Declare&) { return false; },
                     [](const auto&) { return true; });
  });
  return dense && count <= most_statements;
}

class Blocks {
 public:
  Stmt visit(const Stmt& s) const {
    if (const auto* loop = s.as<Loop>(); loop && ragged(*loop) && is_small(s)) return in_two(s);
    return map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
  }

 private:
  static Stmt in_two(const Stmt& s) {
    Expr whole;
    std::vector<std::string> inside;
    const Stmt block = unclipped(s, inside, whole);
    return Stmt(StmtNode{If{whole, block, s}, s->span}, s.origin());
  }

  /// Loops whose sizes are known here take so many iterations; what that takes is added to `whole`.
  static Stmt unclipped(const Stmt& s, std::vector<std::string>& inside, Expr& whole) {
    const auto* loop = s.as<Loop>();
    const auto clipped = loop ? ragged(*loop) : std::nullopt;
    if (loop) inside.push_back(loop->variable);
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return unclipped(child, inside, whole); }, [](const Expr& e) { return e; });
    if (!clipped || mentions_any(clipped->left, inside)) return inner;
    const Expr size = integer(clipped->size);
    const Expr fits(
        ExprNode{Binary{format::BinaryOp::greater_equal, clipped->left, size}, format::ScalarType::boolean, s->span});
    whole =
        whole ? Expr(ExprNode{Binary{format::BinaryOp::logical_and, fits, whole}, format::ScalarType::boolean, s->span})
              : fits;
    Loop all = *inner.as<Loop>();
    all.high = size;
    return Stmt(StmtNode{std::move(all), s->span}, s.origin(), s.id());
  }
};

}  // namespace

Flow whole_blocks(const Flow& flow) {
  Flow result = flow;
  result.root = Blocks().visit(flow.root);
  return result;
}

}  // namespace trellis::flow
