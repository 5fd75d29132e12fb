import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { TrustedKey } from '../../proof/keys/trusted-keys.ts';
import { readEvidenceItem } from '../../proof/log-documents/evidence-item.ts';
import type { Beside, DocumentKind } from './judgement.ts';
import { keyLogFrom } from './key-document.ts';
import { bytesAt, fileBytes } from './proof-and-status.ts';

/** Where the further inputs are. */
interface BesideOptions {
  log?: string;
  entry?: string;
  proof?: string;
  status?: string;
  policy?: string;
}

/** Reads the further inputs of a document of a kind. They are not verified. @throws Failure */
export async function besideOf(
  { needs, takes = [] }: Pick<DocumentKind, 'needs' | 'takes'>,
  document: Uint8Array,
  { log, entry, proof, status, policy }: BesideOptions,
  trusted: { keys: readonly TrustedKey[]; at: number },
): Promise<Beside> {
  const found: Beside = {};
  if (needs === 'log' && log !== undefined) found.keyLog = await keyLogFrom(log, policy !== undefined);
  if (needs === 'entry' && entry !== undefined) found.entry = await fileBytes(entry);
  if (takes.includes('proof') && proof !== undefined)
    found.proof = await bytesAt(proof, evidenceProofPath(document));
  if (takes.includes('status') && status !== undefined) {
    const { statusListOf } = await import('./credential.ts');
    const statusList = await statusListOf(document, status, trusted);
    if (statusList !== undefined) found.statusList = statusList;
  }
  return found;
}

/** Returns the path of the proof of an item of evidence at a service; of a malformed one, a path that no service has. */
function evidenceProofPath(document: Uint8Array): string {
  const read = readEvidenceItem(nativePrimitives, document);
  const { subject_commitment, event_commitment_hash } =
    'item' in read ? read.item : { subject_commitment: '-', event_commitment_hash: '-' };
  return `/api/v1/passport/agents/${subject_commitment}/evidence/${event_commitment_hash}/proof`;
}
