import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { judgeScorecard, type ScorecardResult } from '../../../../src/proof/package/scorecard.ts';
import {
  GENERATED_AT,
  packageKeys,
  signedPackage,
  unsignedPackage,
} from '../../../support/compliance-package.ts';

const now = Date.parse(GENERATED_AT);
const keys = readTrustedKeys(nativePrimitives, packageKeys);

function judged(document: JsonValue | string, trusted = keys): ScorecardResult {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return judgeScorecard(nativePrimitives, Buffer.from(text), { keys: trusted, now });
}

const content: JsonObject = {
  type: 'datacenter-scorecard',
  v: 1,
  issuer: unsignedPackage('datacenter').issuer ?? null,
  generated_at: GENERATED_AT,
  cluster_id: 'hall-1',
  id: 'urn:countersign:cluster:hall-1',
  period: { from: '2026-04-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' },
  hardware_measured: { pue: { value: 1.25, count: 3 }, daily_pue: [{ day: '2026-05-01', pue: 1.25 }] },
  declared: null,
  simulated: null,
};
const genuine = signedPackage(content);

describe('the scorecard of a cluster', () => {
  test('is valid as it was signed, and the result says what it is about', () => {
    const { verdict, authentic, problems, scorecard, checks } = judged(genuine);
    expect([verdict, authentic, problems]).toEqual(['valid', true, []]);
    expect(scorecard?.cluster_id).toBe('hall-1');
    expect(new Set(Object.values(checks))).toEqual(new Set(['ok', 'trusted']));
  });

  test.each<[string, JsonObject]>([
    ['another metric', { hardware_measured: { pue: { value: 1.1, count: 3 } } }],
    ['a simulated metric as a declared one', { declared: { pue: null } }],
    ['another period', { period: { from: '2026-05-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' } }],
    ['another time', { generated_at: '2026-05-31T12:00:00.000Z' }],
    ['another cluster', { cluster_id: 'hall-2', id: 'urn:countersign:cluster:hall-2' }],
    ['a new member', { certified: true }],
  ])('does not match its signature with %s', (_, change) => {
    expect(judged({ ...genuine, ...change })).toMatchObject({ verdict: 'bad_signature', scorecard: null });
  });

  test.each<[string, JsonObject]>([
    ['v is not 1', { v: 2 }],
    ['id is not "urn:countersign:cluster:hall-1"', { id: 'urn:countersign:cluster:hall-2' }],
    ['signature is not 128 lower-case hexadecimal characters', { signature: '00' }],
    ['period is not a JSON object', { period: null }],
  ])('is malformed if %s', (problem, change) => {
    expect(judged({ ...genuine, ...change })).toMatchObject({ verdict: 'malformed', problems: [problem] });
  });

  test.each(['', '[]', '{', '{"type":"compliance-package"}'])('is not %p', (text) => {
    expect(judged(text)).toMatchObject({ verdict: 'malformed', kid: null });
  });

  test('has another signature', () => {
    expect(judged({ ...genuine, signature: '0'.repeat(128) }).verdict).toBe('bad_signature');
  });

  test.each([
    ['a number', '1.25,', '9007199254740993,'],
    ['a text', '"daily_pue":', '"note":"\\ud800","daily_pue":'],
  ])('has %s that cannot be signed', (_, part, other) => {
    const text = JSON.stringify(genuine).replace(part, other);
    expect(judged(text).verdict).toBe('malformed');
  });

  test('is dated in the future', () => {
    expect(judged(signedPackage({ ...content, generated_at: '2026-06-01T12:02:00.000Z' })).verdict).toBe(
      'future',
    );
  });

  test('names another issuer', () => {
    const issuer = 'did:key:z6MkoziMUjgGHVq49wyjmtNkpu2TAELQ2J2VTvMoUGqMPngt';
    expect(judged(signedPackage({ ...content, issuer })).verdict).toBe('inconsistent');
  });

  test('is signed by a key that is unknown, compromised or was retired before', () => {
    const signing = keys.filter(({ purpose }) => purpose === 'credentials');
    expect(judged(genuine, []).verdict).toBe('key_unknown');
    const stolen = signing.map((key) => ({ ...key, status: 'compromised' as const }));
    expect(judged(genuine, stolen).verdict).toBe('key_compromised');
    const retired = signing.map((key) => ({
      ...key,
      status: 'retired' as const,
      valid_until: '2026-05-01T00:00:00.000Z',
    }));
    expect(judged(genuine, retired).verdict).toBe('key_retired');
  });
});
