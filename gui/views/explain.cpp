#include <algorithm>
#include <set>

#include "engine/lang/expr.hpp"
#include "engine/session/figures.hpp"
#include "gui/excerpt.hpp"
#include "gui/order_words.hpp"
#include "gui/page.hpp"
#include "gui/replayed.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using text::Diagnostic;
using text::Severity;

Verdict icon_of(Severity severity) {
  return severity == Severity::error     ? Verdict::illegal
         : severity == Severity::warning ? Verdict::costly
                                         : Verdict::ready;
}

Token edge_of(Severity severity) {
  return severity == Severity::error ? Token::bad : severity == Severity::warning ? Token::warn : Token::accent;
}

void add_point(const Scene& scene, const Theme& theme, const text::Point& point, std::vector<Piece>& pieces) {
  for (const auto& [name, value] : point)
    pieces.push_back({name + "=" + std::to_string(value), Piece::Kind::tag, colour_of_index(scene, theme, name)});
}

/// "at i=0 j=2 k=1 it reads V(1,1)", "which is computed later, at i=1 j=1".
void draw_instance(const Scene& scene, Page& page, const Diagnostic& diagnostic) {
  if (!diagnostic.instance) {
    if (!diagnostic.instance_text.empty()) page.caption("SMALLEST INSTANCE"), page.paragraph(diagnostic.instance_text);
    return;
  }
  const text::Instance& instance = *diagnostic.instance;
  page.caption("SMALLEST INSTANCE");
  if (diagnostic.code != "E0101" || instance.read.empty()) return page.paragraph(diagnostic.instance_text, Token::ink);
  const Theme& t = page.ui().theme();
  std::vector<Piece> reads = {{"at"}}, written;
  add_point(scene, t, instance.at, reads);
  reads.push_back({"it reads"});
  reads.push_back({text::element_text(instance.read, instance.element), Piece::Kind::missing, t(Token::bad)});
  page.sentence(reads);
  if (instance.written_at.empty()) return page.sentence({{"which nothing computes before"}});
  written = {{"which is computed later, at"}};
  add_point(scene, t, instance.written_at, written);
  page.sentence(written);
}

/// In the execution that is stepped through.
std::size_t violations_stepped(const Scene& scene) {
  const Replayed r = replayed(scene);
  return r ? r.drawn->account.violations.size() : 0;
}

/// A square for each read, those that come too early first.
void draw_extent(const Scene& scene, Page& page, const Diagnostic& diagnostic, const explore::Extent* extent) {
  if (diagnostic.extent.empty() && !extent) return;
  page.space(4);
  const Theme& t = page.ui().theme();
  if (extent && extent->reads > 0) {
    const float room = page.width();
    if (static_cast<float>(extent->reads) * 8 <= 3 * room) {
      const int in_row = std::max(1, static_cast<int>(room / 14));
      const float side = extent->reads <= 2 * in_row ? 10 : 6, pitch = side + (side > 8 ? 4.F : 2.F);
      const auto across = static_cast<std::int64_t>(room / pitch);
      const Rect area = page.take(pitch * static_cast<float>((extent->reads + across - 1) / across));
      for (std::int64_t i = 0; i < extent->reads; ++i) {
        const Rect square{area.x + static_cast<float>(i % across) * pitch,
                          area.y + static_cast<float>(i / across) * pitch, side, side};
        if (i < extent->violations) page.ui().paint().fill(square, t(Token::bad), 2);
        else
          page.ui().paint().fill(square, t(Token::cell), 2), page.ui().paint().outline(square, t(Token::line2), 1, 2);
      }
    } else {
      const Rect area = page.take(10);
      const float share = static_cast<float>(extent->violations) / static_cast<float>(extent->reads);
      page.ui().paint().fill({area.x, area.y, area.w, 8}, t(Token::cell), 4);
      page.ui().paint().fill({area.x, area.y, area.w * share, 8}, t(Token::bad), 4);
    }
    page.space(2);
  }
  const std::size_t cut = diagnostic.extent.find("; ");
  page.paragraph(diagnostic.extent.substr(0, cut) + (extent ? ", the smallest sizes" : ""), Token::soft);
  if (const std::size_t stepped = extent ? violations_stepped(scene) : 0; stepped > 0)
    page.paragraph("at " + text::to_string(replayed(scene).sizes(*scene.explained())) + ", which are stepped: " +
                       session::counted(static_cast<std::int64_t>(stepped), "read", "reads") + " too early",
                   Token::soft);
  if (cut != std::string::npos) page.paragraph(diagnostic.extent.substr(cut + 2), Token::faint);
}

/// Each applies by a click, or by its number's key. `first` is the number of the first over all messages; 0: of a
/// preview, whose fixes are no remedies of the program.
void draw_fixes(Page& page, const std::vector<text::Fix>& fixes, int first) {
  if (fixes.empty()) return;
  Ui& ui = page.ui();
  page.caption(first > 0 ? "FIXES, EACH TRIED AND PROVEN" : "NEAREST LEGAL ORDERS");
  if (first == 0) {
    for (const text::Fix& fix : fixes)
      page.row({.id = "near:" + fix.command,
                .role = "text",
                .state = fix.remark,
                .icon = Verdict::legal,
                .code = fix.command,
                .words = fix.remark});
    return;
  }
  for (std::size_t i = 0; i < fixes.size(); ++i) {
    const int number = first + static_cast<int>(i);
    const std::string name = std::to_string(number);
    const Response response = page.row({.id = "fix:" + name,
                                        .state = fixes[i].remark,
                                        .icon = Verdict::legal,
                                        .code = fixes[i].command,
                                        .words = fixes[i].remark,
                                        .right = number == 1   ? "Ctrl+."
                                                 : number < 10 ? name
                                                               : "fix " + name,
                                        .first = number == 1});
    if (response.clicked || (number < 10 && ui.key(name))) ui.act("fix " + name);
  }
}

void draw_message(const Scene& scene, Page& page, const Diagnostic& diagnostic, int first_fix,
                  const explore::Extent* extent) {
  page.heading(icon_of(diagnostic.severity), diagnostic.message);
  for (const Excerpt& one : excerpts_of(diagnostic, scene.snapshot->sources))
    draw_excerpt(scene, page, one, edge_of(diagnostic.severity));
  for (const text::Note& note : diagnostic.notes)
    if (!note.span.known()) page.paragraph(note.message);
  draw_instance(scene, page, diagnostic);
  draw_extent(scene, page, diagnostic, extent);
  draw_fixes(page, diagnostic.fixes, first_fix);
  page.space(8);
}

struct Numbered {
  const session::Message* message;
  int first_fix;
};
/// What is about the kernel that is looked at, or about all of them; errors first.
std::vector<Numbered> messages_about(const Scene& scene) {
  std::vector<Numbered> all;
  int fixes = 1;
  for (const session::Message& message : *scene.messages) {
    const bool error = message.diagnostic.severity == Severity::error;
    if (error || message.kernel.empty() || (scene.kernel && message.kernel == scene.kernel->name))
      all.push_back({&message, fixes});
    fixes += static_cast<int>(message.diagnostic.fixes.size());
  }
  const auto other_kernel = [&](const session::Message& m) {
    return !m.kernel.empty() && scene.kernel && m.kernel != scene.kernel->name;
  };
  std::ranges::stable_sort(
      all, {}, [&](const Numbered& n) { return std::pair(n.message->diagnostic.severity, other_kernel(*n.message)); });
  return all;
}

struct ShownLoop {
  std::string variable, range;
  bool forall = false, descending = false, parallel = false, vectorized = false, reduces = false;
  std::vector<std::string> sums;
  bool operator==(const ShownLoop&) const = default;
};
std::vector<ShownLoop> loops_of(const loop::Stmt& nest) {
  std::vector<ShownLoop> loops;
  loop::for_each(nest, [&](const loop::Stmt& stmt) {
    const auto* one = stmt.as<loop::For>();
    if (!one) return;
    ShownLoop shown{one->variable,
                    lang::to_string(one->low) + " : " + lang::to_string(one->high),
                    one->kind == loop::For::Kind::forall,
                    one->descending,
                    one->execution == loop::For::Execution::parallel,
                    one->execution == loop::For::Execution::vectorized,
                    !one->reduces.empty(),
                    one->reduces};
    if (std::ranges::find(loops, shown) == loops.end()) loops.push_back(std::move(shown));
  });
  return loops;
}

std::string why_so(const ShownLoop& loop) {
  std::string words = loop.forall ? "iterations may run in any order" : "each iteration needs what one before it gave";
  if (loop.reduces) {
    words = "iterations add up ";
    for (const std::string& sum : loop.sums) words += (&sum == &loop.sums.front() ? "" : ", ") + sum;
  }
  if (loop.parallel) words += ", on all threads";
  if (loop.vectorized) words += ", in vectors";
  return words;
}

void draw_loops(const Scene& scene, Page& page, const Compilation& compilation) {
  const std::vector<ShownLoop> loops = loops_of(compilation.loops);
  if (loops.empty()) return;
  page.caption("LOOPS");
  const Theme& t = page.ui().theme();
  for (const ShownLoop& loop : loops)
    page.sentence({{loop.variable, Piece::Kind::tag, colour_of_index(scene, t, loop.variable)},
                   {loop.range + (loop.descending ? " down" : ""), Piece::Kind::code, t(Token::soft)},
                   {loop.forall ? "forall" : "for", Piece::Kind::tag, t(loop.forall ? Token::accent : Token::soft)},
                   {why_so(loop)}});
}

void draw_temporaries(const Scene&, Page& page, const Compilation& compilation) {
  if (!compilation.placed || compilation.placed->temporaries.empty()) return;
  page.caption("BUFFERS");
  const Theme& t = page.ui().theme();
  for (const lang::TensorInfo& one : compilation.placed->temporaries) {
    std::string shape;
    for (const math::Affine& size : one.shape) shape += (shape.empty() ? "" : ", ") + math::to_string(size);
    page.sentence({{one.name + (shape.empty() ? "" : "(" + shape + ")"), Piece::Kind::tag, t(Token::soft)},
                   {shape.empty() ? "one number is kept at a time" : "is kept at a time"}});
  }
}

void draw_legal(const Scene& scene, Page& page) {
  const session::ExplainedView* explained = scene.explained();
  const session::CompiledView* compiled = scene.compiled();
  const std::string order =
      explained && !explained->in_force.empty() ? "order " + lang::to_string(explained->in_force) : "this program";
  page.heading(verdict_icon(scene.verdict.kind),
               order + (compiled && compiled->compilation.order_chosen ? ", which was chosen, is legal" : " is legal"));
  if (scene.verdict.proof == "as written")
    page.paragraph("Its loops run as they are written, which is what they mean.", Token::ink);
  if (explained && explained->certificate) {
    const place::Certificate& certificate = *explained->certificate;
    page.paragraph("Proven " + certificate.sizes + ": " + std::to_string(certificate.dependences) +
                       (certificate.dependences == 1 ? " dependence" : " dependences") + " respected, " +
                       std::to_string(certificate.instances) +
                       (certificate.instances == 1 ? " fragment runs" : " fragments run") +
                       " each of their instances once.",
                   Token::ink);
  }
  if (scene.kernel->ran && scene.kernel->ran->check) {
    const check::Report& check = *scene.kernel->ran->check;
    const bool same = !check.first && !check.problem;
    if (same && check.by == check::By::equations)
      page.paragraph("Ran, and each equation holds on its own results, in " + std::to_string(check.elements) +
                     (check.elements == 1 ? " element." : " elements."));
    else if (same)
      page.paragraph("Ran, and agrees with the reference in " + std::to_string(check.elements) +
                     (check.elements == 1 ? " element." : " elements."));
    else page.paragraph("Ran, and differs from the reference.", Token::bad);
  }
  if (!compiled) return;
  draw_loops(scene, page, compiled->compilation);
  draw_temporaries(scene, page, compiled->compilation);
}

/// Of an order that is only looked at: the same, with a frame that says so.
void draw_preview(const Scene& scene, Ui& ui, Rect area) {
  const Previewed& preview = *scene.preview;
  const Theme& t = ui.theme();
  const Rect strip = area.take_top(26);
  const std::string words =
      "order " +
      preview.order.substr(preview.order.find(':') + (preview.order.find(':') == std::string::npos ? 1 : 2)) +
      ", if you chose it";
  ui.paint().fill(strip, t.fill(Token::accent, 0.14F));
  ui.paint().fill({strip.x, strip.y, 3, strip.h}, t(Token::accent));
  ui.paint().text_in(strip.inset(14, 0), words, Font::text, t(Token::ink));
  ui.label("preview", words, strip, preview.legal ? "legal" : "illegal");
  Page page(ui, "preview page", area);
  if (preview.legal) {
    page.heading(Verdict::legal, "This order is legal.");
    for (const auto& [id, caption, text] :
         {std::tuple{"preview loops", "ITS LOOPS", &preview.loops}, std::tuple{"preview c", "ITS C", &preview.c}})
      if (!text->empty()) page.caption(caption), page.listing(id, *text, scene);
    return;
  }
  draw_message(scene, page, preview.diagnostic, 0, preview.extent ? &*preview.extent : nullptr);
}

void draw_explain(const Scene& scene, Ui& ui, Rect area) {
  const session::Snapshot& snapshot = *scene.snapshot;
  if (scene.preview && !scene.predict) return draw_preview(scene, ui, area);
  if (scene.predict) return draw_nothing(ui, area, "May these loops run in this order?", "Say it first; then press P.");
  const std::vector<Numbered> messages = messages_about(scene);
  if (!scene.kernel && messages.empty())
    return draw_nothing(ui, area, snapshot.program ? "The program has no equations yet." : "Nothing to explain yet.",
                        "Write one: y(i) = A(i,j) * x(j)");
  Page page(ui, "explain", area);
  if (scene.verdict.is_legal() || scene.verdict.kind == session::KernelVerdict::Kind::differs) draw_legal(scene, page);
  for (const Numbered& one : messages) {
    const Diagnostic& diagnostic = one.message->diagnostic;
    const bool ours = scene.kernel && one.message->kernel == scene.kernel->name && diagnostic.code == "E0101";
    const auto* why = ours && scene.explained() && scene.explained()->why ? &*scene.explained()->why : nullptr;
    draw_message(scene, page, diagnostic, one.first_fix, why && why->extent ? &*why->extent : nullptr);
  }
}

std::string explain_subtitle(const Scene& scene) {
  if (scene.predict) return "";
  std::string codes;
  std::set<std::string> seen;
  for (const Numbered& one : messages_about(scene))
    if (const std::string& code = one.message->diagnostic.code; !code.empty() && seen.insert(code).second)
      codes += (codes.empty() ? "" : " ") + code;
  return codes.empty() && scene.legal() ? "why this order is legal" : codes;
}

}  // namespace

const View explain_view = {"explain", "Explain", "program", explain_subtitle, draw_explain, "why"};

}  // namespace trellis::gui
