import { describe, expect, test } from 'bun:test';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { TERMINAL_STATUSES } from '../../../../src/proof/receipt/receipt.ts';
import { receiptShape } from '../../../../src/proof/receipt/receipt-shape.ts';
import {
  asDocument,
  BLIND_SALT,
  newSigner,
  PAYLOADS,
  PENDING,
  signReceipt,
  without,
} from './signed-receipts.ts';

const signer = newSigner();
const document = (kind: string, changes: JsonObject = {}) =>
  asDocument(signReceipt(signer, PAYLOADS[kind] ?? PENDING), changes);

function problems(value: JsonValue): string[] {
  const shape = receiptShape(value);
  return 'problems' in shape ? shape.problems : [];
}

describe('a document is a receipt:', () => {
  test.each(Object.keys(PAYLOADS))('one of kind %s, handed back as it is', (kind) => {
    const value = document(kind);
    const shape = receiptShape(value);
    expect('receipt' in shape && Object.is(shape.receipt, value)).toBe(true);
  });

  test('one without kid, and a blind one with its salt or with null in its place', () => {
    expect(problems(without(document('pending'), 'kid'))).toEqual([]);
    expect(problems(document('blind', { blind_salt: BLIND_SALT }))).toEqual([]);
    expect(problems(document('blind', { blind_salt: null }))).toEqual([]);
  });

  test.each([...TERMINAL_STATUSES])('one in the terminal state %s', (status) => {
    expect(problems(document('timeout', { status }))).toEqual([]);
  });

  test('one with names and reasons as long as they may be, counted in characters', () => {
    expect(problems(document('pending', { agent_id: '🙂'.repeat(256) }))).toEqual([]);
    expect(problems(document('refusal', { refusal_reason: '🙂'.repeat(1024) }))).toEqual([]);
    expect(problems(document('refusal', { refusal_reason: 'two\nlines' }))).toEqual([]);
  });
});

describe('a document is no receipt:', () => {
  test.each([[null], [[]], ['text'], [1], [true]])('%j, which is no object', (value) => {
    expect(problems(value)).toEqual(['the receipt is not a JSON object']);
  });

  test.each([
    'receipt_id',
    'issued_at',
    'operator_id',
    'agent_id',
    'receipt_type',
    'status',
    'input_digest',
    'authority_scope',
    'expiry',
    'revocation_status',
    'content_hash',
    'signature',
  ])('one without %s', (member) => {
    expect(problems(without(document('pending'), member))).toEqual([`${member} is missing`]);
  });

  const everyMember = { ...document('success'), ...document('blind'), blind_salt: BLIND_SALT };
  test.each([...Object.keys(everyMember), 'refusal_reason', 'terminal_reason', 'prev_receipt_hash'])(
    'one of which %s is not a string',
    (member) => {
      for (const value of [...(member === 'blind_salt' ? [] : [null]), 1, true, ['x'], {}]) {
        expect(problems(document('pending', { [member]: value })).join()).toContain(`${member} is not `);
      }
    },
  );

  test.each<[string, string, string]>([
    ['pending', 'receipt_id', 'rcpt_0197284F7A2B7C3D8E9F0A1B2C3D4E5F'],
    ['pending', 'receipt_id', 'rcpt_0197284f7a2b7c3d8e9f0a1b2c3d4e5f\n'],
    ['pending', 'operator_id', 'op_cus_A1b2C3d4E5f6G7h8I9j0K1l'],
    ['pending', 'operator_id', 'op_cus_A1b2C3d4E5f6G7h8I9j0K1l-'],
    ['pending', 'agent_id', ''],
    ['pending', 'agent_id', 'a'.repeat(257)],
    ['pending', 'agent_id', 'a\u0000'],
    ['pending', 'agent_id', 'a\u0085'],
    ['pending', 'agent_id', '\ud800'],
    ['pending', 'authority_scope', 'tab\there'],
    ['pending', 'receipt_type', 'Custody'],
    ['pending', 'status', 'done'],
    ['pending', 'status', 'toString'],
    ['pending', 'input_digest', 'AB'.repeat(32)],
    ['pending', 'input_digest', 'ab'.repeat(31)],
    ['pending', 'issued_at', '2026-02-30T00:00:00Z'],
    ['pending', 'expiry', '2027-01-01'],
    ['pending', 'revocation_status', 'unknown'],
    ['pending', 'domain', 'code_generation'],
    ['pending', 'content_hash', ''],
    ['pending', 'signature', 'ab'.repeat(63)],
    ['pending', 'kid', ''],
    ['pending', 'kid', 'k'.repeat(129)],
    ['pending', 'prev_receipt_hash', 'x'.repeat(64)],
    ['success', 'output_hash', 'none'],
    ['refusal', 'refusal_reason', ''],
    ['refusal', 'refusal_reason', 'a'.repeat(1025)],
    ['refusal', 'refusal_reason', '\udc00'],
    ['refusal', 'error_tranche', 'OTHER'],
    ['blind', 'domain_commitment', 'CODE_GENERATION'],
    ['blind', 'blind_salt', '5A'.repeat(32)],
  ])('a %s one of which %s is %j', (kind, member, value) => {
    const [problem = '', ...others] = problems(document(kind, { [member]: value }));
    expect(problem).toStartWith(`${member} is not `);
    expect(others).toEqual([]);
  });

  test.each(['note', '__proto__', 'constructor', 'Status', 'domain_salt'])(
    'one with a member %s',
    (member) => {
      const value = JSON.parse(
        `{${JSON.stringify(member)}:"x",${JSON.stringify(document('pending')).slice(1)}`,
      );
      expect(problems(value)).toEqual([`${JSON.stringify(member)} is not a member of a receipt`]);
    },
  );

  test.each<[string, JsonObject, string]>([
    ['pending', { output_hash: 'ab'.repeat(32) }, 'output_hash is not allowed with status pending'],
    ['success', { refusal_reason: 'no' }, 'refusal_reason is not allowed with status success'],
    ['success', { terminal_reason: 'no' }, 'terminal_reason is not allowed with status success'],
    ['refusal', { output_hash: 'ab'.repeat(32) }, 'output_hash is not allowed with status refusal'],
    ['timeout', { refusal_reason: 'no' }, 'refusal_reason is not allowed with status timeout'],
    ['pending', { error_tranche: 'NONE' }, 'error_tranche is not allowed with status pending'],
    ['success', { error_tranche: 'SLA_BREACH' }, 'error_tranche must be NONE with status success'],
    [
      'pending',
      { domain_commitment: 'ab'.repeat(32) },
      'the receipt must have either domain or domain_commitment',
    ],
    ['pending', { blind_salt: BLIND_SALT }, 'blind_salt is allowed only with domain_commitment'],
  ])('a %s one with %j', (kind, added, problem) => {
    expect(problems(document(kind, added))).toEqual([problem]);
  });

  test.each([
    ['success', 'output_hash', 'output_hash is missing: status success requires it'],
    ['null', 'refusal_reason', 'refusal_reason is missing: status null requires it'],
    ['timeout', 'terminal_reason', 'terminal_reason is missing: status timeout requires it'],
    ['success', 'error_tranche', 'error_tranche is missing: status success requires it'],
    ['pending', 'domain', 'the receipt must have either domain or domain_commitment'],
  ])('a %s one without %s', (kind, member, problem) => {
    expect(problems(without(document(kind), member))).toEqual([problem]);
  });

  test('all problems are named at once', () => {
    expect(problems({ ...without(document('pending'), 'expiry'), agent_id: '', x: 1 })).toHaveLength(3);
  });
});
