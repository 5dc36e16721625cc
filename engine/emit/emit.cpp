#include "engine/emit/emit.hpp"

#include <algorithm>

#include "engine/emit/apart.hpp"
#include "engine/emit/blocks.hpp"
#include "engine/emit/exchange.hpp"
#include "engine/emit/flatten.hpp"
#include "engine/emit/statement.hpp"
#include "engine/emit/unused.hpp"

namespace trellis::emit {

namespace {

using flow::Tensor;
using format::ScalarType;

/// A scalar that is only read is passed by value.
bool by_value(const Tensor& tensor) { return tensor.levels.empty() && tensor.storage == Tensor::Storage::operand; }

std::string type_of(const Argument& argument, const Tensor* tensor) {
  if (argument.kind == Argument::Kind::capacity) return "int64_t";
  if (argument.kind == Argument::Kind::tensor) return "trellis_tensor *";
  if (argument.kind == Argument::Kind::ranks) return "trellis_ranks *";
  const std::string access = argument.written ? "" : "const ";
  if (argument.level >= 0) return access + array_type(*tensor, argument.level, argument.array) + " *restrict";
  if (argument.kind == Argument::Kind::size) return "int64_t";
  if (argument.kind == Argument::Kind::real) return "double";
  const std::string type(format::c_name(argument.type));
  return by_value(*tensor) ? type : access + type + " *restrict";
}

std::string passed(const Argument& argument, const Tensor* tensor, const std::string& all, std::size_t position) {
  const std::string pointer = all + "[" + std::to_string(position) + "]";
  if (argument.kind == Argument::Kind::size || argument.kind == Argument::Kind::capacity)
    return "*(const int64_t *)" + pointer;
  const bool table = argument.kind == Argument::Kind::tensor || argument.kind == Argument::Kind::ranks;
  if (argument.level >= 0 || table) return pointer;
  if (argument.kind == Argument::Kind::real) return "*(const double *)" + pointer;
  if (by_value(*tensor)) return "*(const " + std::string(format::c_name(argument.type)) + " *)" + pointer;
  return pointer;
}

ScalarType coordinate_type(const Tensor& tensor, int level, format::Array array) {
  const std::string type = array_type(tensor, level, array);
  return type == "uint8_t" ? ScalarType::u8 : type == "int64_t" ? ScalarType::i64 : ScalarType::i32;
}

/// The C name of what an argument stands for.
const std::string& name_of(const Argument& argument, const Tensor* tensor, Names& names) {
  if (argument.kind == Argument::Kind::capacity) return names.fix(argument.name + "'capacity");
  if (argument.kind == Argument::Kind::tensor) return names.fix(argument.name + "'result");
  if (argument.kind == Argument::Kind::ranks) return ranks_name(names);
  if (argument.level >= 0) return array_name(names, *tensor, argument.level, argument.array);
  return names.fixed(argument.name);
}

/// What the kernel's body named, in the order: sizes, reals, tensors, each as the arrays of its levels and then its
/// values.
std::vector<Argument> arguments_of(const flow::Flow& flow, const Expressions& expressions,
                                   const std::set<std::string>& written, const std::set<std::string>& appended,
                                   Growth growth) {
  const std::set<std::string>& used = expressions.used();
  std::vector<Argument> arguments;
  for (const std::string& size : flow.sizes) {
    if (used.count(size)) arguments.push_back({Argument::Kind::size, size, ScalarType::i64, false});
  }
  for (const std::string& real : flow.reals) {
    if (used.count(real)) arguments.push_back({Argument::Kind::real, real, ScalarType::f64, false});
  }
  for (const Tensor& tensor : flow.tensors) {
    if (tensor.storage == Tensor::Storage::temporary) continue;
    const bool result = written.count(tensor.name) > 0;
    for (const Expressions::Used& array : expressions.used_arrays()) {
      if (array.tensor != tensor.name) continue;
      arguments.push_back({Argument::Kind::array, tensor.name, coordinate_type(tensor, array.level, array.array),
                           result && tensor.appends(), array.level, array.array});
    }
    if (used.count(tensor.name) && !tensor.pattern)
      arguments.push_back(
          {Argument::Kind::array, tensor.name, tensor.type, result, -1, format::Array::values, tensor.entries_of});
    const bool stored = !arguments.empty() && arguments.back().name == tensor.name;
    if (!stored || !appended.count(tensor.name)) continue;
    arguments.push_back({Argument::Kind::capacity, tensor.name, ScalarType::i64, false});
    if (growth == Growth::asked) arguments.push_back({Argument::Kind::tensor, tensor.name, tensor.type, true});
  }
  if (has_exchanges(flow)) arguments.push_back({Argument::Kind::ranks, "ranks", ScalarType::i64, true});
  return arguments;
}

/// So many parameters every C compiler takes, by the standard. A kernel of more takes the table of its arguments, as
/// its adapter does.
constexpr std::size_t most_parameters = 127;
bool takes_table(const Module& module, bool takes_fault) {
  return module.arguments.size() + takes_fault + module.tells_steps > most_parameters;
}

/// Before all else in the block, which keeps its origin: what has none of its own inherits it.
void begin_with(std::vector<c::Stmt> statements, c::Stmt& block) {
  const auto& rest = block.as<c::Block>()->statements;
  statements.insert(statements.end(), rest.begin(), rest.end());
  block = c::stmt(c::Block{std::move(statements)}, block.origin());
}

/// The kernel's parameters, or locals that it reads out of the table of its arguments.
void take_arguments(c::Function& kernel, const Module& module, bool takes_fault, const flow::Flow& flow, Names& names) {
  const bool as_table = takes_table(module, takes_fault);
  const std::string table = as_table ? names.bind("arguments") : "";
  std::vector<c::Stmt> locals;
  const auto take = [&](const std::string& type, const std::string& name, const std::string& value) {
    if (as_table) locals.push_back(c::stmt(c::Declaration{type, name, {}, c::token(value)}));
    else kernel.parameters.push_back(type + " " + name);
  };
  for (std::size_t k = 0; k < module.arguments.size(); ++k) {
    const Argument& argument = module.arguments[k];
    const Tensor* tensor = flow.tensor(argument.name);
    take(type_of(argument, tensor), name_of(argument, tensor, names), passed(argument, tensor, table, k));
  }
  const auto behind = [&](std::size_t place) {
    return table + "[" + std::to_string(module.arguments.size() + place) + "]";
  };
  if (takes_fault) take("int32_t", "*fault", behind(0));
  if (module.tells_steps) take("int64_t", "*steps", behind(1));
  if (!as_table) return;
  kernel.parameters = {"void *const *" + table};
  begin_with(std::move(locals), kernel.body);
}

/// What constants were read from that went away is no argument any more. What the kernel writes stays one: whoever runs
/// it sees by its arguments which results it makes, and appends to.
void leave_out_unread(Module& module, c::Function& kernel, const flow::Flow& flow, Names& names) {
  c::Mentioned mentioned;
  c::collect(kernel.body, mentioned);
  const auto name = [&](const Argument& a) { return name_of(a, flow.tensor(a.name), names); };
  const auto is_read = [&](const Argument& a) { return mentioned.contains(name(a)); };
  const auto stays = [](const Argument& a) { return a.written || a.kind == Argument::Kind::capacity; };
  std::erase_if(module.arguments, [&](const Argument& a) { return !stays(a) && !is_read(a); });
  std::vector<c::Stmt> statements;
  for (const Argument& a : module.arguments)
    if (!is_read(a)) statements.push_back(c::stmt(c::Evaluate{c::expr(c::Cast{"void", c::token(name(a))})}));
  begin_with(std::move(statements), kernel.body);
}

std::string adapter(const Module& module, bool takes_fault, const c::Function& kernel, const flow::Flow& flow) {
  const bool fallible = kernel.type == "static int";
  const bool as_table = takes_table(module, takes_fault);
  std::vector<std::string> all;
  for (const Argument& argument : module.arguments)
    all.push_back(passed(argument, flow.tensor(argument.name), "arguments", all.size()));
  const auto behind = [&](std::size_t place) {
    return "arguments[" + std::to_string(module.arguments.size() + place) + "]";
  };
  if (takes_fault) all.push_back(behind(0));
  if (module.tells_steps) all.push_back(behind(1));
  std::string call = kernel.name + (as_table ? "(arguments" : "(");
  for (std::size_t k = 0; k < all.size() && !as_table; ++k) call += (k > 0 ? ", " : "") + all[k];
  call += ");";
  std::string text = "int " + module.entry + "(void *const *arguments) {\n";
  if (all.empty()) text += "  (void)arguments;\n";
  return text + (fallible ? "  return " + call + "\n}\n" : "  " + call + "\n  return 0;\n}\n");
}

/// Inlined where it is called, a function would lose what `restrict` says, and share registers with the arguments of
/// the call: the kernel, and those of its parallel regions, which come before it.
std::string kept_apart(std::string text, const std::vector<c::Function>& functions, std::size_t regions) {
  for (std::size_t k = functions.size() - 1 - regions; k < functions.size(); ++k) {
    const c::Function& function = functions[k];
    text.insert(text.rfind(function.type + " " + function.name + "("), "__attribute__((__noinline__)) ");
  }
  return text;
}

/// The kernel behind the functions of its parallel regions.
std::vector<c::Function> apart(const c::Function& kernel, const flow::Flow& flow) {
  std::set<std::string> taken = {kernel.name};
  for (const flow::Function& function : flow.functions) taken.insert(Names::function(function.name));
  return c::with_regions_apart(kernel, [&](const std::string& variable) {
    const std::string first = Names::function(flow.kernel + "_over_" + variable);
    std::string name = first;
    for (int k = 2; !taken.insert(name).second; ++k) name = first + "_" + std::to_string(k);
    return name;
  });
}

/// The flow of a function's body: its operands and locals are all the tensors that there are.
flow::Flow flow_of(const flow::Function& function) {
  flow::Flow flow;
  flow.kernel = function.name;
  flow.tensors = function.parameters;
  flow::Seq all;
  for (const Tensor& local : function.locals) {
    flow.tensors.push_back(local);
    all.statements.push_back(flow::Stmt(flow::StmtNode{flow::Declare{local.name}, {}}, {}, function.body.id()));
  }
  if (const auto* body = function.body.as<flow::Seq>())
    all.statements.insert(all.statements.end(), body->statements.begin(), body->statements.end());
  flow.root = flow::Stmt(flow::StmtNode{std::move(all), {}}, {}, function.body.id());
  return flow;
}

c::Function emit_function(const flow::Function& function, Prelude& prelude, Shared& shared) {
  const flow::Flow flow = flow_of(function);
  Names names;
  names.bind(Names::function(function.name));
  c::Function result;
  result.name = Names::function(function.name);
  for (const Tensor& tensor : flow.tensors) names.fix(tensor.name);
  for (const Tensor& parameter : function.parameters)
    result.parameters.push_back(std::string(format::c_name(parameter.type)) + " " + names.fixed(parameter.name));
  Expressions expressions(flow, names, prelude, shared);
  std::vector<c::Stmt> statements = Statements(flow, names, prelude, expressions).body().as<c::Block>()->statements;
  const text::Origin from = {{text::Stage::flow, function.result.id()}};
  statements.push_back(c::stmt(c::Return{expressions.expr(function.result)}, from));
  result.body = c::stmt(c::Block{std::move(statements)});
  result.type = "static " + std::string(format::c_name(function.result->type));
  if (expressions.records_faults()) {
    shared.fallible.insert(function.name);
    result.parameters.push_back("int32_t *fault");
  }
  return result;
}

}  // namespace

Module emit(const flow::Flow& flow, Growth growth, const std::vector<std::string>& tensor_helpers,
            Interruption interruption) {
  std::set<std::string> written, appended;
  bool parallel = false;
  for_each_stmt(flow.root, [&](const flow::Stmt& s) {
    if (const auto* a = s.as<flow::Assign>()) written.insert(a->tensor);
    if (const auto* r = s.as<flow::Reset>()) written.insert(r->tensor);
    if (const auto* e = s.as<flow::Exchange>()) written.insert(e->tensor);
    if (const auto* f = s.as<flow::Freeze>()) {
      written.insert(f->tensor);
      if (flow.tensor(f->tensor)->storage == Tensor::Storage::result) appended.insert(f->tensor);
    }
    if (const auto* l = s.as<flow::Coiterate>()) parallel |= l->execution == flow::Loop::Execution::parallel;
    if (const auto* l = s.as<flow::Loop>()) parallel |= l->execution == flow::Loop::Execution::parallel;
  });

  Prelude prelude(parallel ? Prelude::Threads::many : Prelude::Threads::one);
  Shared shared;
  std::vector<c::Function> functions;
  for (const flow::Function& function : flow.functions) functions.push_back(emit_function(function, prelude, shared));
  Names names;
  for (const flow::Function& function : flow.functions) names.bind(Names::function(function.name));
  for (const std::string& size : flow.sizes) names.fix(size);
  for (const std::string& real : flow.reals) names.fix(real);
  for (const Tensor& tensor : flow.tensors) names.fix(tensor.name);
  Expressions expressions(flow, names, prelude, shared);
  Statements statements(flow, names, prelude, expressions, growth);
  c::Function kernel;
  kernel.body = c::flattened(c::without_unused(statements.body()));
  kernel.type = statements.allocates() ? "static int" : "static void";
  kernel.name = Names::function(flow.kernel);

  Module module;
  module.kernel = flow.kernel;
  module.entry = kernel.name + "_entry";
  module.arguments = arguments_of(flow, expressions, written, appended, growth);
  leave_out_unread(module, kernel, flow, names);
  module.sites = shared.sites;
  module.tells_steps = flow.tells_steps;
  const bool interruptible = interruption == Interruption::looked_for,
             takes_fault = interruptible || !shared.sites.empty();
  if (interruptible) kernel.body = c::interruptible(kernel.body);
  take_arguments(kernel, module, takes_fault, flow, names);
  for (const std::string& helper : tensor_helpers) prelude.use_tensors(helper);
  const std::vector<c::Function> parts = apart(kernel, flow);
  functions.insert(functions.end(), parts.begin(), parts.end());
  module.shown = c::print(functions);
  module.source = prelude.text() + "\n" + kept_apart(module.shown.characters, functions, parts.size() - 1) + "\n" +
                  adapter(module, takes_fault, functions.back(), flow);
  return module;
}

}  // namespace trellis::emit
