#include "engine/lang/resolve/standard_layouts.hpp"

#include <map>

#include "engine/lang/parse.hpp"
#include "engine/text/source.hpp"

namespace trellis::lang {

std::string_view standard_layouts() {
  return R"(layout csr: (i, j) -> (i, j) {dense, compressed}
layout csc: (i, j) -> (j, i) {dense, compressed}
layout coo: (i, j) -> (i, j) {compressed(nonunique), singleton}
layout dcsr: (i, j) -> (i, j) {compressed, compressed}
layout dcsc: (i, j) -> (j, i) {compressed, compressed}
layout csf: (i, j) -> (i, j) {compressed, compressed}
layout bcsr(R, C): (i, j) -> (i/R, j/C, i%R, j%C) {dense, compressed, dense, dense}
layout ell(K): (i, j) -> (i, j) {dense, compressed(K)}
layout dia: (i, j) -> (j - i, i) {compressed, dense}
)";
}

const syntax::LayoutDecl* standard_layout(const std::string& name) {
  static const std::map<std::string, syntax::LayoutDecl> all = [] {
    text::Sources sources;
    text::Diagnostics none;
    std::map<std::string, syntax::LayoutDecl> found;
    const int text = sources.add("standard layouts", std::string(standard_layouts()));
    for (const syntax::Statement& statement : parse(sources, text, none).statements)
      if (const auto* layout = statement.as<syntax::LayoutDecl>()) found.emplace(layout->name.text, *layout);
    return found;
  }();
  const auto at = all.find(name);
  return at == all.end() ? nullptr : &at->second;
}

}  // namespace trellis::lang
