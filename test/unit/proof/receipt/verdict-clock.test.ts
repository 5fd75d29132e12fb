import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { readLogProof } from '../../../../src/proof/log/log-proof.ts';
import { judge } from '../../../../src/proof/receipt/verdict.ts';
import { example } from '../../../support/worked-example.ts';
import { asDocument } from './signed-receipts.ts';

const keys = readTrustedKeys(nativePrimitives, example.keys);
const proof = {
  proof: readLogProof(nativePrimitives, Buffer.from(example.proof)),
  keys: readLogKeys(nativePrimitives, example.keys).trusted,
};
/** The receipt is issued at noon, and logged a second later. */
const NOON = Date.parse('2026-05-01T12:00:00.000Z');
const judged = (now: number, clock?: number) =>
  judge(nativePrimitives, asDocument(example.receipt), { keys, now, clock, proof });

describe('a clock that is behind the dates of a receipt', () => {
  test('is named, with both times', () => {
    const { verdict, authentic, checks, problems } = judged(NOON - 61_000);
    expect({ verdict, authentic, proof: checks.proof }).toEqual({
      verdict: 'future',
      authentic: true,
      proof: 'future',
    });
    expect(problems).toEqual([
      'issued_at is 2026-05-01T12:00:00.000Z, more than 60 s after the clock of this machine (2026-05-01T11:58:59.000Z): check the clock',
      'proof: future: it was issued at 2026-05-01T12:00:00.000Z, more than 60 s after the clock of this machine (2026-05-01T11:58:59.000Z): check the clock',
    ]);
  });

  test('does not count where the present is later than the time that is asked about', () => {
    const { verdict, checks } = judged(NOON - 3600_000, NOON);
    expect([verdict, checks.proof]).toEqual(['valid', 'ok']);
  });

  test.each([Number.NaN, Number.NEGATIVE_INFINITY])('can be %p', (now) => {
    expect(judged(now).checks.proof).toBe('future');
  });
});
