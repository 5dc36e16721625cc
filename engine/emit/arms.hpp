#pragma once
// What is done at a coordinate, by which cursors stand there.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/emit/cursor.hpp"

namespace trellis::emit {

class Arms {
 public:
  Arms(Context& out, Body body) : out_(out), body_(std::move(body)) {}

  /// From now on tests ask this walk, until the cursor is forgotten.
  void place(const CCursor& walk) { walks_[walk.cursor->name] = walk; }
  const CCursor& walk(const std::string& cursor) const { return walks_.at(cursor); }
  void forget(const flow::Cursor& cursor) { walks_.erase(cursor.name); }
  /// The body of a point, whose tests decide about all `leads`: each arm moves those on that stand at the coordinate.
  void decide(const flow::Stmt& body, const std::set<std::string>& leads);

  void test(const flow::Test& test, const text::Origin& origin, bool last);
  /// `here(cursor)`: the position, or -1.
  c::Expr position(const flow::Here& here);

 private:
  void arm(const flow::Stmt& body);
  c::Stmt block_of_arm(const flow::Stmt& body);
  void found(const flow::Test& test, const std::function<void()>& arm);
  void bound_arm(const flow::Test& test, const CCursor& walk);
  bool joins(const flow::Test& test, const CCursor& walk) const;
  void test_both(const flow::Test& test, const CCursor& walk, const text::Origin& origin);

  Context& out_;
  Body body_;
  std::map<std::string, CCursor> walks_;  ///< by the cursor's name
  std::set<std::string> decided_;     ///< leads whose tests have an arm for each case, so that the arms move them on
  std::vector<std::string> present_;  ///< those of them that stand at the loop's coordinate
};

/// Does every path through tests of these cursors test all of them?
bool decides(const flow::Stmt& body, std::set<std::string> cursors);

}  // namespace trellis::emit
