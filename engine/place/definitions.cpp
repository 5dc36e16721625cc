#include "engine/place/definitions.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/math/sizes.hpp"
#include "engine/place/apart.hpp"
#include "engine/place/bounds.hpp"
#include "engine/place/instances.hpp"
#include "engine/place/wording.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;

/// The points at which a fragment defines its elements: an accumulation does so even where it adds nothing.
const Domain& defining(const Fragment& f) { return f.op ? f.initialised : f.domain; }

/// Splits a solver's point into sizes and the values of variables.
std::pair<math::Assignment, text::Point> split(const math::Assignment& point, std::size_t variables) {
  auto middle = point.end() - static_cast<std::ptrdiff_t>(variables);
  math::Assignment sizes(point.begin(), middle);
  std::erase_if(sizes, [](const auto& size) { return math::is_product(size.first); });  // its factors are there
  return {std::move(sizes), {middle, point.end()}};
}

/// What an equation's indices would have to fulfil for its reads to stay inside.
struct Missing {
  std::vector<Constraint> constraints;
  bool steps = false;             ///< some of it is about timesteps, which no constraint of the equation says
  bool never = false;             ///< some of it holds nowhere, so that nothing would be left
  std::set<std::string> tensors;  ///< that the reads are of
};

/// The equation with constraints that keep its reads inside, if its own names can say them.
std::optional<text::Fix> restricted(const Analysis& analysis, int number, const Missing& missing,
                                    std::string remark = "other elements stay as they are") {
  if (missing.steps || missing.never) return std::nullopt;
  lang::Kernel kernel;
  kernel.equations = {analysis.kernel.equations[static_cast<std::size_t>(number)]};
  const std::vector<std::string> names = kernel.variables();
  std::vector<Constraint>& constraints = kernel.equations[0].domain.constraints;
  bool reduced = false;
  for (const Constraint& c : missing.constraints) {
    std::set<std::string> used;
    for (const Affine* side : {&c.left, &c.right}) side->collect_names(used);
    for (const std::string& name : used) {
      const auto& free = kernel.equations[0].domain.variables;
      if (!contains(names, name) && !analysis.program.parameter(name)) return std::nullopt;
      reduced = reduced || (!contains(free, name) && !analysis.program.parameter(name));
    }
    constraints.push_back(c);
  }
  return text::Fix{equation_text(analysis, kernel.equations[0]),
                   reduced ? "other terms are left out" : std::move(remark), 0};
}

/// A recurrence that begins with what lies outside, as a sum of all before does, reads its fill there: as a fix where
/// nobody has declared its tensor and it alone is read outside, else as a note.
void offer_pad(const lang::TensorInfo& tensor, const Missing& missing, text::Diagnostic& d) {
  std::string shape;
  for (const Affine& size : tensor.shape) shape += (shape.empty() ? "" : ", ") + math::to_string(size);
  const std::string type =
      tensor.type == format::ScalarType::f64 ? "" : std::string(format::name_of(tensor.type)) + " ";
  const std::string padded = "tensor " + tensor.name + "(" + shape + "): " + type + "pad";
  if (tensor.kind == lang::TensorInfo::Kind::implicit && missing.tensors.size() == 1 && !missing.steps)
    d.fixes.push_back({padded, "reads " + format::to_string(tensor.fill) + " outside", 0});
  else d.notes.push_back({{}, "to have it read as its fill outside, declare it so: " + padded});
}

void check_read(const Analysis& analysis, const Fragment& f, const Read& read, const std::vector<Constraint>& sizes,
                text::Diagnostics& diagnostics, std::map<int, Missing>& missing) {
  const lang::TensorInfo* tensor = analysis.program.tensor(read.access.tensor);
  if (!tensor) return;  // a temporary covers exactly what is read of it
  math::Solver& solver = analysis.dependences->solver();
  Domain domain = f.domain;
  domain.constraints.insert(domain.constraints.end(), read.guards.begin(), read.guards.end());
  domain.constraints.insert(domain.constraints.end(), sizes.begin(), sizes.end());
  const std::vector<Affine> shape = indexed_shape(analysis, tensor->name);
  bool reported = false;
  for (std::size_t d = 0; d < read.index.size() && d < shape.size(); ++d) {
    if (!read.index[d]) continue;
    const Constraint inside[] = {{0, Relation::less_equal, *read.index[d]}, {*read.index[d], Relation::less, shape[d]}};
    for (const Constraint& c : inside) {
      if (contains(domain.constraints, c) || solver.implies(domain, c)) continue;
      Domain outside = domain;
      outside.constraints.push_back(
          {c.left, c.relation == Relation::less ? Relation::greater_equal : Relation::greater, c.right});
      auto point = solver.smallest(outside);
      if (!point) continue;
      Domain kept = domain;
      kept.constraints.push_back(c);
      missing[f.equation].constraints.push_back(c);
      missing[f.equation].tensors.insert(tensor->name);
      missing[f.equation].steps |= read.access.step && d == 0;
      missing[f.equation].never |= !solver.smallest(kept);
      if (std::exchange(reported, true)) continue;
      text::Instance instance;
      std::tie(instance.sizes, instance.at) = split(*point, domain.variables.size());
      std::vector<Affine> index;
      for (const auto& i : read.index) index.push_back(i.value_or(Affine(0)));
      name_element(instance, read.access, element_at(index, Values(point->begin(), point->end())));
      const std::string with = instance.sizes.empty() ? "" : "with " + text::to_string(instance.sizes) + " ";
      const std::string at = instance.at.empty() ? "" : "at " + text::to_string(instance.at) + " ";
      auto& e = diagnostics.error("E0104", read.span, "this reads " + read.access.tensor + " outside its range",
                                  text::element_text(instance.read, instance.element));
      e.instance_text = with + at + "it reads " + text::element_text(instance.read, instance.element);
      e.instance = std::move(instance);
      if (read.access.step && d == 0)
        e.notes.push_back({{},
                           "its steps are " + tensor->name + "[-1], the value before the first, to " + tensor->name +
                               "[" + math::to_string(shape[0] - Affine(2)) + "]"});
    }
  }
}

/// Two points, of one equation or of two, that define one element.
Domain both_define(const Fragment& f, const Fragment& g) {
  std::map<std::string, Affine> mark;
  Domain both;
  for (const std::string& v : defining(f).variables) {
    mark.emplace(v, Affine::name(v + "'"));
    both.variables.push_back(v + "'");
  }
  both.constraints = defining(f).substitute(mark).constraints;
  both.variables.insert(both.variables.end(), defining(g).variables.begin(), defining(g).variables.end());
  both.constraints.insert(both.constraints.end(), defining(g).constraints.begin(), defining(g).constraints.end());
  for (std::size_t d = 0; d < f.write_index.size(); ++d) {
    both.constraints.push_back({f.write_index[d].substitute(mark), Relation::equal, g.write_index[d]});
  }
  return both;
}

bool names_every_variable(const Fragment& f) {
  const auto& variables = defining(f).variables;
  return std::all_of(variables.begin(), variables.end(), [&](const std::string& v) {
    return std::any_of(f.write_index.begin(), f.write_index.end(), [&](const Affine& a) {
      return a.terms.size() == 1 && a.quotients.empty() && a.terms[0].first == v;
    });
  });
}

/// The later of two equations, or the earlier one, without what the other defines: a first step, a border.
std::optional<text::Fix> apart(const Analysis& analysis, const Fragment& f, const Fragment& g) {
  if (f.equation == g.equation) return std::nullopt;
  const auto without = [&](const Fragment& one, const Fragment& other) -> std::optional<text::Fix> {
    const auto kept = kept_apart(analysis.dependences->solver(), {defining(one), one.write_index},
                                 {defining(other), other.write_index}, both_define(other, one));
    if (!kept) return std::nullopt;
    return restricted(analysis, one.equation, {.constraints = {*kept}, .tensors = {}},
                      "the rest is what the other equation defines");
  };
  auto fix = without(g, f);
  return fix ? fix : without(f, g);
}

void report_overlap(const Analysis& analysis, const Fragment& f, const Fragment& g, const math::Assignment& point,
                    text::Diagnostics& diagnostics) {
  const std::size_t firsts = defining(f).variables.size(), seconds = defining(g).variables.size();
  auto [rest, second] = split(point, seconds);
  auto [sizes, first] = split(rest, firsts);
  text::Instance instance;
  for (std::size_t k = 0; k < firsts; ++k) instance.written_at.emplace_back(defining(f).variables[k], first[k].second);
  instance.at = second;
  instance.sizes = sizes;
  name_element(instance, g.write, element_at(g.write_index, Values(point.begin(), point.end())));
  const std::string element = text::element_text(instance.read, instance.element);
  const auto& equations = analysis.kernel.equations;
  const bool one = f.id == g.id;
  auto& e = diagnostics.error("E0103", equations[static_cast<std::size_t>(g.equation)].left->span,
                              one ? "this equation defines an element of " + f.write.tensor + " twice"
                                  : "two equations define the same element of " + f.write.tensor,
                              element);
  if (!one)
    e.notes.push_back({equations[static_cast<std::size_t>(f.equation)].left->span, "the other definition is here"});
  e.instance_text = (sizes.empty() ? "" : "with " + text::to_string(sizes) + " ") + element + " is defined" +
                    (instance.at.empty() ? "" : " at " + text::to_string(instance.at)) + " and again" +
                    (instance.written_at.empty() ? "" : " at " + text::to_string(instance.written_at));
  e.instance = std::move(instance);
  if (auto fix = apart(analysis, f, g)) e.fixes.push_back(std::move(*fix));
}

}  // namespace

std::vector<Constraint> usual_sizes(const lang::Program& program) {
  std::vector<Constraint> sizes;
  std::set<std::string> known;
  std::map<std::string, Affine> values;
  for (const lang::ParameterInfo& p : program.parameters)
    if (!p.real && p.value) {
      known.insert(p.name);
      values.emplace(p.name, Affine(p.value->as_integer()));
      sizes.push_back({Affine::name(p.name), Relation::equal, Affine(p.value->as_integer())});
    }
  const auto not_empty = [&](const Affine& size) {
    std::set<std::string> names;
    size.collect_names(names);
    for (const std::string& name : names)
      if (const Affine value = Affine::name(name).substitute(values);
          math::is_product(name) && value != Affine::name(name))
        sizes.push_back({Affine::name(name), Relation::equal, value});
    if (!std::includes(known.begin(), known.end(), names.begin(), names.end()))
      sizes.push_back({Affine(1), Relation::less_equal, size});
  };
  for (const lang::TensorInfo& tensor : program.tensors) std::ranges::for_each(tensor.shape, not_empty);
  for (const Constraint& other : program.sized_elsewhere) not_empty(other.left);  // a size >= 0
  return sizes;
}

void check_ranges(const Analysis& analysis, const std::vector<Constraint>& sizes, text::Diagnostics& diagnostics) {
  text::Diagnostics found;
  std::vector<int> equations;  // of each that was found
  std::map<int, Missing> missing;
  for (const Fragment& f : analysis.fragments.fragments)
    for (const Read& read : f.reads) {
      check_read(analysis, f, read, sizes, found, missing);
      equations.resize(found.all().size(), f.equation);
    }
  // One cause, the equation's range, is one message; the first read has the instance.
  for (auto& [equation, what] : missing) {
    std::optional<text::Diagnostic> first;
    for (std::size_t k = 0; k < equations.size(); ++k) {
      const text::Diagnostic& one = found.all()[k];
      if (equations[k] != equation) continue;
      if (!first) first = one;
      else if (one.span != first->span) first->notes.push_back({one.span, "and this " + one.label});
    }
    if (!first) continue;
    const std::string& defined = analysis.kernel.equations[static_cast<std::size_t>(equation)].access().tensor;
    if (what.tensors.contains(defined) && !what.steps) offer_pad(*analysis.program.tensor(defined), what, *first);
    if (auto fix = restricted(analysis, equation, what)) first->fixes.push_back(std::move(*fix));
    diagnostics.add(std::move(*first));
  }
}

bool defines_any(const Analysis& analysis, const std::string& tensor, const std::vector<Constraint>& sizes) {
  return std::ranges::any_of(analysis.fragments.fragments, [&](const Fragment& f) {
    if (f.temporary || f.kind == Fragment::Kind::copy || f.write.tensor != tensor) return false;
    Domain domain = defining(f);
    domain.constraints.insert(domain.constraints.end(), sizes.begin(), sizes.end());
    return analysis.dependences->solver().smallest(domain).has_value();
  });
}

void check_overlaps(const Analysis& analysis, text::Diagnostics& diagnostics) {
  math::Solver& solver = analysis.dependences->solver();
  const auto& all = analysis.fragments.fragments;
  std::map<std::string, std::vector<std::size_t>> writers;
  for (std::size_t a = 0; a < all.size(); ++a) writers[all[a].write.tensor].push_back(a);
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (const std::size_t b : writers[all[a].write.tensor]) {
      if (b < a) continue;
      const Fragment &f = all[a], &g = all[b];
      if (f.temporary || f.kind == Fragment::Kind::copy || g.kind == Fragment::Kind::copy ||
          (a == b && names_every_variable(f)))
        continue;
      Domain both = both_define(f, g);
      std::vector<Domain> cases;
      if (a != b) cases.push_back(both);
      for (const std::string& v : a == b ? defining(f).variables : std::vector<std::string>{}) {
        cases.push_back(both);
        cases.back().constraints.push_back({Affine::name(v + "'"), Relation::less, Affine::name(v)});
      }
      for (const Domain& one : cases) {
        auto point = solver.smallest(one);
        if (!point) continue;
        report_overlap(analysis, f, g, *point, diagnostics);
        break;
      }
    }
  }
}

}  // namespace trellis::place
