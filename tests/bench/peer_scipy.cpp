#include "tests/bench/peer_scipy.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "engine/run/cache.hpp"

namespace trellis::bench {
namespace {

// Answers each line with one line: "ready", "ok", milliseconds, or "no" and what went wrong.
constexpr const char* script = R"(
import sys, time
import numpy as np, scipy.sparse as sp
held = {"sp": sp}
def answer(text): sys.stdout.write(text + "\n"); sys.stdout.flush()
answer("ready")
for line in sys.stdin:
    try:
        what, rest = line.rstrip("\n").split(" ", 1)
        if what == "time":
            code = compile(rest, "peer", "eval")
            start = time.perf_counter()
            result = eval(code, held)
            took = time.perf_counter() - start
            del result
            answer(repr(1000 * took))
        elif what == "keep":
            exec(rest, held)
            answer("ok")
        elif what == "vector":
            name, path = rest.split(" ")
            held[name] = np.fromfile(path, np.float64)
            answer("ok")
        else:
            name, rows, columns, path = rest.split(" ")
            kind = sp.csr_matrix if what == "csr" else sp.csc_matrix
            arrays = (np.fromfile(path + ".values", np.float64), np.fromfile(path + ".coordinates", np.int32), np.fromfile(path + ".positions", np.int32))
            held[name] = kind(arrays, shape=(int(rows), int(columns)))
            held[name].has_sorted_indices = True
            answer("ok")
    except Exception as problem:
        answer("no " + str(problem).replace("\n", " "))
)";

template <class T>
bool write_file(const std::string& path, const T* values, std::int64_t count) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(sizeof(T)) * count);
  return file.good();
}

}  // namespace

std::shared_ptr<Scipy> Scipy::start() {
  // Debian's SciPy is for Debian's Python, which need not be the first one.
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (auto started = start(python)) return started;
  return nullptr;
}

std::shared_ptr<Scipy> Scipy::start(const char* python) {
  int down[2], up[2];
  if (pipe2(down, O_CLOEXEC) != 0) return nullptr;
  if (pipe2(up, O_CLOEXEC) != 0) {
    close(down[0]), close(down[1]);
    return nullptr;
  }
  std::signal(SIGPIPE, SIG_IGN);  // a missing Python is an answer, not an end
  const pid_t child = fork();
  if (child == 0) {
    dup2(down[0], 0);
    dup2(up[1], 1);
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, 2);
    setenv("OMP_NUM_THREADS", "1", 1);
    execlp(python, python, "-c", script, static_cast<char*>(nullptr));
    _exit(127);
  }
  close(down[0]), close(up[1]);
  if (child < 0) {
    close(down[1]), close(up[0]);
    return nullptr;
  }
  std::shared_ptr<Scipy> result(new Scipy(child, down[1], up[0]));
  return result->ask("") == "ready" ? result : nullptr;
}

Scipy::~Scipy() {
  close(to_), close(from_);
  waitpid(child_, nullptr, 0);
}

std::string Scipy::ask(const std::string& line) {
  const std::string sent = line.empty() ? "" : line + "\n";
  if (write(to_, sent.data(), sent.size()) != static_cast<ssize_t>(sent.size())) return "";
  std::string answer;
  for (char letter = 0; read(from_, &letter, 1) == 1 && letter != '\n';) answer += letter;
  return answer;
}

bool Scipy::load(const std::string& name, const Compressed& matrix) {
  const run::ScratchFolder folder;
  if (!folder.exists()) return false;
  const std::string path = folder.file(name);
  const std::int64_t entries = matrix.positions[matrix.by_rows ? matrix.rows : matrix.columns];
  if (!write_file(path + ".positions", matrix.positions, (matrix.by_rows ? matrix.rows : matrix.columns) + 1) ||
      !write_file(path + ".coordinates", matrix.coordinates, entries) ||
      !write_file(path + ".values", matrix.values, entries))
    return false;
  return ask(std::string(matrix.by_rows ? "csr " : "csc ") + name + " " + std::to_string(matrix.rows) + " " +
             std::to_string(matrix.columns) + " " + path) == "ok";
}

bool Scipy::load(const std::string& name, const double* values, std::int64_t count) {
  const run::ScratchFolder folder;
  if (!folder.exists() || !write_file(folder.file(name), values, count)) return false;
  return ask("vector " + name + " " + folder.file(name)) == "ok";
}

bool Scipy::keep(const std::string& names, const std::string& expression) {
  return ask("keep " + names + " = " + expression) == "ok";
}

double Scipy::time(const std::string& expression) {
  const std::string answer = ask("time " + expression);
  return answer.empty() || answer.rfind("no", 0) == 0 ? -1 : std::strtod(answer.c_str(), nullptr);
}

}  // namespace trellis::bench
