#include "engine/access/level_index.hpp"

#include "engine/format/storage_order.hpp"
#include "engine/lang/expr.hpp"

namespace trellis::access {

namespace {

std::size_t dimension_of(const lang::TensorInfo& info, int level) {
  return format::dimension_of(info.format, static_cast<std::size_t>(level));
}

}  // namespace

const lang::Expr& level_index(const lang::Access& access, const lang::TensorInfo& info, int level) {
  return access.indices[dimension_of(info, level)];
}

const math::Affine& level_size(const lang::TensorInfo& info, int level) {
  return info.shape[dimension_of(info, level)];
}

LevelKey level_key(const lang::Access& access, const lang::TensorInfo& info, int level) {
  LevelKey key{access.tensor, {}};
  for (int l = 0; l <= level; ++l) key.indices.push_back(lang::to_string(level_index(access, info, l)));
  return key;
}

std::string element_name(const lang::Access& access, const lang::TensorInfo& info, int level) {
  std::vector<std::string> indices(access.indices.size(), ":");
  for (int l = 0; l <= level; ++l) indices[dimension_of(info, l)] = lang::to_string(level_index(access, info, l));
  std::string text;
  for (const std::string& index : indices) text += (text.empty() ? "" : ",") + index;
  return access.tensor + "(" + text + ")";
}

}  // namespace trellis::access
