// Equations alone beside the best that is found by hand, and beside SciPy and NumPy: what whoever writes no schedule
// gets. Each side is a program in a session, on one thread; compilation and what is laid out once are not counted.
#include <algorithm>
#include <filesystem>

#include "engine/tensor/for_each_entry.hpp"
#include "tests/bench/contest.hpp"
#include "tests/bench/defaults_cases.hpp"
#include "tests/bench/difference.hpp"
#include "tests/bench/in_session.hpp"
#include "tests/bench/measure.hpp"
#include "tests/bench/peer_scipy.hpp"
#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {
namespace {

const char* const beside_hand = "beside the best by hand";
const char* const beside_python = "beside Python";
constexpr double near = 1.25, far = 2;  ///< times as long as the best by hand

struct Side {
  std::string name;
  InSession program;
  std::vector<double> ms = {};
  bool hopeless = false;
  double median() const { return run::median(ms); }
};

std::optional<double> timed(Side& side) {
  const auto ms = side.program.run();
  if (ms) side.ms.push_back(*ms);
  return ms;
}

/// Python's statement, as one line.
std::string carried_out(const std::string& statements) {
  std::string text = "exec('";
  for (const char c : statements) text += c == '\n' ? "\\n" : c == '\'' ? "\\'" : std::string(1, c);
  return text + "', globals())";
}

/// The entries as `NAME_0 NAME_1 … NAME_values`.
bool load_entries(Scipy& scipy, const std::string& name, const tensor::Tensor& tensor) {
  std::vector<std::vector<double>> columns(tensor.shape().size() + 1);
  tensor::for_each_listed(tensor, [&](const tensor::Index& at, const format::Value& value) {
    for (std::size_t d = 0; d < at.size(); ++d) columns[d].push_back(static_cast<double>(at[d]));
    columns.back().push_back(value.as_double());
  });
  bool loaded = true;
  for (std::size_t d = 0; d < columns.size(); ++d) {
    const std::string part = name + "_" + (d + 1 < columns.size() ? std::to_string(d) : "values");
    loaded = loaded && scipy.load(part, columns[d].data(), std::ssize(columns[d])) &&
             (d + 1 == columns.size() || scipy.keep(part, part + ".astype(int)"));
  }
  return loaded;
}

bool load_tensor(Scipy& scipy, const std::string& name, const tensor::Tensor& tensor) {
  const std::string& format = tensor.format().name;
  const bool real = tensor.type() == format::ScalarType::f64;
  if (real && (format == "csr" || format == "csc")) return scipy.load(name, compressed(tensor));
  if (!tensor.dense()) return load_entries(scipy, name, tensor);
  std::vector<double> values;
  std::string shape;
  for (const std::int64_t size : tensor.shape()) shape += std::to_string(size) + ",";
  for (std::int64_t k = 0; k < tensor.count(); ++k) values.push_back(tensor.get_flat(k).as_double());
  return scipy.load(name, values.data(), std::ssize(values)) &&
         scipy.keep(name, name + ".reshape((" + shape + "))" + (real ? "" : ".astype(int)"));
}

std::shared_ptr<Scipy> python(const InPython& peer, const InSession& program) {
  auto scipy = peer.expression.empty() ? nullptr : Scipy::start();
  if (!scipy || !scipy->keep("np", "__import__('numpy')")) return nullptr;
  for (const auto& [name, tensor] : *program.data().tensors())
    if (program.data().has(name) && !load_tensor(*scipy, name, tensor)) return nullptr;
  if (!peer.setup.empty() && !scipy->keep("done", carried_out(peer.setup))) return nullptr;
  return scipy->time(peer.expression) < 0 ? nullptr : scipy;
}

/// All sides in turns; what is slow by far is left out from the second turn on.
void take_turns(std::vector<Side>& sides, const std::function<void()>& peer) {
  constexpr double enough_ms = 1500, short_ms = 300, slow = 3;
  constexpr int turns = 9;
  for (Side& side : sides) side.ms.clear();
  double spent = 0;
  for (int turn = 0; turn == 0 || (spent < enough_ms && (turn < turns || spent < short_ms)); ++turn) {
    spent += time_once(peer);
    double least = 1e300;
    for (const Side& side : sides)
      if (!side.ms.empty()) least = std::min(least, side.median());
    for (Side& side : sides) {
      const bool ours = &side == &sides.front();
      side.hopeless = side.hopeless || (!ours && !side.ms.empty() && side.median() > slow * least);
      if (!side.hopeless) spent += timed(side).value_or(0);
    }
  }
}

/// What became of one case.
struct Judged {
  std::vector<Row> rows;
  std::vector<std::string> broken;
};

/// The first run of each: it compiles and plans, and begins with the inputs, so that results can be compared. Those of
/// the sides by hand that fail are left out.
void run_first(const DefaultsCase& c, std::vector<Side>& sides, Row& row, Judged& judged) {
  Side& ours = sides.front();
  timed(ours);
  row.failed = ours.program.problem();
  if (!row.failed.empty()) judged.broken.push_back(c.name + ": " + row.failed);
  const run::Bindings results = ours.program.results();
  for (Side& side : sides) {
    if (&side == &ours) continue;
    if (!timed(side)) judged.broken.push_back(c.name + ", " + side.name + ": " + side.program.problem());
    const run::Bindings its = side.program.results();
    if (const auto most = difference(&results, &its)) row.difference = std::max(row.difference.value_or(0), *most);
  }
  std::erase_if(sides, [&](const Side& s) { return &s != &ours && !s.program.problem().empty(); });
}

Judged judge(const DefaultsCase& c) {
  Judged judged;
  std::vector<Side> sides;
  sides.push_back({"", {c.inputs, c.equations, nullptr}});
  const std::shared_ptr<Scipy> scipy = only_once() ? nullptr : python(c.peer, sides.front().program);
  for (const ByHand& hand : c.by_hand) sides.push_back({hand.name, {c.inputs, hand.text, &sides.front().program}});
  Row row{c.name, 0, 0, "", 0, 1 / near};
  row.group = beside_hand;
  run_first(c, sides, row, judged);
  std::vector<double> python_ms;
  if (!only_once())
    take_turns(sides, [&] {
      if (scipy) python_ms.push_back(scipy->time(c.peer.expression));
    });
  const Summary ours = summarise(sides.front().ms);
  row.ours_ms = ours.median;
  row.spread_ms = ours.deviation;
  if (sides.size() > 1) {
    const Side& best = *std::min_element(sides.begin() + 1, sides.end(),
                                         [](const Side& a, const Side& b) { return a.median() < b.median(); });
    row.peer = best.name;
    row.peer_ms = best.median();
  }
  judged.rows.push_back(row);
  if (python_ms.empty()) return judged;
  row.group = beside_python;
  row.peer = c.peer.name;
  row.peer_ms = run::median(python_ms);
  row.target = 1;
  row.difference = {};
  judged.rows.push_back(row);
  return judged;
}

/// What fills A, and of what it is.
std::vector<std::pair<std::string, std::string>> matrices(const Options& options) {
  const std::int64_t n = sized(20'000, 12);
  std::vector<std::pair<std::string, std::string>> all = {
      {param("n", 20'000, 12) + "random A seed 1 density " + density(n, 10) + "\n", "uniform"}};
  for (const char* file : {"graph/email-Enron.mtx.gz", "matrix/cage10.mtx.gz"}) {
    const std::filesystem::path path = std::filesystem::path(options.data) / file;
    const std::string name = path.stem().stem();
    if (!options.data.empty() && std::filesystem::exists(path))
      all.push_back({"load A \"" + path.string() + "\"\n", name});
  }
  return all;
}

std::string summary(const std::vector<Row>& rows) {
  int close = 0, slow = 0, all = 0, ahead = 0, peers = 0, failed = 0;
  double worst = 0;
  std::string which;
  for (const Row& row : rows) {
    if (row.group == beside_python) ++peers, ahead += row.failed.empty() && row.ratio() >= 1;
    if (row.group != beside_hand) continue;
    ++all, failed += !row.failed.empty();
    const double times = row.failed.empty() && row.peer_ms > 0 ? row.ours_ms / row.peer_ms : 0;
    close += row.failed.empty() && times <= near, slow += times > far;
    if (times > worst) worst = times, which = row.name;
  }
  char text[500];
  std::snprintf(text, sizeof text,
                "equations alone beside the best by hand, on one thread, in turns, medians, compilation and copies "
                "that are kept apart; %d of %d "
                "within %.2f of it, %d above %g, %d failed, the worst %.2f (%s); beside Python %d of %d at 1 or more",
                close, all, near, slow, far, failed, worst, which.c_str(), ahead, peers);
  return text;
}

}  // namespace

Table bench_defaults(const Options& options) {
  std::vector<DefaultsCase> cases = dense_defaults();
  for (DefaultsCase& c : sparse_factor_defaults()) cases.push_back(std::move(c));
  for (const auto& [matrix, name] : matrices(options))
    for (DefaultsCase& c : sparse_defaults(matrix, name)) cases.push_back(std::move(c));
  std::vector<std::optional<Row>> rows;
  std::vector<Row> judged_rows;
  std::vector<std::string> broken;
  for (const DefaultsCase& c : cases) {
    if (c.name.find(only_rows()) == std::string::npos) continue;
    tell_row(c.name);
    Judged judged = judge(c);
    tell_row("");
    for (Row& row : judged.rows) judged_rows.push_back(row), rows.push_back(std::move(row));
    for (std::string& one : judged.broken) broken.push_back(std::move(one));
  }
  Table table = table_of("defaults", std::move(rows));
  table.remark = summary(judged_rows);
  table.broken = std::move(broken);
  return table;
}

}  // namespace trellis::bench
