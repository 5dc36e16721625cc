#include "engine/loop/separate.hpp"

#include <algorithm>
#include <map>

#include "engine/loop/conditional_reads.hpp"
#include "engine/loop/effects.hpp"

namespace trellis::loop {

namespace {

bool is_inside(const std::set<std::string>& part, const std::set<std::string>& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

/// What the statement itself evaluates, beside the statements in it.
std::set<std::string> own_reads(const Stmt& stmt) {
  std::set<std::string> all;
  for_each_child(
      stmt, [](const Stmt&) {}, [&](const Expr& expr) { all.merge(tensors_in(expr)); });
  return all;
}

class Separation {
 public:
  explicit Separation(const std::set<std::string>& tensors) : tensors_(tensors) {}

  bool failed() const { return failed_; }

  Separated of(const Stmt& stmt) {
    const std::set<std::string> writes = effects(stmt).writes;
    if (!meet(writes, tensors_)) return {stmt, {}};
    if (is_inside(writes, tensors_)) return {{}, stmt};
    return stmt.match([&](const Block& b) { return of_block(stmt, b); }, [&](const For& f) { return of_for(stmt, f); },
                      [&](const If& i) { return of_if(stmt, i, writes); }, [&](const auto&) { return fail(); });
  }

 private:
  Separated fail() {
    failed_ = true;
    return {};
  }

  /// Declarations go where their tensor is used.
  Separated of_block(const Stmt& stmt, const Block& b) {
    std::vector<Stmt> rest, part;
    for (const Stmt& child : b.statements) {
      if (const auto* d = child.as<Declare>()) {
        (tensors_.contains(d->tensor.name) ? part : rest).push_back(child);
        continue;
      }
      const Separated both = of(child);
      if (both.rest) rest.push_back(both.rest);
      if (both.part) part.push_back(both.part);
    }
    const auto like = [&](std::vector<Stmt> statements) {
      return Stmt(StmtNode{Block{std::move(statements)}, stmt->span}, stmt.origin());
    };
    return {like(std::move(rest)), like(std::move(part))};
  }

  Separated of_for(const Stmt& stmt, const For& f) {
    if (f.until || !own_reads(stmt).empty()) return fail();
    const Separated body = of(f.body);
    if (failed_) return {};
    const auto with = [&](const Stmt& inner) {
      For loop = f;
      loop.body = inner;
      const std::set<std::string> writes = effects(inner).writes;
      std::erase_if(loop.reduces, [&](const std::string& name) { return !writes.contains(name); });
      return Stmt(StmtNode{std::move(loop), stmt->span}, stmt.origin());
    };
    return {with(body.rest), with(body.part)};
  }

  Separated of_if(const Stmt& stmt, const If& i, const std::set<std::string>& writes) {
    if (i.otherwise || meet(tensors_in(i.condition), writes)) return fail();
    const Separated then = of(i.then);
    if (failed_) return {};
    const auto with = [&](const Stmt& inner) {
      return Stmt(StmtNode{If{i.condition, inner, std::nullopt}, stmt->span}, stmt.origin());
    };
    return {with(then.rest), with(then.part)};
  }

  const std::set<std::string>& tensors_;
  bool failed_ = false;
};

/// For every tensor, what is written by the statements that read it.
void note_readers(const Stmt& stmt, std::map<std::string, std::set<std::string>>& into) {
  if (is_write(stmt)) {
    const Effects all = effects(stmt);
    for (const std::string& name : all.reads) into[name].insert(all.writes.begin(), all.writes.end());
    return;
  }
  for (const std::string& name : own_reads(stmt)) into[name].insert("");  // a condition or a bound: for nobody's sake
  for_each_child(
      stmt, [&](const Stmt& child) { note_readers(child, into); }, [](const Expr&) {});
}

}  // namespace

std::set<std::string> serving(const Stmt& stmt, std::set<std::string> tensors) {
  std::map<std::string, std::set<std::string>> readers;
  note_readers(stmt, readers);
  std::set<std::string> declared;
  for_each(stmt, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>()) declared.insert(d->tensor.name);
  });
  for (bool grown = true; grown;) {
    grown = false;
    for (const std::string& name : declared) {
      std::set<std::string> others = readers[name];
      others.erase(name);
      if (!others.empty() && is_inside(others, tensors)) grown |= tensors.insert(name).second;
    }
  }
  return tensors;
}

std::optional<Separated> separate(const Stmt& stmt, const std::set<std::string>& tensors) {
  const std::set<std::string> all = serving(stmt, tensors);
  Separation separation(all);
  const Separated result = separation.of(stmt);
  if (separation.failed()) return std::nullopt;
  if (!result.rest || !result.part) return result;
  const Effects rest = effects(result.rest), part = effects(result.part);
  if (meet(rest.writes, part.reads) || meet(part.writes, rest.reads)) return std::nullopt;
  return result;
}

}  // namespace trellis::loop
