#pragma once
// A loop tree in the making: which loops surround each fragment, and which of the fragment's variables each of them is.
// A plain value, so that the search undoes a step by keeping a copy: copies share what neither has changed.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/lang/schedule.hpp"
#include "engine/place/placement.hpp"

namespace trellis::place {

/// A loop or a fragment's statement in a body.
struct Child {
  enum class Kind { loop, statement } kind;
  int id;
  auto operator<=>(const Child&) const = default;
};

struct LoopNode {
  lang::LoopName name;
  std::vector<Child> body;
  /// Components under an inductive assumption of this loop (docs/design/placement.md#inductive-assumption), as fragment
  /// ids.
  std::vector<std::vector<int>> assumed;
};

struct Site {
  bool placed = false;
  std::vector<int> loops;  ///< outermost first
  std::vector<int> picks;  ///< the fragment's variable, as a position in its domain, that each loop is
};

/// Values by number, of which a copy shares those that stay the same, and most of the list of them.
template <class Value>
class SharedValues {
 public:
  std::size_t size() const { return size_; }
  void resize(std::size_t count) {
    while (size_ < count) add({});
  }
  void add(Value value) {
    if (size_ % in_chunk == 0) chunks_.push_back(std::make_shared<Chunk>());
    own(chunks_.back())[size_ % in_chunk] = std::make_shared<Value>(std::move(value));
    ++size_;
  }
  const Value& operator[](int number) const { return *(*chunks_[chunk_of(number)])[within(number)]; }
  Value& edit(int number) { return own(own(chunks_[chunk_of(number)])[within(number)]); }

 private:
  static constexpr std::size_t in_chunk = 32;
  using Chunk = std::array<std::shared_ptr<Value>, in_chunk>;
  static std::size_t chunk_of(int number) { return static_cast<std::size_t>(number) / in_chunk; }
  static std::size_t within(int number) { return static_cast<std::size_t>(number) % in_chunk; }

  template <class Shared>
  static Shared& own(std::shared_ptr<Shared>& one) {
    if (one.use_count() > 1) one = std::make_shared<Shared>(*one);
    return *one;
  }

  std::vector<std::shared_ptr<Chunk>> chunks_;
  std::size_t size_ = 0;
};

struct Tree {
  SharedValues<LoopNode> loops;
  std::vector<Child> root;
  SharedValues<Site> sites;  ///< by fragment
  int last_placed = -1;      ///< of the fragments that are placed, the last in source order

  const Site& site(int fragment) const { return sites[fragment]; }
  const LoopNode& loop(int id) const { return loops[id]; }

  const std::vector<Child>& body(const std::vector<int>& path) const {
    return path.empty() ? root : loop(path.back()).body;
  }
  std::vector<Child>& edit_body(const std::vector<int>& path) {
    return path.empty() ? root : loops.edit(path.back()).body;
  }

  bool is_under(int fragment, const std::vector<int>& path) const;
  /// Placed fragments below a body, in source order.
  std::vector<int> below(const std::vector<int>& path) const;
  /// The child of the body at `depth` that holds a placed fragment.
  Child child(int fragment, std::size_t depth) const;
  /// Pairs of variables of two fragments that are the same loop, for the first `depth` loops around both.
  std::vector<std::pair<int, int>> equalities(int f, int g, std::size_t depth) const;
  /// How many loops surround both.
  std::size_t common(int f, int g) const;
};

/// Line by line.
Sketch sketch(const Tree& tree);

}  // namespace trellis::place
