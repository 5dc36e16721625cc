#pragma once
// The arrays of all ranks while a plan runs in step: which elements of each a rank may rely on, and what exchanges do
// to them. Arrays are as large as the whole tensor, so that indices are global; what a rank has no claim to is not
// valid.

#include <memory>

#include "engine/distribute/execute.hpp"

namespace trellis::distribute {

/// A tensor on all ranks.
struct Held {
  Tensor tensor;
  const Home* home = nullptr;
  std::vector<tensor::Tensor> values;      ///< by rank
  std::vector<std::vector<bool>> valid;    ///< by rank and element
  std::vector<std::vector<bool>> touched;  ///< written since the phase began
  std::vector<tensor::Tensor> saved;       ///< of sums: the values when the phase began
  std::vector<std::vector<bool>> saved_valid;
};

class Arrays {
 public:
  Arrays(const Plan& plan, const Cuts& cuts) : plan_(plan), cuts_(cuts) {}

  /// Each rank has its own part of `whole`; the rest is not valid.
  void hold(const Tensor& tensor, const tensor::Tensor& whole);
  /// A temporary, of which nothing is valid yet. False when memory is refused.
  bool declare(const Tensor& tensor, const Numbers& sizes);
  /// What a name means now; null: it is no tensor of all ranks.
  Held* find(const std::string& name);
  std::map<std::string, Held*> names;

  void begin_phase();
  /// Whoever did not write what others have written has an old value. Sums are finished by `add_parts`.
  void end_phase();
  /// Elements that were sent; of ghosts and of what was written. `around`: the variables of loops around.
  void send(const Exchange& exchange, const Numbers& around, Sent& sent);
  /// Those that one rank is sent.
  void send_to(std::int64_t rank, const Exchange& exchange, const Numbers& around, Sent& sent);
  void begin_sums(const Exchange& exchange);
  void add_parts(const Exchange& exchange, const Numbers& around, Sent& sent);

  /// The whole of a tensor from its owners; null where what an owner has is not valid, or copies differ.
  std::optional<tensor::Tensor> gather(const Tensor& tensor);
  bool owns(const Held& held, std::int64_t rank, const tensor::Index& index) const;

  std::string astray;

 private:
  struct Copy {
    std::int64_t to;
    tensor::Index index;
    format::Value value;
  };
  void collect(std::int64_t to, const Exchange& exchange, const Numbers& around, Sent& sent,
               std::vector<Copy>& copies) const;
  void put(const Tensor& tensor, const std::vector<Copy>& copies);
  std::vector<tensor::Index> elements(const Exchange& exchange, const Numbers& around, std::int64_t from,
                                      std::int64_t to) const;

  const Plan& plan_;
  const Cuts& cuts_;
  std::map<Tensor, std::unique_ptr<Held>> held_;
};

}  // namespace trellis::distribute
