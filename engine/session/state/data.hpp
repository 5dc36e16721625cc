#pragma once
// The tensors in memory, who made them, and the sizes that they brought along. Tensors are shared, never copied: none
// is changed in place.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/format/promises.hpp"
#include "engine/lang/program.hpp"
#include "engine/session/state/shared_text.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/shared.hpp"

namespace trellis::session {

using Tensors = std::map<std::string, tensor::Tensor>;
using Makers = std::map<std::string, SharedText>;

class Data {
 public:
  /// Sizes that data brought along.
  using Sizes = std::map<std::string, format::Value>;
  const Sizes& sizes() const { return sizes_; }
  void set_size(const std::string& name, std::int64_t value) {
    sizes_[name] = format::Value::of_integer(format::ScalarType::i64, value);
  }
  void restore(Sizes sizes) { sizes_ = std::move(sizes); }

  /// Whether it was loaded, filled or computed.
  bool has(const std::string& name) const { return makers_->contains(name); }
  /// What is in memory by that name, whatever is declared now; else null.
  const tensor::Tensor* held(const std::string& name) const;
  /// `maker`: the meaning of the kernel that made all of it out of fills, so that running that kernel again begins with
  /// fills again; empty when there is none.
  void put(const std::string& name, tensor::Tensor value, SharedText maker = {});
  /// The same elements as before, in other storage: who made them stays who made them.
  void store_anew(const std::string& name, tensor::Tensor value);
  /// What a tensor that nobody filled is made of, or one is laid out as: nothing that is to be seen has changed.
  void lay(const std::string& name, tensor::Tensor value) { tensors_.own()[name] = std::move(value); }
  void drop(const std::string& name);
  /// Tensors that nobody filled.
  void drop_unfilled();
  /// Of those tensors that hold something.
  std::map<std::string, SharedText> makers(const std::vector<std::string>& tensors) const;
  const text::Shared<Makers>& makers() const { return makers_; }
  const text::Shared<Tensors>& tensors() const { return tensors_; }

  /// What was derived of `base` as TensorInfo::derived_from says. Null: it is not known, or the tensor holds something
  /// else since; of the pattern of its entries, stores other places.
  const tensor::Tensor* derived(const lang::TensorInfo& info, const tensor::Tensor& base) const;
  /// `of`: what it was made from, of a pattern the entries.
  const tensor::Tensor* derive(const lang::TensorInfo& info, tensor::Tensor value, tensor::Tensor of);

  /// What a tensor was promised to hold, and the numbers that its range came to.
  struct Kept {
    format::Promises promises;
    std::optional<std::int64_t> low, high;
    bool operator==(const Kept&) const = default;
  };
  /// Of a tensor as it is now: what was found to hold.
  bool is_known_to_keep(const std::string& name, const Kept& promised) const;
  void note_kept(const std::string& name, const Kept& promised) { kept_[name] = promised; }

  void restore(Sizes sizes, text::Shared<Tensors> tensors, text::Shared<Makers> makers);
  /// Goes up with every change of a tensor.
  std::uint64_t version() const { return version_; }

 private:
  struct Derived {
    tensor::Tensor value, of;
    std::optional<lang::TensorInfo::Supernodes> supernodes = {};  ///< that it is about
  };
  Sizes sizes_;
  text::Shared<Tensors> tensors_;
  text::Shared<Makers> makers_;  ///< of tensors that hold something
  std::map<std::string, Derived> derived_;
  std::map<std::string, Kept> kept_;
  std::uint64_t version_ = 0;
};

}  // namespace trellis::session
