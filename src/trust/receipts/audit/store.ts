import { getTableColumns } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../../db/trust/agents.ts';
import { signingKey } from '../../../../db/trust/keys.ts';
import { operator } from '../../../../db/trust/operators.ts';
import { receipt, receiptLeaf, receiptVersion, revocationLeaf } from '../../../../db/trust/receipts.ts';
import { wrongRows } from '../../../platform/audit/counts.ts';
import { derived } from '../../../platform/audit/derived.ts';
import type { Check, RowRange } from '../../../platform/audit/table.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { LeafLog } from '../../../proof/log/log-names.ts';

/** The SQL of the audit. It reads every row, even rows that the joins of the service would drop. */
const sql = sqlOf({ receipt, receiptVersion, receiptLeaf, revocationLeaf });

const highestReceipt = sql.value(orNull(sql.number`max(receipt_seq)`))`FROM receipt`;
const highestVersion = sql.value(orNull(sql.number`max(receipt_seq)`))`FROM receipt_version`;

/** Returns the highest number of a receipt or version; 0 if there is none. */
export async function newestReceipt(snapshot: Snapshot): Promise<number> {
  return Math.max((await highestReceipt(snapshot)) ?? 0, (await highestVersion(snapshot)) ?? 0);
}

const predecessor = alias(receipt, 'predecessor');

/** A receipt with everything that its row is compared with. */
export type ReceiptRow = Awaited<ReturnType<typeof receiptRows>>[number];

/** Reads the receipts of a range. */
export const receiptRows = sql.joined({
  receipt,
  operatorId: orNull(operator.operatorId),
  predecessor: orNull({ chainDepth: predecessor.chainDepth, operatorSeq: predecessor.operatorSeq }),
  /** 1 if a version of the predecessor has the hash that this receipt names, else 0. */
  follows: sql.number`EXISTS (
    SELECT 1 FROM receipt_version v
    WHERE v.receipt_seq = receipt.prev_receipt_seq AND v.content_hash = receipt.prev_receipt_hash
  )`,
  /** 1 if the API key that it names, if any, is one of its operator, else 0. */
  hasKey: sql.number`receipt.api_key_seq IS NULL OR EXISTS (
    SELECT 1 FROM api_key_number k
    WHERE k.api_key_seq = receipt.api_key_seq AND k.operator_seq = receipt.operator_seq
  )`,
  /** 1 if it has a leaf in a receipts log, else 0. */
  isLogged: sql.number`EXISTS (SELECT 1 FROM receipt_leaf l WHERE l.receipt_seq = receipt.receipt_seq)`,
  /** 1 if it has a leaf in a revocations log, else 0. */
  isLoggedRevoked: sql.number`EXISTS (
    SELECT 1 FROM revocation_leaf l WHERE l.receipt_seq = receipt.receipt_seq
  )`,
}).rows`FROM receipt LEFT JOIN operator ON operator.operator_seq = receipt.operator_seq
  LEFT JOIN receipt predecessor ON predecessor.receipt_seq = receipt.prev_receipt_seq
  WHERE receipt.receipt_seq > ${'after:receiptSeq'} AND receipt.receipt_seq <= ${'reach:receiptSeq'}
  ORDER BY receipt.receipt_seq`;

/** A version with its signature as bytes. */
export type VersionRow = Awaited<ReturnType<typeof versionRows>>[number];

/** Reads the versions of the receipts of a range. */
export const versionRows = sql.joined({
  ...getTableColumns(receiptVersion),
  signature: sql.bytes`signature`,
}).rows`FROM receipt_version
  WHERE receipt_seq > ${'after:receiptSeq'} AND receipt_seq <= ${'reach:receiptSeq'}
  ORDER BY receipt_seq, version`;

/**
 * Returns whether the slashing ledger misses the entry of a receipt that was finalized as a failure: its
 * finalization is in the log since slashing began, and it has no entry.
 */
export const isUnslashed = sql.exists(receiptLeaf)`WHERE receipt_seq = ${'receiptSeq'}
  AND NOT EXISTS (SELECT 1 FROM slash WHERE slash.receipt_seq = receipt_leaf.receipt_seq)
  AND NOT EXISTS (SELECT 1 FROM slashing_start WHERE slashing_start.leaves >= receipt_leaf.leaf_seq)`;

/** The columns of a leaf with its signed version, if that exists. */
const versionLeaf = (leaf: typeof receiptLeaf | typeof revocationLeaf) => ({
  leafSeq: leaf.leafSeq,
  receiptSeq: leaf.receiptSeq,
  leafVersion: leaf.version,
  leafHash: leaf.leafHash,
  entry: leaf.entry,
  receiptId: orNull(receipt.receiptId),
  status: orNull(receiptVersion.status),
  revocationStatus: orNull(receiptVersion.revocationStatus),
  contentHash: orNull(receiptVersion.contentHash),
  signature: orNull(receiptVersion.signature),
  signedAt: orNull(receiptVersion.signedAt),
  kid: orNull(signingKey.kid),
});
const NO_AGENT = {
  agentSeq: orNull(sql.number`NULL`),
  lostAgent: orNull(sql.text`NULL`),
  subjectCommitment: orNull(sql.text`NULL`),
  agentState: orNull(sql.text`NULL`),
  agentRevokedAt: orNull(sql.text`NULL`),
};
const namedAgent = {
  /**
   * The agent that the leaf of an agent names; null for a receipt, or if the database did not have the agent.
   */
  agentSeq: orNull(sql.number`revocation_leaf.agent_seq`),
  /** The commitment of an agent that the database did not have. */
  lostAgent: orNull(sql.like(agent.subjectCommitment)`lost_agent`),
  /** The agent with this number or commitment, if there is one. */
  subjectCommitment: orNull(agent.subjectCommitment),
  agentState: orNull(agent.state),
  agentRevokedAt: agent.revokedAt,
};

type LeafTableName = 'receipt_leaf' | 'revocation_leaf';

/** Returns the text of the leaves of a range, by leaf_seq. */
const leavesOf = (name: LeafTableName, joins: string) => {
  const table = sql.verbatim(name);
  return sql.part`FROM ${table} LEFT JOIN receipt ON receipt.receipt_seq = ${table}.receipt_seq
    LEFT JOIN receipt_version
      ON receipt_version.receipt_seq = ${table}.receipt_seq AND receipt_version.version = ${table}.version
    LEFT JOIN signing_key ON signing_key.key_seq = receipt_version.key_seq ${sql.verbatim(joins)}
    WHERE leaf_seq > ${'after:leafSeq'} AND leaf_seq <= ${'reach:leafSeq'} ORDER BY leaf_seq`;
};
const AGENT =
  'LEFT JOIN agent ON agent.agent_seq = revocation_leaf.agent_seq OR subject_commitment = lost_agent';
const receiptLeaves = sql.joined({ ...versionLeaf(receiptLeaf), ...NO_AGENT })
  .rows`${leavesOf('receipt_leaf', '')}`;
const revocationLeaves = sql.joined({ ...versionLeaf(revocationLeaf), ...namedAgent })
  .rows`${leavesOf('revocation_leaf', AGENT)}`;

/** A leaf with its signed version and its agent, if those exist. */
export type LeafRow = Awaited<ReturnType<typeof receiptLeaves>>[number];

/** Reads the leaves of a range, by leaf_seq. */
export function leafRows(snapshot: Snapshot, name: LeafLog, range: RowRange): Promise<LeafRow[]> {
  return name === 'receipts' ? receiptLeaves(snapshot, range) : revocationLeaves(snapshot, range);
}

/**
 * Few leaves can repeat another. `stored` are those with an entry of their own: recovered from a copy of the
 * log, or of agents. They are compared with one another and with the leaf of a version of their receipt. Only
 * a table without its UNIQUE can have two leaves of versions of one receipt.
 */
const repeatedIn = (name: LeafTableName) => {
  const table = sql.verbatim(name);
  return sql.joined({
    leafSeq: sql.number`leaf_seq`,
    firstSeq: sql.number`min(first_seq)`,
    /** The receipt_id or the subject_commitment in the entry. */
    subject: sql.text`subject`,
  }).rows`FROM (
    WITH stored AS MATERIALIZED (
      SELECT leaf_seq,
        coalesce(json_extract(entry, '$.receipt_id'), json_extract(entry, '$.subject_commitment')) AS subject
      FROM ${table} WHERE entry IS NOT NULL AND json_valid(entry)
    )
    SELECT min(leaf_seq) OVER (PARTITION BY subject) AS first_seq, leaf_seq, subject
    FROM stored WHERE typeof(subject) = 'text'
    UNION ALL
    SELECT min(s.leaf_seq, l.leaf_seq), max(s.leaf_seq, l.leaf_seq), s.subject
    FROM stored s
      CROSS JOIN receipt r ON s.subject GLOB 'rcpt_*' AND r.receipt_id = unhex(substr(s.subject, 6))
      CROSS JOIN ${table} l ON l.receipt_seq = r.receipt_seq
    UNION ALL
    SELECT t.first_seq, l.leaf_seq, 'rcpt_' || lower(hex(r.receipt_id))
    FROM (
      SELECT receipt_seq, min(leaf_seq) AS first_seq FROM ${table}
      WHERE receipt_seq IS NOT NULL GROUP BY 1 HAVING count(*) > 1
    ) t CROSS JOIN receipt r USING (receipt_seq) CROSS JOIN ${table} l USING (receipt_seq)
  ) AS pair WHERE leaf_seq > first_seq GROUP BY leaf_seq ORDER BY leaf_seq LIMIT 100`;
};

const REPEATED = {
  receipt_leaf: repeatedIn('receipt_leaf'),
  revocation_leaf: repeatedIn('revocation_leaf'),
};

/** A leaf of a receipt or agent that an earlier leaf of the log has. */
export type RepeatedLeaf = Awaited<ReturnType<typeof repeatedLeaves>>[number];

/** Returns up to 100 leaves that repeat the receipt or the agent of an earlier one. */
export function repeatedLeaves(snapshot: Snapshot, table: LeafTableName) {
  return REPEATED[table](snapshot);
}

/** How many receipts are in which state. A state that receipts have left stays, with 0. */
export const receiptCounts = derived({
  table: 'receipt_count',
  key: ['operator_seq', 'status', 'revocation_status'],
  columns: { receipts: 'receipts is not the number of receipts in this state' },
  derives: 'rows',
  mayBeZero: true,
  query: sql.part`SELECT operator_seq, status, revocation_status, count(*) AS receipts
    FROM receipt GROUP BY operator_seq, status, revocation_status`,
});

/**
 * Returns the check of the receipts that are marked as those of the service: it issues none about another
 * subject. They would count for nobody.
 * @param scopes what their authority_scope begins with, before a colon
 */
export function serviceReceiptCheck(scopes: readonly string[]): Check {
  const begins = scopes.map((scope) =>
    sql.verbatim(`substr(r.authority_scope, 1, ${scope.length + 1}) = '${scope}:'`),
  );
  return wrongRows(
    'service_receipt',
    'authority_scope is none of the service',
    sql.reported()`SELECT s.receipt_seq, ${sql.verbatim(`'${scopes.join(', ')}'`)} AS expected,
      r.authority_scope AS found
    FROM service_receipt s LEFT JOIN receipt r ON r.receipt_seq = s.receipt_seq
    WHERE (${sql.join(begins, ' OR ')}) IS NOT TRUE LIMIT 100`,
  );
}
