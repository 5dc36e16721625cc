#include "engine/emit/threads.hpp"

#include "engine/emit/region_work.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::emit {

namespace {

using format::ReduceOp;

std::string_view clause(ReduceOp op) {
  switch (op) {
    case ReduceOp::sum: return "+";
    case ReduceOp::prod: return "*";
    case ReduceOp::min: return "min";
    case ReduceOp::max: return "max";
    case ReduceOp::any: return "||";
    case ReduceOp::all: return "&&";
    case ReduceOp::argmin:
    case ReduceOp::argmax:
    case ReduceOp::user: break;
  }
  return "+";
}

constexpr int shares_in_all = 256;  // few enough that handing them out takes no time

/// Does one take longer than another, as rows of different lengths do?
bool differ(const Threads::Work& work) {
  bool found = false;
  flow::for_each_stmt(work.body, [&](const flow::Stmt& s) {
    const auto* l = s.as<flow::Loop>();
    found = found || s.as<flow::Coiterate>() || s.as<flow::While>() ||
            (l && (flow::names(l->low, work.variable) || flow::names(l->high, work.variable)));
  });
  return found;
}

}  // namespace

// Sums of floating numbers in parts are the same each time, if each thread has the same iterations.
std::string Threads::shares(const Work& work) {
  if (work.wait) return " schedule(monotonic: dynamic, 1)";
  if (!work.iterations || !work.partials.empty() || !differ(work)) return "";
  const std::string share = out_.bind(work.variable + "'share");
  out_.add(constant(share, plus(c::number(1), c::binary("/", work.iterations, c::number(shares_in_all)))));
  return " schedule(dynamic, " + share + ")";
}

std::string Threads::condition(const Work& work) {
  if (!work.iterations || !work.range || work.wait) return "";
  const auto done = region_work(out_, work.iterations, *work.range, work.variable, work.body);
  if (!done) return "";
  const std::string pays = out_.bind(work.variable + "'pays");
  out_.add(c::stmt(
      c::Declaration{"__attribute__((__unused__)) const int", pays, {}, c::binary(">", *done, c::number(least_work))}));
  return " if(" + pays + ")";
}

std::string Threads::clauses(const Work& work) const {
  std::string text;
  for (const flow::Partial& partial : work.partials)
    text += " reduction(" + std::string(clause(partial.op)) + ":" + out_.names.fixed(partial.tensor) + ")";
  if (memory_.may_be_refused()) text += " reduction(|:refused)";
  return text;
}

void Threads::run(const Work& work, const std::function<void()>& loop) {
  const std::string handed_out = shares(work), where_it_pays = condition(work);
  const Room room = temporaries_.private_room(work.body);
  out_.open();
  memory_.begin_region();
  if (!room.arrays.empty() || !room.declarations.empty()) memory_.allocate(room);
  out_.add(c::stmt(c::Pragma{"omp for nowait" + handed_out}));
  memory_.name_landing(work.variable);
  loop();
  temporaries_.share_again();
  memory_.release(room);
  const c::Stmt region = out_.close();
  out_.add(c::stmt(c::Pragma{"omp parallel" + where_it_pays + clauses(work)}));
  out_.add(region);
}

void Threads::run_if(bool parallel, const Work& work, const std::function<void()>& loop) {
  if (parallel && !inside()) run(work, loop);
  else loop();
}

}  // namespace trellis::emit
