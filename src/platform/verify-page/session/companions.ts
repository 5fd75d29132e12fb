import { presentedCredential } from '../../../proof/credential/credential-shape.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonOrNull } from '../../../proof/encoding/json.ts';
import { HEAD_PROOF_TYPE } from '../../../proof/ledger/head-proof.ts';
import { LogProofError, readLogProof } from '../../../proof/log/log-proof.ts';
import { isCoseReceipt } from '../../../proof/log/read-cose-receipt.ts';
import type { Primitives } from '../../../proof/primitives.ts';
import { accountStatement } from '../../../proof/statement/account-statement.ts';
import { receiptIn } from '../../../proof/verifier/document.ts';
import { firstLine } from '../../../proof/verifier/judge/lines.ts';
import type { PageFile } from './recognise.ts';

/** The files that are used with a document. */
export interface Companions {
  proof?: PageFile | undefined;
  status?: PageFile | undefined;
  entry?: PageFile | undefined;
  journal?: PageFile | undefined;
}

/** Why no companion is used: two say different things of one document, and none of them is the right one. */
interface Ambiguous {
  problem: string;
}

/**
 * Returns the files that belong to a document, by what they say: the proof, the manifest and the status name
 * its receipt, the status list is the one that its credential names, the journal that of its account. A file
 * named as `proof`, `status` or `entry` belongs to the only document. Of several of a kind none is chosen:
 * their order would decide the verdict.
 * @param files all files, the document among them
 */
export function companionsOf(
  primitives: Primitives,
  document: PageFile,
  files: readonly PageFile[],
): Companions | Ambiguous {
  const others = files.filter((file) => file !== document);
  const named = (role: string): PageFile | undefined => others.find((file) => file.role === role);
  const [proof, status, entry] = [named('proof'), named('status'), named('entry')];
  if (proof !== undefined || status !== undefined) return { proof, status, entry };
  if (isCoseReceipt(document.bytes)) return { entry: entry ?? named('manifest') };
  const found = foundFor(primitives, document, others);
  for (const [what, of] of [
    ['proofs', found.proofs],
    ['statuses', found.statuses],
    ['journals', found.journals],
  ] as const)
    if (of.length > 1) {
      const names = of.map(({ name }) => name).join(', ');
      return { problem: `Several files are its ${what}, and one can count: ${names}. Remove the others.` };
    }
  return { proof: found.proofs[0], status: found.statuses[0], journal: found.journals[0] };
}

/** Returns all files that could belong to a document. */
function foundFor(
  primitives: Primitives,
  { bytes }: PageFile,
  others: readonly PageFile[],
): { proofs: PageFile[]; statuses: PageFile[]; journals: PageFile[] } {
  const object = objectIn(bytes);
  const account = accountOf(object);
  if (account !== null) {
    const journals = others.filter((file) => file.role === 'journal' && ownerOf(file) === account);
    return { proofs: [], statuses: [], journals };
  }
  const receiptId = receiptIn(bytes)?.receipt_id ?? null;
  if (receiptId !== null) {
    const ofReceipt = (file: PageFile): boolean => objectIn(file.bytes)?.receipt_id === receiptId;
    const proofs = others.filter((file) => entryOf(primitives, file)?.receipt_id === receiptId);
    const manifests = others.filter((file) => file.role === 'manifest' && ofReceipt(file));
    return {
      proofs: proofs.length > 0 ? proofs : manifests,
      statuses: others.filter((file) => objectIn(file.bytes)?.type === 'receipt-status' && ofReceipt(file)),
      journals: [],
    };
  }
  const hash = object?.event_commitment_hash;
  if (typeof hash === 'string') {
    const proofs = others.filter((file) => entryOf(primitives, file)?.event_commitment_hash === hash);
    return { proofs, statuses: [], journals: [] };
  }
  const list = statusListOf(object);
  const statuses = list === null ? [] : others.filter((file) => credentialIn(file.bytes)?.id === list);
  return { proofs: [], statuses, journals: [] };
}

/** Returns the account of a statement, or of a proof of the head of a journal; null for another document. */
function accountOf(object: JsonObject | null): string | null {
  const leaf = object?.type === HEAD_PROOF_TYPE ? object.leaf : undefined;
  const account = isJsonObject(leaf)
    ? leaf.account
    : object?.type === accountStatement.type
      ? (object.operator_id ?? object.subject_commitment)
      : undefined;
  return typeof account === 'string' ? account : null;
}

/** Returns the account that the first line of a journal names; null for none. */
function ownerOf({ bytes }: PageFile): string | null {
  const first = objectIn(firstLine(bytes)?.line ?? bytes);
  const owner = first?.operator_id ?? first?.subject_commitment;
  return typeof owner === 'string' ? owner : null;
}

/** What was read of files: of many, each is compared with each. */
const objects = new WeakMap<Uint8Array, JsonObject | null>();
const entries = new WeakMap<Uint8Array, JsonObject | null>();

function remembered<T>(values: WeakMap<Uint8Array, T>, bytes: Uint8Array, read: () => T): T {
  const known = values.get(bytes);
  if (known !== undefined) return known;
  const value = read();
  values.set(bytes, value);
  return value;
}

function objectIn(bytes: Uint8Array): JsonObject | null {
  return remembered(objects, bytes, () => {
    const value = jsonOrNull(bytes);
    return isJsonObject(value) ? value : null;
  });
}

/** Returns the entry in a proof in text form; null for another file. */
function entryOf(primitives: Primitives, { bytes, role }: PageFile): JsonObject | null {
  if (role !== 'document' || objectIn(bytes) !== null) return null;
  return remembered(entries, bytes, () => {
    try {
      return objectIn(new TextEncoder().encode(readLogProof(primitives, bytes).entry));
    } catch (error) {
      if (!(error instanceof LogProofError)) throw error;
      return null;
    }
  });
}

function credentialIn(bytes: Uint8Array): JsonObject | null {
  const value: JsonValue = presentedCredential(objectIn(bytes));
  return isJsonObject(value) && Object.hasOwn(value, '@context') ? value : null;
}

/** Returns the URL of the status list of a credential; null for none. */
function statusListOf(object: JsonObject | null): JsonValue {
  const credential = object === null ? null : presentedCredential(object);
  const status = isJsonObject(credential) ? credential.credentialStatus : undefined;
  return isJsonObject(status) ? (status.statusListCredential ?? null) : null;
}
