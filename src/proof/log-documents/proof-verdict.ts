import { parseTimestamp } from '../encoding/timestamp.ts';
import { type EntryFacts, readEntryFacts } from '../log/entry-facts.ts';
import { LogEntryError } from '../log/entry-members.ts';
import { KnownNotes } from '../log/known-notes.ts';
import {
  checkpointProblem,
  isLogVerdict,
  LOG_VERDICTS,
  type LogKey,
  type LogVerdict,
  openTrusted,
  type SignedTree,
  signedTree,
  type TrustedCheckpoint,
} from '../log/log-keys.ts';
import { isOriginOf, LOG_NAMES } from '../log/log-names.ts';
import { isJsonProof, type LogProof, LogProofError, readLogProof } from '../log/log-proof.ts';
import { leafHash, verifyInclusion } from '../log/merkle.ts';
import { aheadOf, misdated } from '../log/misdated.ts';
import { NoteError, parseNote } from '../log/note.ts';
import { type Cosignatures, describeCosignatures, isMet, type QuorumCheck } from '../log/quorum.ts';
import { parseTlogProof, type TlogProof, TlogProofError } from '../log/tlog-proof.ts';
import type { Primitives } from '../primitives.ts';
import { checkWitnesses, type WitnessPolicy } from '../receipt/witnessed.ts';

/**
 * The verdicts on a checkpoint and on a proof with their descriptions. The first one that applies is the
 * result.
 */
export const PROOF_VERDICTS = {
  malformed: 'This does not have the form of a checkpoint or of a proof of a log.',
  bad_checkpoint: 'No trusted key of the log signed the checkpoint, or a signature is wrong.',
  ...LOG_VERDICTS,
  future: 'The checkpoint or the entry is dated more than 60 s after the clock of this machine.',
  bad_proof: 'The hashes do not lead from the entry to the root of the checkpoint.',
  bad_entry: 'The log has this line, but the line does not have the form of an entry.',
  misdated: 'The log has this entry, but the entry is dated more than 60 s after the checkpoint.',
  valid: 'A trusted key of the log signed it.',
} as const;

type ProofVerdict = keyof typeof PROOF_VERDICTS;

export interface ProofResult {
  verdict: ProofVerdict;
  checks: {
    checkpoint: 'ok' | 'bad' | LogVerdict | 'unchecked';
    /** `undated` if no signature of the log has a time. */
    date: 'ok' | 'future' | 'undated' | 'unchecked';
    /** Only of a proof: whether the tree contains the entry. */
    inclusion?: 'ok' | 'bad' | 'unchecked';
    /**
     * Only of a proof: whether the entry has the form that entries of this log have, and a date that is not
     * after the checkpoint's or the clock.
     */
    entry?: 'ok' | 'bad' | 'misdated' | 'future' | 'unchecked';
    /** Only with a policy. */
    quorum?: QuorumCheck;
  };
  problems: string[];
  /** The tree; empty unless a trusted key signed it. */
  trees: SignedTree[];
  /** Only of a proof: the position and the text of the proven entry; null unless the tree contains it. */
  proven?: { index: number; entry: string } | null;
  cosignatures?: Cosignatures[];
}

export interface ProofOptions {
  /** The keys of logs that the verifier trusts. */
  logKeys: readonly LogKey[];
  policy?: WitnessPolicy | undefined;
  /** Unix time in milliseconds. */
  now: number;
  /** What was found of checkpoints before, with the same options. */
  notes?: KnownNotes | undefined;
}

const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const toUtf8 = new TextEncoder();

/** Verifies a checkpoint of any log. Never throws for any bytes. */
export function judgeCheckpoint(
  primitives: Primitives,
  bytes: Uint8Array,
  options: ProofOptions,
): ProofResult {
  return judged(primitives, { note: bytes, proof: null }, options);
}

/**
 * Verifies a proof of an entry of any log: C2SP tlog-proof text with the entry as its extra data, or the JSON
 * of a bundle. Never throws for any bytes.
 */
export function judgeProof(primitives: Primitives, bytes: Uint8Array, options: ProofOptions): ProofResult {
  try {
    if (isJsonProof(bytes)) return judgeLogProof(primitives, readLogProof(primitives, bytes), options);
    const proof = parseTlogProof(bytes);
    if (proof.extra === null) throw new TlogProofError('the proof has no entry (extra)');
    return judged(primitives, { note: toUtf8.encode(proof.checkpoint), proof }, options);
  } catch (error) {
    if (!(error instanceof TlogProofError || error instanceof LogProofError)) throw error;
    return malformed(error.message, true, options);
  }
}

/** Verifies a proof that was read, like `judgeProof`. */
export function judgeLogProof(
  primitives: Primitives,
  { entry, ...proof }: LogProof,
  options: ProofOptions,
): ProofResult {
  const note = toUtf8.encode(proof.checkpoint);
  return judged(primitives, { note, proof: { ...proof, extra: toUtf8.encode(entry) } }, options);
}

/** Returns whether a document is valid and its cosignatures meet the policy, if there is one. */
export function isProofAsAsked({ verdict, checks: { quorum = 'ok' } }: ProofResult): boolean {
  return verdict === 'valid' && isMet(quorum);
}

function malformed(problem: string, isProof: boolean, { policy }: ProofOptions): ProofResult {
  const checks: ProofResult['checks'] = { checkpoint: 'unchecked', date: 'unchecked' };
  if (isProof) checks.inclusion = checks.entry = 'unchecked';
  if (policy !== undefined) checks.quorum = 'unchecked';
  const proven = isProof ? { proven: null } : {};
  return { verdict: 'malformed', checks, problems: [problem], trees: [], ...proven };
}

function judged(
  primitives: Primitives,
  { note, proof }: { note: Uint8Array; proof: TlogProof | null },
  options: ProofOptions,
): ProofResult {
  const problems: string[] = [];
  const { logKeys, now, notes = new KnownNotes() } = options;
  try {
    parseNote(note);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return malformed(error.message, proof !== null, options);
  }
  const text = fromUtf8.decode(note);
  const { check, checkpoint } = opened(
    () => notes.opened(text, (bytes) => openTrusted(primitives, bytes, logKeys)),
    problems,
  );
  // Nothing more is said of another log.
  const tree = check === 'ok' ? checkpoint : null;
  const ahead = tree && aheadOf('the checkpoint is dated', tree.time, now);
  const checks: ProofResult['checks'] = {
    checkpoint: check,
    date: tree === null ? 'unchecked' : tree.time === null ? 'undated' : ahead === null ? 'ok' : 'future',
  };
  if (ahead !== null) problems.push(ahead);
  const extra = proof?.extra ?? null;
  if (proof !== null && extra !== null) {
    checks.inclusion = inclusionOf(primitives, proof, extra, tree);
    if (checks.inclusion === 'bad') problems.push('the hashes do not lead from the entry to the root');
  }
  const cosignatures = cosignaturesOf(primitives, tree === null ? null : text, { ...options, notes });
  if (extra !== null) {
    const found = tree === null ? null : checkEntry(primitives, tree, extra, { cosignatures, now });
    checks.entry = found === null ? 'unchecked' : found.check;
    if (found !== null && found.problem !== null) problems.push(`the entry: ${found.problem}`);
  }
  if (cosignatures !== null) {
    checks.quorum = cosignatures[0]?.check ?? 'unchecked';
    for (const found of cosignatures)
      if (!isMet(found.check)) problems.push(`quorum: ${describeCosignatures(found)}`);
  }
  const isProven = checks.inclusion === 'ok' && checks.entry === 'ok';
  return {
    verdict: firstOf(checks),
    checks,
    problems,
    trees: checkpoint === null ? [] : [signedTree(checkpoint)],
    ...(proof !== null && {
      proven: isProven && extra !== null ? { index: proof.index, entry: fromUtf8.decode(extra) } : null,
    }),
    ...(cosignatures && { cosignatures }),
  };
}

function firstOf({ checkpoint, date, inclusion = 'ok', entry = 'ok' }: ProofResult['checks']): ProofVerdict {
  if (isLogVerdict(checkpoint)) return checkpoint;
  if (checkpoint !== 'ok') return 'bad_checkpoint';
  if (date === 'future') return 'future';
  if (inclusion !== 'ok') return 'bad_proof';
  if (entry === 'misdated' || entry === 'future') return entry;
  return entry === 'ok' ? 'valid' : 'bad_entry';
}

function opened(
  open: () => TrustedCheckpoint,
  problems: string[],
): { check: 'ok' | 'bad' | LogVerdict; checkpoint: TrustedCheckpoint | null } {
  try {
    return { check: 'ok', checkpoint: open() };
  } catch (error) {
    const found = checkpointProblem(error);
    if (found === null) throw error;
    problems.push(`the checkpoint: ${found.message}`);
    return found;
  }
}

function inclusionOf(
  primitives: Primitives,
  { index, path }: TlogProof,
  extra: Uint8Array,
  tree: TrustedCheckpoint | null,
): 'ok' | 'bad' | 'unchecked' {
  if (tree === null) return 'unchecked';
  const { size, root } = tree;
  const leaf = leafHash(primitives, extra);
  return verifyInclusion(primitives, { leaf, index, path, size, root }) ? 'ok' : 'bad';
}

/** Checks the entry of a log by itself, and its date. */
function checkEntry(
  primitives: Primitives,
  { origin, time }: TrustedCheckpoint,
  bytes: Uint8Array,
  { cosignatures, now }: { cosignatures: readonly Cosignatures[] | null; now: number },
): { check: 'ok' | 'bad' | 'misdated' | 'future'; problem: string | null } {
  const name = LOG_NAMES.find((known) => isOriginOf(origin, known));
  if (name === undefined) return { check: 'bad', problem: `${origin} is not the name of a log` };
  let entry: EntryFacts;
  try {
    entry = readEntryFacts(primitives, name, fromUtf8.decode(bytes));
  } catch (error) {
    if (error instanceof TypeError) return { check: 'bad', problem: 'it is not UTF-8' };
    if (!(error instanceof LogEntryError)) throw error;
    return { check: 'bad', problem: error.message };
  }
  if (!entry.isHashed) return { check: 'bad', problem: 'event_commitment_hash is not that of its members' };
  const attested = cosignatures?.[0]?.attested_at ?? null;
  const times = [time, attested === null ? null : Date.parse(attested)].filter((known) => known !== null);
  const wrong = misdated([{ event: 'made', at: entry.at }], times.length === 0 ? null : Math.min(...times));
  if (wrong !== null) return { check: 'misdated', problem: `misdated: ${wrong}` };
  const ahead = aheadOf('it is dated', parseTimestamp(entry.at), now);
  return ahead === null ? { check: 'ok', problem: null } : { check: 'future', problem: `future: ${ahead}` };
}

function cosignaturesOf(
  primitives: Primitives,
  note: string | null,
  { policy, now, notes }: ProofOptions & { notes: KnownNotes },
): Cosignatures[] | null {
  if (policy === undefined) return null;
  if (note === null) return [];
  return [notes.cosignatures(note, (bytes) => checkWitnesses(primitives, bytes, policy, now))];
}
