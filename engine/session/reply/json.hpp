#pragma once
// Replies as programs read them (docs/design/language.md#replies-as-json), one function a kind; what json.cpp chooses
// from. Each adds the fields of its kind.

#include "engine/session/reply/reply.hpp"
#include "engine/view/json.hpp"

namespace trellis::session {

// json_state.cpp
void put(view::Json& json, const Loaded&);
void put(view::Json& json, const Pruned&);
void put(view::Json& json, const Printed&);
void put(view::Json& json, const Saved&);
void put(view::Json& json, const Exported&);
void put(view::Json& json, const Plotted&);
void put(view::Json& json, const Explained&);
void put(view::Json& json, const Scheduled&);
void put(view::Json& json, const Travelled&);
void put(view::Json& json, const HistoryListed&);
void put(view::Json& json, const ProgramListed&);
void put(view::Json& json, const Sourced&);
void put(view::Json& json, const ExamplesListed&);
void put(view::Json& json, const Selected&);
// json_run.cpp
void put(view::Json& json, const Ran&);
void put(view::Json& json, const Checked&);
void put(view::Json& json, const Counted&);
void put(view::Json& json, const Timed&);
// json_stages.cpp
void put(view::Json& json, const Shown&);
void put(view::Json& json, const FormatsShown&);
// json_explore.cpp
void put(view::Json& json, const OrdersListed&);
void put(view::Json& json, const WhyAnswered&);
void put(view::Json& json, const Suggested&);
void put(view::Json& json, const CoreFound&);
void put(view::Json& json, const Differed&);
// json_step.cpp
void put(view::Json& json, const Stepped&);
// json_learn.cpp
void put(view::Json& json, const LessonShown&);
void put(view::Json& json, const LessonsListed&);
void put(view::Json& json, const Quizzed&);
// json_plan.cpp
void put(view::Json& json, const PlanShown&);

}  // namespace trellis::session
