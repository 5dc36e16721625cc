// Diagnostics for terminals:
//
//   file.tr:9:7: error[E0101]: order i j k reads V before it is computed
//    3 | V(i,j) = max(k)(V(k,j-1) * A(k,i))
//      |                 ^^^^^^^^ needs row k of step j-1
//    9 | order i j k
//      |       ^ finishes row i before it starts row i+1
//   instance: at i=0, …
//   extent:   6 of 12 reads at n=3
//   fixes:    [1] order j i k      one swap
//   next:     fix 1 · show instance · explain E0101

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <sstream>

#include "engine/text/fit.hpp"
#include "engine/text/glyphs.hpp"

namespace trellis::text {

namespace {

constexpr int widest_line = 160;  ///< of a source, where the page has no width
constexpr std::size_t most_fixes = 3;

struct Palette {
  const char *error = "", *warning = "", *note = "", *strong = "", *gutter = "", *off = "";
};

Palette palette(Colour colour) {
  if (colour == Colour::off) return {};
  return {"\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[1m", "\x1b[34m", "\x1b[0m"};
}

const char* paint(const Palette& p, Severity severity) {
  return severity == Severity::error ? p.error : severity == Severity::warning ? p.warning : p.note;
}

const char* word(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

/// A range of one line to underline.
struct Mark {
  Span span;
  std::string label;
  const char* paint;
};

/// One source line as shown: what is visible of it, and the column of each byte.
class Line {
 public:
  Line(std::string_view source, int room) : room_(room) {
    int column = 0;
    for (const Glyph& glyph : glyphs(source)) {
      for (int i = 0; i < glyph.bytes; ++i) columns_.push_back(column);
      cells_.push_back(glyph);
      column += glyph.width;
    }
    columns_.push_back(column);
  }

  int width() const { return columns_.back(); }
  int room() const { return room_; }
  int column(std::size_t byte) const { return columns_[std::min(byte, columns_.size() - 1)] - first_; }

  /// Long lines show a window that starts a little before `byte`.
  void focus(std::size_t byte) {
    if (width() <= room_) return;
    first_ = std::clamp(column(byte) - room_ / 4, 0, width() - room_);
  }

  std::string visible() const {
    std::string out;
    int at = 0, shown_to = first_ + room_;
    for (const Glyph& glyph : cells_) {
      if (at >= first_ && at + glyph.width <= shown_to) out += glyph.shown;
      at += glyph.width;
    }
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
  }

 private:
  std::vector<Glyph> cells_;
  std::vector<int> columns_;
  int room_, first_ = 0;
};

class Renderer {
 public:
  Renderer(const Sources& sources, Colour colour, const Page& page)
      : sources_(sources), p_(palette(colour)), page_(page) {}

  std::string render(const Diagnostic& d) {
    head(d);
    if (!is_remark(d)) excerpts(d);
    if (!d.instance_text.empty()) entry("instance:", d.instance_text);
    if (!d.extent.empty()) entry("extent:", d.extent);
    for (const Note& note : d.notes)
      if (!shown(note.span)) entry("note:", note.message);
    fixes(d);
    return std::move(out_);
  }

 private:
  /// A note that says all in its line, and points at nothing there.
  static bool is_remark(const Diagnostic& d) {
    return d.severity == Severity::note && d.label.empty() && d.notes.empty() && d.fixes.empty();
  }

  bool shown(Span span) const { return span.known() && span.source < sources_.size(); }

  void head(const Diagnostic& d) {
    std::string line;
    if (shown(d.span)) {
      Place at = sources_.begin(d.span);
      line = printable(sources_.name(d.span.source)) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) +
             ": ";
    }
    line += paint(p_, d.severity) + std::string(word(d.severity)) + (d.code.empty() ? "" : "[" + d.code + "]") + p_.off;
    out_ += fit(line + p_.strong + ": " + d.message + p_.off + "\n", page_, Overflow::flow);
  }

  /// Every marked line once, in the order of the text; the diagnostic's own source comes first.
  void excerpts(const Diagnostic& d) {
    struct Where {
      bool elsewhere;
      int file, line, source;
      auto operator<=>(const Where&) const = default;
    };
    std::map<Where, std::vector<Mark>> lines;
    const int own = shown(d.span) ? sources_.file_of(d.span.source) : -1;
    auto add = [&](Span span, const std::string& label, const char* colour) {
      if (!shown(span)) return;
      const int file = sources_.file_of(span.source);
      lines[{file != own, file, sources_.begin(span).line, span.source}].push_back({span, label, colour});
    };
    add(d.span, d.label, paint(p_, d.severity));
    for (const Note& note : d.notes) add(note.span, note.message, p_.note);

    std::size_t digits = 1;
    for (const auto& [where, marks] : lines) digits = std::max(digits, std::to_string(where.line).size());
    int file = own;
    for (auto& [where, marks] : lines) {
      if (where.file != file) out_ += " in " + printable(sources_.name(where.file)) + ":\n";
      file = where.file;
      excerpt(where.source, where.line, digits, marks);
    }
  }

  void excerpt(int source, int number, std::size_t digits, std::vector<Mark>& marks) {
    std::stable_sort(marks.begin(), marks.end(),
                     [](const Mark& a, const Mark& b) { return a.span.begin < b.span.begin; });
    std::string_view content = sources_.line(source, number);
    auto start = static_cast<std::size_t>(content.data() - sources_.content(source).data());
    Line line(content, page_.columns > 0 ? std::max(page_.columns - static_cast<int>(digits) - 4, 10) : widest_line);
    line.focus(marks.front().span.begin - start);
    // A line with no room for its own focus shows that mark all the same.
    const auto beyond = std::find_if(std::next(marks.begin()), marks.end(), [&](const Mark& mark) {
      return line.column(mark.span.begin - start) >= line.room();
    });
    std::vector<Mark> elsewhere(beyond, marks.end());
    marks.erase(beyond, marks.end());

    std::string label = std::to_string(number);
    gutter(std::string(digits - label.size(), ' ') + label);
    out_ += line.visible();
    end_line();
    underline(line, start, digits, marks);
    if (!elsewhere.empty()) excerpt(source, number, digits, elsewhere);
  }

  /// Carets and labels; two marks share a row when the first one's label leaves room.
  void underline(const Line& line, std::size_t start, std::size_t digits, const std::vector<Mark>& marks) {
    int at = -1;
    for (const Mark& mark : marks) {
      int from = std::max(0, line.column(mark.span.begin - start));
      int to = std::max(from + 1, line.column(std::max(mark.span.end, mark.span.begin) - start));
      to = std::max(from + 1, std::min(to, line.room()));
      if (at < 0 || from < at + 2) {
        if (at >= 0) end_line();
        gutter(std::string(digits, ' '));
        at = 0;
      }
      out_.append(static_cast<std::size_t>(from - at), ' ');
      out_ += mark.paint + std::string(static_cast<std::size_t>(to - from), '^');
      at = to + (mark.label.empty() ? 0 : 1 + width_of(mark.label));
      if (page_.columns > 0 && at > line.room()) {
        out_ += p_.off;
        end_line();
        label_below(mark, std::clamp(line.room() - width_of(mark.label), std::min(from, line.room() / 2), from),
                    line.room(), digits);
        at = -1;
        continue;
      }
      if (!mark.label.empty()) out_ += " " + mark.label;
      out_ += p_.off;
    }
    if (at >= 0) end_line();
  }

  void label_below(const Mark& mark, int from, int room, std::size_t digits) {
    std::istringstream lines(fit(mark.label, {room - from, page_.ellipsis}, Overflow::prose));
    for (std::string line; std::getline(lines, line);) {
      gutter(std::string(digits, ' '));
      out_ += std::string(static_cast<std::size_t>(from), ' ') + mark.paint + line + p_.off;
      end_line();
    }
  }

  void gutter(const std::string& number) { out_ += std::string(p_.gutter) + " " + number + " |" + p_.off + " "; }

  void end_line() {
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    out_ += "\n";
  }

  /// `name:     text`, further lines of the text under the first.
  void entry(std::string name, const std::string& text, Overflow overflow = Overflow::prose) {
    name.resize(std::max<std::size_t>(10, name.size() + 1), ' ');
    out_ += p_.strong + name + p_.off;
    const Page beside{page_.columns > 0 ? std::max(page_.columns - static_cast<int>(name.size()), 10) : 0,
                      page_.ellipsis};
    std::istringstream lines(text);
    std::string fitting;
    for (std::string line; std::getline(lines, line);)
      fitting += (fitting.empty() ? "" : "\n") + fit(line, beside, overflow);
    for (char c : fitting) {
      out_ += c;
      if (c == '\n') out_.append(name.size(), ' ');
    }
    out_ += "\n";
  }

  void fixes(const Diagnostic& d) {
    const std::span<const Fix> shown = shown_fixes(d);
    if (shown.empty()) return;
    int widest = 0;
    for (const Fix& fix : shown) widest = std::max(widest, width_of(fix.command));
    std::string text;
    int number = page_.fixes_before;
    for (const Fix& fix : shown) {
      if (!text.empty()) text += "\n";
      text += "[" + std::to_string(++number) + "] " + fix.command;
      auto padding = static_cast<std::size_t>(widest - width_of(fix.command)) + 6;
      if (!fix.remark.empty()) text += std::string(padding, ' ') + fix.remark;
    }
    entry("fixes:", text, Overflow::flow);
    entry("next:", next(d));
  }

  std::string next(const Diagnostic& d) const {
    const std::string first = std::to_string(page_.fixes_before + 1);
    if (!page_.program.empty())
      return "trellis fix " + shell_word(page_.program) + " " + first +
             (d.code.empty() ? "" : " · trellis help " + d.code);
    const bool early = d.code == "E0101" && d.instance;
    return "fix " + first + (early ? " · show instance" : "") + (d.code.empty() ? "" : " · explain " + d.code);
  }

  const Sources& sources_;
  Palette p_;
  Page page_;
  std::string out_;
};

}  // namespace

std::span<const Fix> shown_fixes(const Diagnostic& diagnostic) {
  return std::span(diagnostic.fixes).first(std::min(diagnostic.fixes.size(), most_fixes));
}

std::string render(const Diagnostic& diagnostic, const Sources& sources, Colour colour) {
  return render(diagnostic, sources, colour, {});
}

namespace {

/// Names of files and what stands in them may hold anything.
Diagnostic shown(Diagnostic d) {
  for (std::string* text : {&d.message, &d.label, &d.instance_text, &d.extent}) *text = printable(*text);
  for (Note& note : d.notes) note.message = printable(note.message);
  for (Fix& fix : d.fixes) fix.command = printable(fix.command), fix.remark = printable(fix.remark);
  return d;
}

}  // namespace

std::string render(const Diagnostic& diagnostic, const Sources& sources, Colour colour, const Page& page) {
  return Renderer(sources, colour, page).render(shown(diagnostic));
}

}  // namespace trellis::text
