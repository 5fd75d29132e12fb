"""The plugin of pytest with which scripts/conformance runs a2a-tck. docs/conformance.md says what it changes, and why."""

import json
import os
import sys
import types

ENDPOINT = os.environ["TCK_ENDPOINT"]
KEY = os.environ["A2A_AUTH_TOKEN"]
VERSION = os.environ["TCK_VERSION"]
WORK = json.loads(os.environ["TCK_WORK"])

# These modules expect that every message begins a task that keeps working. Of the service's skills, hiring an agent does.
KEEPS_WORKING = ("test_tasks_list_method.py", "test_task_state_quality.py")
# These modules send requests without a key on purpose.
ABOUT_KEYS = ("test_auth_compliance_v030.py", "test_auth_enforcement.py", "test_authentication.py", "test_in_task_authentication.py")

running = {"module": ""}


class GRPCClient:
    """Stands for the gRPC client. The service declares no gRPC, and Debian has no protobuf that can load the kit's generated code."""

    def __init__(self, *_args, **_kwargs):
        raise NotImplementedError("the service has no gRPC")


stand_in = types.ModuleType("tck.transport.grpc_client")
stand_in.GRPCClient = GRPCClient
sys.modules[stand_in.__name__] = stand_in


def with_key(headers):
    """Returns headers with the API key, and with the version of the protocol, by which the card has its form: old kits send neither."""
    if VERSION == "1.0":
        return headers
    headers = {**(headers or {}), "A2A-Version": "0.3"}
    if running["module"] in ABOUT_KEYS or any(name.lower() == "authorization" for name in headers):
        return headers
    return {**headers, "Authorization": f"Bearer {KEY}"}


def changed(body):
    """Returns a call to a module whose tasks must keep working with the input of a skill in its message."""
    if not isinstance(body, dict) or running["module"] not in KEEPS_WORKING:
        return body
    message = (body.get("params") or {}).get("message")
    if body.get("method") not in ("SendMessage", "message/send") or not message or "taskId" in message:
        return body
    part = {"data": WORK} if VERSION == "1.0" else {"kind": "data", "data": WORK}
    return {**body, "params": {**body["params"], "message": {**message, "parts": [*message["parts"], part]}}}


def pytest_collection_finish():
    """Names the endpoint, because the kit takes it for the URL that the card is below, and changes what the kit sends."""
    import httpx
    import requests
    from tck import config

    config.set_config(ENDPOINT, "all")
    by_requests = requests.Session.request
    by_httpx = httpx.Client.request

    def send_by_requests(self, method, url, **options):
        if url.startswith(os.environ["TCK_URL"]):
            options = {**options, "headers": with_key(options.get("headers")), "json": changed(options.get("json"))}
        return by_requests(self, method, url, **options)

    def send_by_httpx(self, method, url, **options):
        options = {**options, "headers": with_key(options.get("headers")), "json": changed(options.get("json"))}
        return by_httpx(self, method, url, **options)

    by_async_httpx = httpx.AsyncClient.request

    def send_by_async_httpx(self, method, url, **options):
        return by_async_httpx(self, method, url, **{**options, "headers": with_key(options.get("headers"))})

    httpx.AsyncClient.request = send_by_async_httpx
    streams = {client: client.stream for client in (httpx.Client, httpx.AsyncClient)}

    def stream_by(client):
        def stream(self, method, url, **options):
            return streams[client](self, method, url, **{**options, "headers": with_key(options.get("headers"))})

        return stream

    for client in streams:
        client.stream = stream_by(client)
    requests.Session.request = send_by_requests
    httpx.Client.request = send_by_httpx


def pytest_runtest_setup(item):
    running["module"] = item.path.name


def pytest_runtest_logreport(report):
    """Appends the outcome of a test: its call, or the set-up that failed or was skipped."""
    if report.when != "call" and report.passed:
        return
    if report.skipped:
        reason = getattr(report, "wasxfail", None) or (report.longrepr[2] if isinstance(report.longrepr, tuple) else "")
    else:
        crash = getattr(report.longrepr, "reprcrash", None)
        reason = "" if report.passed else (crash.message if crash else str(report.longrepr))
    line = {"name": report.nodeid, "outcome": report.outcome, "reason": reason}
    with open(os.environ["TCK_REPORT"], "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")
