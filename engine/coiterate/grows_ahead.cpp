#include "engine/coiterate/grows_ahead.hpp"

#include <map>
#include <optional>
#include <string>

#include "engine/text/scoped.hpp"

namespace trellis::coiterate {

namespace {

/// Bounds of the loops inside: the least and the greatest value of their variables.
struct Bounds {
  std::optional<math::Affine> least, greatest;
};

class Writes {
 public:
  Writes(const loop::For& f, const std::string& tensor, const std::function<bool(const math::Affine&)>& non_negative)
      : walk_(f), tensor_(tensor), non_negative_(non_negative) {}

  bool all_ahead(const loop::Stmt& s) {
    if (const auto* d = s.as<loop::Declare>()) return d->tensor.name != tensor_;
    if (const auto* r = s.as<loop::Reset>()) return r->tensor != tensor_;
    if (const auto* a = s.as<loop::Assign>()) return is_ahead(*a->target.as<lang::Access>());
    const text::Scoped bounds(bounds_);
    if (const auto* f = s.as<loop::For>()) {
      const auto first = lang::affine(f->low), end = lang::affine(f->high);
      bounds_[f->variable] = {first, end ? std::optional(*end - math::Affine(1)) : std::nullopt};
    }
    bool all = true;
    loop::for_each_child(
        s, [&](const loop::Stmt& child) { all = all && all_ahead(child); }, [](const lang::Expr&) {});
    return all;
  }

 private:
  bool is_ahead(const lang::Access& target) const {
    if (target.tensor != tensor_) return true;
    const auto written = target.indices.size() == 1 ? lang::affine(target.indices.front()) : std::nullopt;
    if (!written) return false;
    const math::Affine here = math::Affine::name(walk_.variable);
    std::optional<math::Affine> distance = walk_.descending ? here - *written : *written - here;
    // Inner variables may stand in the bounds of those inside them.
    for (std::size_t k = 0; distance && k <= bounds_.size(); ++k) distance = at_least(*distance);
    return distance && non_negative_(*distance - math::Affine(1));
  }

  /// Where each variable of a loop inside has the value that makes it least.
  std::optional<math::Affine> at_least(const math::Affine& value) const {
    if (!value.quotients.empty()) return std::nullopt;
    math::Affine least = value;
    for (const auto& [name, coefficient] : value.terms) {
      const auto bound = bounds_.find(name);
      if (bound == bounds_.end()) continue;
      const std::optional<math::Affine>& limit = coefficient > 0 ? bound->second.least : bound->second.greatest;
      if (!limit) return std::nullopt;
      least = least.substitute({{name, *limit}});
    }
    return least;
  }

  const loop::For& walk_;
  const std::string& tensor_;
  const std::function<bool(const math::Affine&)>& non_negative_;
  std::map<std::string, Bounds> bounds_;
};

}  // namespace

bool grows_ahead(const loop::For& f, const lang::Access& read,
                 const std::function<bool(const math::Affine&)>& non_negative) {
  const auto* at = read.indices.size() == 1 ? read.indices.front().as<lang::Variable>() : nullptr;
  return at && at->name == f.variable && !f.until && Writes(f, read.tensor, non_negative).all_ahead(f.body);
}

}  // namespace trellis::coiterate
