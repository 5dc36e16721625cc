#include "engine/place/graph.hpp"

#include <algorithm>

#include "engine/place/components.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

class GraphBuilder {
 public:
  GraphBuilder(const lang::Kernel& kernel, Dependences& dependences)
      : kernel_(kernel), dependences_(dependences), fragments_(dependences.fragments().fragments) {}

  Graph run() {
    std::vector<int> all;
    for (const Fragment& f : fragments_) all.push_back(f.id);
    graph_.components = components(all, [&](int f, int g) { return dependences_.depends(f, g); });
    for (const Fragment& f : fragments_) {
      const int written = node(f.write, f);
      join(written, f.id);
      mark(written, f.id);
      for (const Read& r : f.reads) {
        const int read = node(r.access, f, r.span);
        join(read, f.id);
        if (!find_edge(read, written)) graph_.edges.push_back({read, written, f.id, true});
      }
    }
    connect();
    return std::move(graph_);
  }

 private:
  /// From each access that writes a tensor to the other accesses that read it.
  void connect() {
    for (const Fragment& f : fragments_) {
      const int from = node(f.write, f);
      for (const Fragment& g : fragments_) {
        for (int k = 0; k < static_cast<int>(g.reads.size()); ++k) {
          const Read& r = g.reads[at(k)];
          const int to = node(r.access, g, r.span);
          if (r.access.tensor != f.write.tensor || from == to) continue;
          const bool meets = dependences_.meets(f.id, g.id, k);
          if (GraphEdge* edge = find_edge(from, to)) edge->exact = edge->exact || meets;
          else graph_.edges.push_back({from, to, f.id, meets});
          if (meets && component_of(f.id) == component_of(g.id)) mark(to, g.id);
        }
      }
    }
  }

  int node(const lang::Access& access, const Fragment& f, text::Span span = {}) {
    const std::string label = lang::to_string(Expr({access, {}, {}}));
    for (const GraphNode& n : graph_.nodes)
      if (n.label == label) return n.id;
    if (!span.known()) span = kernel_.equations[at(f.equation)].left->span;
    graph_.nodes.push_back({static_cast<int>(graph_.nodes.size()), label, kind_of(access.tensor), {}, -1, span});
    return graph_.nodes.back().id;
  }

  GraphNode::Kind kind_of(const std::string& tensor) const {
    for (const Fragment& f : fragments_)
      if (f.write.tensor == tensor) return f.temporary ? GraphNode::Kind::temporary : GraphNode::Kind::result;
    return GraphNode::Kind::input;
  }

  int component_of(int f) const {
    for (std::size_t c = 0; c < graph_.components.size(); ++c) {
      const auto& members = graph_.components[c];
      if (contains(members, f)) return static_cast<int>(c);
    }
    return -1;
  }

  void join(int node, int fragment) {
    std::vector<int>& members = graph_.nodes[at(node)].fragments;
    add_once(members, fragment);
  }

  /// Nodes of a cycle carry the number of its component.
  void mark(int node, int fragment) {
    const int c = component_of(fragment);
    const auto& members = graph_.components[at(c)];
    if (members.size() > 1 || dependences_.depends(fragment, fragment)) graph_.nodes[at(node)].component = c;
  }

  GraphEdge* find_edge(int from, int to) {
    auto found = std::find_if(graph_.edges.begin(), graph_.edges.end(), [&](const GraphEdge& e) { return e.from == from && e.to == to; });
    return found == graph_.edges.end() ? nullptr : &*found;
  }

  static std::size_t at(int k) { return static_cast<std::size_t>(k); }

  const lang::Kernel& kernel_;
  Dependences& dependences_;
  const std::vector<Fragment>& fragments_;
  Graph graph_;
};

}  // namespace

Graph build_graph(const lang::Kernel& kernel, Dependences& dependences) { return GraphBuilder(kernel, dependences).run(); }

}  // namespace trellis::place
