import { hexToBytes } from '../encoding/hex.ts';
import { kidOf } from '../keys/kid.ts';
import type { TrustedKey } from '../keys/trusted-keys.ts';
import { LogEntryError } from '../log/entry-members.ts';
import { stateAfter } from '../log/key-state.ts';
import { type KeyEntry, readKeyEntry } from '../log/log-entry.ts';
import { isLogVerdict, LOG_VERDICTS, type SignedTree } from '../log/log-keys.ts';
import { commonOf, isOriginOf, originOf } from '../log/log-names.ts';
import type { LogProof } from '../log/log-proof.ts';
import type { Cosignatures } from '../log/quorum.ts';
import { judgeLogProof, type ProofOptions } from '../log-documents/proof-verdict.ts';
import type { Primitives } from '../primitives.ts';

/** The results of checking what a bundle shows of the log of keys, with their descriptions. */
export const KEY_EVENT_CHECKS = {
  bad: 'a proof of an event of the log of keys is invalid',
  ...LOG_VERDICTS,
  partly: 'the log of keys has the events, and none is of one of the keys that signed',
  ok: 'the log of keys has an event of each key that signed',
} as const;

export type KeyEventCheck = keyof typeof KEY_EVENT_CHECKS;

/** What the log of keys says of some keys, as far as a bundle shows it. */
export interface KeyEvents {
  check: KeyEventCheck;
  problem: string | null;
  /** A row for each event; empty unless all are proven. */
  keys: TrustedKey[];
  /** The part of the origin of the log before its name; null unless all are proven, and if there is none. */
  common: string | null;
  /** The trees of all events that trusted keys signed. */
  trees: SignedTree[];
  /** Only with a policy. */
  cosignatures: Cosignatures[];
}

/**
 * Checks that a log of keys has events, and returns what each says of its key. Whether a later event ends a
 * key, only the whole log or a list of keys can say. Never throws for any proof.
 * @param isSigner says whether a key signed something in the bundle; events of others have no place in it
 */
export function checkKeyEvents(
  primitives: Primitives,
  proofs: readonly LogProof[],
  options: ProofOptions,
  isSigner: (kid: string) => boolean,
): KeyEvents {
  const keys: TrustedKey[] = [];
  const cosignatures: Cosignatures[] = [];
  const origins = new Set<string>();
  const judged = proofs.map((proof) => judgeLogProof(primitives, proof, options));
  const trees = judged.flatMap((one) => one.trees);
  const refused = (problem: string, check: KeyEventCheck = 'bad'): KeyEvents => ({
    ...{ check, problem, keys: [], common: null, trees, cosignatures },
  });
  for (const [index, { verdict, problems, proven = null, ...found }] of judged.entries()) {
    cosignatures.push(...(found.cosignatures ?? []));
    const [tree] = found.trees;
    const name = `key_events[${index}]`;
    if (isLogVerdict(verdict)) return refused(`${name}: ${LOG_VERDICTS[verdict]}`, verdict);
    if (verdict !== 'valid' || proven === null || tree === undefined)
      return refused(`${name}: ${problems[0] ?? verdict}`);
    if (!isOriginOf(tree.log, 'keys')) return refused(`${name}: ${tree.log} is not a log of keys`);
    origins.add(tree.log);
    const row = rowOf(primitives, proven.entry, commonOf({ origin: tree.log, name: 'keys' }));
    if (row === null) return refused(`${name} is not an event of an Ed25519 key with this kid`);
    if (!isSigner(row.kid)) return refused(`${name} is of a key that signed nothing here`);
    if (keys.some(({ kid }) => kid === row.kid)) return refused(`${name} is a second event of one key`);
    keys.push(row);
  }
  if (origins.size > 1) return refused('key_events are of two logs of keys');
  const [origin] = origins;
  const common = origin === undefined ? null : commonOf({ origin, name: 'keys' });
  return { check: 'ok', problem: null, keys, common, trees, cosignatures };
}

/** Returns the row that a list of keys has for a key whose newest event this is; null if it can have none. */
function rowOf(primitives: Primitives, text: string, common: string): TrustedKey | null {
  let entry: KeyEntry;
  try {
    entry = readKeyEntry(text);
  } catch (error) {
    if (!(error instanceof LogEntryError)) throw error;
    return null;
  }
  const { kid, algorithm, public_key, purpose, at } = entry;
  if (algorithm !== 'Ed25519' || kidOf(primitives, hexToBytes(public_key)) !== kid) return null;
  const state = stateAfter(entry);
  const receipts_logs = state.valid_until === null ? [] : [originOf(common, 'receipts')];
  return { kid, public_key, purpose, valid_from: at, receipts_logs, ...state };
}
