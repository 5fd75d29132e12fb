import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives as p } from '../../../../src/platform/crypto/crypto.ts';
import { digest } from '../../../../src/proof/encoding/digest.ts';
import { LogEntryError } from '../../../../src/proof/log/entry-members.ts';
import { KEY_PURPOSES } from '../../../../src/proof/log/key-purposes.ts';
import {
  type AgentRevocationEntry,
  agentRevocationEntryText,
  type EvidenceEntry,
  evidenceEntryText,
  type KeyEntry,
  keyEntryMessage,
  keyEntryText,
  type ReceiptEntry,
  type RevocationEntry,
  readAgentRevocationEntry,
  readAnyRevocationEntry,
  readEvidenceEntry,
  readKeyEntry,
  readReceiptEntry,
  readRevocationEntry,
  receiptEntryText,
  revocationEntryText,
} from '../../../../src/proof/log/log-entry.ts';

const KID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
const AT = '2026-03-01T12:00:00.000Z';
const shared = {
  receipt_id: `rcpt_${'0a'.repeat(16)}`,
  content_hash: 'ab'.repeat(32),
  signature: 'cd'.repeat(64),
  kid: KID,
};
const receipt: ReceiptEntry = { ...shared, finalized_at: AT };
const revocation: RevocationEntry = { ...shared, revoked_at: AT };
const key: KeyEntry = {
  event: 'activated',
  kid: KID,
  algorithm: 'Ed25519',
  public_key: '12'.repeat(32),
  purpose: 'receipts',
  at: AT,
  receipts_tree_size: 7,
  signatures: [
    { kid: KID, signature: 'ef'.repeat(64) },
    { kid: KID, signature: '01'.repeat(2420) },
  ],
};

describe('the leaf of a receipt', () => {
  test('is canonical JSON with its version', () => {
    const text = `{"content_hash":"${receipt.content_hash}","finalized_at":"${AT}","kid":"${KID}","receipt_id":"${receipt.receipt_id}","signature":"${receipt.signature}","v":1}`;
    expect(receiptEntryText(receipt)).toBe(text);
    expect(readReceiptEntry(text)).toEqual(receipt);
    const revoked = text
      .replace(/"finalized_at":"[^"]*",/, '')
      .replace('"signature"', `"revoked_at":"${AT}","signature"`);
    expect(revocationEntryText(revocation)).toBe(revoked);
    expect(readRevocationEntry(revoked)).toEqual(revocation);
  });

  test('has no members of the object that it is written from but its own', () => {
    const more = { ...receipt, operator_id: 'op', v: 2 };
    expect(receiptEntryText(more)).toBe(receiptEntryText(receipt));
  });

  const text = receiptEntryText(receipt);
  test.each<[string, string, string]>([
    ['nothing', '', 'not JSON'],
    ['an array', '[]', 'not a JSON object'],
    ['a space', text.replace(':', ': '), 'not the canonical text'],
    ['a newline at its end', `${text}\n`, 'not the canonical text'],
    [
      'another order',
      text.replace(/^\{("content_hash":"[^"]*"),(.*)\}$/, '{$2,$1}'),
      'not the canonical text',
    ],
    ['an escape', text.replace('rcpt_', '\\u0072cpt_'), 'not the canonical text'],
    ['another version', text.replace('"v":1', '"v":2'), 'not the canonical text'],
    ['a version in words', text.replace('"v":1', '"v":"1"'), 'not the canonical text'],
    ['no version', text.replace(',"v":1', ''), 'not the canonical text'],
    ['a member more', text.replace('"v":1', '"v":1,"x":1'), 'not the canonical text'],
    ['a member twice', text.replace('"v":1', '"v":1,"v":1'), 'twice'],
    ['a member less', text.replace(/"kid":"[^"]*",/, ''), 'kid is missing or not a string'],
    ['a number for text', text.replace(/"kid":"[^"]*"/, '"kid":1'), 'kid is missing or not a string'],
    ['a revocation', revocationEntryText(revocation), 'finalized_at is missing'],
    [
      'a receipt_id of another form',
      text.replace('rcpt_', 'rcpt-'),
      'receipt_id does not have the required format',
    ],
    ['an upper-case hash', text.replace('"ab', '"AB'), 'content_hash does not have the required format'],
    ['a short signature', text.replace('"cd', '"'), 'signature does not have the required format'],
    ['a kid of another length', text.replace(KID, `${KID}A`), 'kid does not have the required format'],
    [
      'a kid with another alphabet',
      text.replace(KID, KID.replace('_', '+')),
      'kid does not have the required format',
    ],
    [
      'a time without milliseconds',
      text.replace('.000Z', 'Z'),
      'finalized_at does not have the required format',
    ],
    [
      'a time in another zone',
      text.replace('Z"', '+00:00"'),
      'finalized_at does not have the required format',
    ],
    [
      'a day that there is not',
      text.replace('03-01', '02-30'),
      'finalized_at does not have the required format',
    ],
  ])('with %s is refused', (_, entry, message) => {
    expect(() => readReceiptEntry(entry)).toThrow(LogEntryError);
    expect(() => readReceiptEntry(entry)).toThrow(message);
  });

  test('of the wrong form is not written', () => {
    expect(() => receiptEntryText({ ...receipt, kid: '' })).toThrow(LogEntryError);
    expect(() => revocationEntryText({ ...revocation, revoked_at: 'now' })).toThrow('revoked_at');
    expect(() => readRevocationEntry(text)).toThrow('revoked_at is missing');
    const spaced = revocationEntryText(revocation).replace(',', ' ,');
    expect(() => readRevocationEntry(spaced)).toThrow('not the canonical text');
  });
});

describe('the leaf of a key', () => {
  const text = keyEntryText(key);

  test('is canonical JSON with its version, whatever the event, algorithm and purpose', () => {
    expect(text).toStartWith(`{"algorithm":"Ed25519","at":"${AT}","event":"activated","kid":`);
    expect(text).toEndWith(',"v":1}');
    for (const event of ['added', 'activated', 'retired', 'compromised'] as const) {
      for (const purpose of KEY_PURPOSES) {
        const other = { ...key, event, purpose, algorithm: 'ML-DSA-44', public_key: '34'.repeat(1312) };
        expect(readKeyEntry(keyEntryText(other))).toEqual(other);
      }
    }
    expect(readKeyEntry(text)).toEqual(key);
  });

  test.each<[string, string, string]>([
    ['another event', text.replace('activated', 'lost'), 'event is not one of added'],
    ['another algorithm', text.replace('Ed25519', 'RSA'), 'algorithm is not Ed25519'],
    [
      'a key of another length',
      text.replace('Ed25519', 'ML-DSA-44'),
      'public_key does not have the required format',
    ],
    ['another purpose', text.replace('receipts"', 'fun"'), 'purpose does not have the required format'],
    ['a size in words', text.replace('size":7', 'size":"7"'), 'receipts_tree_size is not a number'],
    ['a negative size', text.replace('size":7', 'size":-7'), 'receipts_tree_size is not a whole number'],
    ['half a size', text.replace('size":7', 'size":7.5'), 'receipts_tree_size is not a whole number'],
    ['a size of 2^53', text.replace('size":7', 'size":9007199254740992'), 'receipts_tree_size is not'],
    ['another spelling of the size', text.replace('size":7', 'size":7.0'), 'not the canonical text'],
    ['no signatures', text.replace(/"signatures":\[.*\]/, '"signatures":[]'), 'signatures is empty'],
    [
      'seventeen signatures',
      text.replace(
        /"signatures":\[(\{[^}]*\}).*\]/,
        (_, one) => `"signatures":[${Array(17).fill(one).join()}]`,
      ),
      'signatures has more than 16',
    ],
    ['signatures that are no array', text.replace(/"signatures":\[.*\]/, '"signatures":{}'), 'not an array'],
    [
      'a signature that is none',
      text.replace(/"signatures":\[.*\]/, '"signatures":[1]'),
      'not a JSON object',
    ],
    [
      'a signature of another length',
      text.replace('"ef', '"'),
      'signature does not have the required format',
    ],
    ['a signature by nobody', text.replace(/\[\{"kid":"[^"]*",/, '[{'), 'kid is missing'],
    ['a signature with a member more', text.replace('[{', '[{"a":1,'), 'not the canonical text'],
  ])('with %s is refused', (_, entry, message) => {
    expect(() => readKeyEntry(entry)).toThrow(LogEntryError);
    expect(() => readKeyEntry(entry)).toThrow(message);
  });

  test('is signed as a key event, without its signatures', () => {
    const { signatures: _, ...unsigned } = key;
    const message = new TextDecoder().decode(keyEntryMessage(p, key));
    expect(message).toBe(digest(p, { v: 1, type: 'key-event', ...unsigned }));
    expect(keyEntryMessage(p, unsigned)).toEqual(keyEntryMessage(p, key));
    expect(keyEntryMessage(p, { ...key, receipts_tree_size: 8 })).not.toEqual(keyEntryMessage(p, key));
    expect(() => keyEntryMessage(p, { ...key, kid: 'x' })).toThrow(LogEntryError);
  });
});

test('leaves are refused by a LogEntryError alone', () => {
  const good = [receiptEntryText(receipt), revocationEntryText(revocation), keyEntryText(key)];
  const nearly = fc
    .tuple(fc.constantFrom(...good), fc.nat(), fc.string({ maxLength: 2 }))
    .map(
      ([text, at, change]) => text.slice(0, at % text.length) + change + text.slice((at % text.length) + 1),
    );
  const readers = [
    (text: string) => receiptEntryText(readReceiptEntry(text)),
    (text: string) => revocationEntryText(readRevocationEntry(text)),
    (text: string) => keyEntryText(readKeyEntry(text)),
  ];
  const property = fc.property(fc.oneof(fc.string(), fc.json(), nearly), (text) => {
    for (const rewrite of readers) {
      try {
        expect(rewrite(text)).toBe(text);
      } catch (error) {
        expect(error).toBeInstanceOf(LogEntryError);
      }
    }
  });
  fc.assert(property, { numRuns: 500 });
});

describe('the leaf of a revoked agent', () => {
  const entry: AgentRevocationEntry = { subject_commitment: 'ab'.repeat(32), at: AT };
  const text = `{"at":"${AT}","event":"agent_revoked","subject_commitment":"${entry.subject_commitment}","v":1}`;

  test('is canonical JSON with its event', () => {
    expect(agentRevocationEntryText(entry)).toBe(text);
    expect(readAgentRevocationEntry(text)).toEqual(entry);
  });

  test('is told apart from the leaf of a revoked receipt', () => {
    expect(readAnyRevocationEntry(text)).toEqual({ agent: entry });
    expect(readAnyRevocationEntry(revocationEntryText(revocation))).toEqual({ receipt: revocation });
  });

  test.each([
    ['another event', text.replace('agent_revoked', 'agent_issued')],
    ['a short commitment', text.replace('abab', 'ab')],
    ['a member more', text.replace('"v":1', '"reason":"x","v":1')],
    [
      'an event beside a receipt',
      revocationEntryText(revocation).replace('"kid"', '"event":"agent_revoked","kid"'),
    ],
  ])('is refused with %s', (_change, changed) => {
    expect(() => readAnyRevocationEntry(changed)).toThrow(LogEntryError);
  });
});

describe('the leaf of an item of evidence', () => {
  const first: EvidenceEntry = {
    subject_commitment: 'ab'.repeat(32),
    index: 0,
    event_commitment_hash: 'cd'.repeat(32),
    prev_event_hash: null,
    source_type: 'task_deliverable',
    payload_digest: 'ef'.repeat(32),
    anchored_at: AT,
  };
  const later: EvidenceEntry = { ...first, index: 1, prev_event_hash: '01'.repeat(32) };
  const text = evidenceEntryText(later);

  test('is canonical JSON with null before the first item', () => {
    expect(evidenceEntryText(first)).toBe(
      `{"anchored_at":"${AT}","event_commitment_hash":"${'cd'.repeat(32)}","index":0,"payload_digest":"${'ef'.repeat(32)}","prev_event_hash":null,"source_type":"task_deliverable","subject_commitment":"${'ab'.repeat(32)}","v":1}`,
    );
    expect(readEvidenceEntry(evidenceEntryText(first))).toEqual(first);
    expect(readEvidenceEntry(text)).toEqual(later);
  });

  test.each([
    ['a null hash before a later item', text.replace(`"${'01'.repeat(32)}"`, 'null')],
    ['a hash before the first item', text.replace('"index":1', '"index":0')],
    ['a negative index', text.replace('"index":1', '"index":-1')],
    ['an index as text', text.replace('"index":1', '"index":"1"')],
    ['a short digest', text.replace('efef', 'ef')],
    ['a source type with a space', text.replace('task_deliverable', 'task deliverable')],
    ['a member more', text.replace('"v":1', '"outcome":"success","v":1')],
    ['no version', text.replace(',"v":1', '')],
  ])('is refused with %s', (_change, changed) => {
    expect(() => readEvidenceEntry(changed)).toThrow(LogEntryError);
  });
});
