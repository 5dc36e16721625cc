#include "repl/python/errors.hpp"

#include "repl/python/hooks.hpp"

namespace trellis::python {
namespace {

namespace py = pybind11;

/// The name of sources that the user did not write.
constexpr std::string_view not_the_users = "<";

py::object place_of(const text::Sources& sources, text::Span span) {
  if (!span.known() || span.source >= sources.size() || sources.name(span.source).starts_with(not_the_users))
    return py::none();
  const text::Place begin = sources.begin(span);
  return py::make_tuple(begin.line, begin.column);
}

py::object instance_of(const text::Diagnostic& d) {
  if (d.instance_text.empty() && !d.instance) return py::none();
  return py::str(d.instance_text.empty() ? text::to_string(*d.instance) : d.instance_text);
}

const char* name_of(text::Severity severity) {
  switch (severity) {
    case text::Severity::error: return "error";
    case text::Severity::warning: return "warning";
    case text::Severity::note: break;
  }
  return "note";
}

py::dict to_dict(const text::Diagnostic& d, const text::Sources& sources) {
  py::dict one;
  one["severity"] = name_of(d.severity);
  one["code"] = d.code;
  one["message"] = d.message;
  one["place"] = place_of(sources, d.span);
  one["label"] = d.label;
  py::list notes, fixes;
  for (const text::Note& note : d.notes) notes.append(note.message);
  for (const text::Fix& fix : d.fixes) fixes.append(fix.command);
  one["notes"] = py::tuple(notes);
  one["fixes"] = py::tuple(fixes);
  one["instance"] = instance_of(d);
  one["extent"] = d.extent;
  one["text"] = text::render(d, sources, text::Colour::off);
  return one;
}

}  // namespace

Hooks& hooks() {
  static Hooks& all = *new Hooks;  // Python may be gone before this library
  return all;
}

void raise(const Refused& refused) {
  py::list all;
  for (const text::Diagnostic& d : refused.diagnostics.all())
    if (d.severity == text::Severity::error) all.append(to_dict(d, refused.sources));
  const py::object error = hooks().error(all, refused.fault);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
}

Refused refusal(const std::string& code, const std::string& message, const std::string& fix) {
  Refused refused;
  text::Diagnostic& d = refused.diagnostics.error(code, {}, message);
  if (!fix.empty()) d.fixes.push_back({fix, "", 0});
  return refused;
}

}  // namespace trellis::python
