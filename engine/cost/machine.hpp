#pragma once
// What the estimate knows of a machine: how large its caches are, and what things cost in cycles of one core. Of the
// many figures that there are, those few that tell loop orders apart.
//
// Sources: Fog, Instruction tables (operations, latencies, mispredictions); Drepper, What every programmer should know
// about memory, section 3.3 (lines from each level, in sequence and not). Rounded to what x86-64 and AArch64 cores of
// the last ten years have in common, the caches too: that is the reference machine, of which estimates are the same
// everywhere but for the number of threads. `trellis bench machine` measures another one.

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace trellis::cost {

struct Machine {
  std::array<double, 3> caches = {32e3, 1e6, 16e6};  ///< bytes that one core may fill, the nearest first
  /// Cycles of a line that comes from the level behind the k-th cache: where its neighbours came before it, the machine
  /// has fetched it ahead; elsewhere some are under way at a time.
  std::array<double, 3> sequential = {1.5, 3, 10};
  std::array<double, 3> scattered = {3, 12, 40};
  double fork = 10000;          ///< cycles to wake the threads of a parallel loop and to wait for them
  double per_nanosecond = 3;    ///< cycles
  double latency = 2;           ///< microseconds a message between ranks takes
  double bandwidth = 10;        ///< gigabytes a second between two of them
  int threads = 1;              ///< that a parallel loop runs on
  bool wide_registers = false;  ///< 32 vector registers of 64 bytes, not 16 of 32
  /// The reference machine with the threads of this one.
  static Machine present();
  bool operator==(const Machine&) const = default;
};

/// A line for each figure: "scattered 3 12 40".
std::string to_string(const Machine& machine);
/// Empty where a figure is missing or none; those of messages are measured only where MPI is, and may be missing. The
/// threads are those of the reference machine.
std::optional<Machine> read_machine(const std::string& text);

constexpr double line_bytes = 64;
constexpr double vector_bytes = 32;
constexpr double wide_vector_bytes = 64;  ///< where registers are wide and a schedule fills them

/// In cycles. A throughput, where nothing waits for the result; a latency, where the next iteration does.
namespace cycles {
constexpr double operation = 0.5;         // additions, multiplications, comparisons: two a cycle
constexpr double load = 0.5, store = 1;   // from and to the nearest cache
constexpr double issue = 0.25;            // of any instruction: four a cycle
constexpr double gather = 0.75;           // to load one lane of a vector by itself
constexpr double division = 5, root = 6;  // of floating numbers
constexpr double integer_division = 18;
constexpr double library = 20;  // exp, sin, … of the mathematical library
constexpr double floating_latency = 4, integer_latency = 1;
constexpr double forwarding = 4;      // from a store to a load of the same element
constexpr double misprediction = 15;  // of a branch
constexpr double entry = 10;          // to begin and end a loop, of which the end is mispredicted more often than not
constexpr double iteration_instructions = 2;  // to count and compare, and to branch
constexpr double advance = 1.5;               // of a cursor: to load a coordinate and compare it
constexpr double search_step = 15;  // of a bisection: a load that waits for the comparison before, often mispredicted
constexpr double call = 5;          // of a helper that is likely to be compiled into the loop
constexpr double probe = 20;        // of a hash table
constexpr double held = 2;          // of a position, in an array
constexpr double march = 4;         // of a pointer that rises with a loop
constexpr double append = 5;        // with a look at the room that is left
constexpr double await = 1.5;       // to see that what is waited for is there
constexpr double hand_over = 400;   // from the core that writes to the one that waits for it

// Of queries that are counted rather than lowered (lazy/nest_cost.hpp): what stands above, as it comes together, and
// what depends on how results grow. In nanoseconds they were fitted to kernels of products of several arrays, and are
// taken at three cycles each; `trellis bench plans` shows how well they choose.
constexpr double per_nanosecond = 3;
constexpr double step = 3;                // of a loop: from one entry or coordinate to the next
constexpr double merge_step = 9;          // where several cursors are walked
constexpr double update = 3;              // of a sum, with the product that is added
constexpr double dense_operand = 1.5;     // of it, from the nearest cache
constexpr double row_update = 6;          // in a workspace that holds a fiber of the result
constexpr double whole_update = 180;      // in one that holds all of it
constexpr double result_entry = 36;       // to append it in its place
constexpr double row_entry = 18;          // more where it comes from a fiber's workspace
constexpr double whole_entry = 180;       // more where it comes from one of the whole result
constexpr double copied_entry = 270;      // to lay out an operand's entry in another order
constexpr double cleared_element = 0.15;  // of a row of a nested reduction
constexpr double cleared_entry = 4;       // where only what is read of the row is cleared
constexpr double fresh_element = 3;       // of a dense result, the first time that it is touched, in this process
constexpr double fresh_in_child = 42;     // and in a child, where the page is mapped then
constexpr double vector_share = 0.3;      // of a loop's time that is left where it runs in vectors
}  // namespace cycles

/// What each further thread is worth.
constexpr double thread_worth = 0.8;

}  // namespace trellis::cost
