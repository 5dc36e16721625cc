#include <algorithm>

#include "engine/flow/level_text.hpp"
#include "engine/flow/print_declarations.hpp"
#include "engine/flow/print_expr.hpp"

namespace trellis::flow {
namespace {

class Printer : public ExprPrinter {
 public:
  using ExprPrinter::ExprPrinter;

  void statement(const Stmt& stmt) {
    text::TextBuilder::Scope scope(out_, {text::Stage::flow, stmt.id()}, stmt.origin());
    stmt.match([&](const Seq& s) { s.statements.size() == 1 ? block(stmt, s) : lines(s); },
               [&](const Loop& l) { loop(l); }, [&](const Coiterate& c) { coiterate(c); },
               [&](const Test& t) {
                 out_ << (t.certain ? "since " : "if ") << t.cursor << " here";
                 body(t.then);
                 if (!t.otherwise) return;
                 out_.newline();
                 out_ << "else";
                 body(*t.otherwise);
               },
               [&](const Locate& l) {
                 out_ << "locate " << l.name << (l.several ? "…" : "") << name_of(l.near);
                 how(l);
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
                 out_ << " = ";
                 expr(a.value, a.value->type);
                 if (a.prune) out_ << " unless it is the fill";
               },
               [&](const Scatter& c) {
                 out_ << "scatter " << c.tensor;
                 counting(c.counting);
                 body(c.body);
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
                 expr(r.value, r.value->type);
               },
               [&](const Assign& a) {
                 if (a.atomic) out_ << "atomic ";
                 element(a.tensor, a.position);
                 out_ << ' ' << (a.op ? format::update_symbol(*a.op) : std::string_view("=")) << ' ';
                 expr(a.value, a.value->type);
               },
               [&](const Await& a) {
                 out_ << "await " << a.loop << " at ";
                 expr(a.coordinate);
               },
               [&](const Exchange& e) {
                 out_ << "exchange " << format::name_of(e.call) << ' ' << std::to_string(e.number) << " of "
                      << e.tensor;
                 for (std::size_t k = 0; k < e.keys.size(); ++k) {
                   out_ << (k ? ", " : " at ");
                   expr(e.keys[k]);
                 }
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
    merge_path(c.merge_path);
    reduces(c.reduces, c.partials);
    if (c.execution == Loop::Execution::vector) out_ << " vector";
    carries(c.carries);
    if (c.carried) out_ << " carried";
    if (!c.streamed.empty()) out_ << " streams";
    for (const format::Array array : c.streamed) out_ << ' ' << array_text(array);
    if (c.unroll > 1) out_ << " unroll " << static_cast<std::int64_t>(c.unroll);
    if (c.in_pairs) out_ << " in pairs";
    unless(c.unless);
    if (c.asks_every > 1) out_ << " every " << c.asks_every;
    out_.indent();
    for (const Cursor& cursor : c.cursors) {
      out_.newline();
      out_ << (cursor.role == Cursor::Role::lead ? "lead " : "follow ") << cursor.name << " at ";
      walked(cursor);
      if (!cursor.unmoved()) coordinate(c.variable, cursor);
      exists(cursor.exists);
      marks(cursor);
    }
    if (c.ahead) ahead(*c.ahead);
    for (const Coiterate::Point& point : c.points) {
      out_.newline();
      out_ << (point.leads.empty() ? "each" : point.any && point.leads.size() == 1 ? "while any" : "while");
      for (std::size_t k = 0; k < point.leads.size(); ++k)
        out_ << (k == 0      ? " "
                 : point.any ? " or "
                             : " and ")
             << c.cursors[static_cast<std::size_t>(point.leads[k])].name;
      followers(c.cursors, point);
      if (point.together) out_ << " together";
      if (point.regions) out_ << " by regions " << point.regions->first << ".." << point.regions->last;
      counting(c.counting);
      body(point.body);
    }
    out_.dedent();
  }

  /// Leads that follow at the point, and followers that do not.
  void followers(const std::vector<Cursor>& cursors, const Coiterate::Point& point) {
    for (std::size_t k = 0; k < cursors.size(); ++k) {
      const bool usually = cursors[k].role == Cursor::Role::follow;
      const bool here = std::ranges::find(point.follows, static_cast<int>(k)) != point.follows.end();
      if (here != usually) out_ << ", " << cursors[k].name << (here ? " follows" : " rests");
    }
  }

  /// What a walk is known to meet, and how it goes on.
  void marks(const Cursor& cursor) {
    if (cursor.full) out_ << " full";
    if (cursor.below || cursor.above)
      out_ << " clipped" << (cursor.above ? "" : " below") << (cursor.below ? "" : " above");
    using Find = Cursor::Find;
    if (cursor.find != Find::chosen)
      out_ << (cursor.find == Find::merge ? " by merge" : cursor.find == Find::scan ? " by scan" : " by gallop");
    bound(" from ", cursor.from);
    bound(" to ", cursor.to);
    if (cursor.unsorted) out_ << " in any order";
  }

  void bound(const char* which, const std::optional<Cursor::Bound>& bound) {
    if (bound) out_ << which << (bound->past ? "past " : "") << bound->look_up << (bound->there ? " there" : "");
  }

  /// ` = find A.2`, ` = march A_next again in A.2`, ` = table[i] in A.2`
  void how(const Locate& l) {
    out_ << " = ";
    if (l.searches()) {
      out_ << "find ";
    } else if (l.held) {
      out_ << l.held->array << '[';
      expr(l.held->index);
      out_ << "] in ";
    } else {
      out_ << "march " << l.march << (l.returns ? " again in " : " in ");
    }
  }

  static std::string_view name_of(Locate::Near near) {
    return near == Locate::Near::no      ? ""
           : near == Locate::Near::first ? " with what is near"
                                         : " with what is near the end";
  }

  void merge_path(const std::optional<MergePath>& path) {
    if (!path) return;
    out_ << " by ";
    level(path->tensor, path->level);
  }

  void level(const std::string& tensor, int number) { out_ << tensor << '.' << static_cast<std::int64_t>(number + 1); }

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
    for (const Lists& lists : l.lists) {
      out_ << (&lists == &l.lists.front() ? " lists " : ", ") << lists.name << " of ";
      level(lists.tensor, lists.level);
    }
  }

  void carries(const std::vector<Carry>& all) {
    for (const Carry& carry : all) {
      out_ << (&carry == &all.front() ? " carries " : ", ") << carry.cursor << " at ";
      level(carry.tensor, carry.level);
    }
  }

  /// `, i = 3 - stored`, `, i = (0 + stored) / 2`, `, i = 0 + 2*stored + 0:2`.
  void coordinate(const std::string& variable, const Cursor& cursor) {
    out_ << ", " << variable << (cursor.stride > 1 ? " = (" : " = ");
    expr(cursor.offset, format::precedence(format::BinaryOp::add));
    out_ << (cursor.reversed ? " - " : " + ");
    const bool several = cursor.stretch > 1;
    if (several) out_ << (cursor.reversed ? "(" : "") << cursor.stretch << "*";
    out_ << "stored";
    if (several) out_ << " + 0:" << cursor.stretch << (cursor.reversed ? ")" : "");
    if (cursor.stride > 1) out_ << ") / " << cursor.stride;
    if (cursor.takes_segments()) out_ << ", segments of " << cursor.width;
  }

  void lines(const Seq& seq) {
    if (seq.statements.empty()) out_ << "pass";
    for (std::size_t k = 0; k < seq.statements.size(); ++k) {
      if (k > 0) out_.newline();
      if (const auto* inner = seq.statements[k].as<Seq>()) block(seq.statements[k], *inner);
      else statement(seq.statements[k]);
    }
  }

  /// A sequence within one, or of a single statement: what is declared in it ends with it.
  void block(const Stmt& stmt, const Seq& seq) {
    out_ << "block";
    out_.indent();
    out_.newline();
    text::TextBuilder::Scope scope(out_, {text::Stage::flow, stmt.id()}, stmt.origin());
    lines(seq);
    out_.dedent();
  }

  void body(const Stmt& stmt) {
    out_.indent();
    out_.newline();
    statement(stmt);
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
    merge_path(l.merge_path);
    if (l.execution == Loop::Execution::vector) out_ << " vector";
    if (l.lanes > 1)
      out_ << (l.execution == Loop::Execution::vector ? " " : " lanes ") << static_cast<std::int64_t>(l.lanes);
    reduces(l.reduces, l.partials);
    if (l.unroll > 1) out_ << " unroll " << static_cast<std::int64_t>(l.unroll);
    if (l.jam > 1) out_ << " jam " << static_cast<std::int64_t>(l.jam);
    if (l.registers) out_ << " registers";
    for (const std::string& tensor : l.closes) out_ << (&tensor == &l.closes.front() ? " closes " : ", ") << tensor;
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

void define(text::TextBuilder& out, const Function& function) {
  signature(out, function);
  out.indent();
  out.newline();
  for (const Stmt& statement : function.body.as<Seq>()->statements) {
    Printer(out).statement(statement);
    out.newline();
  }
  out << "value ";
  print(out, function.result);
  out.dedent();
  out.newline();
}

}  // namespace

text::Text print(const Flow& flow) {
  text::TextBuilder out;
  if (flow.kernel != usual_kernel) {
    out << "kernel " << flow.kernel;
    out.newline();
  }
  for (const std::string& size : flow.sizes) {
    out << "size " << size;
    out.newline();
  }
  for (const std::string& real : flow.reals) {
    out << "real " << real;
    out.newline();
  }
  if (flow.tells_steps) {
    out << "tells steps";
    out.newline();
  }
  for (const Tensor& tensor : flow.tensors) declare(out, tensor);
  for (const PositionMap& map : flow.maps) {
    out << "map " << map.name << " from " << map.from << " to " << map.to;
    out.newline();
  }
  for (const Function& function : flow.functions) define(out, function);
  Printer(out).statement(flow.root);
  out.newline();
  return out.take();
}

}  // namespace trellis::flow
