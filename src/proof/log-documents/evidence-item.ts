import { canonicalOf, READINGS, type Reading } from '../agent/agent-signature.ts';
import { DocumentReader } from '../document/document-reader.ts';
import { hex, matching, text, time } from '../document/forms.ts';
import { CanonicalJsonError } from '../encoding/canonical-json.ts';
import {
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  parseJsonBytes,
} from '../encoding/json.ts';
import { otherSignedObject } from '../keys/signed-types.ts';
import type { Primitives } from '../primitives.ts';

/** An item of an agent's list of evidence, with the agent and the key that it signed with. */
export interface EvidenceItem {
  subject_commitment: string;
  /** The agent's key: 64 hexadecimal characters. */
  public_key: string;
  /** Undefined for an agent that enrolled without one. */
  context: string | undefined;
  index: number;
  event_commitment_hash: string;
  prev_event_hash: string | null;
  source_type: string;
  payload_digest: string;
  /** What the service concluded from the payload. Nothing signs it. */
  outcome: 'success' | 'failure';
  reading: Reading;
  created_at: string;
  signature: string;
  payload: JsonObject;
}

const MEMBERS = [
  'subject_commitment',
  'public_key',
  'context',
  'index',
  'event_commitment_hash',
  'prev_event_hash',
  'source_type',
  'payload_digest',
  'outcome',
  'reading',
  'created_at',
  'signature',
  'payload',
];
/** Those that only callers see who may read the payload. */
const HIDDEN = ['reading', 'signature', 'payload'];
/** The members of an item that everybody may see. */
export const PUBLIC_MEMBERS: readonly string[] = MEMBERS.filter((name) => !HIDDEN.includes(name));

/**
 * Returns whether a document is an item of evidence: it has no `type`, and has the two members that only
 * evidence has together.
 */
export function isEvidenceItem(document: JsonObject): boolean {
  const has = (name: string): boolean => Object.hasOwn(document, name);
  return !has('type') && has('event_commitment_hash') && has('source_type');
}

/**
 * Reads an item of evidence, and computes the digest of its payload. @returns the problems of anything else,
 * one sentence each
 */
export function readEvidenceItem(
  primitives: Primitives,
  bytes: Uint8Array,
): { item: EvidenceItem; digest: string } | { problems: string[] } {
  let document: JsonValue;
  try {
    document = parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { problems: [error.message] };
  }
  const payload = isJsonObject(document) && isJsonObject(document.payload) ? document.payload : {};
  const problems: string[] = [];
  const item = { ...readMembers(new DocumentReader(document, '', problems).object(), problems), payload };
  const other = otherSignedObject(payload);
  if (other !== null && other !== item.source_type)
    problems.push(`payload is signed as ${other}, which is no evidence`);
  if (problems.length > 0) return { problems };
  try {
    return { item, digest: canonicalOf(primitives, payload).digest };
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return {
      problems: [
        'payload has a number that is too large, or half of a surrogate pair, so it cannot be signed',
      ],
    };
  }
}

function readMembers(value: DocumentReader, problems: string[]): Omit<EvidenceItem, 'payload'> {
  // Nothing would sign another member.
  if (value.members().some(([name]) => !MEMBERS.includes(name)))
    problems.push(`the item has other members than ${MEMBERS.join(', ')}`);
  value.member('payload').object();
  return {
    ...readAnchored(value),
    outcome: value.member('outcome').oneOf(['success', 'failure']),
    reading: value.member('reading').oneOf(READINGS),
    signature: value.member('signature').text(hex(64)),
  };
}

/** Reads the members of an item that its entry in the log has too, and the agent's key. */
export function readAnchored(
  value: DocumentReader,
): Omit<EvidenceItem, 'outcome' | 'reading' | 'signature' | 'payload'> {
  const context = value.member('context');
  return {
    subject_commitment: value.member('subject_commitment').text(hex(32)),
    public_key: value.member('public_key').text(hex(32)),
    context: context.isPresent() ? context.text(text(256)) : undefined,
    index: value.member('index').count(),
    event_commitment_hash: value.member('event_commitment_hash').text(hex(32)),
    prev_event_hash: value.member('prev_event_hash').nullable((hash) => hash.text(hex(32))),
    source_type: value
      .member('source_type')
      .text(matching(/^[a-z0-9_]{1,64}$/, '1 to 64 characters of a-z, 0-9 and _')),
    payload_digest: value.member('payload_digest').text(hex(32)),
    created_at: value.member('created_at').text(time),
  };
}
