#include "engine/place/copies.hpp"

#include <algorithm>
#include <map>

#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;
using Names = std::vector<std::string>;

void add_range(Domain& domain, const std::string& variable, const Affine& size) {
  domain.variables.push_back(variable);
  domain.constraints.push_back({Affine(0), Relation::less_equal, Affine::name(variable)});
  domain.constraints.push_back({Affine::name(variable), Relation::less, size});
}

using Marks = std::map<std::string, Affine>;

/// The fragment's instances, its variables with a mark, which goes into `mark`.
Domain marked_instances(const Fragment& f, Marks& mark) {
  Domain result;
  for (const std::string& v : f.domain.variables) {
    mark.emplace(v, Affine::name(v + "'"));
    result.variables.push_back(v + "'");
  }
  result.constraints = f.domain.substitute(mark).constraints;
  return result;
}

/// What the fragment defines of the tensor, over `names` (the step first) and its own variables, which get a mark.
Domain defined_by(const Fragment& f, const Names& names) {
  Marks mark;
  Domain result = marked_instances(f, mark);
  for (std::size_t d = 0; d < names.size(); ++d) {
    const Affine index = d == 0 ? f.write_index[0] - Affine(1) : f.write_index[d];
    result.constraints.push_back({Affine::name(names[d]), Relation::equal, index.substitute(mark)});
  }
  return result;
}

std::vector<Domain> defined_of(const Fragments& fragments, const std::string& tensor, const Names& names) {
  std::vector<Domain> result;
  for (const Fragment& f : fragments.fragments)
    if (f.kind == Fragment::Kind::equation && f.write.tensor == tensor && f.write.step)
      result.push_back(defined_by(f, names));
  return result;
}

/// The names that the tensor's equations use for the step and each dimension; where they have none, a name of its own.
class CopyNames {
 public:
  CopyNames(const lang::Kernel& kernel, const std::string& tensor, std::size_t rank, Names& inner)
      : kernel_(kernel), tensor_(tensor), inner_(inner) {
    add([](const lang::Access& a) { return a.step; });
    for (std::size_t d = 0; d < rank; ++d) add([d](const lang::Access& a) { return std::optional(a.indices[d]); });
  }
  Names names;

 private:
  template <class Index>
  void add(Index&& index) {
    for (const lang::Equation& e : kernel_.equations) {
      const auto at = e.access().tensor == tensor_ ? index(e.access()) : std::nullopt;
      const auto variables = at ? lang::free_variables(*at) : Names{};
      if (variables.size() != 1 || contains(names, variables[0])) continue;
      names.push_back(variables[0]);
      return;
    }
    for (const lang::Timesteps& t : kernel_.timesteps)  // the step of another tensor, in step with this one
      for (const lang::Equation& e : kernel_.equations)
        if (names.empty() && e.access().tensor == t.tensor && e.access().step)
          if (const auto variables = lang::free_variables(*e.access().step); variables.size() == 1)
            return names.push_back(variables[0]);
    std::string name = "_" + tensor_ + std::to_string(names.size());
    names.push_back(name);
    inner_.push_back(name);
  }

  const lang::Kernel& kernel_;
  const std::string& tensor_;
  Names& inner_;
};

Expr access_of(const lang::TensorInfo& info, const Affine& step, const std::vector<Affine>& index,
               const Names& variables, text::Span span) {
  lang::Access access{info.name, {}, lang::to_expr(step, variables)};
  for (const Affine& a : index) access.indices.push_back(lang::to_expr(a, variables));
  return Expr({std::move(access), info.type, span});
}

Fragment copy_of(const lang::TensorInfo& info, Domain domain, const Names& names, const lang::Equation& equation) {
  keep_variable(domain, names[0]);
  const auto replaced = substitute_equalities(domain);
  std::vector<Affine> index;
  for (const std::string& name : names) index.push_back(replaced.count(name) ? replaced.at(name) : Affine::name(name));
  const Affine step = index[0];
  index.erase(index.begin());
  Fragment f;
  f.kind = Fragment::Kind::copy;
  f.domain = domain;
  f.around = domain;
  f.write = *access_of(info, step, index, domain.variables, equation.left->span).as<lang::Access>();
  f.value = access_of(info, step - Affine(1), index, domain.variables, equation.left->span);
  Read read{*f.value.as<lang::Access>(), {step}, {}, equation.left->span};
  f.write_index = {step + Affine(1)};
  for (const Affine& a : index) {
    f.write_index.push_back(a);
    read.index.push_back(a);
  }
  f.reads = {std::move(read)};
  f.origin = {{text::Stage::equations, equation.id}};
  f.span = equation.left->span;
  return f;
}

}  // namespace

void add_copies(const lang::Program& program, const lang::Kernel& kernel, math::Solver& solver, Fragments& fragments) {
  for (const lang::Timesteps& t : kernel.timesteps) {
    const lang::TensorInfo& info = *program.tensor(t.tensor);
    const auto first = std::find_if(kernel.equations.begin(), kernel.equations.end(),
                                    [&](const auto& e) { return e.access().tensor == t.tensor; });
    Names inner;
    const Names names = CopyNames(kernel, t.tensor, info.shape.size(), inner).names;
    Domain every;
    add_range(every, names[0], t.count);
    for (std::size_t d = 0; d < info.shape.size(); ++d) add_range(every, names[d + 1], info.shape[d]);
    int number = 0;
    for (Domain& piece : solver.without(every, defined_of(fragments, t.tensor, names))) {
      Fragment f = copy_of(info, std::move(piece), names, *first);
      f.id = static_cast<int>(fragments.fragments.size());
      f.name = "keep_" + t.tensor + (number++ == 0 ? "" : std::to_string(number));
      f.equation = static_cast<int>(first - kernel.equations.begin());
      for (const std::string& name : inner)
        if (contains(f.domain.variables, name)) add_once(fragments.inner_names, name);
      fragments.fragments.push_back(std::move(f));
    }
  }
}

std::vector<Domain> last_definitions(math::Solver& solver, const std::vector<Fragment>& fragments, const Fragment& f) {
  std::vector<Domain> later;
  for (const Fragment& g : fragments) {
    if (g.kind != Fragment::Kind::equation || g.write.tensor != f.write.tensor || !g.write.step) continue;
    Marks mark;
    Domain redefined = marked_instances(g, mark);
    for (std::size_t d = 0; d < g.write_index.size(); ++d) {
      const Relation relation = d == 0 ? Relation::greater : Relation::equal;
      redefined.constraints.push_back({g.write_index[d].substitute(mark), relation, f.write_index[d]});
    }
    later.push_back(std::move(redefined));
  }
  return solver.without(f.domain, later);
}

std::vector<std::string> element_variables(const lang::Program& program, const std::string& tensor) {
  Names names;
  for (std::size_t d = 0; d < program.tensor(tensor)->shape.size(); ++d) {
    std::string name = "e" + std::to_string(d);
    while (program.parameter(name) || program.tensor(name)) name += "_";
    names.push_back(name);
  }
  return names;
}

namespace {

/// All elements of a tensor, over `element_variables`.
Domain all_elements(const lang::Program& program, const std::string& tensor) {
  const lang::TensorInfo& info = *program.tensor(tensor);
  const Names names = element_variables(program, tensor);
  Domain every;
  for (std::size_t d = 0; d < names.size(); ++d) add_range(every, names[d], info.shape[d]);
  return every;
}

/// What equations give of it, over the same names and a step.
std::vector<Domain> given(const lang::Program& program, const Fragments& fragments, const std::string& tensor) {
  Names names = element_variables(program, tensor);
  names.insert(names.begin(), "step");
  std::vector<Domain> all = defined_of(fragments, tensor, names);
  for (Domain& d : all) d.variables.push_back("step");
  return all;
}

}  // namespace

std::vector<Domain> loaded_elements(const lang::Program& program, math::Solver& solver, const Fragments& fragments,
                                    const std::string& tensor) {
  std::vector<Domain> before = given(program, fragments, tensor);
  for (Domain& d : before) d.constraints.push_back({Affine::name("step"), Relation::equal, Affine(-1)});
  return solver.without(all_elements(program, tensor), before);
}

std::vector<Domain> still_elements(const lang::Program& program, math::Solver& solver, const Fragments& fragments,
                                   const lang::Timesteps& steps) {
  Domain every = all_elements(program, steps.tensor);
  every.constraints.push_back({Affine(0), Relation::less, steps.count});
  return solver.without(every, given(program, fragments, steps.tensor));
}

std::vector<int> still_copies(math::Solver& solver, const std::vector<Fragment>& fragments, const std::string& tensor) {
  std::vector<int> result;
  for (const Fragment& f : fragments) {
    if (f.kind != Fragment::Kind::copy || f.write.tensor != tensor) continue;
    const auto gives = [&](const Fragment& g) {
      if (g.kind != Fragment::Kind::equation || g.write.tensor != tensor || !g.write.step) return false;
      Marks mark;
      Domain both = marked_instances(g, mark);
      both.variables.insert(both.variables.end(), f.domain.variables.begin(), f.domain.variables.end());
      both.constraints.insert(both.constraints.end(), f.domain.constraints.begin(), f.domain.constraints.end());
      for (std::size_t d = 1; d < g.write_index.size(); ++d)
        both.constraints.push_back({g.write_index[d].substitute(mark), Relation::equal, f.write_index[d]});
      return !solver.is_empty(both);
    };
    if (std::ranges::none_of(fragments, gives)) result.push_back(f.id);
  }
  return result;
}

}  // namespace trellis::place
