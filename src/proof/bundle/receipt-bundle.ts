import { DocumentReader } from '../document/document-reader.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../encoding/json.ts';
import type { KnownNotes } from '../log/known-notes.ts';
import type { LogProof } from '../log/log-proof.ts';
import type { Primitives } from '../primitives.ts';
import { readBundledProof } from './bundled-proof.ts';

/** The value of `type` of a bundle of a receipt. Nothing signs a bundle, so it is no signed type. */
const RECEIPT_BUNDLE_TYPE = 'receipt-bundle';

/** The parsed, unverified parts of a bundle of a receipt. */
export interface ReceiptBundle {
  receipt: JsonValue;
  /** The proof that a log of receipts has it; null for none. */
  proof: LogProof | null;
  /** Why there is no proof, as the service said. */
  reason: string | null;
  /** The signed status. */
  status: JsonValue;
  /** The proofs of events in the log of keys. */
  keyEvents: readonly LogProof[];
  /** The proofs of the leaves in the log of accounts; null if the bundle has none. */
  linked: readonly LogProof[] | null;
}

const MEMBERS = ['type', 'receipt', 'proof', 'inclusion_reason', 'status', 'key_events', 'linked'];
const EVENTS = ['issued', 'finalized', 'revoked'];
/** One of the key that signed the receipt, and one of the key that signed the status. */
const KEY_EVENTS_MAX = 2;

/** Returns whether an object is a bundle of a receipt, whatever its form. */
export function isReceiptBundle(object: JsonObject): boolean {
  return Object.hasOwn(object, 'type') && object.type === RECEIPT_BUNDLE_TYPE;
}

/**
 * Reads the parts of a bundle. Neither it nor its proofs have other members: nothing would sign them, and a
 * reader could take them for verified.
 * @param known.keyEvents the key events, if the same were read before
 * @param known.notes the checkpoints that were parsed before
 * @returns the problems of anything else, one sentence each
 */
export function readReceiptBundle(
  primitives: Primitives,
  document: JsonValue,
  known: { keyEvents?: readonly LogProof[] | undefined; notes?: KnownNotes } = {},
): { bundle: ReceiptBundle } | { problems: string[] } {
  const problems: string[] = [];
  const value = new DocumentReader(document, '', problems).object();
  value.member('type').only(RECEIPT_BUNDLE_TYPE);
  if (value.members().some(([name]) => !MEMBERS.includes(name)))
    problems.push(`the bundle has other members than ${MEMBERS.join(', ')}`);
  const reason = value.member('inclusion_reason');
  const proofs = value.member('key_events').items(KEY_EVENTS_MAX);
  const linked = value.member('linked');
  const leaves = linked.isPresent() ? linked.members() : null;
  if (leaves?.some(([name]) => !EVENTS.includes(name)))
    problems.push(`linked has other members than ${EVENTS.join(', ')}`);
  const object: JsonObject = isJsonObject(document) ? document : {};
  const proof = value.member('proof');
  if (!proof.isPresent()) problems.push('proof is missing');
  else if (reason.isPresent() !== (object.proof === null))
    problems.push('inclusion_reason belongs to a proof that is null, and is missing or too much');
  if (object.status === undefined) problems.push('status is missing');
  const read = (reader: DocumentReader, name: string): LogProof[] => {
    const found = readBundledProof(primitives, reader.value(), name, problems, known.notes);
    return found === null ? [] : [found];
  };
  const bundle = {
    receipt: object.receipt ?? null,
    proof: proof.nullable((one) => read(one, 'proof'))?.[0] ?? null,
    reason: reason.isPresent() ? reason.text(REASON) : null,
    status: object.status ?? null,
    keyEvents: known.keyEvents ?? proofs.flatMap((one, index) => read(one, `key_events[${index}]`)),
    linked: leaves?.flatMap(([name, one]) => read(one, `linked.${name}`)) ?? null,
  };
  return problems.length === 0 ? { bundle } : { problems };
}

const REASON = {
  fits: (text: string): boolean => text.length <= 1024,
  words: 'a text of at most 1,024 characters',
};
