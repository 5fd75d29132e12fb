import type { Transaction } from '../../platform/store/transaction.ts';
import { logReceiptIn, logRevocationIn, type VersionPlace } from './append.ts';
import type { Logs } from './logs.ts';

interface SignedVersion {
  receipt_id: string;
  content_hash: string;
  signature: string;
  kid: string;
  signed_at: string;
}

const FINALIZED = "status <> 'pending' AND revocation_status = 'active'";
const REVOKED = "revocation_status = 'revoked'";

/** Gives leaves to what was finalized or revoked before there was a log, in the order in which it was. */
export function backfillIn(tx: Transaction, logs: Logs): void {
  for (const [place, { signed_at, ...said }] of actsIn(tx, FINALIZED)) {
    logReceiptIn(tx, logs, place, { ...said, finalized_at: signed_at });
  }
  for (const [place, { signed_at, ...said }] of actsIn(tx, REVOKED)) {
    logRevocationIn(tx, logs, place, { ...said, revoked_at: signed_at });
  }
}

/** The versions that a condition is true of, in the order of their times, and of one time in that of their issue. */
function* actsIn(
  { connection: { sqlite } }: Transaction,
  condition: string,
): Generator<[VersionPlace, SignedVersion]> {
  const { count = 0 } =
    sqlite
      .query<{ count: number }, []>(`SELECT count(*) AS count FROM receipt_version WHERE ${condition}`)
      .get() ?? {};
  // Sorted here, as numbers: SQLite would hold the rows themselves.
  const times = new Float64Array(count);
  const seqs = new Float64Array(count);
  const versions = new Uint8Array(count);
  let index = 0;
  for (const row of sqlite
    .query<{ receipt_seq: number; version: number; signed_at: string }, []>(
      `SELECT receipt_seq, version, signed_at FROM receipt_version WHERE ${condition} ORDER BY receipt_seq`,
    )
    .iterate()) {
    times[index] = Date.parse(row.signed_at);
    seqs[index] = row.receipt_seq;
    versions[index] = row.version;
    index += 1;
  }
  const order = Uint32Array.from({ length: count }, (_, at) => at).sort(
    (left, right) => (times[left] ?? 0) - (times[right] ?? 0) || left - right,
  );
  const whole = sqlite.query<SignedVersion, [number, number]>(`
    SELECT 'rcpt_' || lower(hex(r.receipt_id)) AS receipt_id, lower(hex(v.content_hash)) AS content_hash,
      lower(hex(v.signature)) AS signature, k.kid, v.signed_at
    FROM receipt_version v JOIN receipt r USING (receipt_seq) JOIN signing_key k USING (key_seq)
    WHERE v.receipt_seq = ? AND v.version = ?`);
  for (const at of order) {
    const place = { receiptSeq: seqs[at] ?? 0, version: versions[at] ?? 0 };
    const row = whole.get(place.receiptSeq, place.version);
    if (row !== null) yield [place, row];
  }
}
