import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { parseLogPolicy } from '../../../../src/proof/log/log-policy.ts';
import { checkQuorumOrEnd, type KeyLogToTrust } from '../../../../src/proof/log/recorded-end.ts';
import { keyListOf } from '../../../support/dishonest/key-list.ts';
import { FakeLog } from '../../../support/fake-log.ts';
import { cosigned, POLICY } from '../../../support/made-account.ts';

const closed = new FakeLog();
closed.finalize(2);
const next = closed.restart('fake.example-2');
const time = next.now * 1000;
const keyLog: KeyLogToTrust = {
  checkpoint: Buffer.from(cosigned(next.note('keys'), time)),
  entries: next.entries.keys,
  logKeys: readLogKeys(nativePrimitives, keyListOf(next)).trusted,
};

/** What is found of the last checkpoint of the closed log, which nobody cosigned. */
function check(changes: Partial<KeyLogToTrust> = {}, primitives = nativePrimitives): string {
  return checkQuorumOrEnd(
    primitives,
    Buffer.from(closed.note('receipts')),
    parseLogPolicy(nativePrimitives, POLICY),
    {
      now: time + 1000,
      logKeys: [hexToBytes(closed.logKeys.receipts.publicKey)],
      keyLog: { ...keyLog, ...changes },
    },
  ).check;
}

describe('the end of a closed log', () => {
  test('counts without cosignatures where a cosigned log of keys records it', () => {
    expect(check()).toBe('closed');
  });

  test('does not count by a log of keys without a checkpoint, or of keys that nobody trusts', () => {
    const { trusted } = readLogKeys(nativePrimitives, keyListOf(new FakeLog('fake.example-2')));
    for (const changes of [
      { checkpoint: Buffer.from('no note') },
      { checkpoint: Buffer.from(next.noteOf('keys', 'no checkpoint\n')) },
      { logKeys: [] },
      { logKeys: trusted },
    ])
      expect(check(changes)).toBe('missing');
  });

  test('does not count by other entries than those of the cosigned checkpoint', () => {
    expect(check({ entries: keyLog.entries.slice(1) })).toBe('missing');
    expect(check({ entries: keyLog.entries.toReversed() })).toBe('missing');
  });

  test('is not denied for a fault of the program', () => {
    const broken: typeof nativePrimitives = {
      ...nativePrimitives,
      ed25519Verify(signature, message, publicKey) {
        if (Buffer.from(message).includes('/keys\n')) throw new RangeError('out of memory');
        return nativePrimitives.ed25519Verify(signature, message, publicKey);
      },
    };
    expect(() => check({}, broken)).toThrow(RangeError);
  });
});
