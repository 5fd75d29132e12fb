import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { checkpointText } from '../../../../src/proof/log/checkpoint.ts';
import { type LogPolicy, parseLogPolicy } from '../../../../src/proof/log/log-policy.ts';
import { formatNote, formatVerifierKey, type NoteSignature } from '../../../../src/proof/log/note.ts';
import { checkQuorum, describeCosignatures, worstQuorum } from '../../../../src/proof/log/quorum.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { type NoteSigner, newNoteSigner } from './signed-notes.ts';

const NOW = 1_780_000_000;
const ORIGIN = 'log.example/receipts';
const log = newNoteSigner(ORIGIN, 'ed25519');
const w: NoteSigner[] = [1, 2, 3, 4].map((number) => newNoteSigner(`w${number}.example`, 'cosignature'));
const pq = newNoteSigner('pq.example', 'mlDsa44');
const at = (index: number): NoteSigner => w[index] ?? pq;

const textOf = (size: number, fill = 7): string =>
  checkpointText({ origin: ORIGIN, size, root: new Uint8Array(32).fill(fill) });
const TEXT = textOf(5);

/** w1 to w4 and pq, of which the rule is the quorum. */
const policyOf = (rule: string): LogPolicy =>
  parseLogPolicy(
    nativePrimitives,
    [
      ...w.map(({ key }, index) => `witness w${index + 1} ${formatVerifierKey(key)}`),
      `witness pq ${formatVerifierKey(pq.key)}`,
      rule,
      '',
    ].join('\n'),
  );
const TWO_OF_THREE = policyOf('group g 2 w1 w2 w3\nquorum g');

const noteOf = (cosignatures: readonly NoteSignature[], text = TEXT): Uint8Array =>
  Buffer.from(formatNote({ text, signatures: [log.sign(text), ...cosignatures] }));
const check = (
  policy: LogPolicy,
  cosignatures: readonly NoteSignature[],
  { primitives = nativePrimitives, now = NOW * 1000, logKeys = [log.key.publicKey] } = {},
) => checkQuorum(primitives, noteOf(cosignatures), policy, { now, logKeys });

describe('the quorum of a policy', () => {
  test.each([
    ['native', nativePrimitives],
    ['noble', noblePrimitives],
  ])('is met by enough cosignatures, and says who made them (%s)', (_name, primitives) => {
    const found = check(TWO_OF_THREE, [at(0).sign(TEXT, NOW - 5), at(2).sign(TEXT, NOW)], { primitives });
    expect(found).toEqual({
      check: 'ok',
      log: ORIGIN,
      tree_size: 5,
      signed: [
        { witness: 'w1', at: '2026-05-28T20:26:35.000Z' },
        { witness: 'w3', at: '2026-05-28T20:26:40.000Z' },
      ],
      missing: ['w2', 'w4', 'pq'],
      attested_at: '2026-05-28T20:26:35.000Z',
    });
    expect(describeCosignatures(found)).toBe(
      'the cosignatures meet the quorum of the policy; the checkpoint of log.example/receipts with 5 entries is cosigned by ' +
        'w1 (2026-05-28T20:26:35.000Z), w3 (2026-05-28T20:26:40.000Z), not by w2, w4, pq',
    );
  });

  test('is not met without cosignatures, or with too few', () => {
    expect(check(TWO_OF_THREE, [])).toMatchObject({ check: 'missing', signed: [], attested_at: null });
    const one = check(TWO_OF_THREE, [at(0).sign(TEXT, NOW)]);
    expect([one.check, one.missing, one.attested_at]).toEqual(['missing', ['w2', 'w3', 'w4', 'pq'], null]);
    expect(describeCosignatures(check(TWO_OF_THREE, []))).toContain('is cosigned by no witness, not by w1');
  });

  test('counts a witness once, however many lines it has', () => {
    const line = at(0).sign(TEXT, NOW);
    const again = at(0).sign(TEXT, NOW - 100);
    expect(check(TWO_OF_THREE, [line, line, again]).check).toBe('missing');
    expect(check(TWO_OF_THREE, [again, line, at(1).sign(TEXT, NOW)])).toMatchObject({
      check: 'ok',
      signed: [
        { witness: 'w1', at: '2026-05-28T20:26:40.000Z' },
        { witness: 'w2', at: '2026-05-28T20:26:40.000Z' },
      ],
    });
  });

  test('does not count strangers, also not under the name of a witness', () => {
    const strangers = ['w1.example', 'w2.example', 'other.example'].map((name) =>
      newNoteSigner(name, 'cosignature').sign(TEXT, NOW),
    );
    expect(check(TWO_OF_THREE, strangers)).toMatchObject({ check: 'missing', signed: [] });
  });

  test("does not count a witness's signature under the name of the log, or the log's own as a witness", () => {
    const lines = [at(0), at(1)].map((signer) => ({ ...signer.sign(TEXT, NOW), name: ORIGIN }));
    expect(check(TWO_OF_THREE, lines)).toMatchObject({ check: 'missing', signed: [] });
    const own = newNoteSigner(ORIGIN, 'mlDsa44');
    const policy = parseLogPolicy(
      nativePrimitives,
      `witness self ${formatVerifierKey(own.key)}\nquorum self\n`,
    );
    const cosignatures = [own.sign(TEXT, NOW)];
    expect(check(policy, cosignatures).check).toBe('ok');
    expect(check(policy, cosignatures, { logKeys: [own.key.publicKey] })).toMatchObject({
      check: 'missing',
      missing: ['self'],
    });
  });

  test('refuses cosignatures that were copied from another checkpoint', () => {
    const good = [at(0).sign(TEXT, NOW), at(1).sign(TEXT, NOW)];
    for (const other of [textOf(4), textOf(6), textOf(5, 8)]) {
      const found = check(TWO_OF_THREE, [...good, at(2).sign(other, NOW)]);
      expect([found.check, found.attested_at]).toEqual(['bad', null]);
    }
    const late = at(2).sign(TEXT, NOW);
    // The time is part of what is signed.
    late.signature[7] = (late.signature[7] ?? 0) ^ 1;
    expect(check(TWO_OF_THREE, [...good, late]).check).toBe('bad');
    expect(check(TWO_OF_THREE, [...good, { ...late, signature: late.signature.slice(0, 5) }]).check).toBe(
      'bad',
    );
  });

  test('does not count cosignatures from the future, or without a time', () => {
    const first = at(0).sign(TEXT, NOW);
    expect(check(TWO_OF_THREE, [first, at(1).sign(TEXT, NOW + 60)]).check).toBe('ok');
    for (const seconds of [NOW + 61, 8_640_000_000_000]) {
      const found = check(TWO_OF_THREE, [first, at(1).sign(TEXT, seconds)]);
      expect([found.check, found.missing]).toEqual(['future', ['w2', 'w3', 'w4', 'pq']]);
    }
    expect(check(TWO_OF_THREE, [at(1).sign(TEXT, NOW + 61)]).check).toBe('missing');
    expect(check(TWO_OF_THREE, [first, at(1).sign(TEXT, 0)]).check).toBe('missing');
    expect(check(TWO_OF_THREE, [first, at(1).sign(TEXT, NOW)], { now: Number.NaN }).check).toBe('future');
  });

  test('attests the newest time at which enough witnesses had seen the checkpoint', () => {
    const signed = [NOW - 900, NOW - 30, NOW - 7].map((seconds, index) => at(index).sign(TEXT, seconds));
    const attested = (rule: string): number =>
      (NOW * 1000 - Date.parse(check(policyOf(rule), signed).attested_at ?? '')) / 1000;
    expect(attested('group g any w1 w2 w3\nquorum g')).toBe(7);
    expect(attested('group g 2 w1 w2 w3\nquorum g')).toBe(30);
    expect(attested('group g all w1 w2 w3\nquorum g')).toBe(900);
    expect(attested('quorum w1')).toBe(900);
    expect(attested('group in any w2 w3\ngroup g all w1 in\nquorum g')).toBe(900);
  });

  test('can be of groups within groups, and of ML-DSA-44', () => {
    const nested = policyOf('group a 2 w1 w2 w3\ngroup b any w4 pq\ngroup g all a b\nquorum g');
    const by = (...signers: NoteSigner[]) =>
      check(
        nested,
        signers.map((signer) => signer.sign(TEXT, NOW)),
      ).check;
    expect(by(at(0), at(1), pq)).toBe('ok');
    expect(by(at(0), at(2), at(3))).toBe('ok');
    expect(by(at(0), at(1), at(2))).toBe('missing');
    expect(by(at(0), at(3), pq)).toBe('missing');
    const unable = check(nested, [at(0).sign(TEXT, NOW), at(1).sign(TEXT, NOW), pq.sign(TEXT, NOW)], {
      primitives: noblePrimitives,
    });
    expect([unable.check, unable.missing]).toEqual(['missing', ['w3', 'w4', 'pq']]);
  });

  test('that is none demands nothing, and an invalid cosignature is still refused', () => {
    expect(check(policyOf('quorum none'), [])).toMatchObject({ check: 'none', attested_at: null });
    expect(check(policyOf('quorum none'), [at(0).sign(textOf(4), NOW)]).check).toBe('bad');
  });

  test('of several checkpoints is as good as the worst', () => {
    expect(worstQuorum([{ check: 'ok' }, { check: 'missing' }, { check: 'none' }])).toBe('missing');
    expect(worstQuorum([{ check: 'future' }, { check: 'bad' }])).toBe('bad');
    expect(worstQuorum([])).toBe('unchecked');
  });
});
