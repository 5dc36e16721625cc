#include "engine/lazy/structure.hpp"

#include <algorithm>
#include <cmath>

#include "engine/lazy/fills.hpp"
#include "engine/lazy/support.hpp"

namespace trellis::lazy {

namespace {

bool is_reduced(const Expr& expr) {
  if (expr.as<Agg>() || expr.as<Arg>()) return true;
  const std::vector<Expr> below = children(expr);
  return std::ranges::any_of(below, is_reduced);
}

}  // namespace

Structure structure_of(const Query& query, const Formats& formats) {
  const bool small = query.fields.size() <= 1 && is_reduced(query.expr);
  if (query.fields.empty() || small || !fill_is_fixed(query.expr)) return Structure::dense;
  if (const format::Value fill = fill_of(query.expr); std::isnan(fill.real)) return Structure::dense;
  const auto is_full = [&](const Table& table) {
    const auto found = formats.find(table.name);
    return found != formats.end() && found->second.all_dense();
  };
  return support_of(query.expr, is_full).as<Everywhere>() ? Structure::dense : Structure::sparse;
}

format::Format result_format(const Query& query, const Formats& formats) {
  if (query.format) return *query.format;
  const int rank = static_cast<int>(query.fields.size());
  if (structure_of(query, formats) == Structure::dense) return format::Format::dense(rank);
  if (rank == 2) return format::Format::named("csr", rank).value();
  if (rank >= 3) return format::Format::named("csf", rank).value();
  format::Format vector = format::Format::dense(rank);
  vector.name.clear();
  vector.levels[0].name = "compressed";
  return vector;
}

}  // namespace trellis::lazy
