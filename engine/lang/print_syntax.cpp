// Statements back to text, in normal form: one statement a line, two blanks for each level of nesting.

#include "engine/lang/print_syntax.hpp"
#include "engine/lang/parse.hpp"

namespace trellis::lang {

using namespace syntax;
using text::TextBuilder;

namespace {

template <class Node>
text::NodeId id_of(const text::Handle<Node>& handle) {
  return {text::Stage::source, handle.id()};
}

void print_options(TextBuilder& out, const Options& options) {
  if (options.values.empty()) return;
  out << '(';
  for (std::size_t i = 0; i < options.values.size(); ++i) out << (i ? ", " : "") << options.values[i].text;
  out << ')';
}

void print_levels(TextBuilder& out, const std::vector<LevelSpec>& levels) {
  out << '{';
  for (std::size_t i = 0; i < levels.size(); ++i) {
    out << (i ? ", " : "") << levels[i].name.text;
    print_options(out, levels[i].options);
  }
  out << '}';
}

void print_names(TextBuilder& out, const std::vector<Name>& names) {
  out << '(';
  for (std::size_t i = 0; i < names.size(); ++i) out << (i ? ", " : "") << names[i].text;
  out << ')';
}

/// `{ items }`, one item a line.
template <class Items, class PrintOne>
void print_braced(TextBuilder& out, const Items& items, PrintOne print_one) {
  if (items.empty()) {
    out << "{ }";
    return;
  }
  out << '{';
  out.indent();
  for (const auto& item : items) {
    out.newline();
    print_one(item);
  }
  out.dedent();
  out.newline();
  out << '}';
}

/// One overload for every node; the recursion goes through the handles, which open their spans.
class StatementPrinter {
 public:
  explicit StatementPrinter(TextBuilder& out) : out_(out) {}

  void operator()(const Statement& statement) { spanned(statement); }
  void operator()(const Action& action) { spanned(action); }
  void operator()(const Step& step) { spanned(step); }

  void operator()(const TensorDecl& tensor) {
    out_ << "tensor " << tensor.name.text;
    if (!tensor.shape.empty()) print_tuple(out_, tensor.shape, Spacing::wide);
    if (!tensor.attributes.empty()) out_ << ':';
    for (const Attribute& attribute : tensor.attributes) {
      out_ << ' ';
      std::visit(*this, attribute);
    }
  }
  void operator()(const NamedAttribute& attribute) {
    out_ << attribute.name.text;
    print_options(out_, attribute.options);
  }
  void operator()(const LevelsAttribute& attribute) { print_levels(out_, attribute.levels); }
  void operator()(const OrderAttribute& attribute) {
    out_ << "@ ";
    print_tuple(out_, attribute.dimensions, Spacing::wide);
  }
  void operator()(const FillAttribute& attribute) {
    out_ << "fill ";
    print(out_, attribute.value.value);
  }
  void operator()(const OverAttribute& attribute) {
    out_ << "over (";
    for (std::size_t d = 0; d < attribute.dimensions.size(); ++d)
      out_ << (d ? ", " : "") << (attribute.dimensions[d] ? attribute.dimensions[d]->text : ":");
    out_ << ')';
  }
  void operator()(const RanksDecl& ranks) {
    out_ << "ranks";
    for (const RanksDecl::Dimension& dimension : ranks.dimensions) {
      out_ << ' ' << dimension.name.text;
      if (dimension.count) out_ << "(" << std::to_string(*dimension.count) << ")";
    }
  }
  void operator()(const ParamDecl& param) {
    out_ << "param " << param.name.text << " = ";
    print(out_, param.value);
  }
  void operator()(const LayoutDecl& layout) {
    out_ << "layout " << layout.name.text;
    if (!layout.parameters.empty()) print_names(out_, layout.parameters);
    out_ << ": ";
    print_tuple(out_, layout.from, Spacing::wide);
    out_ << " -> ";
    print_tuple(out_, layout.to, Spacing::wide);
    out_ << ' ';
    print_levels(out_, layout.levels);
    print_constraints(layout.constraints);
  }

  void operator()(const Equation& equation) {
    print(out_, equation.left);
    out_ << " = ";
    print(out_, equation.right);
    print_constraints(equation.constraints);
  }
  void operator()(const Constraint& constraint) {
    print_sum(out_, constraint.sides.front());
    for (std::size_t i = 0; i < constraint.relations.size(); ++i) {
      out_ << ' ' << math::symbol(constraint.relations[i]) << ' ';
      print_sum(out_, constraint.sides[i + 1]);
    }
  }
  void operator()(const Until& until) {
    out_ << "until ";
    print(out_, until.condition);
  }
  void operator()(const Loops& loops) {
    out_ << "loops ";
    (*this)(loops.body);
  }
  void operator()(const Kernel& kernel) {
    out_ << "kernel " << kernel.name.text << ' ';
    print_braced(out_, kernel.statements, *this);
  }
  void operator()(const Command& command) {
    out_ << command.name.text;
    for (const Word& word : command.words) {
      if (!word.joined) out_ << ' ';
      if (word.kind == Word::Kind::string) print_string(out_, word.text);
      else out_ << word.text;
    }
  }

  void operator()(const Definition& definition) {
    out_ << "def " << definition.name.text;
    print_names(out_, definition.parameters);
    if (const auto* value = std::get_if<Expr>(&definition.body)) {
      out_ << " = ";
      print(out_, *value);
      return;
    }
    out_ << ' ';
    using Parts = std::vector<std::variant<Clause, Property>>;
    print_braced(out_, std::get<Parts>(definition.body), [this](const auto& part) { std::visit(*this, part); });
  }
  void operator()(const Clause& clause) {
    for (std::size_t i = 0; i < clause.patterns.size(); ++i) {
      if (i) out_ << ", ";
      std::visit(text::overloaded{[&](const Name& name) { out_ << name.text; },
                                  [&](const Literal& literal) { print(out_, literal.value); }},
                 clause.patterns[i].is);
    }
    out_ << " => ";
    if (const auto* value = std::get_if<Expr>(&clause.result)) print(out_, *value);
    else (*this)(std::get<Body>(clause.result));
  }
  void operator()(const Property& property) {
    out_ << property.name.text;
    if (!property.value) return;
    out_ << ' ';
    print_bitor(out_, *property.value);
    if (property.at) out_ << ' ' << property.at->text << ' ' << property.position;
    if (!property.result) return;
    out_ << " => ";
    print(out_, property.result->value);
  }
  void operator()(const Body& body) { print_braced(out_, body.steps, *this); }
  void operator()(const StepWhile& step) { guarded("while ", step.condition, step.body); }
  void operator()(const StepIf& step) {
    guarded("if ", step.condition, step.then);
    if (!step.otherwise) return;
    out_ << " else ";
    (*this)(*step.otherwise);
  }
  void operator()(const StepAssign& step) {
    out_ << step.name.text << " = ";
    print(out_, step.value);
  }
  void operator()(const StepValue& step) { print(out_, step.value); }

  void operator()(const Block& block) { print_braced(out_, block.actions, *this); }
  void operator()(const For& loop) {
    out_ << (loop.forall ? "forall " : "for ");
    for (std::size_t i = 0; i < loop.variables.size(); ++i) {
      if (i) out_ << ", ";
      (*this)(loop.variables[i]);
    }
    for (const LoopMark& mark : loop.marks) (*this)(mark);
    out_ << ' ';
    (*this)(loop.body);
  }
  void operator()(const LoopVariable& variable) {
    out_ << variable.name.text << (variable.down ? " down" : "");
    if (!variable.low) return;
    out_ << " in ";
    print_sum(out_, *variable.low);
    out_ << ':';
    print_sum(out_, *variable.high);
  }
  void operator()(const LoopMark& mark) {
    switch (mark.kind) {
      case LoopMark::Kind::reduces: out_ << " reduces " << mark.name.text; break;
      case LoopMark::Kind::parallel: out_ << " parallel"; break;
      case LoopMark::Kind::unroll: out_ << " unroll " << mark.count; break;
      case LoopMark::Kind::jam: out_ << " jam " << mark.count; break;
      case LoopMark::Kind::registers: out_ << " registers"; break;
      case LoopMark::Kind::vectorize:
        out_ << " vectorize";
        if (mark.count > 0) out_ << ' ' << mark.count;
        break;
      case LoopMark::Kind::until:
        out_ << " until ";
        print(out_, *mark.condition);
        break;
    }
  }
  void operator()(const While& loop) { guarded("while ", loop.condition, loop.body); }
  void operator()(const If& branch) {
    guarded("if ", branch.condition, branch.then);
    if (!branch.otherwise) return;
    out_ << " else ";
    (*this)(*branch.otherwise);
  }
  void operator()(const Let& let) {
    out_ << "let ";
    for (std::size_t i = 0; i < let.bindings.size(); ++i) {
      out_ << (i ? ", " : "") << let.bindings[i].first.text << " = ";
      print(out_, let.bindings[i].second);
    }
    out_ << ' ';
    (*this)(let.body);
  }
  void operator()(const Lifecycle& change) { out_ << (change.thaw ? "thaw " : "freeze ") << change.tensor.text; }
  void operator()(const Assign& assign) {
    print(out_, assign.target);
    out_ << ' ' << assign.update;
    if (assign.argument) {
      out_ << '(';
      print(out_, *assign.argument);
      out_ << ')';
    }
    out_ << (assign.update.back() == '=' ? " " : "= ");
    print(out_, assign.value);
  }

 private:
  void print_constraints(const std::vector<Constraint>& constraints) {
    for (std::size_t i = 0; i < constraints.size(); ++i) {
      out_ << (i ? ", " : " : ");
      (*this)(constraints[i]);
    }
  }
  template <class Node>
  void spanned(const text::Handle<Node>& node) {
    const TextBuilder::Scope scope(out_, id_of(node), node.origin());
    std::visit(*this, node->is);
  }
  template <class Inner>
  void guarded(std::string_view word, const Expr& condition, const Inner& inner) {
    out_ << word;
    print(out_, condition);
    out_ << ' ';
    (*this)(inner);
  }

  TextBuilder& out_;
};

}  // namespace

text::Text print(const File& file) {
  TextBuilder out;
  StatementPrinter printer(out);
  for (const Statement& statement : file.statements) {
    printer(statement);
    out.newline();
  }
  return out.take();
}

std::string to_string(const Expr& expr) {
  TextBuilder out;
  print(out, expr);
  return out.take().characters;
}

std::string to_string(const Statement& statement) {
  TextBuilder out;
  StatementPrinter{out}(statement);
  return out.take().characters;
}

}  // namespace trellis::lang
