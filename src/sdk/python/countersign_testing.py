"""Starts `countersign serve --test` for tests, with unittest or pytest. docs/testing.md of Countersign describes it. Python 3.11 or later.

    with TestService(clock="2026-01-01T00:00:00Z") as service:
        client = TrustClient(service.url, api_key=service.api_key)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import types
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any, Literal

READY_SECONDS = 30


class TestService:
    """A test service that runs from `with` on until its end, or until the process of the tests ends.

    `clock` is where its clock starts: it stands at 2026-01-01T00:00:00Z, or runs ahead by +72h. `seed` is the path of the data with which it
    begins. `executable` is by default the variable COUNTERSIGN, else `countersign` on the PATH. What the service wrote is printed to stderr
    if the block fails; with `show_log` always, as a fixture of pytest needs it, which shows it with failed tests only.
    """

    __test__ = False  # pytest collects classes by their names

    def __init__(self, service: Literal["trust", "staffing"] = "trust", *, clock: str | None = None, seed: str | None = None,
                 args: Sequence[str] = (), executable: str | None = None, show_log: bool = False) -> None:
        self._executable = executable or os.environ.get("COUNTERSIGN") or "countersign"
        self._args = ["--service", service, *(["--clock", clock] if clock else []), *(["--seed", seed] if seed else []), *args]
        self._show_log = show_log
        self.ready: dict[str, Any] = {}

    def __enter__(self) -> TestService:
        self._folder = tempfile.TemporaryDirectory(prefix="countersign-test-")
        ready_file = os.path.join(self._folder.name, "ready.json")
        with open(os.path.join(self._folder.name, "log"), "wb") as log:
            self._process = subprocess.Popen([self._executable, "serve", "--test", "--port", "0", "--ready-file", ready_file, *self._args],
                                             stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + READY_SECONDS
        while not self.ready:
            try:
                with open(ready_file, encoding="utf-8") as file:
                    self.ready = json.load(file)
            except (FileNotFoundError, ValueError):  # not there yet, or not complete
                if self._process.poll() is not None or time.monotonic() > deadline:
                    log_text = self.log()
                    self._stop()
                    raise RuntimeError(f"the test service is not ready:\n{log_text}") from None
                time.sleep(0.005)
        self.url: str = self.ready["url"]
        self.api_key: str = self.ready["api_key"]
        self.admin_token: str | None = self.ready.get("admin_token")
        self.operator_id: str | None = self.ready.get("operator_id")
        self.service_token: str | None = self.ready.get("service_token")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None) -> None:
        if kind is not None or self._show_log:
            print(f"\nThe log of countersign serve --test:\n{self.log()}", file=sys.stderr)
        self._stop()

    def log(self) -> str:
        """Returns what the service wrote so far."""
        with open(os.path.join(self._folder.name, "log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def now(self) -> str:
        """Returns the time of the service, in RFC 3339."""
        return str(self._call("GET", "clock")["now"])

    def advance(self, duration: str) -> str:
        """Advances the clock, such as by 72h, and returns its time when all that became due has ended."""
        return str(self._call("POST", "clock", {"advance": duration})["now"])

    def reset(self) -> None:
        """Makes a new installation: no data, the clock at its start. The keys stay."""
        self._call("POST", "reset", {})

    def fault(self, operation: str, count: int = 1, *, status: int | None = None, lose_response: bool = False, delay_ms: int = 0) -> None:
        """Has the next requests of an operation, by its operationId, fail or take long."""
        self._call("POST", "faults", {"operation": operation, "count": count, **({"status": status} if status else {}),
                                      **({"lose_response": True} if lose_response else {}), **({"delay_ms": delay_ms} if delay_ms else {})})

    def clear_faults(self) -> None:
        """Removes all faults."""
        self._call("DELETE", "faults")

    def _call(self, method: str, path: str, body: object = None) -> Any:
        headers = {"authorization": f"Bearer {self.admin_token or self.api_key}", "content-type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/_test/{path}", data, headers, method=method)
        try:
            with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{method} /_test/{path} returned {error.code}: {error.read().decode()}") from None

    def _stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()
