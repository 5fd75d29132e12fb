import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives, signMlDsa44 } from '../../src/platform/crypto/crypto.ts';
import { parseNote, signatureLine } from '../../src/proof/log/note.ts';
import { cosignatureBytes, signedMessage } from '../../src/proof/log/note-signature.ts';
import type { Operation } from '../../test/support/json-patch.ts';
import { keyRow, testKey, verifierOf } from '../../test/support/small-log.ts';
import { VECTORS } from '../../test/support/vectors.ts';

const ORIGIN = 'receipts.example/receipts';
const KEY = testKey(2, 'ML-DSA-44');
const KEY_ID = verifierOf(KEY, ORIGIN);
/** The time in the signatures, in seconds: 2026-05-28T20:26:40Z. */
const TIME = 1_780_000_000;

/** The row of the ML-DSA-44 key of the log of receipts, and its index in the list of trusted keys. */
export const TIMED_KEY = keyRow(KEY, 'receipts-log');
const ROW = 5;

interface TimedCase {
  name: string;
  file: string;
  content: string;
  at?: string;
  verdict: string;
  problem: string | null;
  keys_patch?: Operation[];
}

/**
 * Returns the line of the key's signature in a stored file: each ML-DSA-44 signature of a message is another
 * one.
 */
function storedLine(file: string, text: string, seconds: number): string | null {
  const path = join(VECTORS, 'log-proof', file);
  if (!existsSync(path)) return null;
  const { publicKey, keyId } = KEY_ID;
  const message = signedMessage(KEY_ID.type, text, ORIGIN, seconds);
  const found = parseNote(readFileSync(path)).signatures.find(
    (line) =>
      line.keyId === keyId &&
      nativePrimitives.mlDsa44Verify?.(line.signature.subarray(8), message, publicKey),
  );
  return found === undefined ? null : signatureLine(found);
}

/**
 * @param signed a checkpoint of the log of receipts by its Ed25519 key
 * @param extended one with a fourth line, which this key signed
 */
export function timedCases(signed: string, extended: string): TimedCase[] {
  const { text } = parseNote(Buffer.from(signed));
  const line = (file: string, seconds: number, of = text): string => {
    const stored = storedLine(file, of, seconds);
    if (stored !== null) return stored;
    const signature = signMlDsa44(KEY.privateKey, signedMessage(KEY_ID.type, of, ORIGIN, seconds));
    return signatureLine({
      name: ORIGIN,
      keyId: KEY_ID.keyId,
      signature: cosignatureBytes(seconds, signature),
    });
  };
  const timed = line('timed.checkpoint', TIME);
  const undated = line('undated.checkpoint', 0);
  const earlier = line('earlier.checkpoint', TIME - 100);
  const { signature } = parseNote(Buffer.from(`${text}\n${timed}`)).signatures[0] ?? { signature: timed };
  const redated = signatureLine({
    name: ORIGIN,
    keyId: KEY_ID.keyId,
    signature: cosignatureBytes(TIME + 1, Buffer.from(signature).subarray(8)),
  });
  const ended = (time: string, ...rows: readonly number[]): Operation[] =>
    rows.map((row) => ({ op: 'replace', path: `/keys/${row}/valid_until`, value: time }));
  const one = (
    name: string,
    file: string,
    content: string,
    verdict: string,
    others: Partial<TimedCase> = {},
  ): TimedCase => ({ name, file: `${file}.checkpoint`, content, verdict, problem: null, ...others });
  const only = `${text}\n${timed}`;
  const both = signed + timed;
  const extendedText = parseNote(Buffer.from(extended)).text;
  const extendedLine = line('extended-timed.checkpoint', TIME, extendedText);
  const bad = (problem: string) => ({ problem: `the checkpoint: ${problem}` });
  const at = (time: string) => ({ at: time });
  const BEFORE = '2026-05-28T20:26:39.999Z';
  return [
    one('only an ML-DSA-44 signature', 'timed', only, 'valid'),
    one('60 seconds before the time in it', 'timed', only, 'valid', at('2026-05-28T20:25:40.000Z')),
    one('more than 60 seconds before the time in it', 'timed', only, 'future', {
      ...at('2026-05-28T20:25:39.999Z'),
      problem: 'the checkpoint is dated 2026-05-28T20:26:40.000Z, more than 60 s after the clock',
    }),
    one('a key that ended at the time in it', 'timed', only, 'valid', {
      keys_patch: ended('2026-05-28T20:26:40.000Z', ROW),
    }),
    one('a key that ended before the time in it', 'timed', only, 'bad_checkpoint', {
      ...bad(''),
      keys_patch: ended(BEFORE, ROW),
    }),
    one('a key that ended before the time that the other key signed', 'both', both, 'valid', {
      keys_patch: ended(BEFORE, 0),
    }),
    one('a key that ended before the time that it signed, and one that counts', 'both', both, 'valid', {
      keys_patch: ended(BEFORE, ROW),
    }),
    one('two keys that ended before the time', 'both', both, 'bad_checkpoint', {
      ...bad(''),
      keys_patch: ended(BEFORE, 0, ROW),
    }),
    // An attacker with the keys can leave out the time. So does a proof that is older than the end.
    one('no time, and a key that has ended', 'undated', `${text}\n${undated}`, 'valid', {
      keys_patch: ended('2026-01-02T00:00:00.000Z', ROW),
    }),
    one('two times, and a key that ended between', 'earlier', `${text}\n${timed}${earlier}`, 'valid', {
      keys_patch: ended(BEFORE, ROW),
    }),
    one('another time than the signed one', 'redated', `${text}\n${redated}`, 'bad_checkpoint', {
      ...bad('the signature'),
    }),
    one('another time beside a right signature', 'both-redated', signed + redated, 'bad_checkpoint', {
      ...bad('the signature'),
    }),
    one(
      'a fourth line that ML-DSA-44 does not cover',
      'extended-timed',
      `${extendedText}\n${extendedLine}`,
      'bad_checkpoint',
      bad('no signature covers'),
    ),
    one('a fourth line that Ed25519 covers', 'extended-both', extended + extendedLine, 'valid', {
      keys_patch: ended('2026-07-01T00:00:00.000Z', ROW),
    }),
  ];
}
