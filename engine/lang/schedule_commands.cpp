#include "engine/lang/schedule_commands.hpp"

#include <algorithm>

namespace trellis::lang {
namespace {

using Kind = ScheduleStep::Kind;
constexpr std::size_t any_number = 64;

constexpr ScheduleCommand commands[] = {
    {"order", "order i j k-|auto",
     "sets the loop order, outermost first; `j/96` goes over tiles, `k-` runs k downwards; `auto` takes it back"},
    {"split",
     "split i into io ii 32",
     "makes two loops of one: blocks of 32, and the iterations of a block",
     {{Kind::split, 1, 1, 1, "split i into io ii 32"}}},
    {"tile",
     "tile i j 32 32",
     "walks a nest block by block: loops i_o j_o i_i j_i",
     {{Kind::tile, 2, any_number, 0, "tile i j 32 32"}}},
    {"skew",
     "skew i j [1]",
     "counts j + i in the loop over j, so that `reorder j i` walks wavefronts",
     {{Kind::skew, 2, 2, 1, "skew i j 1"}}},
    {"reorder",
     "reorder j i",
     "makes loops take each other's places",
     {{Kind::reorder, 2, any_number, 0, "reorder j i"}}},
    {"unroll", "unroll i 4", "writes a loop's body several times", {{Kind::unroll, 1, 1, 1, "unroll i 4"}}},
    {"jam",
     "jam i 4",
     "runs several iterations at once, in the loops inside, if no dependence forbids it",
     {{Kind::jam, 1, 1, 1, "jam i 4"}}},
    {"registers",
     "registers i j",
     "keeps the tile that two loops go over in registers while a loop around adds to it",
     {{Kind::registers, 2, 2, 0, "registers i j"}}},
    {"pack",
     "pack A",
     "keeps a tensor in strips as wide as the tiles in registers while the kernel runs",
     {{Kind::pack, 0, 0, 0, "pack A"}}},
    {"fused", "fused", "adds products to sums without rounding them first", {{Kind::fused, 0, 0, 0, "fused"}}},
    {"vectorize",
     "vectorize j [8]",
     "runs a loop in vectors, if it carries no dependence; sums in so many parts",
     {{Kind::vectorize, 1, 1, 1, "vectorize j 8"}}},
    {"parallel",
     "parallel i|A",
     "runs a loop on all threads, if it carries no dependence, or one that its iterations can wait for; of an operand "
     "it deals out the entries evenly",
     {{Kind::parallel, 1, any_number, 0, "parallel i"}}},
    {"distribute", "distribute i over p [by A] [by parts A] [cyclic 8]",
     "runs a loop's iterations on the ranks where what they write lives; by an operand's rows and entries evenly, by "
     "parts of its graph between which little is sent, or in blocks that they take in turn"},
    {"pipeline", "pipeline j 256",
     "lets ranks hand on what they have computed of a loop inside the one that is dealt out, behind every block of it"},
    {"narrow",
     "narrow H E i16",
     "keeps and computes the steps of tensors in 16 bits wherever they are known to fit",
     {{Kind::narrow, 0, 0, 0, "narrow H i16"}}},
    {"wavefront", "wavefront t j [1]", "counts steps along fronts: step t of element j is step t + j"},
    {"inplace", "inplace D", "keeps all timesteps of a tensor in one buffer, or says what would be lost"},
    {"format", "format A csr|auto",
     "says how a tensor is stored, and lays what is in it out anew; `auto` is as it was declared"},
    {"mask", "mask L M|auto [values]", "computes a result only where another tensor stores something, or !M: nothing"},
    {"supernodes", "supernodes [S of] L [relax 48]",
     "makes panels of columns with like rows; with zeros where that makes panels of up to 48"},
    {"lead", "lead A", "loops over what an operand stores, in its order", {{Kind::lead, 0, 0, 0, "lead A"}}},
    {"find", "find B merge|scan|gallop|binary|table|hash|auto",
     "how an operand's entries are come by beside another's"},
    {"march", "march L i", "looks a tensor up by pointers that rise with the outermost loop"},
    {"workspace", "workspace w for L(i,:) bytemap|hash|sort|dense",
     "collects parts of a result before they are stored, or copies an operand"},
};

}  // namespace

std::span<const ScheduleCommand> schedule_commands() { return commands; }

const ScheduleCommand* schedule_command(std::string_view name) {
  const auto at = std::ranges::find(commands, name, &ScheduleCommand::name);
  return at == std::end(commands) ? nullptr : at;
}

const ScheduleCommand* schedule_command(const syntax::Command& command) {
  static constexpr ScheduleCommand plan = {"plan", "plan off|on",
                                           "runs a kernel as it is written, whatever that takes"};
  if (command.name.text != plan.name) return schedule_command(command.name.text);
  const bool says = command.words.size() == 1 && (command.words[0].text == "off" || command.words[0].text == "on");
  return says ? &plan : nullptr;
}

const ScheduleCommand& command_of(ScheduleStep::Kind kind) {
  return *std::ranges::find_if(commands, [&](const ScheduleCommand& c) { return c.step && c.step->kind == kind; });
}

}  // namespace trellis::lang
