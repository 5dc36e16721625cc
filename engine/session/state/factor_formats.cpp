#include "engine/session/state/factor_formats.hpp"

#include <algorithm>

#include "engine/lang/given_formats.hpp"
#include "engine/lang/statement_edit.hpp"
#include "engine/symbolic/sparse_factors.hpp"

namespace trellis::session {
namespace {

namespace syntax = lang::syntax;

std::set<std::string> given_formats(const syntax::File& file) {
  std::vector<const syntax::Command*> commands;
  const auto collect = [&](const auto& self, const std::vector<syntax::Statement>& statements) -> void {
    for (const syntax::Statement& one : statements) {
      if (const auto* c = one.as<syntax::Command>(); c && c->name.text == "format") commands.push_back(c);
      if (const auto* k = one.as<syntax::Kernel>()) self(self, k->statements);
    }
  };
  collect(collect, file.statements);
  return lang::given_formats(commands);
}

syntax::Statement command(const std::string& name, const std::string& tensor, const std::string& what,
                          text::Span span) {
  using Kind = syntax::Word::Kind;
  const syntax::Command made{{name, span}, {{Kind::name, tensor, span}, {Kind::name, what, span}}};
  return syntax::Statement(syntax::StatementNode{made, span});
}

}  // namespace

std::optional<syntax::File> with_factor_formats(const syntax::File& file, const lang::Program& program,
                                                const std::set<std::string>& kernels) {
  // Most programs have no sparse matrix: that is seen without going through their equations, each time one is added.
  const auto is_sparse = [](const lang::TensorInfo& t) { return t.shape.size() == 2 && !t.format.all_dense(); };
  if (std::ranges::none_of(program.tensors, is_sparse)) return std::nullopt;
  const auto factors = symbolic::sparse_factors(program, given_formats(file), kernels);
  if (factors.empty()) return std::nullopt;
  syntax::File changed = file;
  for (const symbolic::SparseFactors& one : factors) {
    const text::Span span = program.kernel(one.kernel)->equations.front().span;
    std::vector<syntax::Statement> lines;
    for (const std::string& result : one.results) {
      lines.push_back(command("format", result, "csc", span));
      lines.push_back(command("mask", result, "auto", span));
    }
    if (const syntax::Statement* block = lang::block_of(changed, {one.kernel, {}})) {
      syntax::Kernel kernel = *block->as<syntax::Kernel>();
      kernel.statements.insert(kernel.statements.end(), lines.begin(), lines.end());
      changed.statements[static_cast<std::size_t>(block - changed.statements.data())] =
          syntax::Statement(syntax::StatementNode{std::move(kernel), (*block)->span});
    } else {
      changed.statements.insert(changed.statements.end(), lines.begin(), lines.end());
    }
  }
  return changed;
}

}  // namespace trellis::session
