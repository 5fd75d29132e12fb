import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { parseLogPolicy } from '../../../../src/proof/log/log-policy.ts';
import {
  type EvidenceOptions,
  isEvidenceAsAsked,
  judgeEvidence,
} from '../../../../src/proof/log-documents/evidence-verdict.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { LOG, log, second } from '../../../support/evidence-items.ts';
import { keyRow } from '../../../support/small-log.ts';

const { trusted: logKeys } = readLogKeys(nativePrimitives, {
  keys: [keyRow(LOG, 'evidence-log')],
  log: { origin: 'receipts.example/keys' },
});
const proof = Buffer.from(log.proof(1));
const now = Date.parse('2026-06-01T12:00:00.000Z');

function judged(bytes: Uint8Array, more: Partial<EvidenceOptions> = {}) {
  const options = { logKeys, now, ...more };
  const result = judgeEvidence(nativePrimitives, bytes, options);
  expect(judgeEvidence(noblePrimitives, bytes, options)).toEqual(result);
  return { ...result, isAsAsked: isEvidenceAsAsked(result) };
}

const item = Buffer.from(JSON.stringify(second));

describe('an item of evidence', () => {
  test('says what it is, once its agent signed it, and its place with the proof', () => {
    const { payload: _, ...members } = second;
    const { item: said, trees, isAsAsked } = judged(item, { proof });
    expect(said).toMatchObject(members);
    expect(trees).toMatchObject([{ log: log.origin, tree_size: 4 }]);
    expect(isAsAsked).toBe(true);
    expect(judged(item).trees).toEqual([]);
  });

  test('is not proven without the quorum of a policy, which only a proof has', () => {
    const policy = { policy: parseLogPolicy(nativePrimitives, 'quorum none\n'), logKeys };
    const found = judged(item, { proof, policy });
    expect([found.checks.quorum, found.isAsAsked, found.cosignatures?.length]).toEqual(['none', true, 1]);
    expect(isEvidenceAsAsked({ ...found, checks: { ...found.checks, quorum: 'missing' } })).toBe(false);
    const broken = judged(item, { proof: Buffer.from('x'), policy });
    expect([broken.verdict, broken.checks.quorum]).toEqual(['bad_proof', 'unchecked']);
    expect(judged(item, { policy })).not.toHaveProperty('checks.quorum');
    const malformed = judged(Buffer.from('x'), { proof, policy });
    expect([malformed.verdict, malformed.checks.quorum]).toEqual(['malformed', 'unchecked']);
  });

  test('says nothing that no signature covers', () => {
    const changed = Buffer.from(JSON.stringify({ ...second, signature: '0'.repeat(128) }));
    expect(judged(changed)).toMatchObject({ verdict: 'bad_signature', item: null, isAsAsked: false });
  });

  test.each(['', 'no JSON', '7', '[]', '{"type":', '\ufeff{}'])('is malformed for %p', (text) => {
    expect(judged(Buffer.from(text), { proof })).toMatchObject({
      verdict: 'malformed',
      checks: { agent: 'unchecked', signature: 'unchecked', hashes: 'unchecked', proof: 'unchecked' },
      item: null,
      trees: [],
    });
  });
});
