"""Drives Debian's Chromium without a window, over a pipe, with nothing but Python's own library.

    with Browser() as page:
        page.open("report.html", 1280, 900)
        page.evaluate("document.title")
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


PATIENCE = 60  # seconds that the browser may take for an answer


class NoBrowser(Exception):
    """Chromium is not there, or does not start on this machine."""


class Browser:
    """One tab. What goes wrong on the page, and what it asks of the network, is kept in `errors` and `requests`."""

    def __init__(self):
        self.errors, self.requests, self.number, self.waiting = [], [], 0, b""

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="trellis-report-")
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()

        def descriptors():  # the browser reads 3 and writes 4
            os.dup2(to_browser, 60)
            os.dup2(from_browser, 61)
            os.dup2(60, 3)
            os.dup2(61, 4)

        if not shutil.which("chromium"):
            raise NoBrowser("chromium is not installed")
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
             "--user-data-dir=" + self.folder, "about:blank"],
            preexec_fn=descriptors, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.session = None
        try:
            self.attach()
        except (RuntimeError, OSError) as problem:
            self.__exit__()
            raise NoBrowser(str(problem))
        return self

    def attach(self):
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.reader)
        os.close(self.writer)
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]

    def receive(self):
        while b"\0" not in self.waiting:
            if not select.select([self.reader], [], [], PATIENCE)[0]:
                raise RuntimeError("the browser does not answer")
            read = os.read(self.reader, 1 << 20)
            if not read:
                raise RuntimeError("the browser has ended")
            self.waiting += read
        message, self.waiting = self.waiting.split(b"\0", 1)
        answer = json.loads(message)
        self.note(answer)
        return answer

    def note(self, answer):
        method, told = answer.get("method"), answer.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = told["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in told["args"]))
        elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.errors.append(told["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])

    def open(self, file, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url="file://" + os.path.abspath(file))
        end = time.time() + 20
        while not self.evaluate("document.readyState === 'complete' && document.querySelectorAll('.pane').length > 0"):
            if time.time() > end:
                raise RuntimeError(file + " shows no pane: " + "; ".join(self.errors))
            time.sleep(0.02)
        self.settle()

    def settle(self):
        """Until two frames have been drawn."""
        self.call("Runtime.evaluate", expression="new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))", awaitPromise=True)

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(expression + ": " + result["exceptionDetails"]["exception"]["description"])
        return result["result"].get("value")

    def key(self, key, shift=False, alt=False):
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, modifiers=(8 if shift else 0) + (1 if alt else 0), **(text if kind == "keyDown" else {}))
        self.settle()

    def point(self, selector):
        """The middle of the first element that the selector finds, scrolled into view."""
        place = self.evaluate("(() => { const e = document.querySelector(%s); if (!e) return null; e.scrollIntoView({block: 'center'});"
                              " const r = e.getClientRects()[0] || e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()" % json.dumps(selector))
        if not place:
            raise RuntimeError("nothing on the page is " + selector)
        return place

    def hover(self, selector):
        x, y = self.point(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def click(self, selector):
        self.hover(selector)
        x, y = self.point(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type="mouse" + kind, x=x, y=y, button="left", buttons=0 if kind == "Released" else 1, clickCount=1)
        self.settle()

    def drag(self, selector, to, on_the_way=lambda: None):
        """From the middle of one element to that of another. `on_the_way` is called before it is let go."""
        x, y = self.point(selector)
        there = self.point(to)
        x, y = self.point(selector)
        self.mouse("Pressed", x, y)
        self.mouse("Moved", (x + there[0]) / 2, (y + there[1]) / 2)
        self.mouse("Moved", *there)
        seen = on_the_way()
        self.mouse("Released", *there)
        return seen

    def screenshot(self, file, whole=True):
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]))
