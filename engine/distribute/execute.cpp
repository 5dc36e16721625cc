#include "engine/distribute/execute.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "engine/distribute/arrays.hpp"
#include "engine/distribute/localise.hpp"
#include "engine/schedule/nests.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::distribute {
namespace {

using format::Value;
using loop::Expr;
using loop::Stmt;

/// A rank in a phase: what it reads has to be valid, what it writes is.
class Watch : public loop::Observer {
 public:
  Watch(Arrays& arrays, std::int64_t rank, text::Point around)
      : arrays_(arrays), rank_(static_cast<std::size_t>(rank)), around_(std::move(around)) {}

  Go begin(const loop::Moment&) override { return arrays_.astray.empty() ? Go::on : Go::stop; }
  void declare(const loop::Moment&, const std::string& tensor) override { own_.insert(tensor); }
  void read(const loop::Moment& at, const loop::Element& e, const Value&) override {
    Held* held = shared(e.tensor);
    if (!held || held->valid[rank_][place(*held, e)] || !arrays_.astray.empty()) return;
    text::Point where = around_;
    where.insert(where.end(), at.loops.begin(), at.loops.end());
    const std::string element = text::element_text(e.tensor, {e.index.begin(), e.index.end()});
    arrays_.astray = "rank " + std::to_string(rank_) + " reads " + element + " at " + text::to_string(where) +
                     ", which it neither owns nor was sent";
  }
  void write(const loop::Moment&, const loop::Element& e, const Value&, const Value&) override {
    Held* held = shared(e.tensor);
    if (!held) return;
    held->valid[rank_][place(*held, e)] = true;
    held->touched[rank_][place(*held, e)] = true;
  }
  void reset(const loop::Moment&, const std::string& tensor, const Value&) override {
    Held* held = shared(tensor);
    if (!held) return;
    for (auto* all : {&held->valid[rank_], &held->touched[rank_]}) all->assign(all->size(), true);
  }

 private:
  Held* shared(const std::string& tensor) { return own_.contains(tensor) ? nullptr : arrays_.find(tensor); }
  std::size_t place(const Held& held, const loop::Element& e) const {
    return static_cast<std::size_t>(held.values[rank_].offset(e.index));
  }

  Arrays& arrays_;
  const std::size_t rank_;
  const text::Point around_;   ///< where loops around the phase stand
  std::set<std::string> own_;  ///< temporaries of the phase
};

class Runner {
 public:
  Runner(const Plan& plan, const Cuts& cuts, const loop::Bindings& bindings)
      : plan_(plan), cuts_(cuts), bindings_(bindings), arrays_(plan, cuts) {
    result_.sent.resize(plan.exchanges.size());
    for (const auto& [name, tensor] : bindings.tensors)
      if (const auto whole = tensor::to_dense(tensor)) arrays_.hold({name, -1}, *whole);
    for (std::int64_t r = 0; r < cuts.ranks(); ++r) {
      parameters_.push_back(bindings.parameters);
      for (const auto& [name, number] : numbers_of(plan, cuts, r))
        parameters_.back().try_emplace(name, Value::of_integer(format::ScalarType::i64, number));
    }
  }

  InStep run() {
    execute(plan_.loops);
    if (!stopped()) gather();
    result_.astray = arrays_.astray;
    return std::move(result_);
  }

 private:
  bool stopped() const { return result_.execution.fault || !arrays_.astray.empty(); }

  /// By all ranks in step. What has no dealt-out loop inside it and is no single statement is taken apart.
  void execute(const Stmt& s) {
    if (stopped()) return;
    exchange(s.id(), Exchange::Kind::ghosts);
    if (is_phase(s)) return phase(s);
    s.match([&](const loop::Block& b) { block(b); }, [&](const loop::For& f) { loop(f); },
            [&](const loop::While& w) {
              while (!stopped() && value(w.condition).is_true()) execute(w.body);
            },
            [&](const loop::If& i) {
              if (value(i.condition).is_true()) execute(i.then);
              else if (i.otherwise) execute(*i.otherwise);
            },
            [&](const loop::Let& l) {
              around_.emplace_back(l.name, value(l.value));
              execute(l.body);
              around_.pop_back();
            },
            [&](const loop::Declare&) {
              if (!arrays_.declare(plan_.declared.at(s.id()), cuts_.sizes))
                result_.execution.fault =
                    loop::Fault{loop::FaultKind::out_of_memory, s->span, "no memory", -1, {}, "", {}};
            },
            [](const auto&) {});
  }

  bool is_phase(const Stmt& s) const { return plan_.is_shared(s.id()) || s.as<loop::Assign>() || s.as<loop::Reset>(); }

  void block(const loop::Block& b) {
    const auto outside = arrays_.names;
    for (const Stmt& child : b.statements) execute(child);
    arrays_.names = outside;
  }

  void loop(const loop::For& f) {
    const std::int64_t low = value(f.low).as_integer(), high = value(f.high).as_integer();
    for (std::int64_t count = 0; count < high - low && !stopped(); ++count) {
      const std::int64_t at = f.descending ? high - 1 - count : low + count;
      around_.emplace_back(f.variable, Value::of_integer(format::ScalarType::i64, at));
      execute(f.body);
      const bool ends = f.until && !stopped() && value(*f.until).is_true();
      around_.pop_back();
      if (ends) result_.execution.ended_after = at + 1;
      if (ends) return;
    }
  }

  void phase(const Stmt& s) {
    arrays_.begin_phase();
    for (const Exchange& e : plan_.exchanges)
      if (e.statement == s.id() && e.kind == Exchange::Kind::sums) arrays_.begin_sums(e);
    if (const auto at = plan_.pipelines.find(s.id()); at != plan_.pipelines.end()) {
      pipeline(*s.as<loop::For>(), at->second);
    } else {
      const Stmt own = with_values(localise(plan_, s));
      for (std::int64_t r = 0; r < cuts_.ranks() && !stopped(); ++r) interpret(own, r, {});
    }
    if (stopped()) return;
    arrays_.end_phase();
    exchange(s.id(), Exchange::Kind::written);
    exchange(s.id(), Exchange::Kind::sums);
  }

  /// Block by block, in each of them rank by rank, of which each is sent what those before it have of this block.
  void pipeline(const loop::For& blocks, const Pipeline& how) {
    const Stmt nest = schedule::only_statement(blocks.body);
    const std::vector<std::int64_t> ranks = one_behind_the_other(how);
    const std::int64_t low = value(blocks.low).as_integer(), high = value(blocks.high).as_integer();
    for (std::int64_t count = 0; count < high - low && !stopped(); ++count) {
      const std::int64_t at = blocks.descending ? high - 1 - count : low + count;
      around_.emplace_back(blocks.variable, Value::of_integer(format::ScalarType::i64, at));
      const Stmt own = with_values(localise(plan_, nest));
      for (const std::int64_t rank : ranks) {
        for (std::size_t k = 0; k < plan_.exchanges.size(); ++k) {
          const Exchange& e = plan_.exchanges[k];
          if (!e.onward || e.statement != nest.id()) continue;
          result_.sent[k].executions += rank == ranks.front();
          arrays_.send_to(rank, e, around(), result_.sent[k]);
        }
        if (!stopped()) interpret(own, rank, {});
      }
      around_.pop_back();
    }
  }

  std::vector<std::int64_t> one_behind_the_other(const Pipeline& how) const {
    const auto g =
        static_cast<std::size_t>(std::ranges::find(plan_.grid, how.ranks, &lang::RanksInfo::name) - plan_.grid.begin());
    std::vector<std::int64_t> ranks(static_cast<std::size_t>(cuts_.ranks()));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::ranges::stable_sort(ranks, {}, [&](std::int64_t rank) {
      const std::int64_t place = coordinates_of(cuts_, rank)[g];
      return how.descending ? -place : place;
    });
    return ranks;
  }

  void exchange(int statement, Exchange::Kind kind) {
    for (std::size_t k = 0; k < plan_.exchanges.size(); ++k) {
      const Exchange& e = plan_.exchanges[k];
      if (e.statement != statement || e.kind != kind || e.onward || stopped()) continue;
      if (kind == Exchange::Kind::sums) arrays_.add_parts(e, around(), result_.sent[k]);
      else arrays_.send(e, around(), result_.sent[k]);
    }
  }

  Numbers around() const {
    Numbers numbers;
    for (const auto& [name, value] : around_) numbers[name] = value.as_integer();
    return numbers;
  }

  /// Inside of what the loops around have given their names.
  Stmt with_values(Stmt s) const {
    for (auto at = around_.rbegin(); at != around_.rend(); ++at) {
      const Expr constant(lang::ExprNode{lang::Constant{at->second}, at->second.type, {}});
      s = Stmt({loop::Let{at->first, constant, loop::block({s})}, s->span});
    }
    return s;
  }

  void interpret(const Stmt& s, std::int64_t rank, const std::map<std::string, tensor::Tensor>& more) {
    const auto r = static_cast<std::size_t>(rank);
    loop::Bindings own{parameters_[r], more, bindings_.functions};
    for (const auto& [name, held] : arrays_.names) own.tensors.emplace(name, held->values[r]);
    text::Point around;
    for (const auto& [name, value] : around_) around.emplace_back(name, value.as_integer());
    Watch watch(arrays_, rank, std::move(around));
    loop::Execution ended = loop::interpret(s, own, {}, &watch);
    result_.execution.steps += ended.steps;
    if (ended.fault && !result_.execution.fault) {
      result_.execution.fault = std::move(ended.fault);
      result_.execution.end = loop::Execution::End::fault;
    }
  }

  /// What all ranks find alike: each of them evaluates it.
  Value value(const Expr& e) {
    static const std::string result = "#value";
    std::optional<Value> found;
    const Stmt assign = with_values(loop::block(
        {Stmt({loop::Assign{Expr(lang::ExprNode{lang::Access{result, {}, {}}, e->type, {}}), {}, e}, {}})}));
    for (std::int64_t r = 0; r < cuts_.ranks() && !stopped(); ++r) {
      const auto cell = tensor::Tensor::create(e->type, {}, format::Format::dense(0), Value::of(e->type, 0));
      interpret(assign, r, {{result, *cell}});
      const Value own = cell->get({});
      if (found && *found != own && arrays_.astray.empty())
        arrays_.astray = "ranks part ways: rank " + std::to_string(r) + " has another value of a bound or a condition";
      if (!found) found = own;
    }
    return found.value_or(Value::of(e->type, 0));
  }

  void gather() {
    std::set<std::string> written;
    loop::for_each(plan_.loops, [&](const Stmt& s) {
      if (const auto* a = s.as<loop::Assign>()) written.insert(a->target.as<lang::Access>()->tensor);
      if (const auto* r = s.as<loop::Reset>()) written.insert(r->tensor);
    });
    for (const auto& [name, tensor] : bindings_.tensors) {
      if (!written.contains(name)) continue;
      const auto whole = arrays_.gather({name, -1});
      if (!whole) return;
      store(*whole, tensor, name);
    }
  }

  /// What was computed, in the format of the tensor that it is for.
  void store(const tensor::Tensor& computed, tensor::Tensor shared, const std::string& name) {
    const auto fills = computed.dense() ? tensor::ExplicitFills::dropped : tensor::ExplicitFills::kept;
    tensor::ConvertFailure failure;
    constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
    const auto stored = tensor::convert(computed, shared.format(), fills, unlimited, &failure);
    if (stored) return shared.assign(*stored);
    const bool taken = failure.why.kind == tensor::PackFailure::Kind::region_taken;
    result_.execution.end = loop::Execution::End::fault;
    result_.execution.fault = loop::Fault{taken ? loop::FaultKind::region_taken : loop::FaultKind::out_of_memory,
                                          {},
                                          "no room to store " + name,
                                          -1,
                                          {},
                                          name,
                                          failure.index};
  }

  const Plan& plan_;
  const Cuts& cuts_;
  const loop::Bindings& bindings_;
  Arrays arrays_;
  std::vector<std::map<std::string, Value>> parameters_;  ///< by rank, with the ends of its parts
  std::vector<std::pair<std::string, Value>> around_;     ///< loops and lets that all ranks are in
  InStep result_;
};

}  // namespace

InStep run_in_step(const Plan& plan, const Cuts& cuts, const loop::Bindings& bindings) {
  return Runner(plan, cuts, bindings).run();
}

}  // namespace trellis::distribute
