// show: one stage of a kernel, as text with what belongs to it.
#include <algorithm>
#include <utility>

#include "engine/explore/reassociated.hpp"
#include "engine/flow/passes.hpp"
#include "engine/loop/print.hpp"
#include "engine/place/in_place.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/figures.hpp"
#include "engine/session/replay/replays.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/on_ranks.hpp"
#include "engine/session/running/planned.hpp"
#include "engine/session/stages/assembly.hpp"
#include "engine/session/stages/cost_text.hpp"
#include "engine/session/stages/find_notes.hpp"
#include "engine/session/stages/finds.hpp"
#include "engine/session/stages/flow_passes.hpp"
#include "engine/session/stages/lattices.hpp"
#include "engine/session/stages/memory.hpp"
#include "engine/session/stages/ranks.hpp"
#include "engine/session/stages/storage_plan.hpp"
#include "engine/session/state/patterns.hpp"

namespace trellis::session {
namespace {

using lang::syntax::Name;

text::Text plain(std::string characters) { return {std::move(characters), {}}; }

// Fragments and dependences, which loop programs have none of.
bool analysed(State& state, const lang::Kernel& kernel, Shown& shown, text::Diagnostics& diagnostics) {
  shown.analysis = state.analysis(kernel, diagnostics);
  return shown.analysis != nullptr;
}

std::shared_ptr<const Compilation> compiled(State& state, const lang::Kernel& kernel, Shown& shown,
                                            text::Diagnostics& diagnostics) {
  if (!kernel.loops && !analysed(state, kernel, shown, diagnostics)) return nullptr;
  return planned(state, kernel, diagnostics);
}

bool show_equations(State& state, const lang::Kernel& kernel, Shown& shown, text::Diagnostics& diagnostics) {
  if (kernel.loops) return analysed(state, kernel, shown, diagnostics);
  shown.text = lang::print_equations(*state.program(diagnostics), kernel);
  if (const Plan* plan = plan_for(state, kernel); plan && plan->split)
    shown.text = text::concat(text::concat(shown.text, plain("# computed in steps:\n")),
                              lang::print_equations(plan->chosen->program, plan->chosen->kernel));
  return true;
}

bool show_fragments(State& state, const lang::Kernel& kernel, Shown& shown, text::Diagnostics& diagnostics) {
  if (!analysed(state, kernel, shown, diagnostics)) return false;
  shown.text = place::print(shown.analysis->fragments);
  return true;
}

bool show_graph(State& state, const lang::Kernel& kernel, Shown& shown, text::Diagnostics& diagnostics) {
  if (!analysed(state, kernel, shown, diagnostics)) return false;
  shown.text = place::print(shown.analysis->graph, shown.analysis->fragments);
  return true;
}

// Placement is shown for illegal orders too: the events up to the rejection are the explanation.
bool show_placement(State& state, const lang::Kernel& kernel, Shown& shown, text::Diagnostics& diagnostics) {
  if (!analysed(state, kernel, shown, diagnostics)) return false;
  ReplayedPlacement placement = replayed_placement(kernel.name, shown.analysis, order_of(kernel, *shown.analysis),
                                                   place::wanted_in_place(kernel.schedule));
  shown.text = text_of(placement);
  shown.events = std::move(placement.events);
  shown.certificate = std::move(placement.certificate);
  shown.nest = std::move(placement.nest);
  return true;
}

std::string certified_text(const lang::Schedule::Supernodes& supernodes,
                           const std::optional<place::Certificate>& certificate) {
  std::string out = lang::to_string(supernodes);
  const std::string tiles = " and all tiles";  // which are those of a partition here
  if (certificate)
    out += "   # certified " + certificate->sizes.substr(0, certificate->sizes.find(tiles)) +
           " and all partitions: " + counted(certificate->dependences, "dependence", "dependences") + " respected, " +
           counted(certificate->instances, "fragment runs", "fragments run") +
           " once; reassociated: " + supernodes.tensor;
  return out;
}

// Each step with what was proven of it.
bool show_schedule(State& state, const lang::Kernel& kernel, Shown& shown, text::Diagnostics& diagnostics) {
  if (!kernel.loops && !analysed(state, kernel, shown, diagnostics)) return false;
  const lang::Order order = kernel.loops ? lang::Order{} : order_of(kernel, *shown.analysis);
  const std::string chosen = kernel.schedule.order ? "" : "   # chosen by the compiler";
  std::string out = kernel.loops ? "" : "order " + lang::to_string(order) + chosen + "\n";
  if (!kernel.schedule.planned) out += "plan off\n";
  for (const lang::Schedule::Wavefront& front : kernel.schedule.wavefronts) out += lang::to_string(front) + "\n";
  const auto& supernodes = kernel.schedule.supernodes;
  if (!kernel.schedule.steps.empty() || !supernodes.empty() || (kernel.loops && kernel.schedule.order)) {
    const auto compilation = state.compilation(kernel, diagnostics);
    if (!compilation) return false;
    const std::string sizes = lang::proven_sizes(compilation->program);
    for (const auto& one : supernodes) out += certified_text(one, compilation->by_supernodes) + "\n";
    for (const schedule::Applied& applied : compilation->steps) out += schedule::to_string(applied, sizes) + "\n";
    for (const std::string& sum : explore::reassociated_sums(*compilation)) out += "# " + sum + "\n";
  }
  for (const auto& distribution : kernel.schedule.distributions) out += lang::to_string(distribution) + "\n";
  for (const auto& pipeline : kernel.schedule.pipelines) out += lang::to_string(pipeline) + "\n";
  shown.text = plain(out.empty() ? "# the loops stand as they were written\n" : out);
  return true;
}

bool show_mask(State& state, const lang::Kernel& kernel, Shown& shown, text::Diagnostics& diagnostics) {
  shown.text = plain(mask_text(state, kernel, kernel.span, diagnostics));
  return !diagnostics.has_errors();
}

bool show_supernodes(State& state, const lang::Kernel& kernel, Shown& shown, text::Diagnostics& diagnostics) {
  const std::string out = supernodes_text(state, kernel, kernel.span, diagnostics);
  shown.text = plain(out.empty() ? "# kernel " + kernel.name + " has no supernodes\n" : out);
  return !diagnostics.has_errors();
}

/// A stage of what was compiled, by what fills it in.
template <auto fill>
bool show_compiled(State& state, const lang::Kernel& kernel, Shown& shown, text::Diagnostics& diagnostics) {
  const auto compilation = compiled(state, kernel, shown, diagnostics);
  if (compilation) fill(state, *compilation, shown);
  return compilation != nullptr;
}

void fill_loops(State& state, const Compilation& compilation, Shown& shown) {
  shown.text = loop::print(compilation.loops);
  shown.cost = cost_shares(state, compilation);
}

void fill_cost(State& state, const Compilation& compilation, Shown& shown) {
  fill_loops(state, compilation, shown);
  shown.text = cost_text(shown.text, shown.cost);
}

void fill_c(State&, const Compilation& compilation, Shown& shown) {
  shown.text = compilation.module.shown;
  shown.remarks = at_lines(find_notes(compilation), shown.text);
}

void fill_find(State& state, const Compilation& compilation, Shown& shown) {
  shown.text = plain(finds_of(state, compilation));
}

void fill_storage(State&, const Compilation& compilation, Shown& shown) {
  shown.text = plain(storage_plan(compilation));
}

void fill_memory(State& state, const Compilation& compilation, Shown& shown) {
  shown.text = plain(memory_of(state, compilation));
}

CommandResult show_lattices(State& state, Words& words, const std::string& stage) {
  auto asked = stage == "lattice"  ? lattices_of(state, words)
               : stage == "access" ? access_of(state, words)
                                   : algebra_of(state, words);
  if (!asked) return {};
  Shown shown{stage, asked->kernel, std::move(asked->text), {}, {}, {}};
  shown.compilation = std::move(asked->compilation);
  shown.lattices = std::move(asked->lattices);
  return {std::move(shown)};
}

// As it is compiled, after one pass, or what each of them changed. `cfir` is what it was called.
CommandResult show_flow(State& state, Words& words, const std::string&) {
  const bool each = words.accept("each"), after = !each && words.accept("after");
  const std::vector<flow::PassName>& passes = flow::pass_names();
  const auto pass = after ? words.name("a pass, such as `carry_positions`") : std::nullopt;
  if (after && !pass) return {};
  if (pass && std::ranges::find(passes, pass->text, &flow::PassName::name) == passes.end()) {
    std::vector<std::string> names;
    for (const flow::PassName& one : passes) names.push_back(one.name);
    const std::string near = text::did_you_mean(pass->text, names);
    words.diagnostics()
        .error("E0603", pass->span, "there is no pass `" + pass->text + "`", "")
        .notes.push_back({{}, near.empty() ? "`show flow each` lists them" : "did you mean `" + near + "`?"});
    return {};
  }
  const auto name = words.optional_name();
  if (!words.finish()) return {};
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  if (!kernel) return {};
  Shown shown{each ? "passes" : "flow", kernel->name, {}, {}, {}, {}};
  const auto compilation = compiled(state, *kernel, shown, words.diagnostics());
  if (!compilation) return {};
  if (!each && !after) {
    shown.text = flow::print(compilation->flow);
    shown.remarks = at_lines(find_notes(*compilation), shown.text);
    return {std::move(shown)};
  }
  if (each) shown.passes = passes_of(*compilation);
  shown.text = each ? plain(to_string(shown.passes)) : flow::print(*flow_after(*compilation, pass->text));
  return {std::move(shown)};
}

// The C compiler may be missing, or be ended.
CommandResult show_asm(State& state, Words& words, const std::string& stage) {
  const auto of = words.optional_name();
  if (!words.finish()) return {};
  const lang::Kernel* kernel = state.kernel(of, words.whole(), words.diagnostics());
  if (!kernel) return {};
  Shown shown{stage, kernel->name, {}, {}, {}, {}};
  const auto compilation = compiled(state, *kernel, shown, words.diagnostics());
  if (!compilation) return {};
  CommandResult result;
  auto text = assembly_text(state, *compilation, words.diagnostics(), result.exit);
  if (!text) return result;
  shown.text = std::move(*text);
  result.result = std::move(shown);
  return result;
}

/// `latency 2 bandwidth 10`: microseconds a message, gigabytes a second. False is reported.
bool network_words(Words& words, distribute::Network& network) {
  const auto positive = [&](const char* wanted, double unit, double& figure) {
    const auto number = words.number(wanted);
    if (number && *number > 0) figure = *number * unit;
    else if (number) words.diagnostics().error("E0601", words.whole(), std::string("there has to be ") + wanted);
    return number && *number > 0;
  };
  while (!words.at_end())
    if (words.accept("latency")) {
      if (!positive("a number of microseconds above 0", 1e-6, network.latency)) return false;
    } else if (words.accept("bandwidth")) {
      if (!positive("a number of gigabytes a second above 0", 1e9, network.bandwidth)) return false;
    } else {
      break;
    }
  return true;
}

// For all numbers of ranks; with a number also where cuts are, and bytes.
CommandResult show_ranks(State& state, Words& words, const std::string& stage) {
  bool sound = true;
  const bool as_c = words.accept("c");
  auto asked = ranks_word(words, sound);
  const auto* next = words.peek();
  const bool of_network = next && (next->text == "latency" || next->text == "bandwidth");
  const auto of = sound && !of_network ? words.optional_name() : std::nullopt;
  if (sound && !asked) asked = ranks_word(words, sound);
  RanksWanted wanted{asked.value_or(std::vector<std::int64_t>{}), network_of(state)};
  if (!sound || !network_words(words, wanted.network) || !words.finish()) return {};
  const lang::Kernel* kernel = state.kernel(of, words.whole(), words.diagnostics());
  if (!kernel) return {};
  Shown shown{stage, kernel->name, {}, {}, {}, {}};
  const auto compilation = compiled(state, *kernel, shown, words.diagnostics());
  if (!compilation) return {};
  if (as_c) shown.text = plain(c_of_rank(*compilation, words.diagnostics()));
  else
    shown.text =
        plain(ranks_text(state, compilation, std::move(wanted), words.whole(), words.diagnostics(), shown.ranks));
  if (words.diagnostics().has_errors()) return {};
  return {std::move(shown)};
}

// Of tensors there is something to say before there is a kernel.
CommandResult show_formats(State& state, Words& words, const std::string&) {
  const auto name = words.optional_name();
  if (!words.finish()) return {};
  if (const std::string layout = name ? layout_text(state, name->text) : ""; !layout.empty())
    return {FormatsShown{{}, {}, layout}};
  const lang::Program* program = state.program(words.diagnostics());
  if (!program) return {};
  if (const lang::TensorInfo* tensor = name && !program->kernel(name->text) ? program->tensor(name->text) : nullptr) {
    FormatsShown shown = stored_format_of(state, lang::TensorInfo(*tensor), words.whole(), words.diagnostics());
    if (words.diagnostics().has_errors()) return {};
    return {std::move(shown)};
  }
  if (name && !program->kernel(name->text)) {
    std::vector<std::string> known;
    for (const lang::TensorInfo& tensor : program->tensors) known.push_back(tensor.name);
    for (const lang::Kernel& kernel : program->kernels) known.push_back(kernel.name);
    text::Diagnostic& d =
        words.diagnostics().error("E0615", name->span, "there is no tensor, layout or kernel `" + name->text + "`", "");
    const std::string near = text::did_you_mean(name->text, known);
    d.notes.push_back({{}, near.empty() ? "`show formats` shows all tensors" : "did you mean `" + near + "`?"});
    return {};
  }
  const lang::Kernel* kernel = name ? state.kernel(name, words.whole(), words.diagnostics()) : nullptr;
  if (name && !kernel) return {};
  FormatsShown shown = stored_formats(state, kernel, words.whole(), words.diagnostics());
  if (words.diagnostics().has_errors()) return {};
  return {std::move(shown)};
}

CommandResult show_pair(State& state, Words& words, const std::string&) { return show_instance(state, words); }

/// What can be shown, in the order of the pipeline: by the words that follow, or, as a kernel's name may follow, of
/// that.
struct StageShown {
  const char* name;
  bool (*of_kernel)(State&, const lang::Kernel&, Shown&, text::Diagnostics&);
  CommandResult (*by_words)(State&, Words&, const std::string& stage) = nullptr;
};
const StageShown stages[] = {{"equations", show_equations},
                             {"fragments", show_fragments},
                             {"graph", show_graph},
                             {"placement", show_placement},
                             {"loops", show_compiled<fill_loops>},
                             {"access", nullptr, show_lattices},
                             {"algebra", nullptr, show_lattices},
                             {"lattice", nullptr, show_lattices},
                             {"flow", nullptr, show_flow},
                             {"c", show_compiled<fill_c>},
                             {"asm", nullptr, show_asm},
                             {"cost", show_compiled<fill_cost>},
                             {"formats", nullptr, show_formats},
                             {"schedule", show_schedule},
                             {"mask", show_mask},
                             {"supernodes", show_supernodes},
                             {"storage", show_compiled<fill_storage>},
                             {"ranks", nullptr, show_ranks},
                             {"memory", show_compiled<fill_memory>},
                             {"find", show_compiled<fill_find>},
                             {"instance", nullptr, show_pair}};

std::string list_of_stages() {
  std::string list;
  for (const StageShown& stage : stages) list += std::string(" ") + stage.name;
  return list;
}

}  // namespace

const std::vector<std::string>& stage_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const StageShown& stage : stages) all.emplace_back(stage.name);
    return all;
  }();
  return names;
}

CommandResult show(State& state, Words& words) {
  const auto asked = words.name(("a stage:" + list_of_stages()).c_str());
  if (!asked) return {};
  const std::string name = asked->text == "cfir" ? "flow" : asked->text;  // what it once was called
  const auto stage = std::ranges::find_if(stages, [&](const StageShown& one) { return one.name == name; });
  if (stage == std::end(stages)) {
    text::Diagnostic& d = words.diagnostics().error("E0603", asked->span, "there is no stage `" + name + "`", "");
    const std::string near = text::did_you_mean(name, stage_names());
    d.notes.push_back({{}, near.empty() ? "the stages are:" + list_of_stages() : "did you mean `" + near + "`?"});
    return {};
  }
  if (stage->by_words) return stage->by_words(state, words, name);
  const auto of = words.optional_name();
  if (!words.finish()) return {};
  const lang::Kernel* kernel = state.kernel(of, words.whole(), words.diagnostics());
  if (!kernel) return {};
  Shown shown{name, kernel->name, {}, {}, {}, {}};
  if (!stage->of_kernel(state, *kernel, shown, words.diagnostics())) return {};
  return {std::move(shown)};
}

}  // namespace trellis::session
