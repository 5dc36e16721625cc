#include "engine/emit/merge.hpp"

#include <algorithm>

#include "engine/emit/loop.hpp"
#include "engine/emit/product.hpp"
#include "engine/emit/region.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/flow/segments.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::emit {

using flow::Coiterate;

namespace {

std::set<std::string> names_of_leads(const Coiterate& loop, const Coiterate::Point& point) {
  std::set<std::string> names;
  for (const int lead : point.leads) names.insert(loop.cursors[static_cast<std::size_t>(lead)].name);
  return names;
}

/// Is there nothing to do but where all of them are?
bool only_at_all(const flow::Stmt& body, std::set<std::string> cursors) {
  const auto* test = body.as<flow::Test>();
  if (!test || test->otherwise || !cursors.erase(test->cursor)) return cursors.empty();
  return cursors.empty() || only_at_all(test->then, cursors);
}

/// In growing steps, where the loop's coordinates are those that are stored.
bool gallops(const CCursor& w, bool down) {
  return w.cursor->find == flow::Cursor::Find::gallop && w.cursor->plain() && !down && !w.backward && !w.several &&
         !w.live && !w.cursor->is_product();
}

// On to the loop's coordinate, or past it.
void follow(Context& out, CCursor& w, const std::string& i, bool down) {
  if (!w.regions) {
    if (w.cursor->is_product()) leave_fibers(out, w, i, down);
    if (gallops(w, down)) {
      const flow::Tensor& tensor = *out.flow.tensor(w.cursor->tensor);
      const std::string helper = out.prelude.use_gallop(facts_of(tensor, w.cursor->level).wide);
      const c::Expr crd = out.expressions.array(tensor, w.cursor->level, format::Array::coordinates);
      out.add(set(w.at, "=", c::call(helper, {crd, c::token(w.at), c::token(w.end), c::token(i)})));
    } else {
      move_while(out, w, compared(out, w, c::token(w.at), down ? ">" : "<", i));
    }
    w.here = c::binary("&&", alive(w), stands_at(out, w, c::token(w.at), i));
    return;
  }
  const auto [low, high] = region_of(out, w);
  move_while(out, w, down ? c::binary(">", low, c::token(i)) : c::binary("<", high, c::token(i)));
  const c::Expr begun = down ? c::binary(">=", high, c::token(i)) : c::binary("<=", low, c::token(i));
  w.here = w.cursor->full ? c::number(1) : c::binary("&&", alive(w), begun);
}

}  // namespace

Merge::Merge(Context& out, Arms& arms, const Body& body, const Coiterate& loop, const Coiterate::Point& point,
             std::vector<CCursor>& walks)
    : out_(out),
      arms_(arms),
      body_(body),
      loop_(loop),
      needed_(point.leads),
      point_(point),
      walks_(walks),
      down_(loop.direction == flow::Loop::Direction::down),
      one_(point.leads.size() == 1 || is_chase()),
      in_arms_(!one_ && decides(point.body, names_of_leads(loop, point))),
      along_(flow::carries_segment(out.flow, loop) != nullptr),
      duel_(is_duel()) {
  if (one_) point_ = led_by_one();
}

bool Merge::is_chase() const {
  const bool sought = std::ranges::all_of(point_.leads, [&](const int k) {
    const CCursor& w = walks_[static_cast<std::size_t>(k)];
    return !w.regions && !w.live && w.cursor->find != flow::Cursor::Find::merge;
  });
  return sought && point_.leads.size() > 1 && point_.follows.empty() && !point_.any && loop_.points.size() == 1 &&
         only_at_all(point_.body, names_of_leads(loop_, point_));
}

// What a pattern restricts has fewer entries than the pattern, so that it runs out sooner; a product leaves whole
// fibers where it follows.
flow::Coiterate::Point Merge::led_by_one() const {
  flow::Coiterate::Point point = point_;
  const auto burden = [&](const int k) {
    const flow::Cursor& cursor = loop_.cursors[static_cast<std::size_t>(k)];
    const bool asked = cursor.find != flow::Cursor::Find::chosen;  // it is to be found where another one stands
    return 4 * asked + 2 * cursor.is_product() + out_.flow.tensor(cursor.tensor)->pattern;
  };
  const int leader = *std::ranges::min_element(point.leads, {}, burden);
  for (const int k : point_.leads)
    if (k != leader) point.follows.push_back(k);
  point.leads = {leader};
  return point;
}

bool Merge::is_duel() const {
  const bool two = point_.leads.size() == 2 && !point_.any && point_.follows.empty();
  return in_arms_ && two && std::ranges::none_of(walks_, &CCursor::several);
}

void Merge::emit(const text::Origin& origin) {
  for (std::size_t k = 0; k < walks_.size(); ++k) {
    CCursor& w = walks_[k];
    w.skips_left_out = contains(point_.leads, static_cast<int>(k)) && w.cursor->stride > w.cursor->width;
    if (w.skips_left_out) move_while(out_, w, left_out(out_, w));
  }
  const c::Expr condition = going_on(out_, some_left(), loop_.unless);
  out_.open();
  const c::Expr nearest = bind_nearest();
  const std::string i = out_.bind(loop_.variable);
  if (!duel_) out_.add(constant(i, nearest));
  for (std::size_t k = 0; k < walks_.size(); ++k) place(k, i);
  if (in_arms_) {
    arms_.decide(point_.body, names_of_leads(loop_, point_));
  } else {
    body_(point_.body, false);
    for (std::size_t k = 0; k < walks_.size(); ++k)
      if (contains(point_.leads, static_cast<int>(k))) step(out_, walks_[k], one_ ? c::Expr{} : walks_[k].here, i);
    if (needed_.size() > point_.leads.size()) chase_back();
  }
  const c::Stmt body = out_.close();
  out_.add(c::stmt(c::While{condition, body}, origin));
}

c::Expr Merge::some_left() const {
  c::Expr condition;
  for (const int k : needed_) {
    const c::Expr one = alive(walks_[static_cast<std::size_t>(k)]);
    condition = condition ? c::binary(point_.any ? "||" : "&&", condition, one) : one;
  }
  return condition;
}

// Where the iteration stands; declares where each of several leads is.
c::Expr Merge::bind_nearest() {
  c::Expr nearest;
  for (std::size_t k = 0; k < point_.leads.size(); ++k) {
    CCursor& w = lead(k);
    c::Expr coordinate = entry_coordinate(out_, w, c::token(w.at));
    if (one_) {
      w.coordinate.clear();
      return coordinate;
    }
    w.coordinate = out_.bind(loop_.variable + "." + w.cursor->tensor);
    if (point_.any) {
      coordinate = choose(alive(w), coordinate, c::token(down_ ? "INT64_MIN" : "INT64_MAX"));
      out_.prelude.use_limits();
    }
    out_.add(constant(w.coordinate, coordinate));
    const c::Expr candidate = c::token(w.coordinate);
    nearest = nearest ? choose(c::binary(down_ ? ">" : "<", nearest, candidate), nearest, candidate) : candidate;
    if (!nearest.as<c::Token>() && point_.leads.size() > 2 && k + 1 < point_.leads.size()) {
      const std::string so_far = out_.bind(loop_.variable + "'next");
      out_.add(constant(so_far, nearest));
      nearest = c::token(so_far);
    }
  }
  return nearest;
}

// Where a cursor stands as the iteration does, for the tests of the body.
void Merge::place(std::size_t k, const std::string& i) {
  CCursor& w = walks_[k];
  const bool leads = contains(point_.leads, static_cast<int>(k));
  if (!leads && !contains(point_.follows, static_cast<int>(k))) return;
  w.both = w.only = {};  // of the point before
  if (duel_) face_rival(w, lead(point_.leads[0] == static_cast<int>(k)).coordinate, i);
  else if (leads) w.here = w.coordinate.empty() ? c::number(1) : c::binary("==", c::token(w.coordinate), c::token(i));
  else follow(out_, w, i, down_);
  w.along = along_;
  if (along_) w.variable = i;
  else bind_segment(out_, w, i);
  if (one_ && leads) skip_beyond(w, i);
  if (w.several && !leads) w.here = in_segment(out_, w);
  arms_.place(w);
}

// A product that leads leaves fibers that end before what another is at.
void Merge::chase_back() {
  const CCursor& leader = lead(0);
  if (!leader.cursor->is_product()) return;
  const CCursor& other = walks_[static_cast<std::size_t>(point_.follows.front())];
  out_.open();
  const std::string next = out_.bind(loop_.variable + "'next");
  out_.add(constant(next, entry_coordinate(out_, other, c::token(other.at))));
  leave_fibers(out_, leader, next, down_);
  if (leader.skips_left_out) move_while(out_, leader, left_out(out_, leader));
  out_.add(c::stmt(c::If{alive(other), out_.close(), {}}));
}

void Merge::face_rival(CCursor& w, const std::string& rival, const std::string& i) const {
  const auto decided = [&](const char* op) { return c::binary(op, c::token(w.coordinate), c::token(rival)); };
  w.here = decided(down_ ? ">=" : "<=");
  w.both = decided("==");
  w.only = decided(down_ ? ">" : "<");
  w.variable = i;
}

void Merge::skip_beyond(const CCursor& w, const std::string& i) {
  const c::Expr outside = beyond(out_, w, loop_, i);
  if (!outside) return;
  out_.open();
  step(out_, w, {}, i);
  out_.add(c::stmt(c::Continue{}));
  out_.add(c::stmt(c::If{outside, out_.close(), {}}));
}

}  // namespace trellis::emit
