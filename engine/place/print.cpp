#include <algorithm>
#include <functional>
#include <map>

#include "engine/place/place.hpp"

namespace trellis::place {
namespace {

std::string constraints_text(const math::Domain& domain) {
  std::string out;
  for (const math::Constraint& c : domain.constraints) out += (out.empty() ? "" : ", ") + math::to_string(c);
  return out;
}

std::string list(const std::vector<int>& ids, const Fragments& fragments) {
  std::string out;
  for (int f : ids) out += (out.empty() ? "" : ", ") + fragments.fragments[static_cast<std::size_t>(f)].name;
  return out;
}

void print_update(text::TextBuilder& out, const Fragment& f) {
  lang::print(out, Expr({f.write, {}, {}}));
  if (!f.op) out << " = ";
  else if (f.best) out << " = " << format::name_of(*f.op) << "(" << f.reduced.at(0) << ") of ";
  else if (f.op == format::ReduceOp::user) out << " " << lang::definition_of(f.function) << "= ";
  else out << " " << format::update_symbol(*f.op) << " ";
  lang::print(out, f.value);
}

const char* name_of(GraphNode::Kind kind) {
  switch (kind) {
    case GraphNode::Kind::input: return "input";
    case GraphNode::Kind::result: return "result";
    case GraphNode::Kind::temporary: return "temporary";
  }
  return "";
}

}  // namespace

text::Text print(const Fragments& fragments) {
  text::TextBuilder out;
  for (const Fragment& f : fragments.fragments) {
    {
      text::TextBuilder::Scope scope(out, {text::Stage::fragments, f.id}, f.origin);
      out << f.name << ": ";
      print_update(out, f);
      const std::string where = constraints_text(f.domain);
      if (!where.empty()) out << "   : " << where;
    }
    out.newline();
  }
  return out.take();
}

namespace {

/// The accesses of a fragment's right-hand side that are written so, as far as they stand in an equation.
text::Origin accesses_in(const Fragment& f, const std::string& label) {
  text::Origin found;
  const std::function<void(const Expr&)> visit = [&](const Expr& e) {
    if (e.as<lang::Access>() && e.id() >= 0 && lang::to_string(e) == label)
      found = text::merge(found, {{text::Stage::equations, e.id()}});
    lang::for_each_child(e, visit);
  };
  visit(f.value);
  if (f.argument) visit(f.argument);
  return found;
}

/// An access comes from the fragments that write it, and from where it is read.
text::Origin origin_of(const GraphNode& node, const Fragments& fragments) {
  text::Origin origin;
  for (const int id : node.fragments) {
    const Fragment& f = fragments.fragments[static_cast<std::size_t>(id)];
    const bool writes = lang::to_string(Expr({f.write, {}, {}})) == node.label;
    const text::Origin reads = writes ? text::Origin{} : accesses_in(f, node.label);
    origin = text::merge(origin, reads.empty() ? text::Origin{{text::Stage::fragments, id}} : reads);
  }
  return origin;
}

}  // namespace

text::Text print(const Graph& graph, const Fragments& fragments) {
  text::TextBuilder out;
  for (std::size_t c = 0; c < graph.components.size(); ++c) {
    const bool cyclic = std::any_of(graph.nodes.begin(), graph.nodes.end(),
                                    [&](const GraphNode& n) { return n.component == static_cast<int>(c); });
    out << (cyclic ? "cycle " : "component ") << list(graph.components[c], fragments);
    out.newline();
  }
  for (const GraphNode& n : graph.nodes) {
    {
      text::TextBuilder::Scope scope(out, {text::Stage::graph, n.id}, origin_of(n, fragments));
      out << n.label << "   " << name_of(n.kind);
      if (n.component >= 0) out << ", in a cycle";
      out << ", in " << list(n.fragments, fragments);
      std::string from;
      for (const GraphEdge& e : graph.edges) {
        if (e.to != n.id) continue;
        from += (from.empty() ? "" : ", ") + graph.nodes[static_cast<std::size_t>(e.from)].label +
                (e.exact ? "" : " (never meets)");
      }
      if (!from.empty()) out << "   from " << from;
    }
    out.newline();
  }
  return out.take();
}

const char* name_of(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::component: return "component";
    case Event::Kind::coalesce: return "coalesce";
    case Event::Kind::assume: return "assume";
    case Event::Kind::attempt: return "try";
    case Event::Kind::reject: return "reject";
    case Event::Kind::place: return "place";
    case Event::Kind::reorder: return "reorder";
    case Event::Kind::ready: return "ready";
    case Event::Kind::shrink: return "shrink";
    case Event::Kind::undo: return "undo";
    case Event::Kind::ignore: return "ignore";
  }
  return "";
}

std::string to_string(const Event& event) { return std::string(name_of(event.kind)) + " " + event.text; }

bool stands_in(const Sketch& nest, int fragment) {
  return std::ranges::find(nest, fragment, &SketchLine::fragment) != nest.end();
}

namespace {

/// By fragment that stands in the last of these nests: what its event says is ready.
std::map<int, std::string> ready_after(const std::vector<Event>& events, std::size_t count) {
  std::map<int, std::string> ready;
  for (std::size_t k = 0; k < count; ++k) {
    if (events[k].kind == Event::Kind::ready)
      for (const int f : events[k].fragments) ready[f] = events[k].text;
    std::erase_if(ready, [&](const auto& one) { return !stands_in(events[k].nest, one.first); });
  }
  return ready;
}

}  // namespace

text::Text print_sketch(const std::vector<Event>& events, std::size_t count, const Fragments& fragments) {
  text::TextBuilder out;
  count = std::min(count, events.size());
  const std::map<int, std::string> ready = ready_after(events, count);
  for (const SketchLine& line : count == 0 ? Sketch() : events[count - 1].nest) {
    const std::string margin(static_cast<std::size_t>(2 * line.depth), ' ');
    out << margin;
    if (line.fragment < 0) {
      out << "for " << line.loop.name << (line.loop.descending ? " down" : "");
      out.newline();
      continue;
    }
    const Fragment& f = fragments.fragments[static_cast<std::size_t>(line.fragment)];
    {
      text::TextBuilder::Scope scope(out, {text::Stage::fragments, f.id}, f.origin);
      out << f.name << ": ";
      print_update(out, f);
    }
    out.newline();
    if (const auto known = ready.find(f.id); known != ready.end()) {
      out << margin << "# ready " << known->second;
      out.newline();
    }
  }
  return out.take();
}

text::Text print_events(const std::vector<Event>& events, int first) {
  text::TextBuilder out;
  int number = first;
  for (const Event& e : events) {
    {
      text::Origin origin;
      for (int f : e.fragments) origin.push_back({text::Stage::fragments, f});
      text::TextBuilder::Scope scope(out, {text::Stage::placement, number++}, origin);
      out << std::string(static_cast<std::size_t>(2 * e.depth), ' ') << to_string(e);
    }
    out.newline();
  }
  return out.take();
}

}  // namespace trellis::place
