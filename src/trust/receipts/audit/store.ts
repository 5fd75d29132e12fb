import { max } from 'drizzle-orm';
import { receipt, receiptVersion } from '../../../../db/trust/receipts.ts';
import { wrongRows } from '../../../platform/audit/counts.ts';
import type { RowRange } from '../../../platform/audit/table.ts';
import { runQuery, type Snapshot, statements } from '../../../platform/store/transaction.ts';
import { bytesToHex } from '../../../proof/encoding/hex.ts';
import type { LeafLog } from '../../../proof/log/log-names.ts';
import type { Problem } from '../../../proof/log/problem.ts';

/** A version with its signature as bytes. */
export type VersionRow = Omit<typeof receiptVersion.$inferSelect, 'signature'> & { signature: Uint8Array };

/** A receipt with everything that its row is compared with. */
export interface ReceiptRow {
  receipt: typeof receipt.$inferSelect;
  operatorId: string | null;
  predecessor: { chainDepth: number; operatorSeq: number } | null;
  /** 1 if a version of the predecessor has the hash that this receipt names, else 0. */
  follows: number;
  /** 1 if the API key that it names, if any, is one of its operator, else 0. */
  hasKey: number;
  /** 1 if it has a leaf in a receipts log, else 0. */
  isLogged: number;
  /** 1 if it has a leaf in a revocations log, else 0. */
  isLoggedRevoked: number;
}

/** The SQL of the audit. It reads every row, even rows that the joins of the service would drop. */
const query = statements((orm) => ({
  newestReceipt: () =>
    orm
      .select({ seq: max(receipt.receiptSeq) })
      .from(receipt)
      .prepare(),
  newestVersion: () =>
    orm
      .select({ seq: max(receiptVersion.receiptSeq) })
      .from(receiptVersion)
      .prepare(),
}));

/** Returns the highest number of a receipt or version; 0 if there is none. */
export function newestReceipt(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) =>
    Math.max(sql.newestReceipt.get()?.seq ?? 0, sql.newestVersion.get()?.seq ?? 0),
  );
}

type Raw<Row, Bytes extends keyof Row> = {
  [Column in keyof Row]: Column extends Bytes ? Exclude<Row[Column], string> | Uint8Array : Row[Column];
};
type RawReceipt = Raw<
  ReceiptRow['receipt'],
  'receiptId' | 'inputDigest' | 'domainCommitment' | 'blindSalt' | 'prevReceiptHash'
> &
  Pick<ReceiptRow, 'operatorId' | 'follows' | 'hasKey' | 'isLogged' | 'isLoggedRevoked'> & {
    depth: number | null;
    operator: number | null;
  };
type RawVersion = Raw<VersionRow, 'outputHash' | 'contentHash'>;

/** Mapped by hand, since there are millions of rows and mapping one takes longer than reading it. */
const RECEIPTS = `
  SELECT r.receipt_seq AS receiptSeq, r.receipt_id AS receiptId, r.operator_seq AS operatorSeq, r.agent_id AS agentId,
    r.receipt_type AS receiptType, r.input_digest AS inputDigest, r.authority_scope AS authorityScope, r.expiry,
    r.issued_at AS issuedAt, r.domain, r.domain_commitment AS domainCommitment, r.blind_salt AS blindSalt,
    r.prev_receipt_hash AS prevReceiptHash, r.prev_receipt_seq AS prevReceiptSeq, r.chain_depth AS chainDepth, r.status,
    r.revocation_status AS revocationStatus, r.version, r.api_key_seq AS apiKeySeq, o.operator_id AS operatorId,
    p.chain_depth AS depth, p.operator_seq AS operator,
    EXISTS (SELECT 1 FROM receipt_version v WHERE v.receipt_seq = r.prev_receipt_seq AND v.content_hash = r.prev_receipt_hash)
      AS follows,
    r.api_key_seq IS NULL
      OR EXISTS (SELECT 1 FROM api_key_number k WHERE k.api_key_seq = r.api_key_seq AND k.operator_seq = r.operator_seq) AS hasKey,
    EXISTS (SELECT 1 FROM receipt_leaf l WHERE l.receipt_seq = r.receipt_seq) AS isLogged,
    EXISTS (SELECT 1 FROM revocation_leaf l WHERE l.receipt_seq = r.receipt_seq) AS isLoggedRevoked
  FROM receipt r LEFT JOIN operator o ON o.operator_seq = r.operator_seq LEFT JOIN receipt p ON p.receipt_seq = r.prev_receipt_seq
  WHERE r.receipt_seq > ? AND r.receipt_seq <= ? ORDER BY r.receipt_seq`;

const VERSIONS = `
  SELECT receipt_seq AS receiptSeq, version, status, revocation_status AS revocationStatus, output_hash AS outputHash, reason,
    error_tranche AS errorTranche, revocation_reason AS revocationReason, content_hash AS contentHash,
    hash_prefix AS hashPrefix, signature, key_seq AS keySeq, signed_at AS signedAt
  FROM receipt_version WHERE receipt_seq > ? AND receipt_seq <= ? ORDER BY receipt_seq, version`;

/** Reads the receipts of a range. */
export async function receiptRows(snapshot: Snapshot, { after, reach }: RowRange): Promise<ReceiptRow[]> {
  const rows = await runQuery(snapshot, ({ sqlite }) =>
    sqlite.query<RawReceipt, [number, number]>(RECEIPTS).all(after, reach),
  );
  return rows.map(({ operatorId, depth, operator, follows, hasKey, isLogged, isLoggedRevoked, ...raw }) => ({
    receipt: {
      ...raw,
      receiptId: `rcpt_${bytesToHex(raw.receiptId)}`,
      inputDigest: bytesToHex(raw.inputDigest),
      domainCommitment: hexOrNull(raw.domainCommitment),
      blindSalt: hexOrNull(raw.blindSalt),
      prevReceiptHash: hexOrNull(raw.prevReceiptHash),
    },
    operatorId,
    predecessor: depth === null || operator === null ? null : { chainDepth: depth, operatorSeq: operator },
    follows,
    hasKey,
    isLogged,
    isLoggedRevoked,
  }));
}

/** Reads the versions of the receipts of a range. */
export async function versionRows(snapshot: Snapshot, { after, reach }: RowRange): Promise<VersionRow[]> {
  const rows = await runQuery(snapshot, ({ sqlite }) =>
    sqlite.query<RawVersion, [number, number]>(VERSIONS).all(after, reach),
  );
  return rows.map((raw) => ({
    ...raw,
    contentHash: bytesToHex(raw.contentHash),
    outputHash: hexOrNull(raw.outputHash),
  }));
}

/**
 * A receipt whose finalization is in the log since slashing began, and has no entry of the slashing ledger.
 */
const UNSLASHED = `
  SELECT 1 FROM receipt_leaf l WHERE l.receipt_seq = ?
    AND NOT EXISTS (SELECT 1 FROM slash s WHERE s.receipt_seq = l.receipt_seq)
    AND NOT EXISTS (SELECT 1 FROM slashing_start b WHERE b.leaves >= l.leaf_seq)`;

/** Returns whether the slashing ledger misses the entry of a receipt that was finalized as a failure. */
export function isUnslashed(snapshot: Snapshot, receiptSeq: number): Promise<boolean> {
  return runQuery(
    snapshot,
    ({ sqlite }) => sqlite.query<unknown, [number]>(UNSLASHED).get(receiptSeq) !== null,
  );
}

function hexOrNull(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : bytesToHex(bytes);
}

/** A leaf with its signed version, if that exists. */
export interface LeafRow {
  leafSeq: number;
  receiptSeq: number | null;
  leafVersion: number | null;
  leafHash: Uint8Array;
  entry: string | null;
  receiptId: string | null;
  status: string | null;
  revocationStatus: string | null;
  contentHash: string | null;
  signature: string | null;
  signedAt: string | null;
  kid: string | null;
  /**
   * The agent that the leaf of an agent names; null for a receipt, or if the database did not have the agent.
   */
  agentSeq: number | null;
  /** The commitment of an agent that the database did not have. */
  lostAgent: string | null;
  /** The agent with this number or commitment, if there is one. */
  subjectCommitment: string | null;
  agentState: string | null;
  agentRevokedAt: string | null;
}

const NO_AGENT = {
  columns:
    'NULL AS agentSeq, NULL AS lostAgent, NULL AS subjectCommitment, NULL AS agentState, NULL AS agentRevokedAt',
  join: '',
};
const AGENT = {
  columns: `l.agent_seq AS agentSeq, l.lost_agent AS lostAgent, a.subject_commitment AS subjectCommitment, a.state AS agentState,
    a.revoked_at AS agentRevokedAt`,
  join: 'LEFT JOIN agent a ON a.agent_seq = l.agent_seq OR a.subject_commitment = l.lost_agent',
};

type LeafTableName = 'receipt_leaf' | 'revocation_leaf';

const leavesOf = (table: LeafTableName): string => `
  SELECT l.leaf_seq AS leafSeq, l.receipt_seq AS receiptSeq, l.version AS leafVersion, l.leaf_hash AS leafHash, l.entry,
    r.receipt_id AS receiptId, v.status, v.revocation_status AS revocationStatus, v.content_hash AS contentHash, v.signature,
    v.signed_at AS signedAt, k.kid, ${table === 'receipt_leaf' ? NO_AGENT.columns : AGENT.columns}
  FROM ${table} l LEFT JOIN receipt r ON r.receipt_seq = l.receipt_seq
    LEFT JOIN receipt_version v ON v.receipt_seq = l.receipt_seq AND v.version = l.version
    LEFT JOIN signing_key k ON k.key_seq = v.key_seq ${table === 'receipt_leaf' ? NO_AGENT.join : AGENT.join}
  WHERE l.leaf_seq > ? AND l.leaf_seq <= ? ORDER BY l.leaf_seq`;

const LEAVES = { receipts: leavesOf('receipt_leaf'), revocations: leavesOf('revocation_leaf') };

/** Reads the leaves of a range, by leaf_seq. */
export async function leafRows(
  snapshot: Snapshot,
  name: LeafLog,
  { after, reach }: RowRange,
): Promise<LeafRow[]> {
  const rows = await runQuery(snapshot, ({ sqlite }) =>
    sqlite
      .query<
        Raw<LeafRow, 'receiptId' | 'contentHash' | 'signature' | 'lostAgent' | 'subjectCommitment'>,
        [number, number]
      >(LEAVES[name])
      .all(after, reach),
  );
  return rows.map((raw) => ({
    ...raw,
    receiptId: raw.receiptId === null ? null : `rcpt_${bytesToHex(raw.receiptId)}`,
    contentHash: hexOrNull(raw.contentHash),
    signature: hexOrNull(raw.signature),
    lostAgent: hexOrNull(raw.lostAgent),
    subjectCommitment: hexOrNull(raw.subjectCommitment),
  }));
}

/** A leaf of a receipt or agent that an earlier leaf of the log has. */
export interface RepeatedLeaf {
  leafSeq: number;
  firstSeq: number;
  /** The receipt_id or the subject_commitment in the entry. */
  subject: string;
}

/**
 * Few leaves can repeat another. `stored` are those with an entry of their own: recovered from a copy of the
 * log, or of agents. They are compared with one another and with the leaf of a version of their receipt. Only
 * a table without its UNIQUE can have two leaves of versions of one receipt.
 */
const repeatedIn = (table: LeafTableName): string => `
  WITH stored AS MATERIALIZED (
    SELECT leaf_seq, coalesce(json_extract(entry, '$.receipt_id'), json_extract(entry, '$.subject_commitment')) AS subject
    FROM ${table} WHERE entry IS NOT NULL AND json_valid(entry)
  ), pair AS (
    SELECT min(leaf_seq) OVER (PARTITION BY subject) AS first_seq, leaf_seq, subject FROM stored WHERE typeof(subject) = 'text'
    UNION ALL
    SELECT min(s.leaf_seq, l.leaf_seq), max(s.leaf_seq, l.leaf_seq), s.subject
    FROM stored s CROSS JOIN receipt r ON s.subject GLOB 'rcpt_*' AND r.receipt_id = unhex(substr(s.subject, 6))
      CROSS JOIN ${table} l ON l.receipt_seq = r.receipt_seq
    UNION ALL
    SELECT t.first_seq, l.leaf_seq, 'rcpt_' || lower(hex(r.receipt_id))
    FROM (
      SELECT receipt_seq, min(leaf_seq) AS first_seq FROM ${table} WHERE receipt_seq IS NOT NULL GROUP BY 1 HAVING count(*) > 1
    ) t CROSS JOIN receipt r USING (receipt_seq) CROSS JOIN ${table} l USING (receipt_seq)
  )
  SELECT leaf_seq AS leafSeq, min(first_seq) AS firstSeq, subject FROM pair WHERE leaf_seq > first_seq
  GROUP BY leaf_seq ORDER BY leaf_seq LIMIT 100`;

/** Returns up to 100 leaves that repeat the receipt or the agent of an earlier one. */
export function repeatedLeaves(snapshot: Snapshot, table: LeafTableName): Promise<RepeatedLeaf[]> {
  return runQuery(snapshot, ({ sqlite }) => sqlite.query<RepeatedLeaf, []>(repeatedIn(table)).all());
}

/** Every count is a sum over receipts. A state without receipts may have a row with 0. */
const COUNTS = `
  WITH made AS (SELECT operator_seq, status, revocation_status, count(*) AS receipts FROM receipt GROUP BY 1, 2, 3)
  SELECT coalesce(m.operator_seq, c.operator_seq) AS operator_seq, coalesce(m.status, c.status) AS status,
    coalesce(m.revocation_status, c.revocation_status) AS revocation_status, coalesce(m.receipts, 0) AS expected, c.receipts AS found
  FROM made m FULL JOIN receipt_count c USING (operator_seq, status, revocation_status)
  WHERE coalesce(m.receipts, 0) <> coalesce(c.receipts, -1) LIMIT 100`;

/** Returns some of the wrong counts of receipts. */
export function wrongReceiptCounts(snapshot: Snapshot): Promise<Problem[]> {
  return wrongRows(snapshot, 'receipt_count', 'receipts is not the number of receipts in this state', COUNTS);
}

/**
 * Returns up to 100 receipts that are marked as those of the service, although it issues none about their
 * subject. They would count for nobody.
 * @param scopes what their authority_scope begins with, before a colon
 */
export function wrongServiceReceipts(snapshot: Snapshot, scopes: readonly string[]): Promise<Problem[]> {
  const globs = scopes.map((scope) => `r.authority_scope GLOB '${scope}:*'`);
  return wrongRows(
    snapshot,
    'service_receipt',
    'authority_scope is none of the service',
    `SELECT s.receipt_seq, '${scopes.join(', ')}' AS expected, r.authority_scope AS found
     FROM service_receipt s LEFT JOIN receipt r ON r.receipt_seq = s.receipt_seq
     WHERE (${globs.join(' OR ')}) IS NOT 1 LIMIT 100`,
  );
}
