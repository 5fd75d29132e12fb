import { describe, expect, test } from 'bun:test';
import { documentKind } from '../../../../src/proof/verifier/kinds/kinds.ts';

const kindOf = (text: string): string | null => documentKind(Buffer.from(text))?.name ?? null;

describe('the kind of a document', () => {
  test.each([
    ['{"type":"receipt-bundle"}', 'bundle of a receipt'],
    ['{"type":["receipt-bundle"]}', null],
    ['{"type":"compliance-package"}', 'compliance package'],
    ['{"type":"evidence-bundle"}', 'bundle of evidence'],
    ['{"type":"journal-head-proof"}', 'proof of a journal head'],
    ['{"type":"datacenter-scorecard"}', 'scorecard'],
    ['{"type":"receipt-status"}', 'receipt status'],
    ['{"type":"gate-decision"}', 'gate decision'],
    ['{"type":"meter"}', 'meter receipt'],
    ['{"type":"agent-auth"}', null],
    ['{"payload":{"type":"agent-auth"}}', 'authorization of an agent'],
    ['{"type":"x","payload":{"type":"agent-auth"}}', null],
    ['{"payload":{"type":"passport"}}', null],
    ['{"payload":{"type":"x"}}', null],
    ['{"payload":7}', null],
    [
      '{"payload":{"subject_commitment":1,"photo_url":1,"photo_content_sha256":1,"photo_mime_type":1}}',
      'presentation of an agent',
    ],
    ['{"event_commitment_hash":1,"source_type":1}', 'item of evidence'],
    ['{"event_commitment_hash":1}', null],
    ['{"type":"x","event_commitment_hash":1,"source_type":1}', null],
    ['{"agora_version":7}', 'AGORA proposal'],
    ['{"type":"x","agora_version":"1.0"}', null],
    ['{"type":null}', null],
    ['{"type":["compliance-package"]}', null],
    ['{"receipt_id":"rcpt_1"}', null],
    ['["compliance-package"]', null],
    ['{"type":"compliance-package"', null],
    ['', null],
  ])('%s is %p', (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });
});

test('the kind of bytes that begin like a COSE receipt', () => {
  // The third byte depends on the length of the origin.
  for (const third of [0x58, 0x59])
    expect(documentKind(Buffer.of(0xd2, 0x84, third))?.name).toBe('COSE receipt');
  expect(documentKind(Buffer.of(0xd2))).toBeNull();
});
