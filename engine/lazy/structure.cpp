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

/// Fields of the tables whose entries it is about.
Fields fields_of(const Support& support) {
  return support.match([](const Stored& s) { return s.table->fields; },
                       [](const Projection& p) { return without(fields_of(p.of), p.over); },
                       [](const Moved& m) { return m.shape->fields; }, [](const Everywhere&) { return Fields(); },
                       [](const Nowhere&) { return Fields(); },
                       [](const auto& several) {
                         Fields all;
                         for (const Support& one : several.of) all = united(all, fields_of(one));
                         return all;
                       });
}

bool has_gaps(const Support& support);

/// Of one list, that no entry has these coordinates and any others is known of nothing: each row may have entries. With
/// two dimensions left it stores some of their pairs; two lists may have no coordinate in common.
bool has_gaps_without(const Fields& over, const Support& support) {
  if (common(fields_of(support), over).empty()) return has_gaps(support);
  if (const auto* u = support.as<Union>())
    return std::ranges::all_of(u->of, [&](const Support& one) { return has_gaps_without(over, one); });
  if (const auto* p = support.as<Projection>()) return has_gaps_without(united(over, p->over), p->of);
  if (const auto* several = support.as<Intersection>()) {
    if (std::ranges::any_of(several->of, [&](const Support& one) { return has_gaps_without(over, one); })) return true;
    const auto touched = [&](const Support& one) { return has_gaps(one) && !common(fields_of(one), over).empty(); };
    if (std::ranges::count_if(several->of, touched) < 2) return false;
  }
  return has_gaps(support) && without(fields_of(support), over).size() > 1;
}

/// Parts that a shape operator moves lie beside each other: the gaps of one are the result's.
bool all_have_gaps(const std::vector<Support>& several) {
  return std::ranges::all_of(several, [&](const Support& one) {
    const auto* moved = one.as<Moved>();
    if (!moved) return has_gaps(one);
    return std::ranges::any_of(several, [&](const Support& other) {
      const auto* beside = other.as<Moved>();
      return beside && beside->shape == moved->shape && has_gaps(beside->of);
    });
  });
}

bool has_gaps(const Support& support) {
  return support.match([](const Everywhere&) { return false; }, [](const Nowhere&) { return true; },
                       [](const Stored&) { return true; }, [](const Moved& m) { return has_gaps(m.of); },
                       [](const Union& u) { return all_have_gaps(u.of); },
                       [](const Intersection& i) { return std::ranges::any_of(i.of, has_gaps); },
                       [](const Projection& p) { return has_gaps_without(p.over, p.of); });
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
  return has_gaps(support_of(query.expr, is_full)) ? Structure::sparse : Structure::dense;
}

format::Format sparse_format(int rank) {
  if (rank == 2) return format::Format::named("csr", rank).value();
  if (rank >= 3) return format::Format::named("csf", rank).value();
  format::Format vector = format::Format::dense(rank);
  vector.name.clear();
  vector.levels[0].name = "compressed";
  return vector;
}

format::Format result_format(const Query& query, const Formats& formats) {
  if (query.format) return *query.format;
  const int rank = static_cast<int>(query.fields.size());
  return structure_of(query, formats) == Structure::dense ? format::Format::dense(rank) : sparse_format(rank);
}

}  // namespace trellis::lazy
