#include "engine/run/on_mpi.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <optional>

#include "engine/run/cache.hpp"
#include "engine/run/code.hpp"
#include "engine/run/execute.hpp"
#include "engine/run/process.hpp"
#include "engine/run/sandbox.hpp"
#include "engine/run/work.hpp"

namespace trellis::run {
namespace {

using Status = Outcome::Status;

/// As ranks/rank.c numbers them.
enum Reported : std::int64_t { nothing, done, no_memory, no_code, alone, no_file };
constexpr std::size_t state_at = 0, fault_at = 1, site_at = 2, steps_at = 3, ms_at = 4, elapsed_at = 5, slice_at = 6,
                      waited_at = 7, report_head = waited_at + rank_slices;

bool write_file(const std::string& path, const void* data, std::size_t bytes) {
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  const char* from = static_cast<const char*>(data);
  while (file.get() >= 0 && bytes > 0) {
    const ssize_t wrote = write(file.get(), from, bytes);
    if (wrote <= 0) return false;
    from += wrote;
    bytes -= static_cast<std::size_t>(wrote);
  }
  return file.get() >= 0;
}

enum class Length { known, at_most };

/// A file that is read into memory that is there already.
bool read_file(const std::string& path, void* data, std::size_t bytes, Length length = Length::known) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char* to = static_cast<char*>(data);
  while (file.get() >= 0 && bytes > 0) {
    const ssize_t got = read(file.get(), to, bytes);
    if (got == 0 && length == Length::at_most) return true;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return file.get() >= 0;
}

std::string chosen(const char* variable, const char* usual) {
  const char* const value = std::getenv(variable);
  return value && *value ? value : usual;
}

class Run {
 public:
  Run(const Kernel& kernel, const RankJob& job, const Limits& limits)
      : kernel_(kernel),
        job_(job),
        limits_(limits),
        wait_(limits.seconds, limits.cancel),
        words_(report_head + 3 * static_cast<std::size_t>(job.plan[4])),
        report_(words_ * static_cast<std::size_t>(job.ranks)) {}

  MpiOutcome run() {
    for (const std::string& program : {compiler_, starter_})
      if (in_path(program).empty())
        return {
            {},
            "`" + program + "` is not installed",
            "install MPI, as in `apt install openmpi-bin libopenmpi-dev`; the environment variables MPICC and MPIEXEC "
            "name other programs"};
    if (!folder_.exists() || !lay_out()) return failed(Status::out_of_memory, no_room());
    if (auto bad = compile()) return std::move(*bad);
    std::vector<std::string> command = mpi_command(folder_.path(), job_.ranks, limits_.threads);
    command.insert(command.end(), {folder_.file("rank"), folder_.path()});
    const Finished finished = run_program(command, wait_, folder_.path());
    read_file(folder_.file("report"), report_.data(), report_.size() * sizeof(std::int64_t));
    MpiOutcome ended = judge_ranks(finished);
    if (ended.ran.outcome.status == Status::ok && ended.missing.empty() && !fetch())
      return failed(Status::crashed, "results of kernel `" + name() + "` cannot be read back from its ranks");
    return ended;
  }

 private:
  const std::string& name() const { return kernel_.module().kernel; }

  std::string no_room() const {
    return "there is no room for the arrays of kernel `" + name() + "` in " +
           (folder_.exists() ? folder_.path() : "a folder of its own") + ": " + std::strerror(errno);
  }

  static MpiOutcome failed(Status status, std::string message) {
    MpiOutcome outcome;
    outcome.ran.outcome = {.status = status, .message = std::move(message)};
    return outcome;
  }

  static std::string name_of(std::size_t array) { return "array" + std::to_string(array); }

  /// Of what lies in a file already ranks read and write that one.
  std::string place_of(std::size_t array) const {
    const auto& place = job_.arrays[array].place;
    return place ? std::to_string(place->begin) + " " + place->path : "0 " + name_of(array);
  }

  bool lay_out() const {
    const std::vector<std::int64_t> numbers = numbers_of(job_);
    std::string code = kernel_.code()->file + "\n" + kernel_.code()->symbol + "\n";
    for (std::size_t k = 0; k < job_.arrays.size(); ++k) code += place_of(k) + "\n";
    bool fits = write_file(folder_.file("job"), numbers.data(), numbers.size() * sizeof(std::int64_t)) &&
                write_file(folder_.file("report"), report_.data(), report_.size() * sizeof(std::int64_t)) &&
                write_file(folder_.file("kernel"), code.data(), code.size());
    for (const auto& [file, text] : rank_files)
      fits = fits && write_file(folder_.file(std::string(file)), text.data(), text.size());
    for (std::size_t k = 0; k < job_.arrays.size() && fits; ++k)
      fits = job_.arrays[k].place || write_file(folder_.file(name_of(k)), job_.arrays[k].data, job_.arrays[k].held);
    return fits;
  }

  /// In a folder beside the native code, if there is one, it is compiled once.
  std::optional<MpiOutcome> compile() const {
    const std::vector<std::string> command{
        compiler_, "-std=c99", "-O2", "-o", folder_.file("rank"), folder_.file("rank.c"), "-ldl", "-lm"};
    std::string made_of = run_program({compiler_, "-show"}, wait_).output;  // which libraries, of which MPI
    for (const auto& [file, text] : rank_files) made_of += text;
    const auto cache = cache_folder();
    const CachedCode kept(cache.value_or(""), content_key(made_of));
    if (cache && kept.holds(made_of) && link(kept.file().c_str(), folder_.file("rank").c_str()) == 0)
      return std::nullopt;
    const Finished finished = run_program(command, wait_, folder_.path());
    if (finished.succeeded()) {
      if (cache) kept.keep(folder_.file("rank"), made_of);
      return std::nullopt;
    }
    if (auto stopped = was_stopped(finished)) return stopped;
    return MpiOutcome{{},
                      "`" + compiler_ + "` cannot compile a rank: " + first_line(finished.output),
                      "install the headers of MPI, as in `apt install libopenmpi-dev`"};
  }

  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

  std::optional<MpiOutcome> was_stopped(const Finished& finished) const {
    if (finished.ending.kind == Ending::Kind::timed_out || finished.ending.kind == Ending::Kind::interrupted)
      return failed_as(finished.ending, {});
    return std::nullopt;
  }

  MpiOutcome failed_as(const Ending& ending, const Report& report) const {
    const std::size_t memory = limits_.memory ? limits_.memory : default_memory_limit();
    MpiOutcome outcome;
    outcome.ran.outcome = judge(kernel_.module(), ending, report, limits_, memory);
    return outcome;
  }

  std::int64_t said(std::int64_t rank, std::size_t what) const {
    return report_[static_cast<std::size_t>(rank) * words_ + what];
  }

  MpiOutcome judge_ranks(const Finished& finished) const {
    if (auto stopped = was_stopped(finished)) return std::move(*stopped);
    Report report{};
    report.begun = true;
    bool all_done = true;
    for (std::int64_t r = 0; r < job_.ranks; ++r) {
      all_done &= said(r, state_at) == done;
      if (said(r, state_at) == no_memory) report.result = 1;
      if (said(r, state_at) == no_code) report.begun = false;
      if (said(r, state_at) == alone)
        return {{},
                "each rank is alone: `mpiexec` and `mpicc` belong to different MPIs",
                "let PATH have both of one installation"};
      if (report.fault[0] == 0 && said(r, fault_at) != 0) {
        report.fault[0] = static_cast<std::int32_t>(said(r, fault_at));
        report.fault[1] = static_cast<std::int32_t>(said(r, site_at));
      }
    }
    if (!all_done && report.result == 0 && report.begun) return died(finished);
    report.steps = said(0, steps_at);
    MpiOutcome outcome = failed_as({Ending::Kind::returned}, report);
    outcome.ran.outcome.run_ms = std::bit_cast<double>(said(0, ms_at));
    outcome.ran.sent.resize((words_ - report_head) / 3);
    for (std::size_t k = 0; k < outcome.ran.sent.size(); ++k)
      for (std::int64_t r = 0; r < job_.ranks; ++r) {
        outcome.ran.sent[k].executions = said(r, report_head + 3 * k);
        outcome.ran.sent[k].messages += said(r, report_head + 3 * k + 1);
        outcome.ran.sent[k].elements += said(r, report_head + 3 * k + 2);
      }
    for (std::int64_t r = 0; r < job_.ranks; ++r) {
      RankTime time{said(r, elapsed_at), said(r, slice_at), {}};
      for (std::size_t k = 0; k < rank_slices; ++k) time.waited.push_back(said(r, waited_at + k));
      outcome.ran.times.push_back(std::move(time));
    }
    return outcome;
  }

  /// Of a rank that ended before its time mpiexec tells the signal in words, or passes its code on.
  MpiOutcome died(const Finished& finished) const {
    constexpr std::string_view on_signal = "exited on signal ", of_rank = "process rank ";
    const std::size_t told = finished.output.find(on_signal), rank = finished.output.find(of_rank);
    const int code = finished.ending.code;
    int signal = told == std::string::npos ? 0 : std::atoi(finished.output.c_str() + told + on_signal.size());
    if (signal == 0 && code > 128) signal = code - 128;
    const std::string who = rank == std::string::npos
                                ? "a rank"
                                : "rank " + std::to_string(std::atoi(finished.output.c_str() + rank + of_rank.size()));
    const char* const words = signal ? sigdescr_np(signal) : nullptr;
    MpiOutcome outcome = failed(Status::crashed, who + " of kernel `" + name() + "` " +
                                                     (words ? std::string("was ended by a signal: ") + words
                                                            : "ended with exit code " + std::to_string(code)));
    outcome.ran.outcome.signal = signal;
    if (!words && !finished.output.empty()) outcome.ran.outcome.message += " (" + first_line(finished.output) + ")";
    return outcome;
  }

  bool fetch() const {
    for (std::size_t k = 0; k < job_.arrays.size(); ++k) {
      const RankJob::Array& array = job_.arrays[k];
      if (array.result == RankJob::Result::none || array.place) continue;
      const Length length = array.result == RankJob::Result::sparse ? Length::at_most : Length::known;
      if (!read_file(folder_.file(name_of(k)), const_cast<void*>(array.data), array.bytes, length)) return false;
    }
    return true;
  }

  const Kernel& kernel_;
  const RankJob& job_;
  const Limits& limits_;
  const Wait wait_;
  const ScratchFolder folder_;
  const std::string compiler_ = mpi_compiler(), starter_ = mpi_starter();
  const std::size_t words_;  ///< of the report of one rank
  std::vector<std::int64_t> report_;
};

}  // namespace

std::string in_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0 ? program : "";
  const char* const path = std::getenv("PATH");
  const std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string file = folders.substr(begin, end - begin) + "/" + program;
    if (end > begin && access(file.c_str(), X_OK) == 0) return file;
    begin = end + 1;
  }
  return "";
}

std::string mpi_compiler() { return chosen("MPICC", "mpicc"); }
std::string mpi_starter() { return chosen("MPIEXEC", "mpiexec"); }

std::vector<std::string> mpi_command(const std::string& folder, std::int64_t ranks, int threads) {
  return {"env",
          "OMPI_ALLOW_RUN_AS_ROOT=1",
          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
          "OMPI_MCA_rmaps_base_oversubscribe=1",
          "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe",
          "OMPI_MCA_mpi_yield_when_idle=1",
          "OMPI_MCA_btl_vader_backing_directory=" + folder,
          "OMPI_MCA_btl_sm_backing_directory=" + folder,
          "OMPI_MCA_orte_tmpdir_base=" + folder,
          "OMP_NUM_THREADS=" + std::to_string(threads),
          mpi_starter(),
          "-n",
          std::to_string(ranks)};
}

MpiOutcome execute_on_mpi(const Kernel& kernel, const RankJob& job, const Limits& limits) {
  return Run(kernel, job, limits).run();
}

}  // namespace trellis::run
