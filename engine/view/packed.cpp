#include "engine/view/packed.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/view/json.hpp"

namespace trellis::view {
namespace {

/// A reference takes about as much: what is shorter is repeated.
constexpr std::size_t least_shared = 14;

/// Values by number, equal ones once (hash consing): what each is made of, and how many others it is part of.
class Packer {
 public:
  /// The number of a value.
  std::size_t add(const Json& value) {
    if (value.is_object()) return add_object(value);
    if (value.is_array()) return add_list(value);
    if (value.is_string() && value.get_ref<const std::string&>().find('\n') != std::string::npos)
      return add_lines(value.get_ref<const std::string&>());
    std::string text = written(value);
    const std::size_t size = text.size();
    return known({Kind::scalar, 0, {}, value, size}, "=" + text);
  }

  /// The value as it stands in the page: a reference, where it is shared.
  Json write(std::size_t number) {
    Node& node = nodes_[number];
    if (node.uses < 2 || node.size < least_shared) return content(number);
    if (node.place < 0) {
      Json here = content(number);
      nodes_[number].place = static_cast<int>(shared_.size());
      shared_.push_back(std::move(here));
    }
    return {{"r", nodes_[number].place}};
  }

  Json take_shapes() { return std::move(shapes_); }
  Json take_shared() { return std::move(shared_); }

 private:
  enum class Kind { scalar, lines, list, object };
  struct Node {
    Kind kind;
    std::size_t shape;
    std::vector<std::size_t> parts;
    Json scalar;
    std::size_t size;  ///< in bytes, about
    int uses = 0;
    int place = -1;  ///< in the shared ones
  };

  std::size_t known(Node node, const std::string& key) {
    const auto [at, fresh] = numbers_.emplace(key, nodes_.size());
    if (!fresh) return at->second;
    for (const std::size_t part : node.parts) ++nodes_[part].uses;
    nodes_.push_back(std::move(node));
    return at->second;
  }

  std::size_t combined(Kind kind, std::size_t shape, std::vector<std::size_t> parts) {
    std::string key = std::to_string(static_cast<int>(kind)) + ":" + std::to_string(shape);
    std::size_t size = 2;
    for (const std::size_t part : parts) {
      key += "," + std::to_string(part);
      size += nodes_[part].size + 1;
    }
    return known({kind, shape, std::move(parts), nullptr, size}, key);
  }

  std::size_t add_object(const Json& value) {
    Json names = Json::array();
    std::vector<std::size_t> parts;
    for (const auto& [name, part] : value.items()) {
      names.push_back(name);
      parts.push_back(add(part));
    }
    const auto [at, fresh] = shape_numbers_.emplace(written(names), shapes_.size());
    if (fresh) shapes_.push_back(std::move(names));
    return combined(Kind::object, at->second, std::move(parts));
  }

  std::size_t add_list(const Json& value) {
    std::vector<std::size_t> parts;
    for (const Json& part : value) parts.push_back(add(part));
    return combined(Kind::list, 0, std::move(parts));
  }

  std::size_t add_lines(const std::string& text) {
    std::vector<std::size_t> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      parts.push_back(add(text.substr(begin, end - begin)));
      begin = end + 1;
    }
    return combined(Kind::lines, 0, std::move(parts));
  }

  Json content(std::size_t number) {
    const Node& node = nodes_[number];
    if (node.kind == Kind::scalar) return node.scalar;
    if (node.kind == Kind::list && is_table(node)) return table(node);
    Json all = Json::array();
    if (node.kind == Kind::object) all.push_back(node.shape);
    for (const std::size_t part : node.parts) all.push_back(write(part));
    if (node.kind == Kind::list) return all;
    return {{node.kind == Kind::object ? "o" : "l", std::move(all)}};
  }

  /// Objects of one shape; rows of it may be references.
  bool is_table(const Node& list) const {
    return !list.parts.empty() && std::ranges::all_of(list.parts, [&](std::size_t part) {
      const Node& one = nodes_[part];
      return one.kind == Kind::object && one.shape == nodes_[list.parts.front()].shape;
    });
  }

  Json table(const Node& list) {
    Json rows = Json::array({nodes_[list.parts.front()].shape});
    for (const std::size_t part : list.parts) {
      if (nodes_[part].uses > 1 && nodes_[part].size >= least_shared) {
        rows.push_back(write(part));
        continue;
      }
      Json row = Json::array();
      for (const std::size_t one : nodes_[part].parts) row.push_back(write(one));
      rows.push_back(std::move(row));
    }
    return {{"t", std::move(rows)}};
  }

  std::vector<Node> nodes_;
  std::unordered_map<std::string, std::size_t> numbers_, shape_numbers_;
  Json shapes_ = Json::array(), shared_ = Json::array();
};

}  // namespace

Json packed(const Json& model) {
  Packer packer;
  const std::size_t root = packer.add(model);
  Json written_model = packer.write(root);
  return {{"shapes", packer.take_shapes()}, {"shared", packer.take_shared()}, {"model", std::move(written_model)}};
}

}  // namespace trellis::view
