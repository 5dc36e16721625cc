#pragma once
// Where a cursor stands: the loop's coordinate of the entry that it is at, which entries lie within the loop, and how
// it moves on.
//
// A stretched entry is at several coordinates: its cursor counts each of them, `pA / 2` is the entry and `pA % 2` which
// one it is. A slice leaves entries out: a cursor that leads moves past them. A segment is all entries of a coordinate,
// as are those that repeat one; `pA_end` is where it ends.

#include <string>
#include <utility>
#include <vector>

#include "engine/emit/context.hpp"

namespace trellis::emit {

/// A cursor in C: where it stands, until where, and what it finds there.
struct CCursor {
  const flow::Cursor* cursor = nullptr;
  const flow::Tensor* tensor = nullptr;
  format::Facts facts;
  std::string at, end;     ///< variables: the entry that is next, and the first (or, backwards, last) that is not
  std::string coordinate;  ///< variable with the loop's coordinate of that entry, for leads
  bool backward = false;
  bool several = false;
  bool computed = false;        ///< the position is not what is counted
  bool signs = false;           ///< of segments: coordinates may be negative
  bool skips_left_out = false;  ///< it leads, and is never at what a slice leaves out
  bool regions = false;         ///< the loop goes by regions: entries are counted, whatever coordinates they are at
  bool live =
      false;  ///< entries may come ahead: coordinates are counted, and the nearest is asked for in each iteration
  std::string set, size;  ///< of a live one, tokens: the ordered set, and how many coordinates there could be
  /// Of a product, a level above: the variable that says where it stands; none: where the cursor does.
  struct Above {
    int level;
    std::int64_t unit;
    std::string at;
  };
  std::vector<Above> above;  ///< outermost first
  std::string begin;         ///< variable: the fiber's first entry, of regions
  std::string low, high;  ///< variables: the first and the last of the loop's coordinates in the region that it is at
  c::Expr first, last;    ///< bounds, as expressions
  c::Expr here;           ///< does it stand at the loop's coordinate?
  c::Expr both, only;     ///< of two leads that decide which arm runs: do both stand there, or this one alone?
  std::string variable;   ///< the loop's, which each arm then declares; of one that is taken along, in any case
  bool along = false;     ///< a loop inside takes it along, through all entries of the coordinate
};

// From where to where (cursor_range.cpp).

/// How the cursor goes in this loop, without what it goes through.
CCursor c_cursor_of(Context& out, const flow::Cursor& cursor, const flow::Coiterate& loop);
/// What the cursor goes through in this loop; its variables are still to be named.
CCursor open_cursor(Context& out, const flow::Cursor& cursor, const flow::Coiterate& loop);
void declare_cursor(Context& out, const CCursor& walk);
/// Stored coordinates from the first to before the second are within the loop's bounds.
std::pair<c::Expr, c::Expr> stored_bounds(Context& out, const CCursor& walk, const flow::Coiterate& loop);
/// The first entry that is not before the coordinate, by bisection.
c::Expr seek(Context& out, const CCursor& walk, c::Expr first, c::Expr last, c::Expr coordinate,
             Prelude::Likely likely = Prelude::Likely::any);
/// Whether an entry's coordinate `i` is not within the loop's bounds, where its order does not say so; nothing where it
/// cannot happen.
c::Expr beyond(Context& out, const CCursor& walk, const flow::Coiterate& loop, const std::string& i);

// Coordinates. What a cursor counts is an entry, or a coordinate of a stretched one.

/// Do stored coordinates fall?
bool falls(const CCursor& walk);
c::Expr stored_coordinate(Context& out, const CCursor& walk, c::Expr entry);
/// Moved by the offset, and reversed: the loop's coordinate times the stride.
c::Expr moved_stored(Context& out, const CCursor& walk, c::Expr stored);
c::Expr strided(const CCursor& walk, const std::string& i);
/// The loop's coordinate.
c::Expr entry_coordinate(Context& out, const CCursor& walk, c::Expr counted);
/// The same compared with the loop's; with ">", is it after what stands there?
c::Expr compared(Context& out, const CCursor& walk, c::Expr counted, const char* op, const std::string& i);
/// Is an entry at the loop's coordinate, that is not before it?
c::Expr stands_at(Context& out, const CCursor& walk, c::Expr counted, const std::string& i);
/// Whether the loop has no coordinate for what the cursor is at; nothing where it cannot happen.
c::Expr left_out(Context& out, const CCursor& walk);

// Positions.

/// Does the body name something else than the entry?
bool binds(const CCursor& walk);
/// Where the element below the entry is.
c::Expr position_of(Context& out, const CCursor& walk);
/// Declares the position that the body names, where it is not simply the entry; of a block, where its children are.
void bind_position(Context& out, const CCursor& walk);

// Moving.

/// Has it entries left?
c::Expr alive(const CCursor& walk);
/// While the condition holds and there is something left.
void move_while(Context& out, const CCursor& walk, c::Expr condition);
/// Of a live one: the nearest entry that is not before the coordinate.
c::Expr nearest(Context& out, const CCursor& walk, c::Expr coordinate);
/// Of a live one: the nearest entry behind the coordinate.
c::Expr next(Context& out, const CCursor& walk, c::Expr coordinate);
/// Behind the loop's coordinate, `i`. `here` is a condition, or nothing when it holds anyway.
void step(Context& out, const CCursor& walk, c::Expr here, const std::string& i);
/// Where coordinates may repeat: declares where the entries end that have the one of the next entry, if that is `i`.
void bind_segment(Context& out, const CCursor& walk, const std::string& i);
/// Whether there are such.
c::Expr in_segment(Context& out, const CCursor& walk);

}  // namespace trellis::emit
