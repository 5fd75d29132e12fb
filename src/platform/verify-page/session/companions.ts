import { presentedCredential } from '../../../proof/credential/credential-shape.ts';
import { isJsonObject, type JsonObject, type JsonValue, jsonOrNull } from '../../../proof/encoding/json.ts';
import { LogProofError, readLogProof } from '../../../proof/log/log-proof.ts';
import { isCoseReceipt } from '../../../proof/log/read-cose-receipt.ts';
import type { Primitives } from '../../../proof/primitives.ts';
import { receiptIn } from '../../../proof/verifier/document.ts';
import type { PageFile } from './recognise.ts';

/** The files that are used with a document. */
export interface Companions {
  proof?: PageFile | undefined;
  status?: PageFile | undefined;
  entry?: PageFile | undefined;
}

/**
 * Returns the files that belong to a document, by what they say: the proof, the manifest and the status name
 * its receipt, the status list is the one that its credential names. A file with another role than `document`
 * belongs to the only document.
 * @param files all files, the document among them
 */
export function companionsOf(
  primitives: Primitives,
  document: PageFile,
  files: readonly PageFile[],
): Companions {
  const others = files.filter((file) => file !== document);
  const named = (role: string): PageFile | undefined => others.find((file) => file.role === role);
  const [proof, status, entry] = [named('proof'), named('status'), named('entry')];
  if (proof !== undefined || status !== undefined) return { proof, status, entry };
  const object = objectIn(document.bytes);
  const receiptId = receiptIn(document.bytes)?.receipt_id ?? null;
  if (isCoseReceipt(document.bytes)) return { entry: entry ?? named('manifest') };
  if (receiptId !== null) {
    const ofReceipt = (file: PageFile): boolean => objectIn(file.bytes)?.receipt_id === receiptId;
    return {
      proof:
        others.find((file) => entryOf(primitives, file)?.receipt_id === receiptId) ??
        others.find((file) => file.role === 'manifest' && ofReceipt(file)),
      status: others.find((file) => objectIn(file.bytes)?.type === 'receipt-status' && ofReceipt(file)),
      entry,
    };
  }
  const hash = object?.event_commitment_hash;
  if (typeof hash === 'string')
    return {
      proof: others.find((file) => entryOf(primitives, file)?.event_commitment_hash === hash),
    };
  const list = statusListOf(object);
  if (list === null) return {};
  return { status: others.find((file) => credentialIn(file.bytes)?.id === list) };
}

function objectIn(bytes: Uint8Array): JsonObject | null {
  const value = jsonOrNull(bytes);
  return isJsonObject(value) ? value : null;
}

/** Returns the entry in a proof in text form; null for another file. */
function entryOf(primitives: Primitives, { bytes, role }: PageFile): JsonObject | null {
  if (role !== 'document' || objectIn(bytes) !== null) return null;
  try {
    return objectIn(new TextEncoder().encode(readLogProof(primitives, bytes).entry));
  } catch (error) {
    if (!(error instanceof LogProofError)) throw error;
    return null;
  }
}

function credentialIn(bytes: Uint8Array): JsonObject | null {
  const value: JsonValue = presentedCredential(jsonOrNull(bytes));
  return isJsonObject(value) && Object.hasOwn(value, '@context') ? value : null;
}

/** Returns the URL of the status list of a credential; null for none. */
function statusListOf(object: JsonObject | null): JsonValue {
  const credential = object === null ? null : presentedCredential(object);
  const status = isJsonObject(credential) ? credential.credentialStatus : undefined;
  return isJsonObject(status) ? (status.statusListCredential ?? null) : null;
}
