"""Chromium for tests, driven through a pipe: it reads JSON messages from file descriptor 3 and
writes its answers to 4, each ended by a NUL byte."""

import base64
import json
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


class Browser:
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
        self.number, self.rest, self.session, self.errors = 0, b"", None, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        try:
            self.send("Browser.close")
            self.process.wait(PATIENCE)
        except (OSError, EOFError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.home.cleanup()

    def receive(self):
        while b"\0" not in self.rest:
            piece = os.read(self.into, 1 << 20)
            if not piece:
                raise EOFError("chromium has gone")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]
            level = answer.get("params", {}).get("entry", {}).get("level")
            if answer.get("method") == "Runtime.exceptionThrown" or level == "error":
                self.errors.append(answer["params"])

    def open(self, path, width=1200, height=800, scale=1, dark=False, fragment=""):
        """Shows a page of fxt html, and waits until its trace is there or cannot be shown."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
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
