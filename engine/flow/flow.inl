#pragma once
// Children of each control-flow node, enumerated once.

namespace trellis::flow {

template <class OnExpr>
Position map_children(const Position& position, OnExpr&& on_expr) {
  return position.match(
      [&](const Root&) { return position; },
      [&](const Direct& d) {
        Position parent = map_children(d.parent, on_expr);
        Expr coordinate = on_expr(d.coordinate);
        if (parent.same(d.parent) && coordinate.same(d.coordinate)) return position;
        return Position(PositionNode{Direct{d.tensor, d.level, parent, coordinate, d.check}}, position.origin(),
                        position.id());
      },
      [&](const At&) { return position; },
      [&](const Within& w) {
        Expr coordinate = on_expr(w.coordinate);
        if (coordinate.same(w.coordinate)) return position;
        return Position(PositionNode{Within{w.tensor, w.level, w.name, coordinate}}, position.origin(), position.id());
      });
}

template <class OnExpr>
Expr map_children(const Expr& expr, OnExpr&& on_expr) {
  bool changed = false;
  auto go = [&](const Expr& child) {
    Expr next = on_expr(child);
    changed |= !next.same(child);
    return next;
  };
  auto rebuild = [&](auto node) {
    return changed ? Expr(ExprNode{std::move(node), expr->type, expr->span}, expr.origin(), expr.id()) : expr;
  };
  return expr.match(
      [&](const Constant&) { return expr; }, [&](const Name&) { return expr; },
      [&](const Value& v) {
        Position position = map_children(v.position, go);
        return rebuild(Value{v.tensor, position});
      },
      [&](const Here&) { return expr; },
      [&](const Unary& u) {
        Expr operand = go(u.operand);
        return rebuild(Unary{u.op, operand});
      },
      [&](const Binary& b) {
        Expr left = go(b.left);
        Expr right = go(b.right);
        return rebuild(Binary{b.op, left, right});
      },
      [&](const Select& s) {
        Expr condition = go(s.condition);
        Expr then = go(s.then);
        Expr otherwise = go(s.otherwise);
        return rebuild(Select{condition, then, otherwise});
      },
      [&](const Cast& c) {
        Expr operand = go(c.operand);
        return rebuild(Cast{operand});
      },
      [&](const Call& c) {
        Call next{c.function, {}};
        for (const Expr& argument : c.arguments) next.arguments.push_back(go(argument));
        return rebuild(std::move(next));
      },
      [&](const Apply& a) {
        Apply next{a.function, {}};
        for (const Expr& argument : a.arguments) next.arguments.push_back(go(argument));
        return rebuild(std::move(next));
      },
      [&](const After& a) {
        Expr first = go(a.first);
        Expr value = go(a.value);
        return rebuild(After{first, value});
      },
      [&](const Checked& c) {
        Expr coordinate = go(c.coordinate);
        return rebuild(Checked{c.tensor, c.level, coordinate, c.check});
      },
      [&](const Stored&) { return expr; });
}

template <class OnStmt, class OnExpr>
Stmt map_children(const Stmt& stmt, OnStmt&& on_stmt, OnExpr&& on_expr) {
  bool changed = false;
  auto expr = [&](const Expr& child) {
    Expr next = on_expr(child);
    changed |= !next.same(child);
    return next;
  };
  auto child = [&](const Stmt& inner) {
    Stmt next = on_stmt(inner);
    changed |= !next.same(inner);
    return next;
  };
  auto rebuild = [&](auto node) {
    return changed ? Stmt(StmtNode{std::move(node), stmt->span}, stmt.origin(), stmt.id()) : stmt;
  };
  return stmt.match(
      [&](const Seq& s) {
        Seq next;
        for (const Stmt& inner : s.statements) next.statements.push_back(child(inner));
        return rebuild(std::move(next));
      },
      [&](const Loop& l) {
        Loop next = l;
        next.low = expr(l.low);
        next.high = expr(l.high);
        if (l.unless) next.unless = expr(*l.unless);
        if (l.among) next.among->coordinate = expr(l.among->coordinate);
        if (l.counting) next.counting = child(*l.counting);
        next.body = child(l.body);
        if (l.until) next.until = expr(*l.until);
        return rebuild(std::move(next));
      },
      [&](const Coiterate& c) {
        Coiterate next = c;
        next.low = expr(c.low);
        next.high = expr(c.high);
        if (c.unless) next.unless = expr(*c.unless);
        for (Cursor& cursor : next.cursors) {
          cursor.parent = map_children(cursor.parent, expr);
          if (cursor.exists) cursor.exists = expr(*cursor.exists);
          cursor.offset = expr(cursor.offset);
        }
        if (next.ahead)
          for (Ahead::Row& row : next.ahead->rows) {
            Position position = map_children(row.position, expr);
            changed |= !position.same(row.position);
            row.position = position;
          }
        if (c.counting) next.counting = child(*c.counting);
        for (Coiterate::Point& point : next.points) point.body = child(point.body);
        return rebuild(std::move(next));
      },
      [&](const Test& t) {
        Test next = t;
        next.then = child(t.then);
        if (t.otherwise) next.otherwise = child(*t.otherwise);
        return rebuild(std::move(next));
      },
      [&](const Locate& l) {
        Locate next = l;
        next.parent = map_children(l.parent, expr);
        next.coordinate = expr(l.coordinate);
        if (l.exists) next.exists = expr(*l.exists);
        if (l.held) next.held->index = expr(l.held->index);
        next.body = child(l.body);
        return rebuild(std::move(next));
      },
      [&](const Tabulate& t) {
        Tabulate next = t;
        next.parent = map_children(t.parent, expr);
        next.body = child(t.body);
        return rebuild(std::move(next));
      },
      [&](const Insert& i) {
        Insert next = i;
        next.parent = map_children(i.parent, expr);
        next.coordinate = expr(i.coordinate);
        next.body = child(i.body);
        return rebuild(std::move(next));
      },
      [&](const While& w) {
        Expr condition = expr(w.condition);
        Stmt body = child(w.body);
        return rebuild(While{condition, body});
      },
      [&](const If& i) {
        If next = i;
        next.condition = expr(i.condition);
        next.then = child(i.then);
        if (i.otherwise) next.otherwise = child(*i.otherwise);
        return rebuild(std::move(next));
      },
      [&](const Let& l) {
        Expr value = expr(l.value);
        Stmt body = child(l.body);
        return rebuild(Let{l.name, value, body});
      },
      [&](const Declare&) { return stmt; },
      [&](const Reset& r) {
        Expr value = expr(r.value);
        return rebuild(Reset{r.tensor, value});
      },
      [&](const Assign& a) {
        Assign next = a;
        next.position = map_children(a.position, expr);
        next.value = expr(a.value);
        return rebuild(std::move(next));
      },
      [&](const Freeze&) { return stmt; },
      [&](const Append& a) {
        Append next = a;
        for (Expr& coordinate : next.coordinates) coordinate = expr(coordinate);
        for (std::optional<Expr>& last : next.through)
          if (last) last = expr(*last);
        next.value = expr(a.value);
        return rebuild(std::move(next));
      },
      [&](const Await& a) {
        Expr coordinate = expr(a.coordinate);
        return rebuild(Await{a.loop, coordinate});
      },
      [&](const Note&) { return stmt; });
}

template <class Visit>
void for_each_stmt(const Stmt& stmt, Visit&& visit) {
  visit(stmt);
  map_children(stmt,
               [&](const Stmt& child) {
                 for_each_stmt(child, visit);
                 return child;
               },
               [](const Expr& expr) { return expr; });
}

}  // namespace trellis::flow
