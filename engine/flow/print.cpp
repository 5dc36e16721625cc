#include <algorithm>

#include "engine/flow/print_expr.hpp"
#include "engine/format/storage_order.hpp"

namespace trellis::flow {

namespace {

class Printer : public ExprPrinter {
 public:
  using ExprPrinter::ExprPrinter;

  void statement(const Stmt& stmt) {
    text::TextBuilder::Scope scope(out_, {text::Stage::cfir, stmt.id()}, stmt.origin());
    stmt.match([&](const Seq& s) { lines(s); }, [&](const Loop& l) { loop(l); },
               [&](const Coiterate& c) { coiterate(c); },
               [&](const Test& t) {
                 if (t.certain) return statement(t.then);
                 out_ << "if " << t.cursor << " here";
                 body(t.then);
                 if (!t.otherwise) return;
                 out_.newline();
                 out_ << "else";
                 body(*t.otherwise);
               },
               [&](const Locate& l) {
                 out_ << "locate " << l.name << (l.near == Locate::Near::no ? "" : " with what is near")
                      << (l.searches() ? " = find "
                          : l.held     ? " = "
                          : l.returns  ? " = march again "
                                       : " = march ");
                 if (l.held) {
                   out_ << l.held->array << '[';
                   expr(l.held->index);
                   out_ << "] in ";
                 }
                 place(l.tensor, l.level, l.parent);
                 out_ << " at ";
                 expr(l.coordinate);
                 if (l.check) out_ << " checked";
                 if (l.certain) out_ << " there";
                 exists(l.exists);
                 body(l.body);
               },
               [&](const Tabulate& t) {
                 out_ << "tabulate " << t.name << " of ";
                 place(t.tensor, t.level, t.parent);
                 if (!t.map.empty()) out_ << " in map " << t.map;
                 body(t.body);
               },
               [&](const Insert& i) {
                 out_ << "insert " << i.name << " into ";
                 place(i.tensor, i.level, i.parent);
                 out_ << " at ";
                 expr(i.coordinate);
                 if (i.check) out_ << " checked";
                 body(i.body);
               },
               [&](const Freeze& f) { out_ << "freeze " << f.tensor; },
               [&](const Append& a) {
                 out_ << (a.counted ? "count " : "append ") << a.tensor << '(';
                 for (std::size_t k = 0; k < a.coordinates.size(); ++k) {
                   if (k > 0) out_ << ", ";
                   expr(a.coordinates[k]);
                   if (k >= a.through.size() || !a.through[k]) continue;
                   out_ << " through ";
                   expr(*a.through[k]);
                 }
                 out_ << ')';
                 if (a.counted && !a.prune) return;
                 out_ << " = ";
                 expr(a.value);
                 if (a.prune) out_ << " unless it is the fill";
               },
               [&](const While& w) {
                 out_ << "while ";
                 expr(w.condition);
                 body(w.body);
               },
               [&](const If& i) {
                 out_ << "if ";
                 expr(i.condition);
                 body(i.then);
                 if (!i.otherwise) return;
                 out_.newline();
                 out_ << "else";
                 body(*i.otherwise);
               },
               [&](const Let& l) {
                 out_ << "let " << l.name << " = ";
                 expr(l.value);
                 body(l.body);
               },
               [&](const Declare& d) { out_ << "declare " << d.tensor; },
               [&](const Reset& r) {
                 out_ << "reset " << r.tensor << " = ";
                 expr(r.value);
               },
               [&](const Assign& a) {
                 if (a.atomic) out_ << "atomic ";
                 element(a.tensor, a.position);
                 out_ << ' ' << (a.op ? format::update_symbol(*a.op) : std::string_view("=")) << ' ';
                 expr(a.value);
               },
               [&](const Await& a) {
                 out_ << "await " << a.loop << " at ";
                 expr(a.coordinate);
               },
               [&](const Note& n) { out_ << "# " << n.text; });
  }

 private:
  void exists(const std::optional<Expr>& condition) {
    if (!condition) return;
    out_ << " if ";
    expr(*condition);
  }

  void unless(const std::optional<Expr>& over) {
    if (!over) return;
    out_ << " unless ";
    expr(*over);
  }

  void coiterate(const Coiterate& c) {
    out_ << "coiterate " << c.variable << (c.direction == Loop::Direction::down ? " down in " : " in ");
    expr(c.low);
    out_ << ':';
    expr(c.high);
    if (c.execution == Loop::Execution::parallel) out_ << " parallel";
    dealt(c.dealt);
    reduces(c.reduces, c.partials);
    carries(c.carries);
    if (c.carried) out_ << " carried";
    if (!c.streamed.empty()) out_ << " streams";
    for (const format::Array array : c.streamed) out_ << (array == format::Array::values ? " vals" : " crd");
    if (c.unroll > 1) out_ << " unroll " << static_cast<std::int64_t>(c.unroll);
    if (c.in_pairs) out_ << " in pairs";
    unless(c.unless);
    out_.indent();
    for (const Cursor& cursor : c.cursors) {
      out_.newline();
      out_ << (cursor.role == Cursor::Role::lead ? "lead " : "follow ") << cursor.name << " at ";
      walked(cursor);
      if (!cursor.unmoved()) coordinate(c.variable, cursor);
      exists(cursor.exists);
      if (cursor.unsorted) out_ << " in any order";
    }
    if (c.ahead) ahead(*c.ahead);
    for (const Coiterate::Point& point : c.points) {
      out_.newline();
      out_ << (point.leads.empty() ? "each" : "while");
      for (std::size_t k = 0; k < point.leads.size(); ++k)
        out_ << (k == 0      ? " "
                 : point.any ? " or "
                             : " and ")
             << c.cursors[static_cast<std::size_t>(point.leads[k])].name;
      for (const int k : point.follows) {
        const Cursor& cursor = c.cursors[static_cast<std::size_t>(k)];
        if (cursor.role == Cursor::Role::lead) out_ << ", " << cursor.name << " follows";
      }
      if (point.together) out_ << " together";
      if (point.regions) out_ << " by regions " << point.regions->first << ".." << point.regions->last;
      counting(c.counting);
      body(point.body);
    }
    out_.dedent();
  }

  void dealt(const std::optional<Dealt>& dealt) {
    if (dealt) out_ << " by " << dealt->tensor << '.' << static_cast<std::int64_t>(dealt->level + 1);
  }

  void counting(const std::optional<Stmt>& counts) {
    if (!counts) return;
    out_ << " counting";
    body(*counts);
    out_.newline();
    out_ << "then";
  }

  /// `A.1 below root`, of a product `A.2 below 8*A.1 below root`.
  void walked(const Cursor& cursor) {
    if (!cursor.is_product()) return place(cursor.tensor, cursor.level, cursor.parent);
    const auto level = [&](int l, const math::DigitMap& map) {
      return math::to_string(map, cursor.tensor + '.' + std::to_string(l + 1));
    };
    out_ << level(cursor.level, cursor.own);
    for (std::size_t k = cursor.digits.size(); k-- > 0;) {
      const Cursor::Digit& digit = cursor.digits[k];
      const std::string own = level(digit.level, digit.map);
      out_ << " below " << digit.unit << '*' << (digit.map.is_identity() ? own : '(' + own + ')');
    }
    below(cursor.parent);
  }

  void ahead(const Ahead& ahead) {
    out_.newline();
    out_ << "fetch " << ahead.coordinate << " ahead:";
    for (const Ahead::Row& row : ahead.rows) {
      out_ << ' ';
      element(row.tensor, row.position);
    }
  }

  void reduces(const std::vector<std::string>& tensors, const std::vector<Partial>& partials) {
    for (const std::string& tensor : tensors) {
      out_ << " reduces " << tensor;
      const auto partial = std::ranges::find(partials, tensor, &Partial::tensor);
      if (partial != partials.end()) out_ << " by " << format::update_symbol(partial->op);
    }
  }

  void among(const Loop& l) {
    if (l.among) {
      out_ << " among " << l.among->lists << " at ";
      expr(l.among->coordinate);
      out_ << " as " << l.among->entry;
    }
    if (!l.lists.empty()) out_ << " lists";
    for (const Lists& lists : l.lists) out_ << ' ' << lists.name;
  }

  void carries(const std::vector<Carry>& all) {
    if (!all.empty()) out_ << " carries";
    for (const Carry& carry : all) out_ << ' ' << carry.cursor;
  }

  /// `, i = 3 - stored`, `, i = (0 + stored) / 2`, `, i = 0 + 2*stored + 0:2`.
  void coordinate(const std::string& variable, const Cursor& cursor) {
    out_ << ", " << variable << (cursor.stride > 1 ? " = (" : " = ");
    expr(cursor.offset);
    out_ << (cursor.reversed ? " - " : " + ");
    const bool several = cursor.stretch > 1;
    if (several) out_ << (cursor.reversed ? "(" : "") << cursor.stretch << "*";
    out_ << "stored";
    if (several) out_ << " + 0:" << cursor.stretch << (cursor.reversed ? ")" : "");
    if (cursor.stride > 1) out_ << ") / " << cursor.stride;
    if (cursor.takes_segments()) out_ << ", segments of " << cursor.width;
  }

  void lines(const Seq& seq) {
    for (std::size_t k = 0; k < seq.statements.size(); ++k) {
      if (k > 0) out_.newline();
      statement(seq.statements[k]);
    }
  }

  void body(const Stmt& stmt) {
    out_.indent();
    out_.newline();
    const auto* seq = stmt.as<Seq>();
    if (seq && seq->statements.empty()) {
      out_ << "pass";
    } else {
      statement(stmt);
    }
    out_.dedent();
  }

  void loop(const Loop& l) {
    out_ << "loop " << l.variable << (l.direction == Loop::Direction::down ? " down in " : " in ");
    expr(l.low);
    out_ << ':';
    expr(l.high);
    among(l);
    if (l.by > 1) out_ << " by " << static_cast<std::int64_t>(l.by);
    if (l.after > 1) out_ << " after " << static_cast<std::int64_t>(l.after);
    if (l.execution == Loop::Execution::parallel) out_ << " parallel";
    dealt(l.dealt);
    if (l.execution == Loop::Execution::vector) out_ << " vector";
    if (l.lanes > 1) out_ << ' ' << static_cast<std::int64_t>(l.lanes);
    reduces(l.reduces, l.partials);
    if (l.unroll > 1) out_ << " unroll " << static_cast<std::int64_t>(l.unroll);
    if (l.jam > 1) out_ << " jam " << static_cast<std::int64_t>(l.jam);
    if (!l.closes.empty()) out_ << " closes";
    for (const std::string& tensor : l.closes) out_ << ' ' << tensor;
    carries(l.carries);
    unless(l.unless);
    if (l.asks_every > 1) out_ << " every " << l.asks_every;
    if (l.until) {
      out_ << " until ";
      expr(*l.until);
    }
    counting(l.counting);
    body(l.body);
  }
};

std::string_view name_of(Tensor::Storage storage) {
  switch (storage) {
    case Tensor::Storage::operand: return "operand";
    case Tensor::Storage::result: return "result";
    case Tensor::Storage::temporary: return "temporary";
  }
  return "";
}

void declare(text::TextBuilder& out, const Tensor& tensor) {
  out << name_of(tensor.storage) << ' ' << tensor.name;
  for (const Level& level : tensor.levels)
    out << (level.facts.dense() ? "[" : "{") << to_string(level.size) << (level.facts.dense() ? ']' : '}');
  out << ": " << format::name_of(tensor.type);
  if (!format::is_row_major(tensor)) out << " @ (" << format::order_text(tensor) << ')';
  if (tensor.readable) out << " readable meanwhile";
  if (tensor.live) out << " growing while it is walked";
  if (!tensor.entries_of.empty()) out << " with the entries of " << tensor.entries_of;
  out.newline();
}

}  // namespace

text::Text print(const Flow& flow) {
  text::TextBuilder out;
  for (const std::string& size : flow.sizes) {
    out << "size " << size;
    out.newline();
  }
  for (const std::string& real : flow.reals) {
    out << "real " << real;
    out.newline();
  }
  for (const Tensor& tensor : flow.tensors) declare(out, tensor);
  for (const PositionMap& map : flow.maps) {
    out << "map " << map.name << " from " << map.from << " to " << map.to;
    out.newline();
  }
  for (const Function& function : flow.functions) {
    out << "function " << function.name << '(';
    for (std::size_t i = 0; i < function.parameters.size(); ++i) out << (i ? ", " : "") << function.parameters[i].name;
    out << ')';
    out.indent();
    out.newline();
    const auto* body = function.body.as<Seq>();
    if (body && !body->statements.empty()) {
      Printer(out).statement(function.body);
      out.newline();
    }
    out << "value ";
    print(out, function.result);
    out.dedent();
    out.newline();
  }
  Printer(out).statement(flow.root);
  out.newline();
  return out.take();
}

}  // namespace trellis::flow
