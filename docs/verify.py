#!/usr/bin/env python3
"""Verifies a receipt with Python's standard library and the openssl command only. docs/verification.md describes the checks.

    python3 verify.py RECEIPT --keys KEYS [--proof PROOF] [--status STATUS] [--log-key VKEY] [--policy POLICY] [--at TIME]

Prints the result as JSON. Exits with 0 if the receipt is valid and the proof and the status are in order, 1 if not or if
something cannot be read, 2 for wrong usage.
"""

import argparse
import base64
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata

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


def need(holds, why):
    if not holds:
        raise Refused(why)


def strict_point(encoding):
    y = int.from_bytes(encoding, "little") % 2**255
    return y < P and y not in SMALL


def ed25519(public_key, message, signature):
    """Verifies Ed25519 strictly: key and R are canonical and not of small order, S is below the order; openssl does the rest."""
    if len(public_key) != 32 or len(signature) != 64 or not strict_point(public_key) or not strict_point(signature[:32]):
        return False
    if int.from_bytes(signature[32:], "little") >= L:
        return False
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


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def canonical(value):
    """Returns the canonical JSON (RFC 8785) of objects with ASCII names and with strings and small integers as values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def depth(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def parse(data):
    """Reads JSON in UTF-8, at most 64 levels deep, without duplicate members. Numbers are floats, so that 5 and 5.0 are equal.
    An integer that a float does not hold exactly is refused."""
    def members(pairs):
        need(len(dict(pairs)) == len(pairs), "an object names a member twice")
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
    return lambda text: 0 < len(text) <= longest and not any(unicodedata.category(c) in refused for c in text)


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


LOG_PURPOSES = ("receipts-log", "keys-log", "revocations-log", "evidence-log")  # a key pair for each log


def must_have_term(key):
    status, until = key.get("status"), key.get("valid_until", "")
    need(isinstance(key.get("kid"), str), "a key has no kid")
    need(status in ("next", "active", "retired", "compromised"), "the status of a key is unknown")
    need(until is None or instant(until) is not None, "valid_until is not an RFC 3339 time")
    need(until is not None or status != "retired", "a retired key has no end")


def read_keys(document):
    """Returns the Ed25519 keys in a saved GET /api/v1/transparency/keys. If one of them is not valid, none is trusted."""
    need(isinstance(document, dict) and isinstance(document.get("keys"), list), "there are no keys in it")
    for key in document["keys"]:
        need(isinstance(key, dict) and isinstance(key.get("algorithm"), str), "a key has no algorithm")
        if key["algorithm"] == "ML-DSA-44" and key.get("purpose") in LOG_PURPOSES:  # not used here, but its form is checked
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
    return rows


def ended(key, time):
    return key["valid_until"] is not None and instant(key["valid_until"]) < time


def key_status(key, receipt, position):
    """Returns the status of a key for a receipt. The log proves which signatures are older than the end of their key; without
    the log a date does, if the key was not stolen."""
    logs, size = key.get("receipts_logs") or [], key.get("receipts_tree_size")
    comparable = position is not None and size is not None and position["log"] in logs
    if comparable and position["index"] < size:
        return "trusted"
    if key["status"] == "compromised":
        return "compromised"
    return "retired" if comparable or ended(key, instant(receipt["issued_at"])) else "trusted"


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


def open_checkpoint(note, keys):
    """Reads a C2SP signed note with a checkpoint: at least one known key of its log signed it, and no known key's signature is wrong.

    `keys` are pairs: a function that says whether the key is for the log with a name, and the raw Ed25519 key. Lines of other
    keys and types are passed over.
    """
    need(all(c >= " " or c == "\n" for c in note) and "\n\n" in note and len(note.encode()) <= 2**20, "not a note")
    text, _, lines = note.rpartition("\n\n")
    need(lines.endswith("\n") and lines.count("\n") <= 64, "a note ends with signature lines, 64 at most")
    need(text.count("\n") >= 2 and "" not in text.split("\n"), "a checkpoint has three lines or more, none of them empty")
    origin, size, root = text.split("\n")[:3]
    signed = []
    for line in lines[:-1].split("\n"):
        need(re.fullmatch("\u2014 [^ ]+ [^ ]+", line), "not a signature line")
        _, name, encoded = line.split(" ")
        need(is_key_name(name), "not the name of a key")
        signature = base64_of(encoded)
        need(len(signature) > 4, "a signature is empty")
        for is_for, key in keys:
            known = is_for(origin) and name == origin
            if known and signature[:4] == sha256(origin.encode(), b"\n\x01", key)[:4]:
                signed.append(ed25519(key, (text + "\n").encode(), signature[4:]))
    need(signed != [], "no trusted key has signed the checkpoint")
    need(all(signed), "a signature of the checkpoint does not verify")
    return origin, whole(size), base64_of(root, 32)


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


def check_proof(data, receipt, keys):
    """Checks a C2SP tlog-proof whose extra data is the leaf. Returns the result, and the log position of this version."""
    need(len(data) <= 2**21, "a proof has at most 2 MiB")
    head, separator, note = data.decode("utf-8").partition("\n\n")
    first, extra, index, *path = head.split("\n") + [""] * 3
    path = path[:-3] if index != "" else path
    need(separator and first == "c2sp.org/tlog-proof@v1", "not a proof")
    need(extra.startswith("extra ") and index.startswith("index "), "not a proof of a receipt")
    need(len(path) <= 63, "too many hashes")
    leaf, index, path = base64_of(extra[6:]), whole(index[6:]), [base64_of(hash_, 32) for hash_ in path]
    origin, size, root = open_checkpoint(note, keys)
    need(index < size and root_from(sha256(b"\x00", leaf), index, size, path) == root, "the leaf is not in the tree")
    entry = parse(leaf)
    forms = {"receipt_id": is_id, "content_hash": is_hex(32), "signature": is_hex(64),
             "finalized_at": lambda text: re.fullmatch(r".{19}\.[0-9]{3}Z", text) and instant(text),
             "kid": lambda text: re.fullmatch("[A-Za-z0-9_-]{43}", text)}
    need(isinstance(entry, dict) and set(entry) == {"v", *forms}, "the leaf is not that of a receipt")
    need(all(fits(form, entry[name]) for name, form in forms.items()), "the leaf is not that of a receipt")
    need(canonical({**entry, "v": 1}).encode() == leaf, "the leaf is not canonical JSON")
    if entry["receipt_id"] != receipt["receipt_id"]:
        return "mismatch", None
    if receipt["revocation_status"] == "revoked":  # the log has the version before, and nothing else changed
        before = content_hash({**receipt, "revocation_status": "active"})
        return ("ok" if entry["content_hash"] == before else "mismatch"), None
    same = all(entry[name] == receipt.get(name, entry["kid"]) for name in ("content_hash", "signature", "kid"))
    return ("ok", {"log": origin, "index": index}) if same else ("mismatch", None)


def check_status(data, receipt, keys, now):
    """Checks a signed GET /api/v1/receipts/<id>/status. A revocation is final; any other status ends at valid_until."""
    status = parse(data)
    forms = {"type": one_of("receipt-status"), "receipt_id": is_id, "content_hash": is_hex(32), "signature": is_hex(64),
             "status": one_of(*OUTCOME), "revocation_status": one_of("active", "revoked"), "checked_at": instant,
             "valid_until": instant, "kid": text_of(128, "Cs")}
    if not isinstance(status, dict) or set(status) != set(forms) or not all(fits(forms[n], status[n]) for n in forms):
        return "malformed"
    named = [key for key in keys if key["kid"] == status["kid"]]
    if not named:
        return "key_unknown"
    said = {name: value for name, value in status.items() if name not in ("signature", "kid")}
    message = sha256(canonical(said).encode()).hex().encode()
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
    return "ok" if status["content_hash"] == receipt["content_hash"] else "superseded"


def read_policy(data):
    """Reads a C2SP tlog-policy. Returns its log keys like `read_vkey`, its witnesses by their names in the policy, and the quorum:
    None, the name of a witness, or a threshold and members."""
    text, logs, witnesses, rules, used, quorum = data.decode("utf-8"), [], {}, {}, set(), []
    need(text.endswith("\n") and all(c >= " " or c in "\n\t" for c in text) and "\x7f" not in text, "the policy is not lines of text")
    for line in text[:-1].split("\n"):
        kind, *words = re.findall("[^ \t]+", line) or ["#"]
        if kind.startswith("#"):
            continue
        if kind == "log" and len(words) in (1, 2):
            logs.append(read_vkey(words[0], (1, 6)))
        elif kind == "witness" and len(words) in (2, 3):
            rules[new_name(words[0], rules)] = words[0]
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
            quorum.append(None if words[0] == "none" else defined(words[0], rules))
    for keys in (logs, [*witnesses.values()]):
        need(len({key[-1] for key in keys}) == len(keys), "two lines of the policy have the same key")
    every = [*logs, *witnesses.values()]
    need(len({key[:2] for key in every}) == len({(*key[:2], key[-1]) for key in every}), "two keys have the same name and key id")
    need(quorum and len(logs) + len(rules) <= 1024, "the policy has no quorum, or more than 1,024 definitions")
    return logs, witnesses, quorum[0]


def new_name(name, rules):
    need(name != "none" and name not in rules, "a name of the policy is used twice")
    return name


def defined(name, rules):
    need(name in rules, "the policy uses a name before its definition")
    return rules[name]


def check_quorum(proof, witnesses, quorum, now):
    """Checks the Ed25519 cosignatures (C2SP tlog-cosignature) of the checkpoint of a valid proof. ML-DSA-44 ones do not count."""
    text, _, lines = proof.decode("utf-8").partition("\n\n")[2].rpartition("\n\n")
    signed, ahead = set(), set()
    for _, name, encoded in (line.split(" ") for line in lines[:-1].split("\n")):
        line = base64_of(encoded)
        for witness, (key_name, key_id, kind, key) in witnesses.items():
            if kind == 4 and (name, line[:4]) == (key_name, key_id):
                time = int.from_bytes(line[4:12], "big")
                message = f"cosignature/v1\ntime {time}\n{text}\n".encode()
                if len(line) != 76 or time >= 2**53 or not ed25519(key, message, line[12:]):
                    return "bad"
                if time > 0:  # a witness that states no time does not say that it saw the whole log
                    (ahead if time > now + 60 else signed).add(witness)
    def met(rule, names):
        return rule in names if isinstance(rule, str) else sum(met(member, names) for member in rule[1]) >= rule[0]
    if quorum is None:
        return "none"
    return "ok" if met(quorum, signed) else "future" if met(quorum, signed | ahead) else "missing"


def judge(data, key_document, now, proof=None, status=None, log_keys=None, policy=None, clock=None):
    """Does all checks. The verdict is the first check that fails. `clock` is the present, if `now` is another time."""
    keys = read_keys(key_document)
    of = lambda *purposes: [key for key in keys if key["purpose"] in purposes]
    published = of(*LOG_PURPOSES)
    stolen = [key["public_key"] for key in published if key["status"] == "compromised"]
    of_logs, witnesses, quorum = policy or ([], {}, None)
    if of_logs:
        log_keys = [(name, key) for name, _, kind, key in of_logs if kind == 1]
    for _, key in log_keys or []:
        need(key.hex() not in stolen, "a key of --log-key or --policy has been reported as compromised")
    own = [bytes.fromhex(key["public_key"]) for key in published] + [key[-1] for key in [*of_logs, *(log_keys or [])]]
    if any(key[-1] in own for key in witnesses.values()):
        raise WrongUsage("a witness of the policy has a key of the log")
    checks = {"hash": "unchecked", "signature": "unchecked", "key": "unchecked"}
    try:
        receipt = parse(data)
        must_be_receipt(receipt)
    except Refused as error:
        return {"verdict": "malformed", "checks": checks, "problem": str(error)}
    position = None
    if proof is not None:
        usable = [key["public_key"] for key in of("receipts-log") if key["public_key"] not in stolen]
        known = [(lambda origin: origin.endswith("/receipts"), bytes.fromhex(key)) for key in usable]
        if log_keys or of_logs:
            known = [(name.__eq__, key) for name, key in log_keys]
        try:
            checks["proof"], position = check_proof(proof, receipt, known)
        except (Refused, UnicodeError):
            checks["proof"] = "bad"
    if policy is not None:
        valid = checks.get("proof") in ("ok", "mismatch")
        checks["quorum"] = check_quorum(proof, witnesses, quorum, max(now, clock or now)) if valid else "unchecked"
        if checks["quorum"] not in ("ok", "none"):  # only this reader may have been shown this log
            position = None
    checks["hash"] = "ok" if content_hash(receipt) == receipt["content_hash"] and opens(receipt) else "mismatch"
    candidates = [key for key in of("receipts") if receipt.get("kid", key["kid"]) == key["kid"]]
    message, signature = receipt["content_hash"].encode(), bytes.fromhex(receipt["signature"])
    signers = [key for key in candidates if ed25519(bytes.fromhex(key["public_key"]), message, signature)]
    if not candidates:
        checks["key"] = "unknown"
    else:
        checks["signature"] = "ok" if signers else "bad"
    key_statuses = [key_status(key, receipt, position) for key in signers or candidates if signers or "kid" in receipt]
    for state in ("trusted", "retired", "compromised"):  # the worst status of a key counts
        checks["key"] = state if state in key_statuses else checks["key"]
    if status is not None:
        try:
            checks["status"] = check_status(status, receipt, of("credentials"), now)
        except Refused:
            checks["status"] = "malformed"
    return {"verdict": verdict(receipt, checks, now), "checks": checks}


def verdict(receipt, checks, now):
    if "revoked" in (receipt["revocation_status"], checks.get("status")):
        return "revoked"
    if instant(receipt["expiry"]) <= now:
        return "expired"
    if checks["hash"] != "ok":
        return "hash_mismatch"
    if checks["key"] == "unknown":
        return "key_unknown"
    if checks["signature"] != "ok":
        return "bad_signature"
    return "valid" if checks["key"] == "trusted" else "key_" + checks["key"]


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


def main():
    options = argparse.ArgumentParser(description="Check a receipt.")
    options.add_argument("receipt")
    options.add_argument("--keys", required=True, help="a saved GET /api/v1/transparency/keys, from a source that you trust")
    options.add_argument("--proof", help="a saved GET /api/v1/receipts/<id>/proof")
    options.add_argument("--status", help="a saved GET /api/v1/receipts/<id>/status")
    options.add_argument("--log-key", action="append", help="trust this C2SP verifier key, not the log keys in KEYS")
    options.add_argument("--policy", help="the C2SP tlog-policy with the witnesses that must have cosigned the proof's checkpoint")
    options.add_argument("--at", help="an RFC 3339 time instead of now")
    given = options.parse_args()
    clock = datetime.datetime.now(datetime.timezone.utc).timestamp()
    now = clock if given.at is None else instant(given.at)
    content = lambda path: None if path is None else open(path, "rb").read()
    try:
        need(now is not None, "--at is not an RFC 3339 time")
        need(given.proof or not given.log_key, "there is nothing that --log-key could verify without --proof")
        need(given.proof or not given.policy, "there is nothing that --policy could verify without --proof")
        log_keys = [read_vkey(vkey, (1,)) for vkey in given.log_key or []]
        policy = None if given.policy is None else read_policy(content(given.policy))
        need(policy is None or not (policy[0] and log_keys), "--log-key and the log lines of --policy name different log keys")
    except (Refused, UnicodeError, OSError) as error:
        options.error(str(error))  # exits with 2
    try:
        result = judge(content(given.receipt), parse(content(given.keys)), now, content(given.proof),
                       content(given.status), [(name, key) for name, _, _, key in log_keys], policy, clock)
    except WrongUsage as error:
        options.error(str(error))  # exits with 2
    except (Refused, OSError) as error:
        sys.exit(f"verify.py: error: {error}")
    print(json.dumps(result, indent=2))
    asked = (result["checks"].get(name, "ok") for name in ("proof", "status"))
    met = result["checks"].get("quorum", "none") in ("ok", "none")
    sys.exit(0 if result["verdict"] == "valid" and met and all(check == "ok" for check in asked) else 1)


if __name__ == "__main__":
    main()
