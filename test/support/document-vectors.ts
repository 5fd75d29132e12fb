import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/proof/encoding/json.ts';
import type { Primitives } from '../../src/proof/primitives.ts';
import { judgeReceiptKind } from '../../src/proof/verifier/judge/receipt.ts';
import { documentKind } from '../../src/proof/verifier/kinds/kinds.ts';
import { verifierKeysIn } from '../../src/proof/verifier/trust.ts';
import type { VerifierContext } from '../../src/proof/verifier/values/context.ts';
import type { Judged, Judgement } from '../../src/proof/verifier/values/judgement.ts';
import { readAdditional } from '../../src/tools/verify/read/additional.ts';
import { readProofAndStatus } from '../../src/tools/verify/read/receipt.ts';
import { trustIn } from '../../src/tools/verify/read/trust.ts';
import { type Operation, patched } from './json-patch.ts';
import { VECTORS } from './vectors.ts';

/** The directories of test/vectors with documents of one kind: those with a file cases.json. */
export const VECTOR_KINDS = readdirSync(VECTORS).filter((kind) =>
  existsSync(join(VECTORS, kind, 'cases.json')),
);

/**
 * A document with its keys and a time, and what a verifier must say of it. test/vectors/README.md describes
 * the members.
 */
interface StoredCase {
  name: string;
  file: string;
  patch?: Operation[];
  keys_patch?: Operation[];
  /** The directory with a copy of the logs. */
  log?: string;
  /** The file with the entry. */
  entry?: string;
  /** The file with the proof. */
  proof?: string;
  /** The file with the status list. */
  status?: string;
  policy?: string;
  /** The directories with copies of closed logs. */
  predecessor?: string[];
  /** C2SP verifier keys. */
  log_key?: string[];
  any_log?: boolean;
  /** Of a bundle: whether its status must be valid. */
  fresh?: boolean;
  /** Of a bundle: whether there is no list of keys. */
  no_keys?: boolean;
  at: string;
  verdict: string;
  problem: string | null;
  checks?: Record<string, string>;
  /** What the result says of revocation; absent for any. */
  revocation?: string;
}

/** Paths of what is beside a document, and which logs are accepted. */
export type BesidePaths = Pick<
  StoredCase,
  (typeof BESIDE)[number] | 'predecessor' | 'log_key' | 'any_log' | 'fresh'
>;

const BESIDE = ['log', 'entry', 'proof', 'status', 'policy'] as const;

/** A case with its document as bytes. */
export interface VectorCase {
  name: string;
  /** The file of the document. */
  file: string;
  document: Uint8Array;
  /** Null for no list of keys. */
  keys: JsonValue;
  /** Paths of the further inputs. */
  beside: BesidePaths;
  /** Unix time in milliseconds. */
  now: number;
  verdict: string;
  problem: string | null;
  /** Some of the checks in the result. */
  checks: Record<string, string>;
  revocation: string | undefined;
  /** Whether the file is verified as it is, with the keys as they are. */
  isWhole: boolean;
}

/** Returns the cases of a kind. */
export function casesOf(kind: string): VectorCase[] {
  const read = (name: string): Buffer => readFileSync(join(VECTORS, kind, name));
  const parsed = (name: string): JsonValue => JSON.parse(read(name).toString());
  const cases: StoredCase[] = JSON.parse(read('cases.json').toString());
  return cases.map(
    ({
      name,
      file,
      patch = [],
      keys_patch = [],
      at,
      verdict,
      problem,
      checks = {},
      revocation,
      ...others
    }) => ({
      name,
      file,
      document: patch.length === 0 ? read(file) : Buffer.from(JSON.stringify(patched(parsed(file), patch))),
      keys: others.no_keys === true ? null : patched(parsed('keys.json'), keys_patch),
      beside: {
        ...Object.fromEntries(
          BESIDE.flatMap((option) => {
            const path = others[option];
            return path === undefined ? [] : [[option, join(VECTORS, kind, path)]];
          }),
        ),
        ...(others.predecessor && {
          predecessor: others.predecessor.map((path) => join(VECTORS, kind, path)),
        }),
        ...(others.log_key && { log_key: others.log_key }),
        ...(others.any_log && { any_log: others.any_log }),
        ...(others.fresh && { fresh: others.fresh }),
      },
      now: Date.parse(at),
      verdict,
      problem,
      checks,
      revocation,
      isWhole: patch.length + keys_patch.length === 0,
    }),
  );
}

/** A part of the genuine files of a kind that no signature covers. */
export interface Unsigned {
  /** The file; absent for every file of the kind. */
  file?: string;
  /** The path of the part, as `tamperings` and `textTamperings` name it. */
  path: string;
  /** The page in docs/verification that tells so, with these words. */
  page: string;
  says: string;
}

/** Returns the parts that are outside of the signature of a kind: its file unsigned.json, if it has one. */
export function unsignedOf(kind: string): Unsigned[] {
  const path = join(VECTORS, kind, 'unsigned.json');
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
}

/** Returns the result of `judgementOf`. */
export async function judgedDocument(
  primitives: Primitives,
  one: Pick<VectorCase, 'document' | 'keys' | 'now' | 'beside'>,
): Promise<Judged> {
  return (await judgementOf(primitives, one)).result;
}

const NO_KEYS = { keys: [] };

/** Judges a document of any kind as `countersign verify` does, with one implementation of the primitives. */
export async function judgementOf(
  primitives: Primitives,
  { document, keys: list, now, beside }: Pick<VectorCase, 'document' | 'keys' | 'now' | 'beside'>,
): Promise<Judgement> {
  const { log_key, any_log, fresh, ...given } = beside;
  const keys = list ?? NO_KEYS;
  const ownKeys = verifierKeysIn(primitives, keys, any_log === true);
  const trust = await trustIn(ownKeys, { policy: beside.policy, logKey: log_key });
  const context: VerifierContext = { ...trust, at: now, now };
  const kind = documentKind(document);
  // The proof and the status are also read for a malformed receipt, which has no id.
  const additional =
    kind === null ? await readProofAndStatus('', given) : await readAdditional(document, given, context);
  const judge = kind === null ? judgeReceiptKind : await kind.load();
  const ofBundle = { trustsKeyLog: list === null, ...(fresh === true && { isFresh: true }) };
  return judge(primitives, document, { ...context, additional: { ...additional, ...ofBundle } });
}

/** Returns each tree once, in the order of their texts. */
const sorted = (trees: JsonValue): JsonValue =>
  [...new Set(Object.values(trees ?? []).map((tree) => JSON.stringify(tree)))].sort();

/** Returns what src/tools/python/verify.py and the program must say alike. */
export const comparable = (judged: JsonValue | Judged | undefined): JsonValue => {
  const value: JsonValue = JSON.parse(JSON.stringify(judged ?? null));
  if (!isJsonObject(value) || value.verdict === undefined) return value;
  const { verdict, checks = null, revocation = null, ...said }: JsonObject = value;
  const { signer = null, not_checked = null, sentence = null } = said;
  // The order of the checks is not the same. That of the trees is, once the result is described.
  const checked = Object.values(said.checked ?? []).sort();
  const trees = sentence === null ? sorted(said.trees ?? []) : (said.trees ?? null);
  return { verdict, checks, revocation, signer, trees, checked, not_checked, sentence };
};
