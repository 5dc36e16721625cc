#pragma once
// SciPy beside us: a Python process that holds the matrices and runs one operation when asked, so that runs take turns.

#include <memory>
#include <string>

#include "tests/bench/peers.hpp"

namespace trellis::bench {

class Scipy {
 public:
  /// Null where there is no python3 with SciPy.
  static std::shared_ptr<Scipy> start();
  ~Scipy();
  Scipy(const Scipy&) = delete;
  Scipy& operator=(const Scipy&) = delete;

  /// Gives the process a matrix or a vector under a name. False when it did not take it.
  bool load(const std::string& name, const Compressed& matrix);
  bool load(const std::string& name, const double* values, std::int64_t count);
  /// Gives names to what a Python expression says of those that it has.
  bool keep(const std::string& names, const std::string& expression);
  /// Milliseconds that a Python expression takes, such as `A + B`, as Python's own clock has it; -1 when it fails.
  double time(const std::string& expression);

 private:
  static std::shared_ptr<Scipy> start(const char* python);
  Scipy(int child, int to, int from) : child_(child), to_(to), from_(from) {}
  std::string ask(const std::string& line);
  int child_, to_, from_;
};

}  // namespace trellis::bench
