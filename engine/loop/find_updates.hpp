#pragma once
// Assignments of a loop program that are updates, whatever they were written as: iterations may change places then, and
// run on threads, as those of updates do.
//
//   a = a + e   a -= e   m = max(m, e)   f = f || e      become      a += e   a += -e   m max= e   f ||= e
//
// Only what computes the very same value: sums of integers may have any number of terms, of floating numbers one. The
// target has a place for each element, so that no element comes to be stored that was not.

#include <string>

#include "engine/loop/stmt.hpp"

namespace trellis::loop {

Stmt find_updates(const Stmt& stmt, const lang::Program& program);

/// Whether `a op= e` computes what `a = a op e` does, whatever is not stored.
bool is_same_either_way(const Assign& update, const lang::Program& program);

/// Those of one tensor, whatever it stores: for who lets an update by the operation's identity store nothing.
Stmt find_updates_of(const std::string& tensor, const Stmt& stmt, const lang::Program& program);

}  // namespace trellis::loop
