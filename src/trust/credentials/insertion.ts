import { randomInt } from 'node:crypto';
import type { Ids } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { LIST_ENTRIES } from '../../proof/credential/bitstring.ts';
import { LONGEST_VALIDITY_MS } from '../../proof/credential/credential-shape.ts';
import type { Signer, SigningKey } from '../log/keys/signing/signer.ts';
import type { StatusEntry } from './document.ts';
import { openListIn } from './open-status-list.ts';
import { rowDigest } from './row-digest.ts';
import { countInList } from './status-store.ts';
import { type CitedCheckpoint, type CredentialRow, insertCredential, type NewCredential } from './store.ts';

/** A credential is valid for a day, and returned again for half a day. */
export const REUSE_MS = LONGEST_VALIDITY_MS / 2;

const UUID_URN = 'urn:uuid:';

/** A list is at most half full, so the probability that this many random entries are all taken is 2^-64. */
const ATTEMPTS = 64;

/** What a new credential says: the columns that do not follow from its time and its key. */
export type CredentialContent = Pick<
  NewCredential,
  'type' | 'agentSeq' | 'clusterSeq' | 'contentDigest' | 'evidenceCheckpointSeq' | 'receiptsCheckpointSeq'
>;

/**
 * Stores a credential that is valid for a day, under a random free entry of the open list of a key.
 * @param now milliseconds since 1970
 */
export async function insertCredentialIn(
  tx: Transaction,
  { ids, signer }: { ids: Ids; signer: Signer },
  { keySeq }: SigningKey,
  now: number,
  content: CredentialContent,
): Promise<NewCredential> {
  const fields = {
    ...content,
    credentialId: ids.newId(UUID_URN).slice(UUID_URN.length),
    validFrom: at(now),
    validUntil: at(now + LONGEST_VALIDITY_MS),
  };
  const row = await insertIn(tx, keySeq, fields);
  await signer.backdateIn(tx, keySeq, row.validFrom);
  return row;
}

async function insertIn(
  tx: Transaction,
  keySeq: number,
  fields: Omit<NewCredential, keyof StatusEntry | 'rowDigest'>,
): Promise<NewCredential> {
  const listSeq = await openListIn(tx, keySeq, fields.validUntil);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const columns = { ...fields, listSeq, listIndex: randomInt(LIST_ENTRIES) };
    const row = { ...columns, rowDigest: rowDigest(columns) };
    if ((await insertCredential(tx, row)) === 0) continue;
    await countInList(tx, { listSeq, validUntil: fields.validUntil });
    return row;
  }
  throw new Error(`found no free entry in the status list ${listSeq}`);
}

/**
 * Returns whether a stored credential has the requested content, is not revoked, and may be reused.
 * @param now milliseconds since 1970
 */
export function isReusable(row: CredentialRow, contentDigest: string, now: number): boolean {
  const from = Date.parse(row.validFrom);
  return (
    row.contentDigest === contentDigest && row.revokedAt === null && from <= now && now < from + REUSE_MS
  );
}

/** Returns a checkpoint as a credential cites it. */
export function cited({ origin, tree_size, root_hash }: CitedCheckpoint) {
  return { origin, tree_size, root_hash };
}

function at(time: number): string {
  return timestampOf(time);
}
