#include "engine/run/rank_job.hpp"

#include <bit>
#include <numeric>

#include "engine/format/storage_order.hpp"

namespace trellis::run {

namespace {

struct Found {
  std::size_t argument;
  std::int64_t array;  ///< among the arrays of a job
};

/// Of the second level of an operand.
std::optional<Found> array_of(const emit::Module& module, const std::string& tensor, format::Array which) {
  std::int64_t arrays = 0;
  for (std::size_t k = 0; k < module.arguments.size(); ++k) {
    const emit::Argument& a = module.arguments[k];
    if (a.kind != emit::Argument::Kind::array) continue;
    if (a.name == tensor && a.level == 1 && a.array == which) return Found{k, arrays};
    ++arrays;
  }
  return std::nullopt;
}

}  // namespace

std::optional<RankJob> rank_job(const emit::Module& module, const RankPlan& plan, const Bindings& bindings,
                                std::vector<std::int64_t> grid, std::vector<std::vector<std::int64_t>> places,
                                bool poison) {
  enum Kinds : std::int64_t { a_size, a_real, an_array, the_table };  // as in ranks/job.h
  RankJob made;
  made.plan = plan.words;
  for (const std::string& name : plan.sizes) made.sizes.push_back(bindings.sizes.at(name));
  made.ranks = std::accumulate(grid.begin(), grid.end(), std::int64_t{1}, std::multiplies<>());
  made.grid = std::move(grid);
  made.places = std::move(places);

  std::vector<std::int64_t> arrays;
  made.job.push_back(std::ssize(module.arguments));
  for (const emit::Argument& a : module.arguments) switch (a.kind) {
      case emit::Argument::Kind::size: made.job.insert(made.job.end(), {a_size, plan.symbols.at(a.name)}); break;
      case emit::Argument::Kind::real:
        made.job.insert(made.job.end(), {a_real, std::bit_cast<std::int64_t>(bindings.reals.at(a.name))});
        break;
      case emit::Argument::Kind::array: {
        const tensor::Tensor& tensor = bindings.arrays.at(a.name);
        const auto cut = a.level < 0 ? plan.cut.find(a.name) : plan.cut.end();
        const bool is_cut = cut != plan.cut.end(), result = a.written && plan.results.contains(a.name);
        if (result && !tensor.share(a.level, a.array)) return std::nullopt;
        const std::size_t bytes = tensor.array_room(a.level, a.array);
        made.job.insert(made.job.end(), {an_array, std::ssize(made.arrays)});
        made.arrays.push_back(
            {tensor.array(a.level, a.array), bytes, a.written || is_cut, result, tensor.array_place(a.level, a.array)});
        arrays.insert(arrays.end(), {static_cast<std::int64_t>(bytes), made.arrays.back().own,
                                     is_cut ? cut->second : std::int64_t{-1}, result});
        break;
      }
      case emit::Argument::Kind::ranks: made.job.insert(made.job.end(), {the_table, 0}); break;
      case emit::Argument::Kind::capacity:
      case emit::Argument::Kind::tensor: break;  // of results that grow, which ranks do not have
    }
  made.job.push_back(std::ssize(made.arrays));
  made.job.insert(made.job.end(), arrays.begin(), arrays.end());
  made.job.push_back(poison);

  std::vector<std::int64_t> through;
  for (const RankPlan::Through& t : plan.through) {
    const auto positions = array_of(module, t.operand, format::Array::positions);
    const auto coordinates = array_of(module, t.operand, format::Array::coordinates);
    if (!positions || !coordinates) continue;  // the kernel does not walk them after all
    const bool wide = module.arguments[coordinates->argument].type == format::ScalarType::i64;
    const tensor::Tensor& operand = bindings.arrays.at(t.operand);
    const std::int64_t rows = operand.shape()[format::dimension_of(operand.format(), 0)];
    through.insert(through.end(), {t.exchange, t.level, positions->array, coordinates->array, t.partition, rows, wide});
  }
  made.job.push_back(std::ssize(through) / 7);
  made.job.insert(made.job.end(), through.begin(), through.end());
  return made;
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
