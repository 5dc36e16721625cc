#include "engine/place/graph.hpp"

#include <map>
#include <utility>

#include "engine/place/components.hpp"

namespace trellis::place {
namespace {

class GraphBuilder {
 public:
  GraphBuilder(const lang::Kernel& kernel, Dependences& dependences)
      : kernel_(kernel), dependences_(dependences), fragments_(dependences.fragments().fragments) {}

  Graph run() {
    for (const Fragment& f : fragments_)
      kinds_.try_emplace(f.write.tensor, f.temporary ? GraphNode::Kind::temporary : GraphNode::Kind::result);
    graph_.components = components(dependences_.dependents());
    component_of_.resize(fragments_.size());
    for (std::size_t c = 0; c < graph_.components.size(); ++c)
      for (const int f : graph_.components[c]) component_of_[at(f)] = static_cast<int>(c);
    for (const Fragment& f : fragments_) add_accesses(f);
    for (const Fragment& f : fragments_) connect(f);
    return std::move(graph_);
  }

 private:
  /// An access of a fragment.
  struct Reader {
    int fragment, read, node;
  };

  void add_accesses(const Fragment& f) {
    const int written = node(f.write, f);
    written_.push_back(written);
    join(written, f.id);
    mark(written, f.id);
    for (int k = 0; k < std::ssize(f.reads); ++k) {
      const Read& r = f.reads[at(k)];
      const int read = node(r.access, f, r.span);
      join(read, f.id);
      readers_[r.access.tensor].push_back({f.id, k, read});
      if (!find_edge(read, written)) add_edge({read, written, f.id, true});
    }
  }

  /// From the access that writes a tensor to the other accesses that read it.
  void connect(const Fragment& f) {
    const int from = written_[at(f.id)];
    for (const Reader& r : readers_[f.write.tensor]) {
      if (from == r.node) continue;
      const bool meets = dependences_.meets(f.id, r.fragment, r.read);
      if (GraphEdge* edge = find_edge(from, r.node)) edge->exact = edge->exact || meets;
      else add_edge({from, r.node, f.id, meets});
      if (meets && component_of_[at(f.id)] == component_of_[at(r.fragment)]) mark(r.node, r.fragment);
    }
  }

  int node(const lang::Access& access, const Fragment& f, text::Span span = {}) {
    const std::string label = lang::to_string(Expr({access, {}, {}}));
    const auto [known, fresh] = nodes_.try_emplace(label, static_cast<int>(graph_.nodes.size()));
    if (!fresh) return known->second;
    if (!span.known()) span = kernel_.equations[at(f.equation)].left->span;
    const auto kind = kinds_.find(access.tensor);
    graph_.nodes.push_back(
        {known->second, label, kind == kinds_.end() ? GraphNode::Kind::input : kind->second, {}, -1, span});
    return known->second;
  }

  void join(int node, int fragment) {
    std::vector<int>& members = graph_.nodes[at(node)].fragments;
    if (members.empty() || members.back() != fragment) members.push_back(fragment);
  }

  /// Nodes of a cycle carry the number of its component.
  void mark(int node, int fragment) {
    const int c = component_of_[at(fragment)];
    const auto& members = graph_.components[at(c)];
    if (members.size() > 1 || dependences_.depends(fragment, fragment)) graph_.nodes[at(node)].component = c;
  }

  void add_edge(GraphEdge edge) {
    edges_[{edge.from, edge.to}] = graph_.edges.size();
    graph_.edges.push_back(edge);
  }

  GraphEdge* find_edge(int from, int to) {
    const auto found = edges_.find({from, to});
    return found == edges_.end() ? nullptr : &graph_.edges[found->second];
  }

  static std::size_t at(int k) { return static_cast<std::size_t>(k); }

  const lang::Kernel& kernel_;
  Dependences& dependences_;
  const std::vector<Fragment>& fragments_;
  Graph graph_;
  std::map<std::string, GraphNode::Kind> kinds_;        ///< of tensors that are written
  std::map<std::string, int> nodes_;                    ///< by label
  std::map<std::pair<int, int>, std::size_t> edges_;    ///< by their ends
  std::map<std::string, std::vector<Reader>> readers_;  ///< by tensor
  std::vector<int> written_, component_of_;             ///< by fragment
};

}  // namespace

Graph build_graph(const lang::Kernel& kernel, Dependences& dependences) {
  return GraphBuilder(kernel, dependences).run();
}

}  // namespace trellis::place
