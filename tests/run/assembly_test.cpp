// Machine code as text: what objdump prints is read, instructions know their lines of C, and the table of lines changes
// none of them.
#include "engine/run/assembly.hpp"

#include <algorithm>

#include "engine/run/backends.hpp"
#include "modules.hpp"
#include "tests/environment.hpp"

namespace trellis::run::testing {
namespace {

const std::string listing =
    "\nlines.so:     file format elf64-x86-64\n\n\nDisassembly of section .text:\n\n"
    "0000000000001100 <deregister_tm_clones>:\n"
    "    1100:\tret\n\n"
    "0000000000001110 <f_KEY>:\n"
    "f_KEY():\n"
    "a:b/kernels.c:6\n"
    "    1110:\ttest   edi,edi\n"
    "    1112:\tjle    1124 <f_KEY+0x14>\n"
    "g_KEY():\n"
    "a:b/kernels.c:3 (discriminator 2)\n"
    "inlined by a:b/kernels.c:7 (f_KEY)\n"
    "    1114:\tvmovsd xmm0,QWORD PTR [rip+0xee4]        # 2000 <_fini+0x8>\n"
    "f_KEY():\n"
    "a:b/kernels.c:8\n"
    "    111c:\tcall   1200 <h_KEY>\n"
    "    1120:\tjne    1114 <f_KEY+0x4>\n"
    "    1124:\tret\n"
    "    1125:\tnop    DWORD PTR [rax]\n";

// The body of the loop is line 8 of the source, the sum in it is inlined.
emit::Module summing() {
  emit::Module made = module("sums", {size("n"), output("x")},
                             "static double twice(double a) {\n"
                             "  return a + a;\n"
                             "}\n"
                             "__attribute__((__noinline__)) int run_sums(void *const *a) {\n"
                             "  long long n = *(long long *)a[0];\n"
                             "  double *x = a[1];\n"
                             "  for (long long i = 1; i < n; i++) {\n"
                             "    x[i] = twice(x[i - 1]) / x[i];\n"
                             "  }\n"
                             "  return 0;\n"
                             "}\n");
  const std::string shown =
      "int run_sums(void *const *a) {\n"
      "  long long n = *(long long *)a[0];\n"
      "  double *x = a[1];\n"
      "  for (long long i = 1; i < n; i++) {\n"
      "    x[i] = twice(x[i - 1]) / x[i];\n"
      "  }\n"
      "  return 0;\n"
      "}\n";
  const auto span = [&](std::string_view begin, std::string_view end, int id, text::Origin origin = {}) {
    const std::size_t at = shown.find(begin);
    made.shown.spans.push_back({static_cast<std::uint32_t>(at),
                                static_cast<std::uint32_t>(shown.find(end, at) + end.size()),
                                {text::Stage::c, id},
                                std::move(origin)});
  };
  made.shown.characters = shown;
  span("for", "}\n", 0);
  span("x[i] =", ";", 1, {{text::Stage::flow, 5}});
  span("twice", ")", 2);
  return made;
}

std::vector<MachineFunction> functions_of(const emit::Module& made) {
  auto result = assembly_of(made, Limits{});
  if (const auto* error = std::get_if<CompileError>(&result)) FAIL(error->message);
  return std::get<std::vector<MachineFunction>>(std::move(result));
}

TEST_CASE("assembly: functions of the key are read, jumps have labels, what is inlined has the line of its call") {
  const auto functions = read_listing(listing, "KEY", 2);
  REQUIRE(functions.size() == 1);
  CHECK(functions[0].name == "f");
  const auto& all = functions[0].instructions;
  REQUIRE(all.size() == 6);
  CHECK(all[0].words == "test   edi,edi");
  CHECK(all[0].line == 4);
  CHECK(all[1].words == "jle    .2");
  CHECK(all[2].label == ".1");
  CHECK(all[2].words == "vmovsd xmm0,QWORD PTR [rip+0xee4]");
  CHECK(all[2].line == 5);
  CHECK(all[3].words == "call   <h>");
  CHECK(all[4].words == "jne    .1");
  CHECK(all[5].label == ".2");
  CHECK(all[5].line == 6);
}

TEST_CASE("assembly: instructions of a kernel know the lines of their C") {
  const emit::Module made = summing();
  const auto functions = functions_of(made);
  const auto entry = std::ranges::find(functions, "run_sums", &MachineFunction::name);
  REQUIRE(entry != functions.end());
  // One division stands in the source, on line 8.
  const auto divides = [](const Instruction& one) { return one.words.find("div") != std::string::npos; };
  const auto division = std::ranges::find_if(entry->instructions, divides);
  REQUIRE(division != entry->instructions.end());
  CHECK(division->line == 8);
  CHECK(std::ranges::any_of(entry->instructions, [](const Instruction& one) { return one.line == 7; }));

  const text::Text shown = annotated(functions, made, LinesOfC::apart);
  const std::size_t at = shown.characters.find(division->words);
  const auto nodes = text::NodeId{text::Stage::c, 1};
  const auto span = std::ranges::find_if(
      shown.spans, [&](const text::TextSpan& one) { return one.begin <= at && at < one.end && one.node == nodes; });
  REQUIRE(span != shown.spans.end());
  CHECK(span->origin == text::Origin{{text::Stage::flow, 5}});
  // The head of the loop is the loop's, and its body is not.
  CHECK(std::ranges::none_of(shown.spans, [&](const text::TextSpan& one) {
    return one.begin <= at && at < one.end && one.node == text::NodeId{text::Stage::c, 0};
  }));
  CHECK(std::ranges::any_of(shown.spans, [](const text::TextSpan& one) { return one.node.id == 0; }));
}

TEST_CASE("assembly: lines of C stand above what was made of them, once until another line's instructions follow") {
  const emit::Module made = summing();
  const std::vector<MachineFunction> functions = {{"run_sums",
                                                   {{"", "xor    eax,eax", 7},
                                                    {".1", "divsd  xmm0,xmm1", 8},
                                                    {"", "movsd  [rdx],xmm0", 8},
                                                    {"", "nop", 0},
                                                    {"", "jne    .1", 7},
                                                    {"", "ret", 0}}}};
  CHECK(annotated(functions, made, LinesOfC::above).characters ==
        "run_sums:\n"
        "#   for (long long i = 1; i < n; i++) {\n"
        "        xor    eax,eax\n"
        "#     x[i] = twice(x[i - 1]) / x[i];\n"
        ".1:     divsd  xmm0,xmm1\n"
        "        movsd  [rdx],xmm0\n"
        "        nop\n"
        "#   for (long long i = 1; i < n; i++) {\n"
        "        jne    .1\n"
        "        ret\n");
  // A line above belongs to the same node as its instructions.
  const text::Text shown = annotated(functions, made, LinesOfC::above);
  const std::size_t at = shown.characters.find("#     x[i]");
  CHECK(std::ranges::any_of(shown.spans, [&](const text::TextSpan& one) {
    return one.begin == at && one.node == text::NodeId{text::Stage::c, 1};
  }));
}

TEST_CASE("assembly: who has no objdump hears what to install") {
  const trellis::testing::Environment variable("OBJDUMP", "no-such-objdump");
  const auto result = assembly_of(summing(), Limits{});
  REQUIRE(std::holds_alternative<CompileError>(result));
  const std::string& words = std::get<CompileError>(result).message;
  CHECK(words.find("`no-such-objdump` could not be started") != std::string::npos);
  CHECK(words.find("install binutils") != std::string::npos);
}

}  // namespace
}  // namespace trellis::run::testing
