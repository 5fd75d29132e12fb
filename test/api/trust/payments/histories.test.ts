import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  confirmPayoutIn,
  failPayoutIn,
  payoutById,
  submitPayoutIn,
} from '../../../../src/trust/payments/payouts/queue.ts';
import { audited } from '../../../support/audit.ts';
import { type CreditedAgent, creditedAgent, fundPool, grantFrom } from '../../../support/credits.ts';
import { accountsOf, sumsOf } from '../../../support/ledger-accounts.ts';
import { sendSettlement, settlementSettings } from '../../../support/settlements.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

const AGENTS = 3;
const PRICES = { reputation_lookup_verified: 1, portable_credential_issuance: 10 } as const;
const CLASSES = ['promotional', 'paid', 'sandbox'] as const;
type Product = keyof typeof PRICES;
type Class = (typeof CLASSES)[number];

const agent = fc.nat({ max: AGENTS - 1 });
const amount = fc.integer({ min: 1, max: 60 });
const operation = fc.oneof(
  fc.record({ kind: fc.constant('grant' as const), agent, amount, class: fc.constantFrom(...CLASSES) }),
  fc.record({ kind: fc.constant('transfer' as const), agent, to: agent, amount }),
  fc.record({
    kind: fc.constant('spend' as const),
    agent,
    product: fc.constantFrom<Product[]>('reputation_lookup_verified', 'portable_credential_issuance'),
  }),
  fc.record({ kind: fc.constant('settle' as const), agent, amount, isRepeated: fc.boolean() }),
  fc.record({ kind: fc.constant('withdraw' as const), agent, amount, isRepeated: fc.boolean() }),
  fc.record({ kind: fc.constant('confirm' as const), index: fc.nat({ max: 9 }) }),
  fc.record({ kind: fc.constant('fail' as const), index: fc.nat({ max: 9 }) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

const parent = mkdtempSync(join(tmpdir(), 'countersign-payments-'));
let app: TrustApp;
/** Paid credits that came into the ledger and left it, in all histories. */
let came = 0;
let left = 0;

beforeAll(async () => {
  app = await openTrustApp(settlementSettings, null, join(parent, 'data'));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

/** What an agent has, by a model that shares no code with the product. */
interface Model {
  promotional: number;
  paid: number;
  sandbox: number;
  locked: number;
}

/**
 * Takes an amount of a debit from a model: promotional, then paid; else only sandbox.
 * @returns what it took; null if it does not suffice
 */
function debit(model: Model, wanted: number): Record<Class, number> | null {
  const promotional = Math.min(model.promotional, wanted);
  const taken =
    model.promotional + model.paid >= wanted
      ? { promotional, paid: wanted - promotional, sandbox: 0 }
      : model.sandbox >= wanted
        ? { promotional: 0, paid: 0, sandbox: wanted }
        : null;
  if (taken !== null) for (const name of CLASSES) model[name] -= taken[name];
  return taken;
}

/** One history: its agents, their models, and its open withdrawals. */
class History {
  private readonly open: { id: string; agent: number; amount: number }[] = [];
  private lastSettlement: { body: Record<string, string | number>; agent: number } | null = null;
  private lastWithdrawal: { body: Record<string, string | number>; id: unknown } | null = null;
  readonly models = Array.from(
    { length: AGENTS },
    (): Model => ({ promotional: 0, paid: 0, sandbox: 0, locked: 0 }),
  );

  constructor(private readonly agents: readonly CreditedAgent[]) {}

  agentAt(index: number): CreditedAgent {
    const found = this.agents[index];
    if (found === undefined) throw new RangeError(String(index));
    return found;
  }

  private modelAt(index: number): Model {
    const found = this.models[index];
    if (found === undefined) throw new RangeError(String(index));
    return found;
  }

  /** Does an operation, and expects what the model says. */
  async run(operation: Operation): Promise<void> {
    switch (operation.kind) {
      case 'grant':
        return this.grant(operation.agent, operation.amount, operation.class);
      case 'transfer':
        return this.transfer(operation.agent, operation.to, operation.amount);
      case 'spend':
        return this.spend(operation.agent, operation.product);
      case 'settle':
        return this.settle(operation.agent, operation.amount, operation.isRepeated);
      case 'withdraw':
        return this.withdraw(operation.agent, operation.amount, operation.isRepeated);
      default:
        return this.end(operation.index, operation.kind);
    }
  }

  private async grant(index: number, credits: number, name: Class): Promise<void> {
    const { operatorId } = app.service.firstStart;
    await fundPool(app, operatorId, { [name]: credits });
    await grantFrom(app, operatorId, this.agentAt(index).agent, { [name]: credits });
    this.modelAt(index)[name] += credits;
    if (name === 'paid') came += credits;
  }

  private async transfer(index: number, to: number, credits: number): Promise<void> {
    if (index === to) return;
    const body = {
      from_commitment: this.agentAt(index).commitment,
      to_commitment: this.agentAt(to).commitment,
      amount: credits,
    };
    const taken = debit(this.modelAt(index), credits);
    const { status } = await app.own.post('/api/v1/passport/credits/transfers', body);
    expect(status).toBe(taken === null ? 402 : 201);
    for (const name of CLASSES) this.modelAt(to)[name] += taken?.[name] ?? 0;
  }

  private async spend(index: number, product: Product): Promise<void> {
    const body = {
      subject_commitment: this.agentAt(index).commitment,
      product,
      max_credits: 10,
      nonce: crypto.randomUUID(),
      expires_at: '2036-01-31T12:00:00Z',
    };
    const taken = debit(this.modelAt(index), PRICES[product]);
    const { status } = await app.own.post('/api/v1/agent-pay/spend', body);
    expect(status).toBe(taken === null ? 402 : 201);
  }

  private async settle(index: number, credits: number, isRepeated: boolean): Promise<void> {
    if (isRepeated && this.lastSettlement !== null) {
      const { status, headers } = await sendSettlement(app, this.lastSettlement.body);
      expect([status, headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      return;
    }
    const subject_commitment = this.agentAt(index).commitment;
    const body = { rail: 'x402', reference: crypto.randomUUID(), subject_commitment, credits };
    expect((await sendSettlement(app, body)).status).toBe(201);
    this.lastSettlement = { body, agent: index };
    this.modelAt(index).paid += credits;
    came += credits;
  }

  private async withdraw(index: number, credits: number, isRepeated: boolean): Promise<void> {
    if (isRepeated && this.lastWithdrawal !== null) {
      const { status, body } = await app.own.post('/api/v1/agent-pay/withdraw', this.lastWithdrawal.body);
      expect([status, body.withdrawal_id]).toEqual([201, this.lastWithdrawal.id]);
      return;
    }
    const subject_commitment = this.agentAt(index).commitment;
    const request = { subject_commitment, amount: credits, reference: crypto.randomUUID() };
    const model = this.modelAt(index);
    const { status, body } = await app.own.post('/api/v1/agent-pay/withdraw', request);
    expect([status, body.reason_code]).toEqual(
      model.paid >= credits ? [201, undefined] : [402, 'insufficient_treasury'],
    );
    if (status !== 201) return;
    model.paid -= credits;
    model.locked += credits;
    this.open.push({ id: String(body.withdrawal_id), agent: index, amount: credits });
    this.lastWithdrawal = { body: request, id: body.withdrawal_id };
  }

  private async end(index: number, how: 'confirm' | 'fail'): Promise<void> {
    const [ended] = this.open.splice(index % Math.max(this.open.length, 1), 1);
    if (ended === undefined) return;
    const { trust } = app.service;
    await trust.store.writeAsService(async (tx) => {
      const queued = await payoutById(tx, ended.id);
      if (queued === null) throw new Error(ended.id);
      if (how === 'fail') return failPayoutIn(tx, trust, queued, 'refused');
      const submitted = await submitPayoutIn(tx, trust, queued.payout.payoutSeq, 'manual');
      if (submitted === null) throw new Error(ended.id);
      await confirmPayoutIn(tx, trust, submitted, 'paid');
    });
    const model = this.modelAt(ended.agent);
    model.locked -= ended.amount;
    if (how === 'fail') model.paid += ended.amount;
    else left += ended.amount;
  }
}

test('in random histories, balances add up, and no more paid credits leave than came', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 25 }), async (operations) => {
      const agents: CreditedAgent[] = [];
      while (agents.length < AGENTS) agents.push(await creditedAgent(app));
      const history = new History(agents);
      for (const one of operations) await history.run(one);
      for (const [index, model] of history.models.entries()) {
        const { commitment } = history.agentAt(index);
        const wallet = await app.own.get(`/api/v1/agent-pay/wallet?subject_commitment=${commitment}`);
        expect(wallet.body).toMatchObject({
          available: model.promotional + model.paid,
          locked: model.locked,
          withdrawable: model.paid,
        });
        const credits = (await app.anyone.get(`/api/v1/passport/agents/${commitment}/credits`)).body;
        const { granted, earned, spent, locked, available } = credits;
        expect(Number(available)).toBe(Number(granted) + Number(earned) - Number(spent) - Number(locked));
      }
      const accounts = await accountsOf(app);
      expect(Object.values(sumsOf(accounts)).filter((sum) => sum !== 0)).toEqual([]);
      const paidOut = accounts.find(({ kind, asset }) => kind === 'issuance' && asset === 'paid');
      // Not the negative of it: where nothing was paid, that would be -0.
      expect(0 - (paidOut?.balance ?? 0)).toBe(came - left);
      expect(left).toBeLessThanOrEqual(came);
    }),
    { numRuns: 40 },
  );
  await app.service.trust.log.publisher.publish();
  await app.close();
  const { reported } = await audited(join(parent, 'data'));
  expect(reported.map(({ sentence }) => sentence)).toEqual([]);
}, 180_000);
