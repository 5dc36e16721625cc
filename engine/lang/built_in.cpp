#include "engine/lang/built_in.hpp"

#include "engine/format/operation.hpp"
#include "engine/format/scalar.hpp"
#include "engine/lang/expr.hpp"

namespace trellis::lang {

bool is_built_in(std::string_view name) {
  return format::scalar_type(name) || format::function(name) || format::reduce_op(name) || shape_op(name) ||
         name == "coalesce" || name == "choose";
}

}  // namespace trellis::lang
