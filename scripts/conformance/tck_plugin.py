"""The plugin of pytest with which scripts/conformance runs a2a-tck: a report of one line of JSON a test, tasks that keep working, no gRPC."""

import json
import os
import sys
import types

# These modules expect that every message begins a task that keeps working. Of the service's skills, hiring an agent does.
KEEPS_WORKING = ("test_tasks_list_method.py", "test_task_state_quality.py")
WORK = json.loads(os.environ["TCK_WORK"])

running = {"module": ""}


class GRPCClient:
    """Stands for the gRPC client. The service declares no gRPC, and Debian has no protobuf that can load the kit's generated code."""

    def __init__(self, *_args, **_kwargs):
        raise NotImplementedError("the service has no gRPC")


stand_in = types.ModuleType("tck.transport.grpc_client")
stand_in.GRPCClient = GRPCClient
sys.modules[stand_in.__name__] = stand_in


def pytest_collection_finish():
    """
    Names the endpoint, because the kit takes it for the URL that the card is below. Adds the input of a skill to the messages of the
    modules whose tasks must keep working.
    """
    from tck import config
    from tck.transport.jsonrpc_client import JSONRPCClient

    config.set_config(os.environ["TCK_ENDPOINT"], "all")

    send = JSONRPCClient._make_jsonrpc_request

    def send_work(self, method, params=None, *args, **kwargs):
        if method == "SendMessage" and running["module"] in KEEPS_WORKING and "taskId" not in params["message"]:
            message = params["message"]
            params = {**params, "message": {**message, "parts": [*message["parts"], {"data": WORK}]}}
        return send(self, method, params, *args, **kwargs)

    JSONRPCClient._make_jsonrpc_request = send_work


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
