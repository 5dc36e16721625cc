#pragma once
// Loops that go by regions: each iteration deals with all coordinates up to where some operand begins or ends.
//
//   while (pA < pA_end && i_next < n) {
//     const int64_t A_first = A_start[pA], A_last = A_crd[pA];
//     const int64_t i_first = i_next > A_first ? i_next : A_first;       where something is there
//     const int64_t i_last = A_first <= i_first ? A_last : A_first - 1;  and stays as it is
//     if (A_first <= i_first) { … }
//     i_next = i_last + 1;
//     pA += A_last <= i_last;
//   }
//
// Where there is something to do only where all leads are, an iteration begins with the last of them to begin, and
// deals with nothing where another has ended by then: `if (i_first <= i_last) …`; that one, and all that end before,
// move on.
//
// One operand alone, or one that is full, is a plain `for` over its regions. Downwards everything is the other way
// iteration: "near" is where the loop comes from, "far" where it goes to. (docs/design/coiteration.md#regions)

#include <string>
#include <vector>

#include "engine/emit/arms.hpp"
#include "engine/emit/context.hpp"
#include "engine/emit/cursor.hpp"
#include "engine/emit/threads.hpp"

namespace trellis::emit {

class Regions {
 public:
  Regions(Context& out, Threads& threads, Arms& arms, const Body& body)
      : out_(out), threads_(threads), arms_(arms), body_(body) {}

  void walk(const flow::Coiterate& loop, std::vector<CCursor>& walks, const text::Origin& origin);

 private:
  using Point = flow::Coiterate::Point;
  /// The iterations of a loop.
  struct Iterations {
    const flow::Coiterate& loop;
    std::vector<CCursor>& walks;
    bool down;
    c::Expr low, high;
    std::string next;  ///< variable: up to where the loop has got; empty: as far as the leads
  };
  /// Who takes part in those of a point.
  struct Walked {
    std::vector<CCursor*> leads, followers;
    std::vector<CCursor*> all() const;
  };
  static Walked walked_in(const Point& point, std::vector<CCursor>& walks);
  void iterations(const Iterations& iterations, const Point& point, const text::Origin& origin);
  std::string where_together(const Iterations& iterations, const Point& point, const std::string& near,
                             const std::string& far);
  void bind_iteration(const Iterations& iterations, const Point& point, const Walked& walked, const std::string& near,
                      const std::string& far);
  /// `missed`: there may be no iteration, where leads did not meet.
  void move_on(const Iterations& iterations, const Walked& walked, const std::string& far, bool missed);
  c::Expr near_end(const Iterations& iterations, const Point& point, const std::vector<CCursor*>& leads);
  void bind_far(const Iterations& iterations, const Point& point, const std::vector<CCursor*>& walked,
                const std::string& near, const std::string& far);
  void region_by_region(const flow::Coiterate& loop, const Point& point, CCursor& walk, const text::Origin& origin);
  void bind_ends(const flow::Coiterate& loop, const Point& point, const CCursor& walk);

  Context& out_;
  Threads& threads_;
  Arms& arms_;
  Body body_;
};

}  // namespace trellis::emit
