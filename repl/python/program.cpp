#include "repl/python/program.hpp"

#include <algorithm>

#include "repl/python/hooks.hpp"

namespace trellis::python {
namespace {

namespace py = pybind11;

constexpr std::size_t most_compiled = 32;
constexpr int calls_until_native = 3;
constexpr double ms_until_native = 1;

bool holds_for(const Compiled& compiled, const Lent& lent) {
  for (std::size_t p = 0; p < lent.given.size(); ++p) {
    const Operand* const one = lent.given[p];
    if (compiled.key[p] != (one ? structure_of(*one) : Structure{})) return false;
    if (compiled.shapes.empty() || !one) continue;
    if (!std::equal(compiled.shapes[p].begin(), compiled.shapes[p].end(), one->shape.begin(),
                    one->shape.begin() + one->rank))
      return false;
  }
  return true;
}

std::string text_of(const lang::Overrides& overrides) {
  std::string text;
  for (const auto& [name, value] : overrides) text += name + "=" + format::to_string(value) + " ";
  return text;
}

void require_all(const Template& program, std::span<PyObject* const> arguments) {
  const std::vector<Parameter>& parameters = program.parameters();
  std::string missing, all;
  std::size_t required = 0;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (!parameters[p].required) continue;
    ++required;
    all += (all.empty() ? "" : ", ") + parameters[p].name;
    if (p >= arguments.size() || !arguments[p]) missing += (missing.empty() ? "" : ", ") + parameters[p].name;
  }
  if (arguments.size() > parameters.size())
    throw py::type_error("the program takes " + std::to_string(required) + " operands (" + all + "), not " +
                         std::to_string(arguments.size()));
  if (!missing.empty()) throw py::type_error("operand " + missing + " is missing; the program takes " + all);
}

}  // namespace

std::shared_ptr<Compiled> Program::compiled_for(const Lent& lent, const lang::Overrides& overrides) {
  const std::string own = overrides.empty() ? std::string() : text_of(overrides);
  for (auto one = compiled_.begin(); one != compiled_.end(); ++one)
    if (one->first == own && holds_for(*one->second, lent)) {
      if (one != compiled_.begin()) std::rotate(compiled_.begin(), one, one + 1);
      return compiled_.front().second;
    }
  std::vector<PyObject*> owners;
  for (const Ref& owner : lent.owners) owners.push_back(owner.get());
  std::shared_ptr<Compiled> made;
  {
    const WithoutGil others_run;
    made = compile(template_, lent.given, owners, overrides);
  }
  compiled_.insert(compiled_.begin(), {own, made});
  if (compiled_.size() > most_compiled) compiled_.pop_back();
  return made;
}

std::shared_ptr<Compiled> Program::specialised(std::span<PyObject* const> arguments) {
  return compiled_for(lend(template_, arguments, false), {});
}

std::shared_ptr<Compiled> Program::last() { return compiled_.empty() ? specialised({}) : compiled_.front().second; }

void Program::note_copies(const Lent& lent) {
  copies_ = lent.copies;
  for (const py::handle copy : copies_) hooks().warn("W0701", copy);
}

PyObject* Program::call(std::span<PyObject* const> arguments, const RunOptions& options) {
  require_all(template_, arguments);
  Lent lent = lend(template_, arguments, options.check);
  const std::shared_ptr<Compiled> compiled = compiled_for(lent, options.integers);
  if (++compiled->calls == calls_until_native || compiled->estimated_ms > ms_until_native) {
    compiled->worth_native = true;
    for (Compiled::Step& step : compiled->steps) step.code->improve();
  }
  const bool direct = compiled->direct && !options.isolate;
  Ref results(direct ? run_here(*compiled, template_, lent, options)
                     : run_in_session(*compiled, template_, lent, options));
  if (lent.copies.size() > 0 || copies_.size() > 0) note_copies(lent);
  return results.release();
}

}  // namespace trellis::python
