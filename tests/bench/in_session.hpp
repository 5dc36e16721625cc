#pragma once
// A program as a session runs it, over and over: whatever the session chooses to run in its place.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/session.hpp"

namespace trellis::bench {

class InSession {
 public:
  /// `inputs` declares tensors and fills them, by kernels too; the kernels of `program` are what is measured. Tensors
  /// of `filled`, if any, which has the same inputs, are shared and not made again.
  InSession(const std::string& inputs, const std::string& program, const InSession* filled);

  /// Milliseconds that the kernels took; empty where one failed (`problem`). The first run plans and compiles.
  std::optional<double> run();
  /// Why it cannot be run; empty: it can.
  const std::string& problem() const { return problem_; }
  /// Of the kernels that are measured.
  run::Bindings results() const;
  /// What the inputs made.
  const session::Data& data() const { return session_->state().data; }

 private:
  bool feed(const std::string& text, session::Session::Extent extent, double* kernels_ms = nullptr);
  std::vector<lang::Kernel> kernels() const;

  std::unique_ptr<session::Session> session_;
  std::vector<std::string> measured_;  ///< names of kernels
  std::string problem_;
};

}  // namespace trellis::bench
