import { equalBytes } from '../encoding/equal-bytes.ts';
import { bytesToHex } from '../encoding/hex.ts';
import { parseCheckpoint } from '../log/checkpoint.ts';
import { keyLogProblems } from '../log/key-log.ts';
import { readKeyLogEntries } from '../log/key-log-entries.ts';
import { keyLogSigners } from '../log/key-log-signers.ts';
import { closedLogsIn, logChainProblems, type PublishedClosedLog } from '../log/log-chain.ts';
import {
  checkpointProblem,
  isLogVerdict,
  LOG_VERDICTS,
  type LogKey,
  type LogVerdict,
  ofOpenLogs,
  openTrusted,
  type SignedTree,
  signedTree,
  type TrustedCheckpoint,
} from '../log/log-keys.ts';
import { commonOf, isOriginOf } from '../log/log-names.ts';
import { aheadOf } from '../log/misdated.ts';
import { parseNote } from '../log/note.ts';
import {
  type Cosignatures,
  checkQuorum,
  describeCosignatures,
  isMet,
  type QuorumCheck,
} from '../log/quorum.ts';
import type { Primitives } from '../primitives.ts';
import type { WitnessPolicy } from '../receipt/witnessed.ts';
import { type KeyDocument, readKeyDocument } from './key-document.ts';
import { documentProblems } from './key-document-comparison.ts';
import { type ClosedKeyLog, lostEvents, rootsOf } from './lost-events.ts';

/** The verdicts on a key document with their descriptions. The first one that applies is the result. */
export const KEY_DOCUMENT_VERDICTS = {
  malformed: 'This is not a well-formed list of keys.',
  bad_checkpoint:
    'No trusted key of the key log signed the checkpoint of the document or that of the log, or they contradict each other.',
  ...LOG_VERDICTS,
  bad_log: 'The entries of the key log are not those that its checkpoints state.',
  bad_events:
    'The key log has an event that the keys concerned did not sign, or that cannot follow the events before it.',
  lost_events:
    'The key log does not keep the ends of keys in the closed log of keys that it continues, or no copy of that log shows that it does (--predecessor).',
  mismatch: 'The document says something else of a key, or of a closed log, than the key log.',
  future: 'A checkpoint of the key log is dated after now. Check the clock of this machine.',
  valid: 'Every key is as the key log says, and the keys concerned signed each of its events.',
} as const;

type KeyDocumentVerdict = keyof typeof KEY_DOCUMENT_VERDICTS;

export interface KeyDocumentResult {
  verdict: KeyDocumentVerdict;
  /** True if the verdict is `valid`. */
  authentic: boolean;
  checks: {
    /** The signatures of both checkpoints, what the document states of its own, and their dates. */
    checkpoint: 'ok' | 'bad' | 'future' | LogVerdict | 'unchecked';
    /** Whether the entries have the roots of both checkpoints. */
    log: 'ok' | 'bad' | 'unchecked';
    /**
     * The events in the log: their forms, signatures and order; `lost`: the end of a key, which a closed log
     * of keys had that it continues, is or may be lost.
     */
    events: 'ok' | 'bad' | 'lost' | 'unchecked';
    /** Whether the document says of each key what the log says. */
    keys: 'ok' | 'mismatch' | 'unchecked';
    /** Only with a policy: the cosignatures of the log's checkpoint. */
    quorum?: QuorumCheck;
  };
  /** One sentence for each problem. */
  problems: string[];
  /** What is lost of closed logs of keys or cannot be known, but no end of a key; absent for nothing. */
  notes?: string[];
  /** The trees of the document and of the log, as far as trusted keys signed them. */
  trees: SignedTree[];
  cosignatures?: Cosignatures[];
}

/** A copy of a key log: its checkpoint, and its entries in their order. */
export interface KeyLogCopy {
  checkpoint: Uint8Array;
  entries: readonly Uint8Array[];
}

export interface KeyDocumentOptions {
  /** The keys of logs that the verifier trusts. */
  logKeys: readonly LogKey[];
  log: KeyLogCopy;
  /** Copies of closed logs of keys that the log continues. Those of others are ignored. */
  predecessors?: readonly ClosedKeyLog[];
  policy?: WitnessPolicy | undefined;
  /** Unix time in milliseconds. */
  now: number;
}

const toUtf8 = new TextEncoder();

/** A hostile log can have millions of problems; nobody reads more than the first ones. */
const MAX_PROBLEMS = 50;

/**
 * Verifies a saved `GET /api/v1/transparency/keys` against a copy of the key log that is not older. All
 * checks are done unless the document is malformed. Never throws for any document or log.
 */
export function judgeKeyDocument(
  primitives: Primitives,
  bytes: Uint8Array,
  options: KeyDocumentOptions,
): KeyDocumentResult {
  const document = readKeyDocument(primitives, bytes);
  if ('problems' in document) return malformed(document.problems, options);
  const { read } = document;
  const { keys: entries, changes, problems: unreadable } = readKeyLogEntries(options.log.entries);
  // A list of a closed log of keys would hide what happened to a key since.
  const trusted = followed(ofOpenLogs(options.logKeys), closedLogsIn(changes), read.log.origin);
  const { now } = options;
  const signers = keyLogSigners(primitives, entries, { trusted, origin: read.log.origin, now });
  const opened = openBoth(primitives, read, options.log, { keys: signers, now });
  const roots = rootsOf(primitives, options.log.entries);
  const contradictions = rootProblems(roots, opened.checkpoints);
  const continuing = { origin: read.log.origin, keys: entries, changes, entries: options.log.entries, roots };
  const lost = lostEvents(primitives, continuing, options.predecessors ?? []);
  const events = [
    ...unreadable,
    ...[...keyLogProblems(primitives, entries), ...logChainProblems(changes, commonIn(read.log.origin))].map(
      ({ index, what }) => `entry ${index}: ${what}`,
    ),
  ];
  const differences = documentProblems(read, { keys: entries, changes });
  const checks: KeyDocumentResult['checks'] = {
    checkpoint: opened.check,
    log: contradictions.length > 0 ? 'bad' : opened.checkpoints.length === 2 ? 'ok' : 'unchecked',
    events: events.length > 0 ? 'bad' : lost.problems.length > 0 ? 'lost' : 'ok',
    keys: differences.length === 0 ? 'ok' : 'mismatch',
  };
  const problems = [...opened.problems, ...contradictions, ...events, ...lost.problems, ...differences].slice(
    0,
    MAX_PROBLEMS,
  );
  const cosignatures = cosignaturesOf(primitives, opened.ofLog, options);
  if (cosignatures !== null) {
    checks.quorum = cosignatures[0]?.check ?? 'unchecked';
    for (const found of cosignatures)
      if (!isMet(found.check)) problems.push(`quorum: ${describeCosignatures(found)}`);
  }
  const verdict = firstOf(checks);
  return {
    verdict,
    authentic: verdict === 'valid',
    checks,
    problems,
    ...(lost.notes.length > 0 && { notes: lost.notes }),
    trees: opened.trees,
    ...(cosignatures && { cosignatures }),
  };
}

/** Returns whether a document is valid and its log's cosignatures meet the policy, if there is one. */
export function isKeyDocumentAsAsked({ verdict, checks: { quorum = 'ok' } }: KeyDocumentResult): boolean {
  return verdict === 'valid' && isMet(quorum);
}

function malformed(problems: string[], { policy }: KeyDocumentOptions): KeyDocumentResult {
  const checks: KeyDocumentResult['checks'] = {
    checkpoint: 'unchecked',
    log: 'unchecked',
    events: 'unchecked',
    keys: 'unchecked',
  };
  if (policy !== undefined) checks.quorum = 'unchecked';
  return { verdict: 'malformed', authentic: false, checks, problems, trees: [] };
}

function firstOf({ checkpoint, log, events, keys }: KeyDocumentResult['checks']): KeyDocumentVerdict {
  if (isLogVerdict(checkpoint)) return checkpoint;
  if (checkpoint !== 'ok' && checkpoint !== 'future') return 'bad_checkpoint';
  if (log !== 'ok') return 'bad_log';
  if (events === 'lost') return 'lost_events';
  if (events !== 'ok') return 'bad_events';
  if (keys !== 'ok') return 'mismatch';
  return checkpoint === 'ok' ? 'valid' : 'future';
}

/**
 * Returns the keys of a list from before a restart as those of the log of keys that continues: its chain
 * leads to the log that the list names, and it must begin with the entries of that.
 */
function followed(
  keys: readonly LogKey[],
  closedLogs: readonly PublishedClosedLog[],
  keyLog: string,
): LogKey[] {
  const common = commonIn(keyLog);
  const former = closedLogs.flatMap(({ log, origin }) => (log === 'keys' ? [commonIn(origin)] : []));
  return keys.map((key) => {
    if (!('closed' in key.log) || key.log.common === null || !former.includes(key.log.common)) return key;
    return { ...key, log: { ...key.log, common } };
  });
}

/** Returns the part of the origin of a key log before its name; null for the origin of another log. */
function commonIn(origin: string): string | null {
  return isOriginOf(origin, 'keys') ? commonOf({ origin, name: 'keys' }) : null;
}

interface OpenedBoth {
  /** Those that a trusted key of the log signed. */
  checkpoints: TrustedCheckpoint[];
  /** Their trees, and those that are of another log with the same keys. */
  trees: SignedTree[];
  ofLog: TrustedCheckpoint | null;
  check: 'ok' | 'bad' | 'future' | LogVerdict;
  problems: string[];
}

/** Opens the checkpoint in the document and that of the copy. */
function openBoth(
  primitives: Primitives,
  { log }: KeyDocument,
  { checkpoint }: KeyLogCopy,
  { keys, now }: { keys: readonly LogKey[]; now: number },
): OpenedBoth {
  const problems: string[] = [];
  const otherLogs: LogVerdict[] = [];
  const trees: SignedTree[] = [];
  const open = (bytes: Uint8Array, what: string): TrustedCheckpoint | null => {
    try {
      const { origin } = parseCheckpoint(parseNote(bytes).text);
      if (isOriginOf(origin, 'keys')) {
        const opened = openTrusted(primitives, bytes, keys);
        trees.push(signedTree(opened));
        return opened;
      }
      problems.push(`${what}: ${origin} is not a log of keys`);
    } catch (error) {
      const found = checkpointProblem(error);
      if (found === null) throw error;
      problems.push(`${what}: ${found.message}`);
      if (found.check !== 'bad') otherLogs.push(found.check);
      if (found.checkpoint !== null) trees.push(signedTree(found.checkpoint));
    }
    return null;
  };
  const ofDocument = open(toUtf8.encode(log.checkpoint), 'log.checkpoint');
  const ofLog = open(checkpoint, 'the checkpoint of the key log');
  if (ofDocument !== null) {
    if (log.origin !== ofDocument.origin) problems.push('log.origin is not that of log.checkpoint');
    if (log.tree_size !== ofDocument.size) problems.push('log.tree_size is not that of log.checkpoint');
    if (log.root_hash !== bytesToHex(ofDocument.root))
      problems.push('log.root_hash is not that of log.checkpoint');
    if (ofLog !== null && ofLog.origin !== ofDocument.origin)
      problems.push(`the document is about ${ofDocument.origin}, and the key log is ${ofLog.origin}`);
    if (ofLog !== null && ofLog.size < ofDocument.size)
      problems.push(
        `the key log has ${ofLog.size} entries, and log.checkpoint states ${ofDocument.size}: it is older than the document`,
      );
  }
  const checkpoints = [ofDocument, ofLog].filter((one) => one !== null);
  const ahead = checkpoints.flatMap(({ time }) => aheadOf('a checkpoint is dated', time, now) ?? []);
  const check = problems.length > otherLogs.length ? 'bad' : (otherLogs[0] ?? (ahead[0] ? 'future' : 'ok'));
  return { checkpoints, trees, ofLog, check, problems: [...problems, ...new Set(ahead)] };
}

/** Compares the roots of checkpoints with those of the entries. */
function rootProblems(roots: readonly Uint8Array[], checkpoints: readonly TrustedCheckpoint[]): string[] {
  return checkpoints.flatMap(({ size, root }) => {
    const own = roots[size];
    if (own === undefined) return [`a checkpoint states ${size} entries, and there are ${roots.length - 1}`];
    return equalBytes(own, root)
      ? []
      : [`the first ${size} entries do not have the root of the checkpoint of that size`];
  });
}

function cosignaturesOf(
  primitives: Primitives,
  ofLog: TrustedCheckpoint | null,
  { policy, log, now }: KeyDocumentOptions,
): Cosignatures[] | null {
  if (policy === undefined) return null;
  if (ofLog === null) return [];
  const logKeys = policy.logKeys.map(({ publicKey }) => publicKey);
  return [checkQuorum(primitives, log.checkpoint, policy.policy, { now, logKeys })];
}
