#pragma once
// Someone at a terminal: starts `trellis` behind a pseudo-terminal, types keys, and looks at the screen.
//
//   Typist typist({}, {});
//   typist.type("tensor x(3)\r");
//   CHECK(typist.waits_for_prompt());

#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/repl/screen.hpp"

namespace trellis::testing {

class Typist {
 public:
  struct Desk {
    std::string folder = "/";                           ///< where the program is started; its files go below
    std::map<std::string, std::string> variables = {};  ///< beside TERM=xterm and a UTF-8 locale
    int rows = 40, columns = 100;
  };
  Typist(const std::vector<std::string>& arguments, const Desk& desk);
  ~Typist();
  Typist(const Typist&) = delete;
  Typist& operator=(const Typist&) = delete;

  void type(const std::string& keys);
  /// The window gets another size, which the program hears of; what `screen` holds keeps the first one.
  void resize(int rows, int columns);
  /// Reads until `text` appears behind what was there at the last call of `type`; false when that takes a minute, or
  /// the program has ended.
  bool sees(const std::string& text);
  /// Reads until the cursor stands behind this, at the start of a line.
  bool waits_behind(const std::string& prompt);
  bool waits_until(const std::function<bool(const Screen&)>& condition);
  bool waits_for_prompt() { return waits_behind("trellis> "); }
  /// Reads to the program's end; its exit code, 128 + N when signal N killed it, -1 when it goes on for a minute.
  int ends();

  const Screen& screen() const { return screen_; }
  /// Everything that came, control sequences and all.
  const std::string& raw() const { return raw_; }
  pid_t process() const { return process_; }

 private:
  /// False when nothing came in that time.
  bool read(int milliseconds);
  template <class Condition>
  bool reads_until(const Condition& condition);

  int terminal_ = -1;
  pid_t process_ = -1;
  Screen screen_;
  std::string raw_;
  std::size_t typed_at_ = 0;  ///< of raw_
  bool closed_ = false;
  int code_ = -1;
};

}  // namespace trellis::testing
