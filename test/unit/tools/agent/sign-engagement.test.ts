import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { generateKeyPair } from '../../../../src/platform/crypto/key-files.ts';
import { digest } from '../../../../src/proof/encoding/digest.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { verifyStrict } from '../../../../src/proof/keys/ed25519.ts';
import { signedConsent, signedDelivery } from '../../../../src/tools/agent/sign-engagement.ts';

const key = generateKeyPair('Ed25519');
const terms = { task_id: 'audit-7', terms_digest: 'ab'.repeat(32) };
const DELIVERABLE = 'cd'.repeat(32);
const ARBITER = 'ef'.repeat(32);

const isSigned = ({ payload, signature }: { payload: object; signature: string }): boolean =>
  verifyStrict(
    nativePrimitives,
    hexToBytes(signature),
    Buffer.from(digest(nativePrimitives, { ...payload })),
    hexToBytes(key.publicKey),
  );

describe('what an agent signs about an engagement', () => {
  test.each([
    ['as the API returns it', { engagement: { ...terms, status: 'HELD' } }],
    ['by itself', { ...terms, amount: 5 }],
  ])('is for the terms of the engagement %s', (_, engagement) => {
    const delivery = signedDelivery(key, engagement, DELIVERABLE, null);
    expect(delivery).toMatchObject({
      source_type: 'task_deliverable',
      payload: { ...terms, deliverable_digest: DELIVERABLE },
    });
    expect(Object.keys(delivery.payload)).not.toContain('arbiter_commitment');
    const named = signedDelivery(key, engagement, DELIVERABLE, ARBITER);
    expect(named.payload).toMatchObject({ arbiter_commitment: ARBITER });
    const consent = signedConsent(key, engagement);
    expect(consent.payload).toEqual({ type: 'arbiter-consent', ...terms });
    expect([delivery, named, consent].map(isSigned)).toEqual([true, true, true]);
  });

  test.each([
    ['nothing', {}],
    ['no terms', { engagement: { task_id: 'audit-7' } }],
    ['terms that are no digest', { ...terms, terms_digest: 'ab' }],
    ['an id that is no text', { ...terms, task_id: 7 }],
    ['a list in its place', { engagement: [terms] }],
  ])('is refused for a file with %s', (_, engagement) => {
    for (const sign of [
      () => signedConsent(key, engagement),
      () => signedDelivery(key, engagement, DELIVERABLE, null),
    ])
      expect(sign).toThrow('the file has no engagement with a task_id and a terms_digest');
  });

  test('is refused with an arbiter that is no commitment', () => {
    expect(() => signedDelivery(key, terms, DELIVERABLE, 'EF')).toThrow('--arbiter EF is no commitment');
  });
});
