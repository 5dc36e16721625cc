#include "tests/random/program_case.hpp"

#include <algorithm>

namespace trellis::randomised {

std::optional<Case> read_case(const std::string& source, std::string* complaint) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  int number = sources.add("random.tr", source);
  Case result{source, lang::parse(sources, number, diagnostics), {}};
  std::optional<lang::Program> program;
  if (!diagnostics.has_errors()) program = lang::resolve(result.file, diagnostics);
  if (!program || program->kernels.empty()) {
    if (!complaint) return std::nullopt;
    for (const text::Diagnostic& d : diagnostics.all()) {
      if (d.severity == text::Severity::error) *complaint += render(d, sources, text::Colour::off);
    }
    return std::nullopt;
  }
  result.program = std::move(*program);
  // Tests put something into every dense tensor before they run.
  for (lang::Kernel& kernel : result.program.kernels)
    for (const lang::TensorInfo& tensor : result.program.tensors)
      if (tensor.format.all_dense()) kernel.inherited.insert(tensor.name);
  return result;
}

std::vector<Sizes> sizes_between(const lang::Program& program, int low, int high) {
  std::vector<Sizes> result;
  for (int n = low; n <= high; ++n) {
    Sizes sizes;
    for (const lang::ParameterInfo& parameter : program.parameters)
      sizes[parameter.name] = parameter.name == "m" ? n + 1 : n;
    result.push_back(std::move(sizes));
  }
  return result;
}

std::vector<lang::Order> all_orders(std::vector<std::string> names, Directions directions) {
  std::vector<lang::Order> result;
  std::sort(names.begin(), names.end());
  const unsigned choices = directions == Directions::both ? 1u << names.size() : 1u;
  do {
    for (unsigned down = 0; down < choices; ++down) {
      lang::Order order;
      for (std::size_t k = 0; k < names.size(); ++k) order.push_back({names[k], (down >> k & 1) != 0});
      result.push_back(std::move(order));
    }
  } while (std::next_permutation(names.begin(), names.end()));
  return result;
}

std::string to_string(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes) text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  return text;
}

}  // namespace trellis::randomised
