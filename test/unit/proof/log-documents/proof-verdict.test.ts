import { expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { parseLogPolicy } from '../../../../src/proof/log/log-policy.ts';
import { SIGNATURE_TYPES } from '../../../../src/proof/log/note.ts';
import {
  isProofAsAsked,
  judgeCheckpoint,
  judgeProof,
} from '../../../../src/proof/log-documents/proof-verdict.ts';
import { smallLog, testKey } from '../../../support/small-log.ts';
import { example } from '../../../support/worked-example.ts';

const ED25519 = testKey(2);
const ML_DSA = testKey(2, 'ML-DSA-44');
const SECONDS = 1_780_000_000;
const logKeys = [ED25519, ML_DSA].map(({ algorithm, public_key }) => ({
  log: { name: 'receipts' as const, common: 'receipts.example', closed: [] },
  type: algorithm === 'Ed25519' ? SIGNATURE_TYPES.ed25519 : SIGNATURE_TYPES.mlDsa44,
  publicKey: hexToBytes(public_key),
  until: null,
}));
const log = (entries: readonly string[], origin = 'receipts.example/receipts') =>
  smallLog(origin, entries, [ED25519, ML_DSA], SECONDS);
const now = SECONDS * 1000;

test('a checkpoint has the time that the log signed, and none of the future', () => {
  const note = Buffer.from(log(['a']).checkpoint);
  const { verdict, trees, checks } = judgeCheckpoint(nativePrimitives, note, { logKeys, now });
  expect([verdict, checks.date, trees[0]?.signed_at]).toEqual(['valid', 'ok', new Date(now).toISOString()]);
  const early = judgeCheckpoint(nativePrimitives, note, { logKeys, now: now - 60_001 });
  expect([early.verdict, early.checks.date]).toEqual(['future', 'future']);
  expect(judgeCheckpoint(nativePrimitives, note, { logKeys, now: now - 60_000 }).verdict).toBe('valid');
});

test('a proof is not proven without the quorum, and an invalid one has none', () => {
  const proof = Buffer.from(log(example.log.entries).proof(0));
  const policy = { policy: parseLogPolicy(nativePrimitives, 'quorum none\n'), logKeys };
  const found = judgeProof(nativePrimitives, proof, { logKeys, now, policy });
  expect([isProofAsAsked(found), found.checks.quorum, found.proven?.index]).toEqual([true, 'none', 0]);
  const refused = judgeProof(nativePrimitives, proof, { logKeys: [], now, policy });
  expect([isProofAsAsked(refused), refused.checks.quorum]).toEqual([false, 'unchecked']);
  const broken = judgeProof(nativePrimitives, Buffer.from('x'), { logKeys, now, policy });
  expect([broken.verdict, broken.checks.quorum]).toEqual(['malformed', 'unchecked']);
  expect(isProofAsAsked({ ...found, checks: { ...found.checks, quorum: 'missing' } })).toBe(false);
});

test('an entry is text, and of a log that exists', () => {
  const [first = ''] = example.log.entries;
  const own = logKeys.map((key) => ({ ...key, log: { origin: 'receipts.example/other' } }));
  const named = judgeProof(nativePrimitives, Buffer.from(log([first], 'receipts.example/other').proof(0)), {
    logKeys: own,
    now,
  });
  expect(named.problems).toEqual(['the entry: receipts.example/other is not the name of a log']);
});
