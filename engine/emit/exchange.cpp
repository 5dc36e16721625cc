#include "engine/emit/exchange.hpp"

namespace trellis::emit {

bool has_exchanges(const flow::Flow& flow) {
  bool found = false;
  for_each_stmt(flow.root, [&](const flow::Stmt& s) { found |= s.as<flow::Exchange>() != nullptr; });
  return found;
}

const std::string& ranks_name(Names& names) { return names.fix("'ranks", "ranks"); }

void exchange(Context& out, const flow::Exchange& e, const text::Origin& origin) {
  out.prelude.use_ranks();
  const std::string ranks = ranks_name(out.names);
  for (std::size_t k = 0; k < e.keys.size(); ++k) {
    const c::Expr key = c::expr(c::Index{c::token(ranks + "->key"), c::number(static_cast<std::int64_t>(k))});
    out.add(c::stmt(c::Assignment{key, "=", out.expressions.expr(e.keys[k])}, origin));
  }
  const flow::Tensor& tensor = *out.flow.tensor(e.tensor);
  out.expressions.use(e.tensor);
  const bool own = tensor.levels.empty() && tensor.storage == flow::Tensor::Storage::temporary;  // a variable
  const c::Expr name = c::token(out.names.fixed(e.tensor));
  out.add(
      c::stmt(c::Evaluate{c::call(ranks + "->" + std::string(format::name_of(e.call)),
                                  {c::token(ranks), c::number(e.number), own ? c::expr(c::Unary{"&", name}) : name})},
              origin));
}

}  // namespace trellis::emit
