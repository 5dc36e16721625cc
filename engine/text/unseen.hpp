#pragma once
// Work of which nobody reads the messages: what is tried to see whether it works.

namespace trellis::text {

/// While one of these lives, what is refused on this thread is refused without remedies that would have to be looked
/// for.
class Unseen {
 public:
  Unseen() { ++depth(); }
  ~Unseen() { --depth(); }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;

  static bool now() { return depth() > 0; }

 private:
  static int& depth() {
    thread_local int depth = 0;
    return depth;
  }
};

}  // namespace trellis::text
