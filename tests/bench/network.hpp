#pragma once
// What messages between two ranks of this machine cost.

#include <optional>

namespace trellis::bench {

struct Messages {
  double latency = 0;    ///< microseconds a message, however short
  double bandwidth = 0;  ///< gigabytes a second, of long ones
};

/// Between two processes that MPI starts; nothing where there is no MPI or it fails.
std::optional<Messages> measured_messages();

}  // namespace trellis::bench
