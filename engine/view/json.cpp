#include "engine/view/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/tensor/for_each_entry.hpp"

namespace trellis::view {

std::string written(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json to_json(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return number;
}

Json to_json(const format::Value& value) {
  if (format::is_floating(value.type)) return to_json(value.real);
  if (format::is_boolean(value.type)) return value.integer != 0;
  if (value.type == format::ScalarType::u64) return static_cast<std::uint64_t>(value.integer);
  return value.integer;
}

Json to_json(const text::Point& point) {
  Json json = Json::object();
  for (const auto& [name, value] : point) json[name] = value;
  return json;
}

Json to_json(const text::Instance& instance) {
  Json json{{"read", instance.read}, {"at", to_json(instance.at)}, {"element", instance.element}};
  if (!instance.written_at.empty()) json["written_at"] = to_json(instance.written_at);
  if (!instance.sizes.empty()) json["sizes"] = to_json(instance.sizes);
  return json;
}

Json to_json(const text::Fix& fix) {
  Json json{{"command", fix.command}, {"swaps", fix.swaps}};
  if (!fix.remark.empty()) json["remark"] = fix.remark;
  return json;
}

namespace {

void put_place(Json& json, text::Span span, const text::Sources& sources) {
  if (!span.known()) return;
  const text::Place begin = sources.begin(span), end = sources.end(span);
  json["file"] = sources.name(span.source);
  json["line"] = begin.line;
  json["column"] = begin.column;
  json["endLine"] = end.line;
  json["endColumn"] = end.column;
}

const char* name_of(text::Severity severity) {
  switch (severity) {
    case text::Severity::error: return "error";
    case text::Severity::warning: return "warning";
    case text::Severity::note: return "note";
  }
  return "";
}

Json node_json(const text::NodeId& node) { return {{"stage", text::name_of(node.stage)}, {"id", node.id}}; }

Json fragment_names(const std::vector<int>& ids, const place::Fragments& fragments) {
  Json list = Json::array();
  for (const int id : ids) list.push_back(fragments.fragments[static_cast<std::size_t>(id)].name);
  return list;
}

}  // namespace

Json to_json(const text::Diagnostic& d, const text::Sources& sources) {
  Json json{{"severity", name_of(d.severity)}, {"code", d.code}, {"message", d.message}};
  put_place(json, d.span, sources);
  if (!d.label.empty()) json["label"] = d.label;
  json["notes"] = Json::array();
  for (const text::Note& note : d.notes) {
    Json item{{"message", note.message}};
    put_place(item, note.span, sources);
    json["notes"].push_back(item);
  }
  json["fixes"] = Json::array();
  for (const text::Fix& fix : d.fixes) json["fixes"].push_back(to_json(fix));
  if (d.instance) json["instance"] = to_json(*d.instance);
  if (!d.extent.empty()) json["extent"] = d.extent;
  return json;
}

Json to_json(const text::Diagnostics& diagnostics, const text::Sources& sources) {
  Json list = Json::array();
  for (const text::Diagnostic& d : diagnostics.all()) list.push_back(to_json(d, sources));
  return list;
}

Json spans(const text::Text& text) {
  Json list = Json::array();
  for (const text::TextSpan& span : text.spans) {
    Json item{
        {"begin", span.begin}, {"end", span.end}, {"stage", text::name_of(span.node.stage)}, {"id", span.node.id}};
    item["origin"] = Json::array();
    for (const text::NodeId& node : span.origin) item["origin"].push_back(node_json(node));
    list.push_back(item);
  }
  return list;
}

Json to_json(const text::Text& text) { return {{"text", text.characters}, {"spans", spans(text)}}; }

Json to_json(const place::Fragments& fragments) {
  static const char* const kinds[] = {"equation", "copy", "until"};
  Json json{{"fragments", Json::array()}};
  for (const place::Fragment& f : fragments.fragments) {
    Json one{{"id", f.id},
             {"name", f.name},
             {"kind", kinds[static_cast<int>(f.kind)]},
             {"writes", f.write.tensor},
             {"reads", Json::array()}};
    for (const place::Read& read : f.reads) one["reads"].push_back(read.access.tensor);
    json["fragments"].push_back(std::move(one));
  }
  return json;
}

Json to_json(const place::Graph& graph, const place::Fragments& fragments) {
  static const char* const kinds[] = {"input", "result", "temporary"};
  Json json{{"nodes", Json::array()}, {"edges", Json::array()}, {"components", Json::array()}};
  for (const place::GraphNode& node : graph.nodes)
    json["nodes"].push_back({{"id", node.id},
                             {"label", node.label},
                             {"kind", kinds[static_cast<int>(node.kind)]},
                             {"fragments", fragment_names(node.fragments, fragments)},
                             {"component", node.component < 0 ? Json(nullptr) : Json(node.component)}});
  for (const place::GraphEdge& edge : graph.edges)
    json["edges"].push_back({{"from", edge.from},
                             {"to", edge.to},
                             {"fragment", fragments.fragments[static_cast<std::size_t>(edge.fragment)].name},
                             {"exact", edge.exact}});
  for (const auto& component : graph.components) json["components"].push_back(fragment_names(component, fragments));
  return json;
}

Json to_json(const std::vector<place::Event>& events, const place::Fragments& fragments) {
  Json list = Json::array();
  for (const place::Event& event : events) {
    Json item{{"kind", place::name_of(event.kind)}, {"depth", event.depth}, {"text", event.text}};
    item["fragments"] = fragment_names(event.fragments, fragments);
    if (!event.loop.empty()) item["loop"] = event.loop;
    list.push_back(item);
  }
  return list;
}

Json to_json(const place::Certificate& c) {
  Json reassociated = Json::array();
  for (const place::Reassociated& sum : c.reassociated) reassociated.push_back(sum.words);
  return {
      {"dependences", c.dependences}, {"instances", c.instances}, {"sizes", c.sizes}, {"reassociated", reassociated}};
}

Json names(const lang::Order& order) {
  Json list = Json::array();
  for (const lang::LoopName& loop : order) list.push_back(loop.name);
  return list;
}

Json descending(const lang::Order& order) {
  Json list = Json::array();
  for (const lang::LoopName& loop : order)
    if (loop.descending) list.push_back(loop.name);
  return list;
}

Json to_json(const explore::OrderTable& table) {
  Json json{{"total", table.total}, {"listed", table.orders.size()}, {"orders", Json::array()}};
  for (const explore::Verdict& v : table.orders)
    json["orders"].push_back({{"order", names(v.order)},
                              {"descending", descending(v.order)},
                              {"legal", v.legal},
                              {"reason", v.reason.empty() ? Json(nullptr) : Json(v.reason)},
                              {"cost", v.cost ? to_json(*v.cost) : Json(nullptr)},
                              {"median_ms", v.median_ms ? to_json(*v.median_ms) : Json(nullptr)}});
  return json;
}

Json to_json(const explore::Why& why) {
  Json json{{"order", names(why.order)}, {"descending", descending(why.order)}, {"legal", why.legal}};
  if (why.legal) return json;
  json["reason"] = why.reason;
  json["instance"] = to_json(why.instance);
  if (why.extent)
    json["extent"] = {
        {"violations", why.extent->violations}, {"reads", why.extent->reads}, {"sizes", to_json(why.extent->sizes)}};
  json["fixes"] = Json::array();
  for (const explore::Verdict& v : why.nearest.orders)
    json["fixes"].push_back({{"command", "order " + lang::to_string(v.order)}, {"swaps", v.distance}});
  json["complete"] = why.nearest.complete;
  return json;
}

Json entries(const tensor::Tensor& tensor) {
  Json list = Json::array();
  const auto add = [&](const tensor::Index& index, const format::Value& value) {
    list.push_back({index, to_json(value)});
  };
  if (tensor.dense())
    tensor::for_each_index(tensor.shape(), [&](const tensor::Index& index) { add(index, tensor.get(index)); });
  else tensor::for_each_listed(tensor, add);
  return list;
}

}  // namespace trellis::view
