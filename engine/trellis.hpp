#pragma once
// The engine's public face: a Session takes statements and answers with Replies. Everything a front end may draw from
// (text with spans, diagnostics, graphs, events, tensors) is reachable from a Reply or from the Session's state.
//
//   trellis::session::Session session({});
//   session.feed("prompt", "y(i) = A(i,j) * x(j)\nshow loops\n", [&](const trellis::session::Reply& reply) {
//     std::cout << trellis::session::output_of(reply);
//   });
//
// No exception crosses this face: what is wrong with a program is in the reply's diagnostics. What has windows holds a
// Worker (engine/session/live/worker.hpp): a session on a thread of its own, which hands out snapshots. Lazy arrays
// need neither text nor a session: engine/lazy/array.hpp builds them, engine/lazy/compute.hpp computes them.

#include "engine/session/reply/reply.hpp"
#include "engine/session/session.hpp"
