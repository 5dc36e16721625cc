// What orders, why, core, suggest and diff print.
#include <algorithm>
#include <cstdio>

#include "engine/session/figures.hpp"
#include "engine/session/reply/text.hpp"
#include "engine/text/glyphs.hpp"

namespace trellis::session {
namespace {

std::string padded_left(const std::string& shown, std::size_t columns) {
  const std::size_t wide = text::glyphs(shown).size();
  return (wide < columns ? std::string(columns - wide, ' ') : "") + shown;
}

}  // namespace

double Suggested::least() const {
  double least = cycles;
  for (const explore::Suggestion& s : suggestions) least = std::min(least, s.cycles);
  return least > 0 ? least : 1;
}

std::string text_of(const OrdersListed& listed) {
  std::size_t width = 5;
  for (const explore::Verdict& v : listed.table.orders) width = std::max(width, lang::to_string(v.order).size());
  std::string out;
  std::int64_t legal = 0, left = 0;
  const std::size_t rows = listed.filled.value_or(listed.table.orders.size());
  for (std::size_t k = 0; k < rows; ++k) {
    const explore::Verdict& v = listed.table.orders[k];
    const std::string order = lang::to_string(v.order);
    out += (v.legal ? "✓ " : "✗ ") + order + std::string(width - order.size(), ' ');
    if (v.legal) {
      ++legal;
      out += "  legal  " + (v.cost ? padded_left(multiple(*v.cost), 6) : std::string(6, ' '));
      if (v.median_ms) out += "  " + duration(*v.median_ms);
      else if (listed.timed) out += "  not measured", ++left;
    } else {
      out += "  " + v.reason;
    }
    if (v.order == listed.present) out += v.legal ? "  in force" : "  asked for";
    out += "\n";
  }
  if (listed.filled) return out;
  out += std::to_string(legal) + " of " + std::to_string(listed.table.orders.size()) + " orders are legal";
  const auto hidden = listed.table.total - static_cast<std::int64_t>(listed.table.orders.size());
  if (listed.timed) out += std::string("; medians with ") + run::name_of(*listed.timed);
  if (hidden > 0) out += "; " + std::to_string(hidden) + " more are further away and not listed";
  if (listed.stopped) out += "; stopped, " + std::to_string(left) + (left == 1 ? " is left" : " are left");
  if (listed.both_ways)
    out += "\nas they were written, the loops stand in none of these: " + listed.both_ways->second + " is inside " +
           listed.both_ways->first + " in one place, and around it in another";
  return out + "\n";
}

std::string text_of(const WhyAnswered& answered) {
  if (!answered.why.legal) return "";
  const lang::Order& order = answered.why.order;
  std::string out =
      order.empty() ? "✓ its loops run as they are written\n" : "✓ order " + lang::to_string(order) + " is legal\n";
  for (const std::string& sum : answered.why.reassociated) out += "  " + sum + "\n";
  return out;
}

std::string text_of(const CoreFound& found) {
  const std::string order = "order " + lang::to_string(found.order);
  if (found.legal) return "✓ " + order + " is legal\n";
  if (found.core.empty()) return "✗ " + order + " is illegal whatever the equations read: it lists too few loops\n";
  const std::size_t count = found.core.size();
  std::string out = "✗ " + order +
                    (count == 1 ? " is forbidden by one dependence alone"
                                : " is forbidden by " + std::to_string(count) +
                                      " dependences together; without any one of them it would be legal") +
                    "\n";
  for (std::size_t k = 0; k < count; ++k)
    out += "  " + found.reads[k].text + " in line " + std::to_string(found.reads[k].line) + " reads what line " +
           std::to_string(found.reads[k].written_line) + " computes: " + text::to_string(found.core[k].instance) + "\n";
  return out;
}

std::string text_of(const Differed& differed) {
  std::string out = "--- " + differed.left.name + "\n+++ " + differed.right.name + "\n";
  out += differed.diff.empty() ? "the " + std::string(differed.stage == "c" ? "C" : "loops") +
                                     (differed.stage == "c" ? " is" : " are") + " the same\n"
                               : differed.diff;
  const double least = std::min(differed.left.cycles, differed.right.cycles);
  if (least <= 0) return out;
  return out + "estimated time " + multiple(differed.left.cycles / least) + " -> " +
         multiple(differed.right.cycles / least) + "\n";
}

std::string text_of(const Suggested& suggested) {
  std::string out = suggested.kernel;
  if (suggested.planned) out += ", as planned";
  else if (!suggested.order.empty()) out += ", order " + lang::to_string(suggested.order);
  if (suggested.suggestions.empty()) return out + "\nnothing better is known\n";
  out += ": " + multiple(suggested.cycles / suggested.least());
  if (suggested.tuned) out += ", " + duration(suggested.tuned->now_ms) + " " + suggested.tuned->backend;
  out += "\n";
  std::size_t width = 0, number = 0;
  for (const explore::Suggestion& s : suggested.suggestions) width = std::max(width, s.command.size());
  for (const explore::Suggestion& s : suggested.suggestions) {
    const std::string command = s.command + std::string(width - s.command.size(), ' ');
    const double times = s.cycles / suggested.least();
    const std::string range = multiple(times) + " to " + multiple(times * s.doubt);
    out += "[" + std::to_string(++number) + "] " + command + padded_left(range, 16) + "  ";
    if (suggested.tuned) {
      const auto& ms = suggested.tuned->ms[number - 1];
      out += (ms ? padded_left(duration(*ms), 9) : "  not run") + (suggested.tuned->kept == number ? "  kept\n" : "\n");
    } else {
      out += s.reason + "\n";
    }
  }
  if (suggested.tuned && !suggested.tuned->kept) return out + "none is clearly faster: the kernel stays as it is\n";
  if (suggested.tuned) return out + "`undo` takes it back; 1.0× is the shortest estimated time of these\n";
  return out + "`fix N` applies one; 1.0× is the shortest estimated time of these\n";
}

std::string text_of(const PlanShown& shown) {
  std::string out = to_string(shown.choice);
  if (!shown.why) return out + "its equations are no queries of lazy arrays: " + shown.no_query + "\n";
  out += shown.reasons ? lazy::to_string(*shown.why) : lazy::picture_of(*shown.why);
  for (const std::string& name : shown.unfilled) out += name + " holds nothing yet and counts as full\n";
  return out;
}

}  // namespace trellis::session
