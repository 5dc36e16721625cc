#pragma once
// Where temporaries are declared: scalars and small arrays where they stand, larger arrays and workspaces once for the
// kernel, or for each thread.

#include "engine/emit/context.hpp"
#include "engine/emit/memory.hpp"
#include "engine/emit/workspace.hpp"

namespace trellis::emit {

class Temporaries {
 public:
  Temporaries(Context& out, Memory& memory, Workspaces& workspaces)
      : out_(out), memory_(memory), workspaces_(workspaces) {}

  /// Of a scalar, with its first value, if that is known.
  void declare(const flow::Tensor& tensor, const flow::Assign* first, const text::Origin& origin);
  /// The arrays that a thread needs which runs the statements; those are what their names mean until `share_again`.
  Room private_room(const flow::Stmt& body);
  void share_again() { workspaces_.share_again(); }

 private:
  void declare_array(const flow::Tensor& tensor, const text::Origin& origin);

  Context& out_;
  Memory& memory_;
  Workspaces& workspaces_;
};

}  // namespace trellis::emit
