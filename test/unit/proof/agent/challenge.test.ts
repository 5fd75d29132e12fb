import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  CHALLENGE_PURPOSES,
  type Challenge,
  challengeNonce,
  readChallengeNonce,
} from '../../../../src/proof/agent/challenge.ts';
import { canonicalJson } from '../../../../src/proof/encoding/canonical-json.ts';
import type { JsonValue } from '../../../../src/proof/encoding/json.ts';

const CHALLENGE: Challenge = {
  purpose: 'enroll',
  host: 'trust.example:8443',
  subjectCommitment: 'ab'.repeat(32),
  expiresAt: '2030-01-31T12:00:00.000Z',
  random: 'A'.repeat(43),
};
const SAID = {
  purpose: 'enroll',
  host: 'trust.example:8443',
  subject_commitment: 'ab'.repeat(32),
  expires_at: '2030-01-31T12:00:00.000Z',
  random: 'A'.repeat(43),
};

const { random: _random, ...SAID_WITHOUT_RANDOM } = SAID;

const base64Url = (text: string): string => Buffer.from(text).toString('base64url');
const nonceOf = (value: JsonValue): string => `chal_${base64Url(canonicalJson(value))}`;

describe('the nonce of a challenge', () => {
  test('is chal_ and base64url of the canonical JSON of what it says', () => {
    expect(challengeNonce(CHALLENGE)).toBe(nonceOf(SAID));
    expect(readChallengeNonce(nonceOf(SAID))).toEqual(CHALLENGE);
  });

  test('is read as it was written, whatever it says', () => {
    fc.assert(
      fc.property(
        fc.record({
          purpose: fc.constantFrom(...CHALLENGE_PURPOSES),
          host: fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
          subjectCommitment: fc.option(fc.string()),
          expiresAt: fc.string(),
          random: fc.string(),
        }),
        (challenge) => {
          expect(readChallengeNonce(challengeNonce(challenge))).toEqual(challenge);
        },
      ),
    );
  });

  test('is never mistaken for a digest, and no digest for it', () => {
    expect(challengeNonce({ ...CHALLENGE, subjectCommitment: null }).length).toBeGreaterThan(64);
    expect(readChallengeNonce('ab'.repeat(32))).toBeNull();
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['the prefix and nothing', 'chal_'],
    ['random bytes', `chal_${'A'.repeat(43)}`],
    ['another prefix', nonceOf(SAID).replace('chal_', 'CHAL_')],
    ['padding', `${nonceOf({ ...SAID, host: 'a' })}==`],
    ['white space', ` ${nonceOf(SAID)}`],
    ['what is no base64url', 'chal_+/+/'],
    ['what is no UTF-8', `chal_${Buffer.from([0xff, 0xfe]).toString('base64url')}`],
    ['another order of members', `chal_${base64Url(JSON.stringify(SAID))}`],
    ['white space in the JSON', `chal_${base64Url(canonicalJson(SAID).replace(',', ', '))}`],
    ['one member more', nonceOf({ ...SAID, more: 1 })],
    ['one member less', nonceOf({ ...SAID_WITHOUT_RANDOM })],
    ['a member twice', `chal_${base64Url(canonicalJson(SAID).replace('{', '{"host":"a",'))}`],
    ['a purpose that nobody knows', nonceOf({ ...SAID, purpose: 'transfer' })],
    ['a host that is no text', nonceOf({ ...SAID, host: 7 })],
    ['a commitment that is no text', nonceOf({ ...SAID, subject_commitment: [] })],
    ['half a character', `chal_${base64Url(canonicalJson(SAID).replace('trust', '\\ud800'))}`],
    ['an array', nonceOf([SAID])],
  ])('is not %s', (_what, nonce) => {
    expect(readChallengeNonce(nonce)).toBeNull();
  });
});
