#pragma once
// What the panes that replay an execution share: the step that was taken last, and what is wrong with it.

#include <vector>

#include "engine/view/iterations.hpp"
#include "gui/scene.hpp"

namespace trellis::gui {

/// The execution and what is known of it, where both are of the same; null otherwise.
struct Replayed {
  const session::Recorded* execution = nullptr;
  const session::DrawnView* drawn = nullptr;
  const place::Fragments* fragments = nullptr;
  std::size_t at = 0;                          ///< steps done
  const explore::Trace::Step* step = nullptr;  ///< the last of them; null at the beginning
  std::vector<explore::Violation> violations;  ///< of that step; none while someone predicts

  explicit operator bool() const { return execution != nullptr; }
  std::size_t now() const { return at - 1; }  ///< the number of `step`, from 0
  std::size_t length() const { return execution->trace.steps.size(); }
  /// The sizes that it is of, those on which the extent of what an illegal order does wrong depends: "n=4, m=8".
  text::Point sizes(const session::ExplainedView& explained) const;
  /// The number of the step's violation among all of them, from 1; 0: it has none.
  std::size_t violation_number() const;
};
Replayed replayed(const Scene& scene);

/// Why there is nothing to replay, and what helps; drawn in the middle.
void draw_no_execution(const Scene& scene, Ui& ui, Rect area);

/// The equation's indices at each step; kept by whoever asks, since it takes time.
struct Places {
  std::shared_ptr<const session::Recorded> of;
  std::vector<explore::StepPoint> points;
};
const Places& places_of(const Scene& scene, Ui& ui);

/// What a step's equation is: of the program, or a statement of its own.
view::EquationIndices equation_of(const Scene& scene, const Places& places, std::size_t step);

/// "i=0" in the hue of its index, one after the other; the result is where the next would stand.
float draw_point(const Scene& scene, Ui& ui, Point at, const text::Point& point);

}  // namespace trellis::gui
