#include "engine/session/command/commands.hpp"

#include "engine/lang/schedule_commands.hpp"

namespace trellis::session {

namespace {

constexpr auto looks = CommandInfo::Effect::looks;

constexpr CommandInfo data_commands[] = {
    {"load", "load TENSOR \"file.mtx\" [record N]",
     "reads a tensor from a file, and binds sizes that have no value yet", "load A \"matrix.mtx\"", load},
    {"random", "random TENSOR [seed N] [density X] [spd] [normal] [range LO:HI]",
     "fills a tensor with reproducible random values", "random A density 0.1 seed 1", random},
    {"fill_with", "fill_with TENSOR [[1, 0], [0, 2]]", "sets all elements from a literal", "fill_with x [1, 2, 3]",
     fill_with},
    {"prune", "prune TENSOR", "forgets what is stored of a tensor and holds its fill", "prune A", prune},
};

constexpr CommandInfo other_commands[] = {
    {"run", "run [KERNEL] [jit|native] [threads N] [ranks N [mpi|in step]]", "compiles and executes", "run native",
     run},
    {"check", "check [KERNEL]", "compares the results with the reference evaluator", "check", check},
    {"time", "time [KERNEL] [N] [jit|native] [threads N]",
     "measures: minimum, median, spread, GB/s and GFLOP/s, for each back end", "time native", time},
    {"count", "count [KERNEL] [SIZE N N ...] [\"growth.svg\"]",
     "counts steps and operations on the data, and draws how they grow with a size", "count n 10 20 40", count, looks},
    {"show", "show STAGE [after PASS|each] [KERNEL]",
     "prints a stage: equations fragments graph placement loops access algebra lattice flow c asm cost formats "
     "schedule mask storage ranks memory find instance",
     "show loops", show},
    {"orders", "orders [KERNEL] [down] [time [jit|native]]", "every loop order: legal or not, and why not; measured",
     "orders down", orders},
    {"why", "why [KERNEL:] i j k", "why that order is illegal, and the nearest legal ones", "why j i", why},
    {"core", "core [KERNEL:] i j k", "a minimal set of dependences that forbids that order", "core j i", core},
    {"suggest", "suggest [KERNEL]", "schedules worth trying, with reasons and estimates", "suggest", suggest},
    {"tune", "tune [KERNEL] [jit|native] [threads N] [seconds N]",
     "measures the schedules that `suggest` has, and keeps the fastest", "tune", tune},
    {"plan", "plan [why] [KERNEL]|off|on",
     "the equations as queries: what is reduced early, kept and copied, and why; `off` runs them as written", "plan",
     plan, looks},
    {"step", "step [N] [KERNEL]", "goes on in an execution of a kernel, one statement at a time, and draws it",
     "step 3", step},
    {"back", "back [N]", "goes back in it", "back 2", back},
    {"goto", "goto N [KERNEL]|start|end|i=1,j=0", "goes to a step of it, or to the next one in that iteration",
     "goto i=1,j=0", goto_},
    {"next", "next violation|write TENSOR", "goes on to the next read that comes too early, or to the next write",
     "next write y", next},
    {"place", "place step|back|run|goto [N] [KERNEL]",
     "replays the placement of the equations into loops, event by event", "place step", place_},
    {"lattice", "lattice step|back|run|goto [N] [KERNEL]", "replays how loops walk what is stored, entry by entry",
     "lattice step", lattice},
    {"select", "select kernel|instance|element|node|step|nothing [WHAT]",
     "says where to look: a kernel, an iteration, an element, a node of a stage, a step of a replay",
     "select element y(1)", select, looks},
    {"pin", "pin [STAGE:ID]", "keeps what belongs to a node in sight, whatever is selected", "pin c:12", pin, looks},
    {"unpin", "unpin [STAGE:ID]", "lets go of it, or of all that is pinned", "unpin c:12", unpin, looks},
    {"fix", "fix N", "applies a fix that the last error offered", "fix 1", fix},
    {"print", "print TENSOR|EXPRESSION [whole]",
     "prints a tensor, or what an expression is; an expression alone does the same", "print x(0)", print, looks},
    {"save", "save TENSOR \"file.mtx\"",
     "writes a tensor to a .mtx, .tns, .npy, .csv or .pgm file, or the session to a .tr file", "save y \"y.csv\"", save,
     looks},
    {"export", "export c|mpi|svg|dot|json|report [STAGE] [KERNEL] \"file\"",
     "writes a kernel as a C library, its ranks as a folder for MPI, its graph as a picture, a stage as JSON, all of "
     "it "
     "as a page",
     "export c \"product.c\"", export_},
    {"plot", "plot TENSOR [spy|histogram [N]] [\"file.png\"]",
     "draws values, a matrix's pattern or a histogram, in the terminal, as PNG or SVG", "plot A spy", plot, looks},
    {"diff", "diff STATE [STATE] [loops|c] [kernel K]", "compares the loops of snapshots or orders",
     "diff \"i j\" \"j i\"", diff},
    {"snapshot", "snapshot NAME", "keeps the present state under a name", "snapshot before", snapshot},
    {"restore", "restore NAME", "goes back to a snapshot", "restore before", restore},
    {"undo", "undo [N]", "takes back the last statement that changed something", "undo 2", undo},
    {"redo", "redo [N]", "carries out again what was undone", "redo", redo},
    {"history", "history", "lists what can be undone and redone, and the snapshots", "history", history},
    {"list", "list", "prints the program as it stands, with a number for each statement", "list", list, looks},
    {"delete", "delete NAME|N", "takes what a name stands for out of the program, or the statement of a number",
     "delete y", delete_},
    {"schedule", "schedule auto [fast] [KERNEL]",
     "takes out what is said of how a kernel runs, so that a plan is chosen; `fast`: rounding may change",
     "schedule auto", schedule},
    {"reset", "reset", "forgets all declarations, equations and tensors", "reset", reset},
    {"source", "source \"f.tr\"", "carries out the statements of a file", "source \"more.tr\"", source},
    {"examples", "examples [NAME]", "lists the examples, or prints one", "examples cholesky", examples},
    {"tutorial", "tutorial [LESSON|next|back|list|leave]", "twelve short lessons, each with a program to try things on",
     "tutorial 1", tutorial},
    {"quiz", "quiz [ANSWER|skip]", "asks what the compiler or the loops will do, and says why", "quiz", quiz},
    {"explain", "explain CODE", "explains an error code at length", "explain E0101", explain},
    {"clear", "clear", "empties the screen", "clear", clear},
    {"quit", "quit", "leaves", "quit", quit},
    {"exit", "exit", "leaves", "exit", quit},
    {"help", "help [TOPIC]", "explains a command or a topic", "help load", help},
};

}  // namespace

const std::vector<CommandInfo>& commands() {
  static const std::vector<CommandInfo> table = [] {
    std::vector<CommandInfo> all(std::begin(data_commands), std::end(data_commands));
    for (const lang::ScheduleCommand& one : lang::schedule_commands())
      all.push_back({one.name, one.usage, one.summary, one.usage, nullptr});
    all.insert(all.end(), std::begin(other_commands), std::end(other_commands));
    return all;
  }();
  return table;
}

const CommandInfo* find_command(std::string_view name) {
  for (const CommandInfo& command : commands())
    if (command.name == name) return &command;
  return nullptr;
}

}  // namespace trellis::session
