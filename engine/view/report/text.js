"use strict";
// Annotated texts: characters, and spans (in bytes) that say which node each stretch shows.
const tokens = new RegExp([
  "(#[^\\n]*|\\/\\/[^\\n]*|\\/\\*[^]*?\\*\\/)",
  "\\b(for|forall|in|while|if|else|let|tensor|param|kernel|loops|order|def|until|reduces|parallel|size|operand|result|coiterate|lead|follow|case|each|every|at|when|" +
  "static|void|const|restrict|return|break|continue|double|float|int|int64_t|int32_t|uint8_t|sum|max|min|argmax|argmin|random|load|run|check|print|show)\\b",
  "(\\b\\d[\\d.]*(?:[eE][+-]?\\d+)?\\b)"].join("|"), "g");

/// Where each byte stands among the characters; the text itself when they are the same.
function characterOf(text) {
  if (!/[^\x00-\x7f]/.test(text)) return (byte) => byte;
  const at = [];
  let index = 0;
  for (const character of text) {
    const code = character.codePointAt(0), bytes = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (let k = 0; k < bytes; ++k) at.push(index);
    index += character.length;
  }
  at.push(index);
  return (byte) => at[byte];
}

/// What is wrong at places of a text, underlined: {begin, end, severity, code, says, message}, in bytes.
function markPlaces(messages) {
  return messages.flatMap((message, at) => message.places.map((place, k) => ({ ...place, at, first: k === 0, severity: message.severity, code: message.code })));
}

const severityMarks = { error: "✗", warning: "⚠" };

/// `stage`: whose text it is. In a program every span around a place counts; elsewhere a span of several lines, such as a
/// loop with its body, counts only where nothing smaller does: a loop lights up by its head.
function annotated(kin, stage, text, spans, prefix, places = []) {
  const character = characterOf(text);
  const nodes = spans.map((span) => ({ begin: character(span.begin), end: character(span.end), key: span.stage + ":" + span.id, origin: span.origin || [] }));
  for (const node of nodes) {
    if (!prefix) kin.add(node.key, node.origin);
    node.tall = stage !== "source" && text.slice(node.begin, node.end).trimEnd().includes("\n");
  }
  const marks = places.map((place) => ({ ...place, begin: character(place.begin), end: character(place.end) }));
  const cuts = new Set([0, text.length]), styles = [];
  for (const mark of marks) cuts.add(mark.begin).add(mark.end);
  for (const node of nodes) cuts.add(node.begin).add(node.end);
  for (const match of text.matchAll(tokens)) {
    styles.push([match.index, match.index + match[0].length, match[1] ? "note" : match[2] ? "word" : "number"]);
    cuts.add(match.index).add(match.index + match[0].length);
  }
  for (let k = text.indexOf("\n"); k >= 0; k = text.indexOf("\n", k + 1)) cuts.add(k).add(k + 1).add(k + 1 + text.slice(k + 1).match(/^ */)[0].length);
  const ends = [...cuts].sort((a, b) => a - b), out = html("pre", { class: "text" });
  let line = null, badges = [];
  const open = [];
  let next = 0, style = 0;
  for (let k = 0; k + 1 < ends.length; ++k) {
    const [begin, end] = [ends[k], ends[k + 1]];
    while (next < nodes.length && nodes[next].begin <= begin) open.push(nodes[next++]);
    for (let o = open.length - 1; o >= 0; --o) if (open[o].end <= begin) open.splice(o, 1);
    while (style < styles.length && styles[style][1] <= begin) ++style;
    const paint = style < styles.length && styles[style][0] <= begin ? styles[style][2] : null;
    const piece = text.slice(begin, end);
    if (piece === "\n") {
      if (!line) out.append(html("div", { class: "line" }, "\u200b"));
      else line.append(...badges);
      [line, badges] = [null, []];
      continue;
    }
    if (!line) {
      // What does not fit goes on below, further in than the line begins.
      const inset = text.slice(begin).match(/^ */)[0].length + 4;
      out.append(line = html("div", { class: "line", style: `padding-left:${inset}ch;text-indent:-${inset}ch` }));
    }
    const small = open.filter((node) => !node.tall);
    const shown = piece.trim() === "" ? [] : small.length ? small : open.slice(-1);
    const keys = shown.map((node) => node.key).reverse();
    // The smallest mark is the one that is about this place.
    const wrong = piece.trim() === "" ? null : marks.filter((mark) => mark.begin <= begin && end <= mark.end).reduce((a, b) => a && a.end - a.begin <= b.end - b.begin ? a : b, null);
    if (wrong && wrong.first && wrong.begin === begin) badges.push(badge(wrong));
    if (!keys.length && !paint && !wrong) { line.append(piece); continue; }
    const element = html("span", { class: [paint, wrong && "flaw " + wrong.severity].filter(Boolean).join(" ") || undefined, "data-n": keys.length ? keys.join(" ") : undefined,
      title: wrong ? wrong.code + (wrong.says ? ": " + wrong.says : "") : undefined, "data-message": wrong ? wrong.at : undefined }, piece);
    for (const key of keys) kin.show(key, element);
    if (wrong) kin.show("message:" + wrong.at, element);
    line.append(element);
  }
  if (line) line.append(...badges);
  return out;
}

/// What is said behind lines of a text that is shown: [{line, words}].
function addRemarks(element, remarks = []) {
  for (const { line, words } of remarks)
    if (element.children[line]) element.children[line].append(html("span", { class: "remark", title: words }, words));
}

/// At the end of the line that a message is about: its code, which leads to its words.
function badge(mark) {
  return html("button", { class: "badge " + mark.severity, "data-message": mark.at, title: "Show the message" }, `${severityMarks[mark.severity]} ${mark.code}`);
}
