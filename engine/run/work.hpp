#pragma once
// One run of a kernel, prepared: all that it needs, in memory that whoever prepares it shares with the child that does
// it. Where an arena is open it lies there, and any child forked since then can do it (server.hpp).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "engine/run/kernel.hpp"
#include "engine/run/openmp.hpp"
#include "engine/run/snapshot.hpp"

namespace trellis::run {

/// What the child tells.
struct Report {
  std::int32_t fault[2];  ///< {kind, site}, as the module's ABI says
  std::int32_t result;    ///< of the entry
  std::int64_t steps;     ///< after which `until` held, likewise
  bool begun;             ///< the kernel was entered: its code was there
};

struct Work {
  struct Array {
    void* data;
    std::size_t bytes;
    std::size_t in_memory;  ///< at its beginning
    bool written;
  };

  Kernel::Entry entry;
  std::span<void*> arguments;  ///< of the entry
  std::span<double> ms;        ///< of each run: the kernel is run that many times
  std::span<const Kept> kept;  ///< put back before each but the first
  OpenMp openmp;
  int threads;
  Report report;

  // For a child of another process: what it may touch beside the work itself, and where the code is.
  std::span<const Array> arrays;
  std::span<std::byte> itself;
  std::span<std::byte> image;  ///< code at its place in the arena; empty: none
  const char *file, *symbol;   ///< a shared object and its entry; null: none
};

class PreparedWork {
 public:
  /// For `runs` runs, from the same values each. Empty when memory is refused.
  static std::optional<PreparedWork> make(const Kernel& kernel, const Bindings& bindings, int threads, std::size_t runs,
                                          const Snapshot& before);
  Work& operator*() const { return *work_; }
  Work* operator->() const { return work_; }

 private:
  std::shared_ptr<tensor::SharedArray> memory_;
  Work* work_ = nullptr;
};

/// In the process that is to run it: finds the entry where it is not known yet. False: the code cannot be loaded.
bool find_entry(Work& work);

/// In a child that will use them: what is in memory of results comes into reach at once, not page by page as it is
/// written to, which takes three times as long; so do operands that are small enough for that to cost nothing where a
/// kernel reads few of their elements (a product of a matrix of 150 000 entries by a vector: 0.47 ms, then 0.35).
void reach_arrays(const Work& work);

/// Runs the kernel until it has been run as often as wanted, or fails.
void perform(Work& work);

/// Whether a child of another process could do it.
bool can_be_handed_over(const Work& work);

/// In such a child: takes what belongs to the work, and nothing else, into reach. False: it cannot be done here.
bool take_over(Work& work);

}  // namespace trellis::run
