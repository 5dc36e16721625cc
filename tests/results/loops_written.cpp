#include "tests/results/loops_written.hpp"

#include <doctest/doctest.h>

#include "engine/compile.hpp"
#include "engine/lang/parse.hpp"
#include "engine/loop/print.hpp"
#include "engine/loop/read.hpp"
#include "engine/results/apply_masks.hpp"
#include "engine/results/insert_workspaces.hpp"
#include "engine/results/stored_masks.hpp"

namespace trellis::results {

const std::string cholesky =
    "tensor A(n, n); tensor L(n, n)\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k))) / L(j,j) : k < j < i\n"
    "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\norder ";

std::string written(const std::string& source, const Formats& formats, const std::set<std::string>& inherited,
                    const std::vector<lang::Schedule::Workspace>& workspaces,
                    const std::vector<lang::Schedule::Mask>& masks) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const int number = sources.add("test", source);
  auto program = lang::resolve(lang::parse(sources, number, diagnostics), diagnostics);
  REQUIRE(program);
  Compilation c = compile(*program, program->kernels.front(), diagnostics);
  for (const auto& d : diagnostics.all())
    if (d.severity == text::Severity::error) FAIL_CHECK(text::render(d, sources, text::Colour::off));
  REQUIRE(c.loops);
  for (lang::TensorInfo& tensor : program->tensors)
    if (const auto wanted = formats.find(tensor.name); wanted != formats.end()) {
      tensor.format = format::Format::named(wanted->second, static_cast<int>(tensor.shape.size())).value();
    }
  const auto store = [&](const auto& self, const loop::Stmt& stmt) -> loop::Stmt {
    const auto* d = stmt.as<loop::Declare>();
    if (!d || !formats.contains(d->tensor.name))
      return loop::map_children(
          stmt, [&](const loop::Stmt& s) { return self(self, s); }, [](const loop::Expr& e) { return e; });
    lang::TensorInfo tensor = d->tensor;
    tensor.format = format::Format::named(formats.at(tensor.name), static_cast<int>(tensor.shape.size())).value();
    return loop::Stmt(loop::StmtNode{loop::Declare{std::move(tensor)}, {}}, {}, stmt.id());
  };
  c.loops = store(store, c.loops);
  c.kernel.inherited = inherited;
  c.kernel.schedule.workspaces = workspaces;
  math::Solver solver(lang::size_assumptions(*program));
  text::Diagnostics refusals;
  c.kernel.schedule.masks = masks;
  const StoredMasks seen = stored_masks(c.loops, c.kernel, *program);
  *program = seen.seen;
  const auto insertion =
      insert_workspaces(apply_masks(c.loops, seen.kernel, *program), seen.kernel, *program, solver, refusals);
  std::string result;
  for (const auto& d : refusals.all()) {
    result += d.code + " " + d.message + "\n";
    for (const auto& note : d.notes) result += note.message + "\n";
  }
  if (!insertion) return result;
  CHECK(loop::verify(insertion->loops, *program) == "");
  result += loop::to_string(loop::without_notes(insertion->loops));
  for (const Written& w : insertion->written) result += to_string(w, *program) + "\n";
  return result;
}

}  // namespace trellis::results
