// export.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>

#include "engine/emit/helper_text.hpp"
#include "engine/emit/library.hpp"
#include "engine/lang/push_shapes.hpp"
#include "engine/place/needed_sizes.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/command/export_mpi.hpp"
#include "engine/session/command/exported_files.hpp"
#include "engine/session/command/small_instance.hpp"
#include "engine/session/program/files.hpp"
#include "engine/session/report/report.hpp"
#include "engine/session/stages/lattices.hpp"
#include "engine/tensor/file.hpp"
#include "engine/text/glyphs.hpp"
#include "engine/view/dot.hpp"
#include "engine/view/json.hpp"
#include "engine/view/lattice.hpp"
#include "engine/view/svg.hpp"

namespace trellis::session {
namespace {

using lang::syntax::Name;

bool ends_in(const Name& name, const std::string& extension, Words& words) {
  if (name.text.ends_with(extension)) return true;
  words.diagnostics().error("E0617", name.span, "\"" + name.text + "\" should end in " + extension, "");
  return false;
}

std::optional<Name> file_name(Words& words, const std::string& extension) {
  const auto name = words.string("a file name in quotes");
  return name && words.finish() && ends_in(*name, extension, words) ? name : std::nullopt;
}

std::map<std::string, double> parameters_of(const State& state, const flow::Flow& flow) {
  std::map<std::string, double> values;
  for (const auto* names : {&flow.sizes, &flow.reals})
    for (const std::string& name : *names)
      if (const auto value = state.parameter(name)) values[name] = value->as_double();
  return values;
}

/// Files that build every kernel of a folder. One that is there and is not ours stays.
void add_if_ours(std::vector<ExportedFile>& files, const std::filesystem::path& path, std::string_view content) {
  std::ifstream stream(path);
  std::string first;
  if (std::filesystem::exists(path) && !(std::getline(stream, first) && first.starts_with("# Written by Trellis")))
    return;
  files.push_back({path.string(), std::string(content)});
}

/// All tensors of a kernel that does not take flat arrays alone. Empty is reported.
std::optional<check::State> example_data(State& state, const lang::Kernel& kernel, const Compilation& compilation,
                                         Words& words) {
  if (emit::all_flat(compilation.flow, compilation.program)) return check::State{};
  return small_instance(state, kernel, compilation, words.whole(), words.diagnostics());
}

/// With what callers have to keep, whose sizes nobody has looked at; a loop program checks what it cannot prove.
lang::Program for_callers(const Compilation& compilation) {
  if (!compilation.analysis) return compilation.program;
  return lang::assuming(compilation.program, place::needed_sizes(*compilation.analysis));
}

CommandResult export_c(State& state, Words& words) {
  const auto kernel_name = words.optional_name();
  const auto name = file_name(words, ".c");
  const auto allowed = name ? path_of(state, *name, words.diagnostics()) : std::nullopt;
  const lang::Kernel* kernel = allowed ? state.kernel(kernel_name, words.whole(), words.diagnostics()) : nullptr;
  const auto compilation = kernel ? state.compilation(*kernel, words.diagnostics()) : nullptr;
  const auto data = compilation ? example_data(state, *kernel, *compilation, words) : std::nullopt;
  if (!data) return {};
  const std::filesystem::path path(*allowed);
  const std::string stem = path.stem().string();
  std::map<std::string, double> parameters = parameters_of(state, compilation->flow);
  for (const auto& [parameter, value] : data->parameters) parameters[parameter] = value.as_double();
  const emit::Library library = emit::library(
      compilation->flow, for_callers(*compilation),
      {kernel->name == "main" ? stem : kernel->name, stem, parameters, compilation->kernel.inherited, data->tensors});
  const std::string base = (path.parent_path() / stem).string();
  std::vector<ExportedFile> files{
      {base + ".c", library.source},
      {base + ".h", library.header},
      {base + "_example.c", library.example},
      {(path.parent_path() / "trellis_tensor.h").string(), std::string(emit::file_trellis_tensor_h)}};
  add_if_ours(files, path.parent_path() / "Makefile", emit::file_makefile);
  add_if_ours(files, path.parent_path() / "CMakeLists.txt", emit::file_cmakelists_txt);
  if (!write_all(files, *name, words.diagnostics())) return {};
  std::vector<std::string> written;
  for (const ExportedFile& file : files) written.push_back(file.path);
  const bool parallel = library.source.find("#pragma omp") != std::string::npos;
  return {Exported{"c", kernel->name, written, library.function,
                   "cc -std=c99 -fwrapv -O3 " + std::string(parallel ? "-fopenmp " : "") +
                       text::shell_word(base + ".c") + " " + text::shell_word(base + "_example.c") + " -lm -o " +
                       text::shell_word(base + "_example")}};
}

/// What is drawn: for Graphviz, or as it draws.
enum class Language { dot, svg };

struct Drawing {
  std::string kernel, text;
};

std::optional<Drawing> draw_graph(State& state, Language language, const std::optional<Name>& kernel_name,
                                  Words& words) {
  const lang::Kernel* kernel = state.kernel(kernel_name, words.whole(), words.diagnostics());
  const auto analysis = kernel ? state.analysis(*kernel, words.diagnostics()) : nullptr;
  if (!analysis) return std::nullopt;
  const auto& [graph, fragments] = std::tie(analysis->graph, analysis->fragments);
  return Drawing{kernel->name, language == Language::dot ? view::to_dot(graph, fragments, kernel->name)
                                                         : view::to_svg(graph, fragments, kernel->name)};
}

std::optional<Drawing> draw_lattices(State& state, Language language, const LatticeWords& names, Words& words) {
  const auto asked = lattices_of(state, names, words);
  if (!asked) return std::nullopt;
  return Drawing{asked->kernel, language == Language::dot ? view::to_dot(asked->lattices, asked->kernel)
                                                          : view::to_svg(asked->lattices, asked->kernel)};
}

std::optional<Drawing> draw_tree(State& state, Language language, const std::string& stage,
                                 const std::optional<Name>& kernel_name, Words& words) {
  const lang::Kernel* kernel = state.kernel(kernel_name, words.whole(), words.diagnostics());
  const auto compilation = kernel ? state.compilation(*kernel, words.diagnostics()) : nullptr;
  if (!compilation) return std::nullopt;
  const view::Tree tree = stage == "algebra"
                              ? view::tree_of_algebra(coiterate::distinct(compilation->lattices))
                              : view::tree_of_flow(flow::print(compilation->flow), "kernel " + kernel->name);
  return Drawing{kernel->name,
                 language == Language::dot ? view::to_dot(tree, kernel->name) : view::to_svg(tree, kernel->name)};
}

CommandResult export_drawing(State& state, Language language, Words& words) {
  const auto stage = std::ranges::find_if(drawn_stages(), [&](const std::string& name) {
    return words.accept(name) || (name == "flow" && words.accept("cfir"));
  });
  if (stage == drawn_stages().end()) {
    words.unexpected("`graph`, `algebra`, `lattice` or `flow`: these stages are drawn", drawn_stages());
    return {};
  }
  const LatticeWords names =
      *stage == "lattice" ? read_lattice_words(state, words) : LatticeWords{{}, words.optional_name()};
  const auto name = file_name(words, language == Language::dot ? ".dot" : ".svg");
  if (!name) return {};
  const auto drawing = *stage == "graph"     ? draw_graph(state, language, names.kernel, words)
                       : *stage == "lattice" ? draw_lattices(state, language, names, words)
                                             : draw_tree(state, language, *stage, names.kernel, words);
  if (!drawing) return {};
  const auto path = path_of(state, *name, words.diagnostics());
  if (!path || !write_all({{*path, drawing->text}}, *name, words.diagnostics())) return {};
  if (language == Language::svg) return {Exported{"svg", drawing->kernel, {*path}, "", ""}};
  const std::string picture = path->substr(0, path->size() - 4) + ".svg";
  return {Exported{"dot",
                   drawing->kernel,
                   {*path},
                   "",
                   "dot -Tsvg " + text::shell_word(*path) + " -o " + text::shell_word(picture)}};
}

/// The very object that `show STAGE --json` answers.
CommandResult export_json(State& state, Words& words) {
  lang::syntax::Command question{Name{"show", words.whole()}, {}};
  while (words.peek() && words.peek()->kind == lang::syntax::Word::Kind::name) {
    question.words.push_back(*words.peek());
    words.optional_name();
  }
  const auto name = file_name(words, ".json");
  if (!name) return {};
  Words inner(question, words.whole(), words.diagnostics());
  CommandResult answer = show(state, inner);
  const auto* shown = std::get_if<Shown>(&answer.result);
  if (!shown) return {};
  const std::string kernel = shown->kernel;
  Reply reply;
  reply.command = "show";
  reply.result = std::move(answer.result);
  const auto path = path_of(state, *name, words.diagnostics());
  if (!path ||
      !write_all({{*path, view::written(to_json(reply, state.sources), 2) + "\n"}}, *name, words.diagnostics()))
    return {};
  return {Exported{"json", kernel, {*path}, "", ""}};
}

CommandResult export_report(State& state, Words& words) {
  const auto name = file_name(words, ".html");
  if (!name || !state.program(words.diagnostics())) return {};
  const auto path = path_of(state, *name, words.diagnostics());
  if (!path || !write_all({{*path, report(state, {ReportOptions::Timing::measured})}}, *name, words.diagnostics()))
    return {};
  return {Exported{"report", "", {*path}, "", ""}};
}

}  // namespace

bool write_all(const std::vector<ExportedFile>& files, const Name& name, text::Diagnostics& diagnostics) {
  std::vector<std::unique_ptr<tensor::AtomicFile>> open;
  for (const ExportedFile& file : files) {
    open.push_back(std::make_unique<tensor::AtomicFile>(file.path));
    open.back()->write(file.content);
  }
  for (std::size_t k = 0; k < files.size(); ++k)
    if (const std::string why = open[k]->commit(); !why.empty()) {
      diagnostics.error("E0412", name.span, "cannot write \"" + files[k].path + "\": " + why);
      return false;
    }
  return true;
}

const std::vector<std::string>& drawn_stages() {
  static const std::vector<std::string> stages = {"graph", "algebra", "lattice", "flow"};
  return stages;
}

CommandResult export_(State& state, Words& words) {
  if (words.accept("c")) return export_c(state, words);
  if (words.accept("mpi")) return export_mpi(state, words);
  if (words.accept("dot")) return export_drawing(state, Language::dot, words);
  if (words.accept("svg")) return export_drawing(state, Language::svg, words);
  if (words.accept("json")) return export_json(state, words);
  if (words.accept("report") || words.accept("html")) return export_report(state, words);
  words.unexpected("`c`, `mpi`, `svg`, `dot`, `json` or `report`", {"c", "mpi", "svg", "dot", "json", "report"});
  return {};
}

}  // namespace trellis::session
