import { and, asc, desc, eq, gt, gte, lte, max, type SQL, sql } from 'drizzle-orm';
import type { signingKey } from '../../../db/trust/keys.ts';
import { checkpoint, logTile } from '../../../db/trust/log.ts';
import { receipt, receiptVersion } from '../../../db/trust/receipts.ts';
import { bound } from '../../platform/store/columns.ts';
import { type Snapshot, syncStatements } from '../../platform/store/transaction.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

/** A version with its signature as bytes. */
export type VersionRow = Omit<typeof receiptVersion.$inferSelect, 'signature'> & { signature: Uint8Array };
export type KeyRow = typeof signingKey.$inferSelect;
export type CheckpointRow = typeof checkpoint.$inferSelect;

/** A receipt with all that its row is held against. */
export interface ReceiptRow {
  receipt: typeof receipt.$inferSelect;
  operatorId: string | null;
  predecessor: { chainDepth: number; operatorSeq: number } | null;
  /** Whether a version of the predecessor has the hash that this receipt names. */
  follows: number;
  /** Whether it has a leaf in a log of receipts, and in one of revocations. */
  isLogged: number;
  isLoggedRevoked: number;
}

/** The SQL of the audit. Every row is read as it is, also where the rest of the program would join it away. */
export const auditSql = syncStatements((orm) => ({
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
  newestCheckpoint: () =>
    orm
      .select({ seq: max(checkpoint.checkpointSeq) })
      .from(checkpoint)
      .prepare(),

  tile: () =>
    orm
      .select()
      .from(logTile)
      .where(
        and(
          eq(logTile.name, bound(logTile.name, 'name')),
          eq(logTile.level, bound(logTile.level, 'level')),
          eq(logTile.tileIndex, bound(logTile.tileIndex, 'tileIndex')),
        ),
      )
      .prepare(),
  /** Tiles of a level from an index on, some. */
  tilesFrom: () =>
    orm
      .select({ tileSeq: logTile.tileSeq, tileIndex: logTile.tileIndex })
      .from(logTile)
      .where(
        and(
          eq(logTile.name, bound(logTile.name, 'name')),
          eq(logTile.level, bound(logTile.level, 'level')),
          gte(logTile.tileIndex, bound(logTile.tileIndex, 'from')),
        ),
      )
      .orderBy(asc(logTile.tileIndex))
      .limit(100)
      .prepare(),

  /** Tiles of no log, some. */
  tilesOfNone: () =>
    orm
      .select({ tileSeq: logTile.tileSeq })
      .from(logTile)
      .where(sql`${logTile.name} NOT IN ('receipts', 'keys', 'revocations')`)
      .limit(100)
      .prepare(),

  /** Tiles of levels that there cannot be, some. */
  tilesAbove: () =>
    orm
      .select({ tileSeq: logTile.tileSeq, level: logTile.level, tileIndex: logTile.tileIndex })
      .from(logTile)
      .where(
        and(
          eq(logTile.name, bound(logTile.name, 'name')),
          sql`NOT ${logTile.level} BETWEEN 0 AND +${$('level')} - 1`,
        ),
      )
      .limit(100)
      .prepare(),

  /** Checkpoints behind `after` up to `reach`. */
  checkpoints: () =>
    orm
      .select()
      .from(checkpoint)
      .where(
        and(
          gt(checkpoint.checkpointSeq, bound(checkpoint.checkpointSeq, 'after')),
          lte(checkpoint.checkpointSeq, bound(checkpoint.checkpointSeq, 'reach')),
        ),
      )
      .orderBy(asc(checkpoint.checkpointSeq))
      .prepare(),
  /** The roots of a log's checkpoints in order of size, those behind a place. */
  roots: () =>
    orm
      .select({
        checkpointSeq: checkpoint.checkpointSeq,
        checkpointId: checkpoint.checkpointId,
        previousSeq: checkpoint.previousSeq,
        treeSize: checkpoint.treeSize,
        rootHash: checkpoint.rootHash,
        issuedAt: checkpoint.issuedAt,
      })
      .from(checkpoint)
      .where(
        and(
          eq(checkpoint.logSeq, bound(checkpoint.logSeq, 'logSeq')),
          lte(checkpoint.checkpointSeq, bound(checkpoint.checkpointSeq, 'reach')),
          sql`(${checkpoint.treeSize}, ${checkpoint.checkpointSeq}) > (${$('size')}, ${$('seq')})`,
        ),
      )
      .orderBy(asc(checkpoint.treeSize), asc(checkpoint.checkpointSeq))
      .limit(1000)
      .prepare(),
  /** The size of a log's newest checkpoint up to a row. */
  newestOf: () =>
    orm
      .select({ size: max(checkpoint.treeSize) })
      .from(checkpoint)
      .where(
        and(
          eq(checkpoint.logSeq, bound(checkpoint.logSeq, 'logSeq')),
          lte(checkpoint.checkpointSeq, bound(checkpoint.checkpointSeq, 'reach')),
        ),
      )
      .prepare(),
  /** The first checkpoint of a log, and the last. */
  firstCheckpoint: () => endOf(orm, asc(checkpoint.checkpointSeq)),
  lastCheckpoint: () => endOf(orm, desc(checkpoint.checkpointSeq)),
}));

function endOf(orm: Orm, order: SQL) {
  return orm
    .select()
    .from(checkpoint)
    .where(eq(checkpoint.logSeq, bound(checkpoint.logSeq, 'logSeq')))
    .orderBy(order)
    .limit(1)
    .prepare();
}

type Raw<Row, Bytes extends keyof Row> = {
  [Column in keyof Row]: Column extends Bytes ? Exclude<Row[Column], string> | Uint8Array : Row[Column];
};
type RawReceipt = Raw<
  ReceiptRow['receipt'],
  'receiptId' | 'inputDigest' | 'domainCommitment' | 'blindSalt' | 'prevReceiptHash'
> &
  Pick<ReceiptRow, 'operatorId' | 'follows' | 'isLogged' | 'isLoggedRevoked'> & {
    depth: number | null;
    operator: number | null;
  };
type RawVersion = Raw<VersionRow, 'outputHash' | 'contentHash'>;

/** By hand, since there are millions of them: mapping a row takes longer than reading it. */
const RECEIPTS = `
  SELECT r.receipt_seq AS receiptSeq, r.receipt_id AS receiptId, r.operator_seq AS operatorSeq, r.agent_id AS agentId,
    r.receipt_type AS receiptType, r.input_digest AS inputDigest, r.authority_scope AS authorityScope, r.expiry,
    r.issued_at AS issuedAt, r.domain, r.domain_commitment AS domainCommitment, r.blind_salt AS blindSalt,
    r.prev_receipt_hash AS prevReceiptHash, r.prev_receipt_seq AS prevReceiptSeq, r.chain_depth AS chainDepth, r.status,
    r.revocation_status AS revocationStatus, r.version, o.operator_id AS operatorId,
    p.chain_depth AS depth, p.operator_seq AS operator,
    EXISTS (SELECT 1 FROM receipt_version v WHERE v.receipt_seq = r.prev_receipt_seq AND v.content_hash = r.prev_receipt_hash)
      AS follows,
    EXISTS (SELECT 1 FROM receipt_leaf l WHERE l.receipt_seq = r.receipt_seq) AS isLogged,
    EXISTS (SELECT 1 FROM revocation_leaf l WHERE l.receipt_seq = r.receipt_seq) AS isLoggedRevoked
  FROM receipt r LEFT JOIN operator o ON o.operator_seq = r.operator_seq LEFT JOIN receipt p ON p.receipt_seq = r.prev_receipt_seq
  WHERE r.receipt_seq > ? AND r.receipt_seq <= ? ORDER BY r.receipt_seq`;

const VERSIONS = `
  SELECT receipt_seq AS receiptSeq, version, status, revocation_status AS revocationStatus, output_hash AS outputHash, reason,
    error_tranche AS errorTranche, revocation_reason AS revocationReason, content_hash AS contentHash,
    hash_prefix AS hashPrefix, signature, key_seq AS keySeq, signed_at AS signedAt
  FROM receipt_version WHERE receipt_seq > ? AND receipt_seq <= ? ORDER BY receipt_seq, version`;

/** The receipts behind `after` up to `reach`. */
export function receiptRows({ connection }: Snapshot, after: number, reach: number): ReceiptRow[] {
  const rows = connection.sqlite.query<RawReceipt, [number, number]>(RECEIPTS).all(after, reach);
  return rows.map(({ operatorId, depth, operator, follows, isLogged, isLoggedRevoked, ...raw }) => ({
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
    isLogged,
    isLoggedRevoked,
  }));
}

/** The versions of the receipts behind `after` up to `reach`. */
export function versionRows({ connection }: Snapshot, after: number, reach: number): VersionRow[] {
  const rows = connection.sqlite.query<RawVersion, [number, number]>(VERSIONS).all(after, reach);
  return rows.map((raw) => ({
    ...raw,
    contentHash: bytesToHex(raw.contentHash),
    outputHash: hexOrNull(raw.outputHash),
  }));
}

function hexOrNull(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : bytesToHex(bytes);
}

/** A leaf with the signed version that it stands for, if that is there. */
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
}

const leavesOf = (table: 'receipt_leaf' | 'revocation_leaf'): string => `
  SELECT l.leaf_seq AS leafSeq, l.receipt_seq AS receiptSeq, l.version AS leafVersion, l.leaf_hash AS leafHash, l.entry,
    r.receipt_id AS receiptId, v.status, v.revocation_status AS revocationStatus, v.content_hash AS contentHash, v.signature,
    v.signed_at AS signedAt, k.kid
  FROM ${table} l LEFT JOIN receipt r ON r.receipt_seq = l.receipt_seq
    LEFT JOIN receipt_version v ON v.receipt_seq = l.receipt_seq AND v.version = l.version
    LEFT JOIN signing_key k ON k.key_seq = v.key_seq
  WHERE l.leaf_seq >= ? AND l.leaf_seq < ? ORDER BY l.leaf_seq`;

const LEAVES = { receipts: leavesOf('receipt_leaf'), revocations: leavesOf('revocation_leaf') };

/** The leaves `from` to `to`, exclusive, by leaf_seq. */
export function leafRows(
  { connection }: Snapshot,
  name: keyof typeof LEAVES,
  from: number,
  to: number,
): LeafRow[] {
  const rows = connection.sqlite
    .query<Raw<LeafRow, 'receiptId' | 'contentHash' | 'signature'>, [number, number]>(LEAVES[name])
    .all(from, to);
  return rows.map((raw) => ({
    ...raw,
    receiptId: raw.receiptId === null ? null : `rcpt_${bytesToHex(raw.receiptId)}`,
    contentHash: hexOrNull(raw.contentHash),
    signature: hexOrNull(raw.signature),
  }));
}
