// What a Program answers: its C, its orders, why an order is illegal, its report.
#include <pybind11/stl.h>

#include "engine/lang/parse.hpp"
#include "engine/session/reply/reply.hpp"
#include "engine/session/report/report.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/kernel_orders.hpp"
#include "repl/python/ask.hpp"
#include "repl/python/formats.hpp"

namespace trellis::python {
namespace {

namespace py = pybind11;

/// The session of a specialisation with operands in it, until this goes; without the GIL.
class Holding {
 public:
  Holding(Compiled& compiled, const Template& program, const Lent& lent)
      : hold_(compiled.mutex), state_(compiled.session->state()), sizes_(state_.data.sizes()) {
    for (std::size_t p = 0; p < lent.given.size(); ++p) {
      if (!lent.given[p]) continue;
      auto tensor = to_tensor(*lent.given[p], format_named(format_text(*lent.given[p]), lent.given[p]->rank),
                              lent.owners[p].get());
      if (tensor) state_.data.put(program.parameters()[p].name, std::move(*tensor));
    }
  }
  ~Holding() {
    const auto all = state_.data.tensors();
    for (const auto& [name, value] : *all) state_.data.drop(name);
    state_.data.restore(sizes_);
  }
  session::State& state() { return state_; }

 private:
  std::lock_guard<std::mutex> hold_;
  session::State& state_;
  session::Data::Sizes sizes_;
};

std::string in_words(const place::Certificate& certificate) {
  const auto counted = [](int count, const std::string& what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  return counted(certificate.dependences, "dependence") + " respected, " + counted(certificate.instances, "fragment") +
         " with every instance run once, " + certificate.sizes;
}

const lang::Kernel& kernel_named(session::State& state, const std::string& name) {
  text::Diagnostics said;
  const lang::Program* program = state.program(said);
  const lang::Kernel* kernel = nullptr;
  if (program && name.empty() && !program->kernels.empty())
    kernel = program->kernel("main") ? program->kernel("main") : &program->kernels.back();
  if (program && !name.empty()) kernel = program->kernel(name);
  if (!kernel) throw refusal("E0605", name.empty() ? "there is nothing to run" : "there is no kernel `" + name + "`");
  return *kernel;
}

py::list to_list(const std::vector<explore::Verdict>& verdicts) {
  py::list rows;
  for (const explore::Verdict& v : verdicts) {
    py::dict row;
    row["order"] = lang::to_string(v.order);
    row["legal"] = v.legal;
    row["reason"] = v.reason;
    row["cost"] = v.cost ? py::object(py::float_(*v.cost)) : py::object(py::none());
    row["distance"] = v.distance;
    rows.append(row);
  }
  return rows;
}

py::dict orders(Program& program, const py::list& objects, const std::string& name) {
  const std::vector<PyObject*> arguments = pointers(objects);
  const Lent lent = lend(program.definition(), arguments, false);
  const auto compiled = objects.empty() ? program.last() : program.specialised(arguments);
  explore::OrderTable table;
  std::string present, kernel_name;
  {
    const WithoutGil others_run;
    Holding holding(*compiled, program.definition(), lent);
    session::State& state = holding.state();
    const lang::Kernel kernel = kernel_named(state, name);
    text::Diagnostics said;
    const auto space = session::KernelOrders::of(state, kernel, said);
    if (!space) throw Refused{said, state.sources};
    table = explore::orders(space->judge(), space->present(), explore::Directions::ascending);
    session::estimate_orders(state, kernel, table.orders);
    session::sort_by_estimate(table.orders);
    present = lang::to_string(space->in_force());
    kernel_name = kernel.name;
  }
  py::dict answer;
  answer["kernel"] = kernel_name;
  answer["present"] = present;
  answer["total"] = table.total;
  answer["orders"] = to_list(table.orders);
  return answer;
}

py::dict why(Program& program, const std::string& text, const std::string& name) {
  const auto compiled = program.last();
  explore::Why found;
  std::string rendered, certificate;
  std::vector<std::string> fixes;
  {
    const WithoutGil others_run;
    const std::lock_guard hold(compiled->mutex);
    session::State& state = compiled->session->state();
    const lang::Kernel kernel = kernel_named(state, name);
    text::Diagnostics said;
    const auto space = session::KernelOrders::of(state, kernel, said);
    if (!space) throw Refused{said, state.sources};
    const auto order = text.empty() ? std::optional(space->present()) : lang::parse_order(text);
    if (!order || !session::has_loops(kernel, *order))
      throw refusal("E0608", "`" + text + "` is no order of kernel " + kernel.name);
    found = text.empty() ? space->why_present() : space->why(*order);
    if (!found.legal) {
      const text::Diagnostic d = space->to_diagnostic(found, {}, {});
      rendered = text::render(d, state.sources, text::Colour::off);
      for (const text::Fix& fix : d.fixes) fixes.push_back(fix.command);
    }
    const auto compilation = found.legal ? state.compilation(kernel, said) : nullptr;
    if (compilation && compilation->placed && compilation->placed->order == *order)
      certificate = in_words(compilation->placed->certificate);
  }
  py::dict answer;
  answer["order"] = lang::to_string(found.order);
  answer["legal"] = found.legal;
  answer["reason"] = found.reason;
  answer["instance"] = found.legal || found.instance.read.empty() ? "" : text::to_string(found.instance);
  answer["fixes"] = fixes;
  answer["reassociated"] = found.reassociated;
  answer["certificate"] = certificate;
  answer["text"] = rendered;
  return answer;
}

std::string c_of(Program& program, bool whole) {
  const auto compiled = program.last();
  std::string text;
  for (const Compiled::Step& step : compiled->steps) {
    const emit::Module& module = step.compilation->module;
    text += (text.empty() ? "" : "\n") + (whole ? module.source : module.shown.characters);
  }
  return text;
}

std::string report(Program& program, const py::list& objects) {
  const std::vector<PyObject*> arguments = pointers(objects);
  const Lent lent = lend(program.definition(), arguments, false);
  const auto compiled = objects.empty() ? program.last() : program.specialised(arguments);
  const WithoutGil others_run;
  Holding holding(*compiled, program.definition(), lent);
  session::State& state = holding.state();
  int source = 0;
  for (int k = 0; k < state.sources.size(); ++k)
    if (state.sources.name(k) == "program") source = k;
  return session::report(state, {}, source);
}

py::list kernels(Program& program) {
  py::list all;
  for (const Compiled::Step& step : program.last()->steps) {
    py::dict one;
    const Compilation& c = *step.compilation;
    one["kernel"] = c.kernel.name;
    one["order"] = c.placed ? lang::to_string(c.placed->order) : "";
    one["native"] = step.code->native();
    py::dict stages;
    for (const StageTimes::Entry& entry : c.times.entries) stages[py::str(entry.stage)] = entry.ms;
    one["stages_ms"] = stages;
    one["certificate"] = c.placed ? in_words(c.placed->certificate) : "";
    py::list tensors;
    for (const Compiled::Tensor& tensor : program.last()->tensors)
      tensors.append(py::make_tuple(tensor.info.name, std::string(format::name_of(tensor.info.type)),
                                    format::to_string(tensor.info.format), tensor.written));
    one["tensors"] = tensors;
    all.append(one);
  }
  return all;
}

}  // namespace

std::vector<PyObject*> pointers(const py::list& objects) {
  std::vector<PyObject*> all;
  for (const py::handle object : objects) all.push_back(object.is_none() ? nullptr : object.ptr());
  return all;
}

void bind_questions(py::class_<Program, std::shared_ptr<Program>>& type) {
  type.def("orders", orders).def("why", why).def("c", c_of).def("report", report).def("kernels", kernels);
}

}  // namespace trellis::python
