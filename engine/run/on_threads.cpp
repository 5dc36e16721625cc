// Ranks as threads of one child: what one packs the others read, once all have packed. In pipelines each
// message is a copy, and waits for its reader.

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "engine/emit/abi/trellis_ranks.h"
#include "engine/run/clock.hpp"
#include "engine/run/code.hpp"
#include "engine/run/execute.hpp"
#include "engine/run/native.hpp"
#include "engine/run/rank_job.hpp"
#include "engine/run/sandbox.hpp"
#include "engine/run/work.hpp"
// In this order.
#include "engine/run/ranks/sections.h"
//
#include "engine/run/ranks/arithmetic.h"
//
#include "engine/run/ranks/lanes.h"
//
#include "engine/run/ranks/calls.h"
//
#include "engine/run/ranks/job.h"
//
#include "engine/run/ranks/entries.h"
//
#include "engine/run/ranks/paths.h"

namespace trellis::run {
namespace {

/// In memory that the child shares with this process.
struct TeamReport {
  Report report;
  double ms;

  /// By rank, behind it.
  rank_lane* lanes() { return reinterpret_cast<rank_lane*>(this + 1); }
  /// By exchange, behind these.
  RanksSent* sent(std::int64_t ranks) { return reinterpret_cast<RanksSent*>(lanes() + ranks); }
};

static_assert(rank_slices == RANK_SLICES);
static_assert(rank_levels == RANK_LEVELS);

TeamReport* the_report = nullptr;  ///< of the child's only team

[[noreturn]] void refuse() {
  the_report->report.begun = true;
  the_report->report.result = 1;
  _exit(0);
}

class Team {
 public:
  Team(const RankJob& job, Kernel::Entry entry, OpenMp openmp, int threads)
      : job_(job), entry_(entry), openmp_(openmp), threads_(threads) {
    for (const RankJob::Array& a : job.arrays) arrays_.push_back(const_cast<void*>(a.data));
    for (const auto& one : job.places) places_.push_back(one.data());
    outbox_.resize(static_cast<std::size_t>(2 * job.ranks * std::max<std::int64_t>(1, exchanges())));
    asking_.resize(outbox_.size() / 2);
    sparse_results_ = rank_sparse_results(job.job.data(), &sparse_);
    counts_.resize(static_cast<std::size_t>(job.ranks * stride()));
    owns_.resize(static_cast<std::size_t>(job.ranks));
  }

  void run() {
    std::vector<pthread_t> threads;
    std::deque<Member> members;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    for (std::int64_t r = 0; r < job_.ranks; ++r) {
      members.push_back({this, r});
      threads.emplace_back();
      if (pthread_create(&threads.back(), &attributes, &Team::begin, &members.back()) != 0) refuse();
    }
    for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  }

 private:
  static constexpr std::size_t stack = std::size_t{4} << 20;

  struct Member {
    Team* team;
    std::int64_t rank;
  };

  std::int64_t exchanges() const { return job_.plan[RANK_EXCHANGES]; }

  static void* begin(void* member) {
    const auto& own = *static_cast<Member*>(member);
    own.team->live_as(own.rank);
    return nullptr;
  }

  void live_as(std::int64_t rank) {
    rank_state state{};
    state.world = {job_.plan.data(), job_.sizes.data(), job_.grid.data(), places_.data(), rank,
                   job_.ranks,       nullptr,           nullptr,          refuse};
    state.post = post;
    state.arrive = arrive;
    state.pass = pass;
    state.await = await;
    state.ask = ask;
    state.transport = this;
    rank_set_up(&state);
    rank_run_of own;
    rank_prepare(&state, job_.job.data(), arrays_.data(), &own);
    if (openmp_.set_threads) openmp_.set_threads(threads_);
    all_are_here();
    const auto start = Clock::now();
    rank_begin_lane(&state.lane);
    if (entry_(own.arguments) != 0) refuse();
    const std::int64_t done = rank_now();
    count(state, own);
    report(state, own);
    all_are_here();
    rank_waited(&state.lane, done);
    the_report->lanes()[rank] = state.lane;
    if (rank == 0) the_report->ms = milliseconds_since(start);
    // Nobody can fail any more: what all ranks computed takes the place of what there was.
    if (the_report->report.fault[0] != 0 || !entries_have_room()) return;
    rank_store(&state, job_.job.data(), arrays_.data(), &own);
    join(state, own);
  }

  /// Of each sparse result the counts of its levels, by rank.
  std::int64_t stride() const { return sparse_results_ * RANK_LEVELS; }
  std::int64_t* counts_of(std::int64_t result, std::int64_t rank = 0) {
    return counts_.data() + rank * stride() + result * RANK_LEVELS;
  }

  void count(const rank_state& state, const rank_run_of& own) {
    owns_[static_cast<std::size_t>(state.world.rank)] = own.own;
    for (std::int64_t k = 0; k < sparse_results_; ++k)
      rank_count(&state.world, sparse_ + k, own.own, counts_of(k, state.world.rank));
  }

  /// What all ranks find alike, as all have counted; a fault else.
  bool entries_have_room() {
    for (std::int64_t k = 0; k < sparse_results_; ++k) {
      if (rank_has_room(sparse_ + k, counts_of(k), job_.ranks, stride())) continue;
      const std::lock_guard guard(lock_);
      the_report->report.fault[0] = static_cast<std::int32_t>(emit::FaultKind::result_too_large);
      the_report->report.fault[1] = -1;
      return false;
    }
    return true;
  }

  void join(const rank_state& state, const rank_run_of& own) {
    for (std::int64_t k = 0; k < sparse_results_; ++k) {
      const rank_sparse* const s = sparse_ + k;
      std::int64_t total[RANK_LEVELS];
      if (!s->appended) rank_store_values(&state.world, s, own.own, arrays_.data());
      else if (rank_stand_apart(&state.world, s))
        rank_copy_part(&state.world, s, counts_of(k), stride(), own.own, arrays_.data());
      else if (state.world.rank == 0) rank_merge(&state.world, s, owns_.data(), arrays_.data(), total);
    }
  }

  void report(const rank_state& state, const rank_run_of& own) {
    const std::lock_guard guard(lock_);
    Report& all = the_report->report;
    all.begun = true;
    all.steps = own.steps;
    if (own.fault[0] != 0 && (all.fault[0] == 0 || state.world.rank < first_fault_)) {
      first_fault_ = state.world.rank;
      std::ranges::copy(own.fault, all.fault);
    }
    for (std::int64_t k = 0; k < exchanges(); ++k) {
      RanksSent& sent = the_report->sent(job_.ranks)[k];
      sent.executions = state.exchanges[k].executions;
      sent.messages += state.exchanges[k].messages;
      sent.elements += state.exchanges[k].elements;
    }
  }

  rank_lists*& outbox(std::int64_t rank, int exchange, int turn) {
    return outbox_[static_cast<std::size_t>((rank * exchanges() + exchange) * 2 + turn)];
  }

  rank_lists*& asking(std::int64_t rank, int exchange) {
    return asking_[static_cast<std::size_t>(rank * exchanges() + exchange)];
  }

  static void post(rank_state* state, int exchange, rank_lists* lists, int turn) {
    auto& team = *static_cast<Team*>(state->transport);
    team.outbox(state->world.rank, exchange, turn) = lists;
  }

  static void arrive(rank_state* state, int exchange, rank_lists* lists, int turn) {
    auto& team = *static_cast<Team*>(state->transport);
    team.all_are_here();
    const std::int64_t bytes = rank_bytes_of(&state->world, exchange);
    for (std::int64_t k = 0; k < lists->receives; ++k) {
      const rank_part& wanted = lists->receive[k];
      const rank_lists* const others = team.outbox(wanted.peer, exchange, turn);
      const rank_part* const sent = std::find_if(others->send, others->send + others->sends,
                                                 [&](const rank_part& p) { return p.peer == state->world.rank; });
      std::memcpy(wanted.data[turn], sent->data[turn], static_cast<std::size_t>(wanted.elements * bytes));
    }
  }

  /// What other ranks receive of this one, as they say.
  static void ask(rank_state* state, int exchange, rank_lists* lists) {
    auto& team = *static_cast<Team*>(state->transport);
    // Not where `post` puts them: others may still take what came last. Here nobody looks before all have asked, and
    // nobody asks again before all have what they asked for.
    team.asking(state->world.rank, exchange) = lists;
    team.all_are_here();
    for (std::int64_t r = 0; r < team.job_.ranks; ++r) {
      if (r == state->world.rank) continue;
      const rank_lists* const reader = team.asking(r, exchange);
      for (const rank_part* p = reader->receive; p != reader->receive + reader->receives; ++p)
        if (p->peer == state->world.rank) rank_add_asked(&state->world, exchange, r, p->run, p->runs, lists);
    }
  }

  struct Link {
    std::int64_t from, to;
    int exchange;
    auto operator<=>(const Link&) const = default;
  };

  static void pass(rank_state* state, int exchange, const rank_part* part) {
    auto& team = *static_cast<Team*>(state->transport);
    const char* const data = part->data[0];
    std::vector<char> message(data, data + part->elements * rank_bytes_of(&state->world, exchange));
    const std::lock_guard guard(team.lock_);
    team.passed_[{state->world.rank, part->peer, exchange}].push_back(std::move(message));
    team.arrived_.notify_all();
  }

  static void await(rank_state* state, int exchange, rank_part* part) {
    auto& team = *static_cast<Team*>(state->transport);
    std::unique_lock guard(team.lock_);
    auto& messages = team.passed_[{part->peer, state->world.rank, exchange}];
    team.arrived_.wait(guard, [&] { return !messages.empty(); });
    const std::vector<char> message = std::move(messages.front());
    messages.pop_front();
    guard.unlock();
    std::ranges::copy(message, part->data[0]);
  }

  void all_are_here() {
    std::unique_lock guard(lock_);
    const std::int64_t now = generation_;
    if (++here_ == job_.ranks) {
      here_ = 0;
      ++generation_;
      arrived_.notify_all();
    } else {
      arrived_.wait(guard, [&] { return generation_ != now; });
    }
  }

  const RankJob& job_;
  const Kernel::Entry entry_;
  const OpenMp openmp_;
  const int threads_;
  std::vector<void*> arrays_;
  std::vector<const std::int64_t*> places_;
  std::vector<rank_lists*> outbox_;      ///< by rank, exchange and turn
  std::vector<rank_lists*> asking_;      ///< by rank and exchange
  const rank_sparse* sparse_ = nullptr;  ///< results in sparse formats, so many
  std::int64_t sparse_results_ = 0;
  std::vector<std::int64_t> counts_;                      ///< of their levels, by rank and result
  std::vector<void**> owns_;                              ///< by rank its arrays
  std::map<Link, std::deque<std::vector<char>>> passed_;  ///< in pipelines, the oldest first
  std::mutex lock_;
  std::condition_variable arrived_;
  std::int64_t here_ = 0, generation_ = 0;
  std::int64_t first_fault_ = 0;  ///< the first rank that has one
};

}  // namespace

RanksOutcome execute_on_threads(const Kernel& kernel, const RankJob& job, const Limits& limits) {
  const emit::Module& module = kernel.module();
  const auto exchanges = static_cast<std::size_t>(job.plan[RANK_EXCHANGES]);
  const auto ranks = static_cast<std::size_t>(job.ranks);
  const auto memory = tensor::SharedArray::allocate(
      sizeof(TeamReport) + ranks * sizeof(rank_lane) + exchanges * sizeof(RanksSent), tensor::Writer::child_process);
  if (!memory)
    return {{.status = Outcome::Status::out_of_memory,
             .message = "there is no memory for what ranks of kernel `" + module.kernel + "` share"},
            {},
            {}};

  auto& report = *static_cast<TeamReport*>(memory->data());
  const auto body = [&] {
    the_report = &report;
    const Kernel::Code& code = *kernel.code();
    const Kernel::Entry entry = code.entry ? code.entry : load_entry(code.file.c_str(), code.symbol.c_str());
    if (!entry) return;
    Team(job, entry, kernel.backend() == Backend::native ? OpenMp::find() : OpenMp{}, limits.threads).run();
  };
  // Each rank may have what a kernel may, all together no more than the machine lets one have.
  const std::size_t each = limits.memory ? limits.memory : default_memory_limit();
  const std::size_t most = std::max(each, default_memory_limit());
  const std::size_t all = each > most / ranks ? most : each * ranks;
  const Ending ending = run_in_child(body, {limits.seconds, all, limits.cancel});
  RanksOutcome ran{judge(module, ending, report.report, limits, all), {}, {}};
  ran.outcome.run_ms = report.ms;
  ran.sent.assign(report.sent(job.ranks), report.sent(job.ranks) + exchanges);
  for (std::size_t r = 0; r < ranks; ++r) {
    const rank_lane& lane = report.lanes()[r];
    ran.times.push_back({lane.elapsed, lane.slice, {lane.waited, lane.waited + RANK_SLICES}});
  }
  return ran;
}

}  // namespace trellis::run
