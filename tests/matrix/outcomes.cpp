#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <exception>

#include "tests/matrix/outcome.hpp"

namespace trellis::matrix {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto most = std::chrono::seconds(20);  // a trial takes hundredths of a second

/// Works on every so manyth trial from the first one on, until one of them ends it.
struct Worker {
  pid_t process = -1;
  int output = -1;
  std::size_t next = 0;  ///< the trial that it is at
  Clock::time_point begun = {};
  std::string said = {};
};

std::string line_of(const Outcome& outcome) {
  std::string what = outcome.what;
  std::ranges::replace(what, '\n', '\t');
  return std::to_string(static_cast<int>(outcome.kind)) + what + "\n";
}

Outcome outcome_from(const std::string& line) {
  std::string what = line.substr(1);
  std::ranges::replace(what, '\t', '\n');
  return {static_cast<Outcome::Kind>(line[0] - '0'), what};
}

[[noreturn]] void work(const std::vector<Trial>& all, std::size_t first, std::size_t stride, int output) {
  for (std::size_t number = first; number < all.size(); number += stride) {
    Outcome outcome;
    try {
      outcome = outcome_of(all[number]);
    } catch (const std::exception& error) {
      outcome = {Outcome::Kind::crashed, std::string("an exception: ") + error.what()};
    }
    const std::string line = line_of(outcome);
    if (write(output, line.data(), line.size()) != static_cast<ssize_t>(line.size())) break;
  }
  _exit(0);
}

void start(Worker& worker, const std::vector<Trial>& all, std::size_t stride) {
  int ends[2];
  if (pipe(ends) != 0) std::terminate();
  worker.begun = Clock::now();
  worker.said.clear();
  worker.process = fork();
  if (worker.process == 0) {
    close(ends[0]);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    work(all, worker.next, stride, ends[1]);
  }
  close(ends[1]);
  worker.output = ends[0];
}

std::string how_it_ended(Worker& worker) {
  int status = 0;
  waitpid(worker.process, &status, 0);
  close(worker.output);
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : "it ended itself";
}

}  // namespace

void outcomes_of(const std::vector<Trial>& all, int processes,
                 const std::function<void(std::size_t, const Outcome&)>& tell) {
  const auto stride = static_cast<std::size_t>(processes);
  std::vector<Worker> workers(stride);
  for (std::size_t k = 0; k < stride; ++k) {
    workers[k].next = k;
    if (k < all.size()) start(workers[k], all, stride);
  }
  const auto over = [&](Worker& worker, const Outcome& outcome) {
    tell(worker.next, outcome);
    worker.next += stride;
    worker.begun = Clock::now();
  };
  const auto again = [&](Worker& worker) {
    if (worker.next < all.size()) start(worker, all, stride);
    else worker.output = -1;
  };
  for (;;) {
    std::vector<pollfd> ready;
    for (const Worker& worker : workers) ready.push_back({worker.output, POLLIN, 0});
    if (std::ranges::all_of(workers, [](const Worker& worker) { return worker.output < 0; })) return;
    poll(ready.data(), ready.size(), 500);
    for (std::size_t k = 0; k < stride; ++k) {
      Worker& worker = workers[k];
      if (worker.output < 0) continue;
      if (ready[k].revents == 0) {
        if (Clock::now() - worker.begun < most) continue;
        kill(worker.process, SIGKILL);
        how_it_ended(worker);
        over(worker, {Outcome::Kind::endless});
        again(worker);
        continue;
      }
      char buffer[4096];
      const ssize_t length = read(worker.output, buffer, sizeof buffer);
      if (length > 0) worker.said.append(buffer, static_cast<std::size_t>(length));
      for (std::size_t end; (end = worker.said.find('\n')) != std::string::npos; worker.said.erase(0, end + 1))
        over(worker, outcome_from(worker.said.substr(0, end)));
      if (length > 0) continue;
      const std::string how = how_it_ended(worker);
      if (worker.next < all.size()) over(worker, {Outcome::Kind::crashed, how});
      again(worker);
    }
  }
}

}  // namespace trellis::matrix
