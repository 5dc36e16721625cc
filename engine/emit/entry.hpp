#pragma once
// A kernel behind the interface for tensors (abi/trellis_tensor.h), for whoever holds tensors of their own: programs in
// C, and this process.
//
//   int spmv(trellis_tensor *const *tensors, const int64_t *sizes, const double *reals, trellis_error *error)
//
// The function compares each tensor with a contract, solves the sizes from shapes and compares the others with them,
// makes room in results, runs the kernel, and says how much results hold then. It has no state: many threads may be in
// it. (docs/design/interface.md#interface)

#include <set>
#include <string>
#include <vector>

#include "engine/emit/interruptible.hpp"
#include "engine/emit/module.hpp"
#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"

namespace trellis::emit {

/// One of the tensors, by its place in the call.
struct TensorArgument {
  std::string name;
  enum class Role { read, updated, appended, continued } role = Role::read;
  std::string takes;  ///< "f64 {dense, compressed}, n x m"
};

struct Callable {
  Module module;        ///< `entry` is the function, a trellis_kernel; its results grow
  std::string adapter;  ///< that it calls, as module.hpp describes it
  std::vector<TensorArgument> tensors;
  std::vector<std::string> sizes;  ///< those that no shape tells, by place
  std::vector<std::string> reals;
};

struct CallableRequest {
  std::string function;                  ///< its C name, one that C allows
  std::set<std::string> inherited = {};  ///< results of which the kernel reads what they hold before
  Interruption interruption = Interruption::none;
};

/// `flow` must be numbered; `program` tells shapes, formats and fills.
Callable callable(const flow::Flow& flow, const lang::Program& program, const CallableRequest& request);

/// The kinds of levels, as trellis_level_kind numbers them.
enum class LevelKind { dense, compressed, singleton, hashed, bytemap, rle, sparse_rle, interval, vbl, band, pinpoint };
LevelKind level_kind(const format::Facts& facts);
/// trellis_level_flags.
int level_flags(const format::Facts& facts);
/// As trellis_type numbers them.
int type_number(format::ScalarType type);
/// A fill as trellis_tensor has it: of a real number its bits as a double.
std::uint64_t fill_bits(const format::Value& fill);
/// As a kernel leaves a level that it appends to: no tables, and runs as they came.
format::Facts as_appended(const format::Facts& facts);

}  // namespace trellis::emit
