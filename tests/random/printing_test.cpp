// What is printed reads back as the same thing: programs, resolved equations, and loop nests.
#include <doctest/doctest.h>

#include "engine/compile.hpp"
#include "engine/loop/print.hpp"
#include "tests/random/generate.hpp"
#include "tests/random/program_case.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

std::optional<lang::syntax::File> parsed(const std::string& source) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  auto file = lang::parse(sources, sources.add("printed.tr", source), diagnostics);
  for (const text::Diagnostic& d : diagnostics.all()) MESSAGE(render(d, sources, text::Colour::off));
  if (diagnostics.has_errors()) return std::nullopt;
  return file;
}

std::string declarations(const lang::syntax::File& file) {
  lang::syntax::File only;
  for (const lang::syntax::Statement& statement : file.statements) {
    if (statement.as<lang::syntax::TensorDecl>()) only.statements.push_back(statement);
  }
  return lang::print(only).characters;
}

void check_program(const Case& program) {
  const std::string printed = lang::print(program.file).characters;
  INFO("printed:\n", printed);
  auto again = parsed(printed);
  REQUIRE(again);
  CHECK(*again == program.file);
}

void check_equations(const Case& program) {
  const std::string printed = lang::print_equations(program.program, program.kernel()).characters;
  INFO("printed:\n", printed);
  std::string complaint;
  auto again = read_case(declarations(program.file) + printed, &complaint);
  INFO(complaint);
  REQUIRE(again);
  CHECK(lang::print_equations(again->program, again->kernel()).characters == printed);
  REQUIRE(again->kernel().equations.size() == program.kernel().equations.size());
  for (std::size_t e = 0; e < program.kernel().equations.size(); ++e) {
    CHECK(again->kernel().equations[e].left == program.kernel().equations[e].left);
    CHECK(again->kernel().equations[e].right == program.kernel().equations[e].right);
  }
}

void check_loops(const std::string& printed) {
  INFO("printed:\n", printed);
  auto first = parsed("loops {\n" + printed + "}\n");
  REQUIRE(first);
  auto second = parsed(lang::print(*first).characters);
  REQUIRE(second);
  CHECK(*first == *second);
}

TEST_CASE("random programs: programs, equations and loops print as what they are") {
  const int wanted = randomised::wanted(200);
  std::uint64_t seed = first_seed(30000);
  int loops = 0;
  for (int number = 0; number < wanted; ++number) {
    Dice dice(seed++);
    auto program = read_case(to_string(generate(dice)));
    if (!program) continue;
    INFO("seed ", seed - 1, "\n", program->source);
    check_program(*program);
    check_equations(*program);
    text::Diagnostics diagnostics;
    Compilation compilation = compile(program->program, program->kernel(), diagnostics);
    if (!compilation.placed || diagnostics.has_errors()) continue;
    check_loops(loop::print(compilation.placed->nest).characters);
    check_loops(loop::print(compilation.loops).characters);
    ++loops;
  }
  CHECK(loops * 5 > wanted);
}

}  // namespace
}  // namespace trellis::randomised
