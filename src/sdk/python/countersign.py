"""Clients for the services of Countersign: receipts of what AI agents did, evidence, credits, engagements, clinicians and requisitions.

One file, Python 3.11 or later with its standard library. What an agent signs needs the library of OpenSSL 3 (libcrypto). The program
verify.py verifies what a service signed. docs/sdk.md of Countersign describes this file.
"""

from __future__ import annotations

import base64
import builtins
import contextlib
import ctypes
import datetime
import decimal
import email.utils
import functools
import hashlib
import hmac
import http.client
import json
import math
import os
import random
import re
import socket
import ssl
import threading
import time
import unicodedata
import urllib.parse
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, Literal, NotRequired, TypeAlias, TypedDict, TypeVar, Unpack, cast

JSON_TYPE = "application/json"
LONGEST_WAIT = 60  # seconds of a Retry-After; a longer one is left to the caller
MESSAGE_CHARACTERS = 2000
EMPTY_PAGES = 1000  # how many may follow each other: a service may filter, but must get to an end


class CountersignError(Exception):
    """An error of this library."""


class ApiError(CountersignError):
    """A service has responded with an error."""

    def __init__(self, message: str, status: int, code: str, request_id: str | None, details: Mapping[str, list[str]],
                 body: object, retry_after: float | None) -> None:
        super().__init__(message)
        self.status = status  # of the response, such as 404
        self.code = code  # what went wrong, for programs: receipt_not_found; empty if the response does not say it
        self.request_id = request_id  # identifies the request in the logs of the service
        self.details = details  # the problems of each field, of an invalid request
        self.body = body  # the whole body, such as the `receipt` of receipt_already_finalized
        self.retry_after = retry_after  # the seconds of Retry-After


Problem_: TypeAlias = Literal["unreachable", "timeout", "redirect", "too_large", "malformed"]


class ConnectionFailed(CountersignError):
    """There is no usable response. Whether the service has performed the operation is not known.

    `problem` is `unreachable` (or the connection ended early), `timeout`, `redirect` (to an address where the key must not be sent),
    `too_large` (more than `max_response_bytes`) or `malformed` (such as the page of a proxy).
    """

    def __init__(self, problem: Problem_, message: str) -> None:
        super().__init__(message)
        self.problem = problem


class WebhookError(CountersignError):
    """Why a delivery must not be believed."""


class CallOptions(TypedDict, total=False):
    """What a call may change: the seconds for an attempt, and how often it is repeated at most."""

    timeout: float
    max_retries: int


class IdempotentOptions(CallOptions, total=False):
    """What a call may change that takes an Idempotency-Key: by default a new one for each call, the same for all attempts."""

    idempotency_key: str


class AgentOptions(IdempotentOptions, total=False):
    """What a call may change that an agent can authorize: `agent` adds `agent_auth` to the body."""

    agent: SigningAgent


Row = TypeVar("Row")
Page = TypeVar("Page")


class Rows(Generic[Row, Page]):
    """The rows of a list, which are read page by page while they are iterated. Each iteration begins anew."""

    def __init__(self, read: Callable[[str | None], Any], member: str) -> None:
        self._read = read
        self._member = member

    def page(self) -> Page:
        """Reads the first page, with everything that the service returns with it."""
        return cast(Page, self._read(None))

    def pages(self) -> Iterator[Page]:
        """Reads all pages."""
        seen: set[str] = set()
        cursor: str | None = None
        empty_pages = 0
        while True:
            page = self._read(cursor)
            yield cast(Page, page)
            cursor = page["next_cursor"]
            if cursor is None:
                return
            if cursor in seen:  # otherwise a service could keep its caller busy for ever
                raise ConnectionFailed("malformed", "The list never ends: a cursor comes a second time.")
            empty_pages = empty_pages + 1 if not cast(Any, page)[self._member] else 0
            if empty_pages > EMPTY_PAGES:
                raise ConnectionFailed("malformed", "The list never ends: its pages are empty.")
            seen.add(cursor)

    def __iter__(self) -> Iterator[Row]:
        for page in self.pages():
            yield from cast(Any, page)[self._member]


def printable(text: str) -> str:
    """Returns text of a service without control characters, so that it can be printed in a terminal."""
    return "".join("\ufffd" if unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp") else one for one in text[:MESSAGE_CHARACTERS])


# Canonical JSON (RFC 8785), and what is signed.


def canonical(value: object) -> str:
    """Returns the canonical JSON of a value: names sorted by UTF-16 code units, numbers as ECMAScript prints them."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number(value)
    if value is None or isinstance(value, (str, bool)):
        return json.dumps(value, ensure_ascii=False)
    raise CountersignError(f"{type(value).__name__} is not JSON. Nothing was signed.")


def _number(value: int | float) -> str:
    if isinstance(value, int) and (abs(value) > 2**1023 or int(float(value)) != value):
        raise CountersignError("An integer cannot be represented exactly; send it as text. Nothing was signed.")
    if not math.isfinite(value):
        raise CountersignError("A number is not finite. Nothing was signed.")
    if value == 0:
        return "0"
    sign, all_digits, exponent = decimal.Decimal(repr(float(value))).normalize().as_tuple()
    digits = "".join(map(str, all_digits))
    point = len(digits) + int(exponent)
    if 0 < point <= 21:
        text = digits.ljust(point, "0") if len(digits) <= point else f"{digits[:point]}.{digits[point:]}"
    elif -6 < point <= 0:
        text = f"0.{'0' * -point}{digits}"
    else:
        text = f"{digits[0]}{'.' + digits[1:] if digits[1:] else ''}e{point - 1:+d}"
    return "-" * sign + text


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# The values of `type` in the objects that a service or an agent signs for other purposes, and the members of a presentation.
SIGNED_TYPES = {"agent-attestation", "agent-auth", "agent-profile", "artifact-attestation", "assessment", "compliance-package", "datacenter-scorecard",
                "gate-decision", "key-event", "leaderboard", "meter", "passport", "receipt-status"}
PRESENTATION_MEMBERS = ("subject_commitment", "photo_url", "photo_content_sha256", "photo_mime_type")


# Keys of agents: Ed25519 by the library of OpenSSL.

ED25519 = 1087  # EVP_PKEY_ED25519
PKCS8_PREFIX = bytes.fromhex("302e020100300506032b657004220420")  # what stands before the seed (RFC 8410, 7)
PEM = re.compile(r"\s*-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*")


@functools.cache
def _openssl() -> ctypes.CDLL:
    number, pointer, size = ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t
    functions: dict[str, tuple[Any, ...]] = {
        "EVP_PKEY_new_raw_private_key": (pointer, number, pointer, ctypes.c_char_p, size),
        "EVP_PKEY_get_raw_public_key": (number, pointer, ctypes.c_char_p, ctypes.POINTER(size)),
        "EVP_MD_CTX_new": (pointer,),
        "EVP_DigestSignInit": (number, pointer, pointer, pointer, pointer, pointer),
        "EVP_DigestSign": (number, pointer, ctypes.c_char_p, ctypes.POINTER(size), ctypes.c_char_p, size),
        "EVP_MD_CTX_free": (None, pointer),
        "EVP_PKEY_free": (None, pointer),
    }
    for name in ("libcrypto.so.3", "libcrypto.3.dylib", "libcrypto-3-x64.dll"):
        with contextlib.suppress(OSError, AttributeError):
            library = ctypes.CDLL(name)
            for function, (result, *arguments) in functions.items():
                getattr(library, function).restype, getattr(library, function).argtypes = result, arguments
            return library
    raise CountersignError("Keys of agents need the library of OpenSSL 3 (libcrypto), which was not found.")


class AgentKey:
    """The Ed25519 key pair of an agent. `public_key` has 64 hexadecimal characters."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != 32:
            raise CountersignError("The seed of a key has 32 bytes.")
        self._seed = bytes(seed)
        self.public_key = self._with_key(self._raw_public_key).hex()

    @classmethod
    def generate(cls) -> AgentKey:
        """Makes a new key."""
        return cls(os.urandom(32))

    @classmethod
    def from_pem(cls, pem: str) -> AgentKey:
        """Returns the key of a PEM file, as `countersign keygen` and `openssl genpkey -algorithm ed25519` write it."""
        found = PEM.fullmatch(pem)
        der = b""
        with contextlib.suppress(ValueError):
            der = base64.b64decode("".join(found[1].split()), validate=True) if found else b""
        if len(der) != len(PKCS8_PREFIX) + 32 or not der.startswith(PKCS8_PREFIX):
            raise CountersignError("This is not an unencrypted Ed25519 private key in PEM (PKCS #8).")
        return cls(der[len(PKCS8_PREFIX):])

    def to_pem(self) -> str:
        """Returns the private key in PEM (PKCS #8). Keep it secret."""
        return f"-----BEGIN PRIVATE KEY-----\n{base64.b64encode(PKCS8_PREFIX + self._seed).decode()}\n-----END PRIVATE KEY-----\n"

    def commitment(self, context: str | None = None) -> str:
        """Returns the subject commitment, which identifies the agent of this key. Another context makes another agent."""
        return _sha256(f"agent-id:{self.public_key}:{'passport-v1' if context is None else context}")

    def sign(self, text: str) -> str:
        """Signs text. Returns 128 hexadecimal characters."""
        return self._with_key(functools.partial(self._signature, text.encode())).hex()

    def __repr__(self) -> str:
        return f"AgentKey({self.public_key})"

    def _with_key(self, use: Callable[[ctypes.CDLL, int], bytes]) -> bytes:
        library = _openssl()
        key = library.EVP_PKEY_new_raw_private_key(ED25519, None, self._seed, 32)
        if not key:
            raise CountersignError("This OpenSSL has no Ed25519.")
        try:
            return use(library, key)
        finally:
            library.EVP_PKEY_free(key)

    @staticmethod
    def _raw_public_key(library: ctypes.CDLL, key: int) -> bytes:
        buffer, size = ctypes.create_string_buffer(32), ctypes.c_size_t(32)
        if library.EVP_PKEY_get_raw_public_key(key, buffer, ctypes.byref(size)) != 1:
            raise CountersignError("OpenSSL has not returned the public key.")
        return buffer.raw

    @staticmethod
    def _signature(message: bytes, library: ctypes.CDLL, key: int) -> bytes:
        context = library.EVP_MD_CTX_new()
        buffer, size = ctypes.create_string_buffer(64), ctypes.c_size_t(64)
        try:
            if (library.EVP_DigestSignInit(context, None, None, None, key) != 1
                    or library.EVP_DigestSign(context, buffer, ctypes.byref(size), message, len(message)) != 1):
                raise CountersignError("OpenSSL has not signed.")
        finally:
            library.EVP_MD_CTX_free(context)
        return buffer.raw


class SignedObject(TypedDict):
    payload_digest: str
    signature: str
    public_key: str


class SigningAgent:
    """An agent: a key, and the context that it is used for. `commitment` identifies it."""

    def __init__(self, key: AgentKey, context: str | None = None) -> None:
        self.key = key
        self.context = context
        self.commitment = key.commitment(context)

    def sign(self, value: Mapping[str, object]) -> SignedObject:
        """Signs an object, as presentations and evidence need it. Never sign what you have not read."""
        digest = _sha256(canonical(dict(value)))
        return {"payload_digest": digest, "signature": self.key.sign(digest), "public_key": self.key.public_key}

    def evidence(self, source_type: str, payload: Mapping[str, object]) -> Any:
        """Returns the body of `evidence.send`: the payload with its signature."""
        if payload.get("type") in SIGNED_TYPES or all(member in payload for member in PRESENTATION_MEMBERS):
            raise CountersignError("The payload could be mistaken for another signed object. Nothing was signed.")
        return {"source_type": source_type, "payload": payload, "signature": self.sign(payload)["signature"]}

    def presentation(self, photo_url: str | None, photo_content_sha256: str | None, photo_mime_type: str | None) -> Any:
        """Returns the body of `agents.set_presentation`: the photo with its signature; three times None for no photo."""
        members = {"photo_url": photo_url, "photo_content_sha256": photo_content_sha256, "photo_mime_type": photo_mime_type}
        signed = self.sign({"subject_commitment": self.commitment, **members})
        return {**members, "signature": signed["signature"]}

    def authorize(self, method: str, path: str, audience: str, body: Mapping[str, object],
                  now: datetime.datetime | None = None) -> dict[str, object]:
        """Returns a body with the agent's authorization of a call, which is valid once and for five minutes. The option `agent` does it."""
        if "?" in path or "#" in path:
            raise CountersignError("An agent cannot authorize a call with a query, which no signature covers.")
        if "agent_auth" in body:
            raise CountersignError("The body already has a member agent_auth.")
        expires = (now or datetime.datetime.now(datetime.UTC)).astimezone(datetime.UTC) + datetime.timedelta(minutes=5)
        auth: dict[str, object] = {"commitment": self.commitment, "nonce": str(uuid.uuid4()),
                                   "expires_at": expires.strftime("%Y-%m-%dT%H:%M:%S.000Z")}
        signed = {"type": "agent-auth", "method": method, "path": path, "body": dict(body), "audience": audience, **auth}
        auth["signature"] = self.key.sign(_sha256(canonical(signed)))
        return {**body, "agent_auth": auth}


# Requests.


def _is_own_name(name: str) -> bool:
    return bool(re.fullmatch(r"localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|::", name))


def _is_same_host(host: str, url: urllib.parse.SplitResult) -> bool:
    """Returns whether a host is the host of a URL. On one port, all names of this machine are equal."""
    if host == url.netloc:
        return True
    try:
        other = urllib.parse.urlsplit(f"{url.scheme}://{host}")
        return (other.netloc == host and other.port == url.port
                and _is_own_name(other.hostname or "") and _is_own_name(url.hostname or ""))
    except ValueError:
        return False


def _service_url(text: str, insecure_http: bool) -> urllib.parse.SplitResult:
    try:
        url = urllib.parse.urlsplit(text)
        is_url = url.scheme in ("http", "https") and bool(url.hostname) and (url.port is None or url.port > 0)
    except ValueError:
        is_url = False
    if not is_url or re.search(r"[\s\x00-\x1f\x7f\\]", text):
        raise CountersignError(f"The URL of the service must be an http or https URL, not {text}.")
    if "@" in url.netloc or url.query or url.fragment:
        raise CountersignError("The URL of the service must have no user, query and fragment.")
    if re.search(r"/api/v1/*$", url.path):
        raise CountersignError(f"Leave /api/v1 out of the URL of the service: {text}.")
    if url.scheme == "http" and not _is_own_name(url.hostname or "") and not insecure_http:
        raise CountersignError(f"The URL of the service must be https, because keys are sent to {url.netloc}. "
                               "Set insecure_http if nobody else is on the way.")
    default = {"http": ":80", "https": ":443"}[url.scheme]
    return url._replace(netloc=url.netloc.lower().removesuffix(default), path=url.path.rstrip("/"))


class Transport:
    """Sends requests to one service. The key goes nowhere else. Several threads may use it."""

    def __init__(self, url: str, api_key: str | None, audience: str | None, timeout: float, max_retries: int,
                 max_response_bytes: int, insecure_http: bool, now: Callable[[], str] | None) -> None:
        self.url = _service_url(url, insecure_http)
        if api_key is not None and not re.fullmatch("[!-~]+", api_key):
            raise CountersignError("The API key has a space or a line end, or other characters that no key has.")
        self._api_key = api_key
        self._audience = audience
        self._now = now
        self._timeout = timeout
        self._max_retries = max_retries
        self._max_response_bytes = max_response_bytes
        self._tls = ssl.create_default_context() if self.url.scheme == "https" else None

    def call(self, method: str, path: str, *, places: Mapping[str, str] | None = None, query: Mapping[str, object] | None = None,
             body: object = None, headers: Mapping[str, str] | None = None, accept: str = JSON_TYPE, reads: str = "json",
             idempotent: bool = False, public: bool = False, timeout: float | None = None, max_retries: int | None = None,
             idempotency_key: str | None = None, agent: SigningAgent | None = None) -> Any:
        """Performs a call, and repeats it where that is safe. Raises ApiError or ConnectionFailed."""
        target = re.sub(r"\{(\w+)\}", lambda found: _segment(found[1], (places or {})[found[1]]), path)
        asked = urllib.parse.urlencode({name: _text(value) for name, value in (query or {}).items() if value is not None})
        seconds = self._timeout if timeout is None else timeout
        if agent is not None:
            body = agent.authorize(method, target + (f"?{asked}" if asked else ""), self._asked_audience(seconds),
                                   cast(Mapping[str, object], body or {}), self.now())
        sent = {"accept": accept, "user-agent": "countersign-python", **(headers or {})}
        data = None
        if body is not None:
            sent["content-type"] = JSON_TYPE
            # Text stays as it is, because somebody may have signed its bytes.
            data = (body if isinstance(body, str) else json.dumps(body, allow_nan=False)).encode()
        if self._api_key is not None and not public:
            sent["authorization"] = f"Bearer {self._api_key}"
        if idempotent:
            sent["idempotency-key"] = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        whole = self.url.path + target + (f"?{asked}" if asked else "")
        retries = self._max_retries if max_retries is None else max_retries
        attempts = 0
        while True:
            attempts += 1
            try:
                status, received, content = self._attempt(method, whole, sent, data, seconds)
                if 200 <= status < 300:
                    return _result(content, received, reads)
                raise _error_of(status, received, content)
            except CountersignError as error:
                if attempts > retries or not _is_repeatable(error, method == "GET" or idempotent):
                    raise
                time.sleep(_seconds_before(error, attempts))

    def _attempt(self, method: str, path: str, headers: Mapping[str, str], data: bytes | None,
                 seconds: float) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Sends a request once and reads its response, in at most some seconds. It follows no redirect."""
        host, port = self.url.hostname or "", self.url.port
        connection: http.client.HTTPConnection = (
            http.client.HTTPConnection(host, port, timeout=seconds) if self._tls is None
            else http.client.HTTPSConnection(host, port, timeout=seconds, context=self._tls))
        is_late = threading.Event()

        def stop() -> None:  # the timeout of a socket begins anew with each byte
            is_late.set()
            with contextlib.suppress(OSError, AttributeError):
                connection.sock.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            connection.request(method, path, data, dict(headers))
            response = connection.getresponse()
            if 300 <= response.status < 400:
                location = printable(response.getheader("location") or "another address")
                raise ConnectionFailed("redirect", f"{self.url.netloc} redirects to {location}, where no key is sent. "
                                                   "Use the URL of the service itself.")
            content = response.read(self._max_response_bytes + 1)
            if is_late.is_set():
                raise TimeoutError
            if len(content) > self._max_response_bytes:
                raise ConnectionFailed("too_large", f"The response of {self.url.netloc} has more than "
                                                    f"{self._max_response_bytes} bytes (max_response_bytes).")
            if response.length:  # what is missing of the Content-Length
                raise ConnectionFailed("unreachable", f"The response of {self.url.netloc} ended early.")
            return response.status, response.headers, content
        except (OSError, http.client.HTTPException) as error:
            if is_late.is_set() or isinstance(error, TimeoutError):
                raise ConnectionFailed("timeout", f"{self.url.netloc} did not respond within {seconds} s.") from error
            raise ConnectionFailed("unreachable", f"{self.url.netloc} cannot be reached: {printable(str(error))}") from error
        finally:
            timer.cancel()
            connection.close()

    def now(self) -> datetime.datetime:
        """Returns the time with which agents sign."""
        if self._now is None:
            return datetime.datetime.now(datetime.UTC)
        text = self._now()
        try:
            now = datetime.datetime.fromisoformat(text)
        except ValueError:
            now = None
        if now is None or now.tzinfo is None:
            raise CountersignError(f"`now` returned {printable(text)}, which is no RFC 3339 time.")
        return now

    def _asked_audience(self, timeout: float) -> str:
        """Returns the audience that agents sign. A malicious service could state the one of another, and forward there what they sign."""
        if self._audience is None:
            stated = str(self.call("GET", "/api/v1/public-key", public=True, timeout=timeout).get("audience"))
            origin = re.fullmatch(r"([^+]+)\+[\w-]+", stated)
            host = origin[1].split("/")[0] if origin else ""
            # What an agent signs for a test service of this machine, another test service could use at most.
            is_of_test = host == "test.invalid" and _is_own_name(self.url.hostname or "")
            if host != self.url.hostname and not _is_same_host(host, self.url) and not is_of_test:
                raise CountersignError(f"{self.url.netloc} states the audience {printable(stated)}, which does not name its host. "
                                       "If that is its audience, pass it as `audience`.")
            if is_of_test:  # a reset gives a test service another one
                return stated
            self._audience = stated
        return self._audience


def _segment(name: str, value: str) -> str:
    segments = value.split("/") if name == "path" else [value]
    if any(segment in ("", ".", "..") for segment in segments):
        raise CountersignError(f'The parameter {name} must not be "{value}".')
    return "/".join(urllib.parse.quote(segment, safe="") for segment in segments)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _result(content: bytes, headers: http.client.HTTPMessage, reads: str) -> Any:
    if reads == "bytes":
        return content
    if reads == "json or nothing" and content == b"":
        return None
    try:
        text = content.decode()
        return text if reads == "text" else json.loads(text)
    except (ValueError, RecursionError) as error:
        kind = printable(headers.get("content-type") or "of no type")
        raise ConnectionFailed("malformed", f"The response is not what it must be, but {kind}.") from error


def _error_of(status: int, headers: http.client.HTTPMessage, content: bytes) -> ApiError:
    body: object = None
    with contextlib.suppress(ValueError, RecursionError):
        body = json.loads(content)
    outer = body if isinstance(body, dict) else {}
    # The trust service has `error` and `reason_code`, the staffing service an object with both.
    error = outer.get("error")
    inner = error if isinstance(error, dict) else outer
    message = error if isinstance(error, str) else inner.get("message")
    code = inner.get("reason_code", inner.get("code"))
    details: dict[str, list[str]] = {}
    issues = inner.get("issues")
    for path, messages in (issues if isinstance(issues, dict) else {}).items():
        details[printable(path)] = [printable(str(one)) for one in messages] if isinstance(messages, list) else []
    items = inner.get("details")
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict):
            details.setdefault(printable(str(item.get("field"))), []).append(printable(str(item.get("message"))))
    sentence = printable(message) if isinstance(message, str) else f"The service has responded with status {status}."
    fields = "; ".join(f"{path} {', and '.join(problems)}" for path, problems in details.items())
    return ApiError(printable(f"{sentence} ({fields})") if fields else sentence,
                    status, printable(code) if isinstance(code, str) else "", headers.get("x-request-id"), details, body,
                    _retry_after(headers.get("retry-after")))


def _retry_after(text: str | None) -> float | None:
    """Returns the seconds of a Retry-After: a number, or a date."""
    if text is None:
        return None
    if re.fullmatch(r"\d{1,9}", text):
        return float(text)
    with contextlib.suppress(ValueError, TypeError, OverflowError):
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    return None


def _is_repeatable(error: CountersignError, is_safe: bool) -> bool:
    """A request that is refused for the rate of requests has done nothing. After any other error, only a read is repeated, or a request
    with an Idempotency-Key, to which the service repeats its first response."""
    if isinstance(error, ConnectionFailed):
        return is_safe and error.problem in ("unreachable", "timeout")
    if not isinstance(error, ApiError) or (error.retry_after or 0) > LONGEST_WAIT:
        return False
    return error.status == 429 or (is_safe and error.status in (502, 503, 504))


def _seconds_before(error: CountersignError, attempts: int) -> float:
    if isinstance(error, ApiError) and error.retry_after is not None:
        return error.retry_after
    return float(min(8.0, 0.5 * 2 ** (attempts - 1)) * (1 - random.random() / 4))


class Client:
    """What the clients of all services have in common.

    `url` is https, or http of this machine. `api_key` is sent to this service only. `audience` is what agents sign, as
    GET /api/v1/public-key shows it; without it the client asks the service, and refuses one that does not name the host of the URL.
    `now` returns the time with which agents sign, in RFC 3339: the `now` of a test service, whose clock is another; never of a real service.
    `timeout` has the seconds for an attempt, `max_retries` how often a request is repeated at most, where that is safe.
    """

    def __init__(self, url: str, *, api_key: str | None = None, audience: str | None = None, timeout: float = 30, max_retries: int = 2,
                 max_response_bytes: int = 64 * 2**20, insecure_http: bool = False, now: Callable[[], str] | None = None) -> None:
        self._transport = Transport(url, api_key, audience, timeout, max_retries, max_response_bytes, insecure_http, now)

    @property
    def url(self) -> str:
        """The URL of the service."""
        return self._transport.url.geturl()


class Group:
    """The operations of a group."""

    def __init__(self, client: Client) -> None:
        self._transport = client._transport


# Enrollment.


def _safe_nonce(nonce: str, client: Client, purpose: str, commitment: str | None) -> str:
    """Returns a nonce that is safe to sign. A malicious service could forward the challenge of another service."""
    try:
        text = nonce.removeprefix("chal_")
        challenge = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        again = base64.urlsafe_b64encode(canonical(challenge).encode()).decode().rstrip("=")
        is_own = f"chal_{again}" == nonce and set(challenge) == {"purpose", "host", "subject_commitment", "expires_at", "random"}
    except (ValueError, TypeError, AttributeError, RecursionError, CountersignError):
        is_own = False
    if not is_own:
        raise CountersignError("Nothing was signed: the challenge of the service is not safe to sign.")
    if not _is_same_host(str(challenge["host"]), client._transport.url):
        raise CountersignError(f"Nothing was signed: the challenge is for {printable(str(challenge['host']))}, not for {client.url}.")
    if challenge["purpose"] != purpose or challenge["subject_commitment"] != commitment:
        raise CountersignError("Nothing was signed: the challenge is for another purpose or another agent.")
    now = client._transport.now()
    try:
        expires = datetime.datetime.fromisoformat(str(challenge["expires_at"]))
        is_valid = expires > now
    except (ValueError, TypeError):
        is_valid = False
    if not is_valid:
        raise CountersignError(f"Nothing was signed: the challenge expired at {printable(str(challenge['expires_at']))}.")
    return nonce


def enroll(client: TrustClient, agent: SigningAgent, name: str | None = None, **options: Unpack[CallOptions]) -> Passport:
    """Enrolls an agent: signs the challenge of the service. Its sponsor is the operator of the client's key, if it has one."""
    asked: StartEnrollmentRequest = {"public_key": agent.key.public_key}
    if agent.context is not None:
        asked["context"] = agent.context
    if name is not None:
        asked["name"] = name
    start = client.agents.start_enrollment(asked, **options)
    nonce = _safe_nonce(start["challenge_nonce"], client, "enroll", agent.commitment)
    return client.agents.complete_enrollment(
        {"subject_commitment": agent.commitment, "signature": agent.key.sign(nonce), "challenge_nonce": nonce}, **options)


def provision(client: TrustClient, agent: SigningAgent, name: str | None = None, **options: Unpack[CallOptions]) -> ProvisionedAgent:
    """Enrolls an agent without a sponsor, by the proof of work that the service asks for. The holder key is shown only once."""
    public_key = agent.key.public_key
    work = prove_work(client, agent, **options)
    message = f"{work['challenge_nonce']}:{work['pow_nonce']}:{public_key}"
    asked: ProvisionAgentRequest = {"public_key": public_key, "challenge_nonce": work["challenge_nonce"], "pow_nonce": work["pow_nonce"],
                                    "signature": agent.key.sign(_sha256(message))}
    if agent.context is not None:
        asked["context"] = agent.context
    if name is not None:
        asked["display_name"] = name
    return client.agents.provision(asked, **options)


class Work(TypedDict):
    """A proof of work, as members of the body of a request."""

    challenge_nonce: str
    pow_nonce: str


def prove_work(client: TrustClient, agent: SigningAgent, **options: Unpack[CallOptions]) -> Work:
    """Performs the proof of work that an operator of its own costs an agent.

    Returns members of the body of `agents.create_holder_key`, which an enrolled agent without a sponsor needs.
    """
    challenge = client.agents.autonomous_challenge({"public_key": agent.key.public_key}, **options)
    nonce = _safe_nonce(challenge["challenge_nonce"], client, "autonomous", None)
    difficulty = challenge["pow_difficulty"]
    if not 0 <= difficulty <= 8:  # 16^8 hashes take more than an hour
        raise CountersignError(f"The service requires a proof of work with {difficulty} zeros; at most 8 are accepted.")
    begun, zeros, count = hashlib.sha256(f"{nonce}:".encode()), "0" * difficulty, 0
    while True:
        one = begun.copy()
        one.update(str(count).encode())
        if one.hexdigest().startswith(zeros):
            break
        count += 1
    return {"challenge_nonce": nonce, "pow_nonce": str(count)}


# Webhooks.


def verify_webhook(headers: Mapping[str, str], body: bytes, secret: str, now: float | None = None) -> Any:
    """Verifies a delivery (Standard Webhooks 1.0.0) and returns its event. Refuse a `webhook-id` that came before.

    `body` has the bytes as they arrived. `secret` is the webhook's `signing_secret` of the trust service, or its `secret` of the staffing
    service: `whsec_…`. `now` is in seconds. Raises WebhookError.
    """
    found = {name.lower(): value for name, value in headers.items()}
    sent_id, sent, signatures = (found.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not sent_id or not signatures:
        raise WebhookError("A header of the delivery is missing.")
    if not re.fullmatch(r"[0-9]{1,15}", sent):
        raise WebhookError("webhook-timestamp is not a number of seconds.")
    if not abs((time.time() if now is None else now) - int(sent)) <= 300:
        raise WebhookError("The delivery is too old, or from the future.")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if not 24 <= len(key) <= 64 or secret != f"whsec_{base64.b64encode(key).decode()}":
        raise WebhookError("The secret must be whsec_ and base64 of 24 to 64 bytes.")
    mac = hmac.new(key, f"{sent_id}.{sent}.".encode() + body, hashlib.sha256).digest()
    expected = f"v1,{base64.b64encode(mac).decode()}"
    if not any(hmac.compare_digest(expected.encode(), one.encode()) for one in signatures.split(" ")):
        raise WebhookError("The delivery is not signed with this secret.")
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise WebhookError("The body is not JSON.") from error
