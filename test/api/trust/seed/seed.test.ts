import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../../src/platform/failure.ts';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import { audited } from '../../../support/audit.ts';
import { client } from '../../../support/client.ts';
import { openSeededTrust, SEED_END } from '../../../support/seeded.ts';

const EXAMPLE = readFileSync(join(import.meta.dir, '../../../../docs/seeds/trust.yaml'), 'utf8');

const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const { close } of opened) await close();
});

async function seeded(text: string) {
  const service = await openSeededTrust(text);
  opened.push(service);
  return { ...service, ...callersOf(service) };
}

function callersOf({ service, apiKey: ownKey }: Awaited<ReturnType<typeof openSeededTrust>>) {
  const { fetch } = service.app('/');
  const as = (apiKey: string) =>
    client((request) => fetch(request, '127.0.0.1'), 'http://127.0.0.1:3000', apiKey);
  return { as, own: as(ownKey) };
}

/** Returns the message with which a seed is refused, and fails if the service is filled with it. */
async function refusalOf(text: string): Promise<string> {
  try {
    await seeded(text);
  } catch (error) {
    if (error instanceof Failure && error.exitCode === 2) return error.message;
    throw error;
  }
  throw new Error(`${text} is accepted`);
}

const listOf = (value: unknown): Record<string, unknown>[] => [value].flat().map(Object);

describe('the seed in docs/seeds/trust.yaml', () => {
  test('fills the service with what it says, dated as it says, and the audit finds no problem', async () => {
    const service = await openSeededTrust(EXAMPLE);
    const { own, as } = callersOf(service);
    const receipts = listOf((await own.get('/api/v1/receipts')).body.receipts);
    expect(receipts.map(({ status, revocation_status }) => [status, revocation_status])).toEqual([
      ['pending', 'active'],
      ['null', 'active'],
      ['pending', 'active'],
      ['success', 'revoked'],
      ['null', 'active'],
      ['null', 'active'],
      ['success', 'active'],
      ['null', 'active'],
      ['success', 'active'],
      ['timeout', 'active'],
      ['success', 'active'],
    ]);
    const ages = receipts.map(({ issued_at }) => (SEED_END - Date.parse(String(issued_at))) / DAY_MS);
    expect(ages).toEqual([0, 2, 2, 2, 3, 3, 3, 3, 4, 29, 31]);
    const clerk = String(receipts[0]?.agent_id);
    const engagements = listOf(
      (await own.get(`/api/v1/passport/engagements?subject_commitment=${clerk}`)).body.engagements,
    );
    expect(Object.fromEntries(engagements.map(({ task_id, status }) => [task_id, status]))).toEqual({
      'audit-held': 'HELD',
      'audit-delivered': 'DELIVERED',
      'audit-paid': 'PAID',
      'audit-expired': 'EXPIRED',
      'audit-declined': 'DECLINED',
      'audit-disputed': 'DISPUTED',
      'audit-resolved': 'RESOLVED',
      'audit-cancelled': 'CANCELLED',
    });
    expect((await own.get(`/api/v1/passport/agents/${clerk}/credits`)).body).toMatchObject({ granted: 1000 });
    // A hundredth of the stake of 50,000 was taken for the timeout.
    const ci = as(`pp_${'c1'.repeat(32)}`);
    expect((await ci.get('/api/v1/operator/status')).body).toMatchObject({ stakeBalanceCents: 49_500 });
    await service.service.close();
    expect((await audited(service.directory.path)).reported).toEqual([]);
    service.directory.release();
  });

  test('gives the same ids and keys at every start', async () => {
    const [first, second] = [await seeded(EXAMPLE), await seeded(EXAMPLE)];
    const namesIn = async ({ own }: typeof first) => ({
      receipts: listOf((await own.get('/api/v1/receipts')).body.receipts).map(({ receipt_id }) => receipt_id),
      webhooks: listOf((await own.get('/api/v1/webhooks')).body.webhooks).map(({ id }) => id),
      keys: listOf((await own.get('/api/v1/operator/api-keys')).body.api_keys).map(({ keyHash }) => keyHash),
    });
    expect(await namesIn(first)).toEqual(await namesIn(second));
  });
});

describe('a seed of the trust service', () => {
  const AGENTS = 'agents: { a: {}, b: {} }\n';
  const hired = (rest: string) =>
    `${AGENTS}grants: [{ to: a, amount: 10 }]\nengagements:\n  - { task_id: x, hirer: a, worker: b, amount: 5, ${rest} }`;
  const contradictions: [string, string, string][] = [
    [
      'a receipt that expires before it is issued',
      'receipts:\n  - { issued: -1d, expiry: -2d }',
      'seed.yaml:2: receipts[0] is refused by the service: POST /api/v1/receipts: 400',
    ],
    [
      'a receipt that is finalized before it is issued',
      'receipts:\n  - { issued: -1d, status: success, finalized: -2d }',
      'seed.yaml:2: receipts[0].finalized is -2d, before the receipt is issued: -1d',
    ],
    [
      'a receipt that is finalized before it is issued, which is now without a time',
      'receipts:\n  - { status: success, finalized: -2d }',
      'seed.yaml:2: receipts[0].finalized is -2d, before the receipt is issued: now',
    ],
    [
      'a receipt that is revoked before it is issued',
      'receipts:\n  - { issued: -1d, status: success, revoked: -2d }',
      'seed.yaml:2: receipts[0].revoked is -2d, before the receipt is issued: -1d',
    ],
    [
      'a receipt that is issued after the start of the clock',
      'receipts:\n  - issued: +1d',
      'seed.yaml:2: receipts[0].issued must not be after the start of the clock',
    ],
    ['two receipts of one id', 'receipts: [{ id: r }, { id: r }]', 'receipts[1]'],
    [
      'a receipt after one that is issued later',
      'receipts: [{ after: b, issued: -2d }, { id: b, issued: -1d }]',
      'receipts[0].after is b, but no receipt of this name is issued before',
    ],
    [
      'an outcome of a pending receipt',
      'receipts: [{ finalized: now }]',
      'receipts[0].finalized contradicts the status pending',
    ],
    [
      'an output of a timeout',
      `receipts: [{ status: timeout, output_hash: ${'a'.repeat(64)} }]`,
      'does not belong to status timeout',
    ],
    [
      'an unknown operator',
      'receipts: [{ operator: none }]',
      'receipts[0].operator is none, but the seed has no',
    ],
    ['an unknown agent', 'grants: [{ to: constructor, amount: 1 }]', 'grants[0].to is constructor, but'],
    ['more credits than there are', `${AGENTS}transfers: [{ from: a, to: b, amount: 1 }]`, '402'],
    [
      'a grant to a revoked agent',
      'agents: { a: { revoked: -2d } }\ngrants: [{ to: a, amount: 1, at: -1d }]',
      'agent_not_enrolled',
    ],
    [
      'an id for the first operator',
      `operators: { first: { name: x } }`,
      'operators.first.name is not allowed',
    ],
    [
      'two agents of one key',
      `agents: { a: { seed: "${'1'.repeat(64)}" }, b: { seed: "${'1'.repeat(64)}" } }`,
      'agents.b',
    ],
    [
      'a delivery that the service paid since',
      hired('at: -30d, status: DELIVERED'),
      'engagements[0] is PAID since',
    ],
    [
      'an engagement that was delivered before it begins, which is now without a time',
      hired('delivered: -30d, status: PAID'),
      'is delivered before it begins: its time `at` is now',
    ],
    [
      'a dispute after accept_by',
      hired('at: -30d, status: DISPUTED, delivered: -29d, disputed: -1d'),
      'dispute: 409',
    ],
    [
      'a dispute before the delivery',
      hired('at: -3d, status: DISPUTED, delivered: -1d, disputed: -2d'),
      'dispute: 409',
    ],
    ['a declined delivery', hired('at: -3d, status: DECLINED, delivered: -2d, ended: -1d'), 'decline: 409'],
    [
      'a decision without an amount',
      hired('at: -3d, status: RESOLVED'),
      'is RESOLVED without `worker_amount`',
    ],
    ['a decision above the amount', hired('at: -3d, status: RESOLVED, worker_amount: 6'), 'resolve: 400'],
    [
      'an amount without a decision',
      hired('status: PAID, worker_amount: 5'),
      'which only a RESOLVED one has',
    ],
    ['a reason without a dispute', hired('dispute_reason: x'), 'nothing disputes it'],
    [
      'a dispute that time decides',
      hired('at: -60d, status: DISPUTED, delivered: -59d, disputed: -58d'),
      'is PAID since',
    ],
    ['an engagement that expires in the future', hired('deadline: +1d, status: EXPIRED'), 'is HELD since'],
    [
      'a webhook of another machine',
      'webhooks: [{ url: "https://192.0.2.1/", events: [evidence.anchored] }]',
      '400',
    ],
    ['an unknown event', 'webhooks: [{ url: "http://127.0.0.1:9/", events: [receipt.lost] }]', 'webhooks[0]'],
    ['a time that does not exist', 'receipts: [{ issued: "2025-02-30T00:00:00Z" }]', 'which is no time'],
  ];
  test.each(contradictions)('with %s is refused', async (_, text, message) => {
    expect(await refusalOf(text)).toContain(message);
  });

  test('may suspend an operator after all that it did', async () => {
    const key = `pp_${'5'.repeat(64)}`;
    const { as } = await seeded(
      `operators: { x: { api_key: ${key}, status: SUSPENDED } }\nreceipts: [{ operator: x, status: success }]`,
    );
    expect((await as(key).get('/api/v1/operator/status')).body).toMatchObject({
      accountStatus: 'SUSPENDED',
      receiptCount: 1,
    });
  });
});
