#pragma once
// The machine code of the kernel that somebody looks at. It is compiled on a thread of its own, so that what is typed
// is answered meanwhile; of kernels only the last one counts.
//
//   Disassembly machine_code([] { … });     // called on that thread when there is something new
//   machine_code.of(kernel.compiled)        // null: under way

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>

#include "engine/session/live/snapshot.hpp"

namespace trellis::session {

struct Listing {
  text::Text text;    ///< instructions; their nodes are those of C
  std::string error;  ///< why there is no text: no compiler, no objdump
};

class Disassembly {
 public:
  explicit Disassembly(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~Disassembly() { cancel_.request(); }
  Disassembly(const Disassembly&) = delete;
  Disassembly& operator=(const Disassembly&) = delete;

  /// Asks for it unless it is known. Called by one thread, once a frame.
  std::shared_ptr<const Listing> of(const std::shared_ptr<const CompiledView>& kernel);
  bool under_way() const {
    return running_.valid() && running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  }

 private:
  using Kernel = std::shared_ptr<const CompiledView>;
  void start(const Kernel& kernel);

  const std::function<void()> wake_;
  const text::Cancel cancel_;
  Kernel known_, asked_;
  std::shared_ptr<const Listing> listing_;  ///< of `known_`
  std::future<Listing> running_;            ///< of `asked_`; its end is waited for
};

}  // namespace trellis::session
