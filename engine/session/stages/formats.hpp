#pragma once
// `show formats`: how each tensor is stored, level by level, and how a kernel writes those that are sparse.
//
//   A(n, n): csr f64, 4 entries of 9 (44.4 %), 80 bytes
//     dimension 0  dense       every coordinate, found at once
//     dimension 1  compressed  stored coordinates in rising order, found by bisection; pos 16 bytes, crd 16 bytes

#include <optional>
#include <string>
#include <vector>

#include "engine/format/level.hpp"
#include "engine/lang/program.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/view/storage_picture.hpp"

namespace trellis::session {

class State;

struct StoredTensor {
  lang::TensorInfo info;
  struct Level {
    format::Level level;
    int dimension = 0;   ///< of a layout the level's own number
    std::string stores;  ///< "dimension 1", or of a layout "j/4"
    format::Facts facts;
    /// Its arrays by their short names: pos crd end start ofs table; bytes when the tensor holds something.
    std::vector<std::pair<std::string, std::optional<std::size_t>>> arrays;
  };
  std::vector<Level> levels;
  /// What it holds; nothing for a tensor that is at its fill.
  struct Contents {
    std::int64_t entries = 0;
    double elements = 0;
    std::size_t bytes = 0;
    double density() const { return elements > 0 ? static_cast<double>(entries) / elements : 0; }
  };
  std::optional<Contents> contents;
};

struct KernelStorage {
  std::string kernel;
  std::vector<std::string> written;    ///< a line for each tensor in a sparse format that it writes
  std::vector<std::string> looked_up;  ///< a line for each element that it looks up rather than walks to
};

struct FormatsShown {
  std::vector<StoredTensor> tensors;
  std::vector<KernelStorage> kernels;
  std::string layout = {};                          ///< alone: what a layout is, as it is written
  std::vector<view::StoragePicture> pictures = {};  ///< of the tensor that was asked about
};

/// `layout dia: (i, j) -> (j - i, i) {compressed, dense}`, of the user or of the language; empty when there is none.
std::string layout_text(const State& state, const std::string& name);

/// `value`: what it holds, in its declared format; null: nothing.
StoredTensor stored_format(const lang::TensorInfo& info, const tensor::Tensor* value);
KernelStorage storage_of(State& state, const lang::Kernel& kernel);
/// Whether a picture of where its elements are says more than its arrays: of matrices and more that are not row by row.
bool pictured(const tensor::Tensor& value);
/// One tensor, with a picture of where it has its elements.
FormatsShown stored_format_of(State& state, const lang::TensorInfo& info, text::Span at,
                              text::Diagnostics& diagnostics);
/// All tensors of the program, or those of one kernel.
FormatsShown stored_formats(State& state, const lang::Kernel* kernel, text::Span at, text::Diagnostics& diagnostics);
std::string to_string(const FormatsShown& shown);

}  // namespace trellis::session
