"""Chromium for tests, driven through a pipe: it reads JSON messages from file descriptor 3 and
writes its answers to 4, each ended by a NUL byte."""

import base64
import functools
import json
import multiprocessing.util
import os
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM = shutil.which("chromium")
PATIENCE = 300  # seconds, on a machine that does much else
TWO_FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def need():
    """Ends the test if there is no browser."""
    if PROGRAM is None:
        print("SKIP: chromium is not installed")
        sys.exit(0)


class Chromium:
    """The program. It takes longer to start than a test."""

    def __init__(self):
        self.home = tempfile.TemporaryDirectory()
        theirs_in, self.out = os.pipe()
        self.into, theirs_out = os.pipe()

        def connect():
            ends = os.dup(theirs_in), os.dup(theirs_out)  # not 3 or 4 themselves
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--force-color-profile=srgb", "--remote-debugging-pipe",
             "--user-data-dir=" + self.home.name, "about:blank"],
            preexec_fn=connect, close_fds=False, stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=self.home.name))
        os.close(theirs_in)
        os.close(theirs_out)
        self.number, self.rest = 0, b""

    def close(self):
        try:
            self.write({"id": 0, "method": "Browser.close"})
            self.process.wait(PATIENCE)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.home.cleanup()

    def write(self, message):
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]

    def read(self):
        while b"\0" not in self.rest:
            piece = os.read(self.into, 1 << 20)
            if not piece:
                raise EOFError("chromium has gone")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)


@functools.cache
def chromium():
    """Started once in a process, and closed at its end."""
    it = Chromium()
    multiprocessing.util.Finalize(None, it.close, exitpriority=1)  # atexit does not see the end of a pool's process
    return it


class Browser:
    """As a browser that was started for it: what is kept of other pages is not here."""

    def __init__(self):
        self.program, self.session, self.errors = chromium(), None, []
        self.context = self.send("Target.createBrowserContext")["browserContextId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        self.send("Target.disposeBrowserContext", browserContextId=self.context)

    def send(self, method, **params):
        self.program.number += 1
        message = {"id": self.program.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.program.write(message)
        while True:
            answer = self.program.read()
            if answer.get("id") == self.program.number:
                assert "error" not in answer, answer
                return answer["result"]
            level = answer.get("params", {}).get("entry", {}).get("level")
            if answer.get("method") == "Runtime.exceptionThrown" or level == "error":
                self.errors.append(answer["params"])

    def open(self, path, width=1200, height=800, scale=1, dark=False, fragment=""):
        """Shows a page of fxt html, and waits until its trace is there or cannot be shown."""
        self.session = None
        target = self.send("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Runtime", "Page", "Log", "Network"):
            self.send(domain + ".enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.errors = []
        self.send("Page.navigate", url="file://" + os.path.abspath(path) + fragment)
        self.wait_for_page()

    def reload(self):
        self.js("globalThis.app = undefined")
        self.send("Page.reload")
        self.wait_for_page()

    def wait_for_page(self):
        end = time.monotonic() + PATIENCE
        while not self.js("Boolean(globalThis.app) || /cannot/.test(document.body?.innerText)"):
            assert time.monotonic() < end, "the page does not come up"
            time.sleep(0.05)
        self.js(TWO_FRAMES)

    def js(self, expression):
        """The value of an expression in the page; a promise is awaited."""
        result = self.send("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def key(self, key, code=None, text=None, modifiers=0):
        common = {"key": key, "code": code or key, "modifiers": modifiers}
        down = {"text": text} if text else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", **common, **down)
        self.send("Input.dispatchKeyEvent", type="keyUp", **common)
        self.js(TWO_FRAMES)

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.drag(x, y, x, y)

    def drag(self, x0, y0, x1, y1, modifiers=0):
        button = {"button": "left", "modifiers": modifiers}
        self.mouse("mouseMoved", x0, y0)
        self.mouse("mousePressed", x0, y0, clickCount=1, **button)
        for step in (1, 2, 3) if (x0, y0) != (x1, y1) else ():
            self.mouse("mouseMoved", x0 + (x1 - x0) * step / 3, y0 + (y1 - y0) * step / 3,
                       buttons=1, **button)
        self.mouse("mouseReleased", x1, y1, clickCount=1, **button)
        self.js(TWO_FRAMES)

    def screenshot(self, path):
        with open(path, "wb") as file:
            data = self.send("Page.captureScreenshot", format="png")["data"]
            file.write(base64.b64decode(data))
