#pragma once
// Where a mask lets a result be computed: where it stores something, or differs from its fill, or where that is not so.

#include "engine/format/misfit.hpp"
#include "engine/lang/schedule.hpp"

namespace trellis::check {

struct Masked {
  int mask;  ///< the number of its tensor
  bool complement;
  bool by_value;  ///< of a mask that lists its entries, they alone count otherwise
};

inline Masked masked(const lang::Schedule::Mask& mask, int number, const format::Format& format) {
  return {number, mask.complement, mask.by_value || !format::lists_entries(format)};
}

}  // namespace trellis::check
