// Programs with numbers for sizes, so that a C compiler writes loops inside out: what it then runs in vectors still
// comes to the same.
#include <doctest/doctest.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "tests/random/candidates.hpp"
#include "tests/random/generate_steps.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::randomised {
namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// With the number for the name, wherever that stands alone.
void put(std::string& text, const std::string& name, const std::string& number) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const bool begins = at == 0 || !is_letter(text[at - 1]);
    if (begins && !is_letter(at + name.size() < text.size() ? text[at + name.size()] : ' '))
      text.replace(at, name.size(), number);
  }
}

void put(Tree& tree, const std::string& name, const std::string& number) {
  for (std::string* part : {&tree.open, &tree.separator, &tree.close}) put(*part, name, number);
  for (Tree& child : tree.children) put(child, name, number);
}

Draft with_numbers(Draft draft, Dice& dice) {
  for (const std::string name : {"n", "m"}) {
    const std::string number = std::to_string(2 + dice.below(5));
    for (std::string& line : draft.declarations) put(line, name, number);
    for (DraftEquation& equation : draft.equations) {
      put(equation.left, name, number);
      put(equation.right, name, number);
      for (std::string& constraint : equation.constraints) put(constraint, name, number);
    }
    for (std::string& command : draft.schedule) put(command, name, number);
  }
  return draft;
}

TEST_CASE("random timesteps of numbers for sizes: native and reference agree") {
  agree_natively(first_seed(61000), wanted(40), [](Dice& dice) { return with_numbers(generate_steps(dice), dice); });
}

TEST_CASE("random programs of numbers for sizes: native and reference agree") {
  agree_natively(first_seed(21000), wanted(40), [](Dice& dice) { return with_numbers(generate(dice), dice); });
}

TEST_CASE("iterations that read what the one before has stored run one after the other") {
  const auto agrees = [](const std::string& program) {
    const auto said = testing::Transcript().run(program + "\nrun native\ncheck");
    CHECK_MESSAGE(said.ok(), said.output);
  };
  agrees("tensor C(6, 2)\nrandom C seed 1\nC[t](i,j) = C[t-1](i-1,j) : 1 <= i, t < 2\norder i j t");
  for (const std::string size : {"2", "3", "4"})
    agrees("param n = 20\ntensor x(n, " + size + ")\ntensor u(n, " + size + ")\ntensor v(n, " + size +
           ")\nrandom x seed 1\nu(i,j) = x(i,j)\nv(i,j) = u(i-1,j) : 1 <= i\norder i j");
}

}  // namespace
}  // namespace trellis::randomised
