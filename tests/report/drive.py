#!/usr/bin/env python3
"""Opens reports in Chromium without a window and uses them: drive.py TRELLIS EXAMPLES.

Nothing may go wrong on the page or be asked of the network; no pane may be wider than its place; hovering lights up kin in all
panes and a click pins them; placement, lattice and execution are stepped by keys and by mouse; of an illegal order the reads
that come too early show.
"""
import os
import subprocess
import sys
import tempfile

from chromium import Browser, NoBrowser

failures = []


def check(what, holds):
    if not holds:
        failures.append(what)
        print("  failed: " + what)


def lit(page, style="kin"):
    return set(page.evaluate("[...new Set([...document.querySelectorAll('.%s')].map(e => e.closest('[data-pane]').dataset.pane))]" % style))


def count(page, pane):
    return page.evaluate("document.querySelector('#pane-%s .count').textContent" % pane)


def active(page):
    return page.evaluate("(document.querySelector('.pane.active') || {dataset: {}}).dataset.pane")


def panes(page):
    return page.evaluate("[...document.querySelectorAll('.pane')].map(e => e.dataset.pane)")


def to_pane(page, pane):
    for _ in range(6):
        if active(page) == pane:
            return
        page.key("]")
    check("the keys reach pane " + pane, False)


def fits(page, name):
    for width in (420, 1280, 1920):
        for dark in (False, True):
            page.open(name, width, 1000, dark)
            wide = page.evaluate("[...document.querySelectorAll('.pane')].filter(p => p.scrollWidth > p.clientWidth + 1 ||"
                                 " [...p.querySelectorAll('.body, .scroll')].some(b => b.scrollWidth > b.clientWidth + 1)).map(p => p.dataset.pane)")
            check(f"every pane fits at {width}: {wide}", not wide)
            check("the page is no wider than the window", page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
            paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            check("the page is " + ("dark" if dark else "light"), (int(paper.strip("rgb()").split(",")[0]) < 80) == dark)
    before = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.key("t")
    check("a key switches light and dark", page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != before)


def steps(page, pane):
    """By keys, by mouse, to both ends."""
    to_pane(page, pane)
    page.key("Home")
    total = int(count(page, pane).split("/")[1])
    check(f"{pane}: Home goes to the first step", count(page, pane) == f"1 / {total}")
    page.key("ArrowRight")
    page.key("ArrowRight")
    check(f"{pane}: → steps on", count(page, pane) == f"{min(3, total)} / {total}")
    page.key("ArrowLeft")
    check(f"{pane}: ← steps back", count(page, pane) == f"{min(2, total - 1) if total < 3 else 2} / {total}")
    page.click(f"#pane-{pane} [data-step=on]")
    check(f"{pane}: a click steps on", count(page, pane) == f"{min(3, total)} / {total}")
    page.key("End")
    check(f"{pane}: End goes to the last step", count(page, pane) == f"{total} / {total}")


def other_orders(page):
    """A legal order that is clicked shows its loops and C in place of the kernel's own; Escape goes back."""
    own = page.evaluate("document.querySelector('#pane-loops pre').textContent")
    other = page.evaluate("[...document.querySelectorAll('#pane-orders tr.legal.can')].map(r => r.dataset.pick)")
    check(f"legal orders can be picked: {other}", len(other) >= 2)
    page.click(f"#pane-orders tr[data-pick='{other[0]}']")
    shown = page.evaluate("document.querySelector('#pane-loops pre').textContent")
    check("its loops take the place of the kernel's own", shown != own)
    expected = page.evaluate(f"model.kernels[0].others.find(o => o.order_text === '{other[0]}').stages.loops.text")
    check("as they are compiled in that order", "".join(shown.split()).replace("\u200b", "") == "".join(expected.split()))
    check("the page says so", other[0] in page.evaluate("document.getElementById('pane-other-order').textContent"))
    check("and marks it", page.evaluate("document.querySelector('#pane-orders tr.shown').dataset.pick") == other[0])
    page.hover("#pane-loops [data-n]")
    check(f"kin light up in it as well: {lit(page)}", {"loops", "c"} <= lit(page) | lit(page, "near"))
    page.key("Escape")
    check("Escape goes back", page.evaluate("document.querySelector('#pane-loops pre').textContent") == own)


def verdict(page):
    return page.evaluate("document.getElementById('verdict').textContent")


def text_of(page, pane):
    return page.evaluate(f"(document.getElementById('pane-{pane}') || {{}}).textContent") or ""


def squeezed(text):
    return "".join(text.split()).replace("\u200b", "")


def shown_order(page):
    return page.evaluate("document.querySelector('#pane-orders tr.shown').dataset.pick")


def all_orders(page):
    """By one key from order to order: everything on the page is that of the order."""
    own, seen = shown_order(page), set()
    for _ in range(6):
        page.key("o")
        order = shown_order(page)
        seen.add(order)
        if order == own:
            continue
        variant = page.evaluate(f"(({{stages, execution}}) => ({{loops: stages.loops.text, c: stages.c.text, events: stages.placement.model.events.length, steps: execution.steps.length}}))"
                                f"(model.kernels[0].others.find(o => o.order_text === '{order}'))")
        check(f"{order}: the verdict is its own", verdict(page) == f"✓ legal: {order}")
        for pane in ("loops", "c"):
            check(f"{order}: so is {pane}", squeezed(page.evaluate(f"[...document.querySelectorAll('#pane-{pane} pre .line')].map(l => l.textContent).join('\\n')")) == squeezed(variant[pane]))
        check(f"{order}: and the placement", page.evaluate("document.querySelectorAll('#pane-placement .events li').length") == variant["events"])
        check(f"{order}: and the execution", count(page, "execution").endswith(f"/ {variant['steps']}") and f"order {order}" in text_of(page, "execution"))
        check(f"{order}: and the bars", page.evaluate("[...document.querySelectorAll('.bar')].map(b => b.dataset.loop).join(' ')") == order)
    check(f"o comes by all of them: {seen}", len(seen) == 6)
    check("and back to the first", shown_order(page) == own and "other-order" not in panes(page))
    page.key("O")
    check("O goes the other way", shown_order(page) != own)
    page.key("Escape")


def order_map(page):
    nodes = page.evaluate("[...document.querySelectorAll('.order-node')].map(e => e.dataset.pick)")
    check(f"the map has all orders: {nodes}", len(set(nodes)) == 6)
    check("joined where one swap leads to the other", page.evaluate("document.querySelectorAll('.order-map .swap').length") == 6)
    own = shown_order(page)
    page.evaluate("document.querySelector('.order-node.shown').focus()")
    page.key("ArrowRight")
    there = page.evaluate("document.activeElement.dataset.pick")
    check("an arrow goes to a neighbour", sum(a != b for a, b in zip(own.split(), there.split())) == 2)
    page.key("Enter")
    check("Enter chooses it", shown_order(page) == there)
    check("and the focus stays", page.evaluate("document.activeElement.dataset.pick") == there)
    page.key("Escape")
    page.evaluate("document.querySelector('.bar').focus()")
    page.key("ArrowDown", alt=True)
    a, b, c = own.split()
    check("Alt and an arrow move a loop", shown_order(page) == f"{b} {a} {c}")
    check("which keeps the focus", page.evaluate("document.activeElement.dataset.loop") == a)
    page.key("Escape")


def dragging(page):
    """i j k is illegal; i dragged below j is not."""
    slots = "[...document.querySelectorAll('.slots li')].map(e => [e.classList.contains('legal'), e.textContent])"
    seen = page.drag(".bar[data-loop=i]", ".bar[data-loop=j]", lambda: page.evaluate(slots))
    check(f"every place to drop it says what would become: {seen}", [legal for legal, _ in seen] == [False, True, True] and seen[1][1].startswith("✓ j i k"))
    check("dropped, it is the order", shown_order(page) == "j i k" and verdict(page) == "✓ legal: j i k")
    check("which has loops", {"loops", "c"} <= set(panes(page)))
    page.key("Escape")
    check("Escape goes back", shown_order(page) == "i j k")


def lockstep(page):
    page.key("c")
    check("c keeps an order", "side B" in text_of(page, "compare"))
    page.key("o")
    to_pane(page, "compare")
    page.key("Home")
    total = int(count(page, "compare").split("/")[1])
    written = "[...document.querySelectorAll('#pane-compare .side%d figure')].filter(f => f.textContent.startsWith('L')).map(f => f.querySelectorAll('.written').length)[0]"
    for _ in range(total - 1):
        page.key("ArrowRight")
    leader = page.evaluate("document.querySelector('#pane-compare > .says').textContent")
    check(f"at the end both have all of L: {leader}", page.evaluate(written % 0) == page.evaluate(written % 1) == 36)
    alike = page.evaluate("(() => { const a = model.kernels[0].others.find(o => o.order_text === shown.order_text).execution, b = compare.side.execution, follows = counterparts(a, b);"
                          "return a.steps.every((step, k) => !step.does || !step.writes || !follows[k] || JSON.stringify(b.steps[follows[k] - 1].does) === JSON.stringify(step.does)); })()")
    check("the follower has just done the same", alike)
    page.key("x")
    check("x hands over the lead", "leads" in page.evaluate("document.querySelector('#pane-compare .side1 h3').textContent"))
    page.key("c")
    check("c ends it", "compare" not in panes(page))
    page.key("Escape")


def leaks(page):
    """Words and marks of verdicts that can be read, pointed at or heard."""
    return page.evaluate("(() => { const told = /[✓✗⚠]|E0101|too early|\\d×|illegal,/; const found = [];"
                         "for (const e of document.querySelectorAll('#bar, #bar *, #side, #side *, #panes *, #status')) {"
                         " if (e.closest('#pane-question .answers')) continue;"
                         " const own = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join('') + ['title', 'aria-label'].map(a => ' ' + (e.getAttribute(a) || '')).join('');"
                         " if (told.test(own) || e.matches('.legal, .refused, .bad, .good, .warn, .flaw, .badge')) found.push(own || e.className.baseVal || e.className); }"
                         "return found; })()")


def predicting(page):
    """Of viterbi in an illegal order: verdicts hide until they are guessed, and so do next steps."""
    page.key("p")
    check(f"nothing says whether it is legal: {leaks(page)}", not leaks(page))
    told = page.evaluate("[...document.querySelectorAll('#side .note')].filter(e => getComputedStyle(e).visibility !== 'hidden').map(e => e.textContent)")
    check(f"nor do comments: {told}", not told)
    listed = page.evaluate("[...document.querySelectorAll('#pane-orders tr')].map(r => r.dataset.pick)")
    check(f"nor does where an order stands: {listed}", listed == sorted(listed))
    check(f"nor do stages: {panes(page)}", not {"refusal", "loops", "placement", "execution", "c"} & set(panes(page)))
    page.key("y")
    check("a wrong answer counts", page.evaluate("document.getElementById('score').textContent") == "predicted 0 of 1")
    check("then the page tells", "E0101" in text_of(page, "refusal") and "✗" in verdict(page))
    page.key("o")
    check("the next order is asked about as well", "question" in panes(page) and page.evaluate("document.getElementById('pane-question').innerText").count(shown_order(page)) == 1)
    truth = page.evaluate("shown.legal")
    page.click("#pane-question [data-answer=" + ("legal" if truth else "illegal") + "]")
    check("a right answer counts", page.evaluate("document.getElementById('score').textContent") == "predicted 1 of 2")
    to_pane(page, "execution")
    page.key("End")
    check("nobody gets further than what was answered", count(page, "execution").startswith("1 /"))
    check("events ahead are not marked", page.evaluate("document.querySelectorAll('#pane-execution .ticks i').length") == 0)
    right = page.evaluate("deedText(shown.execution.steps[1])")
    offered = page.evaluate("[...document.querySelectorAll('.next .answer')].map(b => b.textContent)")
    check(f"what comes next is among the answers, once: {offered}", offered.count(right) == 1 and len(offered) > 1)
    page.evaluate(f"[...document.querySelectorAll('.next .answer')].find(b => b.textContent === {right!r}).click()")
    check("it goes on", count(page, "execution").startswith("2 /") and page.evaluate("document.getElementById('score').textContent") == "predicted 2 of 3")
    page.key("p")
    check("p ends it", page.evaluate("document.getElementById('score').textContent") == "" and "question" not in panes(page))
    page.key("Escape")


def outline(page):
    """What a screen reader is told."""
    check("one heading of the page", page.evaluate("document.querySelectorAll('h1').length") == 1)
    nameless = page.evaluate("[...document.querySelectorAll('.pane')].filter(p => p.getAttribute('role') !== 'region' || !document.getElementById(p.getAttribute('aria-labelledby')).textContent).map(p => p.id)")
    check(f"every pane is a region with a heading: {nameless}", not nameless)
    mute = page.evaluate("[...document.querySelectorAll('button, input, [role=button], [role=option], svg')].filter(e => !(e.textContent.trim() && e.tagName !== 'svg') && !e.getAttribute('aria-label') && !e.title && !e.closest('[aria-hidden=true]')).map(e => e.outerHTML.slice(0, 90))")
    check(f"everything that acts or shows has a name: {mute[:3]}", not mute)


def prints(page):
    page.call("Emulation.setEmulatedMedia", media="print")
    page.settle()
    cut = page.evaluate("[...document.querySelectorAll('.pane .body, .scroll, .table')].filter(e => getComputedStyle(e).maxHeight !== 'none' || getComputedStyle(e).overflowY !== 'visible').map(e => e.closest('.pane').id)")
    check(f"on paper nothing scrolls: {cut}", not cut)
    check("nor are there things to press", page.evaluate("[...document.querySelectorAll('.stepper, .fold, .copy, #status')].every(e => getComputedStyle(e).display === 'none')"))
    page.call("Emulation.setEmulatedMedia", media="")


def alternatives(page):
    """A tensor in another format that the program names."""
    offered = page.evaluate("[...document.querySelectorAll('[data-format]')].map(b => b.dataset.format)")
    check(f"formats that the program names can be chosen: {offered}", "format A csc" in offered)
    own = page.evaluate("document.querySelector('#pane-c pre').textContent")
    page.click("[data-format='format A csc']")
    check("the C is that of it", page.evaluate("document.querySelector('#pane-c pre').textContent") != own and "csc" in verdict(page))
    check("and so is the lattice", "lattice" in panes(page))
    page.key("Escape")
    check("Escape goes back", page.evaluate("document.querySelector('#pane-c pre').textContent") == own)


def opens_on_what_is_wrong(page):
    check("the broken kernel is shown", page.evaluate("document.querySelector('#kernels [aria-pressed=true]').getAttribute('aria-label')") == "second, refused or fails")
    check("its tab is marked, the other is not", page.evaluate("[...document.querySelectorAll('#kernels button')].map(b => b.textContent)") == ["first", "✗ second"])
    check("what is wrong comes first", panes(page)[1] == "refusal")


def manners(page):
    page.click("#pane-c .fold")
    check("a pane folds", page.evaluate("document.querySelector('#pane-c .body').offsetHeight") == 0)
    page.click("#pane-c .fold")
    check("and unfolds", page.evaluate("document.querySelector('#pane-c .body').offsetHeight") > 0)
    page.click("#pane-c .copy")
    page.settle()
    check("C can be copied", page.evaluate("document.querySelector('#pane-c .copy').textContent") == "copied")
    check("so can the program", page.evaluate("!!document.querySelector('#pane-program .copy')"))
    check("sections have links", page.evaluate("document.querySelector('#pane-c h2 a').getAttribute('href')") == "#pane-c")
    page.key("?")
    check("? opens the keys", page.evaluate("document.getElementById('help').open"))
    page.key("Escape")
    check("Escape closes them", not page.evaluate("document.getElementById('help').open"))
    cut = page.evaluate("""[['.table', 'tr'], ['.halves .scroll', '.line, li'], ['.pane:not(.wide) > .body', '.line']].flatMap(([boxes, rows]) =>
      [...document.querySelectorAll(boxes)].filter((box) => {
        const end = box.getBoundingClientRect().bottom + 1;
        return box.scrollHeight > box.clientHeight + 1 && box.clientHeight > 0 && !box.closest('#side') &&
          [...box.querySelectorAll(rows)].some((row) => row.getBoundingClientRect().top < end - 2 && row.getBoundingClientRect().bottom > end);
      }).map((box) => box.closest('.pane').id))""")
    check(f"nothing is cut off in the middle of a row: {cut}", not cut)


def cholesky(page):
    check("what takes next to no time has no timing", "timing" not in panes(page))
    other_orders(page)
    all_orders(page)
    order_map(page)
    lockstep(page)
    manners(page)
    outline(page)
    prints(page)
    expected = {"program", "equations", "fragments", "graph", "placement", "orders", "loops", "execution", "flow", "c", "formats"}
    check(f"every stage has a pane: {panes(page)}", expected <= set(panes(page)))
    page.hover("#pane-fragments [data-n]")
    everywhere = {"fragments", "equations", "program", "graph", "placement", "loops", "flow", "c"}
    check(f"hovering a fragment lights up its kin: {lit(page)}", everywhere <= lit(page))
    page.hover("#bar h1")
    check("leaving it lets it go dark", not lit(page))
    # An equation of the program, by its first line with an assignment.
    page.evaluate("[...document.querySelectorAll('#pane-program .line')].find(l => l.textContent.startsWith('L(i,i)')).querySelector('[data-n]').id = 'target'")
    page.hover("#target")
    check(f"hovering the program lights up what came of it: {lit(page, 'near')}", {"fragments", "loops", "c"} <= (lit(page) | lit(page, "near")))
    page.click("#pane-graph g.node")
    pinned = lit(page)
    page.hover("#bar h1")
    check("a click pins", len(pinned) > 4 and lit(page) == pinned)
    page.key("Escape")
    check("Escape lets go", not lit(page))
    steps(page, "placement")
    page.key("Home")
    check("to begin with no fragment is placed", page.evaluate("document.querySelectorAll('.chip[data-state=placed]').length") == 0)
    page.key("ArrowRight", shift=True)
    check("Shift+→ goes to a rejection", page.evaluate("document.querySelector('.events .here').classList.contains('reject')"))
    page.key("End")
    check("in the end all of them are", page.evaluate("document.querySelectorAll('.chip').length === document.querySelectorAll('.chip[data-state=placed]').length"))
    steps(page, "execution")
    check("in the end L is there", painted(page, "L").count("written") == 36)
    page.key("?")
    check("? shows the keys", page.evaluate("document.getElementById('help').open"))
    page.key("?")
    to_pane(page, "execution")
    page.key("Home")
    page.key(" ")
    page.evaluate("new Promise(done => setTimeout(done, 1000))")
    page.key(" ")
    check("Space plays", int(count(page, "execution").split("/")[0]) in range(2, 5))


def costs(page):
    """Lines are tinted by their part of the estimated time, and a legend says so."""
    shares = lambda pane: page.evaluate(f"[...document.querySelectorAll('#pane-{pane} .line.cost')].map(e => [e.textContent.trim(), Number(e.dataset.share)])")
    loops, c = shares("loops"), shares("c")
    check(f"the lines of the loops share the estimate: {loops}", abs(sum(share for _, share in loops) - 1) < 0.03)
    dearest = max(loops, key=lambda line: line[1])
    check(f"the innermost statement is the dearest: {dearest}", "*" in dearest[0] and dearest[1] > 0.5)
    check(f"and so is the C that it became: {c}", "*" in max(c, key=lambda line: line[1])[0])
    widths = page.evaluate("[...document.querySelectorAll('#pane-loops .line.cost')].map(e => parseFloat(getComputedStyle(e).backgroundSize))")
    check(f"the more, the wider: {widths}", sorted(widths) == [w for _, w in sorted(zip([s for _, s in loops], widths))] and widths[0] >= 6)
    for pane in ("loops", "c"):
        legend = page.evaluate(f"(document.querySelector('#pane-{pane} .legend') || {{}}).textContent")
        check(f"a legend says what the tint is: {legend}", legend and "Estimated time" in legend)
    check("other panes have none", not page.evaluate("document.querySelectorAll('.pane:not(#pane-loops):not(#pane-c) .line.cost').length"))


def viterbi(page):
    check("the verdict is a refusal", "refused" in page.evaluate("document.getElementById('verdict').textContent"))
    check("the refusal is there to read", "E0101" in page.evaluate("document.getElementById('pane-refusal').textContent"))
    check("an instance is drawn", page.evaluate("document.querySelectorAll('#pane-orders .cell.early, #pane-orders .cell.write').length") == 2)
    check("with an arrow", page.evaluate("document.querySelectorAll('#pane-orders .arrow.early').length") == 1)
    page.click("#pane-orders tr[data-pick='k j i']")
    check("another order can be picked", page.evaluate("document.querySelector('tr.picked').dataset.pick") == "k j i")
    check("the page says what is wrong with it", verdict(page) == "✗ illegal: k j i" and "E0101" in text_of(page, "other-order"))
    check("it is followed all the same", "order k j i" in text_of(page, "execution") and page.evaluate("document.querySelectorAll('#pane-execution figure .cell.early').length") == 1)
    page.key("Escape")
    dragging(page)
    steps(page, "execution")
    page.key("Home")
    page.key("ArrowRight", shift=True)
    check("Shift+→ goes to a read that comes too early", page.evaluate("document.querySelectorAll('#pane-execution figure .cell.early').length") == 1)
    page.key("End")
    check("elements that end up wrong stand out", page.evaluate("document.querySelectorAll('#pane-execution .cell.wrong').length") > 4)
    steps(page, "placement")
    page.key("k")
    check("k shows the next kernel, which is legal", "✓" in page.evaluate("document.getElementById('verdict').textContent"))


def marks(page):
    """What is marked in the program, with its reason."""
    return [tuple(mark) for mark in page.evaluate("Object.entries([...document.querySelectorAll('#pane-program .flaw')].reduce("
                                                  "(all, e) => ({...all, [e.title]: (all[e.title] || '') + e.textContent}), {})).map(([title, text]) => [text, title])")]


def messages(page):
    predicting(page)
    fixes(page)
    check(f"the read, the write and the order are marked: {marks(page)}", [text for text, _ in marks(page)] == ["V(i,j)", "V(k,j-1)", "i"])
    check("a mark says why", marks(page)[1][1] == "E0101: needs all of column j-1")
    page.click("#pane-program .badge")
    check("a badge leads to the message", page.evaluate("document.activeElement.id") == "message-0")
    check("and pins its places", page.evaluate("document.querySelectorAll('#pane-program .flaw:not(.kin)').length") == 0)
    page.key("Escape")
    page.key("k")
    page.click("#pane-program .flaw")
    check("a mark leads to the kernel that it is about", page.evaluate("document.activeElement.id") == "message-0")
    page.key("Escape")


def program(page):
    return page.evaluate("document.querySelector('#pane-program pre').innerText")


def fixes(page):
    """A fix is a button: the program with it, and its loops and C; the verdict stays that of what was asked for."""
    asked = program(page)
    offered = page.evaluate("[...document.querySelectorAll('.fix')].map(b => b.textContent)")
    check(f"fixes are buttons: {offered}", offered[0] == "1 order j i k" and len(offered) == 3)
    page.click(".fix[data-fix='1']")
    check("the program has the fix", program(page).replace("fix\n", "\n") == asked.replace("order i j k", "order j i k")
          .replace("✗ E0101", ""))
    line = page.evaluate("document.querySelector('#pane-program .fixed-line').innerText")
    check(f"in the line that is marked: {line}", line.strip().startswith("order j i k"))
    check(f"loops and C are those of it: {panes(page)}", {"loops", "c"} <= set(panes(page)))
    loops = page.evaluate("document.querySelector('#pane-loops pre').innerText")
    expected = page.evaluate("model.kernels[0].others.find(o => o.order_text === 'j i k').stages.loops.text")
    check("as in that order", "".join(loops.split()).replace("\u200b", "") == "".join(expected.split()))
    verdict = page.evaluate("document.getElementById('verdict').textContent")
    check("the verdict is of what was asked for", "refused" in verdict)
    picked = page.evaluate("document.querySelector('#pane-orders tr.picked').dataset.pick")
    check(f"so is the instance: {picked}", picked == "i j k")
    page.hover("#pane-program .fixed-line")
    page.hover("#pane-loops [data-n]")
    check(f"kin light up in it as well: {lit(page)}", {"loops", "c"} <= lit(page) | lit(page, "near"))
    page.key("Escape")
    check("Escape goes back", program(page) == asked and "loops" not in panes(page))
    page.key("2")
    pressed = page.evaluate("document.querySelector('.fix[aria-pressed=true]').dataset.fix")
    check("so does the same button", pressed == "2")
    page.click(".fix[data-fix='2']")
    check("again", program(page) == asked)


def against_storage(page):
    check("the verdict names a cost", "⚠" in page.evaluate("document.getElementById('verdict').textContent"))
    check(f"the access is marked: {marks(page)}", marks(page) == [("A(i,j)", "W0210: one search for each (j,i)")])
    check("the warning is there to read", "W0210" in page.evaluate("document.getElementById('pane-messages').textContent"))


def repaired(page):
    """A program of which nothing compiles has loops with a fix."""
    check("it has none", panes(page) == ["program", "refusal"])
    page.click(".fix")
    check(f"and with the fix it has: {panes(page)}", {"loops", "flow", "c", "equations"} <= set(panes(page)))


def wrong(page):
    check(f"what is unknown is marked: {marks(page)}", [text for text, _ in marks(page)] == ["z(i)"])
    check("and explained", "E0201" in page.evaluate("document.getElementById('pane-refusal').textContent"))


def painted(page, tensor):
    return page.evaluate("[...document.querySelectorAll('#pane-execution figure')].find(f => f.textContent.startsWith('%s')).querySelector('.grid').outerHTML" % tensor)


def search(page):
    steps(page, "execution")
    page.key("Home")
    forwards = [painted(page, "N")]
    total = int(count(page, "execution").split("/")[1])
    for _ in range(total - 1):
        page.key("ArrowRight")
        forwards.append(painted(page, "N"))
    backwards = [painted(page, "N")]
    for _ in range(total - 1):
        page.key("ArrowLeft")
        backwards.append(painted(page, "N"))
    check("every step looks the same from both sides", forwards == backwards[::-1])
    reached = [picture.count("✓") for picture in forwards]
    reset = next(k for k in range(1, total) if reached[k - 1] > 0 and reached[k] == 0)
    check("a reset repaints the whole tensor", forwards[reset].count("cell write") == forwards[reset].count("<rect"))
    check("temporaries are drawn", "any_F" in page.evaluate("document.getElementById('pane-execution').textContent"))


def factor(page):
    check("a kernel without a mask has no pattern", "pattern" not in panes(page))
    page.key("k")
    page.key("k")
    check(f"a pattern that was found is there: {panes(page)}", "pattern" in panes(page))
    given, filled = (page.evaluate(f"document.querySelectorAll('#pane-pattern .entry.{kind}').length") for kind in ("given", "filled"))
    about = page.evaluate("document.querySelector('#pane-pattern .about').textContent")
    check(f"as many entries as it says: {about}", about == f"40 rows, {given} given, {filled} filled in" and filled > 0)
    why = page.evaluate("document.querySelector('#pane-pattern .entry.filled title').textContent")
    check(f"one that fills in says of what: {why}", "filled in, as (" in why)
    page.hover("#pane-pattern .entry.filled rect")
    lit_boxes = page.evaluate("document.querySelectorAll('#pane-pattern g.node.kin').length")
    check("its column's box lights up, and the column", lit_boxes == 1 and page.evaluate("document.querySelectorAll('#pane-pattern .entry.kin').length") > 1)
    steps(page, "passes")
    page.key("Home")
    changed = page.evaluate("document.querySelectorAll('#pane-passes .line.added').length")
    check("what a pass put in is marked", changed > 0)
    reason = page.evaluate("document.querySelector('#pane-passes .says').textContent.length")
    check("its reason stands above", reason > 20)


def sparse_sum(page):
    check(f"a lattice is there: {panes(page)}", {"lattice", "algebra"} <= set(panes(page)))
    steps(page, "lattice")
    page.key("Home")
    point = "document.querySelector('#pane-lattice .node.here').dataset.id"
    first = page.evaluate(point)
    for _ in range(3):
        page.key("ArrowRight", shift=True)
    check("operands that run out lead to lower points", page.evaluate(point) != first)
    check("the edge that is taken glows", page.evaluate("document.querySelectorAll('#pane-lattice .edge.here').length") == 1)
    check("positions and coordinates are shown", page.evaluate("document.querySelectorAll('#pane-formats .strip.crd').length") >= 3)
    page.hover("#pane-lattice g.node")
    check(f"hovering a point lights up loops and C: {lit(page)}", {"lattice", "loops", "flow", "c"} <= lit(page))


PRODUCT = """param n = 40
tensor A(n, n); tensor B(n, n)
random A seed 1; random B seed 2
C(i,j) = sum(k)(A(i,k) * B(k,j))
order i k j
run
"""

SUM = """tensor a(n): compressed; tensor b(n): compressed; tensor c(n): compressed; tensor y(n): compressed
param n = 24
random a seed 1 density 0.4
random b seed 2 density 0.3
random c seed 3 density 0.2
y(i) = a(i) + b(i) + c(i)
run
"""

NOT_AN_INDEX = """param k = 8
tensor A(4, k)
tensor C(4, k)
random A
C(i,k) = A(i,k) * 2
run
"""

SEARCHES = """param n = 6
tensor A(n, n): csr
tensor x(n)
random A seed 1 density 0.4
random x seed 2
y(i) = A(i,j) * x(j)
order j i
run
"""


FACTOR = """param n = 40
tensor S(n, n): csr
tensor A(n, n): csc
tensor L(n, n): csc
random S seed 4 density 0.06
kernel symmetric { A(i,j) = i == j ? n : i > j ? S(i,j) : S(j,i); order j i }
kernel factor {
  L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i
  L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))             : k < i
  mask L auto
  order i k j
}
run
"""


TWO_FORMATS = """param n = 6
tensor A(n, n): csr
tensor B(n, n): csc
tensor x(n)
random A seed 1 density 0.4
random B seed 2 density 0.4
random x seed 3
kernel first { y(i) = A(i,j) * x(j) }
kernel second { z(i) = B(i,j) * x(j); order j i }
run
"""

BROKEN = """param n = 5
tensor A(n, n); tensor B(n, n); tensor C(n, n)
random A
kernel first { B(i,j) = 2 * A(i,j) }
kernel second { C(i,0) = A(i,0); C(i,j) = max(k)(C(k,j-1) + A(i,k)) : 1 <= j; order i j k }
run
"""


def main(trellis, examples):
    with tempfile.TemporaryDirectory() as folder, Browser() as page:
        with open(os.path.join(examples, "viterbi.tr")) as file:
            illegal = file.read().replace("order j i k", "order i j k")
        example = lambda name: open(os.path.join(examples, name + ".tr")).read()
        programs = {"cholesky": (example("cholesky"), cholesky), "viterbi": (illegal, viterbi),
                    "costs": (PRODUCT, costs), "formats": (TWO_FORMATS, alternatives), "broken": (BROKEN, opens_on_what_is_wrong), "messages": (illegal, messages), "sum": (SUM, sparse_sum), "factor": (FACTOR, factor),
                    "search": (example("bfs_push"), search),
                    "against_storage": (SEARCHES, against_storage), "repaired": (NOT_AN_INDEX, repaired),
                    "wrong": ("y(i) = z(i)\n", wrong)}
        for name, (text, use) in programs.items():
            print(name)
            program, report = os.path.join(folder, name + ".tr"), os.path.join(folder, name + ".html")
            with open(program, "w") as file:
                file.write(text)
            sound = name not in ("wrong", "repaired", "broken")
            subprocess.run([trellis, "explain", program, "-o", report], check=sound, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            page.open(report, 1600, 1000)
            use(page)
            fits(page, report)
        check(f"nothing went wrong on the page: {page.errors}", not page.errors)
        check(f"nothing was asked of the network: {page.requests}", all(url.startswith(("file:", "data:", "about:")) for url in page.requests))
    print("all well" if not failures else f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except NoBrowser as problem:
        print("skipped: " + str(problem))
        sys.exit(77)
