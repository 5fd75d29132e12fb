import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { accountOf, linkedAgentOf } from '../../../../src/proof/log/linked-account.ts';
import {
  type AccountEntry,
  accountEntryText,
  NO_RECEIPT,
  readAccountEntry,
} from '../../../../src/proof/log/log-entry.ts';
import { leafHash } from '../../../../src/proof/log/merkle.ts';

const OPERATOR = 'op_cus_ZqKRHEFpiKRJbPSeMSPOHwEl';
const account = accountOf(nativePrimitives, OPERATOR);
const linked: AccountEntry = {
  ...{ account, sequence: 1, event: 'linked', at: '2026-05-01T12:00:00.000Z' },
  ...NO_RECEIPT,
};
const issued: AccountEntry = {
  ...{ account, sequence: 2, event: 'issued', at: '2026-05-01T12:01:31.500Z' },
  receipt_id: 'rcpt_01a20229d2f77584a3ee4a92b52952b3',
  content_hash: '9f33ce89943e72d69aa432340bb3cb09628ec5464faf9ed6be529a1ce0806c93',
  agent: linkedAgentOf(nativePrimitives, OPERATOR, 'agent-7'),
  agent_sequence: 1,
};

test('the entries in docs/verification/linked-accounts.md have these members and hashes', () => {
  const page = readFileSync(
    join(import.meta.dir, '../../../../docs/verification/linked-accounts.md'),
    'utf8',
  );
  for (const entry of [linked, issued]) {
    const text = accountEntryText(entry);
    const hash = Buffer.from(leafHash(nativePrimitives, Buffer.from(text))).toString('hex');
    expect(page).toContain(`\n${text}\n${hash}\n`);
  }
});

test('an entry is read back as it was written', () => {
  const hex = (bytes: number) =>
    fc
      .uint8Array({ minLength: bytes, maxLength: bytes })
      .map((values) => Buffer.from(values).toString('hex'));
  const count = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  const at = fc
    .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
    .map((date) => date.toISOString());
  const ofReceipt = fc.record({
    account: hex(32),
    sequence: count,
    event: fc.constantFrom('issued' as const, 'finalized' as const, 'revoked' as const),
    receipt_id: hex(16).map((digits) => `rcpt_${digits}`),
    content_hash: hex(32),
    agent: hex(32),
    agent_sequence: count,
    at,
  });
  const ofAccount = fc
    .record({
      account: hex(32),
      sequence: count,
      event: fc.constantFrom('linked' as const, 'unlinked' as const),
      at,
    })
    .map((entry) => ({ ...entry, ...NO_RECEIPT }));
  fc.assert(
    fc.property(fc.oneof(ofReceipt, ofAccount), (entry) => {
      const text = accountEntryText(entry);
      expect(readAccountEntry(text)).toEqual(entry);
      expect(JSON.parse(text)).toEqual({ ...entry, v: 1 });
    }),
  );
});

describe('an entry is refused', () => {
  const text = accountEntryText(issued);
  const changed = (member: string, value: unknown): string =>
    JSON.stringify(
      Object.fromEntries(
        Object.entries({ ...JSON.parse(text), [member]: value }).sort(([one], [other]) =>
          one < other ? -1 : 1,
        ),
      ),
    );

  test.each<[string, string]>([
    ['with a space', text.replace(',', ', ')],
    ['with a line end', `${text}\n`],
    ['without its version', text.replace(',"v":1', '')],
    ['of another version', text.replace('"v":1', '"v":2')],
    ['with another member', changed('operator_id', OPERATOR)],
    ['with another event', changed('event', 'expired')],
    ['of a receipt that is linked', changed('event', 'linked')],
    ['without a receipt', changed('receipt_id', null)],
    ['without a content_hash', changed('content_hash', null)],
    ['without an agent', changed('agent', null)],
    ['without an agent_sequence', changed('agent_sequence', null)],
    ['with an upper-case account', changed('account', account.toUpperCase())],
    ['with a short agent', changed('agent', 'ab')],
    ['with the sequence 0', changed('sequence', 0)],
    ['with a fraction', changed('sequence', 1.5)],
    ['with a sequence as text', changed('sequence', '1')],
    ['with an agent_sequence beyond the integers', changed('agent_sequence', 2 ** 53)],
    ['with a time without milliseconds', changed('at', '2026-05-01T12:00:00Z')],
    [
      'that links and names a receipt',
      accountEntryText(linked).replace('"receipt_id":null', '"receipt_id":"x"'),
    ],
    ['that is no JSON', 'linked'],
    ['that is a list', '[]'],
  ])('%s', (_, refused) => {
    expect(() => readAccountEntry(refused)).toThrow();
  });
});

test('two operators have two accounts, and two agents for one agent id', () => {
  const other = OPERATOR.replace('Z', 'A');
  expect(accountOf(nativePrimitives, other)).not.toBe(account);
  expect(linkedAgentOf(nativePrimitives, other, 'a')).not.toBe(
    linkedAgentOf(nativePrimitives, OPERATOR, 'a'),
  );
  expect(linkedAgentOf(nativePrimitives, OPERATOR, 'a:b')).not.toBe(
    linkedAgentOf(nativePrimitives, `${OPERATOR}:a`, 'c'),
  );
});
