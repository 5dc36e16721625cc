#include "repl/python/specialise.hpp"

#include <algorithm>
#include <cmath>

#include "engine/format/misfit.hpp"
#include "engine/lang/parse.hpp"
#include "engine/lang/push_shapes.hpp"
#include "engine/session/state/shape.hpp"
#include "engine/text/sequence.hpp"
#include "repl/python/formats.hpp"

namespace trellis::python {
namespace {

constexpr const char* own_text = "<declarations>";
bool names_own_layout(const std::string& format) {
  return format.find("dia_j") != std::string::npos || format.find("bcsr_wide") != std::string::npos;
}

std::string declaration(const std::string& name, const std::vector<std::string>& sizes, const std::string& attributes) {
  std::string text = "tensor " + name;
  for (std::size_t d = 0; d < sizes.size(); ++d) text += (d == 0 ? "(" : ", ") + sizes[d];
  if (!sizes.empty()) text += ")";
  return text + (attributes.empty() ? "" : ": " + attributes) + "\n";
}

Refused refused(const text::Diagnostics& said, const text::Sources& sources) { return {said, sources}; }

/// The first operand that is sparse decides in which format results come.
const Operand* first_sparse(const std::vector<const Operand*>& operands) {
  const auto found = std::ranges::find_if(operands, [](const Operand* one) { return one && one->sparse(); });
  return found == operands.end() ? nullptr : *found;
}

std::vector<std::string> candidates(const Operand* like, int rank) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& format) {
    if (!contains(all, format)) all.push_back(format);
  };
  const bool narrow_matrix = like && like->rank == rank && like->kind != Operand::Kind::dia;
  if (narrow_matrix && like->kind != Operand::Kind::coo) add(kind_text(*like));
  if (narrow_matrix && like->kind == Operand::Kind::coo && rank == 2) add("coo");
  if (rank == 1) add("compressed");
  for (const char* const format : {"csr", "csc", "coo"})
    if (rank == 2) add(format);
  if (rank > 2) add("csf");
  return all;
}

}  // namespace

bool is_stored_as(const Operand& operand, const std::string& attributes) {
  const std::string wanted = without_type(attributes);
  return wanted.empty() || wanted == kind_text(operand) || wanted == format_text(operand);
}

Template::Template(Options options) : options_(std::move(options)) {
  text::Sources sources;
  text::Diagnostics said;
  lang::syntax::File file = lang::parse(sources, sources.add("functions", options_.functions), said);
  const lang::syntax::File program = lang::parse(sources, sources.add("program", options_.text), said);
  file.statements.insert(file.statements.end(), program.statements.begin(), program.statements.end());
  if (said.has_errors()) throw refused(said, sources);
  names_ = options_.produced.empty() ? undeclared(file) : Undeclared{options_.operands, {}, options_.operands, {}};
  for (const Produced& one : options_.produced) names_.results.push_back(one.name);
  if (names_.results.empty())
    throw refusal("E0604", "there is nothing to run: write an equation first, such as `y(i) = sum(j)(A(i,j) * x(j))`");
  for (const std::string& name : names_.operands) parameters_.push_back({name, true});
  for (const std::string& name : names_.results)
    if (!contains(names_.operands, name)) parameters_.push_back({name, false});
  for (const auto& [name, format] : options_.formats)
    if (std::ranges::none_of(parameters_, [&](const Parameter& p) { return p.name == name; })) {
      std::string all;
      for (const Parameter& p : parameters_) all += (all.empty() ? "" : ", ") + p.name;
      throw refusal("E0605", "the program has no tensor `" + name + "`; its tensors are " + all);
    }
}

std::string Template::layouts(const std::vector<const Operand*>& operands) const {
  bool needed = std::ranges::any_of(options_.formats, [](const auto& one) { return names_own_layout(one.second); });
  for (const Operand* operand : operands) needed = needed || (operand && names_own_layout(format_text(*operand)));
  return needed ? std::string(own_layouts) : "";
}

/// Of operands as they are, of others as keywords say, of results what was found.
std::string Template::declarations(const std::vector<const Operand*>& operands, const Attributes& results) const {
  std::string text = layouts(operands);
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const std::string& name = parameters_[p].name;
    const auto keyword = options_.formats.find(name);
    const bool by_keyword = keyword != options_.formats.end();
    if (names_.is_declared(name)) continue;
    if (operands[p]) {
      std::string attributes = attributes_text(*operands[p]);
      if (by_keyword && !is_stored_as(*operands[p], keyword->second))
        attributes =
            std::string(says_type(keyword->second) ? "" : format::name_of(operands[p]->type)) + " " + keyword->second;
      text += declaration(name, sizes_of(names_, name, operands[p]->rank), attributes);
      continue;
    }
    if (const auto result = results.find(name); result != results.end()) text += result->second;
    if (!parameters_[p].required) continue;
    const auto known = names_.sizes.find(name);
    const int rank = known == names_.sizes.end() ? 0 : static_cast<int>(known->second.size());
    text += declaration(name, sizes_of(names_, name, rank), by_keyword ? keyword->second : "");
  }
  return text;
}

Template::Read Template::read(const std::vector<const Operand*>& operands, const lang::Overrides& overrides,
                              const Attributes& results) const {
  session::Options chosen;
  chosen.limits.trusted = true;
  chosen.limits.threads = options_.threads;
  Read read{std::make_unique<session::Session>(std::move(chosen)), {}};
  session::State& state = read.session->state();
  const auto keep = [&](const session::Reply& reply) { read.said.append(reply.diagnostics); };
  const auto feed = [&](const char* name, const std::string& text) {
    if (text.empty() || read.said.has_errors()) return;
    read.session->feed(name, text, session::Session::Extent::declarations, keep);
  };
  feed(own_text, declarations(operands, results));
  feed("functions", options_.functions);
  feed("program", options_.text);
  std::string formats;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const std::string& name = parameters_[p].name;
    const auto keyword = options_.formats.find(name);
    if (!names_.is_declared(name)) continue;
    if (keyword != options_.formats.end()) formats += "format " + name + " " + keyword->second + "\n";
    else if (operands[p] && operands[p]->rank > 0) formats += "format " + name + " " + format_text(*operands[p]) + "\n";
  }
  feed("<formats>", formats);
  feed("schedule", options_.schedule);
  state.options.parameters = overrides;  // of parameters that are declared by now
  state.declarations.touch();
  if (!options_.order.empty()) {
    const auto order = lang::parse_order(options_.order);
    if (!order)
      throw refusal("E0601", "`" + options_.order + "` is not an order: write loop names, outermost first: `j k i-`");
    state.options.orders[""] = *order;
    state.declarations.touch();
  }
  if (!read.said.has_errors()) state.program(read.said);
  if (!read.said.has_errors()) bind_shapes(state, parameters_, operands, read.said);
  if (!read.said.has_errors()) state.program(read.said);
  return read;
}

/// For each attempt, declarations of the results that are not dense.
std::vector<Template::Attributes> Template::results(session::State& state,
                                                    const std::vector<const Operand*>& operands) const {
  text::Diagnostics ignored;
  const lang::Program* program = state.program(ignored);
  if (!program) return {};
  const Operand* const like = first_sparse(operands);
  std::vector<Attributes> attempts;
  for (const lang::Kernel& kernel : program->kernels) {
    for (const lang::TensorInfo& info : program->tensors) {
      const auto keyword = options_.formats.find(info.name);
      const bool by_keyword = keyword != options_.formats.end() && contains(names_.results, info.name);
      const bool decided = info.kind != lang::TensorInfo::Kind::implicit || !contains(kernel.results(), info.name);
      if (decided || (!by_keyword && info.format.all_dense())) continue;
      std::vector<std::string> sizes;
      for (const math::Affine& size : info.shape) sizes.push_back(math::to_string(size));
      const auto formats = by_keyword ? std::vector{keyword->second} : candidates(like, static_cast<int>(sizes.size()));
      if (formats.empty()) continue;
      if (attempts.size() < formats.size())
        attempts.resize(formats.size(), attempts.empty() ? Attributes() : attempts.back());
      for (std::size_t k = 0; k < attempts.size(); ++k) {
        std::string attributes = formats[std::min(k, formats.size() - 1)];
        if (!by_keyword) attributes = std::string(format::name_of(info.type)) + " " + attributes;
        if (!by_keyword && info.fill.is_true()) attributes += " fill " + format::to_string(info.fill);
        attempts[k][info.name] = declaration(info.name, sizes, attributes);
      }
    }
  }
  return attempts;
}

/// The same where it is known which results are sparse.
std::vector<Template::Attributes> Template::produced(const std::vector<const Operand*>& operands) const {
  const Operand* const like = first_sparse(operands);
  std::vector<Attributes> attempts(1);
  for (const Produced& one : options_.produced) {
    std::vector<std::string> formats{one.format};
    if (one.format.empty() && one.sparse) formats = candidates(like, static_cast<int>(one.shape.size()));
    if (attempts.size() < formats.size()) attempts.resize(formats.size(), attempts.back());
    for (std::size_t k = 0; k < attempts.size(); ++k) {
      const std::string& format = formats[std::min(k, formats.size() - 1)];
      std::string attributes(format::name_of(one.type));
      if (!format.empty()) attributes += " " + format;
      if (one.fill.is_true() && !std::isnan(one.fill.real)) attributes += " fill " + format::to_string(one.fill);
      attempts[k][one.name] = declaration(one.name, one.shape, attributes);
    }
  }
  return attempts;
}

std::unique_ptr<session::Session> Template::specialise(const std::vector<const Operand*>& operands,
                                                       const lang::Overrides& overrides) const {
  const bool decided = !options_.produced.empty();
  Read plain = decided ? Read() : read(operands, overrides, {});
  if (plain.said.has_errors()) throw refused(plain.said, plain.session->sources());
  const auto compiles = [](Read& read) {
    session::State& state = read.session->state();
    const lang::Program* program = state.program(read.said);
    for (std::size_t k = 0; program && k < program->kernels.size() && !read.said.has_errors(); ++k)
      state.compilation(program->kernels[k], read.said);
    return program && !read.said.has_errors();
  };
  const std::vector<Attributes> attempts = decided ? produced(operands) : results(plain.session->state(), operands);
  std::optional<Refused> first;
  for (const Attributes& attempt : attempts) {
    Read tried = read(operands, overrides, attempt);
    if (!tried.said.has_errors() && compiles(tried)) return std::move(tried.session);
    if (!first) first = refused(tried.said, tried.session->sources());
  }
  if (first) throw *first;
  if (compiles(plain)) return std::move(plain.session);
  throw refused(plain.said, plain.session->sources());
}

void bind_shapes(session::State& state, const std::vector<Parameter>& parameters,
                 const std::vector<const Operand*>& operands, text::Diagnostics& diagnostics) {
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const lang::Program* const program = state.program(diagnostics);
    const lang::TensorInfo* const info = program ? program->tensor(parameters[p].name) : nullptr;
    if (!info || !operands[p]) continue;
    const Operand& operand = *operands[p];
    const tensor::Index shape(operand.shape.begin(), operand.shape.begin() + operand.rank);
    if (!bind_shape(state, *info, shape, session::ShapeClaim::exact, "argument " + info->name, info->span, diagnostics))
      return;
    if (info->type == operand.type) continue;
    const std::string wanted(format::name_of(info->type));
    diagnostics
        .error("E0613", info->span,
               info->name + " is declared as " + wanted + "; argument " + info->name + " is " +
                   std::string(format::name_of(operand.type)))
        .notes.push_back({{}, "cast it first, or leave the type out of the declaration"});
    return;
  }
}

}  // namespace trellis::python
