#pragma once
// What an illegal order does wrong, read off an execution that follows it all the same: reads that come too early, each
// with the step that writes the element later, and elements that end up with another value than they should.
//
//   order i j k of V(i,j) = max(k)(V(k,j-1) * …)     step 9, i=0 j=1 k=1, reads V(1,0), which step 14, i=1 j=0, writes

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/explore/trace.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::explore {

struct Violation {
  std::size_t reads = 0;  ///< a step of the trace, from 0
  int read = 0;           ///< which of its reads
  std::optional<std::size_t>
      writes{};  ///< the last step that writes the element before it begins afresh; none: the trace was cut off
};

struct WrongElement {
  std::string tensor;
  tensor::Index element;
  std::size_t step = 0;  ///< that gave it its last value, a write or a reset
  format::Value got, expected;
};

/// In the order of the steps.
std::vector<Violation> violations(const Trace& trace);

/// `expected`: the results as they should be. Of a trace that is not complete nothing is known. In the order of the
/// steps.
std::vector<WrongElement> wrong_elements(const Trace& trace, const std::map<std::string, tensor::Tensor>& expected);

}  // namespace trellis::explore
