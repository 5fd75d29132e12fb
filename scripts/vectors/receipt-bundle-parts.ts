import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { accountEntryText, keyEntryText } from '../../src/proof/log/log-entry.ts';
import type { LogName } from '../../src/proof/log/log-names.ts';
import { domainCommitment, type Receipt } from '../../src/proof/receipt/receipt.ts';
import {
  cosigned,
  FINAL,
  LeafWriter,
  pendingReceipt,
  REVOKED,
  version,
} from '../../test/support/made-account.ts';
import { leafOf, type SmallLog, signedObject, smallLog, type TestKey } from '../../test/support/small-log.ts';
import { KeyLogMaker, keyFor, keyLogOf } from './key-log-maker.ts';

const ISSUED = Date.parse('2026-05-01T12:00:00.500Z');
const FINALIZED = '2026-05-01T12:00:02.000Z';
export const COMMON = 'receipts.example';

export const KEYS = {
  receipts: keyFor('receipts', 1),
  receiptsLog: keyFor('receipts-log', 2),
  credentials: keyFor('credentials', 3),
  keysLog: keyFor('keys-log', 4),
  accountsLog: keyFor('accounts-log', 8),
};
const LOG_KEYS: Readonly<Partial<Record<LogName, TestKey>>> = {
  receipts: KEYS.receiptsLog,
  keys: KEYS.keysLog,
  accounts: KEYS.accountsLog,
};

const pending = pendingReceipt(1, ISSUED);
const final = version(pending, FINAL);
const revoked = version(final, REVOKED);
const salt = '5a'.repeat(32);
const { domain = 'FINANCIAL_CLEARING', ...withoutDomain } = pendingReceipt(2, ISSUED);
const blind = version(
  { ...withoutDomain, domain_commitment: domainCommitment(nativePrimitives, domain, salt) },
  FINAL,
);
const other = version(pendingReceipt(3, ISSUED), FINAL);
export const RECEIPTS = { pending, final, revoked, blind, other };

/** The beginning of the log of keys. */
const begun = new KeyLogMaker().begin(...Object.values(KEYS));
/** What becomes of the key of receipts, by its story. */
const STORIES = {
  begun,
  // The log of receipts has ten entries then, and the proven ones are older.
  compromised: begun.copy().later().event('compromised', KEYS.receipts, KEYS.keysLog),
  retired: begun.copy().later().event('retired', KEYS.receipts, KEYS.keysLog),
  // It has none.
  'compromised-before': begun.copy().wait(3_600_000).event('compromised', KEYS.receipts, KEYS.keysLog),
  'with-post-quantum': begun.copy().event('added', keyFor('keys-log', 15, 'ML-DSA-44'), KEYS.keysLog),
};
export type Story = keyof typeof STORIES;

/** The keys that a verifier saved. */
export const KEY_DOCUMENT = keyLogOf(begun, [KEYS.keysLog]).document;

const writer = new LeafWriter();
writer.link('linked', ISSUED - 1000);
writer.act('issued', pending, ISSUED);
writer.act('finalized', final, ISSUED + 1500);
writer.act('revoked', revoked, ISSUED + 60_000);
const ACTS = ['issued', 'finalized', 'revoked'] as const;

/** A log of the installation, or of another one whose logs have the same keys. */
export function logOf(name: LogName, story: Story = 'begun', common = COMMON): SmallLog {
  const key = LOG_KEYS[name];
  if (key === undefined) throw new Error(`there is no log of ${name} here`);
  const entries: Partial<Record<LogName, readonly string[]>> = {
    receipts: [other, final, blind].map((receipt) => leafOf(receipt, FINALIZED)),
    keys: STORIES[story].entries.map(keyEntryText),
    accounts: writer.entries.map(accountEntryText),
  };
  return smallLog(`${common}/${name}`, entries[name] ?? [], [key]);
}

/** Witnesses that cosigned a checkpoint; none for an empty array. */
type Witnesses = readonly string[];

/** Returns a proof as a bundle has it. */
export function pathOf(log: SmallLog, index: number, witnesses: Witnesses = []): JsonObject {
  const path: JsonObject = Object(log.manifest(index).inclusion_path);
  if (witnesses.length === 0) return { ...path, cosigned: false };
  const time = Date.parse('2026-06-01T12:00:00.000Z');
  return { ...path, checkpoint: cosigned(log.checkpoint, time, witnesses), cosigned: true };
}

export const proofOf = (receipt: Receipt, witnesses?: Witnesses, common?: string): JsonObject => {
  const log = logOf('receipts', 'begun', common);
  const index = log.entries.findIndex((text) => text.includes(receipt.receipt_id));
  return pathOf(log, index, witnesses);
};

/** Returns the proof of the newest event of a key. */
export function eventOf(
  key: TestKey,
  { story = 'begun', witnesses = [], common = COMMON }: Otherwise = {},
): JsonObject {
  const log = logOf('keys', story, common);
  return pathOf(
    log,
    STORIES[story].entries.findLastIndex(({ kid }) => kid === key.kid),
    witnesses,
  );
}

/** Returns the proof of an event that is not the newest. */
export const earlierEventOf = (key: TestKey, story: Story = 'begun'): JsonObject =>
  pathOf(
    logOf('keys', story),
    STORIES[story].entries.findIndex(({ kid }) => kid === key.kid),
  );

interface Otherwise {
  story?: Story;
  witnesses?: Witnesses;
  common?: string;
}

export const eventsOf = (otherwise: Otherwise = {}): JsonObject[] =>
  [KEYS.receipts, KEYS.credentials].map((key) => eventOf(key, otherwise));

/** Returns the proofs of the leaves of some acts. */
export function linkedOf(
  acts: readonly (typeof ACTS)[number][],
  { witnesses = [], common = COMMON }: Otherwise = {},
): JsonObject {
  const log = logOf('accounts', 'begun', common);
  return Object.fromEntries(acts.map((act) => [act, pathOf(log, 1 + ACTS.indexOf(act), witnesses)]));
}

/** Returns the signed status of a receipt, with other members. */
export function statusOf(receipt: Receipt, changes: JsonObject = {}): JsonObject {
  return signedObject(KEYS.credentials, {
    type: 'receipt-status',
    receipt_id: receipt.receipt_id,
    content_hash: receipt.content_hash,
    status: receipt.status,
    revocation_status: receipt.revocation_status,
    checked_at: '2026-06-01T12:00:30.000Z',
    valid_until: '2026-06-01T12:05:30.000Z',
    ...changes,
  });
}

/** Returns the bundle of a receipt, with other members. */
export function bundleOf(
  receipt: Receipt,
  changes: { [member: string]: JsonValue } = {},
  otherwise: Otherwise = {},
): JsonObject {
  const isFinal = receipt.status !== 'pending';
  const plain: JsonObject = JSON.parse(JSON.stringify(receipt));
  return {
    type: 'receipt-bundle',
    receipt: plain,
    proof: isFinal ? proofOf(receipt, otherwise.witnesses, otherwise.common) : null,
    ...(isFinal ? {} : { inclusion_reason: 'The receipt is pending.' }),
    status: statusOf(receipt),
    key_events: eventsOf(otherwise),
    ...changes,
  };
}

/** Returns the row of a closed log in a list of keys. */
export const closedRow = (log: LogName, changes: JsonObject = {}): JsonObject => {
  const { origin, entries, root } = logOf(log);
  return {
    ...{ log, origin, tree_size: entries.length, root_hash: bytesToHex(root), certain: true },
    ...{ at: '2026-05-02T12:00:00.000Z', log_index: 7, ...changes },
  };
};
