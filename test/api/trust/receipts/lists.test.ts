import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Connection } from '../../../../src/platform/store/connection.ts';
import type { Snapshot } from '../../../../src/platform/store/transaction.ts';
import { DOMAINS, RECEIPT_STATUSES } from '../../../../src/proof/receipt/receipt.ts';
import { type PageFilter, selectPage } from '../../../../src/trust/receipts/page-store.ts';
import { receiptByContentHash } from '../../../../src/trust/receipts/store.ts';
import { sqlPlan } from '../../../support/sql-plan.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

interface Row {
  receiptSeq: number;
  operatorSeq: number;
  agentId: string;
  domain: (typeof DOMAINS)[number];
  status: (typeof RECEIPT_STATUSES)[number];
  issuedAt: string;
  blind: boolean;
}

const ROWS = 400;
const AGENTS = ['agent-0', 'agent-1', 'agent-2'];
/** Far fewer than rows, so that many rows share each. */
const TIMES = Array.from({ length: 12 }, (_, index) => new Date(1_800_000_000_000 + index).toISOString());

let app: TrustApp;
let rows: Row[];

beforeAll(async () => {
  app = await openTrustApp();
  const row = (receiptSeq: number): fc.Arbitrary<Row> =>
    fc.record({
      receiptSeq: fc.constant(receiptSeq),
      operatorSeq: fc.constantFrom(1, 1, 1, 2),
      agentId: fc.constantFrom(...AGENTS),
      domain: fc.constantFrom(...DOMAINS),
      status: fc.constantFrom(...RECEIPT_STATUSES),
      issuedAt: fc.constantFrom(...TIMES),
      blind: fc.boolean(),
    });
  const all = fc.tuple(...Array.from({ length: ROWS }, (_, index) => row(index + 1)));
  rows = fc.sample(all, { numRuns: 1, seed: 7 }).flat();
  await app.service.trust.store.writeAsService(({ connection: { sqlite } }) => {
    for (const stored of rows) insert(sqlite, stored);
  });
});
afterAll(() => app.close());

function insert(sqlite: Connection['sqlite'], row: Row): void {
  const isPending = row.status === 'pending';
  const isSuccess = row.status === 'success';
  sqlite
    .query(`INSERT INTO receipt VALUES ($receiptSeq, randomblob(16), $operatorSeq, $agentId, 'custody', randomblob(32),
      'payments:read', '2036-01-31T12:00:00Z', $issuedAt, $domain,
      iif($blind, zeroblob(32), NULL), iif($blind, zeroblob(32), NULL), NULL, NULL, 0, $status, 'active', 1, NULL)`)
    .run({ ...row });
  sqlite
    .query(`INSERT INTO receipt_version VALUES ($receiptSeq, 1, $status, 'active', iif($isSuccess, randomblob(32), NULL),
      iif($isPending OR $isSuccess, NULL, 'because'), iif($isPending, NULL, 'NONE'), NULL, randomblob(32), 0,
      randomblob(64), 1, $issuedAt)`)
    .run({
      receiptSeq: row.receiptSeq,
      status: row.status,
      issuedAt: row.issuedAt,
      isPending,
      isSuccess,
    });
}

const time = fc.constantFrom('2000-01-01T00:00:00.000Z', ...TIMES, '2099-01-01T00:00:00.000Z');
const page: fc.Arbitrary<PageFilter> = fc.record(
  {
    operatorSeq: fc.constantFrom(1, 2, 3),
    limit: fc.integer({ min: 1, max: 101 }),
    domain: fc.constantFrom(...DOMAINS),
    statuses: fc.uniqueArray(fc.constantFrom(...RECEIPT_STATUSES), { minLength: 1 }),
    agentId: fc.constantFrom(...AGENTS, 'nobody'),
    withoutBlind: fc.boolean(),
    from: time,
    to: time,
    after: fc.record({ issuedAt: time, receiptSeq: fc.integer({ min: 0, max: ROWS + 1 }) }),
  },
  { requiredKeys: ['operatorSeq', 'limit'] },
);
/** Only the list of an agent can leave blind receipts out. */
const withBlind = ({ agentId, withoutBlind }: PageFilter): boolean =>
  agentId === undefined || withoutBlind !== true;

/** What a page is, said plainly. */
function expected(asked: PageFilter): number[] {
  const { operatorSeq, domain, statuses, agentId, from, to, after, limit } = asked;
  return rows
    .filter(
      (row) =>
        row.operatorSeq === operatorSeq &&
        (domain === undefined || row.domain === domain) &&
        (statuses === undefined || statuses.includes(row.status)) &&
        (agentId === undefined || row.agentId === agentId) &&
        (withBlind(asked) || !row.blind) &&
        (from === undefined || row.issuedAt >= from) &&
        (to === undefined || row.issuedAt < to) &&
        (after === undefined || compare(row, after) < 0),
    )
    .toSorted((left, right) => compare(right, left))
    .slice(0, limit)
    .map(({ receiptSeq }) => receiptSeq);
}

type Place = Pick<Row, 'issuedAt' | 'receiptSeq'>;

function compare(left: Place, right: Place): number {
  if (left.issuedAt !== right.issuedAt) return left.issuedAt < right.issuedAt ? -1 : 1;
  return left.receiptSeq - right.receiptSeq;
}

function select(asked: PageFilter): Promise<number[]> {
  return app.service.trust.store.read(async (snapshot) =>
    (await selectPage(snapshot, asked)).map(({ receipt }) => receipt.receiptSeq),
  );
}

describe('the pages of a list of receipts', () => {
  test('are the result of filtering and sorting all rows, for any query', async () => {
    await fc.assert(
      fc.asyncProperty(page, async (asked) => {
        expect(await select(asked)).toEqual(expected(asked));
      }),
      { numRuns: 1000 },
    );
  });

  test('together are the complete list, without repetition', async () => {
    await fc.assert(
      fc.asyncProperty(page, async ({ after: _, ...asked }) => {
        const found: number[] = [];
        let last: Place | undefined;
        do {
          const seqs = await select({ ...asked, after: last });
          found.push(...seqs);
          last = seqs.length < asked.limit ? undefined : rows.find((row) => row.receiptSeq === seqs.at(-1));
        } while (last !== undefined);
        expect(found).toEqual(expected({ ...asked, limit: ROWS }));
      }),
      { numRuns: 100 },
    );
  });
});

describe('the SQL plan, which must not depend on how many receipts there are,', () => {
  const plan = (ask: (snapshot: Snapshot) => Promise<unknown>) =>
    app.service.trust.store.read((snapshot) => sqlPlan(snapshot, ask));
  /**
   * The steps that look at more than what they need: tables as a whole, and sorts but the one of the page's
   * own rows.
   */
  const wasteful = (steps: string[]): string[] =>
    steps.filter((step) => /^SCAN (?!\(subquery|counted|hash_window)/.test(step) || /AUTOMATIC/.test(step));

  const AGENT = 'receipt_by_agent (operator_seq=? AND agent_id=? AND status=? AND domain=? AND <expr>=?';
  const [status] = RECEIPT_STATUSES;
  const [domain] = DOMAINS;
  const [agentId] = AGENTS;
  const one = { statuses: [status], domain, agentId };
  /** What is asked for, how many ranges of which index that is, and where they begin. */
  const cases: [string, Partial<PageFilter>, number, string][] = [
    ['no filter', {}, 1, 'receipt_by_operator (operator_seq=?'],
    ['a domain', { domain }, 8, 'receipt_by_outcome (operator_seq=? AND status=? AND domain=?'],
    ['a status', { statuses: [status] }, 4, 'receipt_by_outcome (operator_seq=? AND status=? AND domain=?'],
    ['an agent', { agentId }, 64, AGENT],
    ['all of them', one, 2, AGENT],
    ['all of them, without blind ones', { ...one, withoutBlind: true }, 1, AGENT],
  ];
  test.each(cases)('of a list by %s', async (_, asked, count, index) => {
    const steps = await plan((snapshot) => selectPage(snapshot, { operatorSeq: 1, limit: 10, ...asked }));
    const ranges = steps.filter((step) =>
      step.startsWith(`SEARCH receipt USING COVERING INDEX ${index} AND issued_at>? AND issued_at<?)`),
    );
    expect(ranges.length).toBe(count);
    expect(steps.filter((step) => step.includes('TEMP B-TREE')).length).toBe(1);
    expect(wasteful(steps)).toEqual([]);
  });

  test("of a predecessor's look-up", async () => {
    const steps = await plan((snapshot) => receiptByContentHash(snapshot, 1, '0'.repeat(64)));
    expect(steps).toContain(
      'SEARCH receipt_version USING INDEX receipt_version_by_hash (<expr>=? AND hash_prefix=?)',
    );
    expect(wasteful(steps)).toEqual([]);
  });
});
