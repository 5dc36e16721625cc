#include "engine/loop/find_digits.hpp"

#include <algorithm>
#include <set>

#include "engine/access/level_index.hpp"
#include "engine/format/level.hpp"
#include "engine/math/division.hpp"
#include "engine/math/exact.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::loop {

namespace {

using math::Affine;
using math::Quotient;

/// One digit: of `±variable + offset`, from the cut on.
struct Found {
  bool reversed;
  Affine offset;
  std::int64_t cut;
};

class Finder {
 public:
  Finder(const For& loop, const lang::Program& program) : loop_(loop), program_(program) {}

  std::optional<Digits> run() {
    collect(loop_.body);
    if (!sound_ || !walked_ || found_.empty()) return std::nullopt;
    std::ranges::sort(found_, std::ranges::greater(), &Found::cut);
    Digits all{found_.front().reversed, found_.front().offset, {}};
    for (const Found& one : found_) {
      // Digits from a cut on are the same when what they are of is moved by a multiple of it.
      const Affine moved = one.offset - all.offset;
      const bool same = moved.is_constant() && moved.constant % one.cut == 0;
      const std::int64_t above = all.cuts.empty() ? one.cut : all.cuts.back();
      if (one.reversed != all.reversed || !same || above % one.cut != 0) return std::nullopt;
      add_once(all.cuts, one.cut);
    }
    std::ranges::reverse(all.cuts);
    return all;
  }

 private:
  void collect(const Stmt& stmt) {
    if (const auto* f = stmt.as<For>()) inside_.insert(f->variable);
    if (const auto* l = stmt.as<Let>()) inside_.insert(l->name);
    for_each_child(
        stmt, [&](const Stmt& child) { collect(child); }, [&](const Expr& expr) { collect(expr); });
  }

  void collect(const Expr& expr) {
    lang::for_each_child(expr, [&](const Expr& child) { collect(child); });
    const auto* access = expr.as<lang::Access>();
    const lang::TensorInfo* const of = access ? program_.tensor(access->tensor) : nullptr;
    if (!of || of->format.all_known()) return;
    const std::vector<format::Facts> levels = format::facts(of->format);
    bool sparse = false, low = false;
    for (std::size_t l = 0; l < levels.size(); ++l) {
      const auto form = lang::affine(access::level_index(*access, *of, static_cast<int>(l)));
      if (!form || !form->mentions(loop_.variable)) continue;
      const std::size_t before = found_.size();
      for (const Quotient& q : form->quotients) {
        digit(q);
        low |= q.kind == Quotient::Kind::mod && q.numerator->mentions(loop_.variable);
      }
      sparse |= found_.size() > before && !levels[l].dense();
    }
    walked_ |= sparse && low;  // a top digit alone is a stretched sequence
  }

  /// The numerator is ±variable + offset, or a digit of that by itself.
  void digit(const Quotient& q) {
    const Affine& of = *q.numerator;
    if (!of.mentions(loop_.variable)) return;
    const std::int64_t factor = of.coefficient(loop_.variable);
    if (factor == 1 || factor == -1) {
      Affine offset = of - Affine::name(loop_.variable, factor);
      const auto is_inner = [&](const std::string& name) { return offset.mentions(name); };
      if (offset.mentions(loop_.variable) || std::ranges::any_of(inside_, is_inner)) return fail();
      found_.push_back({factor < 0, std::move(offset), q.divisor});
      return;
    }
    const bool alone = factor == 0 && of.terms.empty() && of.constant == 0 && of.quotients.size() == 1;
    if (!alone || of.quotients.front().coefficient != 1) return fail();
    const std::size_t before = found_.size();
    digit(of.quotients.front());
    if (!sound_ || found_.size() == before) return;
    const bool low = of.quotients.front().kind == Quotient::Kind::mod;  // (x mod a) div b: cut at b, and at a
    const auto cut = low ? std::optional(q.divisor) : math::exact_product(found_.back().cut, q.divisor);
    if (!cut) return fail();
    found_.push_back({found_.back().reversed, found_.back().offset, *cut});
  }

  void fail() { sound_ = false; }

  const For& loop_;
  const lang::Program& program_;
  std::set<std::string> inside_;
  std::vector<Found> found_;
  bool sound_ = true;
  bool walked_ = false;
};

}  // namespace

std::optional<Digits> find_digits(const For& loop, const lang::Program& program) { return Finder(loop, program).run(); }

}  // namespace trellis::loop
