#include "engine/session/state/declarations.hpp"

#include <algorithm>
#include <utility>

#include "engine/format/misfit.hpp"
#include "engine/lang/push_shapes.hpp"
#include "engine/lang/statement_edit.hpp"
#include "engine/session/state/definitions.hpp"
#include "engine/session/state/factor_formats.hpp"
#include "engine/symbolic/with_patterns.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

bool has_loops(const lang::Kernel& kernel, const lang::Order& order) {
  const std::vector<std::string> variables = kernel.variables();
  return std::ranges::all_of(
      order, [&](const lang::LoopName& loop) { return contains(variables, lang::variable_of(loop.name)); });
}

bool Declarations::add(const syntax::Statement& statement, bool replaces) {
  const bool found_right = !stale_ && program_;
  stale_ = true;
  ++version_;
  std::vector<syntax::Statement>& statements = file_.own().statements;
  const std::size_t same = replaces ? subjects_.find(statements, statement) : statements.size();
  // Order after order is tried in a session: it would grow with each, and so would the time of resolving it. In a file
  // that nobody has looked at yet, the first may be wrong, which has to be said.
  if ((replaces || found_right) && !statements.empty() && lang::supersedes(statement, statements.back())) {
    statements.back() = statement;
    touch();
    return false;
  }
  if (same == statements.size()) {
    statements.push_back(statement);
    return false;
  }
  statements[same] = statement;
  touch();
  return true;
}

void Declarations::mend(const std::string& kernel, const syntax::Statement& statement, text::Span at, bool replaces) {
  syntax::File& file = file_.own();
  const syntax::Statement* block = lang::block_of(file, {kernel, at});
  syntax::Kernel mended = block ? *block->as<syntax::Kernel>() : syntax::Kernel{};
  std::vector<syntax::Statement>& statements = block ? mended.statements : file.statements;
  if (const auto* old = lang::predecessor(statements, statement, at)) statements[old - statements.data()] = statement;
  else if (block) statements.push_back(statement);
  else {
    add(statement, replaces);
    return;
  }
  if (block)
    file.statements[block - file.statements.data()] =
        syntax::Statement(syntax::StatementNode{std::move(mended), (*block)->span});
  subjects_.forget();
  touch();
  ++version_;
}

void Declarations::withdraw() {
  file_.own().statements.pop_back();
  subjects_.forget();
  touch();
  --version_;
}

void Declarations::ask_for(syntax::Expr value) {
  asked_ = std::move(value);
  touch();
}

void Declarations::restore(text::Shared<syntax::File> file) {
  file_ = std::move(file);
  subjects_.forget();
  touch();
  ++version_;
}

Declarations::Former Declarations::replace(syntax::File file) {
  Former former{std::exchange(file_, text::Shared(std::move(file))), std::exchange(program_, std::nullopt),
                std::exchange(said_, {})};
  subjects_.forget();
  touch();
  announced_.clear();
  return former;
}

void Declarations::take_back(Former former) {
  file_ = std::move(former.file);
  program_ = std::move(former.program);
  said_ = std::move(former.said);
  subjects_.forget();
  grows_ = false;
  stale_ = false;
  announced_all_ = false;
}

int Declarations::written(text::Sources& sources, const std::string& title, const std::string& text) {
  const auto [known, fresh] = written_.emplace(title + "\n" + text, 0);
  if (fresh) known->second = sources.add(title, text);
  return known->second;
}

// What the command line says goes before what the program says.
void Declarations::apply_chosen_orders(const Options& options, text::Sources& sources) {
  for (lang::Kernel& kernel : program_->kernels)
    for (const std::string& scope : {kernel.name, std::string()}) {
      const auto chosen = options.orders.find(scope);
      if (chosen == options.orders.end()) continue;
      if (!has_loops(kernel, chosen->second)) continue;
      kernel.schedule.order = chosen->second;
      place_chosen_order(scope, kernel.schedule, sources);
      break;
    }
}

// What was written on the command line becomes a source, so that messages can point at its loops.
void Declarations::place_chosen_order(const std::string& scope, lang::Schedule& schedule, text::Sources& sources) {
  const std::string head = "--set " + (scope.empty() ? "" : scope + ".") + "order=";
  const std::string text = head + lang::to_string(*schedule.order);
  const int source = written(sources, "command line", text);
  auto at = static_cast<std::uint32_t>(head.size());
  schedule.order_span = {source, at, static_cast<std::uint32_t>(text.size())};
  schedule.loop_spans.clear();
  for (const lang::LoopName& loop : *schedule.order) {
    const auto end = at + static_cast<std::uint32_t>(lang::to_string(lang::Order{loop}).size());
    schedule.loop_spans.push_back({source, at, end});
    at = end + 1;
  }
}

// Sizes that data brought along may need 64 bits.
void Declarations::widen_levels(lang::Program& program, const Data::Sizes& sizes) const {
  for (lang::TensorInfo& tensor : program.tensors) {
    tensor::Index shape;
    for (const math::Affine& size : tensor.shape) shape.push_back(value_of(size, sizes).value_or(-1));
    tensor.format = format::widened(std::move(tensor.format), shape);
  }
}

bool Declarations::resolve(const Options& options, const Data::Sizes& sizes, text::Sources& sources) {
  if (!stale_) return false;
  if (!grow(options, sizes)) resolve_all(options, sizes, sources);
  stale_ = false;
  announced_all_ = false;
  return true;
}

// Orders of the command line may be about indices that new equations bring.
std::optional<lang::Program> Declarations::addition(Statements more, const Options& options, text::Diagnostics& said) {
  if (!grows_ || !options.orders.empty()) return std::nullopt;
  if (!growth_) growth_.emplace().follow(*program_, std::span(file_->statements).first(resolved_));
  return growth_->addition(*program_, more, said, options.parameters);
}

bool Declarations::would_be_right(Statements more, const Options& options) {
  text::Diagnostics ignored;
  return !stale_ && program_ && (more.empty() || addition(more, options, ignored));
}

bool Declarations::grow(const Options& options, const Data::Sizes& sizes) {
  const auto more = grows_ ? std::span(file_->statements).subspan(resolved_) : Statements();
  text::Diagnostics said;
  auto made = addition(more, options, said);
  if (!made) return false;
  if (announced_all_) said_ = {};
  said_.append(said);
  widen_levels(*made, sizes);
  std::set<std::string> grown;
  for (const lang::Kernel& kernel : made->kernels) grown.insert(kernel.name);
  lang::extend(*program_, std::move(*made));
  if (with_factor_formats(*file_, *program_, grown)) return false;
  growth_->follow(*program_, more);
  resolved_ = file_->statements.size();
  return true;
}

void Declarations::resolve_all(const Options& options, const Data::Sizes& sizes, text::Sources& sources) {
  const bool followed = std::exchange(grows_, false) && growth_;
  lang::Overrides known = options.parameters;
  const auto resolve_as = [&](const syntax::File& file) {
    said_ = {};
    program_ = lang::resolve(file, said_, known, asked_);
  };
  resolve_as(*file_);
  // Sizes that came with data count where it matters whether they agree, or what they multiply to.
  if (!sizes.empty() && (!program_ || lang::asks_for_values(*program_))) {
    known.insert(sizes.begin(), sizes.end());
    resolve_as(*file_);
  }
  if (program_)
    if (const auto file = with_factor_formats(*file_, *program_, {})) resolve_as(*file);
  if (program_) {
    apply_chosen_orders(options, sources);
    program_ = symbolic::with_patterns(std::move(*program_), said_);
    if (said_.has_errors()) program_.reset();
    else widen_levels(*program_, sizes);
  }
  grows_ = program_ && !asked_;
  if (grows_ && followed) growth_->follow(*program_, std::span(file_->statements).subspan(resolved_));
  else growth_.reset();
  resolved_ = file_->statements.size();
}

void Declarations::announce(text::Diagnostics& diagnostics, Offer& offer) {
  const bool quiet = announced_all_ && !said_.has_errors();
  for (const text::Diagnostic& d : quiet ? std::vector<text::Diagnostic>() : said_.all()) {
    const std::string key = d.code + d.message + std::to_string(d.span.source) + ":" + std::to_string(d.span.begin);
    if (d.severity != text::Severity::error && !announced_.insert(key).second) continue;
    diagnostics.add(d);
    if (!d.fixes.empty()) offer = {d.fixes, "", {}, d.span};
  }
  announced_all_ = true;
}

std::optional<format::Value> Declarations::parameter(const std::string& name, const Data::Sizes& sizes) const {
  if (program_)
    if (const lang::ParameterInfo* info = program_->parameter(name); info && info->value) return info->value;
  const auto bound = sizes.find(name);
  return bound == sizes.end() ? std::nullopt : std::optional(bound->second);
}

std::optional<std::int64_t> Declarations::value_of(const math::Affine& size, const Data::Sizes& sizes) const {
  return size.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
    const auto known = parameter(name, sizes);
    return known ? std::optional(known->as_integer()) : std::nullopt;
  });
}

}  // namespace trellis::session
