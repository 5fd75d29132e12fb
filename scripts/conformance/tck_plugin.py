"""A plugin of pytest with which scripts/conformance runs a2a-tck: one line of JSON for each test, and no gRPC."""

import json
import os
import sys
import types


class GRPCClient:
    """Stands for the gRPC client. The service declares no gRPC, and Debian has no protobuf that can load the kit's generated code."""

    def __init__(self, *_args, **_kwargs):
        raise NotImplementedError("the service has no gRPC")


stand_in = types.ModuleType("tck.transport.grpc_client")
stand_in.GRPCClient = GRPCClient
sys.modules[stand_in.__name__] = stand_in


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
