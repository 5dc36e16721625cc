#include "engine/flow/join_look_ups.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace trellis::flow {

namespace {

std::set<std::string> changed_in(const Stmt& s) {
  std::set<std::string> names;
  for_each_stmt(s, [&](const Stmt& inner) {
    inner.match([&](const Assign& a) { names.insert(a.tensor); }, [&](const Append& a) { names.insert(a.tensor); },
                [&](const Insert& i) { names.insert(i.tensor); }, [&](const Reset& r) { names.insert(r.tensor); },
                [&](const Declare& d) { names.insert(d.tensor); }, [&](const Freeze& f) { names.insert(f.tensor); },
                [&](const Exchange& e) { names.insert(e.tensor); }, [](const auto&) {});
  });
  return names;
}

bool changes(const Stmt& s, const Stmt& asked) {
  return std::ranges::any_of(changed_in(s), [&](const std::string& tensor) { return mentions(asked, tensor); });
}

/// The statement without what is done behind its look-up or its question, whatever that is.
std::optional<Stmt> question(const Stmt& s) {
  const Stmt nothing(StmtNode{Seq{}, s->span});
  if (const auto* l = s.as<Locate>()) {
    Locate asked = *l;
    asked.body = nothing;
    return Stmt(StmtNode{std::move(asked), s->span});
  }
  const auto* i = s.as<If>();
  if (!i || i->otherwise) return std::nullopt;
  return Stmt(StmtNode{If{i->condition, nothing, {}}, s->span});
}

const Stmt& body_of(const Stmt& s) { return s.as<Locate>() ? s.as<Locate>()->body : s.as<If>()->then; }

Stmt joined(const Stmt& s);

/// One after the other; what a Seq declares lives no longer than before.
Stmt in_turn(const Stmt& a, const Stmt& b) {
  Seq both;
  for (const Stmt& one : {a, b}) {
    const auto* seq = one.as<Seq>();
    const bool open = seq && std::ranges::none_of(seq->statements, [](const Stmt& s) { return s.as<Declare>(); });
    if (open) both.statements.insert(both.statements.end(), seq->statements.begin(), seq->statements.end());
    else both.statements.push_back(one);
  }
  return joined(Stmt(StmtNode{std::move(both), a->span}, text::merge(a.origin(), b.origin())));
}

/// Both, if they ask for the same and the first leaves that as it is.
std::optional<Stmt> together(const Stmt& a, const Stmt& b) {
  const std::optional<Stmt> asked = question(a), again = question(b);
  if (!asked || !again || !(*asked == *again) || changes(body_of(a), *asked)) return std::nullopt;
  const Stmt body = in_turn(body_of(a), body_of(b));
  return Stmt(*map_children(
                  *asked, [&](const Stmt&) { return body; }, [](const Expr& e) { return e; }),
              text::merge(a.origin(), b.origin()));
}

Stmt joined(const Stmt& s) {
  const auto* seq = s.as<Seq>();
  if (!seq) return s;
  Seq next;
  std::optional<std::size_t> last;  // but for remarks
  bool changed = false;
  for (const Stmt& one : seq->statements) {
    const auto both = last && !one.as<Note>() ? together(next.statements[*last], one) : std::nullopt;
    if (both) next.statements[*last] = *both;
    else next.statements.push_back(one);
    changed |= both.has_value();
    if (!both && !one.as<Note>()) last = next.statements.size() - 1;
  }
  return changed ? Stmt(StmtNode{std::move(next), s->span}, s.origin(), s.id()) : s;
}

Stmt inside(const Stmt& s) {
  return joined(map_children(s, inside, [](const Expr& e) { return e; }));
}

}  // namespace

Flow join_look_ups(const Flow& flow) {
  Flow result = flow;
  result.root = inside(flow.root);
  return result;
}

}  // namespace trellis::flow
