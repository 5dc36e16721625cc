// Objects of a call as operands.
#include "repl/python/hooks.hpp"
#include "repl/python/program.hpp"
#include "repl/python/trusted.hpp"
#include "repl/python/view.hpp"

namespace trellis::python {
namespace {

namespace py = pybind11;

enum class Copy { as_it_is, sorted };

/// In place of an object a copy that can be lent; Python's code makes it, and says how large it is.
void take_copy(std::size_t p, const std::string& name, Copy copy, Lent& lent) {
  const py::handle object(lent.objects[p]);
  const py::tuple made = hooks().lend(object, name, copy == Copy::sorted);
  lent.owners[p] = Ref::borrowed(py::object(made[0]).ptr());
  if (!py::object(made[1]).is_none()) lent.copies.append(made[1]);
  lent.operands[p] = Operand();
  const Viewed again = view(lent.owners[p].get(), lent.operands[p]);
  if (again == Viewed::failed) throw py::error_already_set();
  if (again == Viewed::copy)
    throw py::type_error("argument " + name + ": " + std::string(py::str(py::type::of(object))) +
                         " has no such arrays");
}

void view_one(std::size_t p, const std::string& name, bool check, Lent& lent) {
  switch (view(lent.objects[p], lent.operands[p])) {
    case Viewed::taken: break;
    case Viewed::copy: take_copy(p, name, Copy::as_it_is, lent); break;
    case Viewed::failed: throw py::error_already_set();
  }
  tensor::Trust found = trust(lent.operands[p], check);
  if (found == tensor::Trust::unordered) {
    take_copy(p, name, Copy::sorted, lent);
    found = trust(lent.operands[p], check);
  }
  if (found == tensor::Trust::broken)
    throw refusal("E0701", "argument " + name + ": its index arrays make up no " + kind_text(lent.operands[p]) +
                               ": a position or a coordinate is out of range");
}

}  // namespace

Lent lend(const Template& program, std::span<PyObject* const> arguments, bool check) {
  const std::vector<Parameter>& parameters = program.parameters();
  Lent lent;
  lent.operands.resize(parameters.size());
  lent.given.resize(parameters.size());
  lent.owners.resize(parameters.size());
  lent.objects.assign(arguments.begin(), arguments.end());
  lent.objects.resize(parameters.size());
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (!lent.objects[p]) continue;
    lent.owners[p] = Ref::borrowed(lent.objects[p]);
    view_one(p, parameters[p].name, check, lent);
    lent.given[p] = &lent.operands[p];
  }
  return lent;
}

}  // namespace trellis::python
