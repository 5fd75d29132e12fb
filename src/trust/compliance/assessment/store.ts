import { agent, agentRevocationLeaf } from '../../../../db/trust/agents.ts';
import { evidence } from '../../../../db/trust/evidence.ts';
import { checkpoint } from '../../../../db/trust/log.ts';
import { operator } from '../../../../db/trust/operators.ts';
import { receiptLeaf } from '../../../../db/trust/receipts.ts';
import { agentReceipt, agentStanding } from '../../../../db/trust/reputation.ts';
import { textList } from '../../../platform/store/columns.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { MAX_SPONSORS } from '../../../proof/package/format.ts';
import { RECEIPT_OUTCOMES } from '../../../proof/receipt/outcome.ts';
import { TERMINAL_STATUSES } from '../../../proof/receipt/receipt.ts';
import type { TreeSizes } from '../packages/request.ts';

const sql = sqlOf({ agent, agentReceipt, checkpoint, evidence, receiptLeaf });

/**
 * The rows of receipts and of evidence that are read at once, so that memory does not grow with the agent.
 */
const PAGE_ROWS = 8192;

/** The bits of a receipt. It has at most one of the first four, by its status. */
export const RECEIPT_BITS = {
  success: 1,
  refused: 2,
  terminated: 4,
  ofNull: 8,
  /** By `receiptOutcome`, which decided it when the receipt was counted. */
  failed: 16,
  /** By its status or its error tranche. */
  timedOut: 32,
  /** Names the receipt before it. */
  linked: 64,
  /** A slash took something of the stake for it. */
  slashed: 128,
  /** Was revoked since. A success that was revoked has not the first bit. */
  revoked: 256,
} as const;

const BITS = RECEIPT_BITS;
const bit = (name: keyof typeof BITS) => sql.verbatim(String(BITS[name]));
const PAGE = sql.verbatim(`LIMIT ${PAGE_ROWS}`);

/** The outcomes that `successes` does not read. */
const NOT_SUCCESS = RECEIPT_OUTCOMES.filter((outcome) => outcome !== 'success');

/** Where both queries of receipts look: one day of an agent. CROSS JOIN keeps this order of the loops. */
const OF_DAY = sql.part`
  FROM agent_receipt INDEXED BY agent_receipt_by_agent
  CROSS JOIN receipt_leaf ON receipt_leaf.receipt_seq = agent_receipt.receipt_seq`;
/** Only receipts that are linked or revoked: their index has all that is asked of them. */
const MARKED = sql.part`
  LEFT JOIN receipt AS marked INDEXED BY receipt_marks ON marked.receipt_seq = agent_receipt.receipt_seq
    AND (marked.prev_receipt_seq IS NOT NULL OR marked.revocation_status = 'revoked')`;
const AFTER = sql.part`agent_receipt.receipt_seq > ${'after:number'} AND receipt_leaf.leaf_seq <= ${'leaves:number'}`;

/**
 * The receipts of a day that ended with success and without an error: most receipts. Three indexes have all
 * that is read of them.
 */
const successes = sql.joined({
  leafSeq: receiptLeaf.leafSeq,
  bits: sql.number`CASE WHEN marked.revocation_status = 'revoked' THEN ${bit('revoked')} ELSE ${bit('success')} END
    + CASE WHEN marked.prev_receipt_seq IS NULL THEN 0 ELSE ${bit('linked')} END`,
  receiptSeq: agentReceipt.receiptSeq,
}).rows`${OF_DAY}
  ${MARKED}
  WHERE agent_seq = ${'agentSeq'} AND day = ${'day'} AND outcome = 'success' AND ${AFTER}
  ORDER BY agent_receipt.receipt_seq ${PAGE}`;

/** The receipts of a day with an outcome that were finalized in the period, with their bits. */
const receipts = sql.joined({
  leafSeq: receiptLeaf.leafSeq,
  bits: sql.number`
    CASE WHEN receipt_version.status = 'success'
          THEN CASE marked.revocation_status WHEN 'revoked' THEN 0 ELSE ${bit('success')} END
        WHEN receipt_version.status = 'refusal' THEN ${bit('refused')}
        WHEN receipt_version.status IN (${sql.verbatim(textList(TERMINAL_STATUSES))}) THEN ${bit('terminated')}
        WHEN receipt_version.status = 'null' THEN ${bit('ofNull')} ELSE 0 END
      + CASE WHEN outcome = 'failure' THEN ${bit('failed')} ELSE 0 END
      + CASE WHEN receipt_version.status = 'timeout' OR error_tranche = 'COMPUTE_TIMEOUT'
        THEN ${bit('timedOut')} ELSE 0 END
      + CASE WHEN marked.prev_receipt_seq IS NOT NULL THEN ${bit('linked')} ELSE 0 END
      + CASE WHEN error_tranche <> 'NONE'
          AND EXISTS (SELECT 1 FROM slash WHERE slash.receipt_seq = agent_receipt.receipt_seq AND amount_cents > 0)
        THEN ${bit('slashed')} ELSE 0 END
      + CASE marked.revocation_status WHEN 'revoked' THEN ${bit('revoked')} ELSE 0 END`,
  receiptSeq: agentReceipt.receiptSeq,
}).rows`${OF_DAY}
  CROSS JOIN receipt_version ON receipt_version.receipt_seq = receipt_leaf.receipt_seq
    AND receipt_version.version = receipt_leaf.version
  ${MARKED}
  WHERE agent_seq = ${'agentSeq'} AND day = ${'day'} AND outcome = ${'outcome:agentReceipt.outcome'} AND ${AFTER}
    AND signed_at >= ${'from:text'} AND signed_at < ${'to:text'}
  ORDER BY agent_receipt.receipt_seq ${PAGE}`;

/** The evidence of an agent in a period after a position, in the order of the index that has all columns. */
const items = sql.joined({
  leafSeq: evidence.evidenceSeq,
  sourceType: evidence.sourceType,
  outcome: evidence.outcome,
  createdAt: evidence.createdAt,
}).rows`
  FROM evidence INDEXED BY evidence_by_time
  WHERE agent_seq = ${'agentSeq'} AND created_at < ${'to:text'} AND evidence_seq <= ${'leaves:number'}
    AND (created_at, source_type, outcome, evidence_seq)
      > (${'afterTime:text'}, ${'afterType:text'}, ${'afterOutcome:text'}, ${'afterSeq:number'})
  ORDER BY created_at, source_type, outcome, evidence_seq ${PAGE}`;

const REVOKED_IN_PERIOD = sql.part`
  CROSS JOIN revocation_leaf ON revocation_leaf.leaf_seq = found.leaf_seq
  LEFT JOIN receipt_version ON receipt_version.receipt_seq = revocation_leaf.receipt_seq
    AND receipt_version.version = revocation_leaf.version
  WHERE revocation_leaf.leaf_seq <= ${'leaves:number'}
    AND coalesce(signed_at, json_extract(entry, '$.revoked_at')) >= ${'from:text'}
    AND coalesce(signed_at, json_extract(entry, '$.revoked_at')) < ${'to:text'}
  ORDER BY revocation_leaf.leaf_seq`;
const revocations = sql.values(sql.number`revocation_leaf.leaf_seq`, {
  scans: 'sorts the revocations of one agent',
});

/**
 * The revocations of an agent's receipts: read by its receipts or by all revocations, the fewer of the two.
 */
const revokedByReceipts = revocations`
  FROM (
    SELECT leaf_seq FROM agent_receipt INDEXED BY agent_receipt_by_agent
    CROSS JOIN revocation_leaf ON revocation_leaf.receipt_seq = agent_receipt.receipt_seq
    WHERE agent_receipt.agent_seq = ${'agentSeq'}
  ) AS found ${REVOKED_IN_PERIOD}`;
const revokedByRevocations = revocations`
  FROM (
    SELECT leaf_seq FROM revocation_leaf
    CROSS JOIN agent_receipt ON agent_receipt.receipt_seq = revocation_leaf.receipt_seq
    WHERE +agent_receipt.agent_seq = ${'agentSeq'}
  ) AS found ${REVOKED_IN_PERIOD}`;

const keyCounts = sql.joined({
  all: sql.number`count(*)`,
  compromised: sql.number`count(*) FILTER (WHERE event = 'compromised')`,
}).row`FROM key_leaf WHERE leaf_seq <= ${'leaves:number'} AND json_extract(entry, '$.at') < ${'to:text'}`;

const OF_RECEIPTS = sql.part`JOIN log USING (log_seq)
  WHERE log.name = 'receipts' AND issued_at >= ${'from:issuedAt'} AND issued_at < ${'to:issuedAt'}`;
const checkpoints = sql.count(checkpoint)`${OF_RECEIPTS}`;
const cosignedCheckpoints = sql.value(sql.number`count(DISTINCT checkpoint_seq)`, {
  scans: 'all cosignatures, once a package',
})`
  FROM checkpoint_cosignature JOIN checkpoint USING (checkpoint_seq) ${OF_RECEIPTS}`;

const newestLeaf = sql.value(sql.number`coalesce(max(leaf_seq), 0)`);
const newestReceipt = newestLeaf`FROM receipt_leaf`;
const newestRevocation = newestLeaf`FROM revocation_leaf`;
/** The newest item of an agent has the largest leaf: positions and leaves grow together. */
const newestItem = sql.value(evidence.evidenceSeq)`
  WHERE agent_seq = ${'agentSeq'} ORDER BY position DESC LIMIT 1`;

/**
 * A receipt or a revocation of an agent that was logged after a leaf. Only the leaves that no checkpoint
 * covers yet are read.
 */
const laterLeaf = (table: 'receipt_leaf' | 'revocation_leaf') =>
  sql.value(orNull(sql.number`max(leaf_seq)`))`
    FROM ${sql.verbatim(table)} AS leaf CROSS JOIN agent_receipt ON agent_receipt.receipt_seq = leaf.receipt_seq
    WHERE leaf_seq > ${'after:number'} AND +agent_receipt.agent_seq = ${'agentSeq'}`;
const laterReceipt = laterLeaf('receipt_leaf');
const laterRevocation = laterLeaf('revocation_leaf');

/**
 * How many uncovered leaves are searched for those of an agent. More wait only while nothing is published.
 */
const MOST_UNCOVERED = 10_000;

/** What a package of an agent depends on, besides its entries. */
export interface AgentFacts {
  agentSeq: number;
  /** 64 lower-case hexadecimal characters, as the public key. */
  subjectCommitment: string;
  publicKey: string;
  /** The name that it gave itself. */
  name: string | null;
  state: string;
  /** When it enrolled, RFC 3339. */
  issuedAt: string;
  sponsorSeq: number | null;
  /** The id of the operator that sponsors it. */
  sponsor: string | null;
  revokedAt: string | null;
  /** The counters of its reputation; null before its first entry. */
  evidenceCount: number | null;
  receiptCount: number | null;
  failureCount: number | null;
  /** RFC 3339. */
  firstObservedAt: string | null;
  lastObservedAt: string | null;
}

/** A period in both forms that rows have, with the sizes of the trees that bound it. */
export interface Bounds {
  /** RFC 3339 in UTC with milliseconds; from inclusive, to exclusive. */
  from: string;
  to: string;
  /** The days of the first and of the last moment, since 1970-01-01 UTC. */
  firstDay: number;
  lastDay: number;
}

/** Returns an agent by its subject commitment, even if it was revoked; null for an unknown one. */
export const agentFacts = sql.joined({
  agentSeq: agent.agentSeq,
  subjectCommitment: agent.subjectCommitment,
  publicKey: agent.publicKey,
  name: agent.name,
  state: agent.state,
  issuedAt: agent.issuedAt,
  sponsorSeq: agent.sponsorSeq,
  sponsor: orNull(operator.operatorId),
  revokedAt: agent.revokedAt,
  evidenceCount: orNull(agentStanding.evidenceCount),
  receiptCount: orNull(agentStanding.receiptCount),
  failureCount: orNull(agentStanding.failureCount),
  firstObservedAt: orNull(agentStanding.firstObservedAt),
  lastObservedAt: orNull(agentStanding.lastObservedAt),
}).row`FROM agent LEFT JOIN agent_standing USING (agent_seq)
    LEFT JOIN operator ON operator.operator_seq = agent.sponsor_seq
    WHERE subject_commitment = ${'subjectCommitment'}`;

/** Returns the leaf_seq of the revocation of an agent; null if it was not revoked. */
export const agentRevocation = sql.value(agentRevocationLeaf.leafSeq)`WHERE agent_seq = ${'agentSeq'}`;

const sponsors = sql.joined({ id: operator.operatorId }, { scans: 'sorts the sponsors of one agent' }).rows`
  FROM agent_sponsor JOIN operator USING (operator_seq)
  WHERE agent_seq = ${'agentSeq'} AND since < ${'to:text'} AND coalesce(until >= ${'from:text'}, TRUE)
  ORDER BY since DESC LIMIT ${'limit:number'}`;

/** Returns the ids of the operators that sponsored an agent in a period, at most the last 16, by time. */
export async function sponsorsIn(
  snapshot: Snapshot,
  { agentSeq }: Pick<AgentFacts, 'agentSeq'>,
  { from, to }: Pick<Bounds, 'from' | 'to'>,
): Promise<string[]> {
  const last = await sponsors(snapshot, { agentSeq, from, to, limit: MAX_SPONSORS });
  return last.map(({ id }) => id).toReversed();
}

/**
 * Returns the numbers of leaves that logs must have to contain the newest entries of an agent.
 * @param sizes of published trees: entries in them are not looked for
 */
export function agentSizesNeeded(
  snapshot: Snapshot,
  agentSeq: number,
  sizes: TreeSizes,
): Promise<Pick<TreeSizes, 'receipts' | 'revocations' | 'evidence'>> {
  return runQuery(snapshot, (connection) => {
    // The leaf with index 0 has the number 1, so a tree of n leaves contains the leaves up to number n.
    const needed = (all: number, size: number, later: typeof laterReceipt): number => {
      if (all - size > MOST_UNCOVERED) return all;
      return all > size ? (later.on(connection, { after: size, agentSeq }) ?? 0) : 0;
    };
    return {
      receipts: needed(newestReceipt.on(connection) ?? 0, sizes.receipts, laterReceipt),
      revocations: Math.max(
        needed(newestRevocation.on(connection) ?? 0, sizes.revocations, laterRevocation),
        agentRevocation.on(connection, agentSeq) ?? 0,
      ),
      evidence: newestItem.on(connection, agentSeq) ?? 0,
    };
  });
}

/**
 * Calls `add` with the leaf_seq, the bits and the day of each receipt of an agent that was finalized in the
 * period, day by day.
 */
export function eachReceipt(
  snapshot: Snapshot,
  agentSeq: number,
  { from, to, firstDay, lastDay }: Bounds,
  leaves: number,
  add: (leafSeq: number, bits: number, day: number) => void,
): Promise<void> {
  return runQuery(snapshot, (connection) => {
    for (let day = firstDay; day <= lastDay; day++) {
      const isWhole = day > firstDay && day < lastDay;
      if (isWhole) {
        eachRow(
          (after) => successes.on(connection, { agentSeq, day, leaves, after }),
          ({ leafSeq, bits }) => add(leafSeq, bits, day),
        );
      }
      for (const outcome of isWhole ? NOT_SUCCESS : RECEIPT_OUTCOMES)
        eachRow(
          (after) => receipts.on(connection, { agentSeq, day, outcome, from, to, leaves, after }),
          ({ leafSeq, bits }) => add(leafSeq, bits, day),
        );
    }
  });
}

/** Reads rows of receipts in pages. Each page continues after the last receipt of the page before. */
function eachRow<Row extends { receiptSeq: number }>(
  pageAfter: (after: number) => Row[],
  add: (row: Row) => void,
): void {
  let after = 0;
  for (;;) {
    const rows = pageAfter(after);
    for (const row of rows) add(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = last.receiptSeq;
  }
}

/** An item of evidence, as a package counts it. */
interface CountedItem {
  leafSeq: number;
  sourceType: string;
  hasFailed: boolean;
  /** When it was anchored, in days since 1970-01-01 UTC. */
  day: number;
}

/**
 * Calls `add` with each item of evidence of an agent that was anchored in the period, in the order of time.
 */
export function eachItem(
  snapshot: Snapshot,
  agentSeq: number,
  { from, to }: Bounds,
  leaves: number,
  add: (item: CountedItem) => void,
): Promise<void> {
  return runQuery(snapshot, (connection) => {
    let after = { afterTime: from, afterType: '', afterOutcome: '', afterSeq: 0 };
    // Parsing the time of each item would take as long as reading it.
    let newest = { date: '', day: 0 };
    for (;;) {
      const rows = items.on(connection, { agentSeq, to, leaves, ...after });
      for (const { leafSeq, sourceType, outcome, createdAt } of rows) {
        const date = createdAt.slice(0, 10);
        if (date !== newest.date) newest = { date, day: Math.floor(Date.parse(createdAt) / DAY_MS) };
        add({ leafSeq, sourceType, hasFailed: outcome === 'failure', day: newest.day });
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE_ROWS) return;
      const { leafSeq, sourceType, outcome, createdAt } = last;
      after = { afterTime: createdAt, afterType: sourceType, afterOutcome: outcome, afterSeq: leafSeq };
    }
  });
}

/**
 * Returns the leaf_seq of the revocations of an agent's receipts in the period, ascending.
 * @param receipts how many the agent has
 */
export async function receiptRevocations(
  snapshot: Snapshot,
  agentSeq: number,
  { from, to }: Bounds,
  leaves: number,
  receipts: number,
): Promise<number[]> {
  const all = (await newestRevocation(snapshot)) ?? 0;
  const revoked = receipts < all ? revokedByReceipts : revokedByRevocations;
  return revoked(snapshot, { agentSeq, from, to, leaves });
}

/** Returns how many events of keys came before the end of a period, and how many report a compromise. */
export async function keyEvents(
  snapshot: Snapshot,
  { to }: Bounds,
  leaves: number,
): Promise<{ all: number; compromised: number }> {
  return (await keyCounts(snapshot, { to, leaves })) ?? { all: 0, compromised: 0 };
}

/**
 * Returns how many checkpoints of the log of receipts a period has, and how many of them witnesses cosigned.
 */
export async function checkpointsIn(
  snapshot: Snapshot,
  { from, to }: Bounds,
): Promise<{ all: number; cosigned: number }> {
  return {
    all: await checkpoints(snapshot, { from, to }),
    cosigned: (await cosignedCheckpoints(snapshot, { from, to })) ?? 0,
  };
}
