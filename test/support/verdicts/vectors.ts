import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OTHER_HEAD, type StoredJournal } from '../../../scripts/vectors/journal.ts';
import type { StoredStory } from '../../../scripts/vectors/linked-account.ts';
import type { StoredCase } from '../../../scripts/vectors/linked-receipt.ts';
import type { TrustedKeyCase } from '../../../scripts/vectors/trusted-keys.ts';
import type { PolicyCase } from '../../../scripts/vectors/witness-policies.ts';
import { isJsonObject, type JsonValue } from '../../../src/proof/encoding/json.ts';
import { documentKind, RECEIPT_BUNDLE } from '../../../src/proof/verifier/kinds/kinds.ts';
import type { CommandOptions } from '../../../src/tools/verify/options/by-document.ts';
import { casesOf, VECTOR_KINDS } from '../document-vectors.ts';
import { VECTORS, vectorJson } from '../vectors.ts';
import { isAccepted } from './said.ts';

/** What a verifier must say about a vector. A member that is absent may be anything. */
export interface Stated {
  /** Null where the verifier stops with an error. */
  verdict?: string | null;
  /** Some of the checks; undefined for one that is not stated. */
  checks?: Record<string, string | undefined>;
  revocation?: string | undefined;
  /** The beginning of one of the problems of `countersign verify`; null for none if the document is valid. */
  problem?: string | null;
  /** Of a list with one line: the verdict that its summary counts. */
  counted?: string;
  /** With `--complete`: the problems and the summary. */
  lines?: Pick<StoredStory, 'problems' | 'summary'>;
  isAccepted?: boolean;
}

/** A call of a verifier, and what it must say. */
export interface VerdictVector {
  /** The directory of test/vectors. */
  directory: string;
  name: string;
  /** A path. */
  document: string;
  options: CommandOptions;
  /** Unix time in milliseconds, which is the present for the verifier. */
  now: number;
  stated: Stated;
}

/**
 * Returns all vectors of verdicts.
 * @param scratch an existing directory for files that no directory of test/vectors has, such as patched ones
 */
export function verdictVectors(scratch: string): VerdictVector[] {
  let written = 0;
  const save = (content: string | Uint8Array): string => {
    const path = join(scratch, String(written++));
    writeFileSync(path, content);
    return path;
  };
  return [
    ...VECTOR_KINDS.flatMap((kind) => ofDocuments(kind, save)),
    ...ofLinkedReceipts(),
    ...ofLinkedAccounts(),
    ...ofJournals(),
    ...ofTrustedKeys(save),
    ...ofPolicies(save),
  ];
}

type Save = (content: string | Uint8Array) => string;

function ofDocuments(kind: string, save: Save): VerdictVector[] {
  const keysFiles = new Map<string, string>();
  const keysFile = (keys: JsonValue): string => {
    const text = JSON.stringify(keys);
    const path = keysFiles.get(text) ?? save(text);
    keysFiles.set(text, path);
    return path;
  };
  const vectors = casesOf(kind).map(
    ({ name, file, document, keys, isWhole, beside, now, ...stated }): VerdictVector => {
      const { log_key: logKey, any_log: anyLog, fresh, ...paths } = beside;
      return {
        ...{ directory: kind, name, now, stated },
        document: isWhole ? join(VECTORS, kind, file) : save(document),
        options: {
          ...(keys !== null && { keys: keysFile(keys) }),
          ...paths,
          ...(logKey !== undefined && { logKey }),
          ...(anyLog !== undefined && { anyLog }),
          ...(fresh !== undefined && { fresh }),
        },
      };
    },
  );
  return [...vectors, ...vectors.flatMap((vector) => asList(vector, save))];
}

/** Returns a list of one line for a bundle, and for a receipt that is verified without anything else. */
function asList(vector: VerdictVector, save: Save): VerdictVector[] {
  const { name, document, options, stated } = vector;
  const bytes = readFileSync(document);
  const kind = documentKind(bytes);
  const isAlone = Object.keys(options).join() === 'keys' && kind === null;
  const isBundle = kind === RECEIPT_BUNDLE && options.keys !== undefined && options.log === undefined;
  if (!(isAlone || isBundle) || typeof stated.verdict !== 'string') return [];
  return [
    {
      ...vector,
      name: `${name}, in a list`,
      // Line ends are white space in JSON.
      document: save(bytes.filter((byte) => byte !== 0x0a)),
      options: { ...options, ndjson: true },
      stated: { counted: stated.verdict, isAccepted: isAccepted(stated) === true },
    },
  ];
}

function ofLinkedReceipts(): VerdictVector[] {
  const directory = 'linked-receipt';
  const pathOf = (name: string): string => join(VECTORS, directory, name);
  return vectorJson<StoredCase[]>(`${directory}/receipts.json`).map(
    ({ name, receipt, manifest, keys, policy, at, verdict, checks, accepted }) => ({
      ...{ directory, name, now: Date.parse(at) },
      document: pathOf(receipt),
      options: {
        ...{ linked: true, keys: pathOf(keys), proof: pathOf(manifest) },
        ...(policy !== null && { policy: pathOf(policy) }),
      },
      stated: {
        verdict,
        // A check of these that a case does not state must be absent.
        ...(verdict !== null && {
          checks: { linked: undefined, proof: undefined, quorum: undefined, ...checks },
        }),
        isAccepted: accepted,
      },
    }),
  );
}

function ofLinkedAccounts(): VerdictVector[] {
  const directory = 'linked-account';
  const pathOf = (name: string): string => join(VECTORS, directory, name);
  return vectorJson<StoredStory[]>(`${directory}/stories.json`).map(
    ({
      name,
      list,
      operator,
      log,
      policy,
      keys,
      allow_unlinked,
      from,
      predecessors,
      at,
      problems,
      summary,
    }) => ({
      ...{ directory, name, now: Date.parse(at) },
      document: pathOf(list),
      options: {
        ...{ complete: true, operator, log: pathOf(log), policy: pathOf(policy), keys: pathOf(keys) },
        ...(allow_unlinked && { allowUnlinked: true }),
        ...(from !== null && { from: Date.parse(from) }),
        ...(predecessors.length > 0 && { predecessor: predecessors.map(pathOf) }),
      },
      stated: {
        lines: { problems, summary },
        isAccepted: isJsonObject(summary) && summary.complete === true,
      },
    }),
  );
}

function ofJournals(): VerdictVector[] {
  const directory = 'journal';
  return vectorJson<StoredJournal[]>(`${directory}/journals.json`).map(
    ({ name, file, head, line, problem, summary }) => ({
      ...{ directory, name, now: Date.parse('2026-06-01T12:01:00.000Z') },
      document: join(VECTORS, directory, file),
      options: head === null ? {} : { head },
      stated: {
        // Each verifier has its own words for what is wrong.
        lines: { problems: problem ? [{ line, detail: '' }] : [], summary },
        isAccepted: isJsonObject(summary) && summary.verdict === 'valid' && head !== OTHER_HEAD,
      },
    }),
  );
}

function ofTrustedKeys(save: Save): VerdictVector[] {
  const directory = 'trusted-keys';
  const document = join(VECTORS, directory, 'receipt.json');
  const now = Date.parse('2026-06-01T12:01:00.000Z');
  const malformed = save('c2sp.org/tlog-proof@v1\n');
  return vectorJson<TrustedKeyCase[]>(`${directory}/lists.json`).flatMap(({ name, list, verdict }) => {
    const one = { directory, now, options: { keys: save(list) }, stated: { verdict } };
    // A list that is refused is refused before any document is judged.
    const others =
      verdict === null ? [{ ...one, name: `${name}, of a malformed proof`, document: malformed }] : [];
    return [{ ...one, name, document }, ...others];
  });
}

function ofPolicies(save: Save): VerdictVector[] {
  const directory = 'witness';
  const pathOf = (name: string): string => join(VECTORS, directory, name);
  return vectorJson<PolicyCase[]>(`${directory}/policies.json`).map(({ name, policy, valid }) => ({
    ...{ directory, name: `policy: ${name}`, document: pathOf('both.checkpoint') },
    now: Date.parse('2026-06-01T12:01:00.000Z'),
    options: { keys: pathOf('keys.json'), policy: save(policy) },
    stated: valid ? {} : { verdict: null },
  }));
}
