#include "gui/value_marks.hpp"

#include <algorithm>

namespace trellis::gui {
namespace {

using Touch = explore::Trace::Touch;

struct Marker {
  ValueMarks& marks;
  const session::Boards& boards;

  template <class Set>
  void each(const Touch& touch, const Set& set) {
    const auto board = boards.find(touch.tensor);
    if (board == boards.end()) return;
    touch.each_element(
        [&](const tensor::Index& element) { set(marks.of[touch.tensor][board->second.offset(element)]); });
  }
};

std::optional<std::int64_t> known(const text::Point& point, const session::Recorded& recorded,
                                  const std::string& name) {
  for (const auto& [variable, value] : point)
    if (variable == name) return value;
  const auto size = recorded.before.parameters.find(name);
  if (size != recorded.before.parameters.end() && format::is_integer(size->second.type))
    return size->second.as_integer();
  return std::nullopt;
}

/// The element of the result that the step's equation gives a value to, maybe some steps later.
std::optional<session::Selection::Element> computed_by(const Replayed& r, const explore::StepPoint& point) {
  if (point.fragment < 0) return std::nullopt;
  const auto& all = r.fragments->fragments;
  const int equation = all[static_cast<std::size_t>(point.fragment)].equation;
  for (const place::Fragment& fragment : all) {
    if (fragment.equation != equation || fragment.temporary || fragment.kind != place::Fragment::Kind::equation)
      continue;
    session::Selection::Element element{fragment.write.tensor, {}};
    for (const math::Affine& index : fragment.write_index) {
      const auto at = index.evaluate([&](const std::string& name) { return known(point.point, *r.execution, name); });
      if (!at) return std::nullopt;
      element.index.push_back(*at);
    }
    return element;
  }
  return std::nullopt;
}

/// The free variables of a step's fragment, whose steps all work on one element.
text::Point free_part(const Replayed& r, const explore::StepPoint& point) {
  const place::Fragment& fragment = r.fragments->fragments[static_cast<std::size_t>(point.fragment)];
  text::Point free;
  for (const auto& one : point.point)
    if (std::ranges::find(fragment.reduced, one.first) == fragment.reduced.end()) free.push_back(one);
  return free;
}

// Of a reduction the other steps of the same element read the rest of what it needs.
void mark_needed(Marker& marker, const Replayed& r, const Places& places) {
  const explore::StepPoint& now = places.points[r.now()];
  if (now.fragment < 0 || r.violations.empty()) return;
  std::set<std::string> early;
  for (const Touch& read : r.step->reads)
    if (read.early) early.insert(read.tensor);
  const text::Point free = free_part(r, now);
  for (std::size_t k = 0; k < places.points.size(); ++k) {
    if (places.points[k].fragment != now.fragment || k == r.now() || free_part(r, places.points[k]) != free) continue;
    for (const Touch& read : r.execution->trace.steps[k].reads)
      if (early.contains(read.tensor)) marker.each(read, [](ElementMark& one) { one.mark.needed = true; });
  }
}

void mark_wrong(Marker& marker, const Replayed& r) {
  for (const explore::WrongElement& wrong : r.drawn->account.wrong) {
    if (wrong.step >= r.at) continue;
    ++marker.marks.wrong;
    const Touch touch{wrong.tensor, wrong.element, wrong.got};
    marker.each(touch, [&](ElementMark& one) {
      one.mark.wrong = true;
      one.remark =
          "should be " + format::to_string(wrong.expected) + "; written at step " + std::to_string(wrong.step + 1);
    });
  }
}

// Run all the same: what was computed of undefined elements has no value either.
void mark_tainted(Marker& marker, const Replayed& r, const explore::Taints& taints) {
  const auto mark = [&](const Touch& touch, explore::Taint taint, const std::string& how) {
    marker.each(touch, [&](ElementMark& one) {
      one.mark.tainted = taint != explore::Taint::none;
      one.mark.undefined = taint == explore::Taint::undefined;
      one.remark = taint == explore::Taint::none        ? ""
                   : taint == explore::Taint::undefined ? how + " what is undefined"
                                                        : how + " what was not complete";
    });
  };
  const auto& steps = r.execution->trace.steps;
  auto chosen = taints.chosen.begin();
  const auto mark_chosen = [&](std::size_t step) {
    for (; chosen != taints.chosen.end() && chosen->step <= step; ++chosen)
      mark({chosen->tensor, chosen->element, {}}, chosen->taint, "chosen by");
  };
  for (std::size_t k = 0; k < r.at; ++k) {
    mark_chosen(k);
    if (!steps[k].starts.empty())
      for (auto& [offset, one] : marker.marks.of[steps[k].starts]) one.mark.tainted = one.mark.undefined = false;
    if (steps[k].write) mark(*steps[k].write, taints.steps[k], "computed of");
  }
  mark_chosen(r.at);
}

void mark_step(Marker& marker, const Replayed& r, bool poisoned) {
  for (const Touch& read : r.step->reads)
    marker.each(read, [&](ElementMark& one) {
      one.mark.reads = true;
      const auto& board = marker.boards.at(read.tensor);
      if (poisoned && !board.elements[board.offset(read.index)]) one.mark.undefined = true;
    });
  for (const explore::Violation& violation : r.violations) {
    const Touch& read = r.step->reads[static_cast<std::size_t>(violation.read)];
    marker.each(read, [&](ElementMark& one) {
      one.mark.early = true;
      one.remark = violation.writes ? "read now, but written at step " + std::to_string(*violation.writes + 1)
                                    : "read now, before it is written";
    });
  }
  if (r.step->write) marker.each(*r.step->write, [](ElementMark& one) { one.mark.writes = true; });
}

// Stepped beside another order: what that one has not come to.
void mark_alone(Marker& marker, const Scene& scene, const Replayed& r) {
  for (std::size_t k = 0; k < r.at; ++k)
    if (const auto& write = r.execution->trace.steps[k].write; write && scene.done_here_alone(k))
      marker.each(*write, [&](ElementMark& one) { one.mark.alone = scene.side; });
}

}  // namespace

ValueMarks marks_at(const Scene& scene, const Replayed& r, const Places& places, const session::Boards& boards,
                    const explore::Taints& taints) {
  ValueMarks marks;
  Marker marker{marks, boards};
  if (scene.poisoned) mark_tainted(marker, r, taints);
  if (!scene.predict && (scene.poisoned || r.at == r.length())) mark_wrong(marker, r);
  if (!r.step) return marks;
  mark_alone(marker, scene, r);
  mark_needed(marker, r, places);
  mark_step(marker, r, scene.poisoned);
  marks.computed = computed_by(r, places.points[r.now()]);
  if (marks.computed)
    marker.each({marks.computed->tensor, marks.computed->index, {}},
                [](ElementMark& one) { one.mark.computed = true; });
  return marks;
}

}  // namespace trellis::gui
