import { describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import {
  canonicalPayload,
  contentHash,
  domainCommitment,
  isTerminal,
  outcomeMember,
  RECEIPT_STATUSES,
  signingMessage,
  TERMINAL_STATUSES,
} from '../../../../src/proof/receipt/receipt.ts';
import { BLIND_SALT, newSigner, PAYLOADS, PENDING, signReceipt } from './signed-receipts.ts';

const BASIC = [
  'agent_id',
  'authority_scope',
  'domain',
  'expiry',
  'input_digest',
  'issued_at',
  'operator_id',
  'receipt_id',
  'receipt_type',
  'revocation_status',
  'status',
];

describe('the canonical payload', () => {
  const added: { [kind: string]: string[] } = {
    pending: [],
    success: ['error_tranche', 'output_hash'],
    refusal: ['error_tranche', 'refusal_reason'],
    null: ['error_tranche', 'refusal_reason'],
    timeout: ['error_tranche', 'terminal_reason'],
    chained: ['prev_receipt_hash'],
    blind: [],
  };
  test.each(Object.entries(PAYLOADS))('of a %s receipt holds its members and no other', (kind, payload) => {
    expect(Object.keys(canonicalPayload(payload)).sort()).toEqual([...BASIC, ...(added[kind] ?? [])].sort());
  });

  test('holds the commitment of a blind receipt under the name domain', () => {
    const { blind = PENDING } = PAYLOADS;
    expect(canonicalPayload(blind).domain).toBe(blind.domain_commitment);
    expect(canonicalPayload({ ...blind, domain: 'CODE_GENERATION' }).domain).toBe(blind.domain_commitment);
  });

  test('leaves out members of another status, the envelope and what is not there', () => {
    const stray = { ...PENDING, output_hash: '00', refusal_reason: 'no', terminal_reason: 'no' };
    expect(canonicalPayload({ ...stray, error_tranche: 'NONE' })).toEqual(canonicalPayload(PENDING));
    expect(canonicalPayload(signReceipt(newSigner(), PENDING))).toEqual(canonicalPayload(PENDING));
    const { domain: _, ...bare } = PENDING;
    expect(Object.keys(canonicalPayload({ ...bare, status: 'success' }))).not.toContain('output_hash');
  });
});

test('the content hash is SHA-256 of compact JSON with sorted keys', () => {
  const text =
    '{"agent_id":"agent-7","authority_scope":"payments:read","domain":"CODE_GENERATION",' +
    `"expiry":"2027-05-01T12:00:00.000Z","input_digest":"${'ab'.repeat(32)}",` +
    '"issued_at":"2026-05-01T12:00:00.000Z","operator_id":"op_cus_A1b2C3d4E5f6G7h8I9j0K1l2",' +
    '"receipt_id":"rcpt_0197284f7a2b7c3d8e9f0a1b2c3d4e5f","receipt_type":"custody",' +
    '"revocation_status":"active","status":"pending"}';
  const expected = createHash('sha256').update(text).digest('hex');
  expect(contentHash(nativePrimitives, PENDING)).toBe(expected);
  expect(contentHash(noblePrimitives, PENDING)).toBe(expected);
});

test('what a receipt signs is the text of its hash, not its 32 bytes', () => {
  expect(signingMessage('0a'.repeat(32))).toEqual(new Uint8Array(Buffer.from('0a'.repeat(32), 'ascii')));
});

test('a commitment is SHA-256 of the domain followed by the salt as text', () => {
  const expected = createHash('sha256').update(`CODE_GENERATION${BLIND_SALT}`).digest('hex');
  expect(domainCommitment(nativePrimitives, 'CODE_GENERATION', BLIND_SALT)).toBe(expected);
});

test('every status of a receipt but pending owes one member', () => {
  expect(RECEIPT_STATUSES.map(outcomeMember)).toEqual([
    null,
    'output_hash',
    'refusal_reason',
    'refusal_reason',
    ...TERMINAL_STATUSES.map(() => 'terminal_reason' as const),
  ]);
});

test('the terminal states are the four in which work ended without an outcome', () => {
  expect(RECEIPT_STATUSES.filter(isTerminal)).toEqual([...TERMINAL_STATUSES]);
});
