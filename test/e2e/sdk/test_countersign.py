"""Tests the built Python SDK against running services: python3 -m unittest, with the environment that python.test.ts sets."""

import contextlib
import email.message
import http.server
import json
import os
import threading
import time
import unittest

import countersign
from countersign import Agent as AgentType  # the type of the leaderboard's rows
from countersign import (AgentKey, ApiError, ConnectionFailed, CountersignError, SigningAgent, StaffingAdminClient, StaffingClient,
                         TrustClient, WebhookError, enroll, prove_work, provision, verify_webhook)

DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
WORK: countersign.IssueReceiptRequest = {
    "agent_id": "agent-7", "receipt_type": "custody", "input_digest": DIGEST, "authority_scope": "payments:read",
    "expiry": "2036-01-31T12:00:00Z", "domain": "CODE_GENERATION"}


class Trust(unittest.TestCase):
    def setUp(self) -> None:
        self.client = TrustClient(os.environ["TRUST_URL"], api_key=os.environ["TRUST_KEY"])

    def test_a_receipt_is_issued_finalized_once_and_listed(self) -> None:
        issued = self.client.receipts.issue(WORK)
        receipt = self.client.receipts.finalize(issued["receipt_id"], {"status": "timeout", "terminal_reason": "too late"})
        self.assertEqual(receipt["status"], "timeout")
        if receipt["status"] == "timeout":
            self.assertEqual(receipt["error_tranche"], "COMPUTE_TIMEOUT")
        with self.assertRaises(ApiError) as raised:
            self.client.receipts.finalize(issued["receipt_id"], {"status": "success", "output_hash": DIGEST})
        self.assertEqual((raised.exception.status, raised.exception.code), (409, "receipt_already_finalized"))
        self.assertEqual(raised.exception.body["receipt"]["status"], "timeout")  # type: ignore[index]
        self.client.receipts.issue(WORK)
        rows = list(self.client.receipts.list(domain="CODE_GENERATION", limit=1))
        self.assertIn(issued["receipt_id"], [row["receipt_id"] for row in rows])
        self.assertEqual(len(self.client.receipts.list(limit=1).page()["receipts"]), 1)

    def test_a_call_with_an_idempotency_key_has_one_effect(self) -> None:
        first, second = (self.client.receipts.issue(WORK, idempotency_key="one-receipt") for _ in range(2))
        self.assertEqual(first["receipt_id"], second["receipt_id"])

    def test_an_invalid_request_names_its_fields(self) -> None:
        with self.assertRaises(ApiError) as raised:
            self.client.receipts.list(limit=0).page()
        self.assertEqual(raised.exception.code, "validation_error")
        self.assertIn("limit", raised.exception.details)
        self.assertTrue(raised.exception.request_id)

    def test_an_agent_enrolls_sends_evidence_and_authorizes_calls(self) -> None:
        agent = SigningAgent(AgentKey.generate())
        self.assertEqual(enroll(self.client, agent, name="Ada")["state"], "ISSUED")
        renamed = self.client.agents.set_name(agent.commitment, {"name": "Grace"}, agent=agent)
        self.assertEqual(renamed["name"], "Grace")
        payload = {"sha": DIGEST[:40], "commit": {"message": "Fix it: ü\u2028", "lines": [1, 2.5, 1e21, 1e-7, -0.0, True, None]}}
        anchored = self.client.evidence.send(agent.commitment, agent.evidence("github_commit_payload", payload))
        self.assertEqual((anchored["outcome"], anchored["reading"]), ("success", "digest"))
        self.assertEqual([row["source_type"] for row in self.client.evidence.list(agent.commitment)], ["github_commit_payload"])
        photo = agent.presentation("https://firm.example/ada.png", DIGEST, "image/png")
        shown = self.client.agents.set_presentation(agent.commitment, photo)["presentation"]
        self.assertEqual(shown and shown["photo_url"], "https://firm.example/ada.png")
        rows: list[AgentType] = list(self.client.agents.leaderboard())
        self.assertGreater(len(rows), 0)

    def test_an_agent_enrolls_by_proof_of_work_and_makes_a_holder_key(self) -> None:
        anyone, agent = TrustClient(os.environ["TRUST_URL"]), SigningAgent(AgentKey.generate(), "tests")
        self.assertEqual(provision(anyone, agent)["subject_commitment"], agent.commitment)
        self.assertEqual(anyone.agents.create_holder_key(agent.commitment, {}, agent=agent)["role"], "holder")

    def test_an_agent_without_a_sponsor_gets_an_operator_of_its_own_for_a_proof_of_work(self) -> None:
        anyone, agent = TrustClient(os.environ["TRUST_URL"]), SigningAgent(AgentKey.generate())
        enroll(anyone, agent)
        with self.assertRaises(ApiError):
            anyone.agents.create_holder_key(agent.commitment, {}, agent=agent)
        work = prove_work(anyone, agent)
        first = anyone.agents.create_holder_key(
            agent.commitment, {"challenge_nonce": work["challenge_nonce"], "pow_nonce": work["pow_nonce"]}, agent=agent)
        self.assertEqual(first["role"], "holder")

    def test_every_form_of_a_response_is_read(self) -> None:
        issued = self.client.receipts.issue(WORK)
        self.client.receipts.finalize(issued["receipt_id"], {"status": "success", "output_hash": DIGEST})
        self.assertTrue(self.client.log.checkpoint("receipts").endswith("\n"))
        agent = SigningAgent(AgentKey.generate())
        enroll(self.client, agent)
        self.assertEqual(self.client.attestations.agent_svg(agent.commitment)[:4], "<svg")
        self.assertEqual(self.client.attestations.agent(agent.commitment)["type"], "agent-attestation")
        self.assertTrue(self.client.compliance.package_html(agent.commitment).startswith("<!doctype html>"))
        self.assertIn("status", self.client.service.health())
        self.assertIsNone(self.client.a2a.call({"jsonrpc": "2.0", "method": "tasks/list"}))


class Staffing(unittest.TestCase):
    def test_clinicians_requisitions_and_partners(self) -> None:
        url = os.environ["STAFFING_URL"]
        made = StaffingClient(url).keys.create_sandbox({"email": "ada@agency.example", "company": "Agency"})
        client = StaffingClient(url, api_key=made["api_key"])  # type: ignore[typeddict-item]
        first = next(iter(client.clinicians.search(state="TX", limit=1)))
        self.assertEqual(client.clinicians.get(first["npi"])["state"], "TX")
        with self.assertRaises(ApiError) as raised:
            client.clinicians.search(specialty="nothing of the kind").page()
        self.assertEqual((raised.exception.code, list(raised.exception.details)), ("UNKNOWN_SPECIALTY", ["specialty"]))
        submitted = client.requisitions.submit({"title": "ICU nurse", "specialty": "RN critical care", "state": "TX"})
        self.assertEqual(client.requisitions.cancel(submitted["id"])["status"], "cancelled")
        self.assertEqual(client.me.get()["tier"], "sandbox")
        admin = StaffingAdminClient(url, api_key=os.environ["STAFFING_ADMIN"])
        self.assertEqual(admin.partners.promote(admin.partners.list(limit=1).page()["data"][0]["partner_id"])["tier"], "live")


class Keys(unittest.TestCase):
    def test_a_key_is_read_from_pem_and_written_to_the_same(self) -> None:
        key = AgentKey.generate()
        self.assertEqual(AgentKey.from_pem(key.to_pem()).public_key, key.public_key)
        self.assertNotIn(key.to_pem().split()[3], repr(key))

    def test_other_keys_are_refused(self) -> None:
        for pem in ("", "key", AgentKey.generate().to_pem().replace("PRIVATE", "ENCRYPTED PRIVATE"),
                    "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"):
            self.assertRaises(CountersignError, AgentKey.from_pem, pem)
        self.assertRaises(CountersignError, AgentKey, b"short")

    def test_an_agent_signs_no_object_that_has_another_purpose(self) -> None:
        agent = SigningAgent(AgentKey.generate())
        for payload in ({"type": "agent-auth"}, dict.fromkeys(countersign.PRESENTATION_MEMBERS, ""), {"a": 2**53 + 1}, {"a": float("nan")},
                        {"a": object()}):
            self.assertRaises(CountersignError, agent.evidence, "otel_genai_trace", payload)
        self.assertRaises(CountersignError, agent.authorize, "POST", "/a?b", "a", {})
        self.assertRaises(CountersignError, agent.authorize, "POST", "/a", "a", {"agent_auth": {}})


class Webhooks(unittest.TestCase):
    def test_deliveries_have_the_verdicts_of_their_vectors(self) -> None:
        import datetime
        with open(os.environ["DELIVERIES"], encoding="utf-8") as file:
            deliveries = json.load(file)
        self.assertGreater(len(deliveries), 20)
        for case in deliveries:
            now = datetime.datetime.fromisoformat(case["at"]).timestamp()
            with self.subTest(case["name"]), contextlib.ExitStack() as stack:
                if case["verdict"] != "valid":
                    stack.enter_context(self.assertRaises(WebhookError))
                event = verify_webhook(case["headers"], case["body"].encode(), case["secret"], now)
                self.assertEqual(event, json.loads(case["body"]))


class Scripted:
    """A server that responds by a script, in order; the last response repeats."""

    def __init__(self, *script: tuple[int, dict[str, str], bytes]) -> None:
        seen = self.seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def respond(self) -> None:
                self.rfile.read(int(self.headers.get("content-length") or 0))
                seen.append((self.command, self.path, self.headers))
                status, headers, body = script[min(len(seen), len(script)) - 1]
                self.send_response(status)
                for name, value in {"content-length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                with contextlib.suppress(OSError):
                    if body == b"drip":
                        while True:
                            self.wfile.write(b" ")
                            time.sleep(0.01)
                    self.wfile.write(body)

            do_GET = do_POST = respond

            def log_message(self, *args: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    seen: list[tuple[str, str, email.message.Message]]

    def __enter__(self) -> "Scripted":
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def answer(status: int, body: object, **headers: str) -> tuple[int, dict[str, str], bytes]:
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, json.dumps(body).encode()


BUSY = answer(503, {"error": "Busy.", "reason_code": "overloaded"}, retry_after="0")
RECEIPT = answer(201, {"receipt_id": "rcpt_1"})


class Requests(unittest.TestCase):
    def test_what_is_safe_is_repeated_with_one_idempotency_key(self) -> None:
        with Scripted(BUSY, RECEIPT) as server:
            client = TrustClient(server.url, api_key="pp_secret")
            self.assertEqual(client.receipts.issue(WORK)["receipt_id"], "rcpt_1")
            client.receipts.issue(WORK)
            keys = [headers["idempotency-key"] for _, _, headers in server.seen]
            self.assertEqual(len(keys), 3)
            self.assertEqual(keys[0], keys[1])
            self.assertNotEqual(keys[1], keys[2])

    def test_what_is_not_safe_is_repeated_only_if_it_had_no_effect(self) -> None:
        limited = answer(429, {"error": "Slow down.", "reason_code": "rate_limit_exceeded"}, retry_after="0")
        for first, count in ((BUSY, 1), (limited, 2)):
            with Scripted(first, answer(200, {})) as server, contextlib.suppress(ApiError):
                TrustClient(server.url).gate.check({"operator_id": "op_1", "domain": "CODE_GENERATION"})
            self.assertEqual(len(server.seen), count)

    def test_a_long_retry_after_is_left_to_the_caller(self) -> None:
        with Scripted(answer(503, {"error": "Busy."}, retry_after="61")) as server, self.assertRaises(ApiError) as raised:
            TrustClient(server.url).service.health()
        self.assertEqual((len(server.seen), raised.exception.retry_after), (1, 61))

    def test_no_key_is_sent_to_another_origin(self) -> None:
        with Scripted(answer(200, {})) as other, Scripted(answer(307, {}, location=other.url)) as server:
            with self.assertRaises(ConnectionFailed) as raised:
                TrustClient(server.url, api_key="pp_secret").receipts.get("rcpt_1")
            self.assertEqual((raised.exception.problem, len(server.seen), other.seen), ("redirect", 1, []))
        for url in ("http://trust.example", "ftp://trust.example", "https://a:b@trust.example", "https://trust.example/?a", "trust.example",
                    "http://127.0.0.1.trust.example", "https://trust.example:x", "https://trust.example/\n"):
            self.assertRaises(CountersignError, TrustClient, url)

    def test_a_key_that_is_none_is_refused_and_not_shown(self) -> None:
        for key in ("pp_a\n", "pp a", "", "pp_ü"):
            with self.assertRaisesRegex(CountersignError, "that no key has"):
                TrustClient("http://localhost", api_key=key)

    def test_hostile_responses_are_left(self) -> None:
        for response, problem in (((200, {"content-length": "9999999"}, b"drip"), "timeout"), ((200, {}, b"x" * 5000), "too_large"),
                                  ((200, {}, b"<html>"), "malformed"), ((200, {}, b"[" * 4000), "malformed"), ((200, {}, b"\xff"), "malformed"),
                                  ((200, {"content-length": "9", "connection": "close"}, b"{}"), "unreachable")):
            with self.subTest(problem), Scripted(response) as server, self.assertRaises(ConnectionFailed) as raised:
                TrustClient(server.url, timeout=0.3, max_retries=0, max_response_bytes=4096).service.health()
            self.assertEqual(raised.exception.problem, problem)

    def test_a_message_has_no_control_characters(self) -> None:
        with Scripted(answer(400, {"error": "\u001b]0;x\u202e", "issues": {"a\u0007": ["b\n"]}})) as server, self.assertRaises(ApiError) as raised:
            TrustClient(server.url).service.health()
        self.assertEqual((str(raised.exception), raised.exception.details), ("\ufffd]0;x\ufffd (a\ufffd b\ufffd)", {"a\ufffd": ["b\ufffd"]}))

    def test_a_value_does_not_change_the_path(self) -> None:
        with Scripted(answer(200, {})) as server:
            client = TrustClient(server.url + "/below/")
            for value in ("", ".", ".."):
                self.assertRaises(CountersignError, client.receipts.get, value)
            client.receipts.get("../a?b#c/ü")
            self.assertEqual([path for _, path, _ in server.seen], ["/below/api/v1/receipts/..%2Fa%3Fb%23c%2F%C3%BC"])

    def test_an_agent_signs_no_audience_of_another_host(self) -> None:
        agent = SigningAgent(AgentKey.generate())
        with Scripted(answer(200, {"audience": "bank.example+abc"})) as server:
            with self.assertRaisesRegex(CountersignError, "does not name its host"):
                TrustClient(server.url).agents.set_name(agent.commitment, {"name": "Ada"}, agent=agent)
            self.assertEqual([path for _, path, _ in server.seen], ["/api/v1/public-key"])

    def test_a_list_that_repeats_a_cursor_ends(self) -> None:
        with Scripted(answer(200, {"receipts": [1], "next_cursor": "same"})) as server, self.assertRaises(ConnectionFailed):
            list(TrustClient(server.url).receipts.list())

    def test_an_enrollment_signs_no_challenge_of_another_service(self) -> None:
        import base64
        agent = SigningAgent(AgentKey.generate())
        for host, purpose, expires in (("bank.example", "enroll", "2100-01-01T00:00:00.000Z"), ("HERE", "autonomous", "2100-01-01T00:00:00.000Z"),
                                       ("HERE", "enroll", "2020-01-01T00:00:00.000Z"), ("HERE", "enroll", "tomorrow")):
            script = [answer(200, {})]
            with Scripted(*script) as server:
                challenge = countersign.canonical({"purpose": purpose, "host": server.url[7:] if host == "HERE" else host,
                                                   "subject_commitment": agent.commitment, "expires_at": expires, "random": "r"})
                nonce = "chal_" + base64.urlsafe_b64encode(challenge.encode()).decode().rstrip("=")
                with self.assertRaisesRegex(CountersignError, "Nothing was signed"):
                    countersign._safe_nonce(nonce, TrustClient(server.url), "enroll", agent.commitment)
        self.assertRaises(CountersignError, countersign._safe_nonce, "f" * 64, TrustClient("http://localhost"), "enroll", agent.commitment)


if __name__ == "__main__":
    unittest.main()
