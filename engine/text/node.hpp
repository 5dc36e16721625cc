#pragma once
// What every tree of the compiler is made of: immutable nodes behind value handles.
//
// A tree type is a plain struct `Node` whose member `is` is a `std::variant` of plain structs, and
// `Handle<Node>` is how it is passed around: cheap to copy, shared, never changed. Each node knows its
// number in its stage and its origins, the nodes of the stage before that it came from. Numbers and
// origins take no part in equality, so that a rewrite may compare trees by meaning.

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trellis::text {

/// The stages that `show` names, in pipeline order.
enum class Stage { source, equations, fragments, graph, placement, loops, algebra, lattice, flow, c };

const char* name_of(Stage stage);
/// By that name, or `cfir`, which `flow` once was; empty: none is called so.
std::optional<Stage> stage_named(std::string_view name);

/// A type-erased reference to a node of a stage.
struct NodeId {
  Stage stage = Stage::source;
  int id = -1;
  auto operator<=>(const NodeId&) const = default;
};

/// Sorted, without repetition: a merged node keeps the origins of all its parts.
using Origin = std::vector<NodeId>;

Origin merge(const Origin& a, const Origin& b);

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

template <class Node>
class Handle {
 public:
  Handle() = default;
  Handle(Node node, Origin origin = {}, int id = -1)
      : data_(std::make_shared<const Data>(Data{std::move(node), std::move(origin), id})) {}

  explicit operator bool() const { return data_ != nullptr; }
  const Node& operator*() const { return data_->node; }
  const Node* operator->() const { return &data_->node; }
  const Origin& origin() const { return data_->origin; }
  int id() const { return data_->id; }

  /// The same node, not merely an equal one: what a rewrite returns when it changed nothing.
  bool same(const Handle& other) const { return data_ == other.data_; }

  /// Calls the one of `cases` that takes the node's alternative; a forgotten alternative does not compile.
  template <class... Cases>
  decltype(auto) match(Cases&&... cases) const {
    return std::visit(overloaded{std::forward<Cases>(cases)...}, data_->node.is);
  }
  template <class T>
  const T* as() const {
    return data_ ? std::get_if<T>(&data_->node.is) : nullptr;
  }

  friend bool operator==(const Handle& a, const Handle& b) {
    if (a.data_ == b.data_) return true;
    return a.data_ && b.data_ && a.data_->node == b.data_->node;
  }

 private:
  struct Data {
    Node node;
    Origin origin;
    int id;
  };
  std::shared_ptr<const Data> data_;
};

}  // namespace trellis::text
