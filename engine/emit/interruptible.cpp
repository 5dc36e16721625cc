#include "engine/emit/interruptible.hpp"

#include <algorithm>
#include <charconv>

#include "engine/emit/blocks.hpp"
#include "engine/emit/shorthand.hpp"

namespace trellis::emit::c {

namespace {

constexpr const char* label = "leave";
constexpr int looked_at = 2;                     // outermost loops
constexpr std::int64_t few_iterations = 16;      // of a loop that does not count as one
constexpr std::int64_t plain_block = 1 << 18;    // iterations without loops: a fraction of a millisecond
constexpr std::int64_t block_of_loops = 1 << 6;  // iterations with one loop in each

/// How deep loops are nested in it.
int height(const Stmt& s) {
  int inner = 0;
  const auto visit = [&](const Stmt& part) { inner = std::max(inner, height(part)); };
  if (const auto* b = s.as<Block>()) std::for_each(b->statements.begin(), b->statements.end(), visit);
  if (const auto* i = s.as<If>()) visit(i->then);
  if (const auto* i = s.as<If>(); i && i->otherwise) visit(*i->otherwise);
  if (const auto* f = s.as<For>()) return 1 + height(f->body);
  if (const auto* w = s.as<While>()) return 1 + height(w->body);
  return inner;
}

/// May it end the loop that it is the body of?
bool breaks(const Stmt& s) {
  if (const auto* b = s.as<Block>()) return std::ranges::any_of(b->statements, breaks);
  if (const auto* i = s.as<If>()) return breaks(i->then) || (i->otherwise && breaks(*i->otherwise));
  return s.as<Break>() != nullptr;
}

/// Names of variables that may change after they are declared.
void collect_variables(const Stmt& s, Mentioned& names) {
  rewrite_blocks(s, [&](const std::vector<Stmt>& statements) {
    for (const Stmt& one : statements)
      if (const auto* d = one.as<Declaration>(); d && !d->type.starts_with("const ")) names.insert(d->name);
    return statements;
  });
}

std::optional<std::int64_t> literal(const Expr& e) {
  const auto* t = e.as<Token>();
  std::int64_t value = 0;
  if (!t) return {};
  const char* const end = t->text.data() + t->text.size();
  const auto [read, error] = std::from_chars(t->text.data(), end, value);
  return error == std::errc() && read == end ? std::optional(value) : std::nullopt;
}

bool has_few_iterations(const For& f) {
  const auto* less = f.condition.as<Binary>();
  const auto low = f.first ? literal(*f.first) : std::nullopt, high = less ? literal(less->right) : std::nullopt;
  return low && high && *high - *low <= few_iterations;
}

bool frees(const Stmt& s) {
  const auto* e = s.as<Evaluate>();
  const auto* call = e ? e->expr.as<Call>() : nullptr;
  return call && call->function == "free";
}

Expr is_asked_to_end() {
  const Expr seen = expr(Unary{"*", expr(Cast{"const volatile int32_t *", token("fault")})});
  return binary("==", seen, number(asked_to_end));
}
Stmt leave_if_asked() { return stmt(If{is_asked_to_end(), stmt(Block{{stmt(Goto{label})}}), {}}); }

Stmt preceded(const Stmt& first, const Stmt& body) {
  std::vector<Stmt> all{first};
  if (const auto* b = body.as<Block>()) all.insert(all.end(), b->statements.begin(), b->statements.end());
  else all.push_back(body);
  return stmt(Block{std::move(all)}, body.origin());
}

class Interruptible {
 public:
  explicit Interruptible(const Stmt& body) { collect_variables(body, variables_); }

  /// `depth`: of loops around that are looked at.
  std::vector<Stmt> statements(const std::vector<Stmt>& all, int depth) {
    std::vector<Stmt> made;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto* pragma = all[k].as<Pragma>();
      if (!pragma || k + 1 == all.size()) {
        made.push_back(statement(all[k], depth));
        continue;
      }
      made.push_back(all[k++]);
      const bool threads = pragma->text.starts_with("omp parallel");
      const bool leaves_out = threads && !waits(all[k]) && height(all[k]) > 1;
      made.push_back(leaves_out ? on_threads(all[k]) : all[k]);
      if (!threads) continue;
      while (k + 1 < all.size() && frees(all[k + 1])) made.push_back(all[++k]);
      made.push_back(leave_if_asked());
    }
    return made;
  }

 private:
  Stmt statement(const Stmt& s, int depth) {
    if (const auto* b = s.as<Block>()) return stmt(Block{statements(b->statements, depth)}, s.origin());
    if (const auto* i = s.as<If>()) {
      const auto otherwise = i->otherwise ? std::optional(statement(*i->otherwise, depth)) : std::nullopt;
      return stmt(If{i->condition, statement(i->then, depth), otherwise}, s.origin());
    }
    if (depth >= looked_at) return s;
    if (const auto* f = s.as<For>()) return loop(*f, s.origin(), depth);
    const auto* w = s.as<While>();
    if (!w || (depth > 0 && height(w->body) == 0)) return s;
    return stmt(While{w->condition, preceded(leave_if_asked(), statement(w->body, depth + 1))}, s.origin());
  }

  Stmt loop(const For& f, const text::Origin& origin, int depth) {
    const int inner = height(f.body);
    const auto with = [&](const Stmt& body) {
      return stmt(For{f.variable, f.first, f.condition, f.step, body}, origin);
    };
    if (has_few_iterations(f)) return with(statement(f.body, depth));
    if (depth > 0 && inner == 0) return with(f.body);
    const Stmt body = statement(f.body, depth + 1);
    if (inner <= 1 && goes_on_by_itself(f)) return in_blocks(f, body, origin, inner ? block_of_loops : plain_block);
    return with(preceded(leave_if_asked(), body));
  }

  /// `for (int64_t i = …; i < n; i++)` with an n that stays as it is, and nothing else that ends it.
  bool goes_on_by_itself(const For& f) const {
    const auto* less = f.condition.as<Binary>();
    const auto* i = less ? less->left.as<Token>() : nullptr;
    const bool plain = i && less->op == "<" && i->text == f.variable && f.first && f.step == f.variable + "++";
    return plain && stays(less->right) && stays(*f.first) && !breaks(f.body);
  }
  bool stays(const Expr& e) const {
    if (const auto* t = e.as<Token>()) return variables_.count(t->text) == 0;
    const auto* b = e.as<Binary>();
    return b && stays(b->left) && stays(b->right);
  }

  static Stmt in_blocks(const For& f, const Stmt& body, const text::Origin& origin, std::int64_t size) {
    Mentioned taken;
    collect(stmt(For{f}), taken);
    const auto free = [&](std::string name) {
      while (taken.count(name)) name += "_";
      return name;
    };
    const std::string block = free(f.variable + "_block"), stop = free(f.variable + "_stop");
    const Expr end = f.condition.as<Binary>()->right, at = token(block), left = emit::minus(end, at);
    const Stmt inside = stmt(For{f.variable, at, binary("<", token(f.variable), token(stop)), f.step, body}, origin);
    const Expr next = choose(binary(">", left, number(size)), emit::plus(at, number(size)), end);
    return stmt(For{block, f.first, binary("<", at, end), block + " += " + std::to_string(size),
                    stmt(Block{{leave_if_asked(), constant(stop, next), inside}})},
                origin);
  }

  /// What each thread does, with the loop in it whose iterations are handed out.
  static Stmt on_threads(const Stmt& s) {
    return rewrite_blocks(s, [](std::vector<Stmt> statements) {
      for (std::size_t k = 1; k < statements.size(); ++k) {
        const auto* before = statements[k - 1].as<Pragma>();
        if (before && before->text.starts_with("omp for")) statements[k] = skipping(statements[k]);
      }
      return statements;
    });
  }
  static Stmt skipping(const Stmt& s) {
    const auto* f = s.as<For>();
    if (!f) return s;
    const Stmt body = preceded(continue_if(is_asked_to_end()), f->body);
    return stmt(For{f->variable, f->first, f->condition, f->step, body}, s.origin());
  }

  Mentioned variables_;
};

}  // namespace

Stmt interruptible(const Stmt& body) {
  const std::vector<Stmt>& before = body.as<Block>()->statements;
  std::vector<Stmt> all = Interruptible(body).statements(before, 0);
  // What the end frees has to be there wherever one may leave: it was declared before the first loop.
  Mentioned there;
  for (std::size_t k = 0; k < all.size() && height(all[k]) == 0 && !all[k].as<Pragma>(); ++k)
    if (const auto* d = all[k].as<Declaration>()) there.insert(d->name);
  const auto is_release = [&](const Stmt& s) {
    Mentioned names;
    collect(s, names);
    names.erase("free");
    return s.as<Return>() || (frees(s) && std::ranges::includes(there, names));
  };
  auto end = all.end();
  while (end != all.begin() && is_release(*std::prev(end))) --end;
  all.insert(end, stmt(Label{label}));
  return stmt(Block{std::move(all)}, body.origin());
}

}  // namespace trellis::emit::c
