#!/usr/bin/env python3
"""Verifies receipts, a compliance package or another signed document with Python's standard library and OpenSSL 3 (its library, or else its command).
docs/verification describes the checks.

    python3 verify.py RECEIPT --keys KEYS [--proof PROOF] [--status STATUS] [--revocations DIRECTORY] [--domain DOMAIN] [--log-key VKEY | --any-log]
                      [--policy POLICY] [--at TIME]
    python3 verify.py BUNDLE --keys KEYS [--fresh] [--revocations DIRECTORY] [--domain DOMAIN] [--log-key VKEY | --any-log] [--policy POLICY]
                      [--log DIRECTORY] [--at TIME]
    python3 verify.py BUNDLE --policy POLICY [--fresh] [--revocations DIRECTORY] [--domain DOMAIN] [--log DIRECTORY] [--at TIME]
    python3 verify.py RECEIPTS --keys KEYS [--domain DOMAIN] [--at TIME] [--ndjson]
    python3 verify.py RECEIPTS --keys KEYS --revocations DIRECTORY [--domain DOMAIN] [--log-key VKEY | --any-log] [--policy POLICY] [--at TIME] [--ndjson]
    python3 verify.py BUNDLES --keys KEYS [--fresh] [--revocations DIRECTORY] [--domain DOMAIN] [--log-key VKEY | --any-log] [--policy POLICY]
                      [--at TIME] [--ndjson]
    python3 verify.py RECEIPT --keys KEYS --linked --proof MANIFEST [--log-key VKEY | --any-log] [--policy POLICY]
    python3 verify.py RECEIPTS --complete --operator ID --log DIRECTORY --policy POLICY --keys KEYS [--log-key VKEY | --any-log] [--allow-unlinked]
    python3 verify.py PACKAGE --keys KEYS [--log-key VKEY | --any-log] [--policy POLICY] [--at TIME]
    python3 verify.py DOCUMENT --keys KEYS [--at TIME]
    python3 verify.py RECEIPT --keys KEYS --proof COSE_RECEIPT --entry ENTRY [--status STATUS] [--log-key VKEY | --any-log] [--at TIME]
    python3 verify.py COSE_RECEIPT --keys KEYS --entry ENTRY [--log-key VKEY | --any-log] [--at TIME]
    python3 verify.py CREDENTIAL --keys KEYS [--status STATUS_LIST] [--at TIME]
    python3 verify.py EVIDENCE --keys KEYS [--proof PROOF] [--log-key VKEY | --any-log] [--policy POLICY] [--at TIME]
    python3 verify.py KEYS_TO_CHECK --keys KEYS --log DIRECTORY [--log-key VKEY | --any-log] [--policy POLICY] [--at TIME]

Prints the result as JSON. Exits with 0 if the document is valid and the proof and the status are in order, 1 if not or if
something cannot be read, 2 for wrong usage. RECEIPTS has one receipt per line, BUNDLES one bundle: then it prints a line of JSON for each
that is not valid, and last a summary; 0 means that there is at least one and all are valid. With --complete, they must be all receipts of a linked account:
then the lines say what is wrong with the list or the log. KEYS, MANIFEST and DIRECTORY can also be the URL of a service.
"""

import argparse
import array
import base64
import bisect
import collections
import contextlib
import datetime
import decimal
import functools
import gzip
import hashlib
import io
import itertools
import json
import math
import os
import re
import stat
import subprocess
import sys
import tempfile
import unicodedata
import urllib.parse
import zlib

P = 2**255 - 19  # the field's prime, and below it the order of the group (RFC 8032, 5.1)
L = 2**252 + 27742317777372353535851937790883648493
# The y of the points of small order: under such keys one signature fits many messages.
SMALL = {0, 1, P - 1,
         int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"),
         int.from_bytes(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little")}


class Refused(Exception):
    """The input does not have the form that it must have."""


class WrongUsage(Refused):
    pass


class OtherLog(Refused):
    """A trusted key signed a checkpoint, but of a log that does not count: of another one than the one that is meant, or nothing says which is."""

    def __init__(self, check, time=None):
        why = {"log_not_named": "nothing names this log", "closed_size_contradicted": "the closed log had no such tree"}
        super().__init__(f"{check}: {why.get(check, 'another log of this key is meant')}")
        self.check, self.time = check, time


class Duplicate(Refused):
    """An object names a member twice."""


def need(holds, why):
    if not holds:
        raise Refused(why)


def strict_point(encoding):
    y = int.from_bytes(encoding, "little") % 2**255
    return y < P and y not in SMALL


@functools.cache
def openssl_library():
    """Returns the library of OpenSSL 3, or None where it is not found: then its command does the same, fifty times slower."""
    import ctypes  # here, since what has no signature does not need it
    number, pointer = ctypes.c_int, ctypes.c_void_p
    functions = {"EVP_PKEY_new_raw_public_key": (pointer, number, pointer, ctypes.c_char_p, ctypes.c_size_t),
                 "EVP_MD_CTX_new": (pointer,), "EVP_DigestVerifyInit": (number, pointer, pointer, pointer, pointer, pointer),
                 "EVP_DigestVerify": (number, pointer, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t),
                 "EVP_MD_CTX_free": (None, pointer), "EVP_PKEY_free": (None, pointer)}
    for name in ("libcrypto.so.3", "libcrypto.3.dylib", "libcrypto-3-x64.dll"):
        with contextlib.suppress(OSError, AttributeError):
            library = ctypes.CDLL(name)
            for function, (result, *arguments) in functions.items():
                getattr(library, function).restype, getattr(library, function).argtypes = result, arguments
            return library
    return None


def verified_by_library(library, public_key, message, signature):
    key = library.EVP_PKEY_new_raw_public_key(1087, None, public_key, len(public_key))  # EVP_PKEY_ED25519
    context = library.EVP_MD_CTX_new()
    try:
        if not context or not key:  # it takes any 32 bytes as a key
            raise RuntimeError("this OpenSSL cannot verify Ed25519")
        return (library.EVP_DigestVerifyInit(context, None, None, None, key) == 1
                and library.EVP_DigestVerify(context, signature, len(signature), bytes(message), len(message)) == 1)
    finally:
        library.EVP_MD_CTX_free(context)
        library.EVP_PKEY_free(key)


def verified_by_command(public_key, message, signature):
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        der = bytes.fromhex("302a300506032b6570032100") + public_key
        for name, content in (("key", der), ("message", message), ("signature", signature)):
            with open(path(name), "wb") as file:
                file.write(content)
        return subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", path("key"), "-rawin",
             "-in", path("message"), "-sigfile", path("signature")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def ed25519(public_key, message, signature):
    """Verifies Ed25519 strictly: key and R are canonical and not of small order, S is below the order; OpenSSL does the rest."""
    verified = ed25519_once if len(message) <= 4096 else ed25519_once.__wrapped__  # the results are held together with the messages
    return verified(public_key, message, signature)


@functools.lru_cache(4096)
def ed25519_once(public_key, message, signature):
    if len(public_key) != 32 or len(signature) != 64 or not strict_point(public_key) or not strict_point(signature[:32]):
        return False
    if int.from_bytes(signature[32:], "little") >= L:
        return False
    library = openssl_library()
    if library is None:
        return verified_by_command(public_key, message, signature)
    return verified_by_library(library, public_key, message, signature)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


Q = 8_380_417  # the modulus of ML-DSA-44 (FIPS 204, 4); other parameters stand where they are used
ZETAS = [pow(1753, int(format(i, "08b")[::-1], 2), Q) for i in range(256)]


def ntt(w):
    w, m, length = list(w), 0, 128
    while length >= 1:
        for start in range(0, 256, 2 * length):
            m += 1
            for j in range(start, start + length):
                t = ZETAS[m] * w[j + length] % Q
                w[j], w[j + length] = (w[j] + t) % Q, (w[j] - t) % Q
        length //= 2
    return w


def inverse_ntt(w):
    w, m, length = list(w), 256, 1
    while length < 256:
        for start in range(0, 256, 2 * length):
            m -= 1
            for j in range(start, start + length):
                w[j], w[j + length] = (w[j] + w[j + length]) % Q, ZETAS[m] * (w[j + length] - w[j]) % Q
        length *= 2
    return [x * 8_347_681 % Q for x in w]


def unpacked(data, bits):
    """Returns the numbers of so many bits each in little-endian data."""
    number = int.from_bytes(data, "little")
    return [number >> at & (1 << bits) - 1 for at in range(0, 8 * len(data), bits)]


def uniform(seed):
    """Returns the polynomial that follows from a seed (RejNTTPoly)."""
    stream = hashlib.shake_128(seed).digest(3 * 512)
    candidates = (int.from_bytes(stream[i:i + 3], "little") & 0x7FFFFF for i in range(0, len(stream), 3))
    return [x for x in candidates if x < Q][:256]


def hint_of(data):
    """Returns the places of a hint in each of the four polynomials (HintBitUnpack); None for one that is not canonical."""
    hint, index = [], 0
    for end in data[80:]:
        if not index <= end <= 80:
            return None
        places = list(data[index:end])
        if places != sorted(set(places)):
            return None
        hint.append(set(places))
        index = end
    return None if any(data[index:80]) else hint


def ball(seed):
    """Returns the challenge: 39 coefficients of 1 or -1 (SampleInBall)."""
    stream, c, at = hashlib.shake_256(seed).digest(4096), [0] * 256, 8
    signs = int.from_bytes(stream[:8], "little")
    for i in range(217, 256):
        while stream[at] > i:
            at += 1
        c[i], c[stream[at]] = c[stream[at]], -1 if signs >> i - 217 & 1 else 1
        at += 1
    return c


def high_bits(r, hinted):
    """Returns the high part of a coefficient, changed by a hint (UseHint)."""
    low = r % 190_464
    low -= 190_464 if low > 95_232 else 0
    high, low = (0, low - 1) if r - low == Q - 1 else ((r - low) // 190_464, low)
    return (high + (1 if low > 0 else -1)) % 44 if hinted else high


@functools.lru_cache(256)  # the bundles of a list have the same checkpoints
def ml_dsa_44(public_key, message, signature):
    """Verifies ML-DSA-44 (FIPS 204, algorithms 3 and 8) with an empty context."""
    if len(public_key) != 1312 or len(signature) != 2420:
        return False
    digest = lambda size, *parts: hashlib.shake_256(b"".join(parts)).digest(size)
    rho, seed, hint = public_key[:32], signature[:32], hint_of(signature[2336:])
    z = [[2**17 - x for x in unpacked(signature[at:at + 576], 18)] for at in range(32, 2336, 576)]
    if hint is None or any(abs(x) >= 2**17 - 78 for poly in z for x in poly):
        return False
    t1 = [ntt(x << 13 for x in unpacked(public_key[at:at + 320], 10)) for at in range(32, 1312, 320)]
    mu = digest(64, digest(64, public_key), b"\x00\x00", message)
    c, z, encoded = ntt(ball(seed)), [ntt(poly) for poly in z], b""
    for row in range(4):
        columns = [uniform(rho + bytes((column, row))) for column in range(4)]
        sums = (sum(a[i] * b[i] for a, b in zip(columns, z)) - c[i] * t1[row][i] for i in range(256))
        w = inverse_ntt(x % Q for x in sums)
        high = [high_bits(x, i in hint[row]) for i, x in enumerate(w)]
        encoded += sum(x << 6 * i for i, x in enumerate(high)).to_bytes(192, "little")
    return digest(32, mu, encoded) == seed


QUOTED = json.encoder.encode_basestring  # what json.dumps does with a text, without ASCII escapes


def canonical(value):
    """Returns the canonical JSON (RFC 8785): names sorted by UTF-16 code units, numbers as ECMAScript prints them."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(float(value))
    return QUOTED(value) if isinstance(value, str) else json.dumps(value)


def number(value):
    """Returns a number as ECMAScript prints it (RFC 8785, 3.2.2.3): the same shortest digits as Python, in another notation."""
    need(math.isfinite(value), "a number is too large")
    if value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    sign, digits, exponent = decimal.Decimal(repr(value)).normalize().as_tuple()
    digits, point = "".join(map(str, digits)), len(digits) + exponent
    if 0 < point <= 21:
        text = digits.ljust(point, "0") if len(digits) <= point else digits[:point] + "." + digits[point:]
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        text = digits[0] + ("." + digits[1:] if digits[1:] else "") + "e%+d" % (point - 1)
    return "-" * sign + text


def depth(value):
    levels, inside = 0, [value]
    while inside := [one for one in inside if isinstance(one, (dict, list))]:
        levels, inside = levels + 1, [inner for one in inside for inner in (one.values() if isinstance(one, dict) else one)]
    return levels


def parse(data):
    """Reads JSON in UTF-8, at most 64 levels deep, without duplicate members. Numbers are floats, so that 5 and 5.0 are equal.
    An integer that a float does not hold exactly is refused."""
    def members(pairs):
        if len(dict(pairs)) != len(pairs):
            raise Duplicate("an object names a member twice")
        return dict(pairs)
    def whole(literal):
        need(len(literal) <= 310 and float(literal) == int(literal), "an integer that a float cannot hold exactly")
        return float(literal)
    def constant(name):
        raise Refused(f"not JSON: {name}")
    try:
        value = json.loads(data.decode("utf-8"), object_pairs_hook=members, parse_int=whole, parse_constant=constant)
        need(depth(value) <= 64, "nested more than 64 levels deep")
        return value
    except (ValueError, RecursionError) as error:
        raise Refused(f"not JSON: {error}")


def instant(text):
    """Returns the seconds since 1970 of an RFC 3339 time, cut to milliseconds; None for any other text."""
    form = r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
    match = re.fullmatch(form, text) if isinstance(text, str) else None
    if match is None:
        return None
    year, *rest, fraction, sign, hours, minutes = match.groups()
    offset = (int(hours or 0) * 60 + int(minutes or 0)) * (-60 if sign == "-" else 60)
    # The library has no year 0. The calendar repeats every 400 years, which are 146,097 days.
    era = 1 if year == "0000" else 0
    try:
        time = datetime.datetime(int(year) + 400 * era, *map(int, rest), tzinfo=datetime.timezone.utc)
    except ValueError:
        return None
    if int(hours or 0) > 23 or int(minutes or 0) > 59:
        return None
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    seconds = (time - epoch) // datetime.timedelta(seconds=1) - 146_097 * 86_400 * era - offset
    return seconds + int((fraction or "0")[:3].ljust(3, "0")) / 1000


def is_hex(size):
    return lambda text: re.fullmatch("[0-9a-f]{%d}" % (2 * size), text) is not None


def one_of(*names):
    return lambda text: text in names


def text_of(longest, *refused):
    """Returns a form: a text without characters of some categories, none of which is printable."""
    return lambda text: 0 < len(text) <= longest and (text.isprintable() or not any(unicodedata.category(c) in refused for c in text))


def is_id(text):
    return re.fullmatch("rcpt_[0-9a-f]{32}", text) is not None


DOMAINS = ("FINANCIAL_CLEARING", "CUSTOMER_SUPPORT", "CODE_GENERATION", "SYSTEM_INTEGRATION")
OUTCOME = {"pending": None, "success": "output_hash", "refusal": "refusal_reason", "null": "refusal_reason"}
OUTCOME.update(dict.fromkeys(("terminal", "graceful_shutdown", "timeout", "failure_tombstone"), "terminal_reason"))
ALWAYS = {
    "receipt_id": is_id, "issued_at": instant, "agent_id": text_of(256, "Cc", "Cs"),
    "operator_id": lambda text: re.fullmatch("op_cus_[A-Za-z0-9]{24}", text), "status": one_of(*OUTCOME),
    "receipt_type": one_of("custody", "competence"), "input_digest": is_hex(32),
    "authority_scope": text_of(256, "Cc", "Cs"), "expiry": instant, "revocation_status": one_of("active", "revoked"),
}
BESIDE = {"content_hash": is_hex(32), "signature": is_hex(64)}  # members that are not signed
SOMETIMES = {
    "output_hash": is_hex(32), "refusal_reason": text_of(1024, "Cs"), "terminal_reason": text_of(1024, "Cs"),
    "prev_receipt_hash": is_hex(32), "domain": one_of(*DOMAINS), "domain_commitment": is_hex(32),
    "error_tranche": one_of("DATA_LEAKAGE", "COMPUTE_TIMEOUT", "LOGIC_DETECTION", "SLA_BREACH", "NONE"),
    "kid": text_of(128, "Cc", "Cs"), "blind_salt": is_hex(32),
}


def fits(form, value):
    found = form(value) if isinstance(value, str) else None
    return found is not None and found is not False


def must_be_receipt(receipt):
    """Checks that every member has its form, none is missing, and the status allows each: another member would be unsigned."""
    need(isinstance(receipt, dict), "a receipt is a JSON object")
    forms = {**ALWAYS, **BESIDE, **SOMETIMES}
    for name in {**ALWAYS, **BESIDE}:
        need(name in receipt, f"{name} is missing")
    for name, value in receipt.items():
        unsaid = name == "blind_salt" and value is None  # in a replayed response, which does not repeat the salt
        need(unsaid or name in forms and fits(forms[name], value), f"{name} is unknown or not of its form")
    status = receipt["status"]
    for name in ("output_hash", "refusal_reason", "terminal_reason"):
        need((name in receipt) == (name == OUTCOME[status]), f"{name} does not belong to status {status}, or is missing")
    need(("error_tranche" in receipt) == (status != "pending"), "error_tranche belongs to every status but pending")
    need(status != "success" or receipt["error_tranche"] == "NONE", "error_tranche of status success is NONE")
    need(("domain" in receipt) != ("domain_commitment" in receipt), "either domain or domain_commitment")
    need("blind_salt" not in receipt or "domain_commitment" in receipt, "blind_salt belongs to domain_commitment")


def has_receipt_form(data):
    with contextlib.suppress(Refused):
        must_be_receipt(parse(data))
        return True
    return False


def content_hash(receipt):
    """Does the hash of step 3: the signed members, as canonical JSON, hashed."""
    signed = [*ALWAYS, "output_hash", "refusal_reason", "terminal_reason", "prev_receipt_hash", "domain", "error_tranche"]
    payload = {name: receipt[name] for name in signed if name in receipt}
    if "domain_commitment" in receipt:
        payload["domain"] = receipt["domain_commitment"]
    return sha256(canonical(payload).encode()).hex()


def opens(receipt):
    salt = receipt.get("blind_salt") or ""
    hashes = [sha256((domain + salt).encode()).hex() for domain in DOMAINS]
    return salt == "" or receipt["domain_commitment"] in hashes


DID_FORM = r"did:[a-z0-9]+:[A-Za-z0-9_.:%-]{1,512}"
LOG_PURPOSES = ("receipts-log", "keys-log", "revocations-log", "evidence-log", "accounts-log")  # a key pair for each log


class TrustedKeys(list):
    """The rows of a list of keys, the origin of the log of keys that it names, None for none, and the closed logs that it names."""
    key_log = None
    closed_logs = {}
    issuer, only_issuer = None, False  # the DID that the list names, or --issuer


class IssuerNamed(dict):
    """A list of keys with the issuer of --issuer, which counts instead of that of the list."""
    only_issuer = True


class LogKeys(list):
    """The keys of --log-key, and whether any log is accepted where nothing names one."""
    any_log = False


def must_have_term(key):
    status, until = key.get("status"), key.get("valid_until", "")
    need(isinstance(key.get("kid"), str), "a key has no kid")
    need(status in ("next", "active", "retired", "compromised"), "the status of a key is unknown")
    need(until is None or instant(until) is not None, "valid_until is not an RFC 3339 time")
    need(until is not None or status != "retired", "a retired key has no end")


def read_keys(document):
    """Returns the Ed25519 keys in a saved GET /api/v1/transparency/keys, and the ML-DSA-44 keys of logs. If one is not valid, none is
    trusted."""
    need(isinstance(document, dict) and isinstance(document.get("keys"), list), "it has no member keys, so it is no list of keys")
    log = document.get("log")
    origin = log.get("origin") if isinstance(log, dict) else None
    need(log is None or isinstance(origin, str) and origin.endswith("/keys") and origin != "/keys", "log.origin is not the name of a log of keys")
    for key in document["keys"]:
        need(isinstance(key, dict) and isinstance(key.get("algorithm"), str), "a key has no algorithm")
    of_logs = [key for key in document["keys"] if key["algorithm"] == "ML-DSA-44" and key.get("purpose") in LOG_PURPOSES]
    for key in of_logs:
        must_have_term(key)
        need(fits(is_hex(1312), key.get("public_key")), "a key is not 1,312 bytes in hexadecimal")
    rows = [key for key in document["keys"] if key["algorithm"] == "Ed25519"]
    for key in rows:
        must_have_term(key)
        need(fits(is_hex(32), key.get("public_key")), "a key is not 32 bytes in hexadecimal")
        need(strict_point(bytes.fromhex(key["public_key"])), "a key is not canonical or of small order")
        x = base64.urlsafe_b64encode(bytes.fromhex(key["public_key"])).decode().rstrip("=")
        thumbprint = sha256(canonical({"crv": "Ed25519", "kty": "OKP", "x": x}).encode())
        need(key["kid"] == base64.urlsafe_b64encode(thumbprint).decode().rstrip("="), "a kid is not that of its key")
        need(isinstance(key.get("purpose"), str), "a key has no purpose")
        need(instant(key.get("valid_from")) is not None, "valid_from is not an RFC 3339 time")
        logs, size = key.get("receipts_logs"), key.get("receipts_tree_size")
        need(logs is None or isinstance(logs, list) and all(isinstance(log, str) for log in logs), "receipts_logs are no names")
        need(size is None or isinstance(size, float) and 0 <= size < 2**53 and size % 1 == 0, "receipts_tree_size is no size")
    # A key that is compromised for one purpose is for all that it has. The purposes of the last ones are not known here.
    named = {(key["purpose"], key["public_key"]) for key in rows}
    stolen = [{**key, "purpose": purpose} for key in rows if key["status"] == "compromised"
              for purpose in ("receipts", "credentials", *LOG_PURPOSES)
              if purpose != key["purpose"] and (purpose, key["public_key"]) in named]
    others = [{"purpose": "", "status": "compromised", "public_key": key["public_key"]} for key in document["keys"]
              if key["algorithm"] == "ML-DSA-44" and key.get("status") == "compromised" and fits(is_hex(1312), key.get("public_key"))]
    trusted = TrustedKeys(rows + stolen + of_logs + others)
    trusted.key_log = origin
    trusted.issuer, trusted.only_issuer = document.get("issuer"), getattr(document, "only_issuer", False)
    need(trusted.issuer is None or trusted.only_issuer or isinstance(trusted.issuer, str) and re.fullmatch(DID_FORM, trusted.issuer), "issuer is not a DID")
    trusted.closed_logs = closed_logs_in(document)
    return trusted


def closed_logs_in(document):
    """Returns the closed logs that a list of keys names: of each origin its size, its root, and whether both are certain."""
    rows, closed = document.get("closed_logs"), {}
    need(rows is None or isinstance(rows, list), "closed_logs is no list")
    for row in rows or []:
        need(isinstance(row, dict), "a closed log is no object")
        log, origin, size = row.get("log"), row.get("origin"), row.get("tree_size")
        if log not in LOG_NAMES:
            continue
        need(isinstance(origin, str) and origin.endswith("/" + log), "a closed log is not of its name")
        need(is_count(size) and fits(is_hex(32), row.get("root_hash")) and isinstance(row.get("certain"), bool), "a closed log is not of its form")
        closed.setdefault(origin, (size, bytes.fromhex(row["root_hash"]), row["certain"]))
    return closed


def ended(key, time):
    return key["valid_until"] is not None and instant(key["valid_until"]) < time


def key_status(key, receipt, position):
    """Returns the status of a key for a receipt. The log proves which signatures are older than the end of their key; without
    the log a date does, if the key was not stolen."""
    logs, size = key.get("receipts_logs") or [], key.get("receipts_tree_size")
    comparable = position is not None and size is not None and position["log"] in logs
    wrong = comparable and size_contradicted(key, position)
    if comparable and (wrong == "too small" if wrong else position["index"] < size):
        return "trusted"
    if key["status"] == "compromised":
        return "compromised"
    undated = size is not None and key["valid_until"] is None  # it has ended, and nothing says when
    return "retired" if comparable or undated or ended(key, instant(receipt["issued_at"])) else "trusted"


def size_contradicted(key, position):
    """Says how the tree of a proof contradicts the size of its log at the end of a key; None if it does not. A log only grows. Only the
    time of the log's own key shows that the log was no larger: witnesses cosign an old tree again."""
    size, end = key["receipts_tree_size"], None if key["valid_until"] is None else instant(key["valid_until"])
    if end is not None and position["size"] > size and is_late(end, position["earliest"]):
        return "too small"
    return "too large" if end is not None and position["size"] < size and is_late(position["signed"], end) else None


def base64_of(text, size=None):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise Refused("not base64")
    need(base64.b64encode(data).decode() == text and (size is None or len(data) == size), "not canonical base64")
    return data


def whole(text):
    need(re.fullmatch("0|[1-9][0-9]{0,15}", text) and int(text) < 2**53, "not a number from 0 to 2^53 - 1")
    return int(text)


def is_key_name(name):
    return name != "" and not any(c < " " or c == "+" or c.isspace() for c in name)


@functools.lru_cache(16)  # each note is read several times, and the bundles of a list have the same
def signature_lines(note):
    """Reads a C2SP signed note. Returns its text without the last line end, and the name and the bytes of each signature."""
    need(all(c >= " " or c == "\n" for c in note) and "\n\n" in note and len(note.encode()) <= 2**20, "not a note")
    text, _, lines = note.rpartition("\n\n")
    need(lines.endswith("\n") and lines.count("\n") <= 64, "a note ends with signature lines, 64 at most")
    signatures = []
    for line in lines[:-1].split("\n"):
        need(re.fullmatch("\u2014 [^ ]+ [^ ]+", line), "not a signature line")
        _, name, encoded = line.split(" ")
        need(is_key_name(name), "not the name of a key")
        signature = base64_of(encoded)
        need(len(signature) > 4, "a signature is empty")
        signatures.append((name, signature))
    return text, signatures


def tree_in(text):
    """Reads the text of a checkpoint without the last line end. Returns its origin, size and root."""
    need(text.count("\n") >= 2 and "" not in text.split("\n"), "a checkpoint has three lines or more, none of them empty")
    origin, size, root = text.split("\n")[:3]
    return origin, whole(size), base64_of(root, 32)


def signed_at(kind, name, key, text, signature):
    """Returns the time in a valid signature of a checkpoint, in seconds, 0 for none; None for an invalid signature. The types are those
    of C2SP signed-note: 1 is Ed25519, 4 an Ed25519 cosignature, 6 ML-DSA-44."""
    if kind == 1:
        return 0 if ed25519(key, (text + "\n").encode(), signature) else None
    time, signature = int.from_bytes(signature[:8], "big"), signature[8:]
    if time > 8_640_000_000_000:  # the last second that a date can have
        return None
    if kind == 4:
        return time if ed25519(key, f"cosignature/v1\ntime {time}\n{text}\n".encode(), signature) else None
    origin, size, root = tree_in(text)
    names = [one.encode() for one in (name, origin)]
    if any(not 1 <= len(one) <= 255 for one in names):
        return None
    name, origin = (bytes([len(one)]) + one for one in names)
    message = b"subtree/v1\n\0" + name + time.to_bytes(8, "big") + origin + bytes(8) + size.to_bytes(8, "big") + root
    return time if ml_dsa_44(key, message, signature) else None


def open_trusted(note, keys):
    """Reads a checkpoint: at least one known key of its log signed it while it was in use, and no known key's signature is wrong.

    `keys` have a function that says what the key is for the log with an origin (`log_of`), the type, the raw key, and its end, None for none.
    Lines of other keys are passed over. Returns origin, size, root, and the earliest time of the signatures, None for none.
    """
    text, signatures = signature_lines(note)
    origin, size, root = tree_in(text)
    signed, (own, check) = [], keys_for(keys, origin)
    for name, line in signatures:
        for _, kind, key, until in own:
            if name == origin and line[:4] == sha256(origin.encode(), b"\n", bytes([kind]), key)[:4]:
                signed.append((kind, until, signed_at(kind, name, key, text, line[4:])))
    need(signed != [], f"no trusted key has signed the checkpoint of {origin}")
    need(all(time is not None for _, _, time in signed), "a signature of the checkpoint does not verify")
    need(text.count("\n") == 2 or any(kind == 1 for kind, _, _ in signed), "no signature covers the extension lines")
    stated = min((time for _, _, time in signed if time > 0), default=None)
    in_time = [time for _, until, time in signed if until is None or stated is None or stated <= until]
    need(in_time != [], "the keys that signed the checkpoint were retired before its time")
    time = min((time for time in in_time if time > 0), default=None)
    if check != "ok":
        raise OtherLog(check, time)
    end = next((check_of.closed[origin] for check_of, _, _, _ in own if origin in check_of.closed), None)
    if end is not None and (root != end[1] if size == end[0] else size > end[0] and end[2]):
        raise OtherLog("closed_size_contradicted", time)
    return origin, size, root, time


def keys_for(keys, origin):
    """Returns the keys for the log with an origin, and `ok`. If there are none: the keys of other logs of this name, and why these do not count."""
    checks = [check_of(origin) for check_of, _, _, _ in keys]
    own = [key for key, check in zip(keys, checks) if check == "ok"]
    others = [key for key, check in zip(keys, checks) if check]
    return (own, "ok") if own or not others else (others, next(filter(None, checks)))


def log_of(name, meant, any_log=False, closed=()):
    """Returns a function that says of an origin whether a key counts for its log: `ok`, or why not, and nothing for a log of another name.
    `meant` is the origin of the log that the key is trusted for, None where nothing says it; `closed` has the closed logs that count too."""
    closed = {origin: end for origin, end in dict(closed).items() if meant is not None and origin.endswith("/" + name)}
    def of(origin):
        if origin == meant or origin in closed:
            return "ok"
        if name not in LOG_NAMES or not origin.endswith("/" + name):
            return ""
        return "wrong_log" if meant is not None else "ok" if any_log else "log_not_named"
    of.closed = closed
    return of


def trees_of(keys, *notes, log=None):
    """Returns the origin, the size and the time of each checkpoint that a trusted key signed, even of a log that does not count. `log` is the only
    name of logs that is looked at. `closed` says of a closed log whether the tree is that at its end."""
    trees = []
    for note in notes:
        with contextlib.suppress(Refused, UnicodeError):
            (origin, size, _), closed = tree_in(signature_lines(note)[0]), {}
            need(log is None or origin.endswith("/" + log), "a log of another name")
            try:
                time = open_trusted(note, keys)[3]
                ends = [check_of.closed[origin][0] for check_of, _, _, _ in keys_for(keys, origin)[0] if origin in check_of.closed]
                closed = {"closed": "final" if size == ends[0] else "unbound"} if ends else {}
            except OtherLog as error:
                time = error.time
            trees.append({"log": origin, "tree_size": size, "signed_at": None if time is None else utc(1000 * time), **closed})
    return trees


def each_tree_once(trees):
    """Returns trees in the order of their logs, sizes and times, each once."""
    place = lambda tree: (tree["log"].encode("utf-16-be", "surrogatepass"), tree["tree_size"] or 0, tree["signed_at"] or "")
    return sorted({place(tree): tree for tree in trees}.values(), key=place)


def described_tree(tree):
    closed = {"final": "; the log was closed at this size",
              "unbound": "; it is a closed log, and only cosignatures that meet a policy show that these were its first entries (closed_unbound)"}
    size = "" if tree["tree_size"] is None else f" has {tree['tree_size']} {'entry' if tree['tree_size'] == 1 else 'entries'},"
    return f"{tree['log']}{size} signed {tree['signed_at'] or 'without a time'}{closed.get(tree.get('closed'), '')}"


def of_open_logs(keys):
    """Returns the keys without the closed logs: what must be new counts only in the log that continues."""
    def without(check_of):
        of = lambda origin: "wrong_log" if origin in check_of.closed else check_of(origin)
        of.closed = {}
        return of
    return [(without(check_of), *rest) for check_of, *rest in keys]


def open_checkpoint(note, keys):
    return open_trusted(note, keys)[:3]


def origin_in(note):
    return tree_in(signature_lines(note)[0])[0]


def root_from(leaf, index, size, path):
    """Returns the root of an audit path (RFC 9162, 2.1.3.2); None for a path of the wrong length."""
    node, last, hash_ = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return None
        if node % 2 == 1 or node == last:
            hash_ = sha256(b"\x01", sibling, hash_)
            while node % 2 == 0 and node != 0:
                node, last = node // 2, last // 2
        else:
            hash_ = sha256(b"\x01", hash_, sibling)
        node, last = node // 2, last // 2
    return hash_ if last == 0 else None


def is_kid(text):
    return re.fullmatch("[A-Za-z0-9_-]{43}", text)


def is_moment(text):
    return re.fullmatch(r".{19}\.[0-9]{3}Z", text) and instant(text)


def is_day(text):
    return re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) and "1970-01-01" <= text <= "9999-12-30" and instant(f"{text}T00:00:00.000Z")


def end_of_day(day):
    """Returns when a UTC day ends. No leaf of its heads of journals is older."""
    return f"{datetime.date.fromisoformat(day) + datetime.timedelta(days=1)}T00:00:00.000Z"


def is_count(value):
    return isinstance(value, float) and 0 <= value < 2**53 and value % 1 == 0


LOG_NAMES = ("receipts", "keys", "revocations", "evidence", "accounts")
SIGNED = {"receipt_id": is_id, "content_hash": is_hex(32), "signature": is_hex(64), "kid": is_kid}
ENTRIES = {  # the time of each, and its other members, all of which are texts
    "receipts": ("finalized_at", SIGNED),
    "revocations": ("revoked_at", SIGNED),
    "agent": ("at", {"event": one_of("agent_revoked"), "subject_commitment": is_hex(32)}),
    "evidence": ("anchored_at", {"event_commitment_hash": is_hex(32), "payload_digest": is_hex(32), "subject_commitment": is_hex(32),
                                 "source_type": lambda text: re.fullmatch("[a-z0-9_]{1,64}", text)}),
    "accounts": ("at", {"account": is_hex(32), "event": one_of("linked", "issued", "finalized", "revoked", "unlinked")}),
    "journal_heads": (None, {"date": is_day, "event": one_of("journal_heads"), "root": is_hex(32)}),
    "keys": ("at", {"algorithm": one_of("Ed25519", "ML-DSA-44"), "event": one_of("added", "activated", "retired", "compromised"),
                    "kid": is_kid, "public_key": lambda text: is_hex(32)(text) or is_hex(1312)(text),
                    "purpose": one_of("receipts", "credentials", *LOG_PURPOSES)}),
    "log_closed": ("at", {"event": one_of("log_closed"), "log": one_of(*LOG_NAMES), "origin": is_key_name, "root_hash": is_hex(32)}),
    "log_continued": ("at", {"event": one_of("log_continued"), "log": one_of(*LOG_NAMES), "origin": is_key_name, "predecessor": is_key_name}),
}
LOG_CHANGES = ("log_closed", "log_continued")  # entries of a log of keys that are of no key
OF_RECEIPT = {"receipt_id": is_id, "content_hash": is_hex(32), "agent": is_hex(32)}  # null in an entry that is of no receipt
OTHERS = {"evidence": {"index", "prev_event_hash"}, "accounts": {"sequence", "agent_sequence", *OF_RECEIPT}, "keys": {"receipts_tree_size", "signatures"},
          "journal_heads": {"accounts"}, "log_closed": {"tree_size", "certain"}}  # members that are no texts


@functools.lru_cache(1024)  # the entries of a package, and of a log of keys, are read several times
def read_entry(log, leaf):
    """Reads an entry of a log, byte by byte. Returns its members, and the name of the one with its time."""
    entry = parse(leaf)
    need(isinstance(entry, dict), "an entry is a JSON object")
    kind = "agent" if log == "revocations" and "event" in entry else log
    if log == "keys" and entry.get("event") in LOG_CHANGES:
        kind = entry["event"]
    if log == "accounts" and entry.get("event") == "journal_heads":
        kind = "journal_heads"
    time, forms = ENTRIES[kind]
    if time is not None:
        forms = {**forms, time: is_moment}
    need(set(entry) == {"v", *forms, *OTHERS.get(kind, ())}, "not the members of an entry of this log")
    need(all(fits(form, entry[name]) for name, form in forms.items()), "a member of the entry is not of its form")
    if kind == "evidence":
        before = entry["prev_event_hash"]
        need(is_count(entry["index"]) and (before is None) == (entry["index"] == 0), "the index of the entry is not of its form")
        need(before is None or fits(is_hex(32), before), "prev_event_hash is not of its form")
    if kind == "accounts":
        counts = lambda value: is_count(value) and value >= 1
        need(counts(entry["sequence"]), "the sequence of the entry is not of its form")
        if entry["event"] in ("linked", "unlinked"):
            need(all(entry[name] is None for name in ("agent_sequence", *OF_RECEIPT)), "the entry is of no receipt")
        else:
            need(counts(entry["agent_sequence"]), "the agent_sequence of the entry is not of its form")
            need(all(fits(form, entry[name]) for name, form in OF_RECEIPT.items()), "the entry of a receipt is not of its form")
    if kind == "keys":
        size, signatures = 32 if entry["algorithm"] == "Ed25519" else 1312, entry["signatures"]
        need(is_hex(size)(entry["public_key"]) and is_count(entry["receipts_tree_size"]), "the entry of a key is not of its form")
        need(isinstance(signatures, list) and 1 <= len(signatures) <= 16, "the entry of a key does not have 1 to 16 signatures")
        is_signature = lambda text: is_hex(64)(text) or is_hex(2420)(text)
        for row in signatures:
            need(isinstance(row, dict) and set(row) == {"kid", "signature"}, "a signature of the entry is not of its form")
            need(fits(is_kid, row["kid"]) and fits(is_signature, row["signature"]), "a signature of the entry is not of its form")
    if kind in LOG_CHANGES:
        origins = [entry[name] for name in ("origin", "predecessor") if name in entry]
        need(all(origin.endswith("/" + entry["log"]) and origin != "/" + entry["log"] for origin in origins), "an origin of the entry is not of its log")
        need(len(set(origins)) == len(origins), "the log of the entry continues itself")
        need(kind != "log_closed" or is_count(entry["tree_size"]) and isinstance(entry["certain"], bool), "the entry of a closed log is not of its form")
    if kind == "journal_heads":
        need(is_count(entry["accounts"]) and entry["accounts"] >= 1, "the accounts of the entry are not of their form")
    need(canonical({**entry, "v": 1}).encode() == leaf, "the entry is not canonical JSON")
    return (entry, time) if time is not None else ({**entry, "at": end_of_day(entry["date"])}, "at")


def proof_in(data):
    """Reads a C2SP tlog-proof whose extra data is the entry. Returns its index, the entry, the hashes, and the note."""
    need(len(data) <= 2**21, "a proof has at most 2 MiB")
    head, separator, note = data.decode("utf-8").partition("\n\n")
    first, extra, index, *path = head.split("\n") + [""] * 3
    path = path[:-3] if index != "" else path
    need(separator and first == "c2sp.org/tlog-proof@v1", "not a proof")
    need(extra.startswith("extra ") and index.startswith("index "), "not a proof of a receipt")
    need(len(path) <= 63, "too many hashes")
    leaf = base64_of(extra[6:])
    need(leaf != b"" and note != "", "not a proof of an entry")
    return whole(index[6:]), leaf, [base64_of(hash_, 32) for hash_ in path], note


def proof_of_object(path, name):
    """Reads what `proof_in` returns from the JSON form of a proof. Its other members must agree with these."""
    need(isinstance(path, dict), f"{name} is not a JSON object")
    note, entry, index, hashes = (path.get(member) for member in ("checkpoint", "leaf_entry", "leaf_index", "hashes"))
    need(isinstance(note, str) and isinstance(entry, str), f"{name} has no leaf_entry or checkpoint")
    origin, size, _ = tree_in(signature_lines(note)[0])
    leaf = entry.encode()
    stated = [path.get(member) for member in ("log", "tree_size", "leaf_hash")]
    need(stated == [origin, size, sha256(b"\0", leaf).hex()] and stated[1] is not True, "log, tree_size or leaf_hash do not match the checkpoint and the leaf")
    need(isinstance(index, float) and math.isfinite(index) and isinstance(hashes, list), f"{name} has no leaf_index or hashes")
    need(all(isinstance(text, str) for text in hashes), f"a hash of {name} is no text")
    # An index that is none leads nowhere.
    return int(index) if is_count(index) else size, leaf, [base64_of(text, 32) for text in hashes], note


def log_proof(data):
    """Reads what `proof_in` returns from a C2SP tlog-proof, or from the JSON of a public manifest or of a bundle; it may have been read before."""
    if isinstance(data, tuple):
        return data
    if not data.startswith(b"{"):
        return proof_in(data)
    document = parse(data)
    member = next((name for name in ("inclusion_path", "proof") if isinstance(document.get(name), dict)), None)
    need(member is not None, "it is JSON without an inclusion_path or a proof, so it is neither a public manifest nor a bundle")
    return proof_of_object(document[member], f"the {member}")


def is_cose(data):
    return isinstance(data, bytes) and data.startswith(COSE_START)


def check_proof(data, receipt, keys, entry=None):
    """Checks the proof of a receipt. Returns the result, the log position of this version (None if it shows none), and when the tree was
    signed and the receipt finalized, in seconds, None for a time that nothing says."""
    if is_cose(data):
        # Nothing signs the index of a COSE receipt, so that it shows no position.
        checks = cose_checks(data, entry or b"", keys)
        if checks["key"] in OTHER_LOGS:
            raise OtherLog(checks["key"])
        need(checks["entry"] == "ok", "the COSE receipt does not prove the entry")
        entry = read_entry("receipts", entry)[0]
        return dated(belongs(entry, receipt), receipt, entry, None), None, (None, instant(entry["finalized_at"]))
    index, leaf, path, note = log_proof(data)
    need(origin_in(note).endswith("/receipts"), "not a checkpoint of a log of receipts")
    origin, size, root, signed = open_trusted(note, keys)
    need(index < size and root_from(sha256(b"\x00", leaf), index, size, path) == root, "the leaf is not in the tree")
    entry = read_entry("receipts", leaf)[0]
    found = belongs(entry, receipt)
    is_this = found == "ok" and receipt["revocation_status"] != "revoked"
    position = {"log": origin, "index": index, "size": size, "signed": signed, "earliest": signed}
    return dated(found, receipt, entry, signed), position if is_this else None, (signed, instant(entry["finalized_at"]))


def dated(found, receipt, entry, signed):
    """Returns `misdated` instead of `ok` if a receipt was issued after it was finalized, or either after the tree was signed, by more
    than 60 s. `signed` is in seconds, None if nothing says it."""
    issued, finalized = instant(receipt["issued_at"]), instant(entry["finalized_at"])
    late = is_late(issued, finalized) or any(is_late(time, signed) for time in (issued, finalized))
    return "misdated" if found == "ok" and late else found


def is_ahead(time, now):
    """Says whether a time is more than 60 s after the clock of the verifier. None is a time that nobody knows."""
    return time is not None and math.isfinite(now) and round(1000 * (time - now)) > 60_000


def ahead_of(what, time, now):
    """Returns what is wrong with the date of something, as a list: nothing, or that it is more than 60 s after the clock of the verifier."""
    return [f"{what} is dated more than 60 s after the clock of this machine: check the clock"] if is_ahead(time, now) else []


def is_late(time, limit):
    """Says whether a time is more than 60 s after another. None is a time that nobody knows."""
    return time is not None and limit is not None and round(1000 * (time - limit)) > 60_000


def belongs(entry, receipt):
    """Says whether an entry of the log of receipts is of a receipt."""
    if entry["receipt_id"] != receipt["receipt_id"]:
        return "mismatch"
    if receipt["revocation_status"] == "revoked":  # the log has the version before, and nothing else changed
        before = content_hash({**receipt, "revocation_status": "active"})
        return "ok" if entry["content_hash"] == before else "mismatch"
    same = all(entry[name] == receipt.get(name, entry["kid"]) for name in ("content_hash", "signature", "kid"))
    return "ok" if same else "mismatch"


OTHER_LOGS = ("wrong_log", "log_not_named", "closed_size_contradicted")  # why a log does not count although its key is trusted
COSE_START = bytes.fromhex("d284")  # the tag of a COSE_Sign1 message, and an array of four


class Cbor:
    """Reads CBOR of a form that is known beforehand, in its deterministic form (RFC 8949, 4.2.1)."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, length):
        need(self.at + length <= len(self.data), "the CBOR ends within an item")
        self.at += length
        return self.data[self.at - length:self.at]

    def head(self, major):
        """Returns the argument of an item of this major type (RFC 8949, 3)."""
        first = self.take(1)[0]
        short = first & 31
        need(first >> 5 == major and short <= 27, "not an item of the expected type")
        if short < 24:
            return short
        width = 1 << short - 24
        value = int.from_bytes(self.take(width), "big")
        need(value < 2**53 and value >= (24 if width == 1 else 256 ** (width // 2)), "a number is too large, or could be shorter")
        return value

    def only(self, *items):
        """Reads heads that can only be these: pairs of a major type and an argument, or numbers."""
        for item in items:
            major, value = item if isinstance(item, tuple) else (0, item) if item >= 0 else (1, -1 - item)
            need(self.head(major) == value, "not the expected item")

    def string(self, major):
        return self.take(self.head(major))

    def end(self):
        need(self.at == len(self.data), "there are bytes after the CBOR")


def is_cose_file(path, content):
    """Returns whether a file has a COSE receipt, by a function that reads it; not so for a file that cannot be read."""
    try:
        return path is not None and not is_url(path) and content(path)[:2] == COSE_START
    except OSError:
        return False


def read_cose(data):
    """Reads a COSE receipt. Returns its protected header, kid, log, signature, size, index and hashes."""
    message = Cbor(data)
    message.only((6, 18), (4, 4))
    header = message.string(2)
    message.only((5, 1), 396, (5, 1), -1, (4, 1))
    proof = Cbor(message.string(2))
    need(message.take(1) == b"\xf6", "the payload is not detached")
    signature = message.string(2)
    message.end()
    members = Cbor(header)
    members.only((5, 4), 1, -8, 4)
    kid = members.string(2).decode("ascii")
    members.only(15, (5, 2), 1)
    issuer = members.string(3).decode("utf-8")
    members.only(2)
    log = members.string(3).decode("utf-8")
    members.only(395, 1)
    members.end()
    need(is_kid(kid) and log == issuer + "/receipts" and len(signature) == 64, "not a COSE receipt of a log of receipts")
    proof.only((4, 3))
    size, index, count = proof.head(0), proof.head(0), proof.head(4)
    need(1 <= count <= 63, "a COSE receipt has 1 to 63 hashes")
    path = [proof.string(2) for _ in range(count)]
    proof.end()
    need(all(len(hash_) == 32 for hash_ in path), "a hash does not have 32 bytes")
    return header, kid, log, signature, size, index, path


def cose_checks(data, entry, keys):
    """Does all checks of a COSE receipt of an entry. The root is not in it: it follows from the entry."""
    checks = dict.fromkeys(("key", "path", "signature", "entry"), "unchecked")
    try:
        header, kid, log, signature, size, index, path = read_cose(data)
    except (Refused, UnicodeError):
        return checks
    x = lambda key: base64.urlsafe_b64encode(key).decode().rstrip("=")
    of_kid = lambda key: x(sha256(canonical({"crv": "Ed25519", "kty": "OKP", "x": x(key)}).encode())) == kid
    own, check = keys_for(of_open_logs(keys), log)  # nothing signs the size
    named = [(key, until) for _, kind, key, until in own if kind == 1 and of_kid(key)]
    in_use = "trusted" if all(until is None for _, until in named) else "retired"
    checks["key"] = "unknown" if not named else in_use if check == "ok" else check
    if checks["key"] != "trusted":
        return checks
    root = root_from(sha256(b"\x00", entry), index, size, path) if index < size else None
    checks["path"] = "bad" if root is None else "ok"
    if root is None:
        return checks
    def text(major, data):
        if len(data) < 24:
            return bytes([major << 5 | len(data)]) + data
        short, width = next(pair for pair in ((24, 1), (25, 2), (26, 4)) if len(data) < 256 ** pair[1])
        return bytes([major << 5 | short]) + len(data).to_bytes(width, "big") + data
    message = b"\x84" + text(3, b"Signature1") + text(2, header) + text(2, b"") + text(2, root)
    checks["signature"] = "ok" if ed25519(named[0][0], message, signature) else "bad"
    if checks["signature"] == "ok":
        try:
            read_entry("receipts", entry)
            checks["entry"] = "ok"
        except (Refused, UnicodeError):
            checks["entry"] = "bad"
    return checks


def trees_of_proof(proof, keys, entry=None):
    """Does the same as `trees_of` for the proof of a receipt. Nothing signs the size or a time of the tree of a COSE receipt."""
    if is_cose(proof):
        return trees_of_cose(proof, cose_checks(proof, entry or b"", keys))
    try:
        return trees_of(keys, log_proof(proof)[3], log="receipts")
    except (Refused, UnicodeError):
        return []


def trees_of_cose(data, checks):
    return [{"log": read_cose(data)[2], "tree_size": None, "signed_at": None}] if checks["signature"] == "ok" else []


def entry_in(data):
    """Returns the entry in a file: of a public manifest its leaf_entry, of another file its bytes, without a line end after them."""
    try:
        manifest = parse(data)
        return manifest["inclusion_path"]["leaf_entry"].encode()
    except (Refused, UnicodeError, KeyError, TypeError, AttributeError):
        return data[:-1] if data.endswith(b"\n") else data


def judge_cose(data, key_document, now, log_keys=None, policy=None, clock=None, beside=None):
    """Does all checks of a COSE receipt, with the entry in `beside`."""
    keys = trusted_logs(read_keys(key_document), log_keys, policy, "receipts")
    checks = cose_checks(data, (beside or {}).get("entry") or b"", keys)
    if checks["entry"] == "ok" and is_ahead(instant(read_entry("receipts", beside["entry"])[0]["finalized_at"]), max(now, clock or now)):
        checks["entry"] = "future"
    bad = [("key_unknown", "key", "unknown"), *((check, "key", check) for check in OTHER_LOGS), ("key_retired", "key", "retired"), ("bad_proof", "path", "bad"),
           ("bad_signature", "signature", "bad"), ("bad_entry", "entry", "bad"), ("future", "entry", "future"), ("malformed", "key", "unchecked")]
    return {"verdict": next((verdict for verdict, name, value in bad if checks[name] == value), "valid"), "checks": checks,
            "problems": problems_of(checks), "trees": trees_of_cose(data, checks)}


def check_status(status, receipt, keys, now):
    """Checks a signed GET /api/v1/receipts/<id>/status. A revocation is final; any other status ends at valid_until."""
    forms = {"type": one_of("receipt-status"), "receipt_id": is_id, "content_hash": is_hex(32), "signature": is_hex(64),
             "status": one_of(*OUTCOME), "revocation_status": one_of("active", "revoked"), "checked_at": instant,
             "valid_until": instant, "kid": text_of(128, "Cs")}
    if not isinstance(status, dict) or set(status) != set(forms) or not all(fits(forms[n], status[n]) for n in forms):
        return "malformed"
    named = [key for key in keys if key["kid"] == status["kid"]]
    if not named:
        return "key_unknown"
    message = signed_digest(status).encode()
    if not all(ed25519(bytes.fromhex(key["public_key"]), message, bytes.fromhex(status["signature"])) for key in named):
        return "bad_signature"
    if any(key["status"] == "compromised" for key in named):
        return "key_compromised"
    if any(ended(key, instant(status["checked_at"])) for key in named):
        return "key_retired"
    if status["receipt_id"] != receipt["receipt_id"]:
        return "mismatch"
    if status["revocation_status"] == "revoked":
        return "revoked"
    if now > instant(status["valid_until"]):
        return "expired"
    if round(1000 * (instant(status["checked_at"]) - now)) > 60_000:  # signed while the service's clock was wrong
        return "future"
    checked, until = instant(status["checked_at"]), instant(status["valid_until"])
    if is_late(instant(receipt["issued_at"]), checked) or is_late(until, checked + 600):
        return "misdated"
    if status["content_hash"] != receipt["content_hash"]:
        return "superseded"
    return "ok" if status["status"] == receipt["status"] else "malformed"  # the content has the outcome


def read_policy(data):
    """Reads a C2SP tlog-policy. Returns its log keys like `read_vkey`, its witnesses by their names in the policy, and the quorum:
    None, or its name and all rules by their names: None for a witness, the threshold and the members of a group."""
    text, logs, witnesses, rules, used, quorum = data.decode("utf-8"), [], {}, {}, set(), []
    need(text.endswith("\n") and all(c >= " " or c in "\n\t" for c in text) and "\x7f" not in text, "the policy is not lines of text")
    for line in text[:-1].split("\n"):
        kind, *words = re.findall("[^ \t]+", line) or ["#"]
        if kind.startswith("#"):
            continue
        if kind == "log" and len(words) in (1, 2):
            logs.append(read_vkey(words[0], (1, 6)))
        elif kind == "witness" and len(words) in (2, 3):
            rules[new_name(words[0], rules)] = None
            witnesses[words[0]] = read_vkey(words[1], (4, 6))
        elif kind == "group" and len(words) > 2:
            name, count, *members = words
            threshold = {"any": 1, "all": len(members)}.get(count) or whole(count)
            need(1 <= threshold <= len(members), "the threshold of a group does not fit to its members")
            need(len({*members}) == len(members) and not used & {*members}, "a member belongs to two groups")
            used |= {*members}
            rule = (threshold, [defined(member, rules) for member in members])
            rules[new_name(name, rules)] = rule
        else:
            need(kind == "quorum" and len(words) == 1 and not quorum, "a line of the policy has no known form")
            quorum.append(None if words[0] == "none" else (defined(words[0], rules), rules))
    for keys in (logs, [*witnesses.values()]):
        need(len({key[-1] for key in keys}) == len(keys), "two lines of the policy have the same key")
    every = [*logs, *witnesses.values()]
    need(len({key[:2] for key in every}) == len({(*key[:2], key[-1]) for key in every}), "two keys have the same name and key id")
    need(quorum and len(logs) + len(rules) <= 1024, "the policy has no quorum, or more than 1,024 definitions")
    return Policy((logs, witnesses, quorum[0]))


def new_name(name, rules):
    need(name != "none" and name not in rules, "a name of the policy is used twice")
    return name


def defined(name, rules):
    need(name in rules, "the policy uses a name before its definition")
    return name


def met(quorum, cosigners):
    """Says whether witnesses meet a quorum. A member is defined before its group."""
    name, rules = quorum
    holds = {}
    for each, rule in rules.items():
        holds[each] = each in cosigners if rule is None else sum(holds[member] for member in rule[1]) >= rule[0]
    return holds[name]


def cosigners_of(note, witnesses, now):
    """Returns the newest time in seconds of each witness (C2SP tlog-cosignature) who cosigned a checkpoint, and those whose time is in the
    future; None for the times if a cosignature is wrong."""
    text, signatures = signature_lines(note)
    signed, ahead = {}, set()
    for name, line in signatures:
        for witness, (key_name, key_id, kind, key) in witnesses.items():
            if (name, line[:4]) == (key_name, key_id):
                time = signed_at(kind, name, key, text, line[4:])
                if time is None:
                    return None, ahead
                if time > now + 60:
                    ahead.add(witness)
                elif time > 0:  # a witness that states no time does not say that it saw the whole log
                    signed[witness] = max(time, signed.get(witness, 0))
    return signed, ahead


def cosigned(note, witnesses, quorum, now):
    """Checks the cosignatures of a checkpoint that its log signed. Returns the result and, if it is ok, the newest time in seconds that the
    quorum attests: the cosignatures from then on meet it."""
    signed, ahead = cosigners_of(note, witnesses, now)
    if signed is None:
        return "bad", None
    if quorum is None:
        return "none", None
    for time in sorted(signed.values(), reverse=True):
        if met(quorum, {witness for witness in signed if signed[witness] >= time}):
            return "ok", time
    return "future" if met(quorum, {*signed, *ahead}) else "missing", None


def attested_by(note, witnesses, quorum, now):
    """Returns the time by which a quorum that is met had cosigned a checkpoint: the cosignatures up to then meet it. One witness who dates
    back does not move it."""
    signed, _ = cosigners_of(note, witnesses, now)
    return next(time for time in sorted(signed.values()) if met(quorum, {witness for witness in signed if signed[witness] <= time}))


class Policy(tuple):
    """What `read_policy` returns, with a copy of the log of keys that can record the ends of closed logs: its checkpoint, its entries, and the
    keys that are trusted for it."""
    key_log = None


def cosigned_or_closed(note, policy, now):
    """Does the same, and accepts as `closed` the end of a closed log that a log of keys records which the quorum cosigned. Whoever operates a log
    can close a fork that no witness saw, and name it in a list of keys for one reader only; everyone sees what is in a cosigned log of keys. An end that is not certain is no final size."""
    check, attested = cosigned(note, policy[1], policy[2], now)
    key_log = getattr(policy, "key_log", None)
    if check != "missing" or key_log is None:
        return check, attested
    of_keys, leaves, keys = key_log
    try:
        origin, size, root = open_checkpoint(of_keys, of_open_logs(keys))
        own = leaves[:size]
        if not origin.endswith("/keys") or check_quorum(of_keys, policy[1], policy[2], now) != "ok":
            return check, attested
        if len(own) < size or tree_root([sha256(b"\x00", leaf) for leaf in own]) != root:
            return check, attested
        changes, tree = read_key_log(own)[1], tree_in(signature_lines(note)[0])
    except (Refused, UnicodeError):
        return check, attested
    recorded = not chain_problems(changes, origin[:-len("/keys")]) and any(
        entry["event"] == "log_closed" and entry["certain"] and (entry["origin"], entry["tree_size"], bytes.fromhex(entry["root_hash"])) == tree
        for entry in changes.values())
    return ("closed" if recorded else check), attested


MET = ("ok", "none", "closed")  # results of a check of cosignatures that a verifier may accept


def check_quorum(note, witnesses, quorum, now):
    return cosigned(note, witnesses, quorum, now)[0]


def trusted_logs(keys, log_keys, policy, *names):
    """Returns the keys that count for the logs with these names, for `open_checkpoint`: those of the policy, of --log-key, or of
    the key document."""
    published = [key for key in keys if key["purpose"] in LOG_PURPOSES]
    stolen = [key["public_key"] for key in keys if key["status"] == "compromised"]
    of_logs, witnesses, _ = policy or ([], {}, None)
    if of_logs:
        log_keys = [(name, kind, key) for name, _, kind, key in of_logs]
    for _, _, key in log_keys or []:
        need(key.hex() not in stolen, "a key of --log-key or --policy has been reported as compromised")
    own = [bytes.fromhex(key) for key in [*stolen, *(key["public_key"] for key in published)]] + [key[-1] for key in [*of_logs, *(log_keys or [])]]
    if any(key[-1] in own for key in witnesses.values()):
        raise WrongUsage("a witness of the policy has a key of the log, or a compromised one")
    if any(key[-1].hex() == row["public_key"] for key in witnesses.values() for row in keys):
        raise WrongUsage("a witness of the policy has a key of the service")
    if log_keys or of_logs:
        return [(log_of(name.rpartition("/")[2] if "/" in name else "", name), kind, key, None) for name, kind, key in log_keys]
    ends = {}  # of several rows of a key, the earliest end counts
    for key in published:
        if key["valid_until"] is not None:
            of, end = (key["purpose"], key["public_key"]), instant(key["valid_until"])
            ends[of] = min(end, ends.get(of, end))
    usable = [(name, key) for name in names for key in published if key["purpose"] == name + "-log" and key["public_key"] not in stolen]
    any_log, kinds = getattr(log_keys, "any_log", False), {"Ed25519": 1, "ML-DSA-44": 6}
    meant = lambda name: None if keys.key_log is None else keys.key_log[:-len("keys")] + name
    return [(log_of(name, meant(name), any_log, keys.closed_logs), kinds[key["algorithm"]], bytes.fromhex(key["public_key"]), ends.get((key["purpose"], key["public_key"]))) for name, key in usable]


def judge(data, key_document, now, proof=None, status=None, log_keys=None, policy=None, clock=None, entry=None, domain=None, revocations=None):
    """Does all checks of a receipt. The verdict is the first check that fails. `clock` is the present, if `now` is another time."""
    keys = read_keys(key_document)
    return judge_receipt(data, keys, now, proof, status, trusted_logs(keys, log_keys, policy, "receipts"), policy, clock, entry, domain, revocations)


def judge_receipt(data, keys, now, proof=None, status=None, of_logs=(), policy=None, clock=None, entry=None, domain=None, revocations=None):
    """Does the checks of `judge` with the keys of `read_keys` and `trusted_logs`."""
    return judge_parsed(parsed(data), keys, now, proof, None if status is None else (parsed(status), now), of_logs, policy, clock, entry, domain, revocations)


def parsed(data):
    """Returns the JSON in a file, or the error of reading it."""
    try:
        return parse(data)
    except Refused as error:
        return error


def judge_parsed(receipt, keys, now, proof=None, status=None, of_logs=(), policy=None, clock=None, entry=None, domain=None, revocations=None):
    """Does the same for a receipt that was parsed, or the error of parsing it. `status` is a parsed status and the time at which it must be
    valid; `proof` can be what `proof_in` returns; `revocations` is what `revocations_at` returns."""
    of = lambda purpose: [key for key in keys if key["purpose"] == purpose]
    checks = {"hash": "unchecked", "signature": "unchecked", "key": "unchecked"}
    try:
        if isinstance(receipt, Refused):
            raise receipt
        must_be_receipt(receipt)
    except Refused as error:
        asked = [name for name, given in (("domain", domain), ("proof", proof), ("status", status), ("revocation", revocations), ("quorum", policy)) if given is not None]
        return {"verdict": "malformed", "revocation": "not_checked", "checks": {**checks, **dict.fromkeys(asked, "unchecked")}, "problem": str(error)}
    position, times, present, notes, trees = None, (), max(now, clock or now), {}, [] if proof is None else trees_of_proof(proof, of_logs, entry)
    if proof is not None:
        try:
            checks["proof"], position, times = check_proof(proof, receipt, of_logs, entry)
        except OtherLog as error:
            checks["proof"] = error.check
        except (Refused, UnicodeError):
            checks["proof"] = "bad"
    if policy is not None:
        valid, quorums = checks.get("proof") in ("ok", "mismatch", "misdated") and not is_cose(proof), []
        if valid:
            _, leaf, _, note = log_proof(proof)
            quorum, attested = cosigned_or_closed(note, policy, present)
            quorums.append(quorum)
            checks["proof"] = dated(checks["proof"], receipt, read_entry("receipts", leaf)[0], attested)
            if position and attested is not None:
                position["earliest"] = attested_by(note, policy[1], policy[2], present)  # whoever stole the key of the log could date its own signature
        if not valid or quorum not in MET:  # only this reader may have been shown this log
            position = None
        if revocations is not None and revocations.note is not None:
            quorum, revocations = cosigned_revocations(revocations, policy, present)
            quorums.append(quorum)
        checks["quorum"] = min(quorums, key=QUORUMS.index, default="unchecked")
    problems = ahead_of("issued_at", instant(receipt["issued_at"]), present)
    if checks.get("proof") == "ok" and any(is_ahead(time, present) for time in (*times, instant(receipt["issued_at"]))):
        checks["proof"] = "future"
        newest = max(time for time in (*times, instant(receipt["issued_at"])) if time is not None)
        problems += [f"proof: future: {what}" for what in ahead_of("the checkpoint, or the receipt in its log,", newest, present)]
    checks["hash"] = "ok" if content_hash(receipt) == receipt["content_hash"] and opens(receipt) else "mismatch"
    candidates = [key for key in of("receipts") if receipt.get("kid", key["kid"]) == key["kid"]]
    message, signature = receipt["content_hash"].encode(), bytes.fromhex(receipt["signature"])
    signers = [key for key in candidates if ed25519(bytes.fromhex(key["public_key"]), message, signature)]
    if not candidates:
        checks["key"] = "unknown"
    else:
        checks["signature"] = "ok" if signers else "bad"
    contradicted = [key for key in signers or candidates if position is not None and key.get("receipts_tree_size") is not None
                    and position["log"] in (key.get("receipts_logs") or []) and size_contradicted(key, position)]
    key_statuses = [key_status(key, receipt, position) for key in signers or candidates if signers or "kid" in receipt]
    for state in ("trusted", "retired", "compromised"):  # the worst status of a key counts
        checks["key"] = state if state in key_statuses else checks["key"]
    if status is not None:
        checks["status"] = check_status(status[0], receipt, of("credentials"), status[1])
    if domain is not None:
        checks["domain"] = check_domain(receipt, domain)
    if revocations is not None:
        checks["revocation"] = check_revocations(revocations, receipt["receipt_id"], now, present)
        trees = trees + revocations.trees
        problems += [f"revocations: {checks['revocation']}"] if checks["revocation"] != "ok" else []
    checks = {name: checks[name] for name in CHECKS if name in checks}  # failed ones are named in this order
    if contradicted:
        notes = {"notes": ["tree_size_contradicted: a tree of the log contradicts receipts_tree_size of the key"]}
    if problems:
        notes["problems"] = problems
    return {"verdict": verdict(receipt, checks, now, present), "revocation": revocation(receipt, checks), "checks": checks, "trees": trees, **notes}


def revocation(receipt, checks):
    """Says whether a receipt is revoked: without a status that counts, only the receipt itself can say that it is."""
    if "revoked" in (receipt["revocation_status"], checks.get("status"), checks.get("revocation")):
        return "revoked"
    is_in_log = checks.get("revocation") == "ok" and checks.get("quorum", "none") in MET
    return "ok" if checks.get("status") == "ok" or is_in_log else "not_checked"


CHECKS = ("hash", "signature", "key", "domain", "proof", "status", "revocation", "quorum")


def check_domain(receipt, domain):
    if "domain_commitment" not in receipt:
        return "ok" if receipt["domain"] == domain else "mismatch"
    salt = receipt.get("blind_salt")
    if salt is None:
        return "unchecked"
    return "ok" if sha256((domain + salt).encode()).hex() == receipt["domain_commitment"] else "mismatch"


# A log of revocations: the ids of the revoked receipts, when its checkpoint was signed, None if nothing says it, its note, None if no cosignature is to
# be checked, its tree, why it does not count although a trusted key signed it, None if it does, and the closed logs of which revocations may be unknown.
Revocations = collections.namedtuple("Revocations", "revoked time note trees other unread")


def check_revocations(revocations, receipt_id, now, present):
    """Checks whether a log of revocations has a receipt. That it does not have it counts only for the time of its checkpoint."""
    if revocations.other is not None:
        return revocations.other
    if receipt_id in revocations.revoked:
        return "revoked"
    if revocations.time is None:
        return "undated"
    if now - revocations.time > 15 * 60:
        return "stale"
    if is_ahead(revocations.time, present):
        return "future"
    return "predecessor" if revocations.unread else "ok"


def cosigned_revocations(revocations, policy, now):
    """Checks the cosignatures of a log of revocations. Returns the result, and the log with the time that the quorum attests, if that is earlier:
    witnesses cosign an old tree again for whoever asks."""
    quorum, attested = cosigned_or_closed(revocations.note, policy, now)
    times = [time for time in (attested, revocations.time) if time is not None]
    return quorum, revocations if attested is None else revocations._replace(time=min(times))


def verdict(receipt, checks, now, present):
    if revocation(receipt, checks) == "revoked":
        return "revoked"
    if instant(receipt["expiry"]) <= now:
        return "expired"
    if checks["hash"] != "ok":
        return "hash_mismatch"
    if checks["key"] == "unknown":
        return "key_unknown"
    if checks["signature"] != "ok":
        return "bad_signature"
    if checks["key"] != "trusted":
        return "key_" + checks["key"]
    return "future" if is_ahead(instant(receipt["issued_at"]), present) else "valid"


VERDICTS = ("malformed", "revoked", "expired", "hash_mismatch", "key_unknown", "bad_signature", "key_retired", "key_compromised", "future", "valid")
LINE_MAX = 2**20  # a longer line is no receipt
WHITE = b" \t\r\n"


def pieces_of(file):
    return iter(lambda: file.read1(65_536), b"")


def begins_with_object(line):
    """Returns whether a line is a JSON object. One that names a member twice is no receipt, but the line has an object."""
    text = line.decode("utf-8", "replace").removeprefix("\ufeff")
    try:
        return text.startswith("{") and isinstance(parse(text.encode()), dict)
    except Duplicate:
        return True
    except Refused:
        return False


def input_of(pieces):
    """Reads a document, and returns it and None; of a list of receipts it returns None and its pieces, of which it reads only some. It is
    a list if its first line is a JSON object and another line follows, or if it is blank."""
    head, first = bytearray(), None
    def more():
        piece = next(pieces, b"")
        head.extend(piece)
        need(len(head) <= 2**26, "the input is larger than a receipt can be; use --ndjson for one receipt per line")
        return piece
    as_list = lambda: (None, itertools.chain([bytes(head)], pieces))
    find_first = lambda: re.match(rb"[\0- ]*([^\0- ][^\n]*)\n", head)
    while (first := find_first()) is None and len(head) <= LINE_MAX and more():
        pass
    if first is not None and begins_with_object(bytes(first[1])):
        rest, first = bytes(head[first.end():]), None
        while not rest.strip(WHITE) and (rest := more()):
            pass
        if rest:
            return as_list()
    first = None  # it would keep `head` from growing
    while more():
        pass
    return (bytes(head), None) if head.strip(WHITE) else as_list()


def first_line_of(pieces):
    """Returns the first line of a list that is not blank, as far as it can be a receipt, and all pieces."""
    head, first = bytearray(), None
    while (first := re.match(rb"[\0- ]*([^\0- ][^\n]*)\n", head)) is None and len(head) <= LINE_MAX and (piece := next(pieces, b"")):
        head.extend(piece)
    line = bytes(first[1] if first is not None else head).strip(WHITE)
    return line[:LINE_MAX + 1], itertools.chain([bytes(head)], pieces)


def begins_with_bundle(pieces):
    """Returns whether the first line of a list that is not blank is a bundle, and all pieces."""
    line, pieces = first_line_of(pieces)
    return len(line) <= LINE_MAX and is_bundle(None, parsed(line)), pieces


def lines_in(pieces):
    """Yields the lines in pieces of a file. Of one that is too long, no more than shows it."""
    line, most = b"", LINE_MAX + 2
    for piece in pieces:
        *ended, rest = piece.split(b"\n")
        for part in ended:
            yield (line + part)[:most].removesuffix(b"\r")
            line = b""
        line = (line + rest)[:most]
    if line:
        yield line.removesuffix(b"\r")


def kid_in(receipt):
    kid = receipt.get("kid") if isinstance(receipt, dict) else None
    return kid if isinstance(kid, str) else None


def judged_lines(pieces, keys, now, clock=None, of_bundles=None, domain=None, revocations=None):
    """Yields the number, the bytes and the result of each line, in their order, and the kid that its receipt names. OpenSSL verifies some at the same time. `of_bundles` has what
    `bundle_result` needs besides; without it, a bundle is no receipt."""
    from concurrent.futures import ThreadPoolExecutor  # here, since it takes long and one document does not need it
    too_long = {"verdict": "malformed", "revocation": "not_checked", "checks": {}, "problem": "the line is longer than 1 MiB"}
    def judge_line(line):
        if len(line[1]) > LINE_MAX:
            return too_long, None
        document = parsed(line[1])
        if of_bundles is not None and is_bundle(None, document):
            return bundle_result(document, keys, now, *of_bundles, clock, domain, revocations), kid_in(document.get("receipt"))
        return judge_parsed(document, keys, now, clock=clock, domain=domain, revocations=revocations), kid_in(document)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        def judged(some):
            return ((count, line, *found) for (count, line), found in zip(some, pool.map(judge_line, some)))
        some, size = [], 0
        for count, line in enumerate(lines_in(pieces), 1):
            if line.strip(WHITE):
                some.append((count, line))
                size += len(line)
            if len(some) == 256 or size > 2**21:
                yield from judged(some)
                some, size = [], 0
        yield from judged(some)


def is_authentic(checks):
    return [checks.get(name) for name in ("hash", "signature", "key")] == ["ok", "ok", "trusted"]


OTHER_DOMAIN = "domain: it is not that of --domain, or cannot be checked without the blind_salt"
NO_BUNDLE = "it is no bundle, so that what --policy and --fresh demand cannot be checked"


def judge_list(pieces, key_document, now, write, clock=None, log_keys=None, policy=None, fresh=False, is_of_bundles=True, domain=None, revocations=None):
    """Does all checks of each receipt, or bundle of one, of a list. Writes what is not valid, then a summary. Returns whether there are some and
    all are valid. `is_of_bundles` says whether the first line is a bundle, so that each must show what was asked of bundles."""
    checked, valid, old, bundles, verdicts, keys, states = 0, 0, 0, 0, dict.fromkeys(VERDICTS, 0), read_keys(key_document), set()
    demands_bundles = is_of_bundles and (policy is not None or fresh)
    revocations = revocations and current_revocations(revocations, policy, now, max(now, clock or now))
    of_bundles, is_open = (trusted_logs(keys, log_keys, policy, *LOG_NAMES), policy, fresh), set() if policy and policy[2] is not None else {"quorum"}
    space = "\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
    named = re.compile(f'"receipt_id"[{space}]*:[{space}]*"(rcpt_[0-9a-f]{{32}})"')  # only so that people find the line
    signers, trees = {}, {}
    for count, line, result, kid in judged_lines(pieces, keys, now, clock, of_bundles, domain, revocations):
        checked += 1
        verdicts[result["verdict"]] += 1
        states.add(result["revocation"])
        is_open |= {"proof"} if "proof" not in result["checks"] else set()
        is_open |= {"key_events"} if "status" in result["checks"] and result["checks"].get("key_events") != "ok" else set()
        bundles += "status" in result["checks"]
        old += "revocation_as_of" in result
        lacks = demands_bundles and "status" not in result["checks"]
        is_valid = bundle_as_asked(result) and not lacks
        valid += is_valid
        kind, of_line = "bundle" if "status" in result["checks"] else "receipt", result.get("trees", [])
        for tree in of_line:  # of each log the smallest and the largest
            trees[tree["log"]] = (lambda found: (found[0], found[-1]))(each_tree_once([*trees.get(tree["log"], ()), tree]))
        if kid not in signers and is_signed(result["checks"]):
            signers[kid] = signer_in(line, kind, keys, result["checks"])
        if not is_valid:
            signer = signer_in(line, kind, keys, result["checks"]) if len(line) <= LINE_MAX else None
            found = named.search(line[:LINE_MAX].decode("utf-8", "replace"))
            write({"line": count, "receipt_id": found and found[1], "verdict": result["verdict"],
                   "authentic": is_authentic(result["checks"]), "problems": ([result["problem"]] if "problem" in result else result.get("problems", []))
                   + [OTHER_DOMAIN] * (result["checks"].get("domain", "ok") != "ok" and result["verdict"] != "malformed") + [NO_BUNDLE] * lacks,
                   **({} if signer is None else {"signer": signer}), "trees": each_tree_once(of_line)})
    worst = next((name for name in ("revoked", "not_checked", "ok") if name in states), "not_checked")
    is_open |= {name for name, holds in (("revocation", "not_checked" in states), ("now", old > 0)) if holds}
    summary = {"checked": checked, "valid": valid, "verdicts": {name: count for name, count in verdicts.items() if count},
               "revocation": worst, **({"old_statuses": old} if bundles else {}),
               "not_checked": [{"check": row["check"], "option": row["option"]} for row in LIST_WORDS["additional"] if row["check"] in is_open],
               "signers": [signers[kid] for kid in sorted(signers, key=lambda kid: kid or "")],
               "trees": each_tree_once(tree for both in trees.values() for tree in both)}
    summary["sentence"] = list_sentence(summary)
    write(mark_test(summary, keys.key_log, *(tree["log"] for tree in summary["trees"])))
    for signer in summary["signers"]:
        say("  " + described_signer(signer))
    for tree in summary["trees"]:
        if revocations is None or tree not in revocations.trees:  # which was described before all else
            say("  log: " + described_tree(tree))
    return checked > 0 and valid == checked


def current_revocations(revocations, policy, now, present):
    """Checks the cosignatures and the age of a log of revocations, once for all receipts."""
    if policy is not None and revocations.note is not None:
        quorum, revocations = cosigned_revocations(revocations, policy, present)
        need(quorum in MET, f"the cosignatures of the log of revocations do not meet the policy: {quorum}")
    check = check_revocations(revocations, "", now, present)  # no receipt has an empty id
    need(check == "ok", f"the log of revocations does not count: {'; '.join([check, *revocations.unread])}")
    for tree in revocations.trees:
        say(f"log: {described_tree(tree)}")
    return revocations._replace(note=None)


def list_sentence(summary):
    """Says what the result for a list is worth, in one sentence, or in two if something was not checked."""
    checked, valid, verdicts, old = summary["checked"], summary["valid"], summary["verdicts"], summary.get("old_statuses")
    if checked == 0:
        return "no receipts: the input is empty."
    receipts = f"{checked:,} {'receipt' if checked == 1 else 'receipts'}"
    if valid < checked:
        unproven = verdicts.get("valid", 0) - valid
        causes = [f"{count:,} {verdict}" for verdict, count in verdicts.items() if verdict != "valid"]
        causes += [f"{unproven:,} {LIST_WORDS['domain' if old is None else 'failed']}"] if unproven else []
        return f"not valid: {checked - valid:,} of {receipts} ({', '.join(causes)})."
    is_open, rows = {row["check"] for row in summary["not_checked"]}, LIST_WORDS["additional"]
    done = [row["ok"] + (f" ({old:,} as of an old status)" if row["check"] == "revocation" and old else "")
            for row in rows if "ok" in row and row["check"] not in is_open]
    unsaid = [f"{row['open']} ({row['option']})" for row in rows if row["check"] in is_open]
    return f"valid: {'; '.join([('' if checked == 1 else 'all ') + receipts, *done])}." + (f" Not checked: {'; '.join(unsaid)}." if unsaid else "")


def write_line(value):
    """Writes a value as a line of JSON, in which no character changes the terminal, and the sentence of a summary for people."""
    print(json.dumps(value, separators=(",", ":")).replace("\x7f", "\\u007f"))
    if "sentence" in value:
        say(value["sentence"])


def as_text(form):
    return lambda value: fits(form, value)


def matching(pattern):
    return as_text(lambda text: re.fullmatch(pattern, text))


def any_text(longest):
    return as_text(text_of(longest, "Cs"))


DID, HASH, MOMENT = matching(DID_FORM), as_text(is_hex(32)), as_text(is_moment)
LOG, HASHES = as_text(one_of(*LOG_NAMES)), ([as_text(lambda text: base64_of(text, 32))], 64)
EARLIER_STATUSES = ("satisfied", "partial", "not_assessed")
STATUSES = ("satisfied", "partial", "reported", "not_assessed")
DATE = as_text(lambda text: len(text) == 10 and instant(text + "T00:00:00.000Z") is not None)
# The forms of the members that are checked. A dictionary is an object, a pair an array of at most so many elements.
PACKAGE = {
    "type": as_text(one_of("compliance-package")), "v": lambda value: isinstance(value, float) and value in (1, 2),
    "package_id": matching("pkg_[0-9a-f]{32}"), "kind": as_text(one_of("assessment", "audit", "datacenter")),
    "framework": matching("[A-Z0-9_]{1,64}"), "framework_edition": any_text(256), "issuer": DID,
    "period": {"from": MOMENT, "to": MOMENT}, "generated_at": MOMENT, "view": as_text(one_of("public", "sponsor")),
    "checkpoints": ([{"log": LOG, "origin": any_text(1024), "tree_size": is_count, "root_hash": HASH, "note": any_text(2**64)}], len(LOG_NAMES)),
    "summary": dict.fromkeys(EARLIER_STATUSES, is_count),
    "controls": ([{
        "id": any_text(128), "title": any_text(1024), "status": as_text(one_of(*STATUSES)), "statement": any_text(4096),
        "counts": lambda value: isinstance(value, dict) and all(map(is_count, value.values())),
        "references": lambda value: value is None or isinstance(value, dict)}], 1024),
    "reference_sets": ([{
        "name": any_text(128), "description": any_text(4096), "count": is_count, "merkle_root": HASH,
        "sample": ([{"position": is_count, "path": HASHES, "inclusion_path": {
            "log": any_text(1024), "leaf_index": is_count, "tree_size": is_count, "leaf_entry": any_text(2**64), "leaf_hash": HASH,
            "hashes": HASHES}}], 20)}], 256),
    "limits": ([any_text(4096)], 256), "signature": as_text(is_hex(64)), "kid": as_text(is_kid),
}
# What packages have since version 2, and their subject if it is an agent.
SINCE_2 = {
    "summary": {"reported": is_count},
    "coverage": ([{
        "records": as_text(one_of("receipts", "evidence", "telemetry", "energy")), "count": is_count, "days": is_count, "record_days": is_count,
        "covered_days": is_count, "max_gap_days": is_count, "gaps": ([{"from": DATE, "to": DATE, "days": is_count}], 1024)}], 4),
    "records": lambda value: isinstance(value, dict) and all(map(is_count, value.values())),
    "assessors": ([{"subject_commitment": HASH, "name": lambda value: value is None or any_text(1024)(value), "assessments": is_count}], 256),
    "controls": ([{
        "attested_by": ([as_text(one_of("service", "self", "assessor"))], 3), "not_shown": any_text(4096),
        "to_add": lambda value: value is None or any_text(4096)(value), "assessments": lambda value: value is None or isinstance(value, dict)}], 1024),
}
AGENT_SINCE_2 = {"name": lambda value: value is None or any_text(1024)(value), "operator": lambda value: value is None or any_text(128)(value),
                 "sponsors": ([any_text(128)], 16)}
REFERENCES = {"set": any_text(128), "count": is_count, "merkle_root": HASH}
AGENT = {"type": as_text(one_of("agent")), "subject_commitment": HASH, "did": DID, "state": any_text(64)}
SHOWN = {"sampled_receipts": ([lambda value: True], 5120)}  # may be absent; what is wrong in it is said of each receipt
CLUSTER_SINCE_2 = {"operator": any_text(128)}
CLUSTER = {"type": as_text(one_of("cluster")), "id": any_text(256), "cluster_id": matching("[A-Za-z0-9._:-]{1,128}")}


def must_fit(value, form, path):
    """Checks the form of a value and of all that is in it. Refuses it with the path of what is wrong."""
    if isinstance(form, dict):
        need(isinstance(value, dict), f"{path} is not a JSON object")
        for name, inner in form.items():
            need(name in value, f"{path}.{name} is missing")
            must_fit(value[name], inner, f"{path}.{name}")
    elif isinstance(form, tuple):
        (inner,), most = form
        need(isinstance(value, list) and len(value) <= most, f"{path} is not an array of at most {most} elements")
        for index, item in enumerate(value):
            must_fit(item, inner, f"{path}[{index}]")
    else:
        need(form(value), f"{path} does not have its form")


def with_inclusion_paths(package):
    """Returns a package with each sampled entry in the form of this version. Earlier versions had the name of the log, and no inclusion_path."""
    listed = lambda value, name: value[name] if isinstance(value, dict) and isinstance(value.get(name), list) else []

    def in_this_form(row):
        if not isinstance(row, dict) or "inclusion_path" in row:
            return row
        name, entry = row.get("log"), row.get("leaf_entry")
        checkpoints = [one for one in listed(package, "checkpoints") if isinstance(one, dict) and isinstance(name, str) and one.get("log") == name]
        cited = checkpoints[0] if checkpoints else {}
        return {**row, "inclusion_path": {
            "log": cited.get("origin", name), "leaf_index": row.get("leaf_index"), "tree_size": cited.get("tree_size", 0.0), "leaf_entry": entry,
            "leaf_hash": sha256(b"\0", entry.encode()).hex() if isinstance(entry, str) else None, "hashes": row.get("hashes")}}

    if not listed(package, "reference_sets"):
        return package
    return {**package, "reference_sets": [{**one, "sample": [*map(in_this_form, one["sample"])]} if listed(one, "sample") else one
                                          for one in package["reference_sets"]]}


def must_be_package(package):
    must_fit(package, PACKAGE, "package")
    must_fit(package.get("subject"), CLUSTER if package["kind"] == "datacenter" else AGENT, "subject")
    is_earlier = package["v"] == 1
    if not is_earlier:
        must_fit(package, SINCE_2, "package")
        must_fit(package["subject"], CLUSTER_SINCE_2 if package["kind"] == "datacenter" else AGENT_SINCE_2, "subject")
    if package["kind"] != "datacenter" and "sponsor" in package["subject"]:
        need(fits(ALWAYS["operator_id"], package["subject"]["sponsor"]), "subject.sponsor is not the id of an operator")
    if "sampled_receipts" in package:
        must_fit(package, SHOWN, "package")
    if package["kind"] == "datacenter":
        need(package["subject"]["id"] == "urn:countersign:cluster:" + package["subject"]["cluster_id"], "subject.id is not that of its cluster")
    for index, control in enumerate(package["controls"]):
        need(not is_earlier or control["status"] in EARLIER_STATUSES, f"controls[{index}].status is not that of version 1")
        for name in ("references",) if is_earlier else ("references", "assessments"):
            if control[name] is not None:
                must_fit(control[name], REFERENCES, f"controls[{index}].{name}")


def did_key(public_key):
    """Returns a key as did:key: z and base58btc of 0xed01 and the key, which begins with no zero."""
    alphabet, value, text = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", int.from_bytes(b"\xed\x01" + public_key, "big"), ""
    while value > 0:
        value, digit = divmod(value, 58)
        text = alphabet[digit] + text
    return "did:key:z" + text


def contradictions(package):
    """Returns what a package says differently in two places: its period, summary, controls, sets and checkpoints."""
    problems, controls, sets = [], package["controls"], package["reference_sets"]
    say = lambda holds, problem: None if holds else problems.append(problem)
    say(package["period"]["from"] < package["period"]["to"], "period.to is not after period.from")
    problems += coverage_problems(package) if package["v"] == 2 else []
    say(len({control["id"] for control in controls}) == len(controls), "two controls have the same id")
    say(len({one["name"] for one in sets}) == len(sets), "two reference_sets have the same name")
    for status in EARLIER_STATUSES if package["v"] == 1 else STATUSES:
        count = [control["status"] for control in controls].count(status)
        say(package["summary"][status] == count, f"summary.{status} is not {count}")
    problems += assessor_problems(package) if package["v"] == 2 else []
    for index, control in enumerate(controls):
        path, cited = f"controls[{index}]", control["references"]
        if package["v"] == 2:
            who = control["attested_by"]
            fits_status = who == [] if control["status"] == "not_assessed" else len(who) == len(set(who)) > 0
            say(fits_status, f"{path}.attested_by does not fit the status {control['status']}")
        say(control["status"] != "satisfied" or cited is not None and cited["count"] > 0, f"{path}.status is satisfied, but it cites no entries")
        for member in ("references",) if package["v"] == 1 else ("references", "assessments"):
            cited = control[member]
            found = [one for one in sets if cited is not None and one["name"] == cited["set"]]
            say(cited is None or found, f"{path}.{member}.set is not one of the reference_sets")
            for one in found[:1]:
                say(cited["count"] == one["count"], f"{path}.{member}.count is not that of the set")
                say(cited["merkle_root"] == one["merkle_root"], f"{path}.{member}.merkle_root is not that of the set")
    cited = package["checkpoints"]
    order = [LOG_NAMES.index(one["log"]) for one in cited]
    say(order == sorted(set(order)), "the logs of the checkpoints are not in order")
    say(all(one["origin"].endswith("/" + one["log"]) for one in cited), "the origin of a checkpoint is not that of its log")
    say(len({one["origin"][:-len(one["log"])] for one in cited}) <= 1, "the checkpoints are of two installations")
    return problems


# The rules that give the status of a control, by kind and framework: its id, the set that it cites, the counts that the service must have recorded (1
# or as many as it says), those that the subject must have signed, those that must be 0 for more than partial, or at most a share of another, others that it shows, the records that
# must cover the period, and the best status. A control without a set is not assessed. Controls of agents also count what their reports and
# assessors say; none of these reports may say fail.
RULES_TEXT = """
assessment NIST_AI_RMF
GOVERN 1.4|receipts|receipts checkpoints receipt_days>=20|||||partial
GOVERN 1.6|receipts|receipts sponsors receipt_days>=20|||||partial
GOVERN 2.1|receipts|receipts sponsors receipt_days>=20|||||partial
MAP 1.1|receipts|receipts receipt_days>=20|||||partial
MAP 3.5|
MEASURE 2.3|receipts|receipts receipt_days>=20||receipts_overdue receipts_abandoned|receipts_success receipts_failed receipts_open||partial
MEASURE 2.4|actions|receipts_success|traces|receipts_overdue receipts_abandoned receipts_revoked|receipts_failed evidence_failed|receipts|satisfied
MEASURE 2.7|reports||own_reports||||satisfied
MEASURE 2.8|receipts|receipts checkpoints_cosigned receipt_days>=20||keys_compromised|checkpoints receipts_linked||partial
MEASURE 2.12|
MANAGE 4.1|receipts|receipts receipt_days>=20|||||partial
MANAGE 4.3|incidents|receipts_failed responses|evidence_failed||incidents revocations agent_revoked||partial
assessment EU_AI_ACT
Art. 12|receipts|receipts checkpoints receipt_days>=20||receipts_overdue receipts_abandoned|evidence traces receipts_open||partial
Art. 14|
Art. 15|
Art. 19|receipts|receipts log_days>=184 receipt_days>=20||receipts_overdue receipts_abandoned|checkpoints||partial
Art. 26(6)|receipts|receipts log_days>=184 sponsors receipt_days>=20||receipts_overdue receipts_abandoned|||partial
Annex XI, Section 1, point 2(e)|
assessment SOC2_TYPE2
CC2.1|receipts|receipts checkpoints receipt_days>=20|||evidence||partial
CC4.1|actions|receipts receipt_days>=20|own_reports||||partial
CC6.1|receipts|receipts sponsors receipt_days>=20||keys_compromised|key_events||partial
CC7.1|changes||changes||||partial
CC7.2|actions|receipts receipt_days>=20|traces||receipts_failed evidence_failed receipts_open||partial
CC7.3|incidents|receipts_failed responses|evidence_failed||incidents||partial
CC7.4|incidents|receipts_failed responses|evidence_failed||incidents revocations agent_revoked||partial
CC8.1|changes||changes||||partial
A1.1|receipts|receipts receipts_timed_out receipt_days>=20|||||partial
A1.2|reports||own_reports||||partial
PI1.1|receipts|receipts receipt_days>=20|||||partial
PI1.2|receipts|receipts receipt_days>=20||receipts_overdue receipts_abandoned|receipts_linked receipts_open||partial
PI1.3|receipts|receipts receipts_success>=20||receipts_failed receipts_terminated receipts_null receipts_overdue receipts_abandoned receipts_revoked receipts_refused<=10%receipts|receipts_open receipt_days|receipts|satisfied
PI1.4|actions|receipts_success|deliverables|receipts_failed receipts_overdue receipts_abandoned receipts_revoked||receipts|satisfied
PI1.5|receipts|receipts checkpoints_cosigned receipt_days>=20||keys_compromised receipts_overdue receipts_abandoned|checkpoints||partial
assessment ISO_42001
A.4.5|
A.5.2|reports||own_reports||||partial
A.6.2.4|results||own_reports deliverables||||satisfied
A.6.2.6|actions|receipts receipt_days>=20|traces||receipts_failed evidence_failed receipts_open||partial
A.6.2.7|
A.6.2.8|receipts|receipts checkpoints receipt_days>=20||receipts_overdue receipts_abandoned|evidence traces receipts_open||partial
A.8.4|incidents|receipts_failed responses|evidence_failed||incidents revocations agent_revoked||partial
A.9.2|receipts|receipts sponsors receipt_days>=20|||||partial
A.9.3|receipts|receipts receipt_days>=20|||receipts_success receipts_failed evidence_failed||partial
A.9.4|receipts|receipts receipt_days>=20|||receipts_refused||partial
A.10.3|
datacenter NIST_AI_RMF
MEASURE 2.12|energy||energy_hardware_measured facility_energy carbon_intensity||energy declared simulated instances measured_days||partial
MANAGE 4.1|telemetry||telemetry measured_days||thermal_audits setpoint_changes simulated||partial
datacenter EU_AI_ACT
Annex XI, Section 1, point 2(e)|
datacenter ISO_14064
ISO 14064-1, 5.2.4|energy||energy carbon_intensity||instances||partial
ISO 14064-1, 6.2.2|energy||energy energy_hardware_measured||declared simulated measured_days||partial
ISO 14064-1, 6.3|energy||facility_energy carbon_intensity||renewable_energy||partial
ISO 14064-1, 8.2|telemetry|telemetry|||hardware_measured declared||partial
ISO 14064-2, 6.8|avoided||avoided||simulated||partial
"""
# Those of packages of version 1: without what the subject signed, and without coverage.
EARLIER_RULES_TEXT = """
assessment NIST_AI_RMF
GOVERN 1.4|actions|actions checkpoints|||partial
GOVERN 1.6|actions|actions sponsors|||satisfied
GOVERN 2.1|receipts|receipts sponsors|||partial
MAP 1.1|receipts|receipts|||partial
MAP 3.5|interventions|interventions||receipts_refused receipts_terminated receipts_revoked agent_revoked|partial
MEASURE 2.3|actions|actions measured_days||receipts_success receipts_failed evidence_failed|satisfied
MEASURE 2.4|actions|receipts traces||receipts_failed evidence_failed|satisfied
MEASURE 2.7|reports|reports|||partial
MEASURE 2.8|actions|actions checkpoints checkpoints_cosigned|keys_compromised|receipts_linked|satisfied
MEASURE 2.12|
MANAGE 4.1|actions|actions measured_days|||partial
MANAGE 4.3|incidents|incidents responses||receipts_failed evidence_failed receipts_revoked agent_revoked|partial
assessment EU_AI_ACT
Art. 12|actions|receipts evidence||traces checkpoints|satisfied
Art. 14|interventions|interventions||receipts_refused receipts_terminated receipts_revoked agent_revoked|partial
Art. 15|actions|actions measured_days||receipts_success receipts_failed evidence_failed|partial
Art. 19|actions|actions log_days>=184||checkpoints|satisfied
Art. 26(6)|receipts|receipts log_days>=184 sponsors|||satisfied
Annex XI, Section 1, point 2(e)|
assessment SOC2_TYPE2
CC2.1|actions|actions checkpoints||receipts evidence|satisfied
CC4.1|actions|measured_days reports|||satisfied
CC6.1|actions|actions sponsors|keys_compromised|key_events|partial
CC7.1|changes|changes|||partial
CC7.2|actions|receipts traces measured_days||receipts_failed evidence_failed|satisfied
CC7.3|incidents|incidents responses||receipts_failed evidence_failed|partial
CC7.4|incidents|incidents responses||receipts_revoked agent_revoked|partial
CC8.1|changes|changes|||partial
A1.1|receipts|receipts||receipts_timed_out|partial
A1.2|reports|reports|||partial
PI1.1|receipts|receipts|||partial
PI1.2|receipts|receipts||receipts_linked|partial
PI1.3|receipts|receipts receipts_success|receipts_failed receipts_terminated receipts_null|receipts_refused|satisfied
PI1.4|actions|receipts_success deliverables|||partial
PI1.5|actions|actions checkpoints checkpoints_cosigned|keys_compromised||satisfied
assessment ISO_42001
A.4.5|
A.5.2|reports|reports|||partial
A.6.2.4|results|reports deliverables|||partial
A.6.2.6|actions|receipts traces measured_days||receipts_failed evidence_failed|satisfied
A.6.2.7|changes|changes|||partial
A.6.2.8|actions|receipts evidence checkpoints||traces|satisfied
A.8.4|incidents|incidents||receipts_failed evidence_failed receipts_revoked agent_revoked|partial
A.9.2|receipts|receipts sponsors|||partial
A.9.3|actions|measured_days||receipts_success receipts_failed evidence_failed|partial
A.9.4|receipts|receipts||receipts_refused|partial
A.10.3|deliverables|deliverables|||partial
datacenter NIST_AI_RMF
MEASURE 2.12|energy|energy_hardware_measured facility_energy carbon_intensity||energy declared simulated instances measured_days|satisfied
MANAGE 4.1|telemetry|telemetry measured_days||thermal_audits setpoint_changes simulated|partial
datacenter EU_AI_ACT
Annex XI, Section 1, point 2(e)|energy|energy energy_hardware_measured||declared simulated facility_energy instances measured_days|satisfied
datacenter ISO_14064
ISO 14064-1, 5.2.4|energy|energy carbon_intensity||instances|partial
ISO 14064-1, 6.2.2|energy|energy energy_hardware_measured||declared simulated measured_days|satisfied
ISO 14064-1, 6.3|energy|facility_energy carbon_intensity||renewable_energy|satisfied
ISO 14064-1, 8.2|telemetry|telemetry||hardware_measured declared|satisfied
ISO 14064-2, 6.8|avoided|avoided||simulated|partial
"""
WHOLES = {  # counts that cannot be more than another one
    "actions": ("receipts", "evidence"),
    "receipts": ("receipts_success", "receipts_refused", "receipts_terminated", "receipts_null", "receipts_failed", "receipts_timed_out", "receipts_linked", "receipts_revoked"),
    "evidence": ("evidence_failed", "changes", "traces", "reports", "deliverables"),
    "receipts_open": ("receipts_overdue",), "checkpoints": ("checkpoints_cosigned",), "key_events": ("keys_compromised",), "telemetry": ("hardware_measured", "declared", "energy"),
    "energy": ("energy_hardware_measured", "facility_energy", "carbon_intensity", "renewable_energy"),
}


# By the rules, days are covered where no more than 7 of them pass without a record, 90% of them must be, and records be on 20 of them.
MOST_GAP_DAYS, LEAST_PERCENT, LEAST_RECORD_DAYS = 7, 90, 20
ASSESSOR_COUNTS = ("assessor_pass", "assessor_fail", "assessor_days")
OWN_COUNTS = ("own_reports", "own_fails", *ASSESSOR_COUNTS)
# The UTC days that a period must touch for satisfied.
LEAST_DAYS = {"SOC2_TYPE2": 90}


def rules_in(text):
    """Returns the rules by kind, framework and control: None for a control that is not assessed."""
    rules, own = {}, None
    for line in text.strip().split("\n"):
        if "|" not in line:
            kind = line.split(" ")[0]
            own = rules.setdefault(tuple(line.split(" ")), {})
            continue
        control, cited, *rest = line.split("|")
        if cited == "":
            own[control] = None
            continue
        is_earlier = len(rest) == 4  # of version 1
        if is_earlier:
            rest = [rest[0], "", *rest[1:3], "", rest[3]]
        requires, statements, limited, shows = (part.split() for part in rest[:4])
        unless = [word for word in limited if "<=" not in word] + ["own_fails"] * (kind == "assessment" and not is_earlier)
        shares = {name: [int(percent), of] for name, _, share in (word.partition("<=") for word in limited) if share
                  for percent, _, of in [share.partition("%")]}
        least, signed = ({name: int(number or 1) for name, _, number in (word.partition(">=") for word in words)} for words in (requires, statements))
        shared = [name for of, (_, whole) in shares.items() for name in (of, whole)]
        shown = dict.fromkeys(name for name in (*least, *signed, *unless, *shared, *shows) if name not in OWN_COUNTS)
        own[control] = (cited, least, signed, unless, [*shown], rest[4], rest[5], shares)
    return rules


RULES, EARLIER_RULES = rules_in(RULES_TEXT), rules_in(EARLIER_RULES_TEXT)


def days_of(period):
    """Returns the first and the last UTC day that a period touches, in days since 1970-01-01."""
    milliseconds = [round(1000 * instant(period[name])) for name in ("from", "to")]
    return milliseconds[0] // 86_400_000, (milliseconds[1] - 1) // 86_400_000


def coverage_problems(package):
    """Returns what the coverages of a package state that cannot be."""
    problems, seen, (first, last) = [], set(), days_of(package["period"])
    for index, one in enumerate(package["coverage"]):
        path = f"coverage[{index}]"
        say = lambda holds, problem: None if holds else problems.append(path + problem)
        say(one["records"] not in seen, ".records is also that of another one")
        seen.add(one["records"])
        say(one["days"] == last - first + 1, ".days is not how many the period touches")
        say(one["record_days"] <= min(one["count"], one["covered_days"]), ".record_days is more than there can be")
        say(one["record_days"] > 0 or one["covered_days"] == 0, ".record_days is 0, but days are covered")
        # a day with a record covers itself and at most the days of a run that is no gap
        say(one["covered_days"] <= one["record_days"] * (one["max_gap_days"] + 1), ".covered_days is more than its record_days can cover")
        before, uncovered = first - 2, 0
        for at, gap in enumerate(one["gaps"]):
            start, end = (instant(gap[name] + "T00:00:00.000Z") // 86_400 for name in ("from", "to"))
            is_gap = before + 1 < start <= end <= last and gap["days"] == end - start + 1 and (gap["days"] > one["max_gap_days"] or start == first)
            say(is_gap, f".gaps[{at}] is no gap of the period")
            before, uncovered = end, uncovered + gap["days"]
        say(one["covered_days"] + uncovered == one["days"], ".covered_days is not the days without the gaps")
    return problems


def assessor_problems(package):
    """Returns what a package says of assessors that cannot be."""
    problems, seen, (first, last) = [], {package["subject"].get("subject_commitment")}, days_of(package["period"])
    for index, one in enumerate(package["assessors"]):
        if one["subject_commitment"] in seen or one["assessments"] == 0:
            problems.append(f"assessors[{index}] is named twice, has no assessment, or is the subject")
        seen.add(one["subject_commitment"])
    total = sum(one["assessments"] for one in package["assessors"])
    for index, control in enumerate(package["controls"]):
        passed, failed, days = (control["counts"].get(f"assessor_{name}", 0) for name in ("pass", "fail", "days"))
        if passed + failed > total or days > (0 if passed == 0 else last - first + 1):
            problems.append(f"controls[{index}].counts of assessors are more than their assessments allow")
        cited = (control["assessments"] or {}).get("set")
        if cited != ("assessments" if package["kind"] == "assessment" and passed + failed > 0 else None):
            problems.append(f"controls[{index}].assessments is not what its counts of assessors ask for")
    return problems


def is_covered(package, records):
    """Returns whether the stated coverage by records meets what the rules ask for."""
    one = next((one for one in package["coverage"] if one["records"] == records), None)
    return bool(one) and (one["max_gap_days"] <= MOST_GAP_DAYS and one["covered_days"] * 100 >= LEAST_PERCENT * one["days"]
                          and one["record_days"] >= LEAST_RECORD_DAYS)


def is_long_enough(package):
    """Returns whether the period is long enough for satisfied, by its framework."""
    first, last = days_of(package["period"])
    return last - first + 1 >= LEAST_DAYS.get(package["framework"], 1)


def is_confirmed(package, counts):
    """Returns whether assessments that say pass are of 90% of the days, and none says fail."""
    first, last = days_of(package["period"])
    return counts.get("assessor_fail", 0) == 0 and counts.get("assessor_days", 0) * 100 >= LEAST_PERCENT * (last - first + 1)


def given_status(package, rule, counts, size):
    """Returns the status that a rule gives to the counts of a control, and who says so; None for who if the package is of version 1."""
    _, least, signed, unless, _, records, best, shares = rule
    recorded, stated = ([counts[name] >= number for name, number in needed.items()] for needed in (least, signed))
    if package["v"] == 1:
        clear = all(recorded) and all(counts[name] == 0 for name in unless)
        return ("not_assessed" if not any(recorded) or size == 0 else best if clear else "partial"), None
    is_recorded = any(recorded) and (best == "satisfied" or all(recorded))  # where partial is the best, a part of that part is nothing
    if size == 0 or not (is_recorded or any(stated)):
        return "not_assessed", []
    passed, failed = counts.get("assessor_pass", 0), counts.get("assessor_fail", 0)
    complete = all(recorded + stated) and all(counts[name] == 0 for name in unless) and (records == "" or is_covered(package, records))
    complete = complete and all(counts[name] * 100 <= percent * counts[whole] for name, (percent, whole) in shares.items())
    complete = complete and (best == "partial" or is_long_enough(package))
    confirmed = is_confirmed(package, counts)
    is_best = complete and failed == 0 and (not signed or confirmed)
    who = ["service"] * is_recorded + ["self"] * any(stated) + ["assessor"] * (passed + failed > 0)
    return (best if is_best else "partial" if is_recorded or confirmed else "reported"), who


def audit_status(package, counts):
    """Returns the status that reports and assessments give to a control of an audit package, and who says so."""
    if package["v"] == 1:
        return ("partial" if counts["fail"] > 0 else "satisfied" if counts["pass"] > 0 else "not_assessed"), None
    own, assessor = counts["pass"] + counts["fail"] > 0, counts["assessor_pass"] + counts["assessor_fail"] > 0
    who = ["self"] * own + ["assessor"] * assessor
    if not who:
        return "not_assessed", who
    if counts["assessor_pass"] == 0 or counts["assessor_days"] == 0:
        return "reported", who
    return ("satisfied" if counts["fail"] == 0 and is_confirmed(package, counts) and is_long_enough(package) else "partial"), who


def check_rules(package):
    """Compares statuses with counts, and counts with each other and with the sizes of the sets. Returns the problems, and how many controls have
    no known rule."""
    problems, unknown, first = [], 0, {}
    say = lambda holds, problem: None if holds else problems.append(problem)
    sizes = {one["name"]: one["count"] for one in reversed(package["reference_sets"])}
    is_earlier = package["v"] == 1
    rules = (EARLIER_RULES if is_earlier else RULES).get((package["kind"], package["framework"]), {})

    def say_given(control, path, given, who):
        say(control["status"] == given, f"{path}.status is {control['status']}, but its counts give {given}")
        say(who is None or control["attested_by"] == who, f"{path}.attested_by is not [{', '.join(who or [])}], which its counts give")

    def compare(name, value, path):
        known, where = first.setdefault(name, (value, path))
        say(known == value, f"{path} is not that of {where}")

    for index, control in enumerate(package["controls"]):
        path, counts, status, cited = f"controls[{index}]", control["counts"], control["status"], control["references"]
        if package["kind"] == "audit":
            if any(name not in counts for name in ("reports", "pass", "fail", "not_applicable")):
                problems.append(f"{path}.counts has not reports, pass, fail and not_applicable")
                continue
            if not is_earlier and any(name not in counts for name in ASSESSOR_COUNTS):
                problems.append(f"{path}.counts has not assessor_pass, assessor_fail and assessor_days")
                continue
            assessed = counts["pass"] + counts["fail"]
            say_given(control, path, *audit_status(package, counts))
            say(counts["reports"] == assessed, f"{path}.counts.reports is not pass and fail together")
            say(cited is None or assessed + counts["not_applicable"] <= sizes.get(cited["set"], 0), f"{path}.counts are of more reports than its set has")
            continue
        if control["id"] not in rules:
            unknown += 1
            continue
        rule = rules[control["id"]]
        if rule is None:
            say(status == "not_assessed", f"{path}.status is {status}, but nothing assesses this control")
            continue
        own, shown = rule[0], rule[4]
        for name in shown:
            if name in counts:
                compare(name, counts[name], f"{path}.counts.{name}")
        of_its_own = OWN_COUNTS if package["kind"] == "assessment" and not is_earlier else ()
        if any(name not in counts for name in (*shown, *of_its_own)):
            problems.append(f"{path}.counts does not have all that its rule names")
            continue
        if cited is not None and cited["set"] != own:
            problems.append(f"{path}.references.set is not {own}")
            continue
        say_given(control, path, *given_status(package, rule, counts, sizes.get(own, 0)))
    if not is_earlier:
        for name, count in package["records"].items():
            compare(name, count, f"records.{name}")
        for index, one in enumerate(package["coverage"]):
            compare(one["records"], one["count"], f"coverage[{index}].count")
            if one["records"] == "receipts":
                compare("receipt_days", one["record_days"], f"coverage[{index}].record_days")
    for one in package["reference_sets"]:
        say(one["name"] not in first or first[one["name"]][0] == one["count"], f"counts.{one['name']} is not the count of the set")
    for whole, parts in WHOLES.items():
        for part in parts:
            say(whole not in first or part not in first or first[part][0] <= first[whole][0], f"counts.{part} is more than counts.{whole}")
    return problems, unknown


def sample_positions(root, count):
    """Returns the positions that a set must show. They follow from its root, so nobody can simply choose them."""
    positions, i = set(), 0
    while len(positions) < min(20, count):
        positions.add(int.from_bytes(sha256(f"countersign-sample:{root}:{i}".encode())[:8], "big") % int(count))
        i += 1
    return sorted(positions)


def sampled_entries(package):
    """Yields each sampled entry, as its inclusion_path, with the cited checkpoint of its log. What has none is left out."""
    for row in (row for one in package["reference_sets"] for row in one["sample"]):
        cited = next((cited for cited in package["checkpoints"] if cited["origin"] == row["inclusion_path"]["log"]), None)
        if cited:
            yield row["inclusion_path"], cited


def check_sample(package):
    """Checks the sampled entries: their positions, both proofs, their order, and that each is of its log, the agent and the period."""
    problems, logs, total = [], {}, 0
    say = lambda holds, problem: None if holds else problems.append(problem)
    for cited in package["checkpoints"]:
        logs.setdefault(cited["origin"], (total, cited))
        total += cited["tree_size"]
    for number_of_set, one in enumerate(package["reference_sets"]):
        path, count, last = f"reference_sets[{number_of_set}]", one["count"], (-1, -1)
        say(count > 0 or one["merkle_root"] == sha256().hex(), f"{path}.merkle_root is not that of an empty set")
        demanded = sample_positions(one["merkle_root"], count)
        say([row["position"] for row in one["sample"]] == demanded, f"{path}.sample is not at the positions that its root demands")
        for at, row in enumerate(one["sample"]):
            here, position, proof = f"{path}.sample[{at}]", row["position"], row["inclusion_path"]
            index, (before, cited) = proof["leaf_index"], logs.get(proof["log"], (0, None))
            say(before + index - last[1] >= position - last[0], f"{here}.inclusion_path.leaf_index leaves no room for the entries before it")
            last = (position, before + index)
            leaf = sha256(b"\x00", proof["leaf_entry"].encode())
            say(proof["leaf_hash"] == leaf.hex(), f"{here}.inclusion_path.leaf_hash is not that of leaf_entry")
            leads = lambda index, size, hashes, root: index < size and root_from(leaf, index, size, [*map(base64_of, hashes)]) == bytes.fromhex(root)
            say(leads(position, count, row["path"], one["merkle_root"]), f"{here}.path does not lead to the merkle_root of the set")
            say(cited, f"{here}.inclusion_path.log has no checkpoint")
            if not cited:
                continue
            say(proof["tree_size"] == cited["tree_size"], f"{here}.inclusion_path.tree_size is not that of the checkpoint")
            say(leads(index, cited["tree_size"], proof["hashes"], cited["root_hash"]), f"{here}.inclusion_path.hashes do not lead to the root_hash")
            try:
                entry, time = read_entry(cited["log"], proof["leaf_entry"].encode())
                if cited["log"] == "evidence":
                    event = {name: entry[name] for name in ("payload_digest", "prev_event_hash", "source_type", "subject_commitment")}
                    need(sha256(canonical(event).encode()).hex() == entry["event_commitment_hash"], "not the event_commitment_hash of its members")
                agent = package["subject"].get("subject_commitment") if package["kind"] != "datacenter" else None
                of_assessor = (package["v"] == 2 and one["name"] in ("assessments", "assessing_reports") and entry.get("source_type") == "assessment"
                               and any(named["subject_commitment"] == entry["subject_commitment"] for named in package["assessors"]))
                need(agent is None or of_assessor or entry.get("subject_commitment", agent) == agent, "it is of another agent")
                start, end = package["period"]["from"], package["period"]["to"]
                if package["kind"] == "datacenter":  # by the end of its window, which may be 60 s ahead of its receipt
                    need(round(1000 * (instant(start) - instant(entry[time]))) <= 60_000, "it is from before the period")
                else:  # reports and assessments belong to a period by their own
                    by_own_period = of_assessor or package["v"] == 2 and (package["kind"] == "audit" or one["name"] in ("reports", "results"))
                    need(start <= entry[time] and (by_own_period or entry[time] < end), "it is not of the period")
            except Refused as error:
                problems.append(f"{here}.inclusion_path.leaf_entry: {error}")
        say(total - last[1] >= count - last[0], f"{path}.count is greater than the logs have room for")
    return problems


def sampled_times(package):
    """Returns when the sampled entries were made, in seconds. What is no entry is left out: `check_sample` says it."""
    times = []
    for proof, cited in sampled_entries(package):
        try:
            entry, time = read_entry(cited["log"], proof["leaf_entry"].encode())
            times.append(instant(entry[time]))
        except (Refused, UnicodeError):
            pass
    return times


def check_receipts(package, keys, times):
    """Checks the receipts in a package: each is authentic, is that of a sampled entry, and is of the agent and its sponsor. Returns the problems,
    how many sampled entries name no agent, and how many of these are shown by their receipts to be of the agent. `times` has when the trees of
    the logs that count were signed, by origin and in seconds, None if nothing says it."""
    problems, rows, shown = [], [], set()
    for proof, cited in sampled_entries(package):
        try:
            entry, time = read_entry(cited["log"], proof["leaf_entry"].encode()) if cited["log"] in ("receipts", "revocations") else ({}, None)
            rows += [(proof, cited, entry, time)] if "receipt_id" in entry else []
        except (Refused, UnicodeError):
            pass  # check_sample has said it
    subject = package["subject"]
    for index, receipt in enumerate(package.get("sampled_receipts", [])):
        try:
            must_be_receipt(receipt)
            members = ("receipt_id", "content_hash", "signature", "kid")
            own = [at for at, (_, _, entry, _) in enumerate(rows) if all(entry[name] == receipt.get(name, entry["kid"]) for name in members)]
            need(own, "it is of none of the sampled entries")
            need(content_hash(receipt) == receipt["content_hash"] and opens(receipt), "content_hash is not that of its content")
            logged = next((rows[at][:2] for at in own if rows[at][1]["log"] == "receipts"), None)
            position = None
            if logged is not None and logged[1]["origin"] in times:
                (proof, cited), signed = logged, times[logged[1]["origin"]]
                position = {"log": cited["origin"], "index": proof["leaf_index"], "size": cited["tree_size"], "signed": signed, "earliest": signed}
            candidates = [key for key in keys if key["purpose"] == "receipts" and receipt.get("kid", key["kid"]) == key["kid"]]
            signers = [key for key in candidates
                       if ed25519(bytes.fromhex(key["public_key"]), receipt["content_hash"].encode(), bytes.fromhex(receipt["signature"]))]
            need(signers, "no trusted key for receipts has signed it")
            if package["kind"] != "datacenter":
                need(receipt["agent_id"] == subject["subject_commitment"], "agent_id is not subject.subject_commitment")
                need(receipt["operator_id"] == subject.get("sponsor", receipt["operator_id"]), "operator_id is not subject.sponsor")
            _, cited, entry, time = rows[own[0]]
            issued, then, signed = instant(receipt["issued_at"]), instant(entry[time]), times.get(cited["origin"])
            need(not is_late(issued, then) and not any(is_late(one, signed) for one in (issued, then)), "it is misdated")
            if package["kind"] != "datacenter" and all(key_status(key, receipt, position) == "trusted" for key in signers):
                shown.update(own)
        except Refused as error:
            problems.append(f"sampled_receipts[{index}]: {error}")
    return problems, len(rows), len(shown)


def judge_package(data, key_document, now, log_keys=None, policy=None, clock=None):
    """Does all checks of a compliance package. The verdict is the first check that fails."""
    keys = read_keys(key_document)
    of_logs = trusted_logs(keys, log_keys, policy, *LOG_NAMES)
    now = max(now, clock or now)
    try:
        document = parse(data)
        package = with_inclusion_paths(document)
        must_be_package(package)
        digest, hash_check = content_of_signature({name: document[name] for name in document if name != "sampled_receipts"})
    except (Refused, UnicodeError) as error:
        names = ("signature", "key", "date", "consistency", "rules", "checkpoints", "sample", "attribution") + (("quorum",) if policy else ())
        return {"verdict": "malformed", "checks": dict.fromkeys(names, "unchecked"), "problems": [str(error)]}
    problems = ["content_hash is not that of the content"] if "mismatch" in hash_check.values() else []
    broken, unruled = check_rules(package)
    inner = contradictions(package) + broken
    named = [key for key in keys if key["purpose"] == "credentials" and key["kid"] == package["kid"]]
    dated, end = instant(package["generated_at"]), instant(package["period"]["to"])
    checks = {**hash_check, **check_key(digest, package["signature"], named, dated)}
    checks.update(other_issuer(keys, package["issuer"]))
    if not issued_by(package["issuer"], named):
        inner.append("issuer is not the did:key of the key that kid names")
    ahead = ahead_of("generated_at", dated, now)
    # The service lets a period end with the day (UTC) of its package.
    before = (round(1000 * end) - 1) // 86_400_000 * 86_400_000 > round(1000 * dated) + 60_000
    opened, wrong, unmeant, times = [], [], [], {}
    for index, cited in enumerate(package["checkpoints"]):
        try:
            stated = (cited["origin"], cited["tree_size"], bytes.fromhex(cited["root_hash"]))
            *tree, signed = open_trusted(cited["note"], of_logs)
            before, ahead = before or is_late(signed, dated), ahead + ahead_of(f"checkpoints[{index}]", signed, now)
            need(tuple(tree) == stated, "origin, tree_size or root_hash are not those of the note")
            opened.append(cited["note"])
            if all(other["origin"] != cited["origin"] for other in package["checkpoints"][:index]):
                times[cited["origin"]] = signed
        except Refused as error:
            wrong.append(f"checkpoints[{index}]: {error}")
            unmeant += [error.check] if isinstance(error, OtherLog) else []
            if isinstance(error, OtherLog):
                before, ahead = before or is_late(error.time, dated), ahead + ahead_of(f"checkpoints[{index}]", error.time, now)
    sample = check_sample(package)
    before = before or any(is_late(time, dated) for time in sampled_times(package))
    checks["date"] = "future" if ahead else "misdated" if before else "ok"
    for name, found in (("consistency", inner), ("rules", broken), ("checkpoints", wrong), ("sample", sample)):
        checks[name] = "bad" if found else "ok"
    if unruled and not broken:
        checks["rules"] = "unknown"
    if wrong and len(unmeant) == len(wrong):
        checks["checkpoints"] = unmeant[0]
    foreign, nameless, shown = check_receipts(package, keys, times)
    checks["attribution"] = "bad" if foreign else "ok" if shown == nameless else "partly" if shown else "not_shown"
    if policy is not None:
        order = ("bad", "missing", "future", "none", "closed", "ok")
        results = [cosigned_or_closed(note, policy, now)[0] for note in opened]
        checks["quorum"] = min(results, key=order.index, default="unchecked")
    problems += ahead + (["generated_at is before a checkpoint or an entry that the package cites, or before the last day of its period"] if before else [])
    said = [f"{int(shown)} of the {nameless} sampled entries of receipts were shown to be of the agent, by their receipts"] if nameless > 0 else []
    if package["v"] == 1:
        said.append("it is of version 1: its rules asked for no coverage of the period, and took what the subject says of itself as satisfied")
    if "issuer" in checks:
        problems.append("issuer is not the trusted issuer")
    return {"verdict": package_verdict(checks), "checks": checks, "problems": problems + inner + wrong + sample + foreign,
            "trees": trees_of(of_logs, *(cited["note"] for cited in package["checkpoints"])), **({"notes": said} if said else {})}


def package_verdict(checks):
    if checks.get("hash") == "mismatch":
        return "hash_mismatch"
    if checks["key"] == "unknown":
        return "key_unknown"
    if checks["signature"] != "ok":
        return "bad_signature"
    if checks["key"] != "trusted":
        return "key_" + checks["key"]
    if "issuer" in checks:
        return "issuer_unknown"
    if checks["date"] == "future":
        return "future"
    bad = {"consistency": "inconsistent", "checkpoints": "bad_checkpoint", "date": "misdated", "sample": "bad_sample"}
    if checks.get("checkpoints") in OTHER_LOGS:
        bad["checkpoints"] = checks["checkpoints"]
    if checks.get("attribution") == "bad":
        bad["attribution"] = "bad_receipt"
    return next((bad[name] for name in bad if checks.get(name, "ok") != "ok"), "valid")


SCORECARD = {
    "type": as_text(one_of("datacenter-scorecard")), "v": lambda value: isinstance(value, float) and value == 1,
    "cluster_id": CLUSTER["cluster_id"], "id": any_text(256), "period": {"from": MOMENT, "to": MOMENT}, "issuer": DID,
    "generated_at": MOMENT, "signature": as_text(is_hex(64)), "kid": as_text(is_kid),
}


def judge_scorecard(data, key_document, now, log_keys=None, policy=None, clock=None):
    """Does all checks of a scorecard. Its metrics are what the service computed: nothing computes them again."""
    keys, now = read_keys(key_document), max(now, clock or now)
    try:
        card = parse(data)
        must_fit(card, SCORECARD, "scorecard")
        need(card["id"] == "urn:countersign:cluster:" + card["cluster_id"], "id is not that of its cluster")
        digest, hash_check = content_of_signature(card)
    except (Refused, UnicodeError) as error:
        return {"verdict": "malformed", "checks": dict.fromkeys(("signature", "key", "date", "consistency"), "unchecked"),
                "problems": [str(error)]}
    named = [key for key in keys if key["purpose"] == "credentials" and key["kid"] == card["kid"]]
    checks = {**hash_check, **check_key(digest, card["signature"], named, instant(card["generated_at"]))}
    ahead = ahead_of("generated_at", instant(card["generated_at"]), now)
    checks["date"] = "future" if ahead else "ok"
    checks.update(other_issuer(keys, card["issuer"]))
    checks["consistency"] = "ok" if issued_by(card["issuer"], named) else "bad"
    return {"verdict": package_verdict(checks), "checks": checks, "problems": problems_of(checks) + ahead}


def signed_digest(document):
    """Returns the hash over whose 64 characters a signature in a JSON object is: that of all members but signature and kid."""
    return sha256(canonical({name: document[name] for name in document if name not in ("signature", "kid")}).encode()).hex()


def content_of_signature(document):
    """Returns the digest of a meter receipt, a package or a scorecard, and the check of its content_hash, if it has one. Earlier versions gave
    them a content_hash, which is no part of what they signed and must be the digest."""
    digest = signed_digest({name: document[name] for name in document if name != "content_hash"})
    return digest, {"hash": "ok" if document["content_hash"] == digest else "mismatch"} if "content_hash" in document else {}


def check_key(digest, signature, named, dated):
    """Checks a signature over the 64 characters of a hash, and whether the keys that the document names count at its date."""
    if not named:
        return {"signature": "unchecked", "key": "unknown"}
    signed = ed25519(bytes.fromhex(named[0]["public_key"]), digest.encode(), bytes.fromhex(signature))
    stolen = any(key["status"] == "compromised" for key in named)
    state = "compromised" if stolen else "retired" if any(ended(key, dated) for key in named) else "trusted"
    return {"signature": "ok" if signed else "bad", "key": state}


def issued_by(issuer, named):
    """Says whether an issuer that is a did:key is the key that signed. A did:web is another name of the service."""
    return not issuer.startswith("did:key:") or all(did_key(bytes.fromhex(key["public_key"])) == issuer for key in named)


def other_issuer(keys, issuer):
    """Returns the check of an issuer that is not the trusted one: nothing if it is, or if none is trusted. A did:key is compared with the key."""
    accepted = keys.issuer is None or issuer == keys.issuer or not keys.only_issuer and issuer.startswith("did:key:")
    return {} if accepted else {"issuer": "unknown"}


def problems_of(checks):
    return [f"{name} is {result}" for name, result in checks.items() if result not in ("ok", "trusted")]


def thumbprint(key):
    """Returns what the kid of a key is (RFC 7638)."""
    raw = base64.urlsafe_b64encode(bytes.fromhex(key["public_key"])).decode().rstrip("=")
    jwk = {"crv": "Ed25519", "kty": "OKP", "x": raw} if key["algorithm"] == "Ed25519" else {"alg": "ML-DSA-44", "kty": "AKP", "pub": raw}
    return base64.urlsafe_b64encode(sha256(canonical(jwk).encode())).decode().rstrip("=")


def signed_event(entry, signature, key):
    """Says whether a signature in an entry of the log of keys is by a key."""
    event = {"type": "key-event", **{name: value for name, value in entry.items() if name != "signatures"}}
    message, raw = sha256(canonical(event).encode()).hex().encode(), bytes.fromhex(key["public_key"])
    return (ed25519 if key["algorithm"] == "Ed25519" else ml_dsa_44)(raw, message, bytes.fromhex(signature))


FOLLOWS = {"added": (None,), "activated": ("added",), "retired": ("activated",), "compromised": ("added", "activated", "retired")}


def event_problems(entries, wrong=None):
    """Returns what is wrong with the events in a log of keys: their order, and the keys that signed them. Adds their indexes to `wrong`."""
    problems, events, accepted, compromised = [], {}, {}, set()
    added = {entry["kid"]: entry for entry in entries.values() if entry["event"] == "added"}
    beginning, begun = True, None
    for index, entry in entries.items():
        def say(problem):
            problems.append(f"entry {index}: {problem}")
            if wrong is not None:
                wrong.add(index)
        event, kid, own = entry["event"], entry["kid"], all(by["kid"] == entry["kid"] for by in entry["signatures"])
        begun = instant(entry["at"]) if begun is None else begun
        near = abs(round(1000 * (instant(entry["at"]) - begun))) <= 5000
        beginning = beginning and own and event in ("added", "activated") and near
        if event == "compromised":
            compromised.add(kid)
        before, purpose = events.get(kid, (None, entry["purpose"]))
        events[kid] = event, purpose
        if before not in FOLLOWS[event]:
            say(f"key {kid} cannot be {event}: it is {before or 'unknown'}")
        if purpose != entry["purpose"]:
            say(f"key {kid} is of purpose {purpose}, not {entry['purpose']}")
        if thumbprint(entry) != kid:
            say(f"{kid} is not the thumbprint of its key")
        kind = lambda key: (key["purpose"], key["algorithm"])
        def may_sign(by):
            if by["kid"] == kid:
                rivals = [key for other, key in accepted.items() if other != kid and kind(key) == kind(entry)]
                return beginning and not rivals and signed_event(entry, by["signature"], entry)
            signer = accepted.get(by["kid"])
            if signer is None or by["kid"] in compromised:
                return False
            rotates = event != "compromised" and kind(signer) == kind(entry)
            return (rotates or signer["purpose"] == "keys-log") and signed_event(entry, by["signature"], signer)
        if event == "added":
            if kid not in accepted and thumbprint(entry) == kid:
                if any(map(may_sign, entry["signatures"])):
                    accepted[kid] = entry
                else:
                    say(f"it adds the key {kid}, which no earlier key cross-signed")
        elif kid in accepted and not any(map(may_sign, entry["signatures"])):
            say(f"no other key than {kid} signed it")
        for by in entry["signatures"]:
            if by["kid"] not in added:
                say(f"it is signed by {by['kid']}, which the key log does not know")
            elif not signed_event(entry, by["signature"], added[by["kid"]]):
                say(f"its signature by {by['kid']} does not verify")
    return problems


def chain_problems(changes, common):
    """Returns what is wrong with the entries about closed logs: those of a name are one chain from its first log to the one that is read.
    `common` is what the origins of the logs that are read have before their names, None if that is unknown."""
    problems = []
    for log in LOG_NAMES:
        closed, continued, open_log, read = {}, set(), None, None if common is None else f"{common}/{log}"
        for index, entry in changes.items():
            say = lambda problem: problems.append(f"entry {index}: {problem}")
            if entry["log"] != log:
                continue
            origin = entry["origin"]
            if entry["event"] == "log_closed":
                if origin in closed:
                    say(f"it closes {origin}, which an earlier entry closed")
                elif open_log not in (None, origin):
                    say(f"it closes {origin}, but the log that continues is {open_log}")
                closed[origin] = True
                continue
            before, open_log = open_log, origin
            continued.add(entry["predecessor"])
            if entry["predecessor"] not in closed:
                say(f"it continues {entry['predecessor']}, which no earlier entry closes")
            elif origin in closed:
                say(f"it continues {entry['predecessor']} under {origin}, the name of a closed log")
            elif before not in (None, entry["predecessor"]):
                say(f"it continues {entry['predecessor']}, but the log that continues is {before}")
        problems += [f"{origin} is closed, and no entry says which log continues it" for origin in closed if origin != read and origin not in continued]
        if read in closed:
            problems.append(f"{read} is closed, and still continued")
        if read is not None and open_log not in (None, read) and open_log not in closed:
            problems.append(f"the log that continues is {open_log}, not {read}")
    return problems


def read_key_log(leaves):
    """Reads the entries of a log of keys. Returns those about keys and those about logs, by their indexes, and what is wrong with others."""
    entries, changes, problems = {}, {}, []
    for index, leaf in enumerate(leaves):
        try:
            entry, _ = read_entry("keys", leaf)
            (changes if entry["event"] in LOG_CHANGES else entries)[index] = entry
        except (Refused, UnicodeError) as error:
            problems.append(f"entry {index}: {error}")
    return entries, changes, problems


def lost_events(origin, leaves, entries, changes, copies):
    """Compares the closed logs of keys with the log that continues them. Returns why the end of a key or of a log may be lost, and what else
    is lost. `copies` have the origins and the entries of closed logs; whoever signed them, the log that continues has their roots. Only
    what ended counts: of a key that was only added or activated, the list says nothing, so nothing of it can be trusted."""
    problems, notes = [], []
    has_root = lambda own, end: end["tree_size"] <= len(own) and tree_root(
        [sha256(b"\x00", leaf) for leaf in own[:int(end["tree_size"])]]).hex() == end["root_hash"]
    for end in changes.values():
        if end["event"] != "log_closed" or end["log"] != "keys":
            continue
        of, size = end["origin"], int(end["tree_size"])
        of_log = [own for name, own in copies if name == of]
        for own in of_log:
            if not has_root(own, end):
                problems.append(f"the copy of {of} does not begin with the {size} entries of the root that {origin} continues")
                continue
            found = lost_of_copy(origin, leaves, entries, changes, end, own)
            problems += found[0]
            notes += found[1]
        if not of_log and not has_root(leaves, end):
            problems.append(f"{origin} does not begin with the {size} entries of {of}, which it continues, and no --predecessor was read")
        elif not of_log and not end["certain"]:
            notes.append(f"nothing says how many entries {of} had, which {origin} continues: ends of keys may be lost that only a copy "
                         "has (--predecessor)")
    return problems, notes


def lost_of_copy(origin, leaves, entries, changes, end, own):
    """Does the same for a copy of one closed log."""
    of, size, wrong, known = end["origin"], int(end["tree_size"]), set(), set(leaves)
    of_keys, of_logs, _ = read_key_log(own)
    problems = [f"{of}: {problem}" for problem in read_key_log(own[:size])[2]]
    event_problems(of_keys, wrong)
    # No root says that entries beyond the end were published, but the keys concerned signed each event.
    events = {index: entry for index, entry in of_keys.items() if index < size or index not in wrong and own[index] not in known}
    name = lambda index: f"entry {index} ({events[index]['event']} {events[index]['purpose']} {events[index]['kid']})"
    beyond = [index for index in events if index >= size]
    if end["certain"] and beyond:
        problems.append(f"{origin} says that {of} had {size} entries, but the copy has more that are signed: {', '.join(map(name, beyond[:10]))}")
    def kept(event):  # no end may be later, or leave more receipts of the key: the key could have been used meanwhile
        same = [entry for entry in entries.values() if entry["kid"] == event["kid"]]
        return event["event"] not in ("retired", "compromised") or not same or any(
            entry["event"] in ("compromised", event["event"]) and entry["at"] <= event["at"]
            and entry["receipts_tree_size"] <= event["receipts_tree_size"] for entry in same)
    ends = [index for index, event in events.items() if not kept(event)]
    problems += [f"{name(index)} of {of} is lost: {origin} does not end the key at {events[index]['at']} with "
                 f"{int(events[index]['receipts_tree_size'])} entries in the log of receipts" for index in ends]
    def repeated(change):
        return any(all(other.get(member) == change.get(member) for member in ("event", "log", "origin", "predecessor", "tree_size", "root_hash"))
                   and (other.get("certain") or not change.get("certain")) for other in changes.values())
    problems += [f"entry {index} of {of} is lost: {change['event']} of {change['origin']}" for index, change in of_logs.items()
                 if index < size and not repeated(change)]
    others = [index for index in events if own[index] not in known and index not in ends]
    return problems, [f"{origin} does not have {len(others)} of the entries of {of}, which it continues; no key can be used for longer by that: "
                      f"{', '.join(map(name, others[:10]))}"] if others else []


def key_log_signers(entries, of_logs, origin, now, bring):
    """Returns the keys that may sign the checkpoint of a log of keys: the trusted ones, and those that one of these added in the log."""
    of_name, _ = keys_for(of_logs, origin)
    known = {key for _, _, key, _ in of_name}
    gone = {key for _, _, key, until in of_name if until is not None and until < now}
    signers, vouched = {}, []
    for entry in entries.values():
        if entry["event"] == "compromised":
            signers.pop(entry["kid"], None)
        if entry["event"] != "added" or entry["purpose"] != "keys-log":
            continue
        raw = bytes.fromhex(entry["public_key"])
        if raw in gone:  # no entry can prolong a trusted key that has ended
            continue
        by = lambda row: row["kid"] in signers and signed_event(entry, row["signature"], signers[row["kid"]])
        if raw in known and bring or any(map(by, entry["signatures"])):
            signers.setdefault(entry["kid"], entry)
            if raw not in known:
                kind = 1 if entry["algorithm"] == "Ed25519" else 6
                vouched.append((of_name[0][0], kind, raw, None))
    stolen = [bytes.fromhex(entry["public_key"]) for entry in entries.values() if entry["event"] == "compromised"]
    return [key for key in of_logs + vouched if key[2] not in stolen]


KEY_ROW = {
    "kid": as_text(is_kid), "algorithm": any_text(2**64), "public_key": any_text(2**64), "purpose": any_text(2**64),
    "status": as_text(one_of("next", "active", "retired", "compromised")), "valid_from": MOMENT,
    "valid_until": lambda value: value is None or MOMENT(value), "log_index": lambda value: value is None or is_count(value),
    "receipts_logs": ([any_text(2**64)], 1024), "receipts_tree_size": lambda value: value is None or is_count(value),
}
CLOSED_ROW = {"log": as_text(one_of(*LOG_NAMES)), "origin": any_text(2**64), "tree_size": is_count, "root_hash": HASH,
              "certain": lambda value: isinstance(value, bool), "at": MOMENT, "log_index": is_count}
KEY_DOCUMENT = {"keys": ([KEY_ROW], 10_000), "closed_logs": ([CLOSED_ROW], 5120),
                "log": {"origin": any_text(2**64), "tree_size": is_count, "root_hash": HASH, "checkpoint": any_text(2**64)}}


def is_key_document(data, document):
    return isinstance(document, dict) and "type" not in document and "keys" in document and "log" in document


def later(text, days):
    """Returns a time in UTC with milliseconds some days later. The library has only the years from 1 to 9999; the calendar repeats after 400."""
    eras, year = divmod(int(text[:4]), 400)
    time = datetime.datetime.fromisoformat(f"{2000 + year}{text[4:-1]}") + datetime.timedelta(days=days)
    return f"{time.year - 2000 + 400 * eras:04}{time.isoformat(timespec='milliseconds')[4:]}Z"


def row_problems(path, row, events, open_log, closed):
    """Returns where the row of a key differs from what its entries say."""
    (index, first), (_, newest) = events[0], events[-1]
    status = {"added": "next", "activated": "active"}.get(newest["event"], newest["event"])
    ended = status in ("retired", "compromised")
    overlap = 30 if status == "retired" and newest["purpose"].endswith("-log") else 0
    said = {name: first[name] for name in ("algorithm", "public_key", "purpose")}
    said.update(status=status, valid_until=later(newest["at"], overlap) if ended else None, log_index=index,
                receipts_tree_size=newest["receipts_tree_size"] if ended else None)
    problems = [f"{path}.{name} is not as the key log says" for name, value in said.items() if row[name] != value]
    activated = [entry["at"] for _, entry in events if entry["event"] == "activated"][:1]
    if activated and row["valid_from"] > activated[0]:
        problems.append(f"{path}.valid_from is after its activation")
    names, size, at = row["receipts_logs"], newest["receipts_tree_size"], events[-1][0]
    if ended and open_log and closed:  # of a closed log, the size counts all entries, or the key ended before it was closed
        logs = [end["origin"] for end in closed if end["log"] == "receipts" and (
            at < end["log_index"] and size <= end["tree_size"] or end["certain"] and end["tree_size"] <= size)]
        fits_end = len(names) == len(logs) + 1 and set(names) == {*logs, open_log}
    else:
        fits_end = open_log in names and all(name.endswith("/receipts") for name in names) if ended and open_log else ended or not names
    return problems if fits_end else problems + [f"{path}.receipts_logs are not those of a key that is {status}"]


def followed(check_of, former, origin):
    """Returns the function of a key (`log_of`) that also counts for a log of keys which continues the one that the key is trusted for."""
    of = lambda name: "ok" if name == origin and any(check_of(one) == "ok" for one in former) else check_of(name)
    of.closed = {}
    return of


def judge_keys(data, key_document, now, log_keys=None, policy=None, clock=None, beside=None):
    """Does all checks of a saved list of keys against a copy of the log of keys: `beside` has its checkpoint and its entries."""
    trusted, now = read_keys(key_document), max(now, clock or now)
    of_logs = of_open_logs(trusted_logs(trusted, log_keys, policy, *LOG_NAMES))
    note, leaves = (beside or {}).get("log") or ("", [])
    names = ("checkpoint", "log", "events", "keys") + (("quorum",) if policy else ())
    try:
        document = parse(data)
        if isinstance(document, dict):  # a list of an earlier version does not have it
            document.setdefault("closed_logs", [])
        must_fit(document, KEY_DOCUMENT, "document")
        parts = [(document, KEY_DOCUMENT), (document["log"], KEY_DOCUMENT["log"]), *((row, KEY_ROW) for row in document["keys"]),
                 *((row, CLOSED_ROW) for row in document["closed_logs"])]
        need(all(set(part) - ({"issuer"} if part is document else set()) == set(form) for part, form in parts), "a member is unknown")
        read_keys(document)
    except (Refused, UnicodeError) as error:
        return {"verdict": "malformed", "checks": dict.fromkeys(names, "unchecked"), "problems": [str(error)]}
    (entries, changes, events), problems, opened, unmeant, ahead = read_key_log(leaves), [], [], [], []
    stated, checks = document["log"], {}
    named = log_keys or policy and policy[0]  # whoever names the keys of a log means only these
    former = [entry["origin"] for entry in changes.values() if entry["event"] == "log_closed" and entry["log"] == "keys"]
    if not named:  # the chain of the log can lead to the log that the trusted list names
        of_logs = [(followed(check_of, former, stated["origin"]), *rest) for check_of, *rest in of_logs]
    signers = key_log_signers(entries, of_logs, stated["origin"], now, not named)
    for what, text in (("log.checkpoint", stated["checkpoint"]), ("the checkpoint of the key log", note)):
        try:
            need(origin_in(text).endswith("/keys"), "it is not of a log of keys")
            found = open_trusted(text, signers)
            opened.append((what, *found[:3]))
            ahead += ahead_of(what, found[3], now)
        except (Refused, UnicodeError) as error:
            problems.append(f"{what}: {error}")
            unmeant += [error.check] if isinstance(error, OtherLog) else []
    of_document = [found for found in opened if found[0] == "log.checkpoint"]
    of_log = [found for found in opened if found[0] != "log.checkpoint"]
    for _, origin, size, root in of_document:
        if (stated["origin"], stated["tree_size"], stated["root_hash"]) != (origin, size, root.hex()):
            problems.append("log.origin, log.tree_size or log.root_hash are not those of log.checkpoint")
        if any(other[1] != origin or other[2] < size for other in of_log):
            problems.append("the key log is another one than the document's, or older")
    checks["checkpoint"] = ("future" if ahead else "ok") if not problems else unmeant[0] if len(unmeant) == len(problems) else "bad"
    hashes = [sha256(b"\x00", leaf) for leaf in leaves]
    wrong = [f"the entries do not have the root of {what}" for what, _, size, root in opened
             if size > len(hashes) or tree_root(hashes[:size]) != root]
    checks["log"] = "bad" if wrong else "ok" if len(opened) == 2 else "unchecked"
    common = stated["origin"][:-len("/keys")] if stated["origin"].endswith("/keys") else None
    events += event_problems(entries) + chain_problems(changes, common)
    lost, notes = lost_events(stated["origin"], leaves, entries, changes, (beside or {}).get("closed", ()))
    checks["events"] = "bad" if events else "lost" if lost else "ok"
    known, differences, seen = {}, [], set()
    for index, entry in entries.items():
        known.setdefault(entry["kid"], []).append((index, entry))
    open_log = stated["origin"][:-len("keys")] + "receipts" if stated["origin"].endswith("/keys") else None
    closings = [{**{name: entry[name] for name in CLOSED_ROW if name in entry}, "log_index": index} for index, entry in changes.items()
                if entry["event"] == "log_closed" and index < stated["tree_size"]]
    for at, row in enumerate(document["keys"]):
        if row["kid"] in seen or row["kid"] not in known:
            differences.append(f"keys[{at}].kid: the key is named twice, or the key log does not know it")
        if row["kid"] in known:
            differences += row_problems(f"keys[{at}]", row, known[row["kid"]], open_log, closings)
        seen.add(row["kid"])
    differences += [f"keys: the key {kid} of the key log is missing" for kid in known if kid not in seen]
    if document["closed_logs"] != closings:
        differences.append("closed_logs are not the closed logs of the key log")
    checks["keys"] = "mismatch" if differences else "ok"
    if policy is not None:
        checks["quorum"] = check_quorum(note, policy[1], policy[2], now) if of_log else "unchecked"
    bad = {"checkpoint": "bad_checkpoint", "log": "bad_log", "events": "bad_events", "keys": "mismatch"}
    if checks["checkpoint"] == "future":  # whatever else is wrong says more
        bad = {**{name: bad[name] for name in ("log", "events", "keys")}, "checkpoint": "future"}
    if checks["checkpoint"] in OTHER_LOGS:
        bad["checkpoint"] = checks["checkpoint"]
    if checks["events"] == "lost":
        bad["events"] = "lost_events"
    return {"verdict": next((bad[name] for name in bad if checks[name] != "ok"), "valid"), "checks": checks,
            "problems": problems + ahead + wrong + events + lost + differences, "trees": trees_of(signers, stated["checkpoint"], note, log="keys"),
            **({"notes": notes} if notes else {})}


def judge_note(data, key_document, now, log_keys, policy, clock, proof):
    """Does all checks of a checkpoint, or of a proof with the index, the entry and the hashes of `proof`."""
    of_logs = trusted_logs(read_keys(key_document), log_keys, policy, *LOG_NAMES)
    return note_result(data, of_logs, policy, max(now, clock or now), proof)


def note_result(data, of_logs, policy, now, proof):
    """Does the checks of `judge_note` with the keys of `trusted_logs`."""
    names = ("checkpoint", "date") + (("inclusion", "entry") if proof else ()) + (("quorum",) if policy else ())
    checks, problems = dict.fromkeys(names, "unchecked"), []
    try:
        note = data.decode("utf-8")
        signature_lines(note)
    except (Refused, UnicodeError) as error:
        return {"verdict": "malformed", "checks": checks, "problems": [str(error)]}
    try:
        origin, size, root, time = open_trusted(note, of_logs)
    except OtherLog as error:
        return {"verdict": error.check, "checks": {**checks, "checkpoint": error.check}, "problems": [str(error)], "trees": trees_of(of_logs, note)}
    except Refused as error:
        return {"verdict": "bad_checkpoint", "checks": {**checks, "checkpoint": "bad"}, "problems": [str(error)]}
    checks["checkpoint"] = "ok"
    checks["date"] = "undated" if time is None else "future" if is_ahead(time, now) else "ok"
    problems += ahead_of("the checkpoint", time, now)
    if proof:
        index, leaf, path = proof
        included = index < size and root_from(sha256(b"\x00", leaf), index, size, path) == root
        checks["inclusion"] = "ok" if included else "bad"
        try:
            need(origin.rpartition("/")[2] in LOG_NAMES and "/" in origin, "not the name of a log")
            made = must_be_entry(origin.rpartition("/")[2], leaf)
            checks["entry"] = "misdated" if is_late(made, time) else "future" if is_ahead(made, now) else "ok"
        except (Refused, UnicodeError) as error:
            checks["entry"] = "bad"
            problems.append(f"the entry: {error}")
        if not included:
            problems.append("the hashes do not lead from the entry to the root")
    if policy is not None:
        checks["quorum"], attested = cosigned_or_closed(note, policy, now)
        if checks.get("entry") in ("ok", "future") and is_late(made, attested):
            checks["entry"] = "misdated"
    if checks.get("entry") == "misdated":
        problems.append("the entry: misdated: it was made after the checkpoint that has it was signed")
    if checks.get("entry") == "future":
        problems += [f"the entry: future: {what}" for what in ahead_of("it", made, now)]
    wrong = [verdict for verdict, holds in (
        ("future", checks["date"] == "future"), ("bad_proof", checks.get("inclusion") == "bad"), ("bad_entry", checks.get("entry") == "bad"),
        ("misdated", checks.get("entry") == "misdated"), ("future", checks.get("entry") == "future"),
    ) if holds]
    return {"verdict": (wrong or ["valid"])[0], "checks": checks, "problems": problems, "trees": trees_of(of_logs, note)}


def must_be_entry(log, leaf):
    """Refuses what is not an entry of a log by itself. Returns when it was made, in seconds."""
    entry, time = read_entry(log, leaf)
    if log == "evidence":
        event = {name: entry[name] for name in ("payload_digest", "prev_event_hash", "source_type", "subject_commitment")}
        need(sha256(canonical(event).encode()).hex() == entry["event_commitment_hash"], "not the event_commitment_hash of its members")
    return instant(entry[time])


def judge_checkpoint(data, key_document, now, log_keys=None, policy=None, clock=None):
    return judge_note(data, key_document, now, log_keys, policy, clock, None)


def judge_proof(data, key_document, now, log_keys=None, policy=None, clock=None):
    """Does all checks of a proof: a C2SP tlog-proof whose extra data is the entry, or that of a bundle."""
    read_keys(key_document)  # an error in it comes before any verdict
    try:
        index, leaf, path, note = log_proof(data)
        need(len(path) <= 63, "too many hashes")
    except (Refused, UnicodeError) as error:
        names = ("checkpoint", "date", "inclusion", "entry") + (("quorum",) if policy else ())
        return {"verdict": "malformed", "checks": dict.fromkeys(names, "unchecked"), "problems": [str(error)]}
    return judge_note(note.encode(), key_document, now, log_keys, policy, clock, (index, leaf, path))


def presented(document):
    """Returns the credential in a document: the document itself, or the one that it has as a member."""
    if not isinstance(document, dict) or "@context" in document:
        return document
    names = [name for name in ("credential", "verifiableCredential") if name in document]
    return document[names[0]] if len(names) == 1 else document


def is_credential(data, document):
    if not isinstance(document, dict) or "type" in document and "@context" not in document:
        return False
    return "@context" in document or presented(document) is not document


CONTEXT = "https://www.w3.org/ns/credentials/v2"
CREDENTIALS = {"AgentReputationCredential": ("/contexts/reputation/v2", "/contexts/reputation/v1"),
               "DataCenterSustainabilityCredential": ("/contexts/sustainability/v2", "/contexts/sustainability/v1"),
               "BitstringStatusListCredential": ()}
A_TIME = as_text(instant)


def must_be_credential(document):
    """Checks that a document is a credential of a type that the service issues, with one proof. Returns the name of its type."""
    text = lambda value: isinstance(value, str)
    need(isinstance(document, dict), "the credential is not a JSON object")
    kind = document.get("type")
    need(isinstance(kind, list) and len(kind) == 2 and kind[0] == "VerifiableCredential", "type is wrong")
    need(isinstance(kind[1], str) and kind[1] in CREDENTIALS, "type is unknown")
    paths, contexts = CREDENTIALS[kind[1]], document.get("@context")
    need(isinstance(contexts, list) and len(contexts) == (2 if paths else 1) and contexts[0] == CONTEXT, "@context is wrong")
    if paths:
        own = contexts[1]
        need(isinstance(own, str) and re.fullmatch("https?://[^?#\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+", own) and own.endswith(paths), "@context is unknown")
    proof = document.get("proof")
    need(isinstance(proof, dict), "proof is missing or not one object")
    fixed = {"type": "DataIntegrityProof", "cryptosuite": "eddsa-jcs-2022", "proofPurpose": "assertionMethod", "@context": contexts}
    need(all(name in proof and proof[name] == value for name, value in fixed.items()), "a member of proof is not the only possible one")
    need(set(proof) <= {*fixed, "created", "verificationMethod", "proofValue"}, "proof has an unknown member")
    must_fit(proof, {"verificationMethod": text, "proofValue": text}, "proof")
    need("created" not in proof or A_TIME(proof["created"]), "proof.created is no time")
    must_fit(document, {"id": text, "issuer": text, "validFrom": A_TIME, "validUntil": A_TIME, "credentialSubject": {"id": text}}, "credential")
    lasts = round(1000 * (instant(document["validUntil"]) - instant(document["validFrom"])))
    need(0 <= lasts <= 24 * 3_600_000, "it is not valid for at most a day")
    if paths:
        status = document.get("credentialStatus")
        must_fit(status, {"type": as_text(one_of("BitstringStatusListEntry")), "statusPurpose": as_text(one_of("revocation")),
                          "statusListIndex": matching("0|[1-9][0-9]{0,5}"), "statusListCredential": text}, "credentialStatus")
        need(int(status["statusListIndex"]) < 131_072, "statusListIndex is too large")
    return kind[1]


def base58(text):
    """Decodes base58btc; None for text with other characters."""
    alphabet, value = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", 0
    if any(c not in alphabet for c in text):
        return None
    for c in text:
        value = 58 * value + alphabet.index(c)
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + value.to_bytes((value.bit_length() + 7) // 8, "big")


def signed_by_proof(document, raw):
    """Verifies a proof of the suite eddsa-jcs-2022 (W3C vc-di-eddsa, 3.3)."""
    unsecured = {name: value for name, value in document.items() if name != "proof"}
    configuration = {name: value for name, value in document["proof"].items() if name != "proofValue"}
    value = document["proof"]["proofValue"]
    signature = base58(value[1:]) if value.startswith("z") and len(value) <= 89 else None
    try:
        message = sha256(canonical(configuration).encode()) + sha256(canonical(unsecured).encode())
    except (Refused, UnicodeError):
        return False
    return signature is not None and ed25519(raw, message, signature)


def counts_too_much(subject):
    """Says which count of a credential is more than the tree that it cites has leaves. What is missing is not compared."""
    def at(*path):
        value = subject
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return value if isinstance(value, float) else None
    for path, log in ((("totals", "evidence_count"), "evidence"), (("receipts_count",), "receipts")):
        count, size = at(*path), at("checkpoint", log, "tree_size")
        if count is not None and size is not None and count > size:
            return f"credentialSubject.{'.'.join(path)} is more than the tree of {log} that it cites has entries"
    return ""


def open_credential(document, key_document, now):
    """Does all checks of a W3C credential but that of its revocation. Returns the result, and the credential if it is authentic."""
    trusted = read_keys(key_document)
    keys = [key for key in trusted if key["purpose"] == "credentials"]
    checks = dict.fromkeys(("shape", "issuer", "proof", "validity", "status"))
    said = lambda verdict, *problems: ({"verdict": verdict, "checks": checks, "problems": list(problems)}, None)
    try:
        credential = document
        kind = must_be_credential(credential)
    except (Refused, UnicodeError) as error:
        checks["shape"] = False
        return said("malformed", str(error))
    issuer, method = credential["issuer"], credential["proof"]["verificationMethod"]
    own = [key for key in keys if did_key(bytes.fromhex(key["public_key"])) == issuer]
    by_web = issuer.startswith("did:web:")
    checks["shape"], checks["issuer"] = True, False
    if other_issuer(trusted, issuer) or not by_web and not own:
        return said("issuer_unknown", "its issuer is not trusted")
    named = [key for key in keys if method == f"{issuer}#{key['kid']}"] if by_web else own if method == f"{issuer}#{issuer[8:]}" else []
    if not named:
        return said("key_unknown")
    key, start, checks["issuer"] = named[0], instant(credential["validFrom"]), True
    dated = max(start, instant(credential["proof"].get("created", credential["validFrom"])))
    early = round(1000 * (dated - now)) > 60_000
    validity = "not_yet_valid" if early else "valid" if now < instant(credential["validUntil"]) else "expired"
    checks["validity"] = validity == "valid"
    ends = [key["valid_until"] for key in named]
    late = kind != "BitstringStatusListCredential" and any(end is not None and round(1000 * (dated - instant(end))) > 60_000 for end in ends)
    signed = signed_by_proof(credential, bytes.fromhex(key["public_key"]))
    stolen = any(key["status"] == "compromised" for key in named)  # a list can name a key twice
    checks["proof"] = signed and not late and not stolen
    if checks["proof"] and (wrong := counts_too_much(credential["credentialSubject"])):
        return said("inconsistent", wrong)
    if checks["proof"] and is_late(start, instant(credential["proof"].get("created", credential["validFrom"]))):
        return said("misdated", "proof.created is more than 60 s before validFrom")
    if checks["proof"]:
        return said(validity)[0], credential
    return said("key_compromised" if stolen else "bad_proof" if not signed else "key_retired")


def listed_status(document, credential, key_document, now):
    """Looks a credential up in a status list (W3C Bitstring Status List, 3.2). Returns whether it is active, revoked or unknown."""
    result, listed = open_credential(document, key_document, now)
    entry, subject = credential["credentialStatus"], (listed or {}).get("credentialSubject")
    if listed is None or listed["type"][1] != "BitstringStatusListCredential":
        return "unknown"
    if listed["id"] != entry["statusListCredential"] or listed["issuer"] != credential["issuer"]:
        return "unknown"
    if subject.get("type") != "BitstringStatusList" or subject.get("statusPurpose") != "revocation":
        return "unknown"
    encoded, index = subject.get("encodedList"), int(entry["statusListIndex"])
    if not isinstance(encoded, str) or not re.fullmatch("u[A-Za-z0-9_-]+", encoded):
        return "unknown"
    try:
        zipped = base64.urlsafe_b64decode(encoded[1:] + "=" * (-len(encoded[1:]) % 4))
        need(base64.urlsafe_b64encode(zipped).decode().rstrip("=") == encoded[1:], "not canonical base64url")
        bits = gzip.GzipFile(fileobj=io.BytesIO(zipped)).read(2**20 + 1)
        need(len(bits) == int.from_bytes(zipped[-4:], "little"), "something follows the gzip")
    except (Refused, ValueError, OSError, EOFError, zlib.error):
        return "unknown"
    if not 16_384 <= len(bits) <= 2**20:
        return "unknown"
    if bits[index // 8] & 0x80 >> index % 8:
        return "revoked"  # for ever, so that it does not matter if the list has expired
    return "active" if result["verdict"] == "valid" else "unknown"


def judge_credential(data, key_document, now, log_keys=None, policy=None, clock=None, beside=None):
    """Does all checks of a W3C credential, that of its revocation with the status list in `beside`."""
    document = parse(data)
    result, credential = open_credential(presented(document), key_document, now)
    status = (beside or {}).get("status")
    is_list = result["verdict"] != "malformed" and presented(document)["type"][1] == "BitstringStatusListCredential"
    if status is not None and is_list:
        raise WrongUsage("--status is for credentials, but this is a status list")
    if status is not None and credential is not None:
        listed = listed_status(parse(status), credential, key_document, now)
        result["checks"]["status"] = {"active": True, "revoked": False, "unknown": None}[listed]
        if result["verdict"] == "valid":
            result["verdict"] = {"active": "valid", "revoked": "revoked", "unknown": "status_unknown"}[listed]
    return {**result, "revocation": {True: "ok", False: "revoked", None: "not_checked"}[result["checks"]["status"]]}


def tree_root(hashes):
    """Returns the root of the tree of some leaf hashes (RFC 6962, 2.1)."""
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256()
    left = 1 << (len(hashes) - 1).bit_length() - 1
    return sha256(b"\x01", tree_root(hashes[:left]), tree_root(hashes[left:]))


def is_url(place):
    return re.match("https?://", place, re.IGNORECASE) is not None


def read_url(url, most, seconds=30):
    """Returns the body of a successful response. Follows no redirect: the user named this location."""
    import threading
    ended = []
    def request():
        try:
            ended.append(body_at(url, most, seconds))
        except Exception as error:
            ended.append(error)
    # The timeout of a connection begins again with each byte, and a server can send headers and trailers without end.
    thread = threading.Thread(target=request, daemon=True)
    thread.start()
    thread.join(seconds)
    [body] = ended or [Refused("the response takes too long")]
    if isinstance(body, Exception):
        raise Refused(f"{re.sub('//[^/]*@', '//', url)} cannot be read: {body}")
    return body


def body_at(url, most, seconds):
    import urllib.request  # here, since it takes long and files do not need it
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None
    body = bytearray()
    with urllib.request.build_opener(Stay).open(url, timeout=seconds) as response:
        while piece := response.read1(65_536):
            body.extend(piece)
            need(len(body) <= most, "the response is too large")
        need(not response.length, "the response ends too early")
    return bytes(body)


def content_of(place, path=""):
    """Reads a file or a URL. `path` is what is asked of a service, if the URL is that of one."""
    if not is_url(place):
        with open(place, "rb") as file:
            return file.read()
    return read_url(place if "/api/v1/" in place else place.rstrip("/") + path, 2**24)


def keys_at(place):
    """Reads a list of keys from a file, a URL or the service at a URL. Over http, another machine could give other keys."""
    if not is_url(place):
        return parse(content_of(place))
    is_local = re.fullmatch(r"localhost|127(\.[0-9]+){3}|::1", urllib.parse.urlsplit(place).hostname or "")
    need(is_local or place.lower().startswith("https:"), "keys from another machine cannot be authenticated over http")
    return parse(read_url(re.sub("^([^/]*//[^/]*)/?$", r"\1/api/v1/transparency/keys", place), 2**24, 10))


def open_regular(path):
    """Opens a regular file. Of a pipe or a device, reading could wait for ever, so these are refused."""
    mode = os.stat(path).st_mode
    flags = getattr(os, "O_NONBLOCK", 0)  # in case another file is there meanwhile
    file = open(path, "rb", opener=lambda path, usual: os.open(path, usual | flags)) if stat.S_ISREG(mode) else None
    if file is None or not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        raise Refused(f"{path} is not a regular file")
    return file


def files_at(place):
    """Returns a function that reads a file of the logs in a directory or at a URL (C2SP tlog-tiles), such as `keys/tile/entries/000`.
    A URL without a path means its /log."""
    if is_url(place) and re.search("[?#]", place):
        raise WrongUsage("the address of the logs has a part that begins with ? or #")
    base = re.sub("^([^/]*//[^/]*)/?$", r"\1/log", place).removesuffix("/")
    def read(path):
        most = 17 * 2**20 if "/tile/entries/" in path else 2**18
        if is_url(place):
            return read_url(f"{base}/{path}", most)
        with open_regular(os.path.join(place, path)) as file:
            data = file.read(most + 1)
        need(len(data) <= most, f"{path} is too large")
        return data
    return read


def tile_path(kind, number, width):
    """Returns the path of a tile or of a bundle of entries in a log."""
    *groups, last = f"{number:,}".zfill((len(str(number)) + 2) // 3 * 4 - 1).split(",")
    return "/".join([f"tile/{kind}", *("x" + group for group in groups), last]) + ("" if width == 256 else f".p/{width}")


def folded(row):
    """Returns the root of as many hashes as a power of two."""
    while len(row) > 1:
        row = [sha256(b"\x01", *row[at:at + 2]) for at in range(0, len(row), 2)]
    return row[0]


def tile_of(read, log, stored, level, index):
    """Reads a tile of a copy with so many entries. A full one must have the hash that the tile above it has."""
    width = min(256, stored // 256 ** level - index * 256)
    data = read(f"{log}/{tile_path(level, index, width)}")
    need(len(data) == 32 * width, "a tile of the copy has another size than its name says")
    row = [data[at:at + 32] for at in range(0, len(data), 32)]
    if width == 256:
        need(tile_of(read, log, stored, level + 1, index // 256)[index % 256] == folded(row), "a tile of the copy is not what the one above it says")
    return row


def root_of_tiles(read, log, stored, size):
    """Returns the root of the first entries of a log, from the tiles of a copy with so many entries."""
    roots = []
    for level in reversed(range(size.bit_length())):
        if size >> level & 1:
            first, width = ((size >> level) - 1) * 2 ** (level % 8), 2 ** (level % 8)
            roots.append(folded(tile_of(read, log, stored, level // 8, first // 256)[first % 256:first % 256 + width]))
    return functools.reduce(lambda right, left: sha256(b"\x01", left, right), reversed(roots)) if roots else sha256()


def succession(read, log, tree, copy):
    """Compares a tree of a closed log with a copy of the log that continues it: its origin and its size."""
    (origin, size, root), (name, stored) = tree, copy
    _, count, keys_root = tree_in(signature_lines(read("keys/checkpoint").decode("utf-8"))[0])
    leaves = list(itertools.chain.from_iterable(bundles_of(read, "keys", count)))
    need(tree_root([sha256(b"\0", leaf) for leaf in leaves]) == keys_root, "the entries of the log of keys do not have the root of its checkpoint")
    changes = []
    for leaf in leaves:
        with contextlib.suppress(Refused, UnicodeError):
            changes.append(read_entry("keys", leaf)[0])
    end = next((entry for entry in changes if entry["event"] == "log_closed" and entry["origin"] == origin), None)
    need(end is not None, f"the copy is of {name}, but the checkpoint is of {origin}")
    closed, closed_root = int(end["tree_size"]), bytes.fromhex(end["root_hash"])
    if size > closed and end["certain"] or size == closed and root != closed_root:
        return "forked"
    if size <= stored and root_of_tiles(read, log, stored, size) == root:
        return "ok"
    return "forked" if end["certain"] and closed <= stored and root_of_tiles(read, log, stored, closed) == closed_root else "lost"


def copied_checks(place, notes):
    """Compares checkpoints with a copy of their logs: `ok`, `forked`, or `beyond` for one that is larger than the copy. The copy can be of the
    logs that continue them: then `lost` is one of which it does not have all entries."""
    read, checks = files_at(place), []
    for note in notes[:20]:
        try:
            origin, size, root = tree_in(signature_lines(note)[0])
        except (Refused, UnicodeError):
            continue
        log = next((log for log in LOG_NAMES if origin.endswith("/" + log)), None)
        need(log is not None, "not the name of a log")
        copy, stored, own = tree_in(signature_lines(read(log + "/checkpoint").decode("utf-8"))[0])
        need(root_of_tiles(read, log, stored, stored) == own, "the tiles of the copy do not have the root of its checkpoint")
        if copy != origin:
            checks.append(succession(read, log, (origin, size, root), (copy, stored)))
            continue
        checks.append("beyond" if size > stored else "ok" if root_of_tiles(read, log, stored, size) == root else "forked")
    return next((check for check in ("forked", "lost", "beyond", "ok") if check in checks), "unchecked")


def notes_of(document, kind, proof):
    """Returns the checkpoints of a document: that of its proof, those that it cites, or itself."""
    try:
        if proof is not None:
            return [log_proof(proof)[3]]
        if kind.judge is judge_bundle:
            _, proof, _, events, linked = read_bundle(parse(document))
            return [*dict.fromkeys(note for *_, note in [*([] if proof is None else [proof]), *events, *(linked or [])])]
        if kind.judge is judge_proof:
            return [proof_in(document)[3]]
        if kind.judge is judge_checkpoint:
            return [document.decode("utf-8")]
        if kind.judge is judge_evidence_bundle:
            parts = must_be_evidence_bundle(parse(document))
            return [] if parts is None else [parts[3]]
        if kind.judge is judge_head_proof:
            _, parts = must_be_head_proof(parse(document))
            return [] if parts is None else [parts[3]]
        rows = parse(document).get("checkpoints")
        return [row["note"] for row in rows if isinstance(row, dict) and isinstance(row.get("note"), str)] if isinstance(rows, list) else []
    except (Refused, UnicodeError):
        return []


def bundles_of(read, log, size):
    """Yields the first entries of a log in bundles of 256."""
    for number_of_tile in range(0, (size + 255) // 256):
        width = min(256, size - 256 * number_of_tile)
        bundle, at, entries = read(f"{log}/{tile_path('entries', number_of_tile, width)}"), 0, []
        for _ in range(width):
            length = int.from_bytes(bundle[at:at + 2], "big")
            entries.append(bundle[at + 2:at + 2 + length])
            need(len(entries[-1]) == length and at + 2 <= len(bundle), "a bundle of entries ends within an entry")
            at += 2 + length
        need(at == len(bundle), "a bundle has more entries than the checkpoint states")
        yield entries


def key_log_at(place, is_cosigned=False):
    """Reads the log of keys from a directory or a service. Returns its checkpoint, of a service the newest cosigned one if asked, and its entries."""
    read = files_at(place)
    note = read("keys/checkpoint" + ("?cosigned=yes" if is_cosigned and is_url(place) else "")).decode("utf-8")
    size = tree_in(signature_lines(note)[0])[1]
    need(size <= 10_000, "a log of keys has at most 10,000 entries")
    return note, list(itertools.chain.from_iterable(bundles_of(read, "keys", size)))


def with_key_log(policy, place, keys, log_keys):
    """Adds the log of keys of a copy to a policy: it can record the ends of closed logs. A copy without it records none."""
    if policy is None or not keys.closed_logs:
        return policy
    policy = Policy(policy)
    with contextlib.suppress(Refused, UnicodeError, OSError):
        policy.key_log = (*key_log_at(place, True), trusted_logs(keys, log_keys, policy, "keys"))
    return policy


def closed_key_logs(places, leaves):
    """Reads copies of the closed logs of keys that a log of keys continues. Returns their origins and their entries."""
    ends = {entry["origin"]: entry for entry in reversed(read_key_log(leaves)[1].values()) if entry["event"] == "log_closed" and entry["log"] == "keys"}
    copies = []
    for place in places:
        note, own = key_log_at(place)
        origin = origin_in(note)
        need(origin in ends, f"{place}/keys is a copy of {origin}, and the log of keys names no closed log of this name")
        demand(origin not in [name for name, _ in copies], f"two --predecessor are copies of {origin}")
        need(len(own) >= ends[origin]["tree_size"], f"the copy of {origin} in {place} has {len(own)} of its {int(ends[origin]['tree_size'])} entries")
        copies.append((origin, own))
    return copies


def beside_of(log=None, content=content_of, predecessors=(), **paths):
    """Reads the further inputs of a kind of document: copies of logs of keys, and files, by a function that reads one."""
    found = {} if log is None else {"log": key_log_at(log)}
    if predecessors:
        found["closed"] = closed_key_logs(predecessors, found["log"][1])
    found.update({name: content(path) for name, path in paths.items() if path is not None})
    return {**found, "entry": entry_in(found["entry"])} if "entry" in found else found


def nullable(form):
    return lambda value: value is None or form(value)


def same(wanted):
    return lambda value: type(value) is type(wanted) and value == wanted


INSTANT, KID, SIGNATURE, NAME = as_text(instant), as_text(is_kid), as_text(is_hex(64)), nullable(any_text(256))
REVOCATION, STATUS, STATE = (as_text(one_of(*names)) for names in (("active", "revoked"), tuple(OUTCOME), ("ISSUED", "REVOKED")))
RECEIPT_ID, RESPONSE = as_text(is_id), {"signed": same(True), "as_of": MOMENT, "valid_until": MOMENT}
AGENT_SAID = {"subject_commitment": HASH, "state": STATE}
PAYMENT = {"merchant": NAME, "nonce": any_text(256), "expires_at": any_text(64), "payment_digest": HASH}

# A statement of the service: the forms of the members that are checked, which of them has its date, whether it ends at valid_until, what it says of its subject (ok, revoked or denied), and what it says differently in two places.
Statement = collections.namedtuple("Statement", "forms dated ends subject contradictions")


def revoked_if(is_revoked):
    return lambda said: "revoked" if is_revoked(said) else "ok"


def of_agent(forms, dated, ends=True, contradictions=lambda said: []):
    return Statement({**AGENT_SAID, **forms}, dated, ends, revoked_if(lambda said: said["state"] == "REVOKED"), contradictions)


def wrong_page(said):
    ranks, page = [agent["rank"] for agent in said["agents"]], said["page"]
    first, counts = ranks[0] if ranks else 1, [agent["evidence_count"] for agent in said["agents"]]
    found = {"the ranks of the agents do not follow each other": ranks != [first + index for index in range(len(ranks))],
             "agents has more elements than page.limit": len(ranks) > page["limit"],
             "the first page does not begin with rank 1": page["cursor"] is None and first != 1,
             "an agent has two ranks": len({agent["subject_commitment"] for agent in said["agents"]}) < len(ranks),
             "an agent has more evidence than one of a better rank": counts != sorted(counts, reverse=True)}
    return [problem for problem, is_wrong in found.items() if is_wrong]


def wrong_passport(said):
    commitment = sha256(f"agent-id:{said['public_key']}:{said['context']}".encode()).hex()
    found = {"did is not the did:key of public_key": did_key(bytes.fromhex(said["public_key"])) != said["did"],
             "subject_commitment is not that of public_key and context": commitment != said["subject_commitment"],
             "evidence.head does not fit to evidence.count": (said["evidence"]["count"] == 0) != (said["evidence"]["head"] is None)}
    return [problem for problem, is_wrong in found.items() if is_wrong]


def wrong_payment(said):
    terms = {name: said.get(name) for name in ("product", "credits_charged", "merchant", "nonce", "expires_at", "meter_ref")}
    digest = sha256(canonical({**terms, "subject_commitment": said["payer"]}).encode()).hex()
    return [] if said.get("payment_digest") in (None, digest) else ["payment_digest is not that of the payment"]


def by_class(forms):
    return lambda value: isinstance(value, dict) and all(isinstance(said, dict) and all(form(said.get(name)) for name, form in forms.items())
                                                         for said in value.values())


def is_sum(value):
    forms = {"asset": WORD, "kind": WORD, "direction": as_text(one_of("credit", "debit")), "count": is_count, "amount": is_count}
    return isinstance(value, dict) and all(form(value.get(name)) for name, form in forms.items()) and value.get("of", "locked") == "locked"


def changed(entry, amount):
    """Returns by how much an entry of a journal, or a sum of them, changes what is available, locked, granted, earned and spent."""
    is_credit, kind, of_locked = entry["direction"] == "credit", entry["kind"], "of" in entry
    return {"available": 0 if of_locked else amount if is_credit else -amount,
            "locked": -amount if of_locked or kind == "UNLOCK" else amount if kind == "LOCK" else 0,
            "granted": amount if kind == "OPERATOR_GRANT" else 0, "spent": 0 if is_credit or kind == "LOCK" else amount,
            "earned": amount if is_credit and kind not in ("OPERATOR_GRANT", "UNLOCK") else 0}


def end_of_month(month):
    year, number = int(month[:4]), int(month[5:])
    return f"{year + number // 12:04}-{number % 12 + 1:02}-01T00:00:00.000Z"


def wrong_sums(said):
    """Returns what the statement of an account says that does not add up."""
    start, end, turnover = f"{said['month']}-01T00:00:00.000Z", end_of_month(said["month"]), said.get("turnover", {})
    found = [] if "01" <= said["month"][5:] <= "12" and start <= said["from"] <= said["until"] <= end else ["from and until are not in the month"]
    if not found and said["until"] != end:
        found.append("the month was not over at until, but interim is false")
    names = [tuple(each.get(name) for name in ("asset", "kind", "direction", "of")) for each in said["movements"]]
    if len(set(names)) < len(names):
        found.append("movements has two sums of the same entries")
    if any(each["count"] < 1 or each["amount"] < each["count"] for each in said["movements"]):
        found.append("movements has a sum that no entries have")
    assets = dict.fromkeys([*said["opening"], *said["closing"], *turnover, *(name[0] for name in names)])
    for asset in assets:
        parts = [changed(each, int(each["amount"])) for each in said["movements"] if each["asset"] == asset]
        change = {name: sum(part[name] for part in parts) for name in ("available", "locked", "granted", "earned", "spent")}
        for name in ("available", "locked") if "turnover" in said else ("available",):
            before, after = (int(said[end].get(asset, {}).get(name, 0)) for end in ("opening", "closing"))
            if before + change[name] != after:
                found.append(f"the {name} {asset} credits are {after} at the end, and add up to {before + change[name]}")
        for name in ("granted", "earned", "spent") if "turnover" in said else ():
            if int(turnover.get(asset, {}).get(name, 0)) != change[name]:
                found.append(f"turnover.{asset}.{name} is not the sum of its movements")
    return found + (["it was issued before the month was over"] if said["issued_at"] < said["until"] else [])


WORD = matching("[A-Za-z_]{1,32}")
OF_A_MONTH = {"month": matching("[0-9]{4}-[0-9]{2}"), "from": MOMENT, "until": MOMENT, "interim": same(False), "issued_at": MOMENT,
              "movements": lambda value: isinstance(value, list) and len(value) <= 200 and all(is_sum(each) for each in value),
              "journal": {"entries": is_count, "length": is_count, "opening_head": nullable(HASH), "head": nullable(HASH)}}
BALANCES = {"available": is_count}
OF_A_POOL = {"operator_id": any_text(128), "opening": by_class(BALANCES), "closing": by_class(BALANCES)}
OF_AN_ACCOUNT = {"subject_commitment": HASH, "turnover": by_class({"granted": is_count, "earned": is_count, "spent": is_count}),
                 **dict.fromkeys(("opening", "closing"), by_class({**BALANCES, "locked": is_count}))}
OF_AN_ARTIFACT = {
    "artifact": matching("[0-9a-f]{40}|[0-9a-f]{64}"), "artifact_kind": as_text(one_of("commit", "evidence")), "anchored_at": MOMENT,
    "event_commitment_hash": HASH, "source_type": matching("[a-z0-9_]{1,64}"), "outcome": as_text(one_of("success", "failure")),
    "checked_at": MOMENT,
}
STATEMENTS = {
    "receipt-status": Statement(
        {"receipt_id": RECEIPT_ID, "content_hash": HASH, "status": STATUS, "revocation_status": REVOCATION, "checked_at": MOMENT},
        "checked_at", True, revoked_if(lambda said: said["revocation_status"] == "revoked"), lambda said: []),
    "gate-decision": Statement(
        {**RESPONSE, "operator_id": any_text(128), "domain": as_text(one_of(*DOMAINS)), "reason": matching("[A-Z_]{1,64}"),
         "allow_invocation": lambda value: isinstance(value, bool)},
        "as_of", True, lambda said: "ok" if said["allow_invocation"] else "denied",
        lambda said: [] if said["allow_invocation"] == (said["reason"] == "OK") else ["allow_invocation is not what reason says"]),
    "leaderboard": Statement(
        {**RESPONSE, "page": {"limit": is_count, "cursor": nullable(any_text(512))}, "next_cursor": nullable(any_text(512)),
         "agents": ([{"rank": is_count, "subject_commitment": HASH, "evidence_count": is_count, "score": is_count}], 100)},
        "as_of", True, lambda said: "ok", wrong_page),
    "agent-profile": of_agent({**RESPONSE, "name": NAME, "score": is_count}, "as_of"),
    "agent-attestation": of_agent({"name": NAME, "score": is_count, "sample_size": is_count, "measured_at": MOMENT}, "measured_at"),
    "artifact-attestation": of_agent(
        OF_AN_ARTIFACT, "checked_at", False,
        contradictions=lambda said: ["anchored_at is after checked_at"] if said["anchored_at"] > said["checked_at"] else []),
    "passport": of_agent(
        {"passport_id": matching("pass_[0-9a-f]{32}"), "public_key": HASH, "did": DID, "context": any_text(256), "name": NAME,
         "issued_at": MOMENT, "as_of": MOMENT, "issuer": DID, "evidence": {"count": is_count, "head": nullable(HASH)}},
        "as_of", contradictions=wrong_passport),
    "meter": Statement(
        {"meter_ref": matching("txn_[0-9a-f]{32}"), "product": matching("[a-z0-9_]{1,64}"), "payer": any_text(128),
         "credits_charged": is_count, "remaining_credits": is_count, "charged_at": MOMENT},
        "charged_at", False, lambda said: "ok", wrong_payment),
    "account-statement": Statement(OF_A_MONTH, "issued_at", False, lambda said: "ok", wrong_sums),
}

LIFETIMES = {**dict.fromkeys(("receipt-status", "gate-decision", "leaderboard", "agent-profile"), 600),
             "passport": 86_400}  # the longest time from the date to the end, in seconds


def judge_statement(data, key_document, now, log_keys=None, policy=None, clock=None):
    """Does all checks of a statement that the service signed with its key of purpose credentials."""
    keys = read_keys(key_document)
    said = parse(data)
    kind = STATEMENTS[said["type"]]
    try:
        forms = {"type": same(said["type"]), "signature": SIGNATURE, "kid": KID, **kind.forms}
        forms.update({"valid_until": MOMENT} if kind.ends else {})
        if said["type"] == "meter":
            forms.update({"sandbox": same(True)} if "sandbox" in said else {}, **(PAYMENT if set(PAYMENT) & set(said) else {}))
        if said["type"] == "account-statement":
            forms.update(OF_A_POOL if "operator_id" in said else OF_AN_ACCOUNT)
        must_fit(said, forms, said["type"])
        digest, checks = content_of_signature(said) if said["type"] == "meter" else (signed_digest(said), {})
    except (Refused, UnicodeError) as error:
        names = ("signature", "key", "consistency", "subject", "date")
        return {"verdict": "malformed", "checks": dict.fromkeys(names, "unchecked"), "problems": [str(error)]}
    named = [key for key in keys if key["purpose"] == "credentials" and key["kid"] == said["kid"]]
    dated = instant(said[kind.dated])
    inner = kind.contradictions(said)
    if not issued_by(said["issuer"] if "issuer" in kind.forms else "", named):
        inner.append("issuer is not the did:key of the key that kid names")
    checks.update(check_key(digest, said["signature"], named, dated))
    if "issuer" in kind.forms:
        checks.update(other_issuer(keys, said["issuer"]))
    checks["consistency"] = "bad" if inner else "ok"
    checks["subject"] = kind.subject(said)
    ahead = ahead_of(kind.dated, dated, max(now, clock or now))
    over = kind.ends and now > instant(said["valid_until"])
    long = said["type"] in LIFETIMES and is_late(instant(said["valid_until"]), dated + LIFETIMES[said["type"]])
    checks["date"] = "future" if ahead else "misdated" if long else "expired" if over else "ok"
    return {"verdict": statement_verdict(checks), "checks": checks, "problems": problems_of(checks) + ahead + inner}


def judge_account_statement(data, key_document, now, log_keys=None, policy=None, clock=None, beside=None):
    """Does all checks of the statement of an account; with its journal, also whether this yields the sums."""
    result, journal = judge_statement(data, key_document, now, log_keys, policy, clock), (beside or {}).get("journal")
    if journal is not None and result["verdict"] != "malformed":
        problems = journal_problems(parse(data), journal)
        result["checks"]["journal"] = "mismatch" if problems else "ok"
        result["problems"] = [*result["problems"], *problems]
    return result


class Month:
    """Adds up the entries of a journal, newest first, as the statement `said` divides them: after, in and before its period."""

    def __init__(self, said):
        self.said, self.part, self.wrong = said, "after", set()
        self.own = self.before = 0
        self.sums, self.opening, self.locked = {}, {}, {}

    def add(self, entry, is_complete):
        """Adds the next older entry. `is_complete` says that the journal has all since an opening that comes before it."""
        journal, asset, at, amount = self.said["journal"], entry["asset"], entry["created_at"], int(entry["amount"])
        if self.part == "after" and entry["entry_hash"] == journal["head"]:
            self.part = "in"
        if self.part == "in" and entry["entry_hash"] == journal["opening_head"]:
            self.part = "before"
        if self.part == "after":
            is_misplaced = at < self.said["until"]
        elif self.part == "in":
            is_misplaced = at < self.said["from"] or (self.own == 0 and at >= self.said["until"])
            key = (asset, entry["kind"], entry["direction"], entry.get("of"))
            count, total = self.sums.get(key, (0, 0))
            self.sums[key] = (count + 1, total + amount)
            self.own += 1
        else:
            is_misplaced = self.before == 0 and entry["kind"] != "OPENING" and at >= self.said["from"]
            self.opening.setdefault(asset, int(entry["balance_after"]))
            if is_complete:
                self.locked[asset] = self.locked.get(asset, 0) + changed(entry, amount)["locked"]
            self.before += 1
        if is_misplaced:
            self.wrong.add("an entry of the journal is on the wrong side of from or until")

    def problems(self, file):
        """Returns what the statement and the journal, which ended, say differently."""
        said, journal = self.said, self.said["journal"]
        for part, name in (("after", "head"), ("in", "opening_head")):
            if self.part == part and journal[name] is not None:
                return [f"the journal does not have the {name} of the statement before its other entries"]
        if self.own != journal["entries"] or self.own + self.before != journal["length"]:
            self.wrong.add("the journal has another number of entries")
        keyed = lambda entry: (entry["asset"], entry["kind"], entry["direction"], entry.get("of"))
        if {keyed(each): (int(each["count"]), int(each["amount"])) for each in said["movements"]} != self.sums:
            self.wrong.add("the journal has other sums in the period")
        stated = lambda asset, name: int(said["opening"].get(asset, {}).get(name, 0))
        for asset in {*said["opening"], *self.opening}:
            locked = int(file.opening.get(asset, {}).get("locked", 0)) + self.locked.get(asset, 0)
            if stated(asset, "available") != self.opening.get(asset, 0) or ("turnover" in said and stated(asset, "locked") != locked):
                self.wrong.add(f"the journal begins the period with other {asset} credits")
        return sorted(self.wrong)


def journal_problems(said, data):
    """Compares the statement of an account with its journal. Returns what differs."""
    file, month = JournalFile(), Month(said)
    account = said.get("operator_id", said.get("subject_commitment"))
    try:
        for content in lines_in(iter([data])):
            if content.strip(WHITE):
                is_first, value = file.header is None, file.take(content)
                need(not file.header["filtered"] and file.header[file.owner] == account, "not the whole journal of the account")
                if not is_first:
                    month.add(value, not file.is_before)
        file.end()
    except (Refused, UnicodeError) as error:
        return [str(error)]
    return month.problems(file)


def statement_verdict(checks):
    if checks.get("hash") == "mismatch":
        return "hash_mismatch"
    if checks["key"] == "unknown":
        return "key_unknown"
    if checks["signature"] != "ok":
        return "bad_signature"
    if checks["key"] != "trusted":
        return "key_" + checks["key"]
    if "issuer" in checks:
        return "issuer_unknown"
    if checks["consistency"] != "ok":
        return "inconsistent"
    if checks["subject"] == "revoked":
        return "revoked"
    if checks["date"] != "ok":
        return checks["date"]
    return "denied" if checks["subject"] == "denied" else "valid"


PRESENTATION = {"subject_commitment": HASH, "photo_url": nullable(any_text(2048)), "photo_content_sha256": nullable(HASH),
                "photo_mime_type": nullable(any_text(64))}
AUTHORIZATION = {"type": same("agent-auth"), "method": matching("[A-Z]{1,16}"), "path": matching("/[!\"$->@-~]{0,2047}"),
                 "body": lambda value: isinstance(value, dict), "audience": any_text(512), "commitment": HASH,
                 "nonce": matching("[!-~]{16,64}"), "expires_at": INSTANT}


def agent_object(data, document):
    """Returns which kind of object that an agent signed a document has as its payload: its forms; None for none."""
    payload = document.get("payload") if isinstance(document, dict) and "type" not in document else None
    if not isinstance(payload, dict):
        return None
    if "type" in payload and payload["type"] in STATEMENT_TYPES:
        return AUTHORIZATION if payload["type"] == "agent-auth" else None
    return PRESENTATION if set(PRESENTATION) <= set(payload) else None


STATEMENT_TYPES = (*STATEMENTS, "agent-auth", "assessment", "compliance-package", "datacenter-scorecard", "key-event")


def judge_agent_object(data, key_document, now, log_keys=None, policy=None, clock=None):
    """Checks an object that an agent signed, {payload, signature, public_key, context}. The object names the agent by its commitment."""
    read_keys(key_document)
    document = parse(data)
    forms = agent_object(data, document)
    payload = document["payload"]
    try:
        need(set(document) <= {"payload", "signature", "public_key", "context"}, "there are other members")
        need(set(payload) <= set(forms), "payload has other members")
        must_fit(document, {"payload": forms, "signature": SIGNATURE, "public_key": HASH}, "document")
        need(any_text(256)(document.get("context", "-")), "context is not of its form")
        photo = [payload.get(name) is None for name in PRESENTATION if name != "subject_commitment"]
        need(forms is AUTHORIZATION or all(photo) or not any(photo), "the members of the photo are not all null")
        digest = sha256(canonical(payload).encode())
    except (Refused, UnicodeError) as error:
        return {"verdict": "malformed", "checks": dict.fromkeys(("agent", "signature", "date"), "unchecked"), "problems": [str(error)]}
    key, signature = bytes.fromhex(document["public_key"]), bytes.fromhex(document["signature"])
    named = payload["commitment" if forms is AUTHORIZATION else "subject_commitment"]
    own = sha256(f"agent-id:{document['public_key']}:{document.get('context', 'passport-v1')}".encode()).hex()
    raw = forms is PRESENTATION and ed25519(key, digest, signature)  # older clients sign the 32 bytes
    signed = raw or ed25519(key, digest.hex().encode(), signature)
    end = instant(payload["expires_at"]) if forms is AUTHORIZATION else None
    checks = {"agent": "ok" if own == named else "mismatch", "signature": "ok" if signed else "bad", "date": "ok"}
    if end is not None and end <= now:
        checks["date"] = "expired"
    elif end is not None and round(1000 * (end - now)) > 600_000:
        checks["date"] = "future"
    bad = {"agent": "inconsistent", "signature": "bad_signature", "date": checks["date"]}
    return {"verdict": next((bad[name] for name in bad if checks[name] != "ok"), "valid"), "checks": checks, "problems": problems_of(checks)}


ITEM = {"subject_commitment": HASH, "public_key": HASH, "index": is_count, "event_commitment_hash": HASH,
        "prev_event_hash": nullable(HASH), "source_type": matching("[a-z0-9_]{1,64}"), "payload_digest": HASH,
        "outcome": as_text(one_of("success", "failure")), "reading": as_text(one_of("digest", "raw", "shallow")),
        "created_at": MOMENT, "signature": SIGNATURE, "payload": lambda value: isinstance(value, dict)}


def is_evidence(data, document):
    return isinstance(document, dict) and "type" not in document and {"event_commitment_hash", "source_type"} <= set(document)


def shallow(value, topmost=False):
    """Returns JSON as JavaScript prints it: members whose names are array indexes come first. Only the topmost are sorted."""
    if isinstance(value, dict):
        is_index = lambda name: re.fullmatch("0|[1-9][0-9]{0,9}", name) and int(name) < 2**32 - 1
        names = sorted(filter(is_index, value), key=int) + [name for name in value if not is_index(name)]
        names = sorted(names, key=lambda name: name.encode("utf-16-be", "surrogatepass")) if topmost else names
        return "{" + ",".join(canonical(name) + ":" + shallow(value[name]) for name in names) + "}"
    return "[" + ",".join(map(shallow, value)) + "]" if isinstance(value, list) else canonical(value)


def commitment_of(item):
    """Returns the commitment of the agent with the public key and the context of an item of evidence."""
    return sha256(f"agent-id:{item['public_key']}:{item.get('context', 'passport-v1')}".encode()).hex()


def event_of(item):
    """Returns the members of an item of evidence that its hash covers."""
    return {name: item[name] for name in ("payload_digest", "prev_event_hash", "source_type", "subject_commitment")}


def is_hashed_event(item):
    """Says whether an item has the hash of its members, and an item before it exactly if it is not the first."""
    is_first = item["prev_event_hash"] is None
    return (item["index"] == 0) == is_first and sha256(canonical(event_of(item)).encode()).hex() == item["event_commitment_hash"]


def check_logged(item, proven, read):
    """Says whether a proof shows that the log of evidence has an item. `proven` is what was judged of it, `read` returns its parts."""
    if proven["verdict"] not in ("valid", "misdated", "future", *OTHER_LOGS) or not origin_in(read()[3]).endswith("/evidence"):
        return "bad"
    if proven["verdict"] != "valid":
        return proven["verdict"]
    entry, _ = read_entry("evidence", read()[1])
    said = {**event_of(item), "event_commitment_hash": item["event_commitment_hash"], "index": item["index"], "anchored_at": item["created_at"]}
    return "ok" if said == {name: entry[name] for name in said} else "mismatch"


def judge_evidence(data, key_document, now, log_keys=None, policy=None, clock=None, beside=None):
    """Does all checks of an item of evidence, with the proof in `beside` also that the log has it."""
    proof, keys = (beside or {}).get("proof"), read_keys(key_document)
    is_cited = proof is not None  # an empty file is a proof too, and a bad one
    names = ("agent", "signature", "hashes") + (("proof",) if is_cited else ()) + (("quorum",) if is_cited and policy else ())
    item = parse(data)
    try:
        need(set(item) <= {*ITEM, "context"}, "the item has other members")
        must_fit(item, ITEM, "item")
        need(any_text(256)(item.get("context", "-")), "context is not of its form")
        payload = item["payload"]
        is_signed_type = "type" in payload and payload["type"] in STATEMENT_TYPES and payload["type"] != item["source_type"]
        is_other = is_signed_type or set(PRESENTATION) <= set(payload)
        need(not is_other, "payload is signed for another purpose")
        digest = sha256(canonical(payload).encode())
        messages = {"digest": digest.hex().encode(), "raw": digest, "shallow": sha256(shallow(payload, True).encode()).hex().encode()}
    except (Refused, UnicodeError) as error:
        return {"verdict": "malformed", "checks": dict.fromkeys(names, "unchecked"), "problems": [str(error)]}
    key, signature, message = bytes.fromhex(item["public_key"]), bytes.fromhex(item["signature"]), messages[item["reading"]]
    is_signed = ed25519(key, message, signature) and (item["reading"] != "shallow" or message != messages["digest"])
    fit = digest.hex() == item["payload_digest"] and is_hashed_event(item)
    checks = {"agent": "ok" if commitment_of(item) == item["subject_commitment"] else "mismatch", "signature": "ok" if is_signed else "bad",
              "hashes": "ok" if fit else "mismatch"}
    if is_cited:
        proven = judge_proof(proof, key_document, now, log_keys, policy, clock)
        checks["proof"] = check_logged(item, proven, lambda: log_proof(proof))
        checks.update({"quorum": proven["checks"]["quorum"]} if policy else {})
    bad = {"agent": "inconsistent", "signature": "bad_signature", "hashes": "hash_mismatch", "proof": "bad_proof"}
    if checks.get("proof") in ("mismatch", "misdated", "future", *OTHER_LOGS):
        bad["proof"] = checks["proof"]
    said = problems_of(checks) + (proven["problems"] if checks.get("proof") == "future" else [])
    return {"verdict": next((bad[name] for name in bad if checks.get(name, "ok") != "ok"), "valid"), "checks": checks,
            "problems": said, "trees": proven.get("trees", []) if is_cited else []}


BUNDLED = {name: form for name, form in ITEM.items() if name not in ("outcome", "reading", "signature", "payload")}


def bundled_proof(path, name):
    """Reads a proof in a bundle like `proof_in`. It has no other members: nothing would sign them."""
    is_proof = isinstance(path, dict) and set(path) - {"cosigned"} == PROOF and isinstance(path.get("cosigned", True), bool) and isinstance(path["hashes"], list) and len(path["hashes"]) <= 63
    need(is_proof, f"{name} has not the members of a proof, or more than 63 hashes")
    return proof_of_object(path, name)


def must_be_evidence_bundle(bundle):
    """Refuses what is not a bundle of evidence: neither it nor its proof has members that nothing would sign. Returns the parts of the
    proof as `proof_in` does; None if it has none."""
    need(set(bundle) <= {"type", "item", "proof", "inclusion_reason"} and "proof" in bundle, "not the members of a bundle")
    item, proof = bundle.get("item"), bundle["proof"]
    must_fit(item, BUNDLED, "item")
    need(set(item) <= {*BUNDLED, "context", "outcome"}, "the item has other members")
    need(any_text(256)(item.get("context", "-")), "context is not of its form")
    need(ITEM["outcome"](item.get("outcome", "success")), "outcome is not of its form")
    reason = bundle.get("inclusion_reason", "")
    need(isinstance(reason, str) and len(reason.encode("utf-16-le", "surrogatepass")) <= 2 * 1024, "inclusion_reason is not of its form")
    if proof is None:
        return None
    need("inclusion_reason" not in bundle, "inclusion_reason is there although there is a proof")
    parts = bundled_proof(proof, "proof")
    parts[3].encode()  # refuses half of a surrogate pair
    return parts


def judge_evidence_bundle(data, key_document, now, log_keys=None, policy=None, clock=None):
    """Does all checks of a bundle of an item of evidence. The payload and the signature of the agent are not in it."""
    read_keys(key_document)  # an error in it comes before any verdict
    names, bundle = ("agent", "hashes", "proof") + (("quorum",) if policy else ()), parse(data)
    try:
        parts = must_be_evidence_bundle(bundle)
    except (Refused, UnicodeError) as error:
        return {"verdict": "malformed", "checks": dict.fromkeys(names, "unchecked"), "problems": [str(error)]}
    item, said, trees = bundle["item"], [], []
    checks = {"agent": "ok" if commitment_of(item) == item["subject_commitment"] else "mismatch",
              "hashes": "ok" if is_hashed_event(item) else "mismatch", "proof": "missing", **({"quorum": "unchecked"} if policy else {})}
    if parts is not None:
        proven = judge_note(parts[3].encode(), key_document, now, log_keys, policy, clock, parts[:3])
        checks["proof"] = check_logged(item, proven, lambda: parts)
        checks.update({"quorum": proven["checks"]["quorum"]} if policy else {})
        said = proven["problems"] if checks["proof"] == "future" else []
        trees = proven.get("trees", [])
    of_proof = {"missing": "not_proven", "bad": "bad_proof"}.get(checks["proof"], checks["proof"])
    bad = {"agent": "inconsistent", "hashes": "hash_mismatch", "proof": of_proof}
    verdict = next((bad[name] for name in bad if checks[name] != "ok"), "valid")
    return {"verdict": verdict, "checks": checks, "problems": problems_of(checks) + said, "trees": trees}


HEAD_PROOF = {"type", "date", "leaf", "leaf_index", "hashes", "proof"}


def must_be_head_proof(document):
    """Refuses what is not a proof of the head of a journal: nothing signs it, so it has no other members. Returns the path in the tree of
    heads, and the parts of the proof as `proof_in` does; None if it has none."""
    need(set(document) == HEAD_PROOF, "not the members of a proof of a journal head")
    leaf, hashes = document["leaf"], document["hashes"]
    need(isinstance(leaf, dict) and set(leaf) == {"account", "entries", "head", "salt", "v"}, "leaf has not its members")
    need(fits(is_hex(32), leaf["account"]) or fits(lambda text: re.fullmatch("op_cus_[A-Za-z0-9]{24}", text), leaf["account"]), "leaf.account is not of its form")
    need(is_count(leaf["entries"]) and leaf["entries"] >= 1 and leaf["v"] == 1.0 and leaf["v"] is not True, "leaf.entries or leaf.v is not of its form")
    need(fits(is_hex(32), leaf["head"]) and fits(is_hex(16), leaf["salt"]), "leaf.head or leaf.salt is not of its form")
    need(fits(is_day, document["date"]) and is_count(document["leaf_index"]), "date or leaf_index is not of its form")
    need(isinstance(hashes, list) and len(hashes) <= 63 and all(isinstance(text, str) for text in hashes), "hashes has not its form")
    path = [base64_of(text, 32) for text in hashes]
    if document["proof"] is None:
        return path, None
    parts = bundled_proof(document["proof"], "proof")
    parts[3].encode()  # refuses half of a surrogate pair
    return path, parts


def check_journal(journal, leaf):
    """Says whether a whole downloaded journal is that of the account, and has the head where it was."""
    file = JournalFile(leaf["head"])
    try:
        for content in lines_in(iter([journal])):
            if content.strip(WHITE):
                file.take(content)
                need(not file.header["filtered"] and file.header[file.owner] == leaf["account"], "not the whole journal of the account")
        file.end()
    except Refused:
        return "bad"
    if file.newer is None:
        return "missing"
    return "ok" if file.entries - file.newer == leaf["entries"] else "bad"


def judge_head_proof(data, key_document, now, log_keys=None, policy=None, clock=None, beside=None):
    """Does all checks of a proof of the head of a journal, and whether a journal has the head if there is one."""
    read_keys(key_document)  # an error in it comes before any verdict
    journal, document = (beside or {}).get("journal"), parse(data)
    names = ("head", "proof") + (("journal",) if journal is not None else ()) + (("quorum",) if policy else ())
    try:
        path, parts = must_be_head_proof(document)
    except (Refused, UnicodeError) as error:
        return {"verdict": "malformed", "checks": dict.fromkeys(names, "unchecked"), "problems": [str(error)]}
    leaf, said, trees, heads = document["leaf"], [], [], None
    checks = {**dict.fromkeys(names, "unchecked"), "proof": "missing"}
    if parts is not None:
        proven = judge_note(parts[3].encode(), key_document, now, log_keys, policy, clock, parts[:3])
        is_accounts = proven["verdict"] in ("valid", "misdated", "future", *OTHER_LOGS) and origin_in(parts[3]).endswith("/accounts")
        checks["proof"] = "bad" if not is_accounts else "ok" if proven["verdict"] == "valid" else proven["verdict"]
        checks.update({"quorum": proven["checks"]["quorum"]} if policy else {})
        said, trees = proven["problems"] if checks["proof"] == "future" else [], proven.get("trees", [])
        if checks["proof"] == "ok":
            heads = read_entry("accounts", parts[1])[0]
            checks["proof"] = "ok" if heads["event"] == "journal_heads" else "mismatch"
    if checks["proof"] == "ok":
        hashed = sha256(b"\x00", canonical(leaf).encode())
        index, size = int(document["leaf_index"]), int(heads["accounts"])
        is_own = heads["date"] == document["date"] and index < size and root_from(hashed, index, size, path) == bytes.fromhex(heads["root"])
        checks["head"] = "ok" if is_own else "mismatch"
    if journal is not None:
        checks["journal"] = check_journal(journal, leaf)
    of_proof = {"missing": "not_proven", "bad": "bad_proof"}.get(checks["proof"], checks["proof"])
    bad = {"proof": of_proof, "head": "mismatch", "journal": "journal_cut"}
    verdict = next((bad[name] for name in bad if checks.get(name, "ok") != "ok"), "valid")
    return {"verdict": verdict, "checks": checks, "problems": problems_of(checks) + said, "trees": trees}


AGORA = {"propose": "proposed", "counter": "countered", "accept": "accepted", "reject": "rejected", "withdraw": "withdrawn"}
TERMS = lambda value: value is None or isinstance(value, dict)
ANCHOR = {"index": is_count, "entry_hash": HASH, "prev_hash": nullable(HASH)}
STEP = {**ANCHOR, "proposal_prev_hash": nullable(HASH), "action": as_text(one_of(*AGORA)), "commitment": HASH, "to_commitment": HASH,
        "terms": TERMS, "timestamp": INSTANT,
        "agent_auth": {**dict.fromkeys(("audience", "nonce", "expires_at"), lambda value: isinstance(value, str)), "signature": SIGNATURE}}
PROPOSAL = {"agora_version": same("1.0"), "proposal_id": matching("agora_[0-9a-f]{32}"), "status": as_text(one_of(*AGORA.values())),
            "action": as_text(one_of(*AGORA)), "ledger_anchor": ANCHOR, "from_commitment": HASH, "to_commitment": HASH, "terms": TERMS,
            "parties": ([{"commitment": HASH, "public_key": HASH, "context": lambda value: isinstance(value, str)}], 2**53),
            "timeline": ([STEP], 2**53)}


def is_proposal(data, document):
    return isinstance(document, dict) and "type" not in document and "agora_version" in document


def same_members(value, form):
    """Returns whether a value that has the form has no other members."""
    if isinstance(form, tuple):
        return all(same_members(item, form[0][0]) for item in value)
    return not isinstance(form, dict) or set(value) == set(form) and all(same_members(value[name], form[name]) for name in form)


def may_follow(last, taken, step):
    """Returns whether a step of a proposal may follow another, None for the first."""
    if last is None:
        return step["action"] == "propose"
    parties = [(one["commitment"], one["to_commitment"]) for one in (last, step)]
    by_maker, by_receiver = parties[0] == parties[1], parties[0] == parties[1][::-1]
    if step["action"] == "propose" or last["action"] not in ("propose", "counter") or not (by_maker or by_receiver):
        return False
    if (step["action"] == "withdraw" and by_receiver) or (step["action"] != "withdraw" and by_maker):
        return False
    return step["action"] != "counter" or taken < 31


def signed_step(proposal, step):
    """Returns the message that the agent of a step signed."""
    body = {"from_commitment": step["commitment"], "to_commitment": step["to_commitment"], "action": step["action"]}
    if step["proposal_prev_hash"] is not None:
        body.update(proposal_id=proposal["proposal_id"], prev_hash=step["proposal_prev_hash"])
    if step["terms"] is not None:
        body["terms"] = step["terms"]
    auth = {name: value for name, value in step["agent_auth"].items() if name != "signature"}
    said = {"type": "agent-auth", "method": "POST", "path": "/api/v1/agora/negotiate", "body": body, "commitment": step["commitment"], **auth}
    return sha256(canonical(said).encode()).hex().encode()


def judge_proposal(data, key_document, now, log_keys=None, policy=None, clock=None):
    """Does all checks of an AGORA proposal, which proves itself."""
    read_keys(key_document)
    proposal, names = parse(data), ("parties", "signatures", "steps", "summary")
    try:
        must_fit(proposal, PROPOSAL, "proposal")
        need(same_members(proposal, PROPOSAL), "a member is unknown")
        entries = [{**step, "v": 1, "proposal_id": proposal["proposal_id"]} for step in proposal["timeline"]]
        unhashed = [{name: value for name, value in entry.items() if name != "entry_hash"} for entry in entries]
        hashes = [sha256(canonical(entry).encode()).hex() for entry in unhashed]
        messages = [signed_step(proposal, step) for step in proposal["timeline"]]
        commitments = [sha256(f"agent-id:{party['public_key']}:{party['context']}".encode()).hex() for party in proposal["parties"]]
        canonical(proposal).encode()
    except (Refused, UnicodeError) as error:
        return {"verdict": "malformed", "checks": dict.fromkeys(names, "unchecked"), "problems": [str(error)]}
    steps, parties = proposal["timeline"], proposal["parties"]
    keys = {party["commitment"]: party["public_key"] for party, own in zip(parties, commitments) if party["commitment"] == own}
    signed = [step["commitment"] in keys and
              ed25519(bytes.fromhex(keys[step["commitment"]]), message, bytes.fromhex(step["agent_auth"]["signature"]))
              for step, message in zip(steps, messages)]
    fine = []
    for taken, step in enumerate(steps):
        last = steps[taken - 1] if taken else None
        fine.append(hashes[taken] == step["entry_hash"] and may_follow(last, taken, step)
                    and step["proposal_prev_hash"] == (last and last["entry_hash"])
                    and (step["terms"] is not None) == (step["action"] in ("propose", "counter")))
        if last:
            fine.append(step["index"] > last["index"] and step["agent_auth"]["audience"] == last["agent_auth"]["audience"])
            fine.append(step["index"] != last["index"] + 1 or step["prev_hash"] == last["entry_hash"])
    summary = False
    if steps:
        agents = [steps[0]["commitment"], steps[0]["to_commitment"]]
        offered = next((step["terms"] for step in reversed(steps) if step["terms"] is not None), None)
        summary = (proposal["action"], proposal["status"]) == (steps[-1]["action"], AGORA[steps[-1]["action"]]) \
            and proposal["ledger_anchor"] == {name: steps[-1][name] for name in ANCHOR} \
            and [proposal["from_commitment"], proposal["to_commitment"]] == agents \
            and [party["commitment"] for party in parties] == agents and canonical(proposal["terms"]) == canonical(offered)
    holds = ([party["commitment"] for party in parties] == commitments, all(signed), all(fine), summary)
    checks = {name: "ok" if held else "bad" for name, held in zip(names, holds)}
    bad = {"parties": "inconsistent", "signatures": "bad_signature", "steps": "bad_step", "summary": "mismatch"}
    return {"verdict": next((bad[name] for name in bad if checks[name] != "ok"), "valid"), "checks": checks,
            "problems": problems_of(checks)}


# What a bundle of a receipt has. Nothing signs it, so that it and its proofs have no other members.
Bundle = collections.namedtuple("Bundle", "receipt proof status events linked")
BUNDLE = {"type", "receipt", "proof", "inclusion_reason", "status", "key_events", "linked"}
PROOF = {"log", "leaf_index", "tree_size", "leaf_entry", "leaf_hash", "hashes", "checkpoint"}
QUORUMS = ("unchecked", "bad", "missing", "future", "none", "closed", "ok")  # from worst to best


def is_bundle(_, document):
    return isinstance(document, dict) and document.get("type") == "receipt-bundle"


def read_bundle(document):
    """Reads the parts of a bundle, the proofs like `proof_in`. `linked` is None if it has none."""
    need(is_bundle(None, document) and set(document) <= BUNDLE, "it has other members than a bundle of a receipt")
    need("proof" in document and "status" in document, "proof or status is missing")
    proof, events, linked = document["proof"], document.get("key_events"), document.get("linked", {})
    need(("inclusion_reason" in document) == (proof is None), "inclusion_reason belongs to a proof that is null")
    reason = document.get("inclusion_reason", "")
    need(isinstance(reason, str) and len(reason.encode("utf-16-le", "surrogatepass")) <= 2048, "inclusion_reason is not a text of at most 1,024 characters")
    need(isinstance(events, list) and len(events) <= 2, "key_events are not at most two")
    need(isinstance(linked, dict) and set(linked) <= set(ACTS), "linked has other members than the acts on a receipt")
    return Bundle(document.get("receipt"), None if proof is None else bundled_proof(proof, "proof"), document["status"],
                  [bundled_proof(path, "one of key_events") for path in events],
                  [bundled_proof(path, "one of linked") for path in linked.values()] if "linked" in document else None)


def key_after(entry, common):
    """Returns the row that a list of keys has of a key whose newest event this is."""
    ended, status = entry["event"] in ("retired", "compromised"), {"added": "next", "activated": "active"}.get(entry["event"], entry["event"])
    overlap = 30 if status == "retired" and entry["purpose"].endswith("-log") else 0
    return {"kid": entry["kid"], "public_key": entry["public_key"], "purpose": entry["purpose"], "status": status, "valid_from": entry["at"],
            "valid_until": later(entry["at"], overlap) if ended else None, "receipts_logs": [common + "/receipts"] if ended else [],
            "receipts_tree_size": entry["receipts_tree_size"] if ended else None}


def check_key_events(proofs, of_logs, policy, now, is_signer):
    """Checks that a log of keys has events. Returns the result, what each event says of its key, the part of the origin of the log before its
    name (nothing and None unless all are proven), and the results of the cosignatures."""
    rows, origins, quorums = [], set(), []
    for index, leaf, path, note in proofs:
        result = note_result(note.encode(), of_logs, policy, now, (index, leaf, path))
        quorums += [quorum for quorum in (result["checks"].get("quorum", "unchecked"),) if quorum != "unchecked"]
        refused = result["verdict"] if result["verdict"] in OTHER_LOGS else "bad"
        origin = origin_in(note)
        if result["verdict"] != "valid" or not origin.endswith("/keys"):
            return refused, [], None, quorums
        entry = read_entry("keys", leaf)[0]
        if entry["event"] in LOG_CHANGES or entry["algorithm"] != "Ed25519" or thumbprint(entry) != entry["kid"]:
            return "bad", [], None, quorums
        if not is_signer(entry["kid"]) or any(row["kid"] == entry["kid"] for row in rows):
            return "bad", [], None, quorums
        origins.add(origin)
        rows.append(key_after(entry, origin[:-len("/keys")]))
    if len(origins) > 1:
        return "bad", [], None, quorums
    return "ok", rows, next((origin[:-len("/keys")] for origin in origins), None), quorums


def bundle_result(document, keys, now, of_logs, policy, fresh, clock=None, domain=None, revocations=None):
    """Does all checks of a bundle of a receipt with the keys of `read_keys`, None for those that the log of keys has, and of `trusted_logs`. A
    status that is no longer valid shows that the receipt was not revoked then."""
    present = max(now, clock or now)
    try:
        bundle = read_bundle(document)
    except (Refused, UnicodeError) as error:
        asked = [name for name, given in (("domain", domain), ("revocation", revocations), ("quorum", policy)) if given is not None]
        names = ("hash", "signature", "key", "status", *asked)
        return {"verdict": "malformed", "revocation": "not_checked", "checks": dict.fromkeys(names, "unchecked"), "problem": str(error)}
    receipt, proof, status, events, linked = bundle
    said = lambda value, name: value[name] if isinstance(value, dict) and isinstance(value.get(name), str) else ""
    is_signer = lambda kid: not isinstance(receipt, dict) or "kid" not in receipt or kid in (receipt["kid"], said(status, "kid"))
    check, shown, common, quorums = check_key_events(events, of_logs, policy, present, is_signer)
    foreign = proof is not None and common is not None and origin_in(proof[3]) != common + "/receipts"
    # Of two rows of a key, the stricter counts, but nothing is trusted that the list does not have.
    listed = None if keys is None else {(key.get("kid"), key["purpose"]) for key in keys}
    seen = keys is not None or all(quorum in MET for quorum in quorums)  # what nobody else may see makes no key trusted
    rows, shown = shown, [] if foreign or not seen else [row for row in shown if listed is None or (row["kid"], row["purpose"]) in listed]
    until = instant(said(status, "valid_until"))
    status_at = now if fresh or until is None else min(now, until)
    result = judge_parsed(receipt, [*(keys or ()), *shown], now, proof, (status, status_at), of_logs, policy, clock, domain=domain, revocations=revocations)
    checks, result["trees"] = result["checks"], result.get("trees", []) + trees_of(of_logs, *(note for *_, note in events))
    if result["verdict"] == "malformed":
        checks.update({"key_events": "unchecked"} if events else {}, **({} if linked is None else {"linked": "unchecked"}))
        return result
    if events:
        signers = (signer_of(receipt, [*(keys or ()), *shown]), said(status, "kid"))
        strange = any(row["kid"] not in signers for row in rows)
        whole = all(any(row["kid"] == kid for row in rows) for kid in signers)
        checks["key_events"] = "bad" if foreign or check == "ok" and strange else "partly" if check == "ok" and not whole else check
    if policy is not None and checks["quorum"] != "unchecked":
        quorums.append(checks["quorum"])
    if linked is not None:
        checks["linked"], of_leaves = linked_result(receipt, linked, of_logs, policy, present)
        result["trees"] += trees_of(of_logs, *(note for *_, note in linked), log="accounts")
        quorums += of_leaves
        own = origin_in(proof[3]) if proof is not None else ""
        own = own[:-len("/receipts")] if own.endswith("/receipts") else common
        if checks["linked"] in ("ok", "issue_unproven") and own is not None and any(origin_in(note) != own + "/accounts" for *_, note in linked):
            checks["linked"] = "mismatch"
    if policy is not None:
        if proof is None:  # cosignatures of other logs do not show that witnesses saw the one that has the receipt
            checks["proof"] = "missing"
            quorums += ["missing"] if policy[2] is not None else []
        checks["quorum"] = min(quorums, key=QUORUMS.index, default="unchecked")
    if result["revocation"] == "ok" and checks.get("revocation") != "ok" and status_at < now:
        result["revocation_as_of"] = status["checked_at"]
    fine = {"quorum": ("ok", *MET), "key_events": ("ok", "partly")}
    wrong = [f"{name}: {value}" for name, value in checks.items() if name in OF_BUNDLE and value not in fine.get(name, ("ok",))]
    return {**result, "problems": result.get("problems", []) + wrong} if wrong else result


OF_BUNDLE = ("proof", "status", "quorum", "key_events", "linked")
OF_RECEIPT_ASKED = ("domain", "proof", "status", "revocation")  # checks that can be asked of a receipt


def bundle_as_asked(result):
    return as_asked(result, *OF_RECEIPT_ASKED, "linked") and result["checks"].get("key_events", "ok") in ("ok", "partly")


def signer_of(receipt, keys):
    """Returns the kid of the key that signed a receipt: the one that it names, else one that verifies its signature; None for none."""
    if "kid" in receipt:
        return receipt["kid"]
    message, signature = receipt["content_hash"].encode(), bytes.fromhex(receipt["signature"])
    return next((key["kid"] for key in keys if key["purpose"] == "receipts" and ed25519(bytes.fromhex(key["public_key"]), message, signature)), None)


def judge_bundle(data, key_document, now, log_keys=None, policy=None, clock=None, beside=None):
    """Does all checks of a bundle of a receipt. `key_document` is None to trust the keys that its key events show."""
    keys = TrustedKeys() if key_document is None else read_keys(key_document)
    of_logs = trusted_logs(keys, log_keys, policy, *LOG_NAMES)
    beside = beside or {}
    return bundle_result(parse(data), None if key_document is None else keys, now, of_logs, policy, beside.get("fresh", False), clock,
                         beside.get("domain"), beside.get("revocations"))


def has_type(name):
    return lambda data, document: isinstance(document, dict) and document.get("type") == name


# A kind of document besides receipts: whether it cites checkpoints of logs, what recognises a document (its bytes, and the JSON in
# them or None), and what judges it.
# `needs` is the option without which nothing can be said, `takes` the options that are of receipts too.
Kind = collections.namedtuple("Kind", "name cites_logs recognises judge needs takes", defaults=(None, ()))
KINDS = [
    Kind("bundle of a receipt", True, is_bundle, judge_bundle, None, ("fresh",)),
    Kind("compliance package", True, has_type("compliance-package"), judge_package),
    Kind("bundle of evidence", True, has_type("evidence-bundle"), judge_evidence_bundle),
    Kind("proof of a journal head", True, has_type("journal-head-proof"), judge_head_proof, None, ("journal",)),
    Kind("scorecard", False, has_type("datacenter-scorecard"), judge_scorecard),
    Kind("list of keys", True, is_key_document, judge_keys, "log"),
    Kind("credential", False, is_credential, judge_credential, None, ("status",)),
    Kind("account-statement", False, has_type("account-statement"), judge_account_statement, None, ("journal",)),
    *(Kind(name, False, has_type(name), judge_statement) for name in STATEMENTS),
    Kind("item of evidence", True, is_evidence, judge_evidence, None, ("proof",)),
    Kind("AGORA proposal", False, is_proposal, judge_proposal),
    Kind("object of an agent", False, agent_object, judge_agent_object),
    Kind("COSE receipt", True, lambda data, _: data.startswith(COSE_START), judge_cose, "entry"),
    Kind("proof of a log", True, lambda data, _: data.startswith(b"c2sp.org/tlog-proof"), judge_proof),
    Kind("checkpoint", True, lambda data, _: not data.startswith(b"{") and "\n\n\u2014 ".encode() in data, judge_checkpoint),
]


def kind_of(data):
    """Returns the kind of a document; None for a receipt and for everything unknown, which is then malformed as a receipt."""
    try:
        document = parse(data)
    except Refused:
        document = None
    return next((kind for kind in KINDS if kind.recognises(data, document)), None)


def judge_document(data, key_document, now, proof=None, status=None, log_keys=None, policy=None, clock=None, beside=None):
    """Does all checks of a document of any kind."""
    kind = kind_of(data)
    if kind is None:
        more = [(beside or {}).get(name) for name in ("entry", "domain", "revocations")]
        return judge(data, key_document, now, proof, status, log_keys, policy, clock, *more)
    if kind.needs is None and not kind.takes:
        return kind.judge(data, key_document, now, log_keys, policy, clock)
    return kind.judge(data, key_document, now, log_keys, policy, clock, beside)


# What the log of accounts can prove of a receipt: the hashes are those of its versions at its issue, finalization and revocation.
Listed = collections.namedtuple("Listed", "receipt_id operator_id agent issued_at expiry issued finalized revoked")
ACTS = ("issued", "finalized", "revoked")


def milliseconds(text):
    return round(1000 * instant(text))


def listed_receipt(receipt):
    """Returns what a receipt says. Only the outcome and revocation_status change, so the hashes of earlier versions follow from it."""
    is_final, is_revoked = receipt["status"] != "pending", receipt["revocation_status"] == "revoked"
    before = {**receipt, "revocation_status": "active"}
    at_issue = {name: value for name, value in before.items() if name not in (*filter(None, OUTCOME.values()), "error_tranche")}
    latest = receipt["content_hash"]
    return Listed(
        receipt["receipt_id"], receipt["operator_id"], sha256(f"linked-agent:{receipt['operator_id']}:{receipt['agent_id']}".encode()).hex(),
        milliseconds(receipt["issued_at"]), milliseconds(receipt["expiry"]),
        content_hash({**at_issue, "status": "pending"}) if is_final or is_revoked else latest,
        None if not is_final else content_hash(before) if is_revoked else latest, latest if is_revoked else None)


def account_of(operator_id):
    return sha256(f"linked-account:{operator_id}".encode()).hex()


def leaves_in(manifest):
    """Returns the proofs in `account_leaves` of a public manifest, like `proof_in`."""
    document = parse(manifest)
    leaves = document.get("account_leaves") if isinstance(document, dict) else {}
    leaves = [] if leaves is None else leaves
    need(isinstance(leaves, list), "it is no public manifest")
    return [proof_of_object(leaf.get("inclusion_path") if isinstance(leaf, dict) else None, "the inclusion_path of a leaf") for leaf in leaves]


def check_linked(receipt, proofs, of_logs):
    """Checks that the log of accounts has a leaf for each act on a receipt. Returns the result."""
    listed, found = listed_receipt(receipt), {}
    for index, leaf, path, note in proofs:
        try:
            need(origin_in(note).endswith("/accounts"), "not a checkpoint of a log of accounts")
            _, size, root = open_checkpoint(note, of_logs)
            need(index < size and root_from(sha256(b"\0", leaf), index, size, path) == root, "the leaf is not in the tree")
            entry, _ = read_entry("accounts", leaf)
            need(entry["event"] != "journal_heads", "an entry of heads of journals is of no receipt")
            need(entry["receipt_id"] is not None, "the leaf is of no receipt")
        except OtherLog as error:
            return error.check
        except (Refused, UnicodeError):
            return "bad"
        event, own = entry["event"], (listed.receipt_id, account_of(listed.operator_id), listed.agent)
        if (entry["receipt_id"], entry["account"], entry["agent"]) != own or event in found:
            return "mismatch"
        if event == "issued" and milliseconds(entry["at"]) != listed.issued_at:
            return "mismatch"
        found[event] = entry["content_hash"]
    for event in ("finalized", "revoked", "issued"):
        version, logged = getattr(listed, event), found.get(event)
        if logged is not None and logged != version:
            return "mismatch"
        if version is not None and logged is None and (event != "issued" or not proofs):
            return "missing"
    return "ok" if "issued" in found else "issue_unproven"


def linked_result(receipt, proofs, of_logs, policy, now):
    """Does the same, and with a policy checks that witnesses cosigned each checkpoint. Returns the result, and those of the cosignatures."""
    linked = check_linked(receipt, proofs, of_logs)
    if linked in ("ok", "issue_unproven") and any(is_ahead(open_trusted(note, of_logs)[3], now) for *_, note in proofs):
        linked = "future"
    if linked in ("bad", *OTHER_LOGS) or policy is None:
        return linked, []
    quorums = [cosigned_or_closed(note, policy, now)[0] for *_, note in proofs]
    return linked if all(quorum in MET for quorum in quorums) else "bad", quorums


def judge_linked(data, key_document, now, manifest, log_keys=None, policy=None):
    """Does all checks of a receipt, and those of its leaves in the log of accounts, by the proofs in its public manifest."""
    keys = read_keys(key_document)
    of_logs = trusted_logs(keys, log_keys, policy, *LOG_NAMES)
    need(len(data) <= 2**20, "not one receipt")
    receipt = parse(data)
    must_be_receipt(receipt)
    proofs = leaves_in(manifest)
    if receipt["status"] == "pending":  # which has no proof of its own, so the policy is only about its leaves
        result = judge_receipt(data, keys, now)
    else:
        log_proof(manifest)
        result = judge_receipt(data, keys, now, manifest, of_logs=of_logs, policy=policy)
    linked, _ = linked_result(receipt, proofs, of_logs, policy, now)
    trees = result["trees"] + trees_of(of_logs, *(note for *_, note in proofs), log="accounts")
    return {**result, "checks": {**result["checks"], "linked": linked}, "trees": trees}


# What --complete names, in this order, and which of it only says that something is unproven because the account was not linked.
ACCOUNT_PROBLEMS = ("sequence", "agent_sequence", "link", "event", "time", "unbounded", "predecessor", "not_authentic", "foreign", "extra", "duplicate",
                    "altered", "pending", "reordered", "missing", "issue_unproven", "outcome_unproven", "unproven", "unlinked")
OF_UNLINKED = {"issue_unproven", "outcome_unproven", "unproven", "unlinked"}
MINUTE = 60_000  # clocks may differ by this, in milliseconds
# A checkpoint that the quorum cosigned. In milliseconds: the cosignatures from `at` on meet the quorum, so that what it lacks came later, and so do
# those up to `by`, so that what it has was there before. One lying witness of several can only make these less precise.
Kept = collections.namedtuple("Kept", "size root at by")
LogToRead = collections.namedtuple("LogToRead", "place size root kept stored")  # its first `size` entries have the root
Logged = collections.namedtuple("Logged", "ordinal receipt_id sequence agent issued_at issued finalized revoked")


def utc(time):
    """Returns a time in milliseconds as ECMAScript prints it."""
    days, rest = divmod(time, 86_400_000)
    eras, days = divmod(days, 146_097)  # of 400 years
    date = datetime.datetime(2370, 1, 1) + datetime.timedelta(days=days, milliseconds=rest)
    year = date.year - 400 + 400 * eras
    year = f"{year:04}" if 0 <= year <= 9999 else f"{'-' if year < 0 else '+'}{abs(year):06}"
    return f"{year}{date.isoformat(timespec='milliseconds')[4:]}Z"


class LinkedAccount:
    """The leaves of a linked account, taken in the order of the log, and then a list of receipts that is compared with them. `report` is
    called with each problem. What was taken is in a temporary file, so that memory hardly depends on its size."""

    def __init__(self, operator_id, report, judged_from=None):
        import sqlite3  # here, since it takes long and only this needs it
        self.operator_id, self.report, self.judged_from = operator_id, report, judged_from
        self.table, self.damage = sqlite3.connect("", isolation_level=None), sqlite3.Error
        for statement in (
                "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA cache_size = -16384",
                "CREATE TABLE receipt (ordinal INTEGER PRIMARY KEY, receipt_id TEXT UNIQUE, sequence, agent, issued_at, issued, finalized, revoked)",
                "CREATE TABLE agent (agent TEXT PRIMARY KEY, leaves) WITHOUT ROWID", "BEGIN"):
            self.table.execute(statement)
        self.leaves = self.earlier_leaves = self.sequence = self.size = self.matched = self.earlier = self.widest = 0
        self.unbounded, self.last_unbounded, self.unbounded_before = 0, 0, -math.inf
        self.is_linked, self.linked_since, self.confirmed_since = False, None, None
        self.intervals = []  # each has a sequence, a start, an end or None, and whether it ended before the time that is judged
        self.at, self.branches, self.branch_count = None, (), 0  # after a fork, each branch has its own sequences of agents
        self.seen, self.judged, self.order, self.lines = bytearray(), bytearray(), array.array("Q"), array.array("Q")

    def sql(self, statement, values):
        try:
            return self.table.execute(statement, values)
        except self.damage as error:  # as if the disk is full
            raise Refused(f"the temporary file cannot be used: {error}")

    def name(self, problem, receipt_id, line, sequence, detail):
        self.report({"problem": problem, "receipt_id": receipt_id, "line": line, "sequence": sequence, "detail": detail})

    def find(self, column, value):
        found = self.sql(f"SELECT * FROM receipt WHERE {column} = ?", (value,)).fetchone()
        return found and Logged(*found)

    def take_leaf(self, entry, after, before):
        """Takes the next leaf. It was written after and before these times in milliseconds, None for unknown."""
        event, sequence, at = entry["event"], int(entry["sequence"]), milliseconds(entry["at"])
        is_earlier = self.judged_from is not None and before is not None and before <= self.judged_from
        say = lambda problem, detail: is_earlier or self.name(problem, entry["receipt_id"], None, sequence, detail)
        self.leaves += 1
        self.earlier_leaves += is_earlier
        if is_earlier:
            pass
        elif after is None or before is None:
            self.unbounded, self.last_unbounded = self.unbounded + 1, sequence
            both = before is not None and self.unbounded_before is not None
            self.unbounded_before = max(before, self.unbounded_before) if both else None
        else:
            self.widest = max(self.widest, before - after)
        if after is not None and at < after - MINUTE or before is not None and at > before + MINUTE:
            bounds = " and ".join(f"{word} {utc(time)}" for word, time in (("after", after), ("before", before)) if time is not None)
            say("time", f"{event} at {entry['at']}, but the kept checkpoints say that it was written {bounds}")
        expected, self.sequence = self.sequence + 1, max(self.sequence, sequence)
        if sequence != expected:
            say("sequence", f"it is leaf {sequence}, and the next leaf of the account is {expected}")
        self.at = min(at, before) if is_earlier else at  # a false time must not reach into the time that is judged
        if self.is_linked:  # a log that continues from a fork is linked again without a leaf of that
            self.end_interval(is_earlier)
        if entry["receipt_id"] is None:
            self.take_link(event, sequence, before, is_earlier, say)
        else:
            self.take_act(entry, sequence, at, is_earlier, say)

    def begin_interval(self, sequence):
        if not self.intervals or self.intervals[-1][2] is not None:
            self.intervals.append([sequence, self.at, None, False])

    def end_interval(self, is_earlier):
        if self.intervals and self.intervals[-1][2] is None:
            self.intervals[-1][2:] = [self.at, is_earlier]

    def take_link(self, event, sequence, before, is_earlier, say):
        links = event == "linked"
        if self.is_linked == links:
            say("link", f"{event}, but the account was {'' if links else 'not '}linked already")
        if links:
            self.end_interval(is_earlier)
        else:
            self.begin_interval(sequence)
        if links and self.linked_since is None:
            self.linked_since, self.confirmed_since = self.at, before
        self.is_linked = links

    def fork(self):
        """Returns the place before leaves of which several logs have different ones, for `continue_at`."""
        return self.sequence, self.is_linked, self.branches

    def continue_at(self, fork):
        if self.is_linked and not fork[1]:  # what was linked only in the other log was not linked after it was closed
            self.begin_interval(self.sequence)
        self.branch_count += 1
        self.sequence, self.is_linked, branches = fork
        self.branches = (*branches, self.branch_count)

    def judged_since(self):
        """Returns the time from which on the account is judged, in milliseconds; None if nothing confirms one."""
        return None if self.confirmed_since is None else max(self.confirmed_since, self.judged_from or -math.inf)

    def is_judged(self, ordinal):
        return self.judged_from is None or ordinal // 8 < len(self.judged) and self.judged[ordinal // 8] >> ordinal % 8 & 1 == 1

    def name_times(self):
        """Names what nothing proves about the time of the account, after its last leaf."""
        if self.judged_from is not None and self.linked_since is None:
            self.name("link", None, None, None, "no leaf links the account")
        if self.unbounded > 0:
            times = "the time of 1 leaf" if self.unbounded == 1 else f"the times of {self.unbounded} leaves"
            remedy = "" if self.unbounded_before is None else f": --from {utc(self.unbounded_before)} judges only what came later"
            self.name("unbounded", None, None, self.last_unbounded, f"no kept checkpoints bound {times}{remedy}")

    def take_act(self, entry, sequence, at, is_earlier, say):
        event, agent, place = entry["event"], entry["agent"], int(entry["agent_sequence"])
        if not self.is_linked:
            say("link", f"{event}, but the account was not linked")
        names = [agent, *(f"{agent}/{branch}" for branch in self.branches)]
        found = (self.sql("SELECT leaves FROM agent WHERE agent = ?", (name,)).fetchone() for name in reversed(names))
        expected = next((leaves[0] for leaves in found if leaves), 0) + 1
        if place >= expected:
            self.sql("INSERT OR REPLACE INTO agent VALUES (?, ?)", (names[-1], place))
        if place != expected:
            say("agent_sequence", f"it is leaf {place} of its agent, whose next leaf is {expected}")
        known = self.find("receipt_id", entry["receipt_id"])
        if not is_earlier and self.judged_from is not None:
            ordinal = known.ordinal if known else self.size
            self.judged.extend(bytes(max(0, ordinal // 8 + 1 - len(self.judged))))
            self.judged[ordinal // 8] |= 1 << ordinal % 8
        if known is None:
            hashes = (entry["content_hash"] if event == act else None for act in ACTS)
            row = (self.size, entry["receipt_id"], sequence, agent, at if event == "issued" else None, *hashes)
            self.sql("INSERT INTO receipt VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            self.size += 1
            return
        if agent != known.agent:
            say("event", "its agent is not that of the leaf before")
        newest = "revoked" if known.revoked is not None else "finalized" if known.finalized is not None else "issued"
        if event == "issued" or newest in ("revoked", event):
            say("event", f"{event}, but the receipt was {newest} before")
        else:
            self.sql(f"UPDATE receipt SET {event} = ? WHERE ordinal = ?", (entry["content_hash"], known.ordinal))

    def was_unlinked(self, at):
        """Returns whether the account was not linked at a time, or a minute from it."""
        if self.linked_since is None or at <= self.linked_since + MINUTE:
            return True
        return any(at >= start - MINUTE and (end is None or at <= end + MINUTE) for _, start, end, _ in self.intervals)

    def see(self, ordinal):
        """Returns whether a receipt is in the list for the first time."""
        self.seen = self.seen or bytearray(self.size // 8 + 1)
        was_seen = self.seen[ordinal // 8] >> ordinal % 8 & 1
        self.seen[ordinal // 8] |= 1 << ordinal % 8
        self.matched += not was_seen
        self.earlier += not was_seen and not self.is_judged(ordinal)
        return not was_seen

    def take_forged(self, line, receipt_id, detail):
        """Takes a line that is not an authentic receipt. Its receipt, if it names one, is not missing as well."""
        logged = receipt_id and self.find("receipt_id", receipt_id)
        if logged:
            self.see(logged.ordinal)
        self.name("not_authentic", receipt_id, line, logged.sequence if logged else None, detail)

    def take_receipt(self, line, listed, now):
        """Takes an authentic receipt, of `listed_receipt`. `now` is the time for which the log is complete, in milliseconds."""
        logged = self.find("receipt_id", listed.receipt_id)
        for problem, detail in self.problems_of(line, listed, logged, now):
            self.name(problem, listed.receipt_id, line, logged.sequence if logged else None, detail)

    def problems_of(self, line, listed, logged, now):
        if listed.operator_id != self.operator_id:
            return [("foreign", f"it is of {listed.operator_id}")]
        if logged is None:
            if self.was_unlinked(listed.issued_at):
                return [("unproven", "it was issued while the account was not linked")]
            return [("extra", "the account was linked when the receipt was issued, and its leaf is missing")]
        if not self.see(logged.ordinal):
            return [("duplicate", "an earlier line has the same receipt")]
        if logged.issued is not None:
            self.order.append(logged.ordinal)
            self.lines.append(line)
        different = self.difference(listed, logged)
        if different is not None:
            return [("altered", different)]
        problems = []
        if logged.issued is None:
            problems.append(("issue_unproven", "the log has no leaf of its issue"))
        if any(getattr(listed, act) is not None and getattr(logged, act) is None for act in ("finalized", "revoked")):
            problems.append(("outcome_unproven", "the log has no leaf of its finalization or revocation"))
        if listed.finalized is None and listed.revoked is None and listed.expiry <= now:
            problems.append(("pending", f"it expired at {utc(listed.expiry)}"))
        return problems

    def difference(self, listed, logged):
        """Returns how a receipt differs from its leaves; None if it does not."""
        if listed.agent != logged.agent:
            return "its leaf is of another agent"
        if logged.issued is None:
            if not self.was_unlinked(listed.issued_at):
                return "the account was linked when the receipt was issued, and the leaf of the issue is missing"
        elif logged.issued != listed.issued:
            return "its content is not that of its issue"
        elif logged.issued_at != listed.issued_at:
            return "issued_at is not the time of its leaf"
        for act in ("revoked", "finalized"):
            shown, expected = getattr(listed, act), getattr(logged, act)
            if shown == expected:
                continue
            if shown is None:
                return f"it is an older version: the log has it as {act}"
            if expected is not None:
                return f"its content is not what was {act}"
            # Without a leaf, it can have been done while the account was not linked, and only then.
            unlinked_after = any(sequence > logged.sequence for sequence, _, _, _ in self.intervals)
            if not unlinked_after and not (logged.issued is None and act == "finalized"):
                return f"it is {act}, and the log has no leaf of that"
        return None

    def finish(self):
        """Names the receipts that are out of order, those that the list lacks, and the times without proof."""
        for index in out_of_order(self.order):
            logged = self.find("ordinal", self.order[index])
            detail = f"it was issued by leaf {logged.sequence}, before or after its neighbours in the list"
            self.name("reordered", logged.receipt_id, self.lines[index], logged.sequence, detail)
        for ordinal in range(self.size):
            if (not self.seen or not self.seen[ordinal // 8] >> ordinal % 8 & 1) and self.is_judged(ordinal):
                logged = self.find("ordinal", ordinal)
                acts = ", ".join(act for act in ACTS if getattr(logged, act) is not None)
                self.name("missing", logged.receipt_id, None, logged.sequence, f"the log has it: {acts}")
        for sequence, start, end, is_earlier in self.intervals:
            detail = f"the account was not linked from {utc(start)} to {'now' if end is None else utc(end)}"
            if not is_earlier:
                self.name("unlinked", None, None, sequence, detail)


def out_of_order(numbers):
    """Returns the indexes of the fewest numbers whose removal leaves the others ascending (patience sorting). The numbers differ."""
    if all(numbers[index] < numbers[index + 1] for index in range(len(numbers) - 1)):
        return []
    # The smallest last number of an ascending sequence of each length, its index, and the index before each in its sequence.
    tails, ends, before = array.array("Q"), array.array("Q"), array.array("Q")
    for index, number in enumerate(numbers):
        at = bisect.bisect_left(tails, number)
        before.append(ends[at - 1] if at > 0 else 0)
        tails[at:at + 1], ends[at:at + 1] = array.array("Q", [number]), array.array("Q", [index])
    kept, index = bytearray(len(numbers)), ends[-1]
    for _ in ends:
        kept[index], index = 1, before[index]
    return [index for index in range(len(numbers)) if not kept[index]]


class Frontier:
    """A growing tree of hashes (RFC 6962, 2.1), of which only the roots of the perfect subtrees are kept, the largest first."""

    def __init__(self):
        self.size, self.roots = 0, []

    def append(self, leaf):
        size, node = self.size, leaf
        while size % 2 == 1:
            size, node = size // 2, sha256(b"\x01", self.roots.pop(), node)
        self.roots.append(node)
        self.size += 1

    def root(self):
        if not self.roots:
            return sha256()
        return functools.reduce(lambda right, left: sha256(b"\x01", left, right), reversed(self.roots))


def accounts_log(key_log, named):
    """Returns the origin of the log of accounts that is meant: the only one of the named logs, or that of the service of the trusted keys. None
    if nothing says it."""
    accounts = {name for name in named if name.endswith("/accounts")}
    if len(accounts) == 1:
        return accounts.pop()
    own = None if key_log is None else key_log[:-len("keys")] + "accounts"
    return own if not named or own in named else None


def not_of(log, origin, closed):
    """Says that another log of the same keys was read than the one that is meant, and what to do. None is any log of accounts."""
    if log is None or not origin.endswith("/accounts"):
        return f"the checkpoint belongs to {origin}, and not to {log or 'a log of accounts'}"
    remedy = (f"read {log}, which continues it, and this copy with --predecessor" if origin in closed else
              f"read {log}; if the service now continues {origin}, save its list of keys again and verify it with the old one, or name {origin} "
              "with a log line of --policy")
    return f"wrong_log: {origin} was read, and {log} is meant: {remedy}"


def newest_checkpoint(note, of_logs, policy, now, log, closed):
    """Returns the checkpoint of a log of accounts, which the quorum must have cosigned less than 15 minutes ago. `closed` has the closed logs that
    the log that is meant continues."""
    try:
        origin, size, root = open_checkpoint(note, of_logs)
    except OtherLog as error:
        need(error.check != "wrong_log", not_of(log, origin_in(note), closed))
        raise
    need(origin.endswith("/accounts") and log in (None, origin), not_of(log, origin, closed))
    check, time = cosigned(note, policy[1], policy[2], now)
    need(check == "ok", f"the quorum of the checkpoint is {check}")
    by = attested_by(note, policy[1], policy[2], now)
    need(now - time < 15 * 60, "the quorum cosigned the checkpoint at least 15 minutes ago")
    # A signature of the log can be without a time, but the cosignatures tell by when it was made.
    open_checkpoint(note, [key for key in of_logs if key[3] is None or key[3] >= by])
    return Kept(size, root, 1000 * time, 1000 * by)


def notes_in(data, is_page):
    """Returns the checkpoints in a page of the service's list with the cursor of the next page, or the one in a line of a saved list."""
    value = parse(data)
    rows = value.get("checkpoints") if is_page and isinstance(value, dict) else [value]
    is_row = lambda row: isinstance(row, dict) and isinstance(row.get("note"), str) and len(row["note"]) <= 2**20
    need(isinstance(rows, list) and all(map(is_row, rows)), "the list of checkpoints has another form")
    cursor = value.get("next_cursor", 0) if is_page else None
    need(cursor is None or isinstance(cursor, str) and len(cursor) <= 4096, "the list of checkpoints has another form")
    return [row["note"] for row in rows], cursor


def old_checkpoints(place):
    """Yields the older checkpoints that a service lists, or that a directory has in accounts/checkpoints.ndjson."""
    if not is_url(place):
        path = os.path.join(place, "accounts/checkpoints.ndjson")
        if os.path.exists(path):
            with open_regular(path) as file:
                for line in lines_in(pieces_of(file)):
                    yield from notes_in(line, False)[0]
        return
    address, cursor, held = re.match("[^/]*//[^/]*", place)[0] + "/api/v1/receipts/checkpoints?", "", None
    for count in itertools.count(1):
        asked = {"log": "accounts", "limit": 100, **({"cursor": cursor} if cursor else {})}
        notes, cursor = notes_in(read_url(address + urllib.parse.urlencode(asked), 2**23), True)
        yield from notes
        if cursor is None:
            return
        need(cursor != held and notes, "the list of checkpoints does not end")
        if count & count - 1 == 0:  # a power of two: of the cursors, which can be long, only one is held (Brent)
            held = cursor


def cosigned_in(notes, log, policy, now):
    """Yields the checkpoints of a log that the quorum cosigned."""
    for count, note in enumerate(notes):
        need(count < 1_000_000, "there are more than 1,000,000 checkpoints")
        try:
            origin, size, root = tree_in(signature_lines(note)[0])
            check, time = cosigned(note, policy[1], policy[2], now)
        except (Refused, UnicodeError):
            continue
        if origin == log and check == "ok":
            yield Kept(size, root, 1000 * time, 1000 * attested_by(note, policy[1], policy[2], now))


def by_size(kept):
    return sorted(kept, key=lambda one: one.size)


def kept_checkpoints(place, log, newest, policy, now):
    """Returns the checkpoints of a log that the quorum cosigned, by their size and time, with the newest. Each must be of its tree."""
    kept = [newest]
    for one in cosigned_in(old_checkpoints(place), log, policy, now):
        if one.size <= newest.size:
            kept.append(one)
        else:  # meanwhile the log can have grown, and the clocks of witnesses differ
            need(one.by > newest.at - MINUTE, f"the quorum had cosigned {one.size} entries before the checkpoint that is given as the newest")
    return by_size(kept)


def cosigned_note_at(place):
    """Returns the text of the newest cosigned checkpoint of a log of accounts, at a URL or in a directory."""
    name = "accounts/checkpoint?cosigned=yes" if is_url(place) else "accounts/checkpoint"
    if not is_url(place) and os.path.exists(os.path.join(place, "accounts/cosigned-checkpoint")):  # of a copy whose newest checkpoint is not cosigned yet
        name = "accounts/cosigned-checkpoint"
    return files_at(place)(name).decode("utf-8")


def stored_at(place, size):
    """Returns the number of entries in a copy of a log of accounts, by which its last bundle is called. `size` is that of a service."""
    return size if is_url(place) else tree_in(signature_lines(files_at(place)("accounts/checkpoint").decode("utf-8"))[0])[1]


def closed_copies(places, closed, policy, now):
    """Returns the logs to read of copies of closed logs, by their origins, in the order of the closed ones."""
    copies = {}
    for place in places:
        note = cosigned_note_at(place)
        origin, stored, _ = tree_in(signature_lines(note)[0])
        need(origin in closed, f"{origin} is no closed log of accounts that the log continues")
        demand(origin not in copies, f"two --predecessor are copies of {origin}")
        size, root, certain = int(closed[origin][0]), *closed[origin][1:]
        kept, end = list(cosigned_in(itertools.chain([note], old_checkpoints(place)), origin, policy, now)), (size, root)
        for one in kept:
            need(one.size <= size or not certain,
                 f"closed_size_contradicted: the quorum cosigned {one.size} entries of {origin}, and it was closed with {size}")
            end = (one.size, one.root) if one.size > end[0] else end
        stored = stored_at(place, stored)
        need(end[0] <= stored, f"the copy of {origin} has {stored} of its {end[0]} entries")
        copies[origin] = LogToRead(place, end[0], end[1], by_size(kept), stored)
    return {origin: copies[origin] for origin in closed if origin in copies}


class Bounds:
    """The times between which leaves were written, by kept checkpoints in the order of their sizes."""

    def __init__(self, kept):
        self.kept, self.after, self.following = kept, None, 0
        # A quorum can have cosigned a larger tree earlier.
        self.oldest = list(itertools.accumulate((one.by for one in reversed(kept)), min))[::-1]

    def of(self, index):
        """Returns the newest time that a quorum attests of a checkpoint without a leaf, and the oldest by which it had cosigned one that has it.
        Indexes ascend."""
        while self.following < len(self.kept) and self.kept[self.following].size <= index:
            time = self.kept[self.following].at
            self.after = time if self.after is None else max(self.after, time)
            self.following += 1
        return self.after, self.oldest[self.following] if self.following < len(self.kept) else None


def predecessors_of(log, keys, name="accounts"):
    """Returns the closed logs of a name that a log continues, by the list of keys of its installation: their origins, sizes and roots."""
    if keys.key_log is None or log != keys.key_log[:-len("keys")] + name:
        return {}
    return {origin: end for origin, end in keys.closed_logs.items() if origin.endswith("/" + name) and origin != log and (end[0] > 0 or not end[2])}


def revocations_at(place, keys, log_keys, policy, predecessors=()):
    """Reads the log of revocations of a directory or a service, and copies of closed ones that it continues. A trusted key must have signed its
    checkpoint, and the entries must have its root. Another log of the same keys than the one that is meant is not read."""
    read = files_at(place)
    note = read("revocations/checkpoint" + ("?cosigned=yes" if policy is not None and is_url(place) else "")).decode("utf-8")
    need(origin_in(note).endswith("/revocations"), f"the checkpoint in {place}/revocations is not of a log of revocations")
    of_logs = of_open_logs(trusted_logs(keys, log_keys, policy, *LOG_NAMES))  # what was revoked since is not in a closed log
    trees = trees_of(of_logs, note)
    try:
        origin, size, root, time = open_trusted(note, of_logs)
    except OtherLog as error:
        return Revocations(set(), error.time, None, trees, error.check, [])
    need(size <= 100_000_000, "the log of revocations has more than 100,000,000 entries")
    closed, revoked, tree = predecessors_of(origin, keys, "revocations"), set(), Frontier()
    unread = dict(closed)
    for one in predecessors:
        former = closed_revocations(one, closed, revoked)
        if closed[former][2]:  # of a log with an uncertain end, more may have been published
            unread.pop(former, None)
    def compared():
        for former, (end, end_root, certain) in list(unread.items()):
            if certain and end == tree.size and end_root == tree.root():
                del unread[former]
    for entry in itertools.chain.from_iterable(bundles_of(read, "revocations", size)):
        tree.append(sha256(b"\0", entry))
        revoked.add(read_entry("revocations", entry)[0].get("receipt_id"))
        compared()
    need(tree.root() == root, f"the entries in {place}/revocations do not have the root of its checkpoint")
    return Revocations(revoked, time, note, trees, None, [f"revocations that only {former} has are not seen, and no --predecessor was read" for former in unread])


def closed_revocations(place, closed, revoked):
    """Reads a copy of a closed log of revocations as far as the list of keys says, whoever signed its checkpoint. Returns its origin."""
    read = files_at(place)
    origin, stored, _ = tree_in(signature_lines(read("revocations/checkpoint").decode("utf-8"))[0])
    need(origin in closed, f"{place}/revocations is a copy of {origin}, which is no closed log that the log continues")
    size, root, _ = closed[origin]
    size = int(size)
    need(stored >= size, f"the copy of {origin} in {place} has {stored} of its {size} entries")
    leaves = list(itertools.islice(itertools.chain.from_iterable(bundles_of(read, "revocations", stored)), size))
    need(tree_root([sha256(b"\0", leaf) for leaf in leaves]) == root, f"the entries in {place}/revocations do not have the root of their log")
    revoked.update(read_entry("revocations", leaf)[0].get("receipt_id") for leaf in leaves)
    return origin


class LogReader:
    """Reads the entries of a log one after the other, and compares their roots with those of its checkpoints."""

    def __init__(self, log, read=lambda reader: None):
        need(log.size <= 100_000_000, "the log has more than 100,000,000 entries")
        self.log, self.read, self.tree, self.bounds, self.compared = log, read, Frontier(), Bounds(log.kept), 0
        self.bundles, self.entries, self.place = bundles_of(files_at(log.place), "accounts", max(log.size, log.stored)), [], 0

    def entry(self):
        """Returns the next entry; None at the end."""
        if self.tree.size >= self.log.size:
            return None
        if self.place == len(self.entries):
            self.entries, self.place = next(self.bundles), 0
        return self.entries[self.place]

    def advance(self, leaf_hash):
        self.place += 1
        self.tree.append(leaf_hash)
        kept = self.log.kept
        while self.compared < len(kept) and kept[self.compared].size <= self.tree.size:
            same_root = kept[self.compared].size < self.tree.size or kept[self.compared].root == self.tree.root()
            need(same_root, f"the quorum cosigned another tree of {self.tree.size} entries")
            self.compared += 1
        self.read(self)


def read_leaves(account, readers):
    """Reads logs, oldest first, and gives the leaves of an account to it in the order in which they were written: a log was closed before
    the next one got entries of its own. Entries with which several logs begin are taken once."""
    start = f'{{"account":"{account_of(account.operator_id)}"'.encode()
    here = account.fork()
    waiting = [(readers, here)]  # logs that are equal so far, and the place in their leaves
    while waiting:
        waiting.sort(key=lambda branch: readers.index(branch[0][0]))
        (oldest, *younger), fork = waiting.pop(0)
        if fork is not here:
            account.continue_at(fork)
        while (entry := oldest.entry()) is not None:
            if any(reader.entry() != entry for reader in younger):
                groups = {entry: []}
                for reader in younger:
                    groups.setdefault(reader.entry(), []).append(reader)
                younger, fork = groups.pop(entry), account.fork()
                waiting += [(group, fork) for group in groups.values()]
                if any(other is not None for other in groups):
                    account.continue_at(fork)  # from here on each of them has its own sequences of agents
            if entry.startswith(start):
                times = [reader.bounds.of(reader.tree.size) for reader in (oldest, *younger)]
                account.take_leaf(read_entry("accounts", entry)[0], times[0][0], min((before for _, before in times if before is not None), default=None))
                need(len(account.intervals) <= 10_000, "the account was unlinked more than 10,000 times")
            leaf_hash = sha256(b"\0", entry)
            for reader in (oldest, *younger):
                reader.advance(leaf_hash)
        here = account.fork()
        if younger:
            waiting.append((younger, here))


def forgery(line, result):
    """Returns the receipt_id in a line that is not an authentic receipt, and why it is none."""
    checks = result["checks"]
    if result["verdict"] == "malformed":
        return None, f"malformed: {result['problem']}"
    if checks["hash"] != "ok":
        why = "hash_mismatch: its content does not match its content_hash"
    elif checks["key"] == "unknown":
        why = "key_unknown: the key that signed it is not among the trusted keys"
    elif checks["signature"] != "ok":
        why = "bad_signature: no trusted key made its signature"
    else:
        why = f"key_{checks['key']}: the key that signed it has ended"
    return parse(line)["receipt_id"], why


def judge_complete(pieces, operator_id, place, key_document, now, write, log_keys=None, policy=None, allow_unlinked=False, judged_from=None, predecessors=(),
                   is_kept_list=True):
    """Compares a list of receipts with the log of accounts in a directory or at the URL of a service. Writes each problem, then a summary.
    With `judged_from`, in milliseconds, only what was logged later is judged. `predecessors` are places of copies of closed logs.
    Returns whether the list is complete. If nothing can be said, it writes nothing and raises Refused."""
    keys = read_keys(key_document)
    of_logs = trusted_logs(keys, log_keys, policy, *LOG_NAMES)
    demand(policy is not None and policy[2] is not None, "the policy has no quorum, so anybody could have made the log up")
    named = [name for name, _, _, _ in policy[0]] or [name for name, _, _ in log_keys or []]
    log = accounts_log(keys.key_log, named)
    names_others = named != [] and not any(name.endswith("/accounts") for name in named)
    need(log is not None or not names_others and getattr(log_keys, "any_log", False), "log_not_named: nothing says which log of accounts is meant: name it in the policy")
    note = cosigned_note_at(place)
    newest = newest_checkpoint(note, of_logs, policy, now, log, predecessors_of(log, keys))
    log = origin_in(note)
    need(judged_from is None or judged_from < newest.at, "--from is not before the time when the quorum cosigned the log")
    kept = kept_checkpoints(place, log, newest, policy, now)
    closed = predecessors_of(log, keys)
    copies = closed_copies(predecessors, closed, policy, now)
    unread = {origin: end for origin, end in closed.items() if not end[2] or origin not in copies}
    def began(reader):
        for origin in [origin for origin, (size, root, certain) in unread.items() if certain and size == reader.tree.size and root == reader.tree.root()]:
            del unread[origin]
    of_log, counts, receipts = [], dict.fromkeys(ACCOUNT_PROBLEMS, 0), 0
    def keep(problem):
        of_log.append(problem)
        need(len(of_log) <= 10_000, "the log contradicts itself in more than 10,000 places")
    def report(problem):
        counts[problem["problem"]] += 1
        write(problem)
    account = LinkedAccount(operator_id, keep, judged_from)
    with contextlib.closing(account.table):
        readers = [LogReader(copy) for copy in copies.values()]
        readers.append(LogReader(LogToRead(place, newest.size, newest.root, kept, stored_at(place, newest.size)), began))
        read_leaves(account, readers)
        for reader in readers:
            need(reader.tree.root() == reader.log.root, "the entries do not have the root of the checkpoint")
        need(account.leaves > 0, f"{log} has no leaf of {operator_id}: its account was never linked, so nothing is proven")
        since = account.judged_since()
        if since is not None and since > newest.at:
            raise Refused(f"the quorum confirms only from {utc(since)} on that the account was linked, and the checkpoint is of {utc(newest.at)}")
        account.report = report
        for problem in of_log:
            report(problem)
        account.name_times()
        for origin, (size, _, certain) in unread.items():
            detail = f"{log} does not begin with the {int(size)} entries of {origin}, which it continues, and no --predecessor was read" if certain else f"nothing says how many entries {origin} had, which {log} continues"
            report({"problem": "predecessor", "receipt_id": None, "line": None, "sequence": None,
                    "detail": f"{detail}: receipts that only that log has are not seen"})
        for line, data, result, _ in judged_lines(pieces, keys, -math.inf):  # whether a receipt has expired does not matter
            receipts += 1
            if is_authentic(result["checks"]):
                account.take_receipt(line, listed_receipt(parse(data)), newest.at)
            else:
                account.take_forged(line, *forgery(data, result))
        account.finish()
    found = {problem: count for problem, count in counts.items() if count > 0}
    is_complete = set(found) <= (OF_UNLINKED if allow_unlinked else set())
    summary = {"complete": is_complete, "operator_id": operator_id, "account": account_of(operator_id), "log": log, "tree_size": newest.size,
               "attested_at": utc(newest.at), "linked_since": None if account.linked_since is None else utc(account.linked_since),
               "judged_since": None if account.judged_since() is None else utc(account.judged_since()),
               "leaves": account.leaves, "earlier_leaves": account.earlier_leaves, "receipts": receipts, "logged": account.size,
               "matched": account.matched, "earlier_receipts": account.earlier, "problems": found,
               "checkpoints": len(kept), "longest_interval_ms": account.widest, "unbounded_leaves": account.unbounded}
    write({**summary, **mark_test(complete_summary(summary, bool(closed), is_kept_list), log)})
    return is_complete


def complete_summary(found, has_closed_logs, is_kept_list):
    """Says what was checked of a linked account, what was not, and both in words. `is_kept_list` says that the keys are a saved list, and not what a
    service returns now."""
    count_of = lambda count, one, many: f"{count:,} {one if count == 1 else many}"
    counts, own = ", ".join(f"{count:,} {kind}" for kind, count in found["problems"].items()), found["matched"] - found["earlier_receipts"]
    values = {**found, "problems": counts, "receipts": f"{'this' if own == 1 else 'these'} {count_of(own, 'receipt', 'receipts')}",
              "except": f", except while it was not linked ({counts})" if counts else "",
              "interval": f"{math.ceil(found['longest_interval_ms'] / 1000):,}", "earlier_leaves": count_of(found["earlier_leaves"], "leaf", "leaves"),
              "earlier_receipts": count_of(found["earlier_receipts"], "receipt", "receipts")}
    fill = lambda value: value.format_map(values) if isinstance(value, str) else value
    words = {**WORDS["complete"], "verdicts": {name: fill(text) for name, text in WORDS["complete"]["verdicts"].items()},
             "additional": [{name: fill(value) for name, value in row.items()} for row in WORDS["complete"]["additional"]]}
    # Only what the account was not linked for is allowed in a complete list.
    failed = "partly" if found["complete"] else "bad"
    checks = {check: "ok" if not set(kinds) & set(found["problems"]) else failed for check, kinds in COMPLETE_PROBLEMS.items()
              if check != "closed_logs" or has_closed_logs}
    is_open = ["before_link" if found["earlier_leaves"] == 0 else "earlier", "verdicts", "key_log"] + ["keys"] * (not is_kept_list)
    result = {"verdict": "valid" if found["complete"] else "not complete", "checks": {**checks, "quorum": "ok"}}
    return summary_of(words, result, found["complete"], is_open)


def read_vkey(vkey, types):
    """Reads a C2SP verifier key, <name>+<key id>+<base64>. Returns the name, the key id, the type and the raw key."""
    need(vkey.count("+") >= 2, "not a verifier key")
    name, key_id, encoded = vkey.split("+", 2)
    kind, key = base64_of(encoded)[:1], base64_of(encoded)[1:]
    need(kind != b"" and kind[0] in types, "not a verifier key of a type that is allowed here")
    need(len(key) == 1312 if kind[0] == 6 else len(key) == 32 and strict_point(key), "not a strict key")
    digest = sha256(name.encode(), b"\n", kind, key)
    need(is_key_name(name) and digest[:4].hex() == key_id, "the key id is not that of the key")
    return name, digest[:4], kind[0], key


def demand(holds, why):
    if not holds:
        raise WrongUsage(why)


def log_options(given):
    """Reads --log-key and --policy. Returns the keys for `trusted_logs`, and the policy, None for none."""
    try:
        log_keys = [read_vkey(vkey, (1, 6)) for vkey in given.log_key or []]
        policy = None if given.policy is None else read_policy(content_of(given.policy))
        need(policy is None or not (policy[0] and log_keys), "--log-key and the log lines of --policy name different log keys")
    except (Refused, UnicodeError, OSError) as error:
        raise WrongUsage(str(error))
    log_keys = LogKeys((name, kind, key) for name, _, kind, key in log_keys)
    log_keys.any_log = given.any_log
    return log_keys, policy


def as_asked(result, *names):
    """Returns whether a result is valid and so are the checks with these names, if there are any, and the quorum."""
    checks = result["checks"]
    return result["verdict"] == "valid" and checks.get("quorum", "none") in MET and all(checks.get(name, "ok") == "ok" for name in names)


def refuse_beside(given, option, *names):
    useless = [name for name in (*names, "fresh") if getattr(given, name) not in (None, False)]
    demand(not useless, f"--{option} makes no sense with --" + " and --".join(useless))


def say(line):
    """Prints a line for people. It can quote a document, which could otherwise write another verdict."""
    print(printable(line).replace("\n", "\\n"), file=sys.stderr)


def write_result(result):
    """Prints a result as JSON. For people it prints its sentence, who signed the document, and which logs."""
    print(json.dumps(result, indent=2))
    say(result["sentence"])
    if "signer" in result:
        say(f"  {described_signer(result['signer'])}")
    for tree in result["trees"]:
        say(f"  log: {described_tree(tree)}")


CREDIT_CLASSES, FIGURES = ("promotional", "paid", "sandbox"), ("granted", "earned", "spent", "locked", "available")
ANY_SAID = lambda value: value is None or isinstance(value, str) and not re.search("[\ud800-\udfff]", value)  # text that UTF-8 can encode
JOURNAL_FIGURES = dict.fromkeys(FIGURES, is_count)
JOURNAL_TIME = as_text(lambda text: re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z", text) and instant(text) is not None)
JOURNAL_ENTRY = {"entry_id": matching("entry_[0-9a-f]{32}"), "kind": matching("[A-Z_]{1,32}"), "asset": as_text(one_of(*CREDIT_CLASSES)),
                 "amount": is_count, "direction": as_text(one_of("credit", "debit")), "counterparty": lambda value: value is not None and ANY_SAID(value),
                 "reference": ANY_SAID, "memo": ANY_SAID, "receipt_id": ANY_SAID, "salt": nullable(matching("[0-9a-f]{32}")), "balance_after": is_count,
                 "created_at": JOURNAL_TIME, "detail_hash": HASH, "entry_hash": HASH, "prev_entry_hash": nullable(HASH)}


class Inconsistent(Refused):
    """A journal that contradicts itself."""


def agree(holds, why):
    if not holds:
        raise Inconsistent(why)


def exactly(value, form, what):
    """Checks that a value is an object with these members and no others."""
    need(isinstance(value, dict) and value.keys() == form.keys(), f"{what} does not have its members")
    for name, fit in form.items():
        need(fit(value[name]), f"{what}: {name} does not have its form")


def is_journal(line):
    """Returns whether a line is the first one of a journal of credits."""
    document = parsed(line)
    return isinstance(document, dict) and document.get("type") == "credit-journal"


def journal_header(value):
    """Checks the first line of a journal, and returns the name of its owner's member."""
    need(isinstance(value, dict) and value.get("type") == "credit-journal", "the first line is not of a journal")
    of_pool = "operator_id" in value
    common = {"type": same("credit-journal"), "length": is_count, "head": nullable(HASH), "figures": lambda said: isinstance(said, dict),
              "filtered": lambda said: isinstance(said, bool)}
    exactly(value, {**common, "operator_id": lambda said: isinstance(said, str) and fits(ALWAYS["operator_id"], said)} if of_pool else
            {**common, "subject_commitment": HASH, "opening": lambda said: isinstance(said, dict)}, "the first line")
    opening = {**JOURNAL_FIGURES, "entry_hash": HASH, "created_at": JOURNAL_TIME}
    for name, form in (("figures", {"available": is_count} if of_pool else JOURNAL_FIGURES), *([] if of_pool else [("opening", opening)])):
        for asset, row in value[name].items():
            need(asset in CREDIT_CLASSES, f"{name} has a class that there is not")
            exactly(row, form, f"{name}.{asset}")
    return "operator_id" if of_pool else "subject_commitment"


class JournalFile:
    """Verifies a whole journal line by line, newest entry first. What it keeps does not grow with the journal."""

    def __init__(self, sought=None):
        """`sought` is the hash of an entry to look for: `newer` is how many entries are newer."""
        self.header = self.owner = self.newer = None
        self.sought, self.entries, self.masked, self.balances, self.sums = sought, 0, 0, {}, {}

    def take(self, content):
        """Takes a line that is not blank. Returns what it says."""
        need(len(content) <= LINE_MAX, "the line is longer than 1 MiB")
        value = parse(content)
        if self.header is None:
            self.begin(value)
        else:
            self.check(value)
        return value

    def begin(self, value):
        self.owner = journal_header(value)
        self.header, self.opening = value, value.get("opening", {})
        if value["filtered"]:
            return
        heads = {row["entry_hash"] for row in self.opening.values()}
        agree(len(heads) <= 1, "the classes of the opening have different entries")
        for row in [] if self.owner == "operator_id" else [*value["figures"].values(), *self.opening.values()]:
            granted, earned, spent, locked, available = (int(row[name]) for name in FIGURES)
            agree(available == granted + earned - spent - locked, "figures are not available = granted + earned - spent - locked")
        self.expected, self.opened_at, self.is_before = value["head"], next(iter(heads), None), False

    def check(self, value):
        need(isinstance(value, dict) and value.get("of", "locked") == "locked", "the entry: of is not locked")
        exactly({name: said for name, said in value.items() if name != "of"}, JOURNAL_ENTRY, "the entry")
        agree(value["entry_hash"] == self.expected, "its entry_hash is not the one that its successor names")
        names = ("amount", "asset", "balance_after", "created_at", "detail_hash", "direction", "entry_id", "kind", "of", "prev_entry_hash")
        signed = {**{name: value[name] for name in names if name in value}, self.owner: self.header[self.owner]}
        agree(sha256(canonical(signed).encode()).hex() == value["entry_hash"], "its entry_hash is not the digest of the entry")
        self.expected = value["prev_entry_hash"]
        self.is_before = self.is_before or value["entry_hash"] == self.opened_at
        self.add(value)
        own = self.header[self.owner]
        if value["salt"] is None:
            self.masked += 1
        else:
            other = own if value["counterparty"] == "locked" else value["counterparty"]
            creditor, debtor = (own, other) if value["direction"] == "credit" else (other, own)
            said = {"creditor": creditor, "debtor": debtor, **{name: value[name] for name in ("memo", "receipt_id", "reference", "salt")}}
            agree(sha256(canonical(said).encode()).hex() == value["detail_hash"], "its detail_hash is not the digest of its details")
        self.newer = self.entries if value["entry_hash"] == self.sought else self.newer
        self.entries += 1

    def add(self, value):
        """Adds an entry to the sums of its class, and checks its balance."""
        asset, amount, after = value["asset"], int(value["amount"]), int(value["balance_after"])
        change = changed(value, amount)
        if not self.is_before:
            sums = self.sums.get(asset, (0,) * 5)
            self.sums[asset] = tuple(map(sum, zip(sums, (change[name] for name in FIGURES))))
            agree(all(abs(one) < 2**53 for one in self.sums[asset]), "the sums of its class are too large")
        stated = int(self.header["figures"].get(asset, {}).get("available", 0))
        agree(after == self.balances.get(asset, stated), "its balance_after is not the one that the next entry of its class began with")
        agree(amount >= 1 and after - change["available"] >= 0, "such an amount and such a balance cannot be")
        self.balances[asset] = after - change["available"]

    def end(self):
        need(self.header is not None, "there is no first line")
        agree(self.entries == self.header["length"], "the file has another number of entries than the journal")
        agree(self.expected is None, "the entry before the last one is missing")
        agree(not any(self.balances.values()), "a class did not begin with 0")
        agree(self.opened_at is None or self.is_before, "the entry of the opening is missing")
        names = ("available",) if self.owner == "operator_id" else FIGURES
        for asset in {*self.sums, *self.opening, *self.header["figures"]}:
            start, stated = self.opening.get(asset, {}), self.header["figures"].get(asset, {})
            sums = dict(zip(FIGURES, self.sums.get(asset, (0,) * 5)))
            for name in names:
                agree(int(start.get(name, 0)) + sums[name] == int(stated.get(name, 0)), f"the {name} {asset} credits are not what the entries add up to")


def judge_journal(pieces, head, write):
    """Does all checks of a whole journal of credits. Writes the first problem, then a summary. Returns whether all is in order. Nobody signs a
    journal: `head` is the hash that its newest entry must have, None for any."""
    journal, verdict, problem, line = JournalFile(), "valid", None, 0
    try:
        for line, content in enumerate(lines_in(pieces), 1):
            if not content.strip(WHITE):
                continue
            journal.take(content)
            if journal.header["filtered"]:
                verdict, problem = "filtered", "it was downloaded with filters"
                break
        if verdict == "valid":
            journal.end()
    except Inconsistent as error:
        verdict, problem = "inconsistent", str(error)
    except Refused as error:
        verdict, problem = "malformed", str(error)
    header, is_valid = journal.header or {}, verdict == "valid"
    if problem is not None:
        write({"line": line, "detail": problem})
    details = "none" if journal.entries == 0 else "not_shown" if journal.masked else "ok"
    checks = {"chain": "ok", "balances": "ok", "figures": "ok", "details": details} if is_valid else {}
    newest = header.get("head")
    if is_valid and head is not None:
        checks["head"] = "ok" if head == newest else "bad"
    owner = {} if journal.owner is None else {journal.owner: header[journal.owner]}
    values = {"owner": "".join(owner.values()), "entries": f"{journal.entries:,} {'entry' if journal.entries == 1 else 'entries'}"}
    words = {**WORDS["journal"], "verdicts": {name: text.format_map(values) for name, text in WORDS["journal"]["verdicts"].items()}}
    asked = is_valid and checks.get("head", "ok") == "ok"
    said = summary_of(words, {"verdict": verdict, "checks": checks}, asked, ["opening"] * bool(header.get("opening")))
    write({"verdict": verdict, "checks": checks, **owner, "entries": journal.entries, "head": newest, **said})
    return asked


def run_complete(given, pieces, now):
    refuse_beside(given, "complete", "issuer", "proof", "status", "at", "linked", "entry", "domain", "revocations")
    for name in ("operator", "log", "policy"):
        demand(getattr(given, name) is not None, f"--complete needs --{name}")
    demand(fits(ALWAYS["operator_id"], given.operator), "--operator is not the id of an operator")
    place = given.keys or (re.match("[^/]*//[^/]*", given.log)[0] if is_url(given.log) else None)
    demand(place is not None, "--complete needs --keys, unless --log is a URL")
    keys, (log_keys, policy) = keys_at(place), log_options(given)
    judged_from = None if given.judged_from is None else instant(given.judged_from)
    demand(given.judged_from is None or judged_from is not None, "--from is not an RFC 3339 time")
    return judge_complete(pieces, given.operator, given.log, keys, now, write_line, log_keys, policy, given.allow_unlinked,
                          None if judged_from is None else milliseconds(given.judged_from), given.predecessor or (), not is_url(place))


def run_linked(given, pieces, now):
    refuse_beside(given, "linked", "status", "at", "ndjson", "log", "entry", "domain", "revocations")
    demand(given.proof is not None, "--linked needs --proof")
    document, _ = input_of(pieces)
    need(document is not None, "--linked is of one receipt")
    keys, (log_keys, policy) = keys_at(given.keys), log_options(given)
    receipt = parse(document)
    must_be_receipt(receipt)
    manifest = content_of(given.proof, f"/api/v1/receipts/{receipt['receipt_id']}/public-manifest")
    result = judge_linked(document, keys, now, manifest, log_keys, policy)
    asked = as_asked(result, "proof", "linked")
    write_result(with_summary(result, "receipt", document, read_keys(keys), asked))
    return asked


def run(given):
    """Verifies what the options ask for, and prints the result. Returns whether all is in order."""
    clock = datetime.datetime.now(datetime.timezone.utc).timestamp()
    now = clock if given.at is None else instant(given.at)
    demand(now is not None, "--at is not an RFC 3339 time")
    pieces = pieces_of(sys.stdin.buffer if given.document == "-" else open(given.document, "rb"))
    if given.complete:
        return run_complete(given, pieces, now)
    for option in ("operator", "allow_unlinked", "judged_from"):
        demand(getattr(given, option) in (None, False), f"--{option.replace('judged_', '').replace('_', '-')} is for --complete")
    demand(given.issuer is None or not given.linked, "--issuer makes no sense with --linked")
    if given.linked:
        demand(given.keys is not None, "--keys is required")
        demand(given.predecessor is None, "--predecessor makes no sense with --linked")
        return run_linked(given, pieces, now)
    document, pieces = (None, pieces) if given.ndjson else input_of(pieces)
    first, pieces = (document, pieces) if document is not None else first_line_of(pieces)
    if len(first) <= LINE_MAX and is_journal(first):
        useless = [name for name in vars(given) if name not in ("document", "head", "ndjson") and getattr(given, name) not in (None, False)]
        demand(not useless, "a journal has no use for --" + " and --".join(name.replace("_", "-") for name in useless))
        demand(given.head is None or is_hex(32)(given.head), "--head is not 64 lower-case hexadecimal characters")
        return judge_journal(pieces if document is None else iter([document]), given.head, write_line)
    demand(given.head is None, "--head is for journals")
    kind = None if document is None else kind_of(document)
    is_of_bundles, pieces = (False, pieces) if document is not None else begins_with_bundle(pieces)
    one_bundle = kind is not None and kind.judge is judge_bundle
    demand(given.keys is not None or one_bundle and given.policy is not None, "--keys is required" + (", or --policy with log lines" if one_bundle else ""))
    demand(not given.fresh or one_bundle or is_of_bundles, "--fresh is for bundles")
    for option in ("revocations", "domain"):
        demand(getattr(given, option) is None or kind is None or one_bundle, f"--{option} is for receipts, but this is none")
    needs_log = kind is not None and kind.needs == "log"
    demand(given.predecessor is None or given.revocations or needs_log, "--predecessor is for --revocations, --complete and lists of keys")
    demand(given.journal is None or kind is not None and "journal" in kind.takes, "--journal is for proofs of journal heads and statements of accounts")
    for option in ("proof", "status"):
        useless = kind is not None and option not in kind.takes and getattr(given, option)
        demand(not useless, f"--{option} is for receipts, but this is none")
        demand(document is not None or getattr(given, option) is None, f"--{option} is of one receipt, but the input has many")
    cites = is_of_bundles or given.proof if kind is None or "proof" in kind.takes else kind.cites_logs
    for option in ("log_key", "policy", "any_log"):
        useful = cites or given.revocations or not getattr(given, option)
        demand(useful, f"there is nothing that --{option.replace('_', '-')} could verify without --proof or --revocations")
    content = functools.lru_cache(None)(lambda path: None if path is None else content_of(path))  # a pipe can be read only once
    is_cose = kind is None and is_cose_file(given.proof, content)
    compares = given.log is not None and document is not None and cites and not is_cose and (kind is None or kind.needs is None)
    for need_of in ("log", "entry"):
        wanted = kind is not None and kind.needs == need_of or is_cose and need_of == "entry" or compares and need_of == "log"
        demand(wanted == (getattr(given, need_of) is not None), f"--{need_of} is for another kind of document, or missing for this one")
    demand(not given.policy or not is_cose and (kind is None or kind.judge is not judge_cose), "a COSE receipt has no cosignatures")
    names_issuer = kind is not None and kind.name in ("compliance package", "scorecard", "credential", "passport")
    demand(given.issuer is None or names_issuer, "--issuer is for documents that name an issuer")
    keys, (log_keys, policy) = None if given.keys is None else keys_at(given.keys), log_options(given)
    demand(keys is not None or policy[0], "nothing names the trusted keys: there are no --keys, and the policy has no log line")
    if given.issuer is not None and isinstance(keys, dict):
        keys = IssuerNamed(keys, issuer=given.issuer)
    trusted = TrustedKeys() if keys is None else read_keys(keys)
    searches = given.revocations is not None and (document is None or one_bundle or has_receipt_form(document))
    revocations = revocations_at(given.revocations, trusted, log_keys, policy, given.predecessor or ()) if searches else None
    if document is None:
        return judge_list(pieces, keys, now, write_line, clock, log_keys, policy, given.fresh, is_of_bundles, given.domain, revocations)
    files = {name: getattr(given, name) for name in (kind.takes if kind else ()) if name != "fresh"}
    predecessors = given.predecessor if needs_log else None
    beside = {**beside_of(None if compares else given.log, content, predecessors or (), entry=given.entry, **files),
              "fresh": given.fresh, "domain": given.domain, "revocations": revocations}
    if compares:
        policy = with_key_log(policy, given.log, trusted, log_keys)
    result = judge_document(document, keys, now, *map(content, (given.proof, given.status)), log_keys, policy, clock, beside)
    if compares:
        result["checks"]["copy"] = copied_checks(given.log, notes_of(document, kind, content(given.proof)))
    asked = as_asked(result, "copy", "journal", *(OF_RECEIPT_ASKED if kind is None else ())) and (not one_bundle or bundle_as_asked(result))
    has_outcome = kind is not None and kind.name == "bundle of evidence" and result["verdict"] == "valid" and "outcome" in parse(document)["item"]
    is_open = ("outcome",) * has_outcome + ("key_status",) * (one_bundle and given.keys is None)
    write_result(with_summary(result, words_of(document, kind), document, trusted, asked, is_open))
    return asked


# What is said of each kind of document, of lists, and of --complete. The additional checks are those that are not made of every document, with what would make them,
# and what holds if they are in order. bun scripts/verifier-words.ts writes this from src/proof/words.
# <words>
WORDS = {
    "receipt": {"itself": "The receipt itself", "signer": "document", "verdicts": {
        "malformed": "This is not a well-formed receipt.",
        "revoked": "The receipt has been revoked.",
        "expired": "The receipt has expired.",
        "hash_mismatch": "The receipt was changed after it was signed: its content does not match its content_hash.",
        "key_unknown": "The key that signed the receipt is not among the trusted keys.",
        "bad_signature": "The signature was not made over this receipt by a trusted key.",
        "key_retired": "The receipt was dated or logged after the key that signed it was retired.",
        "key_compromised": "The key that signed the receipt has been reported as compromised.",
        "future": "The receipt is dated more than 60 s after the clock of the machine that verifies it.",
        "valid": "The receipt is authentic, unchanged and not expired.",
    }, "additional": [
        {"check":"domain","ok":"it is of the domain"},
        {"check":"proof","option":"--proof","ok":"the log has it","open":"whether the log has it"},
        {"check":"linked","ok":"the log of accounts has a leaf for each act"},
        {"check":"quorum","option":"--policy, --log","ok":"witnesses cosigned the log","closed":"witnesses cosigned the log, or the log of keys that records its end","open":"whether others see the same log","copied":"whether others see the same log as the copy","unproven":"witnesses cosigned the log of revocations"},
        {"check":"copy","ok":"it agrees with the copy of the log"},
        {"check":"revocation","option":"--status, --revocations","ok":"it is not revoked","open":"whether it is revoked"},
    ]},
    "bundle": {"itself": "The receipt itself", "signer": "receipt", "verdicts": {
    }, "additional": [
        {"check":"domain","ok":"it is of the domain"},
        {"check":"proof","option":"a newer bundle","ok":"the log has it","open":"whether the log has it"},
        {"check":"linked","ok":"the log of accounts has a leaf for each act"},
        {"check":"quorum","option":"--policy, --log","ok":"witnesses cosigned the log","closed":"witnesses cosigned the log, or the log of keys that records its end","open":"whether others see the same log","copied":"whether others see the same log as the copy"},
        {"check":"copy","ok":"it agrees with the copy of the log","unproven":"its proofs in other logs agree with the copy"},
        {"check":"key_events","option":"a newer bundle","ok":"the log of keys has its keys","open":"whether the log of keys has all of its keys"},
        {"check":"revocation","option":"--status, --revocations","ok":"it is not revoked","open":"whether it is revoked"},
        {"check":"now","option":"--fresh","open":"whether it was revoked since"},
        {"check":"key_status","option":"--keys","open":"whether its keys have ended","isNamed":True},
    ]},
    "package": {"itself": "The package itself", "signer": "document", "verdicts": {
        "malformed": "This is not a well-formed compliance package.",
        "hash_mismatch": "The package was changed after it was signed: its content does not match its content_hash.",
        "key_unknown": "The key that signed the package is not among the trusted keys for credentials.",
        "bad_signature": "The package was changed after it was signed, or the trusted key did not sign it.",
        "key_compromised": "The key that signed the package has been reported as compromised.",
        "key_retired": "The package is dated after the key that signed it was retired.",
        "issuer_unknown": "The package names another issuer than the trusted one.",
        "future": "The package is dated more than 60 s after the clock of this machine.",
        "inconsistent": "Parts of the package contradict each other.",
        "bad_checkpoint": "A cited checkpoint is not signed by a trusted key of its log, or is not what the package states.",
        "wrong_log": "It is of another log than the one that is meant, with the same key. A log that log restart closed counts only if closed_logs of the list of keys, a log line of the policy, or --log-key names it.",
        "log_not_named": "Nothing says which log is meant. Use a list of keys with log.origin, name the log with a log line of the policy or --log-key, or accept any log of these keys with --any-log.",
        "closed_size_contradicted": "It is of a closed log, but larger than the log of keys says that this log had become, or of its size with another root. Show it and the list of keys to everyone who relies on the log.",
        "misdated": "The package is dated more than 60 s before a checkpoint or an entry that it cites, or before the last day of its period.",
        "bad_sample": "A sampled reference is not proven, or is not one that the package had to show.",
        "bad_receipt": "A receipt of the package is not authentic, is not that of a sampled entry, or is not of the agent.",
        "valid": "The package is authentic and unchanged, and its sampled references are in the logs.",
    }, "additional": [
        {"check":"attribution","option":"the package for its sponsor","ok":"its sampled receipts are those of its subject","open":"whether its sampled receipts are those of its subject"},
        {"check":"rules","option":"a newer version","open":"whether each status follows from the counts"},
        {"check":"quorum","option":"--policy, --log","ok":"witnesses cosigned the log","closed":"witnesses cosigned the log, or the log of keys that records its end","open":"whether others see the same log","copied":"whether others see the same log as the copy"},
        {"check":"copy","ok":"it agrees with the copy of the log"},
    ]},
    "scorecard": {"itself": "The scorecard itself", "signer": "document", "verdicts": {
        "malformed": "This is not a well-formed scorecard.",
        "hash_mismatch": "The scorecard was changed after it was signed: its content does not match its content_hash.",
        "key_unknown": "The key that signed the scorecard is not among the trusted keys for credentials.",
        "bad_signature": "The scorecard was changed after it was signed, or the trusted key did not sign it.",
        "key_compromised": "The key that signed the scorecard has been reported as compromised.",
        "key_retired": "The scorecard is dated after the key that signed it was retired.",
        "issuer_unknown": "The scorecard names another issuer than the trusted one.",
        "future": "The scorecard is dated more than 60 s after the clock of this machine.",
        "inconsistent": "The scorecard names another issuer than the key that signed it.",
        "valid": "The scorecard is authentic and unchanged.",
    }, "additional": [
    ]},
    "statement": {"itself": "It", "signer": "document", "verdicts": {
        "malformed": "This is not well-formed.",
        "hash_mismatch": "It was changed after it was signed: its content does not match its content_hash.",
        "key_unknown": "The key that signed it is not among the trusted keys for credentials.",
        "bad_signature": "It was changed after it was signed, or the trusted key did not sign it.",
        "key_compromised": "The key that signed it has been reported as compromised.",
        "key_retired": "It is dated after the key that signed it was retired.",
        "issuer_unknown": "It names another issuer than the trusted one.",
        "inconsistent": "It contradicts itself.",
        "revoked": "It is authentic, and says that its subject has been revoked.",
        "future": "It is dated more than 60 s after the clock of this machine.",
        "misdated": "It says that it is valid for longer than the service lets it be.",
        "expired": "It is no longer valid: get a new one.",
        "denied": "It is authentic, and denies what was asked.",
        "valid": "It is authentic, unchanged and not expired.",
    }, "additional": [
    ]},
    "accountStatement": {"itself": "It", "signer": "document", "verdicts": {
    }, "additional": [
        {"check":"journal","option":"--journal","ok":"the journal has its entries and yields its sums","open":"whether the journal yields its sums"},
    ]},
    "agentObject": {"itself": "It", "verdicts": {
        "malformed": "This is not well-formed.",
        "inconsistent": "The object names another agent than the one that has the public key.",
        "bad_signature": "The agent did not sign this object with the public key.",
        "future": "The authorization ends more than 10 minutes from now, which no service accepts.",
        "expired": "The authorization has expired.",
        "valid": "The agent that the object names signed it.",
    }, "additional": [
    ]},
    "evidence": {"itself": "The item itself", "verdicts": {
        "malformed": "This is not a well-formed item of evidence.",
        "inconsistent": "The item names another agent than the one that has the public key.",
        "bad_signature": "The agent did not sign this payload with the public key in this format.",
        "hash_mismatch": "The hashes of the item are not those of its payload and its members.",
        "bad_proof": "The proof does not show that the log of evidence has an entry.",
        "wrong_log": "It is of another log than the one that is meant, with the same key. A log that log restart closed counts only if closed_logs of the list of keys, a log line of the policy, or --log-key names it.",
        "log_not_named": "Nothing says which log is meant. Use a list of keys with log.origin, name the log with a log line of the policy or --log-key, or accept any log of these keys with --any-log.",
        "closed_size_contradicted": "It is of a closed log, but larger than the log of keys says that this log had become, or of its size with another root. Show it and the list of keys to everyone who relies on the log.",
        "misdated": "The log of evidence has the item, but the item is dated more than 60 s after the checkpoint.",
        "future": "The proof or the item is dated more than 60 s after the clock of this machine.",
        "mismatch": "The proof is of another entry of the log.",
        "valid": "The agent signed this payload, and the hashes of the item are right.",
    }, "additional": [
        {"check":"proof","option":"--proof","ok":"the log has it","open":"whether the log has it, and when"},
        {"check":"quorum","option":"--policy, --log","ok":"witnesses cosigned the log","closed":"witnesses cosigned the log, or the log of keys that records its end","open":"whether others see the same log","copied":"whether others see the same log as the copy"},
        {"check":"copy","ok":"it agrees with the copy of the log"},
    ]},
    "evidenceBundle": {"itself": "The item itself", "verdicts": {
        "malformed": "This is not a well-formed bundle of evidence.",
        "inconsistent": "The item names another agent than the one that has the public key.",
        "hash_mismatch": "The hash of the item is not that of its members.",
        "not_proven": "The bundle has no proof that the log of evidence has the item.",
        "bad_proof": "The proof does not show that the log of evidence has an entry.",
        "wrong_log": "It is of another log than the one that is meant, with the same key. A log that log restart closed counts only if closed_logs of the list of keys, a log line of the policy, or --log-key names it.",
        "log_not_named": "Nothing says which log is meant. Use a list of keys with log.origin, name the log with a log line of the policy or --log-key, or accept any log of these keys with --any-log.",
        "closed_size_contradicted": "It is of a closed log, but larger than the log of keys says that this log had become, or of its size with another root. Show it and the list of keys to everyone who relies on the log.",
        "misdated": "The log of evidence has the item, but the item is dated more than 60 s after the checkpoint.",
        "future": "The proof or the item is dated more than 60 s after the clock of this machine.",
        "mismatch": "The proof is of another entry of the log.",
        "valid": "The log of evidence has this item of the agent.",
    }, "additional": [
        {"check":"quorum","option":"--policy, --log","ok":"witnesses cosigned the log","closed":"witnesses cosigned the log, or the log of keys that records its end","open":"whether others see the same log","copied":"whether others see the same log as the copy"},
        {"check":"copy","ok":"it agrees with the copy of the log"},
        {"check":"signature","option":"the item with its payload, with this file as --proof","open":"whether the agent signed the payload"},
        {"check":"outcome","option":"the payload","open":"its outcome, which nothing signs","isNamed":True},
    ]},
    "headProof": {"itself": "The head itself", "verdicts": {
        "malformed": "This is not a well-formed proof of the head of a journal.",
        "not_proven": "It has no proof that the log of accounts has the root of the heads.",
        "bad_proof": "The proof does not show that the log of accounts has an entry.",
        "wrong_log": "It is of another log than the one that is meant, with the same key. A log that log restart closed counts only if closed_logs of the list of keys, a log line of the policy, or --log-key names it.",
        "log_not_named": "Nothing says which log is meant. Use a list of keys with log.origin, name the log with a log line of the policy or --log-key, or accept any log of these keys with --any-log.",
        "closed_size_contradicted": "It is of a closed log, but larger than the log of keys says that this log had become, or of its size with another root. Show it and the list of keys to everyone who relies on the log.",
        "misdated": "The log of accounts has the entry, but its day ended more than 60 s after the checkpoint.",
        "future": "The checkpoint or the end of the day is more than 60 s after the clock of this machine.",
        "mismatch": "The log of accounts has no heads of this day with this head.",
        "journal_cut": "The journal does not have this head: entries were removed, changed or replaced, or it is not the whole journal of the account.",
        "valid": "The log of accounts has this head of the journal.",
    }, "additional": [
        {"check":"journal","option":"--journal","ok":"the journal has it","open":"whether the journal still has it"},
        {"check":"quorum","option":"--policy, --log","ok":"witnesses cosigned the log","closed":"witnesses cosigned the log, or the log of keys that records its end","open":"whether others see the same log","copied":"whether others see the same log as the copy"},
        {"check":"copy","ok":"it agrees with the copy of the log"},
    ]},
    "credential": {"itself": "The credential itself", "signer": "credential", "verdicts": {
        "malformed": "This is not a well-formed credential of a type that this service issues.",
        "issuer_unknown": "The issuer of the credential is not the trusted service.",
        "key_unknown": "The key that the proof names is not among the trusted keys for credentials.",
        "key_compromised": "The key that signed the credential has been reported as compromised.",
        "bad_proof": "The credential was changed after it was signed, or this key did not sign it.",
        "key_retired": "The credential is dated after the key that signed it was retired.",
        "inconsistent": "The credential counts more than the log that it cites has entries.",
        "misdated": "The proof of the credential is dated more than 60 s before the credential.",
        "not_yet_valid": "The credential is not valid yet.",
        "expired": "The credential has expired.",
        "revoked": "The credential has been revoked.",
        "status_unknown": "It is unknown whether the credential has been revoked.",
        "valid": "The credential is authentic, unchanged and not expired.",
    }, "additional": [
        {"check":"revocation","option":"--status","ok":"it is not revoked","open":"whether it is revoked"},
    ]},
    "statusList": {"itself": "The status list itself", "signer": "credential", "verdicts": {
    }, "additional": [
    ]},
    "keys": {"itself": "The list itself", "verdicts": {
        "malformed": "This is not a well-formed list of keys.",
        "bad_checkpoint": "No trusted key of the key log signed the checkpoint of the document or that of the log, or they contradict each other.",
        "wrong_log": "It is of another log than the one that is meant, with the same key. A log that log restart closed counts only if closed_logs of the list of keys, a log line of the policy, or --log-key names it.",
        "log_not_named": "Nothing says which log is meant. Use a list of keys with log.origin, name the log with a log line of the policy or --log-key, or accept any log of these keys with --any-log.",
        "closed_size_contradicted": "It is of a closed log, but larger than the log of keys says that this log had become, or of its size with another root. Show it and the list of keys to everyone who relies on the log.",
        "bad_log": "The entries of the key log are not those that its checkpoints state.",
        "bad_events": "The key log has an event that the keys concerned did not sign, or that cannot follow the events before it.",
        "lost_events": "The key log does not keep the ends of keys in the closed log of keys that it continues, or no copy of that log shows that it does (--predecessor).",
        "mismatch": "The document says something else of a key, or of a closed log, than the key log.",
        "future": "A checkpoint of the key log is dated after now. Check the clock of this machine.",
        "valid": "Every key is as the key log says, and the keys concerned signed each of its events.",
    }, "additional": [
        {"check":"quorum","option":"--policy","ok":"witnesses cosigned the log","closed":"witnesses cosigned the log, or the log of keys that records its end","open":"whether others see the same log","copied":"whether others see the same log as the copy"},
    ]},
    "proof": {"itself": "It", "verdicts": {
        "malformed": "This does not have the form of a checkpoint or of a proof of a log.",
        "bad_checkpoint": "No trusted key of the log signed the checkpoint, or a signature is wrong.",
        "wrong_log": "It is of another log than the one that is meant, with the same key. A log that log restart closed counts only if closed_logs of the list of keys, a log line of the policy, or --log-key names it.",
        "log_not_named": "Nothing says which log is meant. Use a list of keys with log.origin, name the log with a log line of the policy or --log-key, or accept any log of these keys with --any-log.",
        "closed_size_contradicted": "It is of a closed log, but larger than the log of keys says that this log had become, or of its size with another root. Show it and the list of keys to everyone who relies on the log.",
        "future": "The checkpoint or the entry is dated more than 60 s after the clock of this machine.",
        "bad_proof": "The hashes do not lead from the entry to the root of the checkpoint.",
        "bad_entry": "The log has this line, but the line does not have the form of an entry.",
        "misdated": "The log has this entry, but the entry is dated more than 60 s after the checkpoint.",
        "valid": "A trusted key of the log signed it.",
    }, "additional": [
        {"check":"quorum","option":"--policy, --log","ok":"witnesses cosigned the log","closed":"witnesses cosigned the log, or the log of keys that records its end","open":"whether others see the same log","copied":"whether others see the same log as the copy"},
        {"check":"copy","ok":"it agrees with the copy of the log"},
    ]},
    "cose": {"itself": "It", "verdicts": {
        "malformed": "This does not have the form of a COSE receipt of a log of receipts.",
        "key_unknown": "No trusted key of its log has its kid.",
        "wrong_log": "It is of another log than the one that is meant, with the same key. A log that log restart closed counts only if closed_logs of the list of keys, a log line of the policy, or --log-key names it.",
        "log_not_named": "Nothing says which log is meant. Use a list of keys with log.origin, name the log with a log line of the policy or --log-key, or accept any log of these keys with --any-log.",
        "closed_size_contradicted": "It is of a closed log, but larger than the log of keys says that this log had become, or of its size with another root. Show it and the list of keys to everyone who relies on the log.",
        "key_retired": "The key that it names was retired, and it has no time: get it again.",
        "bad_proof": "Its hashes do not lead from a leaf to the root of a tree of its size.",
        "bad_signature": "The key did not sign the root that the entry has by its hashes.",
        "bad_entry": "The log has this line, but the line does not have the form of an entry.",
        "future": "The entry is dated more than 60 s after the clock of this machine.",
        "valid": "The log has the entry: its key signed a tree with it.",
    }, "additional": [
        {"check":"quorum","option":"a proof in text form","ok":"witnesses cosigned the log","closed":"witnesses cosigned the log, or the log of keys that records its end","open":"whether others see the same log","copied":"whether others see the same log as the copy"},
    ]},
    "agora": {"itself": "The proposal itself", "verdicts": {
        "malformed": "This is not a well-formed AGORA proposal.",
        "inconsistent": "A party has another commitment than its public key and context give.",
        "bad_signature": "The agent of a step did not sign it.",
        "bad_step": "The hashes of the steps are wrong, or a step may not follow the one before it.",
        "mismatch": "What the document says of the proposal is not what its steps say.",
        "valid": "Both agents signed their steps, and each may follow the one before it.",
    }, "additional": [
    ]},
    "complete": {"first": "complete", "itself": "The list", "verdicts": {
        "not complete": "{problems}.",
        "valid": "Of {operator_id}, the log of accounts has {receipts} and no others, from {judged_since} to {attested_at}{except}.",
    }, "additional": [
        {"check":"receipts","ok":"a trusted key signed each"},
        {"check":"quorum","ok":"witnesses cosigned the log"},
        {"check":"times","ok":"kept checkpoints, at most {interval} s apart, bound the time of each leaf"},
        {"check":"closed_logs","ok":"all entries are known of the closed logs that the list of keys names"},
        {"check":"linked","ok":"the account was always linked","open":"what happened while it was not linked"},
        {"check":"before_link","open":"what came before {judged_since}","isNamed":True},
        {"check":"earlier","option":"an earlier --from","open":"what came before {judged_since}: {earlier_leaves}, and {earlier_receipts} of the list with no other leaves","isNamed":True},
        {"check":"verdicts","option":"verify without --complete","open":"whether any has expired or is revoked","isNamed":True},
        {"check":"keys","option":"--keys with a saved list","open":"whether others are shown the same keys","isNamed":True},
        {"check":"key_log","option":"verify of the list of keys with --log","open":"whether the log of keys has these keys, and names no other closed log","isNamed":True},
    ]},
    "journal": {"first": "consistent", "itself": "The journal itself", "verdicts": {
        "malformed": "This is not a well-formed journal of credits.",
        "filtered": "The journal was downloaded with filters. Download it without any.",
        "inconsistent": "An entry or a total of the journal does not follow from the others.",
        "valid": "The journal of {owner} has {entries}, which are one chain; each balance follows, and all add up to its totals.",
    }, "additional": [
        {"check":"details","option":"the journal for its parties","ok":"other accounts, references and memos are those of the entries","open":"who the other accounts are"},
        {"check":"head","option":"--head","ok":"its newest entry is that of --head","open":"whether the service shows others the same journal, which nobody signed"},
        {"check":"opening","open":"the totals before the journal was complete, which are the service's word","isNamed":True},
    ]},
}
WORDS["bundle"]["verdicts"] = WORDS["receipt"]["verdicts"]
WORDS["accountStatement"]["verdicts"] = WORDS["statement"]["verdicts"]
WORDS["statusList"]["verdicts"] = WORDS["credential"]["verdicts"]
LIST_WORDS = {"failed": "of which other checks failed", "domain": "whose domain differs from --domain or cannot be checked", "additional": [
    {"check":"proof","option":"a bundle a line","ok":"in the log","open":"whether the log has them"},
    {"check":"quorum","option":"--policy","ok":"witnesses cosigned the logs","open":"whether others see the same log"},
    {"check":"key_events","option":"newer bundles","open":"whether the log of keys has all of their keys"},
    {"check":"revocation","option":"--revocations","ok":"not revoked","open":"whether any is revoked"},
    {"check":"now","option":"--fresh","open":"whether any was revoked since its status"},
]}
TEST_WORDS = "TEST: a test service signed this, which proves nothing."
COMPLETE_PROBLEMS = {"receipts":["not_authentic","foreign"],"leaves":["sequence","agent_sequence","link","event","extra","duplicate","altered","pending","reordered","missing"],"times":["time","unbounded"],"closed_logs":["predecessor"],"linked":["issue_unproven","outcome_unproven","unproven","unlinked"]}
# </words>
IN_ORDER = ("ok", "trusted", "closed", True)
OPEN = (None, "none", "not_shown", "partly", "unknown", "undated")  # nothing was looked at, or nothing is demanded
WORDS_OF = {"compliance package": "package", "scorecard": "scorecard", "list of keys": "keys", "item of evidence": "evidence",
            "account-statement": "accountStatement", "AGORA proposal": "agora", "object of an agent": "agentObject", "COSE receipt": "cose", "proof of a log": "proof", "checkpoint": "proof",
            "bundle of evidence": "evidenceBundle", "proof of a journal head": "headProof", "bundle of a receipt": "bundle"}


def words_of(data, kind):
    """Returns the name of the words for a document of a kind, None for a receipt."""
    if kind is not None and kind.name == "credential":
        try:
            credential = presented(parse(data))
        except Refused:
            credential = None
        return "statusList" if isinstance(credential, dict) and "credentialStatus" not in credential else "credential"
    return "receipt" if kind is None else WORDS_OF.get(kind.name, "statement")


def state_of(row, result, is_open):
    """Returns whether an additional check is ok, open or failed; None for one that needs no mention."""
    check, checks, found = row["check"], result["checks"], result["checks"].get(row["check"])
    if check == "now":
        return "open" if "revocation_as_of" in result else None
    if row.get("isNamed"):
        return "open" if check in is_open else None
    if check == "revocation":
        if result.get("revocation", "not_checked") == "not_checked":
            return "failed" if any(checks.get(name) not in OPEN for name in ("status", "revocation")) else "open"
        return "ok" if result["revocation"] == "ok" else "failed"
    return "ok" if found in IN_ORDER else "open" if found in OPEN else "failed"


def signer_in(document, kind, keys, checks):
    """Returns who signed a document, as it and the trusted list say; None for one that no service signs. `is_only_claimed` says that this is the
    word of the document alone: no signature counts, or no list names the issuer."""
    where, value = WORDS[kind].get("signer"), parsed(document)
    value = presented(value) if where == "credential" else value.get("receipt") if where == "receipt" and isinstance(value, dict) else value
    if where is None or not isinstance(value, dict):
        return None
    text, inner = lambda said: said if isinstance(said, str) else None, lambda said, name: said.get(name) if isinstance(said, dict) else said
    named = text(inner(value.get("issuer"), "id"))
    is_listed = named is None or named == keys.issuer or named.startswith("did:key:")  # a did:key is the key itself
    proof, kid = value.get("proof"), text(value.get("kid"))
    method = text(proof.get("verificationMethod")) if isinstance(proof, dict) else None
    return {"issuer": keys.issuer if named is None else named, "is_only_claimed": not is_signed(checks) or not is_listed,
            "kid": method if kid is None else kid, "key_log": keys.key_log}


def is_signed(checks):
    """Returns whether the signature of a document counts: what it names without one is a claim."""
    is_of_nobody_else = checks.get("hash") != "mismatch" and checks.get("key") != "compromised" and checks.get("issuer") not in ("unknown", False)
    return is_of_nobody_else and (checks.get("signature") == "ok" or checks.get("proof") is True)


def described_signer(signer):
    name = "a service that the list of keys does not name" if signer["issuer"] is None else signer["issuer"]
    claimed = " (only the document says so)" if signer["is_only_claimed"] else ""
    unnamed = lambda text: "not named" if text is None else text
    return f"signer: {name}{claimed}, key {unnamed(signer['kid'])}; log of keys: {unnamed(signer['key_log'])}"


def with_summary(result, kind, document, keys, asked, is_open=()):
    """Adds to a result who signed the document, which logs, and what `summary_of` says."""
    signer = signer_in(document, kind, keys, result["checks"])
    trees = each_tree_once(result.get("trees", []))
    said = mark_test(summary_of(WORDS[kind], result, asked, is_open), keys.key_log, *(tree["log"] for tree in trees))
    return {**result, **({} if signer is None else {"signer": signer}), "trees": trees, **said}


def mark_test(said, *logs):
    """Adds to what is said that a test service signed, if one of the logs (None for none) is that of a test service."""
    if not any(log is not None and re.match(r"test\.invalid(?:[/:]|\Z)", log, re.IGNORECASE | re.ASCII) for log in logs):
        return said
    return {**said, "test": True, "sentence": f"{TEST_WORDS} {said['sentence']}"}


def summary_of(words, result, asked, is_open=()):
    """Says which checks were made and are in order, which were not made, and the verdict in words."""
    verdict = result["verdict"]
    rows = [(row, state_of(row, result, is_open)) for row in words["additional"]]
    unmade = [row for row, state in rows if state == "open" and "open" in row]
    if result["checks"].get("copy") == "ok":  # the one who asks may have made the copy alone
        unmade = [{**row, "option": row.get("option", "").replace(", --log", ""), "open": row["copied"]} if "copied" in row else row for row in unmade]
    if verdict != "valid":
        sentence = f"{verdict}: {words['verdicts'][verdict]}"
    elif not asked:
        failed = [name for name, found in result["checks"].items() if found not in IN_ORDER and found not in OPEN]
        sentence = f"not proven: {words['itself']} is valid; other checks failed ({', '.join(failed)})."
    else:
        said = lambda row: "closed" if result["checks"].get(row["check"]) == "closed" else "unproven" if "proof" not in result["checks"] else "ok"
        clause = lambda row: row.get(said(row), row["ok"])
        done = [f"it was not revoked at {result['revocation_as_of']}" if row["check"] == "revocation" and "revocation_as_of" in result else clause(row)
                for row, state in rows if state == "ok" and "ok" in row]
        unsaid = [f"{row['open']} ({row['option']})" if "option" in row else row["open"] for row in unmade]
        sentence = f"{words.get('first', 'valid')}: {'; '.join([words['verdicts']['valid'][:-1], *done])}." + (f" Not checked: {'; '.join(unsaid)}." if unsaid else "")
    return {"checked": [name for name, found in result["checks"].items() if found in IN_ORDER],
            "not_checked": [{"check": row["check"], "option": row.get("option", "")} for row in unmade], "sentence": sentence}


def printable(text):
    """Escapes the characters that a terminal obeys or hides. A message can quote others, such as a server."""
    ignored = "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    beyond = "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # Default_Ignorable_Code_Point (UAX #44), with these
    return re.sub(f"[\0-\x09\x0b-\x1f\x7f-\x9f{ignored}{beyond}]", lambda found: json.dumps(found[0])[1:-1] if found[0] > "\x7f"
                  else f"\\u{ord(found[0]):04x}", text)


def main():
    options = argparse.ArgumentParser(description="Check a receipt, a list of receipts, a compliance package or another signed document.")
    options.add_argument("document", help="a receipt, a list of receipts, a compliance package or another signed document; - for standard input")
    options.add_argument("--keys", help="the trusted keys: a saved GET /api/v1/transparency/keys, or the URL of the service (required, except for a "
                         "bundle with --policy and its log lines: then the keys that the log of keys has, by the bundle, are trusted)")
    options.add_argument("--proof", help="of a receipt or an item of evidence: its saved GET .../proof")
    options.add_argument("--status", help="of a receipt: a saved GET /api/v1/receipts/<id>/status; of a credential: its status list")
    options.add_argument("--domain", choices=DOMAINS, help="also check that the receipt is of this domain")
    options.add_argument("--revocations", help="also search the log of revocations for the receipt: a directory with a copy of the logs, or the URL of "
                         "the service")
    options.add_argument("--fresh", action="store_true", help="of a bundle: its status must still be valid now")
    options.add_argument("--log-key", action="append", help="trust this C2SP verifier key, not the log keys in KEYS")
    options.add_argument("--any-log", action="store_true", help="accept any log of the keys where nothing names the one that is meant: KEYS has no "
                         "log.origin, and there is neither --log-key nor a log line")
    options.add_argument("--policy", help="the C2SP tlog-policy with the witnesses that must have cosigned the checkpoints")
    options.add_argument("--log", help="also compare the checkpoint of a proof, of a package or by itself with a copy of the logs; of a list of "
                         "keys: the log of keys; with --complete: the log of accounts: a copy, or the URL of the service")
    options.add_argument("--issuer", help="of a credential, a package, a scorecard or a passport: accept this issuer only, instead of that of KEYS")
    options.add_argument("--entry", help="of a COSE receipt: the entry of the log, or the public manifest with it")
    options.add_argument("--at", help="an RFC 3339 time instead of now")
    options.add_argument("--ndjson", action="store_true", help="read one receipt per line, even if the first line is not a receipt")
    options.add_argument("--journal", help="of a proof of a journal head or the statement of an account: the whole journal, as "
                          "NDJSON, which must agree")
    options.add_argument("--linked", action="store_true", help="of a receipt: also check that the log of accounts has a leaf for each act on "
                         "it; --proof is then its public manifest, or the URL of the service")
    options.add_argument("--head", help="of a journal of credits: the entry_hash that its newest entry must have")
    options.add_argument("--complete", action="store_true", help="prove that the receipts of a linked account are all there: needs "
                         "--operator, --log and --policy")
    options.add_argument("--operator", help="with --complete: the operator of the account, op_cus_...")
    options.add_argument("--allow-unlinked", action="store_true", help="with --complete: accept that nothing is proven while the account was "
                         "not linked")
    options.add_argument("--from", dest="judged_from", help="with --complete: judge only what was logged after this RFC 3339 time, as kept "
                         "checkpoints confirm")
    options.add_argument("--predecessor", action="append", help="with --complete: a copy of a closed log of accounts that the log continues, "
                         "or its URL; with --revocations and of a list of keys: the same of these logs; may be repeated")
    given = options.parse_args()
    for path in (given.document, given.keys or "-"):  # a misspelt name is wrong usage, as for `countersign verify`
        if path != "-" and "://" not in path and not os.path.exists(path):
            options.error(printable(f"there is no file {path}"))  # exits with 2
    try:
        sys.exit(0 if run(given) else 1)
    except WrongUsage as error:
        options.error(printable(str(error)))  # exits with 2
    except (Refused, UnicodeError, OSError) as error:
        sys.exit(printable(f"verify.py: error: {error}"))


if __name__ == "__main__":
    main()
