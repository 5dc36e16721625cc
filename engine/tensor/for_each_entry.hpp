#pragma once
// What a tensor stores, entry by entry.

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/tensor/tensor.hpp"

namespace trellis::tensor {

/// Every stored element in storage order, explicit fills too: all of a dense tensor's.
void for_each_entry(const Tensor& tensor,
                    const std::function<void(const Index& index, const format::Value& value)>& visit);

/// The same without values: `visit(index, place)` with where the value lies.
void for_each_element(const Tensor& tensor, const std::function<void(const Index& index, std::int64_t place)>& visit);

/// The same as `for_each_entry`, but of a format that pads (format::pads) only what differs from the fill: what
/// somebody listed, as far as can be told.
void for_each_listed(const Tensor& tensor,
                     const std::function<void(const Index& index, const format::Value& value)>& visit);

/// How many those are.
std::int64_t listed_entries(const Tensor& tensor);

/// Every stored element without values: `visit(coordinates, place)` with a coordinate per level, and where the value
/// lies.
void for_each_place(const Tensor& tensor,
                    const std::function<void(const Index& coordinates, std::int64_t place)>& visit);

/// The same, but a run once: `visit(first, last, place)`, of which the coordinates differ at levels of runs alone.
void for_each_run(const Tensor& tensor,
                  const std::function<void(const Index& first, const Index& last, std::int64_t place)>& visit);

}  // namespace trellis::tensor
