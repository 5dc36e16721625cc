#pragma once
// Any value of the engine as JSON, in the shapes that docs/design/language.md#replies-as-json promises. Not-a-numbers
// and infinities become the strings "nan", "inf" and "-inf". nlohmann's header is slow to compile: only sources include
// it, headers the forward one.

#include <nlohmann/json_fwd.hpp>

#include "engine/explore/orders.hpp"
#include "engine/explore/why.hpp"
#include "engine/place/place.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/diagnostic.hpp"
#include "engine/text/text.hpp"

namespace trellis::view {

using Json = nlohmann::ordered_json;

/// As text, in one line unless it is indented. Names of files may be any bytes, JSON may not: U+FFFD stands for what is
/// no UTF-8.
std::string written(const Json& json, int indent = -1);

Json to_json(double number);
Json to_json(const format::Value& value);
Json to_json(const text::Point& point);  ///< {"i": 0, "j": 1}
Json to_json(const text::Instance& instance);
Json to_json(const text::Fix& fix);
Json to_json(const text::Diagnostic& diagnostic, const text::Sources& sources);
Json to_json(const text::Diagnostics& diagnostics, const text::Sources& sources);

/// `[{begin, end, stage, id, origin: [{stage, id}]}]`, offsets in bytes of the text.
Json spans(const text::Text& text);
/// `{text, spans}`.
Json to_json(const text::Text& text);

/// `{fragments: [{id, name, kind, writes, reads}]}`: the tensors by name, one for each read.
Json to_json(const place::Fragments& fragments);
/// The dependency graph: `{nodes, edges, components}`; nodes are accesses with their fragments.
Json to_json(const place::Graph& graph, const place::Fragments& fragments);
/// The placement: `{events, certificate}`.
Json to_json(const std::vector<place::Event>& events, const place::Fragments& fragments);
Json to_json(const place::Certificate& certificate);

Json to_json(const explore::OrderTable& table);
Json to_json(const explore::Why& why);

/// `[[index…], value]` for every stored entry, in row-major order.
Json entries(const tensor::Tensor& tensor);

/// Names outermost first, and the descending ones among them.
Json names(const lang::Order& order);
Json descending(const lang::Order& order);

}  // namespace trellis::view
