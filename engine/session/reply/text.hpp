#pragma once
// Replies as people read them, one function a kind; what text.cpp chooses from.

#include <string>

#include "engine/session/reply/reply.hpp"

namespace trellis::session {

// text_print.cpp
std::string text_of(const Printed&, Elision, const text::Page&);
// text_explore.cpp
std::string text_of(const OrdersListed&);
std::string text_of(const WhyAnswered&);
std::string text_of(const CoreFound&);
std::string text_of(const Suggested&);
std::string text_of(const PlanShown&);
std::string text_of(const Differed&);
// text_time.cpp
std::string text_of(const Timed&);
std::string text_of(const Counted&);
// text_step.cpp
std::string text_of(const Stepped&, const text::Page& = {});
// text_cursor.cpp
/// `● a(i)   0  [2]  5`, of regions `0..3  [4..9]`: what is stored, and where the operand stands: `[here]`, all of a
/// segment together, or at what comes next, `‹there›`. Of a product keys, and a line a level below.
std::string text_of_cursor(const explore::LatticeStep::Cursor& cursor, const coiterate::Lattice& lattice);
// text_state.cpp
std::string text_of(const Travelled&);
std::string text_of(const Saved&);
std::string text_of(const HistoryListed&);
std::string text_of(const ProgramListed&);
std::string text_of(const Selected&);
std::string text_of(const ExamplesListed&);
// text_learn.cpp
std::string text_of(const LessonShown&);
std::string text_of(const LessonsListed&);
std::string text_of(const Learning&);
std::string text_of(const Quizzed&, const text::Page& = {});

}  // namespace trellis::session
