#pragma once
// Arrays in files, for the time of a test.

#include <doctest/doctest.h>

#include <cstddef>

#include "engine/tensor/spill.hpp"
#include "tests/folder.hpp"

namespace trellis::testing {

struct Spilling {
  Spilling(const Folder& folder, std::size_t larger_than) {
    REQUIRE(tensor::spill(folder.path().string(), larger_than) == "");
  }
  Spilling(const Spilling&) = delete;
  Spilling& operator=(const Spilling&) = delete;
  ~Spilling() { tensor::spill("", 0); }
};

}  // namespace trellis::testing
