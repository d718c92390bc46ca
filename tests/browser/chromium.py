"""A headless Chromium that a test drives through a pipe, by the Chrome DevTools Protocol."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find():
    """The browser on the path, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Chromium:
    """One browser with one page. Use as a context."""

    def __init__(self, program, width=1400, height=1000):
        self.profile = tempfile.TemporaryDirectory()
        commands, self.write_end = os.pipe()
        self.read_end, answers = os.pipe()

        def pipes():  # the browser reads from 3 and writes to 4
            low, high = os.dup(commands), os.dup(answers)
            os.dup2(low, 3)
            os.dup2(high, 4)
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--no-first-run", "--disable-extensions", "--hide-scrollbars", "--force-device-scale-factor=1",
             f"--window-size={width},{height}", f"--user-data-dir={self.profile.name}", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.terminate()
        self.process.wait(20)
        os.close(self.write_end)
        os.close(self.read_end)
        self.profile.cleanup()

    def _message(self, limit):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_end], [], [], max(0, limit - time.monotonic()))
            if not ready:
                return None
            part = os.read(self.read_end, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, seconds=60, **parameters):
        """The result of a command; events that come before it are kept."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.write_end, json.dumps(command).encode() + b"\0")
        limit = time.monotonic() + seconds
        while (message := self._message(limit)) is not None:
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)
        raise RuntimeError(f"{method}: no answer in {seconds} s")

    def open(self, file, fragment=""):
        """Opens a file and waits until it is loaded; returns the seconds that took."""
        self.events = []
        start = time.monotonic()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url="file://" + os.path.abspath(file) + fragment)
        while self.value("document.readyState + location.protocol") != "completefile:":
            time.sleep(0.02)
        return time.monotonic() - start

    def value(self, expression):
        """What an expression of JavaScript gives, as Python has it."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", str(answer)))
        return answer["result"].get("value")

    def complaints(self):
        """Errors and warnings of the console, and requests that left the page, since it was opened."""
        self.value("0")
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
            elif event.get("method") == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(str(parameters["args"]))
            elif event.get("method") == "Network.requestWillBeSent" \
                    and not parameters["request"]["url"].startswith(("file:", "data:", "about:")):
                found.append("request of " + parameters["request"]["url"])
            elif event.get("method") == "Page.javascriptDialogOpening":
                found.append("dialog: " + parameters["message"])
        return found

    def click(self, selector):
        """A click of the mouse in the middle of the first element that the selector finds."""
        box = self.value(f"""(() => {{ const found = document.querySelector({json.dumps(selector)});
          found.scrollIntoView({{block: "center"}}); const box = found.getBoundingClientRect();
          return [box.left + Math.min(box.width, 200) / 2, box.top + box.height / 2]; }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def key(self, name):
        """A key pressed and released."""
        text = {"Enter": "\r", " ": " "}.get(name)
        code = {"Enter": 13, "Tab": 9, "ArrowDown": 40, "ArrowUp": 38, "End": 35, "Home": 36, " ": 32}[name]
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, windowsVirtualKeyCode=code,
                  **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code)

    def scheme(self, name):
        """light or dark, as the system would prefer; "print" for paper."""
        if name == "print":
            self.call("Emulation.setEmulatedMedia", media="print", features=[])
        else:
            self.call("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": name}])

    def picture(self, file, whole=True):
        """A screenshot, of the whole page or of the window."""
        if whole:  # a window as large as the page, so that nothing of it is left unpainted
            size = self.value("[innerWidth, Math.min(16000, document.documentElement.scrollHeight)]")
            self.call("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=False)
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        shot = self.call("Page.captureScreenshot", format="png")["data"]
        self.call("Emulation.clearDeviceMetricsOverride")
        with open(file, "wb") as stream:
            stream.write(base64.b64decode(shot))

    def paper(self, file):
        """The page as a PDF."""
        with open(file, "wb") as stream:
            stream.write(base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"]))
