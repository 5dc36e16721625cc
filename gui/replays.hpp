#pragma once
// Positions in what is replayed ("execution", "placement", "lattice"). The window moves at once; the session is told,
// so that `step` in the console goes on from there (Selected::follow: what the console does is followed).

#include <memory>
#include <string>

#include "gui/comparison.hpp"
#include "gui/console.hpp"
#include "gui/selected.hpp"

namespace trellis::gui {

class Replays {
 public:
  Replays(Comparison& sides, const Selected& selected, Console& console)
      : sides_(sides), selected_(selected), console_(console) {}

  const Steps& steps(char side = 'A') const { return of(side).steps; }
  /// How many steps a replay has.
  std::size_t length(const std::string& replay, char side) const;
  /// An execution is stepped on the side that leads, what precedes it on side A.
  char side_of(const std::string& replay) const { return replay == "execution" ? sides_.leading() : 'A'; }
  bool at_end(const std::string& replay) const;

  void go_to(const std::string& replay, std::size_t step) { go_to(replay, step, side_of(replay)); }
  void go_to(const std::string& replay, std::size_t step, char side);
  void go_to_end(const std::string& replay) { go_to(replay, length(replay, side_of(replay))); }
  void step(const std::string& replay, std::ptrdiff_t by);
  /// To the next violation, exhaustion or refusal, or the one before; else to the end, or the beginning.
  void go_to_event(const std::string& replay, bool forth);
  /// Where the smallest case in which an illegal order goes wrong stands; null: there is none.
  const std::size_t* instance() const;
  /// Where the session's own replay has gone.
  void set(const std::string& replay, std::size_t step);

  /// Once a frame: what is recorded anew begins anew, an illegal order at its instance.
  void follow();
  /// Once a frame: the next step of what is played, in its time.
  void play(const std::string& replay, double now);
  /// Of another program: nothing of it has been told or asked.
  void begin_anew() {
    a_ = b_ = {};
    request_ = 0, waiting_.clear();
    playing = predict = poisoned = false;
  }
  /// Side B stands where side A does.
  void begin_b() { b_.steps = a_.steps; }

  /// The session knows of all that was done here, and nothing waits to be told.
  bool told() const { return request_ == 0 && waiting_.empty(); }
  bool waiting() const { return !waiting_.empty(); }
  void answered(std::uint64_t request) {
    if (request == request_) request_ = 0;
  }

  bool playing = false;
  bool predict = false;   ///< verdicts, and what comes next, are hidden
  bool poisoned = false;  ///< an illegal order is run all the same

 private:
  struct Side {
    Steps steps;
    std::shared_ptr<const session::Recorded> replayed;  ///< that the steps belong to
    std::shared_ptr<const session::DrawnView> drawn;    ///< likewise
  };
  /// The step that was taken last on the leading side reads something too early.
  bool at_violation() const;
  Side& of(char side) { return side == 'B' ? b_ : a_; }
  const Side& of(char side) const { return side == 'B' ? b_ : a_; }
  bool follow(char side);
  void tell(const std::string& command);

  Comparison& sides_;
  const Selected& selected_;
  Console& console_;
  Side a_, b_;
  double played_at_ = 0;
  std::uint64_t request_ = 0;  ///< the last `goto` that the session was sent and has not answered
  std::string waiting_;        ///< a newer one, sent when that is answered
};

}  // namespace trellis::gui
