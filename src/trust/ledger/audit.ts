import {
  type AuditedTable,
  gaps,
  NOTHING,
  type RangeReport,
  type RowRange,
} from '../../platform/audit/table.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Problem } from '../../proof/log/problem.ts';
import { accountProblems } from './audit/accounts.ts';
import { auditedJournals } from './audit/journals.ts';
import { auditedLots } from './audit/lots.ts';
import { MovementChecker } from './audit/movements.ts';
import { accountsOfMovements, type MovementRow, movementRows } from './audit/store.ts';
import { Totals } from './audit/totals.ts';
import { lastBeforeJournals, newestMovementSeq } from './store.ts';

/**
 * The movements in a range. At its start, the check looks up the state of each account that appears in it.
 */
const RANGE = 32_768;

/** The movements that are in memory at once. */
const BATCH = 512;

/** The accounts whose states are looked up between two collections of garbage. */
const ACCOUNTS = 2048;

/** Audits all movements; then all accounts, figures and ends of journals, which derive from them. */
const movements: AuditedTable = {
  name: 'movement',
  stage: 'rows',
  rows: {
    column: 'movement_seq',
    counted: 'movements',
    cost: 1,
    rangeRows: RANGE,
    examine: movementsReport,
  },
  derived: [accountsOfMovements],
  begin: async ({ snapshot }) => {
    const reach = (await newestMovementSeq(await snapshot)) ?? 0;
    const totals = new Totals((await lastBeforeJournals(await snapshot)) ?? 0);
    return {
      reach,
      takeSums: (sums) => totals.addAll(sums),
      whole: async (later) => {
        // The accounts are those of a later moment than `begin`: a server may have added movements.
        const newer = { after: reach, reach: (await newestMovementSeq(later)) ?? 0 };
        for await (const { rows } of batches(later, newer)) for (const row of rows) totals.book(row);
        return { problems: await accountProblems(later, totals) };
      },
    };
  },
};

/** The tables of the ledger that fsck audits. */
export const audited = [movements, ...auditedLots, ...auditedJournals];

async function movementsReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const checker = await MovementChecker.startingAfter(snapshot, range.after);
  const totals = new Totals((await lastBeforeJournals(snapshot)) ?? 0);
  const problems: Problem[] = [];
  let rows = 0;
  let collectedAt = 0;
  for await (const batch of batches(snapshot, range)) {
    for (const row of batch.rows) totals.book(row);
    problems.push(...(await checker.problemsOf(batch.rows)));
    const numbers = batch.rows.map(({ movementSeq }) => movementSeq);
    problems.push(...gaps('movement', 'movement_seq', numbers, batch));
    rows += numbers.length;
    if (checker.accounts - collectedAt >= ACCOUNTS) {
      collectGarbage();
      collectedAt = checker.accounts;
    }
  }
  const sums = totals.sums();
  collectGarbage();
  return { ...NOTHING, problems, rows, sums };
}

/**
 * Frees memory now. Otherwise the runtime lets the garbage add up, in every Worker. The main thread may have
 * other things in memory.
 */
function collectGarbage(): void {
  if (!Bun.isMainThread) Bun.gc(true);
}

/** Yields the movements of a range in small parts. */
async function* batches(
  snapshot: Snapshot,
  range: RowRange,
): AsyncGenerator<RowRange & { rows: MovementRow[] }> {
  for (let after = range.after; after < range.reach; after += BATCH) {
    const reach = Math.min(after + BATCH, range.reach);
    yield { after, reach, rows: await movementRows(snapshot, { after, reach }) };
  }
}
