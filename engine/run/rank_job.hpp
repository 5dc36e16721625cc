#pragma once
// What ranks of a kernel need to run: the plan as numbers, where it is cut, and the kernel's arguments, in the form
// that ranks read (ranks/sections.h, ranks/job.h). The same for ranks that are threads of a child and for processes.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/run/kernel.hpp"

namespace trellis::run {

/// Of a plan, for all runs of it (distribute/words.hpp).
struct RankPlan {
  std::vector<std::int64_t> words;
  std::vector<std::string> sizes;               ///< by symbol
  std::map<std::string, std::int64_t> symbols;  ///< of sizes and ends of parts
  std::map<std::string, std::int64_t> cut;      ///< flat arrays that are cut: their numbers in the plan
  std::set<std::string> results;
  /// Of an exchange a rank wants, in one level of its tensor, no more than the coordinates in its rows of an operand.
  struct Through {
    int exchange, level;
    std::string operand;     ///< a compressed level below a dense one
    std::int64_t partition;  ///< of its rows; -1: each rank has all
  };
  std::vector<Through> through = {};
  /// Of results in sparse formats, by level: the partition of its dimension; -1: it is not cut.
  std::map<std::string, std::vector<std::int64_t>> parts = {};
};

struct RankJob {
  std::vector<std::int64_t> plan, sizes, grid;
  std::vector<std::vector<std::int64_t>> places;  ///< by partition
  std::int64_t ranks = 1;                         ///< 0: any number, which rank.c cuts evenly
  std::vector<std::int64_t> job;                  ///< as ranks/job.h reads it
  enum class Result { none, flat, sparse };
  struct Array {
    const void* data;
    std::size_t bytes;
    std::size_t held;  ///< of these; the others are 0, and addresses for what is appended
    bool own;
    Result result;
    std::string tensor;                      ///< whose array it is
    int level = -1;                          ///< of which level; -1: the values
    std::string file;                        ///< its name where it is one: `u.bin`, of a level `A_1_positions.bin`
    std::optional<tensor::FilePlace> place;  ///< where processes read and write it already; empty: in memory alone
  };
  std::vector<Array> arrays;
};

/// `module`: of a rank's kernel (compile_rank). `poison`: what a rank neither owns nor is sent is no number in its
/// arrays, so that using it shows. Results come into memory that children share. Empty when memory is refused.
std::optional<RankJob> rank_job(const emit::Module& module, const RankPlan& plan, const Bindings& bindings,
                                std::vector<std::int64_t> grid, std::vector<std::vector<std::int64_t>> places,
                                bool poison);

/// A flat array of which the file has elements in other places than ranks do: by level its size, and where coordinates
/// of ranks are in the file; null: at the same.
struct OtherPlaces {
  std::size_t array;
  struct Level {
    std::int64_t size;
    const std::vector<std::int64_t>* numbers;
  };
  std::vector<Level> levels;
};
/// Has each rank find its elements there, and put results there.
void keep_numbers_of_files(RankJob& job, const std::vector<OtherPlaces>& arrays);

/// As a file that ranks/rank.c reads.
std::vector<std::int64_t> numbers_of(const RankJob& job);

/// What an exchange sent, by all ranks together.
struct RanksSent {
  std::int64_t executions = 0, messages = 0, elements = 0;
};

constexpr std::size_t rank_slices = 64;  ///< as ranks/lanes.h has them
constexpr std::size_t rank_levels = 16;  ///< of a tensor at most: as ranks/sections.h has them

/// When one of the ranks waited: for messages, and while it put them together. Nanoseconds.
struct RankTime {
  std::int64_t elapsed = 0;          ///< until all were over
  std::int64_t slice = 0;            ///< of some ranks 2, 4, 8, … times as long as of others
  std::vector<std::int64_t> waited;  ///< by slice of the run
};

struct RanksOutcome {
  Outcome outcome;
  std::vector<RanksSent> sent;  ///< by exchange
  std::vector<RankTime> times;  ///< by rank
};

/// Runs all ranks as threads of one child. Results are in the job's arrays, if it ended well; a child that was ended
/// while it put them there leaves something in between, so they are to be new ones.
RanksOutcome execute_on_threads(const Kernel& kernel, const RankJob& job, const Limits& limits);

}  // namespace trellis::run
