import { canonicalJson } from '../encoding/canonical-json.ts';
import { digest } from '../encoding/digest.ts';
import { isHex } from '../encoding/hex.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import { isReceiptId } from '../encoding/receipt-id.ts';
import type { EvidenceEvent } from '../evidence/event.ts';
import type { SignedType } from '../keys/signed-types.ts';
import type { Primitives } from '../primitives.ts';
import {
  canonical,
  check,
  fail,
  hash,
  kid,
  membersOf,
  numberIn,
  position,
  textIn,
  timestamp,
} from './entry-members.ts';
import { KEY_PURPOSES } from './key-purposes.ts';

/** A leaf of `<origin>/receipts`: a receipt was finalized. */
export interface ReceiptEntry {
  receipt_id: string;
  /** 64 lower-case hexadecimal characters. */
  content_hash: string;
  /** The receipt's Ed25519 signature: 128 lower-case hexadecimal characters. */
  signature: string;
  kid: string;
  /** RFC 3339 in UTC with milliseconds, like every time in an entry. */
  finalized_at: string;
}

/**
 * A leaf of `<origin>/revocations`: a receipt was revoked. content_hash and signature are those of the
 * revoked version.
 */
export interface RevocationEntry extends Omit<ReceiptEntry, 'finalized_at'> {
  revoked_at: string;
}

/** A leaf of `<origin>/revocations`: an agent was revoked. */
export interface AgentRevocationEntry {
  /** 64 lower-case hexadecimal characters. */
  subject_commitment: string;
  at: string;
}

/** A leaf of `<origin>/evidence`: an item was appended to an agent's chain. */
export interface EvidenceEntry extends EvidenceEvent {
  /** The position in the agent's chain, from 0. */
  index: number;
  /** `eventHash` of the entry's members: 64 lower-case hexadecimal characters. */
  event_commitment_hash: string;
  anchored_at: string;
}

/** What the leaves of a linked account record. */
export const ACCOUNT_EVENTS = ['linked', 'issued', 'finalized', 'revoked', 'unlinked'] as const;

export type AccountEvent = (typeof ACCOUNT_EVENTS)[number];

/** The members of a leaf of `<origin>/accounts` that every event has. */
interface AccountMembers {
  /** `accountOf` the operator: 64 lower-case hexadecimal characters. */
  account: string;
  /** The position among the leaves of the account, from 1. */
  sequence: number;
  at: string;
}

/**
 * A leaf of `<origin>/accounts`: an operator's account was linked or unlinked, or a receipt was issued,
 * finalized or revoked meanwhile.
 */
export type AccountEntry =
  | (AccountMembers & { event: 'linked' | 'unlinked' } & typeof NO_RECEIPT)
  | (AccountMembers & {
      event: 'issued' | 'finalized' | 'revoked';
      receipt_id: string;
      /** Of the version that the event made: 64 lower-case hexadecimal characters. */
      content_hash: string;
      /** `linkedAgentOf` the operator and the receipt's agent_id: 64 lower-case hexadecimal characters. */
      agent: string;
      /** The position among the leaves of the agent, from 1. */
      agent_sequence: number;
    });

/** The members of a leaf that is of no receipt. */
export const NO_RECEIPT = {
  receipt_id: null,
  content_hash: null,
  agent: null,
  agent_sequence: null,
} as const;

const EVENTS = ['added', 'activated', 'retired', 'compromised'] as const;
const PURPOSES: readonly string[] = KEY_PURPOSES;

/** The sizes of a public key and of a signature in bytes, by algorithm. */
const SIZES = new Map([
  ['Ed25519', { publicKey: 32, signature: 64 }],
  ['ML-DSA-44', { publicKey: 1312, signature: 2420 }],
]);

/** A leaf of `<origin>/keys`: an event of a signing key. */
export interface KeyEntry {
  event: (typeof EVENTS)[number];
  kid: string;
  /** `Ed25519` or `ML-DSA-44`. */
  algorithm: string;
  /** Lower-case hexadecimal. */
  public_key: string;
  /** One of `KEY_PURPOSES`. */
  purpose: string;
  at: string;
  /**
   * The size of the receipts log at the event. After the key's end, leaves from this index on were not signed
   * by the key.
   */
  receipts_tree_size: number;
  /**
   * At least one signature over `keyEntryMessage`, in lower-case hexadecimal: 64 bytes for Ed25519, 2,420 for
   * ML-DSA-44.
   */
  signatures: { kid: string; signature: string }[];
}

/**
 * Formats the leaf of a finalized receipt: canonical JSON (RFC 8785) with `v: 1`. The tree hashes its UTF-8.
 * @throws LogEntryError for a member of the wrong form, because a leaf can never be removed from a log
 */
export function receiptEntryText(entry: ReceiptEntry): string {
  const { content_hash, kid, receipt_id, signature } = checkedMembers(entry);
  const finalized_at = timestamp('finalized_at', entry.finalized_at);
  // The members are in canonical order, so that canonicalJson does not have to sort them.
  return canonicalJson({ content_hash, finalized_at, kid, receipt_id, signature, v: 1 });
}

/** Parses the leaf of a finalized receipt. The text must be canonical. @throws LogEntryError */
export function readReceiptEntry(text: string): ReceiptEntry {
  const members = membersOf(text);
  const entry = { ...readReceiptMembers(members), finalized_at: textIn(members, 'finalized_at') };
  return canonical(text, receiptEntryText(entry), entry);
}

/** Formats the leaf of a revoked receipt, like `receiptEntryText`. @throws LogEntryError */
export function revocationEntryText(entry: RevocationEntry): string {
  const { content_hash, kid, receipt_id, signature } = checkedMembers(entry);
  const revoked_at = timestamp('revoked_at', entry.revoked_at);
  return canonicalJson({ content_hash, kid, receipt_id, revoked_at, signature, v: 1 });
}

/** Parses the leaf of a revoked receipt, like `readReceiptEntry`. @throws LogEntryError */
export function readRevocationEntry(text: string): RevocationEntry {
  const members = membersOf(text);
  const entry = { ...readReceiptMembers(members), revoked_at: textIn(members, 'revoked_at') };
  return canonical(text, revocationEntryText(entry), entry);
}

/** The value of `event` in the leaf of a revoked agent. */
const AGENT_REVOKED = 'agent_revoked';

/** Formats the leaf of a revoked agent, like `receiptEntryText`. @throws LogEntryError */
export function agentRevocationEntryText(entry: AgentRevocationEntry): string {
  return canonicalJson({
    at: timestamp('at', entry.at),
    event: AGENT_REVOKED,
    subject_commitment: hash('subject_commitment', entry.subject_commitment),
    v: 1,
  });
}

/** Parses the leaf of a revoked agent, like `readReceiptEntry`. @throws LogEntryError */
export function readAgentRevocationEntry(text: string): AgentRevocationEntry {
  const members = membersOf(text);
  const entry = { subject_commitment: textIn(members, 'subject_commitment'), at: textIn(members, 'at') };
  return canonical(text, agentRevocationEntryText(entry), entry);
}

/** An entry of the log of revocations, by what was revoked. */
export type AnyRevocationEntry = { receipt: RevocationEntry } | { agent: AgentRevocationEntry };

/** Parses a leaf of the log of revocations, which is of a receipt or of an agent. @throws LogEntryError */
export function readAnyRevocationEntry(text: string): AnyRevocationEntry {
  // The entry of a receipt has no `event`. Each reader refuses what is not exactly its form.
  return Object.hasOwn(membersOf(text), 'event')
    ? { agent: readAgentRevocationEntry(text) }
    : { receipt: readRevocationEntry(text) };
}

/**
 * Formats the leaf of an item of evidence, like `receiptEntryText`. It does not compute
 * `event_commitment_hash`.
 * @throws LogEntryError
 */
export function evidenceEntryText(entry: EvidenceEntry): string {
  const { index, prev_event_hash, source_type } = entry;
  if (!Number.isSafeInteger(index) || index < 0)
    return fail('index is not a whole number from 0 to 2^53 − 1');
  if ((index === 0) !== (prev_event_hash === null))
    return fail('prev_event_hash is null exactly for the index 0');
  return canonicalJson({
    anchored_at: timestamp('anchored_at', entry.anchored_at),
    event_commitment_hash: hash('event_commitment_hash', entry.event_commitment_hash),
    index,
    payload_digest: hash('payload_digest', entry.payload_digest),
    prev_event_hash: prev_event_hash === null ? null : hash('prev_event_hash', prev_event_hash),
    source_type: check('source_type', source_type, (text) => /^[a-z0-9_]{1,64}$/.test(text)),
    subject_commitment: hash('subject_commitment', entry.subject_commitment),
    v: 1,
  });
}

/**
 * Parses the leaf of an item of evidence, like `readReceiptEntry`. It does not compute the hash. @throws
 * LogEntryError
 */
export function readEvidenceEntry(text: string): EvidenceEntry {
  const members = membersOf(text);
  const { prev_event_hash } = members;
  const entry = {
    subject_commitment: textIn(members, 'subject_commitment'),
    index: numberIn(members, 'index'),
    event_commitment_hash: textIn(members, 'event_commitment_hash'),
    prev_event_hash: prev_event_hash === null ? null : textIn(members, 'prev_event_hash'),
    source_type: textIn(members, 'source_type'),
    payload_digest: textIn(members, 'payload_digest'),
    anchored_at: textIn(members, 'anchored_at'),
  };
  return canonical(text, evidenceEntryText(entry), entry);
}

/** Formats a leaf of a linked account, like `receiptEntryText`. @throws LogEntryError */
export function accountEntryText(entry: AccountEntry): string {
  const { event } = entry;
  const account = hash('account', entry.account);
  const sequence = position('sequence', entry.sequence);
  const at = timestamp('at', entry.at);
  const { agent, agent_sequence, content_hash, receipt_id } =
    entry.receipt_id === null ? NO_RECEIPT : checkedAct(entry);
  const sorted = { account, agent, agent_sequence, at, content_hash, event, receipt_id, sequence, v: 1 };
  return canonicalJson(sorted);
}

function checkedAct(entry: Exclude<AccountEntry, typeof NO_RECEIPT>) {
  return {
    agent: hash('agent', entry.agent),
    agent_sequence: position('agent_sequence', entry.agent_sequence),
    content_hash: hash('content_hash', entry.content_hash),
    receipt_id: check('receipt_id', entry.receipt_id, isReceiptId),
  };
}

/** Parses a leaf of a linked account, like `readReceiptEntry`. @throws LogEntryError */
export function readAccountEntry(text: string): AccountEntry {
  const members = membersOf(text);
  const { event } = members;
  const base = {
    account: textIn(members, 'account'),
    sequence: numberIn(members, 'sequence'),
    at: textIn(members, 'at'),
  };
  if (event === 'linked' || event === 'unlinked') {
    const entry = { ...base, ...NO_RECEIPT, event } as const;
    return canonical(text, accountEntryText(entry), entry);
  }
  if (event !== 'issued' && event !== 'finalized' && event !== 'revoked') return fail('event is unknown');
  const entry = {
    ...base,
    event,
    receipt_id: textIn(members, 'receipt_id'),
    content_hash: textIn(members, 'content_hash'),
    agent: textIn(members, 'agent'),
    agent_sequence: numberIn(members, 'agent_sequence'),
  } as const;
  return canonical(text, accountEntryText(entry), entry);
}

/** More signatures than any event has: verifiers check each, so a hostile log must not have many. */
const MAX_SIGNATURES = 16;

/**
 * Formats the leaf of a key event, like `receiptEntryText`. It does not verify the signatures. @throws
 * LogEntryError
 */
export function keyEntryText(entry: KeyEntry): string {
  if (entry.signatures.length === 0) return fail('signatures is empty');
  if (entry.signatures.length > MAX_SIGNATURES) return fail(`signatures has more than ${MAX_SIGNATURES}`);
  const signatures = entry.signatures.map((signed) => ({
    kid: kid(signed.kid),
    signature: check('signature', signed.signature, isSignature),
  }));
  return canonicalJson({ ...keyMembers(entry), signatures });
}

/** Parses the leaf of a key event, like `readReceiptEntry`. @throws LogEntryError */
export function readKeyEntry(text: string): KeyEntry {
  const members = membersOf(text);
  const event =
    EVENTS.find((known) => known === members.event) ?? fail(`event is not one of ${EVENTS.join(', ')}`);
  const receipts_tree_size = numberIn(members, 'receipts_tree_size');
  if (!Array.isArray(members.signatures)) return fail('signatures is not an array');
  const entry = {
    event,
    kid: textIn(members, 'kid'),
    algorithm: textIn(members, 'algorithm'),
    public_key: textIn(members, 'public_key'),
    purpose: textIn(members, 'purpose'),
    at: textIn(members, 'at'),
    receipts_tree_size,
    signatures: members.signatures.map(readSignature),
  };
  return canonical(text, keyEntryText(entry), entry);
}

/**
 * Returns the message that the signatures of a key event sign: the UTF-8 of the 64-character digest of the
 * leaf without `signatures`, with `type: "key-event"`, so that it cannot be mistaken for another signed
 * object. @throws LogEntryError
 */
export function keyEntryMessage(primitives: Primitives, entry: Omit<KeyEntry, 'signatures'>): Uint8Array {
  const type: SignedType = 'key-event';
  return new TextEncoder().encode(digest(primitives, { type, ...keyMembers(entry) }));
}

type ReceiptMembers = Omit<ReceiptEntry, 'finalized_at'>;

function checkedMembers(entry: ReceiptMembers): ReceiptMembers {
  return {
    receipt_id: check('receipt_id', entry.receipt_id, isReceiptId),
    content_hash: check('content_hash', entry.content_hash, (text) => isHex(text, 32)),
    signature: check('signature', entry.signature, (text) => isHex(text, 64)),
    kid: kid(entry.kid),
  };
}

function readReceiptMembers(members: JsonObject): ReceiptMembers {
  return {
    receipt_id: textIn(members, 'receipt_id'),
    content_hash: textIn(members, 'content_hash'),
    signature: textIn(members, 'signature'),
    kid: textIn(members, 'kid'),
  };
}

function keyMembers(entry: Omit<KeyEntry, 'signatures'>): JsonObject {
  const sizes = SIZES.get(entry.algorithm) ?? fail('algorithm is not Ed25519 or ML-DSA-44');
  const { receipts_tree_size } = entry;
  if (!Number.isSafeInteger(receipts_tree_size) || receipts_tree_size < 0) {
    return fail('receipts_tree_size is not a whole number from 0 to 2^53 − 1');
  }
  return {
    v: 1,
    event: entry.event,
    kid: kid(entry.kid),
    algorithm: entry.algorithm,
    public_key: check('public_key', entry.public_key, (text) => isHex(text, sizes.publicKey)),
    purpose: check('purpose', entry.purpose, (text) => PURPOSES.includes(text)),
    at: timestamp('at', entry.at),
    receipts_tree_size,
  };
}

function readSignature(value: JsonValue): { kid: string; signature: string } {
  if (!isJsonObject(value)) return fail('a signature is not a JSON object');
  return { kid: textIn(value, 'kid'), signature: textIn(value, 'signature') };
}

function isSignature(text: string): boolean {
  return [...SIZES.values()].some(({ signature }) => isHex(text, signature));
}
