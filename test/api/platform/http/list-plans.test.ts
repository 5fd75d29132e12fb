import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Store } from '../../../../src/platform/store/store.ts';
import type { Snapshot } from '../../../../src/platform/store/transaction.ts';
import { listSuppressions } from '../../../../src/staffing/suppressions/list.ts';
import { listAllPayments } from '../../../../src/trust/billing/entries/list-all.ts';
import { listAllEngagements } from '../../../../src/trust/hires/engagements/list.ts';
import { listOperators } from '../../../../src/trust/pages/dashboard/list-operators.ts';
import { listPayouts } from '../../../../src/trust/payments/payouts/list-payouts.ts';
import { listWallets } from '../../../../src/trust/payments/payouts/list-wallets.ts';
import { PROPOSALS } from '../../../support/agora.ts';
import type { TestList } from '../../../support/lists.ts';
import { parametersOf, staffingDocument } from '../../../support/openapi.ts';
import { WITHDRAWALS } from '../../../support/payouts.ts';
import { makeStaffingLists, makeTrustLists } from '../../../support/service-lists.ts';
import { sqlPlans } from '../../../support/sql-plan.ts';
import { openStaffingApp, PREFIX, type StaffingApp } from '../../../support/staffing-app.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

/** What the searches for the rows of a list must say, in the words of SQLite's plans. */
interface ListPlan {
  /** The table that has a row for each row of the list. */
  table: string;
  /** The conditions of every page. */
  always: readonly string[];
  /** The condition of a page after a cursor. */
  position: string;
  /** A value of each filter that has several of the rows of `service-lists.ts`, and its condition. */
  filters?: Record<string, readonly [value: string, condition: string]>;
  /** A filter that at most one row has. */
  unique?: string;
}

/** Each movement names the one before it, and a page looks at a limited number of them. */
const JOURNAL: ListPlan = {
  table: 'movement',
  always: [],
  position: '',
  filters: {
    kind: ['OPERATOR_GRANT', ''],
    asset: ['promotional', ''],
    reference: ['of no entry', ''],
    from: ['2020-01-01T00:00:00Z', ''],
    to: ['2099-01-01T00:00:00Z', ''],
  },
  unique: 'reference',
};

const TRUST: Record<string, ListPlan> = {
  '/api/v1/receipts': {
    table: 'receipt',
    always: ['operator_seq=?'],
    position: 'issued_at<?',
    filters: {
      domain: ['CODE_GENERATION', 'domain=?'],
      status: ['pending', 'status=?'],
      agent_id: ['agent-7', 'agent_id=?'],
      from: ['2020-01-01T00:00:00Z', 'issued_at>?'],
      to: ['2099-01-01T00:00:00Z', 'issued_at<?'],
    },
  },
  '/api/v1/receipts/checkpoints': {
    table: 'checkpoint',
    always: ['log_seq=?'],
    position: 'tree_size<?',
    filters: { log: ['receipts', 'log_seq=?'] },
  },
  '/api/v1/passport/agents': { table: 'agent', always: ['sponsor_seq=?'], position: 'rowid<?' },
  '/api/v1/passport/agents/{id}/evidence': {
    table: 'evidence',
    always: ['agent_seq=?'],
    position: 'position<?',
    filters: { source_type: ['github_push_webhook', 'source_type=?'] },
  },
  '/api/v1/passport/agents/{id}/assessments': {
    table: 'assessment',
    always: ['subject_seq=?'],
    position: 'rowid<?',
  },
  '/api/v1/passport/agents/{id}/credit-journal': JOURNAL,
  '/api/v1/operator/journal': JOURNAL,
  '/api/v1/passport/engagements': {
    table: 'escrow',
    always: ['_seq=?', 'status=?'],
    position: 'rowid<?',
    filters: { role: ['hirer', 'hirer_seq=?'], status: ['HELD', 'status=?'] },
  },
  [PROPOSALS]: { table: 'agora_entry', always: ['_seq=?'], position: 'rowid<?' },
  [WITHDRAWALS]: { table: 'payout', always: ['agent_seq=?'], position: 'rowid<?' },
  '/api/v1/datacenter/receipts': {
    table: 'datacenter_evidence',
    always: [],
    position: 'rowid<?',
    filters: { cluster_id: ['hall-1', 'cluster_seq=?'] },
  },
  '/api/v1/leaderboard': { table: 'agent_standing', always: ['listed=?', 'evidence_count'], position: '' },
  '/api/v1/webhooks': { table: 'webhook', always: ['operator_seq=?'], position: 'rowid<?' },
  '/api/v1/webhooks/{id}/deliveries': {
    table: 'webhook_delivery',
    always: ['webhook_seq=?'],
    position: 'rowid<?',
  },
  '/api/v1/operator/api-keys': {
    table: 'api_key',
    always: ['operator_seq=?'],
    position: '(created_at,key_hash)<(?,?)',
  },
  '/api/v1/account/payments': {
    table: 'payment_entry',
    always: ['operator_seq=?'],
    position: 'created_at<?',
    filters: {
      kind: ['topup', 'kind=?'],
      status: ['paid', 'status=?'],
      from: ['2020-01-01T00:00:00Z', 'created_at>?'],
      to: ['2099-01-01T00:00:00Z', 'created_at<?'],
    },
  },
  '/api/v1/operator/slashing-ledger': {
    table: 'slash',
    always: ['operator_seq=?'],
    position: 'rowid<?',
    filters: { tranche: ['COMPUTE_TIMEOUT', 'tranche=?'] },
  },
};

const STAFFING: Record<string, ListPlan> = {
  [`${PREFIX}/keys`]: {
    table: 'partner_key',
    always: ['partner_seq=?', 'tier=?'],
    position: '(created_at,key_id)<(?,?)',
  },
  [`${PREFIX}/jobs`]: {
    table: 'requisition',
    always: ['partner_seq=?', 'mode=?'],
    position: 'created_at<?',
    filters: { status: ['open', 'status=?'], external_id: ['a', 'external_id=?'] },
    unique: 'external_id',
  },
  [`${PREFIX}/admin/partners`]: { table: 'partner', always: [], position: 'rowid<?' },
  [`${PREFIX}/admin/jobs`]: {
    table: 'requisition',
    always: [],
    position: 'created_at<?',
    filters: { status: ['open', 'status=?'], mode: ['live', 'mode=?'] },
  },
};

/** The lists of the registry file, whose index is not SQL: `test/unit/staffing/registry` has their tests. */
const OF_REGISTRY = [`${PREFIX}/clinicians/search`, `${PREFIX}/clinicians/changes`];

/** Parameters that select no rows. */
const NOT_FILTERS = new Set(['limit', 'cursor', 'signed', 'sort']);

let trust: TrustApp;
let staffing: StaffingApp;
const services: Record<string, { lists: Record<string, TestList>; document: unknown; store: Store }> = {};

beforeAll(async () => {
  [trust, staffing] = await Promise.all([openTrustApp(), openStaffingApp()]);
  services.trust = {
    lists: await makeTrustLists(trust),
    document: (await trust.anyone.get('/openapi.json')).body,
    store: trust.service.trust.store,
  };
  services.staffing = {
    lists: await makeStaffingLists(staffing),
    document: await staffingDocument(staffing.anyone.get),
    store: staffing.service.staffing.store,
  };
}, 180_000);
afterAll(async () => {
  await Promise.all([trust.close(), staffing.close()]);
});

/** Returns the steps of the plan of each statement that reads of the store run meanwhile. */
async function planOf<Result>(
  store: Store,
  meanwhile: () => Promise<Result>,
): Promise<{ plans: string[][]; result: Result }> {
  const { read } = store;
  const plans: string[][] = [];
  store.read = <T>(body: (snapshot: Snapshot) => T | Promise<T>) =>
    read(async (snapshot) => {
      let outcome: { result: T } | null = null;
      const ask = async (asked: Snapshot) => {
        outcome = { result: await body(asked) };
        return outcome;
      };
      plans.push(...(await sqlPlans(snapshot, ask)));
      return resultOf<T>(outcome);
    });
  try {
    return { result: await meanwhile(), plans };
  } finally {
    store.read = read;
  }
}

function resultOf<T>(outcome: { result: T } | null): T {
  if (outcome === null) throw new Error('the body was not run');
  return outcome.result;
}

/** Returns every combination of some names. */
function combinations(names: readonly string[]): string[][] {
  return Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((__, index) => (bits & (1 << index)) !== 0),
  );
}

/**
 * Checks the plans of a page: they scan no table; each search for rows of the list has all conditions; and no
 * statement sorts them, unless it looks the rows of the page up by their numbers.
 */
function expectRanges(
  plans: readonly (readonly string[])[],
  table: string,
  conditions: readonly string[],
): void {
  const searches = plans.map((steps) => steps.filter((step) => step.startsWith(`SEARCH ${table} `)));
  expect(searches.flat().length).toBeGreaterThan(0);
  for (const [at, steps] of plans.entries()) {
    expect(steps.filter((step) => /^SCAN (?!\(subquery|CONSTANT|list|json_each)/.test(step))).toEqual([]);
    const ofTable = searches[at] ?? [];
    // A look-up by the row's number, or by a hash that is unique.
    const ranges = ofTable.filter((step) => !/\(rowid=\?\)|_hash=\?\)/.test(step));
    for (const range of ranges) for (const condition of conditions) expect(range).toContain(condition);
    if (ranges.length > 0 && ranges.length === ofTable.length)
      expect(steps.join()).not.toContain('TEMP B-TREE');
  }
}

describe.each([
  ['trust', TRUST],
  ['staffing', STAFFING],
] as const)('the lists of the %s service', (name, plans) => {
  test('and all of their filters are looked at here', () => {
    const { lists, document } = services[name] ?? Object(null);
    expect(
      Object.keys(lists)
        .filter((path) => !OF_REGISTRY.includes(path))
        .sort(),
    ).toEqual(Object.keys(plans).sort());
    for (const [path, { filters = {} }] of Object.entries(plans)) {
      const { get } = Object(Object(Object(document).paths)[path]);
      const optional = parametersOf(document, get).filter(
        (one) => one.in === 'query' && one.required !== true && !NOT_FILTERS.has(String(one.name)),
      );
      const names = optional.map(({ name }) => String(name));
      expect([path, names.sort()]).toEqual([path, Object.keys(filters).sort()]);
    }
  });

  const cases = Object.entries(plans).flatMap(([path, plan]) =>
    combinations(Object.keys(plan.filters ?? {})).map((names) => [path, names.join(), names, plan] as const),
  );
  test.each(cases)(
    '%s with the filters "%s" reads only ranges of an index, and sorts nothing but the rows of its page',
    async (path, _, names, { table, always, position, filters = {}, unique }) => {
      const { lists, store } = services[name] ?? Object(null);
      const list: TestList = lists[path];
      const [place, fixed] = list.path.split('?');
      const query = new URLSearchParams(fixed);
      for (const filter of Object.keys(filters)) query.delete(filter);
      for (const filter of names) query.set(filter, filters[filter]?.[0] ?? '');
      query.set('limit', '1');
      const isUnique = unique !== undefined && names.includes(unique);
      const conditions = [
        ...always,
        ...names
          .filter((filter) => !isUnique || filter === unique)
          .map((filter) => filters[filter]?.[1] ?? ''),
      ];
      for (const after of isUnique ? [''] : ['', position]) {
        const { result, plans: ofPage } = await planOf(store, () => list.get(`${place}?${query}`));
        expect([result.status, result.body.next_cursor === null]).toEqual([200, isUnique]);
        expectRanges(ofPage, table, [...conditions, after]);
        query.set('cursor', String(result.body.next_cursor));
      }
    },
  );
});

describe('the lists of commands', () => {
  const page = { limit: '1' };
  const agent = () => services.trust?.lists[WITHDRAWALS]?.path.split('=')[1] ?? '';
  /** Reads a page, the table with its rows, and the conditions of the searches for them. */
  const lists: Record<string, [read: () => Promise<unknown>, table: string, conditions: string[]]> = {
    'operators list': [() => listOperators(trust.service.trust, { limit: '1' }), 'operator', ['rowid>?']],
    'wallets list': [
      () => listWallets(trust.service.trust, { limit: '1', balances: 'false' }),
      'custodial_wallet',
      ['rowid<?'],
    ],
    'payouts list': [() => listPayouts(trust.service.trust, page), 'payout', ['rowid<?']],
    'payouts list --status': [
      () => listPayouts(trust.service.trust, { ...page, status: 'queued' }),
      'payout',
      ['status=?', 'rowid<?'],
    ],
    'payouts list --agent': [
      () => listPayouts(trust.service.trust, { ...page, agent: agent() }),
      'payout',
      ['agent_seq=?', 'rowid<?'],
    ],
    'engagements list': [
      () => listAllEngagements(trust.service.trust, { limit: '1' }),
      'escrow',
      ['rowid<?'],
    ],
    'billing list': [
      () => listAllPayments(trust.service.trust, page),
      'payment_entry',
      ['created_at>?', 'created_at<?'],
    ],
    'billing list --kind': [
      () => listAllPayments(trust.service.trust, { ...page, kind: 'topup' }),
      'payment_entry',
      ['kind=?', 'status=?', 'created_at<?'],
    ],
    'billing list --of': [
      () => listAllPayments(trust.service.trust, { ...page, of: trust.otherId }),
      'payment_entry',
      ['operator_seq=?', 'created_at<?'],
    ],
    'suppress --list': [
      () => listSuppressions(staffing.service.staffing, { limit: '1' }),
      'suppression',
      ['rowid>?'],
    ],
  };
  test.each(Object.entries(lists))(
    '%s reads only ranges of an index, and sorts nothing',
    async (_, [read, table, conditions]) => {
      const { store } = table === 'suppression' ? staffing.service.staffing : trust.service.trust;
      const { plans } = await planOf(store, read);
      expectRanges(plans, table, conditions);
    },
  );
});
