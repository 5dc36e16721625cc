#pragma once
// A small process that forks the children in which kernels run, for programs that grow large: a fork copies the page
// tables of whoever forks, and from a process with a window it takes longer than most kernels.
//
//   program ──work's address, socket──► server ──fork──► child: take_over, perform
//      ◄─────────────── ending ───────────┘
//
// The work and its arrays lie in an arena (tensor/arena.hpp), at the same addresses in each of the three, and so does
// code of the jit; native code is loaded by the child. Each run has a socket of its own, so that threads may run
// kernels at once and end them one by one. The server runs nothing itself, hence never OpenMP. It ends with the
// program, which it sees by the end of what it can read; its children end with it.

#include <sys/types.h>

#include <optional>

#include "engine/run/sandbox.hpp"
#include "engine/run/work.hpp"

namespace trellis::run {

/// To be called by the first thread of a program, before there is another one, a window or a tensor: arrays that are
/// older are not seen by the server, and what runs on them is forked as without one. False when there can be none.
bool start_server();

/// Of this program's server; 0: none, or it died. Then all is as before it was started.
pid_t server_process();

/// Empty when there is no server or the work cannot be done there: nothing has happened to the arrays.
std::optional<Ending> run_in_server(Work& work, const SandboxLimits& limits);

}  // namespace trellis::run
