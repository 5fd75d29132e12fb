import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import { NoteError, parseSignatureLines } from '../../../proof/log/note.ts';
import { cosignatureTime } from '../../../proof/log/note-signature.ts';
import type { Logs } from '../logs.ts';
import {
  type CosignatureRow,
  insertCosignatures,
  newestCosignatureLines,
  newestCosignatures,
} from '../store.ts';

/** A verified cosignature line. */
export interface Cosignature {
  /** The name of the key. */
  witness: string;
  keyId: number;
  /** With its newline. */
  line: string;
}

/** Picks the cosignature from its row. */
export function cosignatureOf({ witness, keyId, line }: CosignatureRow): Cosignature {
  return { witness, keyId, line };
}

/**
 * Stores cosignatures of a checkpoint, the first of each key.
 * @param cosignedAt RFC 3339. @returns all cosignatures of the checkpoint, in order of arrival
 */
export async function storeCosignaturesIn(
  tx: Transaction,
  checkpointSeq: number,
  cosignatures: readonly Cosignature[],
  cosignedAt: string,
): Promise<Cosignature[]> {
  return (await insertCosignatures(tx, checkpointSeq, cosignatures, cosignedAt)).map(cosignatureOf);
}

/**
 * A start reads at most this many cosignatures: hours of a log that grows without pause, months of others.
 */
const ROWS_CACHED = 20_000;

/**
 * Reads when each key last cosigned a checkpoint of an open log, among the newest cosignatures.
 * @returns a function from key and log to milliseconds since 1970, or null
 */
export async function lastCosigned(
  snapshot: Snapshot,
  logs: Logs,
): Promise<(key: Pick<Cosignature, 'witness' | 'keyId'>, name: LogName) => number | null> {
  const rows = await newestCosignatures(snapshot, ROWS_CACHED);
  return (key, name) => {
    const { logSeq } = logs[name];
    const isMeant = (row: (typeof rows)[number]): boolean =>
      row.logSeq === logSeq && row.witness === key.witness && row.keyId === key.keyId;
    const newest = rows.find(isMeant);
    return newest === undefined ? null : Date.parse(newest.cosignedAt);
  };
}

/** A start looks at this many cosignatures for the newest date: more than witnesses make in one round. */
const ROWS_DATED = 200;

/**
 * Returns the newest date of a cosignature of the open logs in milliseconds since 1970; 0 for none.
 */
export async function newestCosignedDate(snapshot: Snapshot, logs: Logs): Promise<number> {
  const open = Object.values(logs).map(({ logSeq }) => logSeq);
  const rows = await newestCosignatureLines(snapshot, ROWS_DATED);
  const dates = rows
    .filter(({ logSeq }) => open.includes(logSeq))
    .map(({ line, cosignedAt }) => Math.min(dateOf(line), Date.parse(cosignedAt)));
  return Math.max(0, ...dates);
}

/** Returns the date of a cosignature in milliseconds since 1970; 0 for a line that is damaged. */
function dateOf(line: string): number {
  try {
    const [signature] = parseSignatureLines(line);
    return (signature === undefined ? 0 : (cosignatureTime(signature.signature) ?? 0)) * 1000;
  } catch (error) {
    if (error instanceof NoteError) return 0;
    throw error;
  }
}
