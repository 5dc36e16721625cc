#include "engine/loop/print.hpp"

namespace trellis::loop {

namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += (all.empty() ? "" : ", ") + part;
  return all;
}

/// What nobody needs to say is left out.
std::string storage_of(const format::Format& format) {
  return format::same_storage(format, format::Format::dense(format.rank())) ? "" : format::to_string(format);
}

class Printer {
 public:
  explicit Printer(text::Stage stage) : stage_(stage) {}

  void statement(const Stmt& stmt) {
    text::TextBuilder::Scope scope(out_, {stage_, stmt.id()}, stmt.origin());
    stmt.match([&](const Block& b) { braces(b); }, [&](const For& f) { loop(f); },
               [&](const While& w) {
                 out_ << "while ";
                 expr(w.condition);
                 out_ << ' ';
                 body(w.body);
               },
               [&](const If& i) {
                 out_ << "if ";
                 expr(i.condition);
                 out_ << ' ';
                 body(i.then);
                 if (i.otherwise) otherwise(*i.otherwise);
               },
               [&](const Let& l) {
                 out_ << "let " << l.name << " = ";
                 expr(l.value);
                 out_ << ' ';
                 body(l.body);
               },
               [&](const Declare& d) { out_ << loop::to_string(d.tensor); },
               [&](const Assign& a) {
                 expr(a.target);
                 out_ << ' ' << (a.op ? format::update_symbol(*a.op) : std::string_view("=")) << ' ';
                 expr(a.value);
               },
               [&](const Reset& r) {
                 out_ << r.tensor << " .= ";
                 expr(r.value);
               },
               [&](const Lifecycle& l) { out_ << (l.thaw ? "thaw " : "freeze ") << l.tensor; },
               [&](const Exchange& e) { exchange(e); }, [&](const Note& n) { out_ << "# " << n.text; });
  }

  void lines(const Block& block) {
    for (const Stmt& stmt : block.statements) {
      statement(stmt);
      out_.newline();
    }
  }

  text::TextBuilder& out() { return out_; }

 private:
  void expr(const Expr& e) { lang::print(out_, e); }

  void exchange(const Exchange& e) {
    out_ << "exchange " << format::name_of(e.call) << ' ' << std::to_string(e.number) << " of " << e.tensor;
    for (std::size_t k = 0; k < e.keys.size(); ++k) {
      out_ << (k ? ", " : " at ");
      expr(e.keys[k]);
    }
  }

  void braces(const Block& block, const std::string& note = "") {
    if (block.statements.empty()) {
      out_ << "{ }";
      return;
    }
    out_ << "{";
    out_.newline();
    out_.indent();
    if (!note.empty()) {
      out_ << "# " << note;
      out_.newline();
    }
    lines(block);
    out_.dedent();
    out_ << "}";
  }

  void body(const Stmt& stmt, const std::string& note = "") {
    text::TextBuilder::Scope scope(out_, {stage_, stmt.id()}, stmt.origin());
    braces(*stmt.as<Block>(), note);
  }

  /// A lone if behind `else` needs no braces.
  void otherwise(const Stmt& stmt) {
    out_ << " else ";
    const auto& inner = stmt.as<Block>()->statements;
    if (inner.size() == 1 && inner.front().as<If>()) {
      text::TextBuilder::Scope scope(out_, {stage_, stmt.id()}, stmt.origin());
      statement(inner.front());
    } else {
      body(stmt);
    }
  }

  void loop(const For& f) {
    out_ << (f.kind == For::Kind::forall ? "forall " : "for ") << f.variable << (f.descending ? " down" : "") << " in ";
    expr(f.low);
    out_ << ':';
    expr(f.high);
    for (const std::string& name : f.reduces) out_ << " reduces " << name;
    if (f.execution == For::Execution::parallel) out_ << " parallel";
    if (!f.deals_out.empty()) out_ << " by " << f.deals_out;
    if (f.unroll > 1) out_ << " unroll " << static_cast<std::int64_t>(f.unroll);
    if (f.jam > 1) out_ << " jam " << static_cast<std::int64_t>(f.jam);
    if (f.registers) out_ << " registers";
    if (f.execution == For::Execution::vectorized) out_ << " vectorize";
    if (f.lanes > 1) out_ << ' ' << static_cast<std::int64_t>(f.lanes);
    for (const lang::Schedule::Find& find : f.finds) out_ << ' ' << lang::to_string(find);
    if (f.until) {
      out_ << " until ";
      expr(*f.until);
    }
    out_ << ' ';
    body(f.body, f.awaits.empty() ? "" : "when iteration " + f.variable + " of loop " + f.awaits + " is over");
  }

  text::Stage stage_;
  text::TextBuilder out_;
};

}  // namespace

text::Text print(const Stmt& stmt, text::Stage stage) {
  Printer printer(stage);
  if (auto* top = stmt.as<Block>()) {
    text::TextBuilder::Scope scope(printer.out(), {stage, stmt.id()}, stmt.origin());
    printer.lines(*top);
  } else {
    printer.statement(stmt);
    printer.out().newline();
  }
  return printer.out().take();
}

std::string to_string(const Stmt& stmt) { return print(stmt).characters; }

std::string to_string(const lang::TensorInfo& tensor) {
  std::string line = "tensor " + tensor.name;
  std::vector<std::string> sizes;
  for (const math::Affine& size : tensor.shape) sizes.push_back(math::to_string(size));
  if (!sizes.empty()) line += "(" + joined(sizes) + ")";
  line += ":";
  const format::Value zero = format::cast(tensor.type, format::Value::of_integer(format::ScalarType::i64, 0));
  for (const std::string& attribute :
       {storage_of(tensor.format), std::string(format::name_of(tensor.type)),
        tensor.fill == zero ? std::string() : "fill " + format::to_string(tensor.fill)}) {
    if (!attribute.empty()) line += " " + attribute;
  }
  return line;
}

}  // namespace trellis::loop
