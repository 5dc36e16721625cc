#pragma once
// A kernel as a C library that programs of others can call: a source, a header with a documented signature, and an example.
//
//   int factor(int64_t n, const double *restrict A, double *restrict L);      /* 0, or what went wrong */
//
// Sizes come first, then real parameters, then tensors: scalars that are only read by value, anything else as the flat array
// in storage order. All three are strict C99.

#include <cstdint>
#include <map>
#include <string>

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"

namespace trellis::emit {

struct LibraryRequest {
  std::string symbol;                        ///< wished for the function; another is chosen where C forbids it
  std::string stem;                          ///< of the files: "factor" for factor.c, factor.h, factor_example.c
  std::map<std::string, double> parameters;  ///< values for the example; a size without one is 4 there
};

struct Library {
  std::string function;  ///< its C name
  std::string source, header, example;
};

/// `flow` must be numbered; `program` tells shapes and fills.
Library library(const flow::Flow& flow, const lang::Program& program, const LibraryRequest& request);

}  // namespace trellis::emit
