#pragma once
// The server's side of server.hpp.

#include <cstddef>
#include <optional>

#include "engine/run/descriptor.hpp"
#include "engine/run/work.hpp"

namespace trellis::run {

/// A message to the server; a socket for its answer, an Ending, comes with it. The end of that socket tells the server
/// to kill the child.
struct Request {
  Work* work;
  std::size_t memory;  ///< bytes that the child may take
};

/// False: nobody is there to receive it.
bool send_request(int server, const Request& request, int answer);

/// The life of the server, until nobody is left who can send it anything.
[[noreturn]] void serve(int requests);

}  // namespace trellis::run
