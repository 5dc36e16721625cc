"""HTML of objects for notebooks: elements with styles of their own, which ask the network for nothing."""

from html import escape

_STYLE = """<style>
.trellis { font: 13px/1.45 system-ui, sans-serif; max-width: 60em }
.trellis pre, .trellis code { font: 12px/1.45 ui-monospace, monospace }
.trellis pre { padding: .5em .8em; margin: .4em 0; background: #8881; border-radius: 4px; overflow: auto }
.trellis table { border-collapse: collapse } .trellis td, .trellis th { padding: .15em .8em; text-align: left }
.trellis .no { color: #b3423a } .trellis .yes { color: #2b7a4b } .trellis .dim { opacity: .65 }
</style>"""


def _element(body):
    return f'<div class="trellis">{_STYLE}{body}</div>'


def _pre(text):
    return f"<pre>{escape(text)}</pre>"


def _table(head, rows):
    cells = "".join(f"<th>{escape(one)}</th>" for one in head)
    lines = "".join("<tr>" + "".join(f"<td>{one}</td>" for one in row) + "</tr>" for row in rows)
    return f"<table><tr>{cells}</tr>{lines}</table>"


def program(p):
    body = _pre(p.text.strip())
    for kernel in p.kernels():
        rows = [(escape(name), f"<code>{escape(type_)}</code>", f"<code>{escape(format_)}</code>",
                 "result" if written else "operand") for name, type_, format_, written in kernel["tensors"]]
        tier = "system compiler" if kernel["native"] else "libtcc"
        order = f"loops <code>{escape(kernel['order'])}</code> · " if kernel["order"] else ""
        body += f"<p>kernel {escape(kernel['kernel'])} · {order}{tier}</p>"
        body += _table(("tensor", "type", "format", ""), rows)
        if kernel["certificate"]:
            body += f'<p class="dim">proven: {escape(kernel["certificate"])}</p>'
    body += f"<details><summary>C</summary>{_pre(p.c)}</details>"
    return _element(body)


def orders(table):
    rows = []
    for one in table:
        mark, said = ("yes", "legal") if one["legal"] else ("no", escape(one["reason"]))
        verdict = f'<span class="{mark}">{said}</span>'
        cost = f"{one['cost']:.2f} ×" if one["cost"] is not None else ""
        present = "present" if one["order"] == table.present else ""
        rows.append((f"<code>{escape(one['order'])}</code>", verdict, cost, present))
    return _element(_table(("order", "", "estimate", ""), rows))


def why(answer):
    mark = "yes" if answer.legal else "no"
    said = "legal" if answer.legal else "illegal"
    reason = "" if answer.legal else ": " + escape(answer.reason)
    body = f'<p>order <code>{escape(answer.order)}</code>: <span class="{mark}">{said}</span>{reason}</p>'
    if answer.instance:
        body += _pre(answer.instance)
    if answer.certificate:
        body += f'<p class="dim">proven: {escape(answer.certificate)}</p>'
    for one in answer.reassociated:
        body += f"<p>added up in another order: {escape(one)}</p>"
    if answer.fixes:
        body += "<p>legal and near: " + ", ".join(f"<code>{escape(one)}</code>" for one in answer.fixes) + "</p>"
    return _element(body)


def array(a):
    rows = [("shape", " × ".join(map(str, a.shape)) or "scalar"), ("type", str(a.dtype)), ("fill", str(a.fill)),
            ("format", f"<code>{escape(a.format)}</code>"), ("stored", str(a.entries)), ("bytes", str(a.nbytes))]
    for level in a.levels:
        arrays = ", ".join(f"{name} {len(level[name])}" for name in ("positions", "coordinates", "starts", "offsets")
                           if name in level)
        rows.append((f"<code>{escape(level['level'])}</code>", escape(f"{level['stores']}, {level['size']}; {arrays}")))
    return _element(_table(("", ""), rows))


def error(e):
    return _element(_pre(str(e)))


def frame(page):
    """A page of its own inside another."""
    return (f'<iframe srcdoc="{escape(page, quote=True)}" style="width: 100%; height: 42em; border: 1px solid #8884">'
            "</iframe>")


def plan(p):
    body = _table(("query", "stored"), [(f"<code>{escape(one['query'])}</code>", escape(p._stored(one)))
                                        for one in p.queries])
    for written, steps in zip(p.written, p.steps):
        body += f"<p><code>{escape(written)}</code></p>"
        body += "<ul>" + "".join(f"<li>{escape(step)}</li>" for step in steps) + "</ul>" if steps else ""
    return _element(body + f"<details><summary>program</summary>{_pre(p.text)}</details>")
