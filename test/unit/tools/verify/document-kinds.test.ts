import { describe, expect, test } from 'bun:test';
import { documentKind, refuseForKind } from '../../../../src/tools/verify/document-kinds.ts';

const kindOf = (text: string): string | null => documentKind(Buffer.from(text))?.name ?? null;

describe('the kind of a document', () => {
  test.each([
    ['{"type":"compliance-package"}', 'compliance package'],
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

describe('the options for a kind of document', () => {
  const kind = { name: 'letter', citesLogs: false };

  test.each(['proof', 'status', 'revocations', 'domain'])('are not --%s, which is for receipts', (option) => {
    expect(() => refuseForKind(kind, { [option]: 'x' })).toThrow(
      `--${option} is for receipts, but this is a letter`,
    );
  });

  test('are --policy and --log-key only if it cites logs', () => {
    for (const option of ['policy', 'logKey']) {
      expect(() => refuseForKind(kind, { [option]: 'x' })).toThrow('a letter cites no log');
      expect(() => refuseForKind({ ...kind, citesLogs: true }, { [option]: 'x' })).not.toThrow();
    }
  });
});
