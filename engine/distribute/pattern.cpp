#include "engine/distribute/pattern.hpp"

#include <algorithm>

#include "engine/distribute/phases.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::distribute {
namespace {

using math::Affine;
using schedule::Site;
using schedule::Touch;

/// Tensors that store only some elements along the variable, in the statement: their coordinates lead its loop.
std::vector<std::string> leaders(const Nest& nest, const Site& site, const std::string& variable) {
  std::vector<std::string> found;
  for (const Touch& touch : site.touches) {
    const auto info = nest.tensors.find(tensor_of(touch));
    if (writes(touch) || info == nest.tensors.end() || info->second.format.all_dense()) continue;
    for (const auto& index : touch.index)
      if (index && index->mentions(variable)) add_once(found, touch.tensor);
  }
  return found;
}

/// As the language writes indices, without blanks.
std::string index_text(const std::optional<Affine>& index) {
  std::string text = index ? math::to_string(*index) : "…";
  std::erase(text, ' ');
  return text;
}

struct Seen {
  std::string pattern;
  std::int64_t width = 0;
};

/// Along one dimension that is cut.
Seen along(Exchange& e, const Plan& plan, const Nest& nest, const Site& site, const Touch& touch, std::size_t d,
           std::size_t around) {
  if (d >= touch.index.size() || !touch.index[d]) {
    const bool listed = d < touch.through.size() && touch.through[d];
    if (listed) add_once(e.lists, touch.through[d]->tensor);
    return {listed ? "through " + touch.through[d]->tensor : "all to all"};
  }
  const Affine& index = *touch.index[d];
  const std::string& ranks = plan.partitions[static_cast<std::size_t>((*plan.home(tensor_of(touch)))[d])].ranks;
  if (const auto place = place_of(plan, nest, site, ranks)) {
    const Affine apart = index - place->coordinate;
    if (apart.is_constant()) return {"halo", std::abs(apart.constant)};
  }
  std::vector<std::string> moving;
  for (std::size_t k = around; k < site.loops.size(); ++k)
    if (index.mentions(site.loops[k].variable)) moving.push_back(site.loops[k].variable);
  if (moving.empty()) return {"from one"};
  if (moving.size() > 1 ||
      plan.is_dealt(nest.number_of(*std::ranges::find(site.loops, moving.front(), &schedule::Around::variable))))
    return {"sections"};
  const std::vector<std::string> lists = leaders(nest, site, moving.front());
  for (const std::string& one : lists) add_once(e.lists, one);
  return lists.empty() ? Seen{"all to all"} : Seen{"through " + lists.front()};
}

}  // namespace

std::string schedule_text(const Touch& touch) {
  std::string text = touch.tensor;
  for (std::size_t d = 0; d < touch.index.size(); ++d) text += (d ? "," : "(") + index_text(touch.index[d]);
  return touch.index.empty() ? text : text + ")";
}

void describe(Exchange& e, const Plan& plan, const Nest& nest, const Site& site, const Touch& touch,
              std::size_t around) {
  const Home& home = *plan.home(tensor_of(touch));
  std::vector<std::string> words;
  std::int64_t width = 0;
  for (std::size_t d = 0; d < home.size(); ++d) {
    if (home[d] < 0) continue;
    const Seen seen = along(e, plan, nest, site, touch, d, around);
    if (seen.pattern != "halo") add_once(words, seen.pattern);
    width = std::max(width, seen.width);
  }
  if (words.empty()) {  // as wide as the widest of all reads
    if (!e.halo && !e.pattern.empty()) return;
    e.halo = std::max(width, e.halo.value_or(0));
    e.pattern = "halo " + std::to_string(*e.halo);
    return;
  }
  const std::string pattern = words.size() == 1 ? words.front() : "sections";
  e.halo.reset();
  e.pattern = e.pattern.empty() || e.pattern == pattern ? pattern : "sections";
}

}  // namespace trellis::distribute
