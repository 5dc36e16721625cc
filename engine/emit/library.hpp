#pragma once
// A kernel as a C library that programs of others can call: a source, a header with a documented signature, and an
// example.
//
//   int factor(int64_t n, const double *restrict A, double *restrict L);             where all tensors are flat
//   int spmv(const trellis_tensor *A, const trellis_tensor *x, trellis_tensor *y, trellis_error *error);
//
// Sizes come first, then real parameters, then tensors: scalars that are only read by value, anything else as the flat
// array in storage order. Where some tensor is stored with gaps or in bounds, all are structs, those of
// abi/trellis_tensor.h, and sizes that no shape tells and parameters come behind them. Either way there is the same
// function for a table of tensors, `factor_call`. All files are strict C99.

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::emit {

struct LibraryRequest {
  std::string symbol;                        ///< wished for the function; another is chosen where C forbids it
  std::string stem;                          ///< of the files: "factor" for factor.c, factor.h, factor_example.c
  std::map<std::string, double> parameters;  ///< values for the example; a size without one is 4 there
  std::set<std::string> inherited = {};      ///< results of which the kernel reads what they hold before
  std::map<std::string, tensor::Tensor> tensors = {};  ///< what the example begins with, unless all tensors are flat
};

struct Library {
  std::string function;  ///< its C name
  std::string source, header, example;
};

/// A tensor that is an array of values and nothing else.
bool is_flat(const flow::Tensor& tensor);
/// And laid out as they are declared.
bool all_flat(const flow::Flow& flow, const lang::Program& program);

/// `flow` must be numbered; `program` tells shapes and fills.
Library library(const flow::Flow& flow, const lang::Program& program, const LibraryRequest& request);

}  // namespace trellis::emit
