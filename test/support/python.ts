import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ListedReceipt } from '../../src/proof/account/listed-receipt.ts';
import { isJsonObject, type JsonValue } from '../../src/proof/encoding/json.ts';
import type { AccountEntry } from '../../src/proof/log/log-entry.ts';
import type { BesidePaths } from './document-vectors.ts';

const FOLDER = join(import.meta.dir, '../../src/tools/python');

/** The interpreter itself; null for none. `python3` may be a script that searches for it at each start. */
export const PYTHON = interpreter();

function interpreter(): string | null {
  if (Bun.which('python3') === null) return null;
  const { success, stdout } = Bun.spawnSync(['python3', '-c', 'import sys; print(sys.executable)']);
  return success ? stdout.toString().trim() : null;
}

/**
 * The dependencies of src/tools/python/verify.py; it also needs the command of OpenSSL where it does not find the
 * library.
 */
export const hasPython =
  PYTHON !== null &&
  Bun.which('openssl') !== null &&
  Bun.spawnSync(['openssl', 'version']).stdout.toString().startsWith('OpenSSL 3');

/** Returns an interpreter with pytest: `python3`, or that of Debian's package; null for none. */
export function pythonWithPytest(): string | null {
  const hasPytest = (path: string) => Bun.spawnSync([path, '-c', 'import pytest']).success;
  const paths = [PYTHON, '/usr/bin/python3'].filter((path) => path !== null && existsSync(path));
  return paths.find((path) => path !== null && hasPytest(path)) ?? null;
}

/** A receipt with what is beside it, for src/tools/python/verify.py. */
export interface PythonCase {
  receipt: Uint8Array;
  keys: JsonValue;
  /** Seconds since 1970. */
  now: number;
  proof?: Uint8Array | undefined;
  status?: Uint8Array | undefined;
  /** Paths: a directory with a copy of the logs, files with an entry and with a proof. */
  beside?: BesidePaths;
}

/**
 * Reads lists of cases, one a line, and writes a list of results for each. Errors are results too.
 */
const DRIVER = `
import base64, contextlib, datetime, io, json, types
if sys.argv[2] == "command":
    verify.openssl_library = lambda: None
raw = lambda text: None if text is None else base64.b64decode(text)
def log_keys_of(case):
    log_keys = verify.LogKeys((name, kind, key) for name, _, kind, key in (verify.read_vkey(vkey, (1, 6)) for vkey in case.get("log_key", [])))
    log_keys.any_log = case.get("any_log", False)
    return log_keys
def of_list(case):
    written, whole = [], raw(case["list"])
    pieces = iter([whole[at:at + case["size"]] for at in range(0, len(whole), case["size"])])
    document, rest = (None, pieces) if case["ndjson"] else verify.input_of(pieces)
    if document is not None:
        return "document" if document == whole else "another document"
    return {"valid": verify.judge_list(rest, verify.parse(raw(case["keys"])), case["now"], written.append), "written": written}
def of_account(case):
    written = []
    policy = verify.read_policy(open(case["policy"], "rb").read())
    pieces = verify.pieces_of(open(case["list"], "rb"))
    try:
        keys = verify.keys_at(case["keys"])
        valid = verify.judge_complete(pieces, case["operator"], case["log"], keys, case["now"], written.append, log_keys_of(case), policy, case["allow_unlinked"], case.get("from"), case.get("predecessors", ()), not verify.is_url(case["keys"]))
        return {"valid": valid, "written": written}
    except (verify.Refused, UnicodeError, OSError) as error:
        return {"refused": str(error), "written": written}
def of_leaves(case):
    problems = []
    account = verify.LinkedAccount(case["leaves_of"], problems.append, case["from"])
    bounds = verify.Bounds(sorted(verify.Kept(size, b"", time, time) for size, time in case["kept"]))
    for index, entry in enumerate(case["entries"]):
        if entry["account"] == verify.account_of(case["leaves_of"]):
            account.take_leaf(entry, *bounds.of(index))
    if case["from"] is not None:
        account.name_times()
    for line, listed in enumerate(case["listed"], 1):
        account.take_receipt(line, verify.Listed(*listed), case["now"])
    account.finish()
    return problems
def command(case):
    class Clock(datetime.datetime):
        @classmethod
        def now(cls, zone=None):
            return cls.fromtimestamp(case["now"], zone)
    verify.datetime = types.SimpleNamespace(**{**vars(datetime), "datetime": Clock})
    sys.argv = ["verify.py", *case["args"]]
    code, stdout, stderr = 0, io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
            verify.main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
        stderr.write("" if code == end.code else f"{end.code}\\n")
    finally:
        verify.datetime = datetime
    return {"code": code, "stdout": stdout.getvalue(), "stderr": stderr.getvalue()}
def answer(case):
    try:
        if "args" in case:
            return command(case)
        if "operator" in case:
            return of_account(case)
        if "leaves_of" in case:
            return of_leaves(case)
        if "list" in case:
            return of_list(case)
        if "manifest" in case:
            policy = None if case["policy"] is None else verify.read_policy(raw(case["policy"]))
            document, keys = raw(case["document"]), verify.parse(raw(case["keys"]))
            result = verify.judge_linked(document, keys, case["now"], raw(case["manifest"]), policy=policy)
            return verify.with_summary(result, "receipt", document, verify.read_keys(keys), verify.as_asked(result, "proof", "linked"))
        if "public_key" in case:
            return verify.ed25519(raw(case["public_key"]), raw(case["message"]), raw(case["signature"]))
        if "package" in case:
            return verify.judge_package(raw(case["package"]), verify.parse(raw(case["keys"])), case["now"])
        beside = {"fresh": case["beside"].get("fresh", False), **verify.beside_of(**{name: case["beside"].get(name) for name in ("log", "entry", "proof", "status")}, predecessors=case["beside"].get("predecessor", ()))}
        proof, status = (beside.get(name) if case[name] is None else raw(case[name]) for name in ("proof", "status"))
        policy = None if case["beside"].get("policy") is None else verify.read_policy(open(case["beside"]["policy"], "rb").read())
        keys = verify.parse(raw(case["keys"]))
        kind = verify.kind_of(raw(case["document"])) if keys is None else None
        if keys is None and (kind is None or kind.judge is not verify.judge_bundle):
            keys = {"keys": []}
        return verify.judge_document(raw(case["document"]), keys, case["now"], proof, status, log_keys_of(case["beside"]), policy, beside=beside)
    except (verify.Refused, UnicodeError) as error:
        return {"refused": str(error)}
    except Exception as error:
        return {"error": repr(error)}
for line in sys.stdin:
    print(json.dumps([answer(case) for case in json.loads(line)]), flush=True)
`;

/**
 * Runs src/tools/python/verify.py with each command line, all in one process.
 * @param calls `now` in seconds since 1970, which is the present for it
 */
export async function runsOfPython(
  calls: readonly { args: readonly string[]; now: number }[],
): Promise<{ code: number; stdout: string; stderr: string }[]> {
  const runs = await answersOf(calls.map(({ args, now }) => ({ args: [...args], now })));
  return runs.map((run) => {
    const { code = null, stdout = '', stderr = '' } = isJsonObject(run) ? run : {};
    if (typeof code !== 'number')
      throw new Error(`src/tools/python/verify.py failed: ${JSON.stringify(run)}`);
    return { code, stdout: String(stdout), stderr: String(stderr) };
  });
}

/** Returns the result of src/tools/python/verify.py for each receipt. */
export async function judgedByPython(cases: readonly PythonCase[]): Promise<JsonValue[]> {
  return answersOf(
    cases.map(({ receipt, keys, now, proof, status, beside }) => ({
      document: receipt.toBase64(),
      keys: Buffer.from(JSON.stringify(keys)).toBase64(),
      now,
      proof: proof?.toBase64() ?? null,
      status: status?.toBase64() ?? null,
      beside: beside ?? {},
    })),
  );
}

/**
 * Returns the result of src/tools/python/verify.py for each document of any kind.
 * @param now seconds since 1970
 */
export async function documentsJudgedByPython(
  cases: readonly (Pick<PythonCase, 'now' | 'beside'> & { document: Uint8Array; keys: JsonValue })[],
): Promise<JsonValue[]> {
  return judgedByPython(cases.map(({ document, ...others }) => ({ receipt: document, ...others })));
}

/**
 * Returns the result of src/tools/python/verify.py for each document as a compliance package.
 * @param now seconds since 1970
 */
export async function packagesJudgedByPython(
  cases: readonly { document: Uint8Array; keys: JsonValue; now: number }[],
): Promise<JsonValue[]> {
  return answersOf(
    cases.map(({ document, keys, now }) => ({
      package: document.toBase64(),
      keys: Buffer.from(JSON.stringify(keys)).toBase64(),
      now,
    })),
  );
}

/** A list of receipts for src/tools/python/verify.py. */
export interface PythonList {
  list: Uint8Array;
  keys: JsonValue;
  /** Seconds since 1970. */
  now: number;
  /** The number of bytes that are read at a time. */
  size: number;
  ndjson?: boolean;
}

/**
 * Returns what src/tools/python/verify.py writes about each list, and whether all is valid; `document` for what
 * it takes for a single one.
 */
export async function listsJudgedByPython(cases: readonly PythonList[]): Promise<JsonValue[]> {
  return answersOf(
    cases.map(({ list, keys, now, size, ndjson = false }) => ({
      list: list.toBase64(),
      keys: Buffer.from(JSON.stringify(keys)).toBase64(),
      ...{ now, size, ndjson },
    })),
  );
}

/** A receipt with the public manifest that proves its leaves, for src/tools/python/verify.py. */
export interface PythonLinked {
  document: Uint8Array;
  manifest: Uint8Array;
  keys: JsonValue;
  policy: string | null;
  /** Seconds since 1970. */
  now: number;
}

/** Returns the result of src/tools/python/verify.py with --linked for each receipt. */
export async function linkedJudgedByPython(cases: readonly PythonLinked[]): Promise<JsonValue[]> {
  return answersOf(
    cases.map(({ document, manifest, keys, policy, now }) => ({
      document: document.toBase64(),
      manifest: manifest.toBase64(),
      keys: Buffer.from(JSON.stringify(keys)).toBase64(),
      policy: policy === null ? null : Buffer.from(policy).toBase64(),
      now,
    })),
  );
}

/** The list of a linked account for src/tools/python/verify.py: paths, or URLs of services. */
export interface PythonAccount {
  list: string;
  operator: string;
  log: string;
  policy: string;
  keys: string;
  allowUnlinked: boolean;
  /** Milliseconds since 1970. */
  from?: number;
  predecessors?: string[];
  anyLog?: boolean;
  /** Seconds since 1970; absent for the present. */
  now?: number;
}

/** Returns what src/tools/python/verify.py writes with --complete about each list, and whether it is complete. */
export async function accountsJudgedByPython(cases: readonly PythonAccount[]): Promise<JsonValue[]> {
  const present = Date.now() / 1000;
  return answersOf(
    cases.map(({ allowUnlinked, anyLog = false, now = present, ...others }) => ({
      ...others,
      allow_unlinked: allowUnlinked,
      any_log: anyLog,
      now,
    })),
  );
}

/** A list and the leaves of a log, which count as authentic. Times are in milliseconds. */
export interface PythonLeaves {
  operatorId: string;
  entries: readonly AccountEntry[];
  kept: readonly { size: number; time: number }[];
  listed: readonly ListedReceipt[];
  now: number;
  /** The time from which on the account is judged; null for all of it. */
  from: number | null;
}

/** Returns the problems that src/tools/python/verify.py names for each list. */
export async function leavesJudgedByPython(cases: readonly PythonLeaves[]): Promise<JsonValue[]> {
  return answersOf(
    cases.map(({ operatorId, entries, kept, listed, now, from }) => ({
      leaves_of: operatorId,
      entries: entries.map((entry) => ({ ...entry })),
      kept: kept.map(({ size, time }) => [size, time]),
      listed: listed.map((one) => [
        ...[one.receiptId, one.operatorId, one.agent, one.issuedAt, one.expiry],
        ...[one.issued, one.finalized, one.revoked],
      ]),
      now,
      from,
    })),
  );
}

/** Whether src/tools/python/verify.py finds the library of OpenSSL. */
export function hasOpensslLibrary(): boolean {
  const command = pythonCommand('sys.exit(verify.openssl_library() is None)');
  return hasPython && Bun.spawnSync(command).exitCode === 0;
}

/**
 * Returns the command that runs code of Python with `sys` and src/tools/python/verify.py as `verify`.
 * @param args from sys.argv[2] on
 */
export function pythonCommand(code: string, ...args: string[]): string[] {
  const whole = `import sys\nsys.path.insert(0, sys.argv[1])\nimport verify\n${code}`;
  // Without the packages of the machine, since src/tools/python/verify.py needs none.
  return [PYTHON ?? '', '-B', '-S', '-c', whole, FOLDER, ...args];
}

/**
 * Returns whether src/tools/python/verify.py accepts each signature.
 * @param by the part of OpenSSL that it uses
 */
export async function verifiedByPython(
  cases: readonly { publicKey: Uint8Array; message: Uint8Array; signature: Uint8Array }[],
  by: OpensslPart,
): Promise<JsonValue[]> {
  return answersOf(
    cases.map(({ publicKey, message, signature }) => ({
      public_key: publicKey.toBase64(),
      message: message.toBase64(),
      signature: signature.toBase64(),
    })),
    by,
  );
}

async function answersOf(cases: readonly JsonValue[], by: OpensslPart = 'library'): Promise<JsonValue[]> {
  const driver = drivers.get(by) ?? startDriver(by);
  drivers.set(by, driver);
  return driver(cases);
}

type OpensslPart = 'library' | 'command';
type Driver = (cases: readonly JsonValue[]) => Promise<JsonValue[]>;

/**
 * The processes that answer, which all tests of this process share: Python starts slowly. They end with this
 * one.
 */
const drivers = new Map<OpensslPart, Driver>();

function startDriver(by: OpensslPart): Driver {
  const python = Bun.spawn(pythonCommand(DRIVER, by), {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  python.unref();
  const lines = linesOf(python.stdout);
  let last: Promise<unknown> = Promise.resolve();
  return (cases) => {
    const answers = last.then(async () => {
      python.ref();
      python.stdin.write(`${JSON.stringify(cases)}\n`);
      await python.stdin.flush();
      const { value } = await lines.next();
      python.unref();
      if (value === undefined) throw new Error('src/tools/python/verify.py has ended');
      return JSON.parse(value);
    });
    last = answers.catch(() => undefined);
    return answers;
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
}

/** The command that runs src/tools/python/verify.py as a user does. */
export function commandOfPython(...args: string[]): string[] {
  return [PYTHON ?? '', '-B', join(FOLDER, 'verify.py'), ...args];
}

/** Runs src/tools/python/verify.py as a user does, for a minute at most. */
export function runPython(...args: string[]): { code: number; stdout: string; stderr: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(commandOfPython(...args), { timeout: 60_000 });
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
}
