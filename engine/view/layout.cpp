#include "engine/view/layout.hpp"

#include <graphviz/gvc.h>

#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>

#include "engine/text/recent.hpp"
#include "engine/view/layers.hpp"

// Of Graphviz's plug-ins only these two: no fonts, no files, nothing to search for at run time.
extern "C" {
extern gvplugin_library_t gvplugin_dot_layout_LTX_library;
extern gvplugin_library_t gvplugin_core_LTX_library;
}

#ifdef __SANITIZE_ADDRESS__
// Drawings cost Graphviz 2.42 some hundred bytes, with frames a few thousand, that it never gives back: edges that it
// makes up on its way. Its allocator is all that the sanitizer sees of the stack, so this would also hide a layout that
// nobody frees; a test counts bytes instead.
extern "C" const char* __lsan_default_suppressions() { return "leak:gmalloc\nleak:grealloc\n"; }
#endif

namespace trellis::view {
namespace {

constexpr double points_per_inch = 72;
// Beyond these Graphviz takes seconds, and cannot be stopped: 0.1 s for 500 edges, 1.2 s for 1 500, 47 s for 5 000.
constexpr std::size_t most_nodes = 300, most_edges = 600;
/// Those laid out last are not laid out again, for time, and for what Graphviz keeps of each.
constexpr std::size_t most_kept = 128;
struct Kept {
  Diagram diagram;
  Layout layout;
};

struct FreeContext {
  void operator()(GVC_t* context) const { gvFreeContext(context); }
};
using Context = std::unique_ptr<GVC_t, FreeContext>;

Context open_context() {
  static const std::array<lt_symlist_t, 3> plugins = {
      {{"gvplugin_dot_layout_LTX_library", &gvplugin_dot_layout_LTX_library},
       {"gvplugin_core_LTX_library", &gvplugin_core_LTX_library},
       {nullptr, nullptr}}};
  return Context(gvContextPlugins(plugins.data(), 0));
}

/// The graph in Graphviz's own terms, and the laid out one while it lives.
class Drawn {
 public:
  Drawn(GVC_t* context, const Diagram& diagram)
      : context_(context), graph_(agopen(name("g"), Agdirected, nullptr)), diagram_(diagram) {
    const auto defaults = [&](int kind, const char* key, const char* value) {
      agattr(graph_, kind, name(key), name(value));
    };
    for (const auto& [key, value] : {std::pair("nodesep", "0.28"), {"ranksep", "0.42"}, {"pad", "0"}, {"margin", ""}})
      defaults(AGRAPH, key, value);
    defaults(AGRAPH, "label", "");
    defaults(AGRAPH, "ordering", diagram.ordered ? "out" : "");
    for (const auto& [key, value] :
         {std::pair("shape", "box"), {"fixedsize", "true"}, {"label", ""}, {"width", "1"}, {"height", "1"}})
      defaults(AGNODE, key, value);
    defaults(AGEDGE, "label", "");
    defaults(AGEDGE, "arrowsize", "0.7");
    for (int g = 0; g < diagram.groups; ++g) groups_.push_back(agsubg(graph_, name("cluster_" + std::to_string(g)), 1));
    for (const Diagram::Node& node : diagram.nodes) add(node);
    for (const Diagram::Edge& edge : diagram.edges) add(edge);
    for (Agraph_t* group : groups_)
      if (diagram.group_label_height > 0) set_room(group, 8, diagram.group_label_height);
    laid_out_ = gvLayout(context_, graph_, "dot") == 0;
  }
  ~Drawn() {
    if (laid_out_) gvFreeLayout(context_, graph_);
    agclose(graph_);
  }
  Drawn(const Drawn&) = delete;
  Drawn& operator=(const Drawn&) = delete;

  Layout read() const {
    Layout layout;
    if (!laid_out_) return layout;
    const boxf all = GD_bb(graph_);
    layout.width = round(all.UR.x - all.LL.x);
    layout.height = round(all.UR.y - all.LL.y);
    const auto point = [&](pointf p) { return Layout::Point{round(p.x - all.LL.x), round(all.UR.y - p.y)}; };
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      const auto& [width, height, group] = diagram_.nodes[k];
      const Layout::Point centre = point(ND_coord(nodes_[k]));
      layout.nodes.push_back({round(centre.x - width / 2), round(centre.y - height / 2), width, height});
    }
    for (Agedge_t* edge : edges_) layout.edges.push_back(curve(edge, point));
    for (Agraph_t* group : groups_) {
      const boxf box = GD_bb(group);
      const Layout::Point corner = point({box.LL.x, box.UR.y});
      const bool empty = agfstnode(group) == nullptr;
      layout.groups.push_back(
          empty ? Layout::Box{}
                : Layout::Box{corner.x, corner.y, round(box.UR.x - box.LL.x), round(box.UR.y - box.LL.y)});
    }
    return layout;
  }

 private:
  // Graphviz takes texts without const, and copies them.
  static char* name(std::string&& text) { return text.data(); }
  static double round(double x) { return std::round(x * 10) / 10; }
  /// An empty table of that size: a label that needs no font.
  static std::string room(double width, double height) {
    return "<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"0\" fixedsize=\"true\" width=\"" +
           std::to_string(std::lround(width)) + "\" height=\"" + std::to_string(std::lround(height)) +
           "\"><tr><td></td></tr></table>";
  }
  void set(void* object, const char* key, std::string value) { agset(object, name(key), value.data()); }
  void set_room(void* object, double width, double height) {
    std::string text = room(width, height);
    char* html = agstrdup_html(graph_, text.data());
    agset(object, name("label"), html);
    agstrfree(graph_, html);
  }

  void add(const Diagram::Node& node) {
    Agraph_t* const home = node.group < 0 ? graph_ : groups_[static_cast<std::size_t>(node.group)];
    Agnode_t* const made = agnode(home, name("n" + std::to_string(nodes_.size())), 1);
    set(made, "width", std::to_string(node.width / points_per_inch));
    set(made, "height", std::to_string(node.height / points_per_inch));
    nodes_.push_back(made);
  }
  void add(const Diagram::Edge& edge) {
    Agedge_t* const made =
        agedge(graph_, nodes_[static_cast<std::size_t>(edge.from)], nodes_[static_cast<std::size_t>(edge.to)],
               name("e" + std::to_string(edges_.size())), 1);
    if (edge.label_width > 0) set_room(made, edge.label_width, edge.label_height);
    edges_.push_back(made);
  }
  template <class Place>
  static Layout::Curve curve(Agedge_t* edge, const Place& place) {
    Layout::Curve curve;
    if (const splines* drawn = ED_spl(edge); drawn && drawn->size > 0) {
      const bezier& b = drawn->list[0];
      for (std::size_t k = 0; k < static_cast<std::size_t>(b.size); ++k) curve.points.push_back(place(b.list[k]));
      curve.tip = b.eflag ? place(b.ep) : curve.points.back();
    }
    if (const textlabel_t* label = ED_label(edge)) curve.label = place(label->pos);
    return curve;
  }

  GVC_t* context_;
  Agraph_t* graph_;
  const Diagram& diagram_;
  std::vector<Agraph_t*> groups_;
  std::vector<Agnode_t*> nodes_;
  std::vector<Agedge_t*> edges_;
  bool laid_out_ = false;
};

}  // namespace

Layout lay_out(const Diagram& diagram) {
  if (diagram.nodes.empty()) return {};
  if (diagram.nodes.size() > most_nodes || diagram.edges.size() > most_edges) return lay_out_in_layers(diagram);
  // Graphviz keeps what it works on in variables of its own.
  static std::mutex one_at_a_time;
  static text::Recent<Kept> recent(most_kept);
  const std::lock_guard lock(one_at_a_time);
  if (const Kept* known = recent.find([&](const Kept& kept) { return kept.diagram == diagram; })) return known->layout;
  const Context context = open_context();
  return recent.add({diagram, Drawn(context.get(), diagram).read()}).layout;
}

}  // namespace trellis::view
