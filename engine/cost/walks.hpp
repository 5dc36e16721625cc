#pragma once
// What the loops around go through: which tensors' entries they come to, and so how much longer than the mean the
// fibers are that are walked inside.

#include <string>
#include <vector>

#include "engine/cost/data.hpp"
#include "engine/flow/paths.hpp"

namespace trellis::cost {

class Walks {
 public:
  explicit Walks(const Data& data) : data_(data) {}

  /// A loop over the entries of a level, which lie at these coordinates.
  void begin(const flow::Tensor& tensor, const flow::Path& at);
  void end() { around_.pop_back(); }

  /// The entries of a fiber below these coordinates, over the mean of all: a coordinate is come to as often as what is
  /// walked around has entries there, all of them together, by chance where they know nothing of each other.
  double crowding(const flow::Tensor& tensor, const flow::Path& parent) const;

 private:
  struct Walk {
    std::string tensor;
    std::vector<std::string> at;  ///< by level, the variable of its coordinate; empty: something else
  };
  static std::vector<std::string> variables_of(const flow::Path& path);
  Degrees::Key degrees(const std::string& tensor, std::size_t level) const;
  /// Of those that are walked at the variable, each once.
  std::vector<Degrees::Key> walked_at(const std::string& variable) const;

  const Data& data_;
  std::vector<Walk> around_;
};

}  // namespace trellis::cost
