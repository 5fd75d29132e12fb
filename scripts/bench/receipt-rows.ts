import { Database } from 'bun:sqlite';

/**
 * The table of receipts with the columns that have always been there, for `INSERT INTO`: an executable of any
 * age has them.
 */
export const RECEIPT = `receipt (receipt_seq, receipt_id, operator_seq, agent_id, receipt_type, input_digest, authority_scope, expiry,
  issued_at, domain, domain_commitment, blind_salt, prev_receipt_hash, prev_receipt_seq, chain_depth, status, revocation_status, version)`;

/** Reads rows from a database file that a server may be using. */
export function rows<Row>(file: string, sql: string): Row[] {
  const database = new Database(file, { readonly: true });
  const rows = database.query<Row, []>(sql).all();
  database.close();
  return rows;
}

/** Returns the number of the newest receipt; 0 if there is none. */
export function newestReceipt(file: string): number {
  return rows<{ seq: number }>(file, 'SELECT max(receipt_seq) AS seq FROM receipt')[0]?.seq ?? 0;
}

/** Returns the ids of the receipts after a number that are not finalized. */
export function pendingSince(file: string, seq: number): string[] {
  return rows<{ id: string }>(
    file,
    `SELECT 'rcpt_' || lower(hex(receipt_id)) AS id FROM receipt WHERE receipt_seq > ${seq} AND status = 'pending'`,
  ).map(({ id }) => id);
}
