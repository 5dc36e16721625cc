"""What a Program answers: values that print as text and show as HTML in a notebook."""

from . import _html


class Orders:
    """A table of loop orders: iterate over it for a dict each (`order`, `legal`, `reason`, `cost`, `distance`)."""

    def __init__(self, answer):
        self.kernel, self.present, self.total = answer["kernel"], answer["present"], answer["total"]
        self.orders = tuple(answer["orders"])

    def __iter__(self):
        return iter(self.orders)

    def __len__(self):
        return len(self.orders)

    def __getitem__(self, order):
        """By number, or by name: orders["j i"]."""
        if isinstance(order, str):
            return next(one for one in self.orders if one["order"] == order)
        return self.orders[order]

    @property
    def legal(self):
        """Names of those that are legal, the fastest first."""
        return [one["order"] for one in self.orders if one["legal"]]

    def __repr__(self):
        width = max((len(one["order"]) for one in self.orders), default=0)
        lines = [f"{'*' if one['order'] == self.present else ' '} {one['order']:<{width}}  " +
                 (f"{one['cost']:.2f} x" if one["cost"] is not None else "legal" if one["legal"] else one["reason"])
                 for one in self.orders]
        return "\n".join(lines)

    def _repr_html_(self):
        return _html.orders(self)


class Why:
    """legal; reason, instance, fixes of an order that is not; certificate of the one that runs; reassociated: sums that
    are added up in another order than the equations say."""

    def __init__(self, answer):
        self.order, self.legal, self.reason = answer["order"], answer["legal"], answer["reason"]
        self.instance, self.fixes = answer["instance"] or None, tuple(answer["fixes"])
        self.certificate, self.reassociated = answer["certificate"] or None, tuple(answer["reassociated"])
        self._text = answer["text"]

    def __bool__(self):
        return self.legal

    def __repr__(self):
        if not self.legal:
            return self._text.rstrip()
        lines = [f"{self.order} is legal"]
        if self.certificate:
            lines.append(f"proven: {self.certificate}")
        lines += [f"added up in another order: {one}" for one in self.reassociated]
        return "\n".join(lines)

    def _repr_html_(self):
        return _html.why(self)


class Report:
    """The report as a page of HTML; `html` is the page, `save` writes it."""

    def __init__(self, html, title):
        self.html, self.title = html, title

    def save(self, path):
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def __repr__(self):
        return f"<trellis.Report, {len(self.html) / 1024:.0f} KiB of HTML>"

    def _repr_html_(self):
        return _html.frame(self.html)
