import { expect, test } from 'bun:test';
import { logKeyIn, logKeyLines } from '../../../../src/proof/log/log-key-lines.ts';
import {
  formatVerifierKey,
  keyIdOf,
  SIGNATURE_TYPES,
  type VerifierKey,
} from '../../../../src/proof/log/note.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { NO_KEYS, TrustError, trustOf } from '../../../../src/proof/verifier/trust.ts';

const publicKey = Uint8Array.fromHex('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
const name = 'log.example/receipts';
const keyOf = (type: number): VerifierKey => ({
  ...{ name, type, publicKey },
  keyId: keyIdOf(noblePrimitives, name, type, publicKey),
});
const key = keyOf(SIGNATURE_TYPES.ed25519);

test('a log key that was reported as compromised is refused, even if somebody names it', () => {
  expect(trustOf(NO_KEYS, undefined, [key]).logKeys).toHaveLength(1);
  const keys = { ...NO_KEYS, compromisedLogKeys: [publicKey] };
  expect(() => trustOf(keys, undefined, [key])).toThrow(
    new TrustError(`for ${name} has been reported as compromised`, null),
  );
});

test('a file with log keys has one a line, and none of a witness', () => {
  const lines = logKeyLines(`# keys\n\nlog ${formatVerifierKey(key)}\n`);
  expect(lines.map(({ line, number }) => [logKeyIn(noblePrimitives, line).name, number])).toEqual([
    [name, 3],
  ]);
  const ofWitness = formatVerifierKey(keyOf(SIGNATURE_TYPES.cosignature));
  expect(() => logKeyIn(noblePrimitives, ofWitness)).toThrow('is the key of a witness, not of a log');
});
