#include <map>

#include "engine/math/points.hpp"
#include "engine/place/components.hpp"
#include "engine/place/definitions.hpp"
#include "engine/place/instances.hpp"

namespace trellis::place {
namespace {

using Point = std::vector<std::int64_t>;

// A cycle that exists at all nearly always exists at these sizes; one that does not makes every order illegal instead.
constexpr std::int64_t largest_size = 5;
constexpr std::size_t most_instances = 4000;

/// The instances of a cyclic component at one size, and which of them each one needs.
class InstanceGraph {
 public:
  struct Node {
    int fragment;
    Point point;
  };
  struct Edge {
    std::size_t from, to;  ///< `from` reads what `to` writes
  };

  InstanceGraph(const Fragments& fragments, const std::vector<int>& component, math::Assignment sizes)
      : fragments_(fragments.fragments), sizes_(std::move(sizes)) {
    for (int f : component) {
      math::for_each_point(fragment(f).domain, sizes_, [&](const math::Point& p) {
        if (nodes_.size() < most_instances) add(f, p);
      });
    }
  }

  /// An edge of a cycle, one whose element the user can name if there is one.
  std::optional<Edge> cycle() {
    colour_.assign(nodes_.size(), Colour::unseen);
    for (std::size_t start = 0; start < nodes_.size(); ++start) {
      if (colour_[start] != Colour::unseen) continue;
      if (auto edge = walk(start)) return edge;
    }
    return std::nullopt;
  }

  Dependences::Witness witness(const Edge& edge) const {
    return {sizes_, nodes_[edge.to].point, nodes_[edge.from].point};
  }
  int writer(const Edge& edge) const { return nodes_[edge.to].fragment; }
  int reader(const Edge& edge) const { return nodes_[edge.from].fragment; }
  bool full() const { return nodes_.size() >= most_instances; }

 private:
  enum class Colour { unseen, open, done };
  struct Frame {
    std::size_t node;
    std::vector<std::size_t> needs;
    std::size_t next = 0;
  };

  const Fragment& fragment(int id) const { return fragments_[static_cast<std::size_t>(id)]; }

  void add(int f, const Point& point) {
    writers_[fragment(f).write.tensor][element_at(fragment(f).write_index, values_of(fragment(f), point, sizes_))]
        .push_back(nodes_.size());
    nodes_.push_back({f, point});
  }

  std::vector<std::size_t> needs(std::size_t node) const {
    const Fragment& f = fragment(nodes_[node].fragment);
    const Values values = values_of(f, nodes_[node].point, sizes_);
    auto value = [&](const std::string& name) {
      auto at = values.find(name);
      return at == values.end() ? std::nullopt : std::optional(at->second);
    };
    std::vector<std::size_t> result;
    for (const Read& read : f.reads) {
      auto written = writers_.find(read.access.tensor);
      if (written == writers_.end()) continue;
      bool guarded = false;
      for (const math::Constraint& c : read.guards) guarded = guarded || !c.holds(value).value_or(true);
      if (guarded) continue;
      if (auto element = known_element(read, value)) {
        auto nodes = written->second.find(*element);
        if (nodes != written->second.end()) result.insert(result.end(), nodes->second.begin(), nodes->second.end());
        continue;
      }
      for (const auto& [element, nodes] : written->second) {
        bool same = true;
        for (std::size_t d = 0; d < read.index.size(); ++d)
          same = same && (!read.index[d] || read.index[d]->evaluate(value) == element[d]);
        if (same) result.insert(result.end(), nodes.begin(), nodes.end());
      }
    }
    return result;
  }

  /// Nothing when an index is not affine, so that any element may be meant.
  template <class Lookup>
  static std::optional<Point> known_element(const Read& read, const Lookup& value) {
    Point element;
    for (const auto& index : read.index) {
      auto at = index ? index->evaluate(value) : std::nullopt;
      if (!at) return std::nullopt;
      element.push_back(*at);
    }
    return element;
  }

  std::optional<Edge> walk(std::size_t start) {
    std::vector<Frame> stack;
    auto open = [&](std::size_t node) {
      colour_[node] = Colour::open;
      stack.push_back({node, needs(node)});
    };
    open(start);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.needs.size()) {
        colour_[top.node] = Colour::done;
        stack.pop_back();
        continue;
      }
      const std::size_t next = top.needs[top.next++];
      if (colour_[next] == Colour::open) return nameable(stack, next);
      if (colour_[next] == Colour::unseen) open(next);
    }
    return std::nullopt;
  }

  Edge nameable(const std::vector<Frame>& stack, std::size_t closing) const {
    std::vector<std::size_t> cycle;
    for (const Frame& f : stack)
      if (!cycle.empty() || f.node == closing) cycle.push_back(f.node);
    cycle.push_back(closing);
    for (std::size_t k = 0; k + 1 < cycle.size(); ++k)
      if (!fragment(nodes_[cycle[k + 1]].fragment).temporary) return {cycle[k], cycle[k + 1]};
    return {cycle[0], cycle[1]};
  }

  const std::vector<Fragment>& fragments_;
  math::Assignment sizes_;
  std::vector<Node> nodes_;
  std::map<std::string, std::map<Point, std::vector<std::size_t>>> writers_;
  std::vector<Colour> colour_;
};

void report(const Analysis& analysis, int reader, text::Instance instance, text::Diagnostics& diagnostics) {
  const Fragment& f = analysis.fragments.fragments[static_cast<std::size_t>(reader)];
  const Read* read = read_at(f, instance);
  const std::string element = text::element_text(instance.read, instance.element);
  auto& e = diagnostics.error("E0102", read ? read->span : f.span,
                              "this definition of " + instance.read + " needs itself", "this read closes the cycle");
  e.instance_text = (instance.sizes.empty() ? "" : "with " + text::to_string(instance.sizes) + " ") + "the value of " +
                    element + " depends on itself";
  e.instance = std::move(instance);
  const bool same = read && std::ranges::equal(read->index, f.write_index, [](const auto& index, const auto& written) {
                      return index && *index == written;
                    });
  if (!same || read->access.step || read->access.tensor != f.write.tensor) return;
  const std::string& name = f.write.tensor;
  e.notes.push_back({{},
                     "an equation says what " + name +
                         " is, once; a new value of it from the one before takes steps, as in " + name +
                         "[t](i) = " + name + "[t-1](i) + 1 : t < 10, or a loop program, loops { … }"});
}

bool check_component(const Analysis& analysis, const std::vector<int>& component, text::Diagnostics& diagnostics) {
  for (std::int64_t size = 1; size <= largest_size; ++size) {
    math::Assignment sizes;
    for (const lang::ParameterInfo& p : analysis.program.parameters)
      if (!p.real) sizes.emplace_back(p.name, size);
    InstanceGraph graph(analysis.fragments, component, sizes);
    if (auto edge = graph.cycle()) {
      const int reader = graph.reader(*edge);
      report(analysis, reader, instance_of(analysis, graph.witness(*edge), graph.writer(*edge), reader), diagnostics);
      return false;
    }
    if (graph.full()) break;
  }
  return true;
}

}  // namespace

void check_well_founded(const Analysis& analysis, text::Diagnostics& diagnostics) {
  Dependences& dependences = *analysis.dependences;
  for (const std::vector<int>& component : analysis.graph.components) {
    bool cyclic = false;
    for (int f : component)
      for (int g : component) cyclic = cyclic || dependences.depends(f, g);
    if (!cyclic || !check_component(analysis, component, diagnostics)) continue;
    for (int f : component) {  // an instance that reads itself is found at any size
      std::vector<Dependences::Pair> all;
      for (int v = 0;
           v < static_cast<int>(analysis.fragments.fragments[static_cast<std::size_t>(f)].domain.variables.size()); ++v)
        all.emplace_back(v, v);
      auto self = dependences.smallest(dependences.pairs(Dependences::Kind::flow, f, f, all), f, f);
      if (self) report(analysis, f, instance_of(analysis, *self, f, f), diagnostics);
    }
  }
}

}  // namespace trellis::place
