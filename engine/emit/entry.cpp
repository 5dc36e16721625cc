#include "engine/emit/entry.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/emit/emit.hpp"
#include "engine/emit/result.hpp"
#include "engine/emit/solved_sizes.hpp"
#include "engine/math/sizes.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Facts;
using Role = TensorArgument::Role;

namespace {

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

template <class Numbers>
std::string initialiser(const Numbers& numbers) {
  std::string out;
  for (const auto& n : numbers) out += (out.empty() ? "{" : ", ") + std::to_string(n);
  return out.empty() ? "{0}" : out + "}";
}

std::string_view role_name(Role role) {
  switch (role) {
    case Role::read: return "TRELLIS_READ";
    case Role::updated: return "TRELLIS_UPDATED";
    case Role::appended: return "TRELLIS_APPENDED";
    case Role::continued: return "TRELLIS_CONTINUED";
  }
  return "";
}

/// Which of prelude/tensors.c the function calls.
std::vector<std::string> helpers_of(const flow::Flow& flow) {
  std::vector<std::string> helpers{"check"};
  for (const Tensor& tensor : flow.tensors) {
    if (tensor.storage != Tensor::Storage::result) continue;
    if (tensor.appends()) helpers.insert(helpers.end(), {"append_begin", "settle"});
    else helpers.push_back("values");
    if (flow.tensor(tensor.entries_of)) helpers.push_back("same_entries");
  }
  return helpers;
}

class EntryWriter {
 public:
  EntryWriter(const flow::Flow& flow, const lang::Program& program, const CallableRequest& request)
      : flow_(flow), program_(program), request_(request) {
    out_.module = emit(flow, Growth::asked, helpers_of(flow), request.interruption);
    std::vector<std::string> wanted;
    for (const Argument& a : out_.module.arguments) {
      if (a.kind == Argument::Kind::size) wanted.push_back(a.name);
      else if (a.kind == Argument::Kind::real) out_.reals.push_back(a.name);
      else take(a);
    }
    take_patterns();
    for (const TensorArgument& t : out_.tensors) shapes_.push_back(info(t.name) ? info(t.name)->shape : Shape{});
    sizes_ = solve_sizes(shapes_, wanted);
    out_.sizes = sizes_.given;
    for (const std::string& size : sizes_.given) number_.try_emplace(size, number_.size());
    for (const SolvedSize& one : sizes_.solved) number_.try_emplace(one.size, number_.size());
  }

  Callable write() {
    text_ = "int " + request_.function +
            "(trellis_tensor *const *tensors, const int64_t *sizes, const double *reals, trellis_error *error) {\n";
    contracts();
    declarations();
    solve();
    compare();
    compare_sizes();
    begin_results();
    pass_arguments();
    line("status = " + out_.module.entry + "(arguments) ? TRELLIS_OUT_OF_MEMORY : fault[0];");
    report_fault();
    for (std::size_t t = 0; t < out_.tensors.size(); ++t)
      if (appended(t)) line("trellis_settle(tensors[" + std::to_string(t) + "]);");
    line("return TRELLIS_OK;");
    text_ += "}\n";
    Module& module = out_.module;
    // Only the function is seen from outside.
    const std::string adapter = "\nint " + module.entry + "(";
    module.source.replace(module.source.find(adapter), adapter.size(), "\nstatic int " + module.entry + "(");
    module.source += "\n" + text_;
    out_.adapter = std::exchange(module.entry, request_.function);
    return std::move(out_);
  }

 private:
  using Shape = std::vector<math::Affine>;

  const lang::TensorInfo* info(const std::string& name) const { return program_.tensor(name); }
  /// Then the first two numbers of the caller's error are the record of faults, as someone may write there.
  bool interruptible() const { return request_.interruption == Interruption::looked_for; }
  void line(const std::string& statement) { text_ += "  " + statement + "\n"; }
  std::string tensor(std::size_t place) const { return "tensors[" + std::to_string(place) + "]"; }
  bool appended(std::size_t place) const {
    const Role role = out_.tensors[place].role;
    return role == Role::appended || role == Role::continued;
  }

  /// `place`: of the tensor that is to blame; -1: none alone is.
  void refuse_if(const std::string& condition, const std::string& status, int place, const std::string& words) {
    line("if (" + condition + ") {");
    line("  const char *const words[] = {" + words + ", 0};");
    line("  return trellis_refuse(error, " + status + ", " + std::to_string(place) + ", words);");
    line("}");
  }

  void take(const Argument& a) {
    const auto [place, added] = places_.try_emplace(a.name, out_.tensors.size());
    if (added) out_.tensors.push_back({a.name, Role::read, takes(*flow_.tensor(a.name))});
    TensorArgument& t = out_.tensors[place->second];
    if (a.kind == Argument::Kind::capacity)
      t.role = request_.inherited.contains(a.name) ? Role::continued : Role::appended;
    else if (a.written && t.role == Role::read) t.role = Role::updated;
  }

  /// Of results that have the entries of another tensor, though loops may go by the results' own.
  void take_patterns() {
    for (const Tensor& tensor : flow_.tensors) {
      const Tensor* const pattern = flow_.tensor(tensor.entries_of);
      if (tensor.storage != Tensor::Storage::result || !pattern || !places_.contains(tensor.name)) continue;
      if (places_.try_emplace(pattern->name, out_.tensors.size()).second)
        out_.tensors.push_back({pattern->name, Role::read, takes(*pattern)});
    }
  }

  std::string takes(const Tensor& tensor) const {
    std::string out(format::name_of(tensor.type));
    const lang::TensorInfo* known = info(tensor.name);
    if (!known) return out;
    if (!known->shape.empty()) out += " " + format::to_string(known->format);
    std::string shape;
    for (const math::Affine& extent : known->shape) shape += (shape.empty() ? ", " : " x ") + math::to_string(extent);
    out += shape;
    const bool zero = format::is_floating(known->fill.type) ? known->fill.real == 0 : known->fill.integer == 0;
    return zero ? out : out + ", fill " + format::to_string(known->fill);
  }

  Facts stored_facts(const Tensor& tensor, std::size_t level, std::size_t place) const {
    const Facts& facts = tensor.levels[level].facts;
    return appended(place) ? as_appended(facts) : facts;
  }

  // Names of the program never meet those of the function: all that it has is numbered.
  void contracts() {
    std::string all;
    for (std::size_t t = 0; t < out_.tensors.size(); ++t) {
      const Tensor& tensor = *flow_.tensor(out_.tensors[t].name);
      const lang::TensorInfo* known = info(tensor.name);
      const bool layout = known && known->format.layout;
      const std::string number = std::to_string(t);
      std::vector<std::int64_t> storage;
      for (std::size_t l = 0; l < tensor.levels.size(); ++l) {
        const Facts facts = stored_facts(tensor, l, t);
        for (const std::int64_t fact : {static_cast<std::int64_t>(level_kind(facts)),
                                        static_cast<std::int64_t>(level_flags(facts)), facts.slots + facts.width})
          storage.push_back(fact);
      }
      line("static const int32_t storage_" + number + "[] = " + initialiser(storage) + ";");
      if (!layout) line("static const int32_t order_" + number + "[] = " + initialiser(tensor.order) + ";");
      const std::size_t rank = known ? known->shape.size() : tensor.levels.size();
      all += std::string(all.empty() ? "\n" : ",\n") + "    {" + in_quotes(tensor.name) + ", " +
             in_quotes(out_.tensors[t].takes) + ", " + std::to_string(type_number(tensor.type)) + ", " +
             std::to_string(rank) + ", " + std::to_string(tensor.levels.size()) + ", " +
             std::string(role_name(out_.tensors[t].role)) + ", " + (tensor.pattern ? "TRELLIS_PATTERN" : "0") + ", " +
             std::to_string(fill_bits(tensor.fill)) + "u, " + (layout ? "0" : "order_" + number) + ", storage_" +
             number + "}";
    }
    if (!all.empty()) line("static const trellis_contract contracts[] = {" + all + "};");
  }

  void declarations() {
    const Module& module = out_.module;
    if (interruptible()) line("int32_t own[2] = {0, 0}, *const fault = error ? &error->status : own;");
    else line("int32_t fault[2] = {0, 0};");
    if (module.tells_steps) line("int64_t steps = 0;");
    line("void *arguments[" + std::to_string(module.arguments.size() + 1 + module.tells_steps) + "];");
    if (!number_.empty()) line("int64_t size[" + std::to_string(number_.size()) + "];");
    const auto capacities = std::ranges::count(module.arguments, Argument::Kind::capacity, &Argument::kind);
    if (capacities > 0) line("int64_t capacity[" + std::to_string(out_.tensors.size()) + "];");
    line("int status = TRELLIS_OK;");
    if (out_.sizes.empty()) line("(void)sizes;");
    if (out_.reals.empty()) line("(void)reals;");
    if (out_.tensors.empty()) return line("(void)tensors;");
    line("status = trellis_check(contracts, " + std::to_string(out_.tensors.size()) + ", tensors, error);");
    line("if (status) return status;");
  }

  std::string size(const std::string& name) const {
    std::string out;
    for (const std::string& factor : math::factors_of(name))
      out += (out.empty() ? "size[" : " * size[") + std::to_string(number_.at(factor)) + "]";
    return out;
  }

  std::string value(const math::Affine& form) const {
    std::string out;
    const auto add = [&](std::int64_t coefficient, const std::string& factor) {
      out += (out.empty() ? "" : " + ") + (coefficient == 1 ? factor : std::to_string(coefficient) + " * " + factor);
    };
    for (const auto& [name, coefficient] : form.terms) add(coefficient, size(name));
    for (const math::Quotient& q : form.quotients)
      add(q.coefficient, "((" + value(*q.numerator) + (q.kind == math::Quotient::Kind::div ? ") / " : ") % ") +
                             std::to_string(q.divisor) + ")");
    if (form.constant != 0 || out.empty()) out += (out.empty() ? "" : " + ") + std::to_string(form.constant);
    return out;
  }

  void solve() {
    for (std::size_t k = 0; k < out_.sizes.size(); ++k)
      line(size(out_.sizes[k]) + " = sizes[" + std::to_string(k) + "];");
    for (const SolvedSize& one : sizes_.solved) {
      std::string extent = tensor(one.tensor) + "->shape[" + std::to_string(one.dimension) + "]";
      if (!(one.rest == math::Affine(0))) extent = "(" + extent + " - (" + value(one.rest) + "))";
      if (one.coefficient != 1) extent += " / " + std::to_string(one.coefficient);
      line(size(one.size) + " = " + extent + ";");
    }
    // Where the kernel takes none, and no other extent depends on them.
    const auto& arguments = out_.module.arguments;
    if (!number_.empty() && std::ranges::count(arguments, Argument::Kind::size, &Argument::kind) == 0)
      line("(void)size;");
  }

  void compare() {
    for (std::size_t t = 0; t < shapes_.size(); ++t) {
      std::string differs;
      for (std::size_t d = 0; d < shapes_[t].size(); ++d) {
        if (is_what_it_tells(t, d)) continue;
        differs += (differs.empty() ? "" : " || ") + tensor(t) + "->shape[" + std::to_string(d) +
                   "] != " + value(shapes_[t][d]);
      }
      if (!differs.empty())
        refuse_if(differs, "TRELLIS_WRONG_SHAPE", static_cast<int>(t),
                  "contracts[" + std::to_string(t) + "].name, \" is of another shape: the kernel takes \", " +
                      shape_in_quotes(t));
    }
  }

  /// What the kernel was compiled for holds for these sizes alone.
  void compare_sizes() {
    for (const math::Constraint& c : program_.assumed) {
      std::set<std::string> names;
      math::collect_factors(c.left, names);
      math::collect_factors(c.right, names);
      if (!std::ranges::all_of(names, [&](const std::string& name) { return number_.contains(name); })) continue;
      const std::string relation(math::symbol(c.relation));
      refuse_if("!(" + value(c.left) + (relation == "=" ? " == " : " " + relation + " ") + value(c.right) + ")",
                "TRELLIS_WRONG_SHAPE", -1,
                "\"the kernel takes sizes for which \", " +
                    in_quotes(math::to_string(c.left) + " " + relation + " " + math::to_string(c.right)));
    }
  }

  /// The extent is the size that is taken from it, so that there is nothing to compare.
  bool is_what_it_tells(std::size_t t, std::size_t d) const {
    return std::ranges::any_of(sizes_.solved, [&](const SolvedSize& one) {
      return one.tensor == t && one.dimension == d && one.coefficient == 1 && one.rest == math::Affine(0);
    });
  }

  std::string shape_in_quotes(std::size_t t) const {
    std::string out;
    for (const math::Affine& extent : shapes_[t]) out += (out.empty() ? "" : " x ") + math::to_string(extent);
    return in_quotes(out);
  }

  void begin_results() {
    for (std::size_t t = 0; t < out_.tensors.size(); ++t) {
      const std::string one = tensor(t), role(role_name(out_.tensors[t].role));
      if (out_.tensors[t].role == Role::read) continue;
      std::string refused;
      if (appended(t)) {
        refused = "trellis_append_begin(" + one + ", " + role + ", &capacity[" + std::to_string(t) + "])";
      } else {
        const std::string& entries_of = flow_.tensor(out_.tensors[t].name)->entries_of;
        if (!entries_of.empty() && places_.contains(entries_of))
          refused = "trellis_same_entries(" + one + ", " + tensor(places_.at(entries_of)) + ") || ";
        refused += "trellis_values(" + one + ", trellis_places(" + one + "))";
      }
      refuse_if(refused, "TRELLIS_OUT_OF_MEMORY", static_cast<int>(t),
                "\"there is no room for the result \", contracts[" + std::to_string(t) + "].name");
    }
  }

  void pass_arguments() {
    std::size_t place = 0, real = 0;
    for (const Argument& a : out_.module.arguments) {
      std::string passed;
      switch (a.kind) {
        case Argument::Kind::size: passed = "&" + size(a.name); break;
        case Argument::Kind::real: passed = "(void *)&reals[" + std::to_string(real++) + "]"; break;
        case Argument::Kind::capacity: passed = "&capacity[" + std::to_string(places_.at(a.name)) + "]"; break;
        case Argument::Kind::tensor: passed = tensor(places_.at(a.name)); break;
        case Argument::Kind::array: passed = array(a); break;
        case Argument::Kind::ranks: break;  // of no function that others call
      }
      line("arguments[" + std::to_string(place++) + "] = " + passed + ";");
    }
    line("arguments[" + std::to_string(place) + "] = fault;");
    if (out_.module.tells_steps) line("arguments[" + std::to_string(place + 1) + "] = &steps;");
  }

  std::string array(const Argument& a) const {
    const std::string one = tensor(places_.at(a.name));
    if (a.level < 0) return one + "->values.data";
    return "trellis_level_of(" + one + ", " + std::to_string(a.level) + ")->arrays[" + std::string(c_name(a.array)) +
           "].data";
  }

  void report_fault() {
    std::string sites;
    for (const FaultSite& site : out_.module.sites) sites += (sites.empty() ? "" : ", ") + in_quotes(site.what);
    line("if (status) {");
    line(
        "  static const char *const what[] = {\"\", \"division by zero\", \"a quotient that the type does not hold\", "
        "\"an index out of range\", \"a result that is too large\", \"no memory for temporaries\"" +
        std::string(interruptible() ? ", [TRELLIS_INTERRUPTED] = \"interrupted\"};" : "};"));
    if (sites.empty()) sites = "\"\"";
    line("  static const char *const sites[] = {" + sites + "};");
    line("  const int32_t at = status < TRELLIS_OUT_OF_MEMORY ? fault[1] : -1;");
    line("  const char *const site = at < 0 ? \"\" : sites[at];");
    line("  const char *const words[] = {what[status], *site ? \": \" : \"\", site, 0};");
    line("  trellis_refuse(error, status, -1, words);");
    line("  if (error) error->site = at;");
    line("  return status;");
    line("}");
  }

  const flow::Flow& flow_;
  const lang::Program& program_;
  const CallableRequest& request_;
  Callable out_;
  std::map<std::string, std::size_t> places_, number_;  ///< of tensors in the call; of sizes
  std::vector<Shape> shapes_;                           ///< of the tensors
  SolvedSizes sizes_;
  std::string text_;
};

}  // namespace

Callable callable(const flow::Flow& flow, const lang::Program& program, const CallableRequest& request) {
  return EntryWriter(flow, program, request).write();
}

}  // namespace trellis::emit
