#pragma once
// Loops over sequences. Where one cursor leads alone the loop is a plain `for` over its entries; where several do, each
// iteration stands at the smallest coordinate that any of them is at (the largest, downwards), and those that were
// there move on.

#include <vector>

#include "engine/emit/arms.hpp"
#include "engine/emit/context.hpp"
#include "engine/emit/count.hpp"
#include "engine/emit/cursor.hpp"
#include "engine/emit/regions.hpp"
#include "engine/emit/threads.hpp"

namespace trellis::emit {

class Coiterations {
 public:
  Coiterations(Context& out, Threads& threads, Arms& arms, Counts& counts, const Body& body)
      : out_(out), threads_(threads), arms_(arms), counts_(counts), body_(body), regions_(out, threads, arms, body) {}

  void coiterate(const flow::Coiterate& loop, const text::Origin& origin, bool last);

 private:
  using Point = flow::Coiterate::Point;
  void go_through(const flow::Coiterate& loop, std::vector<CCursor>& walks, const text::Origin& origin);
  void along_segment(const flow::Coiterate& loop, const CCursor& outer, const text::Origin& origin);
  void single(const flow::Coiterate& loop, const Point& point, CCursor& walk, const text::Origin& origin);
  /// On threads, each entry or part of a row.
  void on_threads(const flow::Coiterate& loop, CCursor& walk, const text::Origin& origin);
  void count_then_fill(const flow::Coiterate& loop, CCursor& walk, const text::Origin& origin);
  /// The walk's next entry, at the loop's coordinate, and what is done there.
  std::string at_entry(const flow::Coiterate& loop, CCursor& walk);
  void in_pairs(const flow::Coiterate& loop, const Point& point, CCursor& walk, const c::Expr& end,
                const text::Origin& origin);
  void visit_all(const flow::Coiterate& loop, const Point& point, std::vector<CCursor>& walks,
                 const text::Origin& origin);

  Context& out_;
  Threads& threads_;
  Arms& arms_;
  Counts& counts_;
  Body body_;
  Regions regions_;
};

}  // namespace trellis::emit
