import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { subjectCommitment } from '../../src/proof/agent/commitment.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { eventHash } from '../../src/proof/evidence/event.ts';
import { coseHeader, coseMessage, formatCoseReceipt } from '../../src/proof/log/cose-receipt.ts';
import {
  agentRevocationEntryText,
  evidenceEntryText,
  keyEntryMessage,
  keyEntryText,
  revocationEntryText,
} from '../../src/proof/log/log-entry.ts';
import { inclusionPath, leafHash } from '../../src/proof/log/merkle.ts';
import { formatVerifierKey } from '../../src/proof/log/note.ts';
import type { ReceiptPayload } from '../../src/proof/receipt/receipt.ts';
import { keyRow, leafOf, signedObject, signedReceipt, smallLog, testKey, verifierOf } from './small-log.ts';

/**
 * The example of docs/verification/example.md: keys from fixed seeds, three receipts, their log, and a
 * status. A change makes every number of the page wrong, which its test reports.
 */
const ORIGIN = 'receipts.example/receipts';
export const KEYS = { receipts: testKey(1), log: testKey(2), credentials: testKey(3), keyLog: testKey(4) };

export const payload = (digit: number): ReceiptPayload => ({
  receipt_id: `rcpt_0197284f7a2b7c3d8e9f0a1b2c3d4e5${digit}`,
  issued_at: '2026-05-01T12:00:00.000Z',
  operator_id: 'op_cus_A1b2C3d4E5f6G7h8I9j0K1l2',
  agent_id: 'agent-7',
  receipt_type: 'custody',
  status: 'success',
  input_digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  authority_scope: 'payments:read',
  expiry: '2036-05-01T12:00:00Z',
  revocation_status: 'active',
  output_hash: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  domain: 'CODE_GENERATION',
  error_tranche: 'NONE',
});

const receipts = [0, 1, 2].map((digit) => signedReceipt(KEYS.receipts, payload(digit)));
const entries = receipts.map((receipt, index) => leafOf(receipt, `2026-05-01T12:00:0${index}.000Z`));

/** The log position of the example's receipt. */
const INDEX = 1;
const [, RECEIPT] = receipts;
if (RECEIPT === undefined) throw new Error('the example has three receipts');

export const keysDocument: JsonObject = {
  keys: [
    keyRow(KEYS.receipts, 'receipts'),
    keyRow(KEYS.log, 'receipts-log'),
    keyRow(KEYS.keyLog, 'keys-log'),
    keyRow(KEYS.credentials, 'credentials'),
  ],
  log: { origin: 'receipts.example/keys' },
};

const log = smallLog(ORIGIN, entries, [KEYS.log]);

/** The COSE receipt of the example's receipt, and what the log's key signs for it. */
const coseHeaderBytes = coseHeader({ kid: KEYS.log.kid, issuer: 'receipts.example', subject: ORIGIN });
const coseMessageBytes = coseMessage(coseHeaderBytes, log.root);
const cosePath = inclusionPath(nativePrimitives, INDEX, entries.length, log.node);

/** The same receipt, revoked a month later. */
const revoked = signedReceipt(KEYS.receipts, { ...payload(INDEX), revocation_status: 'revoked' });

/** The entry that adds the key of purpose `credentials`, signed by the key of the key log and by itself. */
const keyEvent = {
  event: 'added',
  kid: KEYS.credentials.kid,
  algorithm: 'Ed25519',
  public_key: KEYS.credentials.public_key,
  purpose: 'credentials',
  at: '2026-05-01T12:00:03.000Z',
  receipts_tree_size: entries.length,
} as const;
const keyMessage = keyEntryMessage(nativePrimitives, keyEvent);

/** The agent of the example. */
const AGENT = subjectCommitment(nativePrimitives, testKey(4).public_key);
/** The second item of its chain of evidence. */
const event = {
  subject_commitment: AGENT,
  source_type: 'otel_span',
  payload_digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  prev_event_hash: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
};

export const example = {
  revocationEntry: revocationEntryText({
    receipt_id: revoked.receipt_id,
    content_hash: revoked.content_hash,
    signature: revoked.signature,
    kid: KEYS.receipts.kid,
    revoked_at: '2026-06-01T12:00:00.000Z',
  }),
  agentRevocationEntry: agentRevocationEntryText({
    subject_commitment: AGENT,
    at: '2026-06-01T12:00:00.000Z',
  }),
  evidenceEntry: evidenceEntryText({
    ...event,
    index: 1,
    event_commitment_hash: eventHash(nativePrimitives, event),
    anchored_at: '2026-05-01T12:00:04.000Z',
  }),
  event,
  keyMessage,
  keyEntry: keyEntryText({
    ...keyEvent,
    signatures: [KEYS.keyLog, KEYS.credentials].map(({ kid, privateKey }) => ({
      kid,
      signature: bytesToHex(signEd25519(privateKey, keyMessage)),
    })),
  }),
  index: INDEX,
  receipt: RECEIPT,
  keys: keysDocument,
  log,
  leaves: entries.map((entry) => leafHash(nativePrimitives, Buffer.from(entry))),
  proof: log.proof(INDEX),
  cose: {
    header: coseHeaderBytes,
    message: coseMessageBytes,
    receipt: formatCoseReceipt(
      coseHeaderBytes,
      { size: entries.length, index: INDEX, path: cosePath },
      signEd25519(KEYS.log.privateKey, coseMessageBytes),
    ),
  },
  logKey: formatVerifierKey(verifierOf(KEYS.log, ORIGIN)),
  status: signedObject(KEYS.credentials, {
    type: 'receipt-status',
    receipt_id: RECEIPT.receipt_id,
    content_hash: RECEIPT.content_hash,
    status: 'success',
    revocation_status: 'active',
    checked_at: '2026-06-01T12:00:00.000Z',
    valid_until: '2026-06-01T12:05:00.000Z',
  }),
  /** A time at which all of it is valid. */
  at: '2026-06-01T12:01:00Z',
};
