#pragma once
// The machine code of a kernel, as text, and the line of C that each instruction was made of. The native back end's
// compiler makes it of the same source with the same flags, and a table of lines besides, which changes no instruction;
// what is run and kept needs no such table. Binutils' objdump, or what the environment variable OBJDUMP names, reads
// it.
//
//   vector_sum:
//           test   edi,edi                line 6
//           jle    .2                     line 6
//   .1:     vmovsd xmm0,…                 line 7

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/run/kernel.hpp"
#include "engine/text/text.hpp"

namespace trellis::run {

struct Instruction {
  std::string label;  ///< where others jump to: ".1", counted in each function; else ""
  std::string words;  ///< "jle    .2"
  int line = 0;       ///< of Module::source, from 1; of what was inlined that of the call; 0: the compiler names none
};

struct MachineFunction {
  std::string name;  ///< as in the source, with what the compiler appends: "y", "y._omp_fn.0"
  std::vector<Instruction> instructions;
};

/// Functions of the module's source that are left after inlining, in the order of the object. The error says what to
/// install where there is no compiler or no objdump.
std::variant<std::vector<MachineFunction>, CompileError> assembly_of(const emit::Module& module, const Limits& limits);

/// Reads what `objdump -d -l --inlines` prints of functions whose names bear the key, and takes `lines_before` from
/// the numbers of its lines.
std::vector<MachineFunction> read_listing(std::string_view listing, const std::string& key, int lines_before);

/// Whether each line of C stands as `# x[i] = 0.0;` above what was made of it; a line comes as often as the compiler
/// came back to it.
enum class LinesOfC { apart, above };

/// As text whose lines belong to the nodes of C, stage c, that their instructions were made of, as far as `show c`
/// shows them: the whole statement innermost.
text::Text annotated(const std::vector<MachineFunction>& functions, const emit::Module& module, LinesOfC lines);

}  // namespace trellis::run
