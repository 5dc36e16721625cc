#include "engine/run/rank_job.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "engine/emit/result.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/run/sandbox.hpp"

namespace trellis::run {

namespace {

/// As ranks/job.h has them.
enum Kinds : std::int64_t { a_size, a_number, an_array, the_table };

class Maker {
 public:
  Maker(const emit::Module& module, const RankPlan& plan, const Bindings& bindings)
      : module_(module), plan_(plan), bindings_(bindings) {
    for (const emit::Argument& a : module.arguments) {
      if (a.kind == emit::Argument::Kind::capacity) appended_.insert(a.name);
      if (!a.entries_of.empty()) masked_.insert(a.name);
    }
  }

  /// False when memory is refused.
  bool make(RankJob& made, bool poison) {
    made_ = &made;
    made.job.push_back(std::ssize(module_.arguments));
    for (const emit::Argument& a : module_.arguments)
      if (!add(a)) return false;
    std::vector<std::int64_t> sparse;
    for (const std::string& name : plan_.results)
      if (is_sparse(name) && !describe(name, sparse)) return false;
    std::vector<std::int64_t> arrays;
    for (const RankJob::Array& a : made.arrays) {
      const std::size_t k = static_cast<std::size_t>(&a - made.arrays.data());
      arrays.insert(arrays.end(), {static_cast<std::int64_t>(a.bytes), static_cast<std::int64_t>(a.held), a.own,
                                   numbers_[k], static_cast<std::int64_t>(a.result), 0});
    }
    made.job.push_back(std::ssize(made.arrays));
    made.job.insert(made.job.end(), arrays.begin(), arrays.end());
    made.job.push_back(poison);
    add_throughs();
    made.job.insert(made.job.end(), sparse.begin(), sparse.end());
    return true;
  }

 private:
  using Array = format::Array;

  const tensor::Tensor& tensor(const std::string& name) const { return bindings_.arrays.at(name); }
  bool is_sparse(const std::string& name) const { return appended_.contains(name) || masked_.contains(name); }

  bool add(const emit::Argument& a) {
    switch (a.kind) {
      case emit::Argument::Kind::size: made_->job.insert(made_->job.end(), {a_size, plan_.symbols.at(a.name)}); break;
      case emit::Argument::Kind::real:
        made_->job.insert(made_->job.end(), {a_number, std::bit_cast<std::int64_t>(bindings_.reals.at(a.name))});
        break;
      case emit::Argument::Kind::capacity:
        made_->job.insert(made_->job.end(), {a_number, room_of_rank(tensor(a.name))});
        break;
      case emit::Argument::Kind::array: {
        const auto number = array_of(a.name, a.level, a.array, a.written);
        if (!number) return false;
        made_->job.insert(made_->job.end(), {an_array, *number});
        break;
      }
      case emit::Argument::Kind::ranks: made_->job.insert(made_->job.end(), {the_table, 0}); break;
      case emit::Argument::Kind::tensor: break;  // of those whose results grow, which no rank is
    }
    return true;
  }

  /// How many entries a rank may append: all together take no more than one kernel may, unless they are few.
  std::int64_t room_of_rank(const tensor::Tensor& t) const {
    const std::int64_t each = std::max<std::int64_t>(1, made_->ranks);
    const std::size_t values = t.array_room(-1, Array::values);
    const std::int64_t bytes =
        std::max<std::int64_t>(8, static_cast<std::int64_t>(values) / std::max<std::int64_t>(1, t.capacity()));
    const std::int64_t together = static_cast<std::int64_t>(default_memory_limit() / 2) / each / bytes;
    return std::min(t.capacity(), std::max<std::int64_t>(together, 1));
  }

  /// `positions`
  static std::string word_for(Array which) {
    std::string word(emit::c_name(which));  // TRELLIS_POSITIONS
    word.erase(0, word.find('_') + 1);
    std::ranges::transform(word, word.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
    return word;
  }

  /// The number of an array; empty when memory is refused.
  std::optional<std::int64_t> array_of(const std::string& name, int level, Array which, bool written) {
    const tensor::Tensor& t = tensor(name);
    const auto [at, is_new] = found_.try_emplace({name, level, which}, std::ssize(made_->arrays));
    if (!is_new) return at->second;
    const auto cut = level < 0 ? plan_.cut.find(name) : plan_.cut.end();
    const bool is_cut = cut != plan_.cut.end();
    RankJob::Result result = RankJob::Result::none;
    if (written && plan_.results.contains(name))
      result = is_sparse(name) ? RankJob::Result::sparse : RankJob::Result::flat;
    if (result != RankJob::Result::none && !t.share(level, which)) return std::nullopt;
    const std::size_t bytes = t.array_room(level, which);
    std::string file = name + (level < 0 ? "" : "_" + std::to_string(level) + "_" + word_for(which));
    made_->arrays.push_back({t.array(level, which), bytes, t.reserved() ? held(t, level, which) : bytes,
                             written || is_cut, result, name, level, std::move(file) + ".bin",
                             result == RankJob::Result::sparse ? std::nullopt : t.array_place(level, which)});
    numbers_.push_back(is_cut ? cut->second : -1);
    return at->second;
  }

  /// Bytes of a reserved tensor's array that hold something.
  static std::size_t held(const tensor::Tensor& t, int level, Array which) {
    const std::vector<format::Facts> facts = format::facts(t.format());
    const tensor::Index sizes = format::level_sizes(t.format(), t.shape());
    std::int64_t parents = 1, entries = 0;
    for (int l = 0; l < t.levels(); ++l) {
      const auto k = static_cast<std::size_t>(l);
      const std::int64_t width = facts[k].wide ? 8 : 4, above = parents;
      const void* const positions = t.array(l, Array::positions);
      if (positions)
        parents = facts[k].wide ? static_cast<const std::int64_t*>(positions)[parents]
                                : static_cast<const std::int32_t*>(positions)[parents];
      else if (!t.array(l, Array::coordinates)) parents *= sizes[k];
      if (t.array(l, Array::coordinates)) entries = parents;
      if (l == level) return static_cast<std::size_t>(width * (which == Array::positions ? above + 1 : parents));
    }
    if (entries == 0) return 0;
    return static_cast<std::size_t>(parents) * format::size_of(t.type());
  }

  /// As ranks/entries.h reads it. False when memory is refused.
  bool describe(const std::string& name, std::vector<std::int64_t>& sparse) {
    constexpr std::int64_t lists = 1, wide = 2, falls = 4;
    const tensor::Tensor& t = tensor(name);
    const bool appended = appended_.contains(name);
    const auto values = array_of(name, -1, Array::values, true);
    if (!values) return false;
    sparse.insert(sparse.end(), {appended, *values, static_cast<std::int64_t>(format::size_of(t.type())),
                                 appended ? t.capacity() : 0, t.levels()});
    const std::vector<format::Facts> facts = format::facts(t.format());
    const tensor::Index sizes = format::level_sizes(t.format(), t.shape());
    const auto parts = plan_.parts.find(name);
    for (int l = 0; l < t.levels(); ++l) {
      const auto k = static_cast<std::size_t>(l);
      std::int64_t numbers[3] = {-1, -1, -1};
      const Array which[3] = {Array::positions, Array::coordinates, Array::starts};
      for (int a = 0; a < 3; ++a) {
        if (!t.array(l, which[a])) continue;
        const auto number = array_of(name, l, which[a], appended);
        if (!number) return false;
        numbers[a] = *number;
      }
      const std::int64_t marks = (numbers[1] >= 0) * lists + facts[k].wide * wide + (facts[k].decreasing ? falls : 0);
      const std::int64_t partition = parts == plan_.parts.end() ? -1 : parts->second[k];
      sparse.insert(sparse.end(), {marks, sizes[k], partition, numbers[0], numbers[1], numbers[2]});
    }
    sparse.resize(sparse.size() + (rank_levels - static_cast<std::size_t>(t.levels())) * 6);
    ++described_;
    return true;
  }

  /// A level of an operand that exchanges go through.
  std::optional<std::int64_t> operand_array(const std::string& name, Array which) const {
    const auto at = found_.find({name, 1, which});
    return at == found_.end() ? std::nullopt : std::optional(at->second);
  }

  void add_throughs() {
    std::vector<std::int64_t> through;
    for (const RankPlan::Through& t : plan_.through) {
      const auto positions = operand_array(t.operand, Array::positions);
      const auto coordinates = operand_array(t.operand, Array::coordinates);
      if (!positions || !coordinates) continue;  // the kernel does not walk them after all
      const tensor::Tensor& operand = tensor(t.operand);
      const bool wide = format::facts(operand.format())[1].wide;
      const std::int64_t rows = operand.shape()[format::dimension_of(operand.format(), 0)];
      through.insert(through.end(), {t.exchange, t.level, *positions, *coordinates, t.partition, rows, wide});
    }
    made_->job.push_back(std::ssize(through) / 7);
    made_->job.insert(made_->job.end(), through.begin(), through.end());
    made_->job.push_back(described_);
  }

  const emit::Module& module_;
  const RankPlan& plan_;
  const Bindings& bindings_;
  std::set<std::string> appended_, masked_;
  std::map<std::tuple<std::string, int, Array>, std::int64_t> found_;  ///< arrays of the job, by number
  std::vector<std::int64_t> numbers_;  ///< of arrays that are cut, in the plan; -1: it is not
  std::int64_t described_ = 0;
  RankJob* made_ = nullptr;
};

}  // namespace

std::optional<RankJob> rank_job(const emit::Module& module, const RankPlan& plan, const Bindings& bindings,
                                std::vector<std::int64_t> grid, std::vector<std::vector<std::int64_t>> places,
                                bool poison) {
  RankJob made;
  made.plan = plan.words;
  for (const std::string& name : plan.sizes) made.sizes.push_back(bindings.sizes.at(name));
  made.ranks = std::accumulate(grid.begin(), grid.end(), std::int64_t{1}, std::multiplies<>());
  made.grid = std::move(grid);
  made.places = std::move(places);
  return Maker(module, plan, bindings).make(made, poison) ? std::optional(std::move(made)) : std::nullopt;
}

void keep_numbers_of_files(RankJob& job, const std::vector<OtherPlaces>& arrays) {
  constexpr std::size_t words = 6, own = 2, numbered = 5;  // of an array, as ranks/job.h has them
  const std::size_t first = 2 + 2 * static_cast<std::size_t>(job.job.front());
  std::map<const std::vector<std::int64_t>*, std::int64_t> known{{nullptr, 0}};
  for (const OtherPlaces& one : arrays) {
    std::vector<std::int64_t> described{std::ssize(one.levels)};
    for (const auto& [size, numbers] : one.levels) {
      const auto [at, is_new] = known.try_emplace(numbers, std::ssize(job.job));
      if (is_new) job.job.insert(job.job.end(), numbers->begin(), numbers->end());
      described.insert(described.end(), {size, at->second});
    }
    job.job[first + words * one.array + own] = 1;
    job.job[first + words * one.array + numbered] = std::ssize(job.job);
    job.job.insert(job.job.end(), described.begin(), described.end());
  }
}

std::vector<std::int64_t> numbers_of(const RankJob& job) {
  std::vector<std::int64_t> all{job.ranks};
  const auto add = [&](const std::vector<std::int64_t>& some) {
    all.push_back(std::ssize(some));
    all.insert(all.end(), some.begin(), some.end());
  };
  add(job.plan), add(job.sizes), add(job.grid), add(job.job);
  for (const auto& one : job.places) add(one);
  return all;
}

}  // namespace trellis::run
