import { bytesToHex, hexToBytes } from '../encoding/hex.ts';
import type { Primitives } from '../primitives.ts';
import { isSignedBy } from './cross-signing.ts';
import type { IndexedEntry } from './key-log.ts';
import { logPurposeOf } from './key-purposes.ts';
import type { KeyEntry } from './log-entry.ts';
import { keysFor, type LogKey } from './log-keys.ts';
import { SIGNATURE_TYPES } from './note.ts';

const KEYS_PURPOSE = logPurposeOf('keys');

/**
 * Returns the keys that may sign the checkpoint of a key log: trusted ones, and those that the log adds with
 * the signature of one of these. None that the log reports as compromised is among them. So a verifier whose
 * keys are older than a rotation can follow it.
 *
 * @param entries in the order of the log; no checkpoint covers them yet
 * @param trusted keys of all logs: one of another log than `origin` adds no key, although an entry may say
 * that it is of this log
 * @param now Unix time in milliseconds: a trusted key that has ended adds no key
 */
export function keyLogSigners(
  primitives: Primitives,
  entries: readonly IndexedEntry[],
  { trusted, origin, now }: { trusted: readonly LogKey[]; origin: string; now: number },
): LogKey[] {
  const { own } = keysFor(trusted, origin);
  const known = new Set(own.map(publicKeyIn));
  // Whoever names the keys of a log means only these.
  const listed = own.filter(({ log }) => !('origin' in log));
  const bringing = new Set(listed.map(publicKeyIn));
  const ended = new Set(own.filter(({ until }) => until !== null && until < now).map(publicKeyIn));
  const signers = new Map<string, KeyEntry>();
  const vouched: LogKey[] = [];
  for (const { entry } of entries) {
    // A thief of a key cannot add another one after the report.
    if (entry.event === 'compromised') signers.delete(entry.kid);
    if (entry.event !== 'added' || entry.purpose !== KEYS_PURPOSE) continue;
    // No entry can prolong a trusted key that has ended.
    if (ended.has(entry.public_key)) continue;
    const isTrusted = bringing.has(entry.public_key);
    const isVouched = entry.signatures.some(({ kid, signature }) => {
      const signer = signers.get(kid);
      return signer !== undefined && isSignedBy(primitives, entry, signer, signature);
    });
    if (!isTrusted && !isVouched) continue;
    if (!signers.has(entry.kid)) signers.set(entry.kid, entry);
    if (!known.has(entry.public_key)) vouched.push(asLogKey(entry, listed));
  }
  const compromised = new Set(
    entries.filter(({ entry }) => entry.event === 'compromised').map(({ entry }) => entry.public_key),
  );
  return [...trusted, ...vouched].filter((key) => !compromised.has(publicKeyIn(key)));
}

function publicKeyIn({ publicKey }: LogKey): string {
  return bytesToHex(publicKey);
}

/** Returns the key of an entry, trusted for the same log as those of the list that bring it. */
function asLogKey({ algorithm, public_key }: KeyEntry, [bringing]: readonly LogKey[]): LogKey {
  const log = bringing?.log ?? { name: 'keys', common: null, closed: [] };
  const type = algorithm === 'Ed25519' ? SIGNATURE_TYPES.ed25519 : SIGNATURE_TYPES.mlDsa44;
  return { log, type, publicKey: hexToBytes(public_key), until: null };
}
