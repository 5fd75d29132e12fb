import type { Snapshot } from '../../../platform/store/transaction.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { type Coverage, coverageOf } from '../../../proof/package/coverage.ts';
import type { AgentCount, AgentSet, OwnCount } from '../../../proof/package/frameworks/vocabulary.ts';
import { FIRST_LEAF } from '../../log/logs.ts';
import { unfinishedReceipts } from '../../receipts/unfinished.ts';
import type { SetLeaves } from '../packages/builder.ts';
import type { TreeSizes } from '../packages/request.ts';
import {
  type AgentFacts,
  agentRevocation,
  type Bounds,
  checkpointsIn,
  eachItem,
  eachReceipt,
  keyEvents,
  RECEIPT_BITS,
  receiptRevocations,
} from './store.ts';

/** The bits of an item of evidence: one for each group of types, and one for its outcome. */
const ITEM_BITS = { change: 1, trace: 2, deliverable: 4, failed: 8 } as const;

const BITS_OF_TYPES: Readonly<Record<string, number>> = {
  github_push_webhook: ITEM_BITS.change,
  github_commit_payload: ITEM_BITS.change,
  github_issue_event: ITEM_BITS.change,
  otel_genai_trace: ITEM_BITS.trace,
  task_deliverable: ITEM_BITS.deliverable,
};

/** Leaves of one log with two bytes of bits each: ten bytes for a leaf. */
class Leaves {
  private indexes = new Float64Array(1024);
  private bits = new Uint16Array(1024);
  private count = 0;
  private isAscending = true;
  private readonly days = new Set<number>();
  /** Entries come day by day, so that most need no look-up. */
  private newestDay = -1;

  get size(): number {
    return this.count;
  }

  /** Returns the coverage of a period by these leaves. */
  coverageOf(records: 'receipts' | 'evidence', period: { from: string; to: string }): Coverage {
    return coverageOf(records, { count: this.count, recordDays: this.days }, period);
  }

  /** @param day of the entry, in days since 1970-01-01 UTC */
  add(index: number, bits: number, day: number): void {
    if (this.count === this.indexes.length) {
      const [indexes, allBits] = [new Float64Array(2 * this.count), new Uint16Array(2 * this.count)];
      indexes.set(this.indexes);
      allBits.set(this.bits);
      [this.indexes, this.bits] = [indexes, allBits];
    }
    if (this.count > 0 && index < (this.indexes[this.count - 1] ?? 0)) this.isAscending = false;
    this.indexes[this.count] = index;
    this.bits[this.count] = bits;
    this.count++;
    if (day !== this.newestDay) this.days.add(day);
    this.newestDay = day;
  }

  /** Returns how many leaves have one of these bits. */
  having(bits: number): number {
    let having = 0;
    for (let at = 0; at < this.count; at++) if (((this.bits[at] ?? 0) & bits) !== 0) having++;
    return having;
  }

  /** Returns the indexes of the leaves that have one of these bits, ascending. Without bits, of all. */
  indexesOf(bits: number | null = null): Float64Array {
    const chosen =
      bits === null
        ? this.indexes.slice(0, this.count)
        : this.indexes.subarray(0, this.count).filter((_, at) => ((this.bits[at] ?? 0) & bits) !== 0);
    return this.isAscending ? chosen : chosen.sort();
  }
}

/** The entries of an agent in a period, and what is counted of them. */
export interface AgentEntries {
  /** Without what reports and assessors say, which differs from control to control. */
  counts: Record<Exclude<AgentCount, OwnCount>, number>;
  /** The number of records of the whole package. */
  records: Record<string, number>;
  /** How much of the period has receipts, and evidence. */
  coverage: Coverage[];
  /** Returns the leaves of a set. @param reports those of the reports that it has, ascending */
  leavesOf(set: AgentSet, reports: readonly number[]): SetLeaves;
}

/** Reads the entries of an agent in a period. @param sizes of the trees: later leaves do not count */
export async function entriesOf(
  snapshot: Snapshot,
  agent: AgentFacts,
  period: { from: string; to: string; generatedAt: string },
  sizes: TreeSizes,
): Promise<AgentEntries> {
  const { agentSeq } = agent;
  const bounds = boundsOf(period);
  const receipts = new Leaves();
  await eachReceipt(snapshot, agentSeq, bounds, sizes.receipts, (leafSeq, bits, day) =>
    receipts.add(leafSeq - FIRST_LEAF, bits, day),
  );
  const evidence = new Leaves();
  await eachItem(snapshot, agentSeq, bounds, sizes.evidence, ({ leafSeq, sourceType, hasFailed, day }) =>
    evidence.add(
      leafSeq - FIRST_LEAF,
      (BITS_OF_TYPES[sourceType] ?? 0) + (hasFailed ? ITEM_BITS.failed : 0),
      day,
    ),
  );
  const receiptCount = agent.receiptCount ?? 0;
  const revoked = await receiptRevocations(snapshot, agentSeq, bounds, sizes.revocations, receiptCount);
  const agentRevocations = await ownRevocation(snapshot, agent, bounds, sizes.revocations);
  const revocations = [...revoked, ...agentRevocations]
    .map((leafSeq) => leafSeq - FIRST_LEAF)
    .sort((one, other) => one - other);
  const keys = await keyEvents(snapshot, bounds, sizes.keys);
  const checkpoints = await checkpointsIn(snapshot, bounds);
  const unfinished = await unfinishedReceipts(snapshot, agent, period, period.generatedAt);
  const { success, refused, terminated, ofNull, failed, timedOut, linked, slashed } = RECEIPT_BITS;
  const coverage = [receipts.coverageOf('receipts', period), evidence.coverageOf('evidence', period)];
  const counts: AgentEntries['counts'] = {
    receipts: receipts.size,
    receipts_success: receipts.having(success),
    receipts_refused: receipts.having(refused),
    receipts_terminated: receipts.having(terminated),
    receipts_null: receipts.having(ofNull),
    receipts_failed: receipts.having(failed),
    receipts_timed_out: receipts.having(timedOut),
    receipts_linked: receipts.having(linked),
    receipts_open: unfinished.open,
    receipts_overdue: unfinished.openPast30Days,
    receipts_abandoned: unfinished.abandoned,
    receipts_revoked: receipts.having(RECEIPT_BITS.revoked),
    revocations: revoked.length,
    agent_revoked: agentRevocations.length,
    evidence: evidence.size,
    evidence_failed: evidence.having(ITEM_BITS.failed),
    changes: evidence.having(ITEM_BITS.change),
    traces: evidence.having(ITEM_BITS.trace),
    deliverables: evidence.having(ITEM_BITS.deliverable),
    incidents: receipts.having(failed) + evidence.having(ITEM_BITS.failed) + revocations.length,
    responses: receipts.having(slashed) + revocations.length,
    receipt_days: coverage[0]?.record_days ?? 0,
    log_days: wholeDays(agent.firstObservedAt, earlier(period.to, period.generatedAt)),
    sponsors: agent.sponsorSeq === null ? 0 : 1,
    key_events: keys.all,
    keys_compromised: keys.compromised,
    checkpoints: checkpoints.all,
    checkpoints_cosigned: checkpoints.cosigned,
  };
  // Both sets have the same array, so that the tree of their receipts is computed once.
  const allReceipts = receipts.indexesOf();
  const sets: Readonly<Record<AgentSet, (reports: readonly number[]) => SetLeaves>> = {
    actions: () => ({ receipts: allReceipts, evidence: evidence.indexesOf() }),
    receipts: () => ({ receipts: allReceipts }),
    changes: () => ({ evidence: evidence.indexesOf(ITEM_BITS.change) }),
    reports: (reports) => ({ evidence: reports }),
    results: (reports) => ({
      evidence: Float64Array.from([...reports, ...evidence.indexesOf(ITEM_BITS.deliverable)]).sort(),
    }),
    incidents: () => ({
      receipts: receipts.indexesOf(failed),
      revocations,
      evidence: evidence.indexesOf(ITEM_BITS.failed),
    }),
  };
  const { receipts_success, receipts_failed, receipts_revoked } = counts;
  const { receipts_open, receipts_overdue, receipts_abandoned } = counts;
  return {
    counts,
    records: {
      ...{ receipts: receipts.size, receipts_success, receipts_failed, receipts_revoked },
      ...{ receipts_open, receipts_overdue, receipts_abandoned, evidence: evidence.size },
    },
    coverage,
    leavesOf: (set, reports) => sets[set](reports),
  };
}

function boundsOf({ from, to }: { from: string; to: string }): Bounds {
  const dayOf = (time: number): number => Math.floor(time / DAY_MS);
  return { from, to, firstDay: dayOf(Date.parse(from)), lastDay: dayOf(Date.parse(to) - 1) };
}

/** Returns the leaf_seq of the agent's revocation if that is in the period and in the tree. */
async function ownRevocation(
  snapshot: Snapshot,
  { agentSeq, revokedAt }: AgentFacts,
  { from, to }: Bounds,
  leaves: number,
): Promise<number[]> {
  if (revokedAt === null || revokedAt < from || revokedAt >= to) return [];
  const leafSeq = await agentRevocation(snapshot, agentSeq);
  return leafSeq === null || leafSeq > leaves ? [] : [leafSeq];
}

function wholeDays(first: string | null, end: string): number {
  return first === null ? 0 : Math.max(0, Math.floor((Date.parse(end) - Date.parse(first)) / DAY_MS));
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}
