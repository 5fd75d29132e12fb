import { eq } from 'drizzle-orm';
import { agent } from '../../../../db/trust/agents.ts';
import { agentStanding } from '../../../../db/trust/reputation.ts';
import { bound, textList } from '../../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../../platform/store/transaction.ts';
import { RECEIPT_OUTCOMES } from '../../../proof/receipt/outcome.ts';
import { TERMINAL_STATUSES } from '../../../proof/receipt/receipt.ts';
import type { TreeSizes } from '../packages/request.ts';

/**
 * The rows of receipts and of evidence that are read at once, so that memory does not grow with the agent.
 */
const PAGE_ROWS = 8192;

/** The bits of a receipt. It has exactly one of the first four, by its status. */
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
  /** Has an entry in the slashing ledger. */
  slashed: 128,
} as const;

const BITS = RECEIPT_BITS;

/** The outcomes that `SUCCESSES` does not read. */
const NOT_SUCCESS = RECEIPT_OUTCOMES.filter((outcome) => outcome !== 'success');

/** Where both queries of receipts look: one day of an agent. CROSS JOIN keeps this order of the loops. */
const OF_DAY = `
  FROM agent_receipt a INDEXED BY agent_receipt_by_agent
  CROSS JOIN receipt_leaf l ON l.receipt_seq = a.receipt_seq
  CROSS JOIN receipt r ON r.receipt_seq = a.receipt_seq`;

/** The receipts of a day that ended with success and without an error: most receipts, with fewer columns. */
const SUCCESSES = `
  SELECT l.leaf_seq, r.prev_receipt_seq IS NOT NULL, a.receipt_seq ${OF_DAY}
  WHERE a.agent_seq = $agentSeq AND a.day = $day AND a.outcome = 'success' AND a.receipt_seq > $after AND l.leaf_seq <= $leaves
  ORDER BY a.receipt_seq LIMIT ${PAGE_ROWS}`;

/** The receipts of a day with an outcome that were finalized in the period, with their bits. */
const RECEIPTS = `
  SELECT l.leaf_seq,
    CASE WHEN v.status = 'success' THEN ${BITS.success} WHEN v.status = 'refusal' THEN ${BITS.refused}
        WHEN v.status IN (${textList(TERMINAL_STATUSES)}) THEN ${BITS.terminated} WHEN v.status = 'null' THEN ${BITS.ofNull} ELSE 0 END
      + iif(a.outcome = 'failure', ${BITS.failed}, 0)
      + iif(v.status = 'timeout' OR v.error_tranche = 'COMPUTE_TIMEOUT', ${BITS.timedOut}, 0)
      + iif(r.prev_receipt_seq IS NOT NULL, ${BITS.linked}, 0)
      + iif(v.error_tranche <> 'NONE' AND EXISTS (SELECT 1 FROM slash s WHERE s.receipt_seq = a.receipt_seq), ${BITS.slashed}, 0),
    a.receipt_seq ${OF_DAY}
  CROSS JOIN receipt_version v ON v.receipt_seq = l.receipt_seq AND v.version = l.version
  WHERE a.agent_seq = $agentSeq AND a.day = $day AND a.outcome = $outcome AND a.receipt_seq > $after AND l.leaf_seq <= $leaves
    AND v.signed_at >= $from AND v.signed_at < $to
  ORDER BY a.receipt_seq LIMIT ${PAGE_ROWS}`;

/** The evidence of an agent in a period after a position, in the order of the index that has all columns. */
const EVIDENCE = `
  SELECT evidence_seq, source_type, outcome, created_at
  FROM evidence INDEXED BY evidence_by_time
  WHERE agent_seq = $agentSeq AND created_at < $to AND evidence_seq <= $leaves
    AND (created_at, source_type, outcome, evidence_seq) > ($afterTime, $afterType, $afterOutcome, $afterSeq)
  ORDER BY created_at, source_type, outcome, evidence_seq LIMIT ${PAGE_ROWS}`;

const REVOKED_IN_PERIOD = `
  CROSS JOIN revocation_leaf l ON l.leaf_seq = found.leaf_seq
  LEFT JOIN receipt_version v ON v.receipt_seq = l.receipt_seq AND v.version = l.version
  WHERE l.leaf_seq <= $leaves AND coalesce(v.signed_at, json_extract(l.entry, '$.revoked_at')) >= $from
    AND coalesce(v.signed_at, json_extract(l.entry, '$.revoked_at')) < $to
  ORDER BY l.leaf_seq`;

/**
 * The revocations of an agent's receipts: read by its receipts or by all revocations, the fewer of the two.
 */
const REVOCATIONS = {
  byReceipts: `
    SELECT l.leaf_seq FROM (
      SELECT k.leaf_seq FROM agent_receipt a INDEXED BY agent_receipt_by_agent
      CROSS JOIN revocation_leaf k ON k.receipt_seq = a.receipt_seq WHERE a.agent_seq = $agentSeq
    ) AS found ${REVOKED_IN_PERIOD}`,
  byRevocations: `
    SELECT l.leaf_seq FROM (
      SELECT k.leaf_seq FROM revocation_leaf k CROSS JOIN agent_receipt a ON a.receipt_seq = k.receipt_seq
      WHERE +a.agent_seq = $agentSeq
    ) AS found ${REVOKED_IN_PERIOD}`,
};

const COUNTS = {
  measuredDays: `
    SELECT count(*) AS n FROM agent_day
    WHERE agent_seq = $agentSeq AND day BETWEEN $firstDay AND $lastDay AND successes + failures > 0`,
  keyEvents: `
    SELECT count(*) AS n, coalesce(sum(event = 'compromised'), 0) AS compromised FROM key_leaf
    WHERE leaf_seq <= $leaves AND json_extract(entry, '$.at') < $to`,
  checkpoints: `
    SELECT count(*) AS n FROM checkpoint JOIN log USING (log_seq)
    WHERE log.name = 'receipts' AND issued_at >= $from AND issued_at < $to`,
  cosigned: `
    SELECT count(DISTINCT checkpoint_seq) AS n FROM checkpoint_cosignature JOIN checkpoint USING (checkpoint_seq) JOIN log USING (log_seq)
    WHERE log.name = 'receipts' AND issued_at >= $from AND issued_at < $to`,
  revocations: 'SELECT coalesce(max(leaf_seq), 0) AS n FROM revocation_leaf',
  receipts: 'SELECT coalesce(max(leaf_seq), 0) AS n FROM receipt_leaf',
};

/** The newest item of an agent has the largest leaf: positions and leaves grow together. */
const NEWEST_ITEM = `
  SELECT evidence_seq AS leaf_seq FROM evidence WHERE agent_seq = $agentSeq ORDER BY position DESC LIMIT 1`;

/**
 * A receipt or a revocation of an agent that was logged after a leaf. Only the leaves that no checkpoint
 * covers yet are read.
 */
const laterLeaf = (table: string) => `
  SELECT max(l.leaf_seq) AS leaf_seq FROM ${table} l CROSS JOIN agent_receipt a ON a.receipt_seq = l.receipt_seq
  WHERE l.leaf_seq > $after AND +a.agent_seq = $agentSeq`;

/**
 * How many uncovered leaves are searched for those of an agent. More wait only while nothing is published.
 */
const MOST_UNCOVERED = 10_000;

/** Parameters, and a row of columns that are numbers or text. */
type Values = Record<string, string | number>;

const query = statements((orm, sqlite) => ({
  agent: () =>
    orm
      .select({
        agentSeq: agent.agentSeq,
        publicKey: agent.publicKey,
        state: agent.state,
        sponsorSeq: agent.sponsorSeq,
        revokedAt: agent.revokedAt,
        evidenceCount: agentStanding.evidenceCount,
        receiptCount: agentStanding.receiptCount,
        failureCount: agentStanding.failureCount,
        firstObservedAt: agentStanding.firstObservedAt,
        lastObservedAt: agentStanding.lastObservedAt,
      })
      .from(agent)
      .leftJoin(agentStanding, eq(agentStanding.agentSeq, agent.agentSeq))
      .where(eq(agent.subjectCommitment, bound(agent.subjectCommitment, 'commitment')))
      .prepare(),
  successes: () => sqlite.prepare<unknown, [Values]>(SUCCESSES),
  receipts: () => sqlite.prepare<unknown, [Values]>(RECEIPTS),
  evidence: () => sqlite.prepare<unknown, [Values]>(EVIDENCE),
  revokedByReceipts: () => sqlite.prepare<{ leaf_seq: number }, [Values]>(REVOCATIONS.byReceipts),
  revokedByRevocations: () => sqlite.prepare<{ leaf_seq: number }, [Values]>(REVOCATIONS.byRevocations),
  agentRevocation: () =>
    sqlite.prepare<{ leaf_seq: number }, [Values]>(
      'SELECT leaf_seq FROM revocation_leaf WHERE agent_seq = $agentSeq',
    ),
  measuredDays: () => sqlite.prepare<{ n: number }, [Values]>(COUNTS.measuredDays),
  keyEvents: () => sqlite.prepare<{ n: number; compromised: number }, [Values]>(COUNTS.keyEvents),
  checkpoints: () => sqlite.prepare<{ n: number }, [Values]>(COUNTS.checkpoints),
  cosigned: () => sqlite.prepare<{ n: number }, [Values]>(COUNTS.cosigned),
  revocations: () => sqlite.prepare<{ n: number }, []>(COUNTS.revocations),
  receiptLeaves: () => sqlite.prepare<{ n: number }, []>(COUNTS.receipts),
  newestItem: () => sqlite.prepare<{ leaf_seq: number }, [Values]>(NEWEST_ITEM),
  laterReceipt: () => sqlite.prepare<{ leaf_seq: number | null }, [Values]>(laterLeaf('receipt_leaf')),
  laterRevocation: () => sqlite.prepare<{ leaf_seq: number | null }, [Values]>(laterLeaf('revocation_leaf')),
}));

/** What a package of an agent depends on, besides its entries. */
export interface AgentFacts {
  agentSeq: number;
  /** 64 lower-case hexadecimal characters. */
  publicKey: string;
  state: string;
  sponsorSeq: number | null;
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

/**
 * Returns an agent, even if it was revoked; null for an unknown commitment.
 * @param commitment 64 lower-case hexadecimal characters
 */
export function agentFacts(snapshot: Snapshot, commitment: string): Promise<AgentFacts | null> {
  return query(snapshot, (sql) => sql.agent.get({ commitment }) ?? null);
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
  return query(snapshot, (sql) => {
    // The leaf with index 0 has the number 1, so a tree of n leaves contains the leaves up to number n.
    const needed = (all: number, size: number, later: typeof sql.laterReceipt): number => {
      if (all - size > MOST_UNCOVERED) return all;
      return all > size ? (later.get({ after: size, agentSeq })?.leaf_seq ?? 0) : 0;
    };
    return {
      receipts: needed(sql.receiptLeaves.get()?.n ?? 0, sizes.receipts, sql.laterReceipt),
      revocations: Math.max(
        needed(sql.revocations.get()?.n ?? 0, sizes.revocations, sql.laterRevocation),
        sql.agentRevocation.get({ agentSeq })?.leaf_seq ?? 0,
      ),
      evidence: sql.newestItem.get({ agentSeq })?.leaf_seq ?? 0,
    };
  });
}

/**
 * Calls `add` with the leaf_seq and the bits of each receipt of an agent that was finalized in the period,
 * day by day.
 */
export function eachReceipt(
  snapshot: Snapshot,
  agentSeq: number,
  { from, to, firstDay, lastDay }: Bounds,
  leaves: number,
  add: (leafSeq: number, bits: number) => void,
): Promise<void> {
  return query(snapshot, (sql) => {
    for (let day = firstDay; day <= lastDay; day++) {
      const isWhole = day > firstDay && day < lastDay;
      if (isWhole) {
        eachRow(sql.successes, { agentSeq, day, leaves }, (leafSeq, isLinked) =>
          add(leafSeq, BITS.success + (isLinked === 1 ? BITS.linked : 0)),
        );
      }
      for (const outcome of isWhole ? NOT_SUCCESS : RECEIPT_OUTCOMES)
        eachRow(sql.receipts, { agentSeq, day, outcome, from, to, leaves }, add);
    }
  });
}

/**
 * Reads the rows of a statement in pages. Its last column is the number of the receipt from which the next
 * page continues.
 */
function eachRow(
  statement: { values(values: Values): unknown[][] },
  values: Values,
  add: (first: number, second: number) => void,
): void {
  let after = 0;
  for (;;) {
    const rows = statement.values({ ...values, after });
    for (const [first, second] of rows) add(Number(first), Number(second));
    if (rows.length < PAGE_ROWS) return;
    after = Number(rows.at(-1)?.at(-1));
  }
}

/**
 * Calls `add` with each item of evidence of an agent that was anchored in the period, in the order of time.
 */
export function eachItem(
  snapshot: Snapshot,
  agentSeq: number,
  { from, to }: Bounds,
  leaves: number,
  add: (leafSeq: number, sourceType: string, hasFailed: boolean) => void,
): Promise<void> {
  return query(snapshot, (sql) => {
    let after: Values = { afterTime: from, afterType: '', afterOutcome: '', afterSeq: 0 };
    for (;;) {
      const rows = sql.evidence.values({ agentSeq, to, leaves, ...after });
      for (const [leafSeq, sourceType, outcome] of rows) {
        add(Number(leafSeq), String(sourceType), outcome === 'failure');
      }
      const [leafSeq, sourceType, outcome, createdAt] = rows.at(-1) ?? [];
      if (rows.length < PAGE_ROWS) return;
      after = {
        afterTime: String(createdAt),
        afterType: String(sourceType),
        afterOutcome: String(outcome),
        afterSeq: Number(leafSeq),
      };
    }
  });
}

/**
 * Returns the leaf_seq of the revocations of an agent's receipts in the period, ascending.
 * @param receipts how many the agent has
 */
export function receiptRevocations(
  snapshot: Snapshot,
  agentSeq: number,
  { from, to }: Bounds,
  leaves: number,
  receipts: number,
): Promise<number[]> {
  return query(snapshot, (sql) => {
    const all = sql.revocations.get()?.n ?? 0;
    const statement = receipts < all ? sql.revokedByReceipts : sql.revokedByRevocations;
    return statement.all({ agentSeq, from, to, leaves }).map(({ leaf_seq }) => leaf_seq);
  });
}

/** Returns the leaf_seq of the revocation of an agent; null if it was not revoked. */
export function agentRevocation(snapshot: Snapshot, agentSeq: number): Promise<number | null> {
  return query(snapshot, (sql) => sql.agentRevocation.get({ agentSeq })?.leaf_seq ?? null);
}

/** Returns how many days of a period have an outcome that counts for the reputation of an agent. */
export function measuredDays(
  snapshot: Snapshot,
  agentSeq: number,
  { firstDay, lastDay }: Bounds,
): Promise<number> {
  return query(snapshot, (sql) => sql.measuredDays.get({ agentSeq, firstDay, lastDay })?.n ?? 0);
}

/** Returns how many events of keys came before the end of a period, and how many report a compromise. */
export function keyEvents(
  snapshot: Snapshot,
  { to }: Bounds,
  leaves: number,
): Promise<{ all: number; compromised: number }> {
  return query(snapshot, (sql) => {
    const { n = 0, compromised = 0 } = sql.keyEvents.get({ to, leaves }) ?? {};
    return { all: n, compromised };
  });
}

/**
 * Returns how many checkpoints of the log of receipts a period has, and how many of them witnesses cosigned.
 */
export function checkpointsIn(
  snapshot: Snapshot,
  { from, to }: Bounds,
): Promise<{ all: number; cosigned: number }> {
  return query(snapshot, (sql) => ({
    all: sql.checkpoints.get({ from, to })?.n ?? 0,
    cosigned: sql.cosigned.get({ from, to })?.n ?? 0,
  }));
}
