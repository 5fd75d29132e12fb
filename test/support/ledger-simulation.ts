import { expect } from 'bun:test';
import { ApiError } from '../../src/platform/http/errors/errors.ts';
import { agentCaller } from '../../src/trust/ledger/credits/authorization.ts';
import { chargeIn } from '../../src/trust/ledger/metering/charge.ts';
import { createOperator } from '../../src/trust/operators/create-operator.ts';
import { operatorById } from '../../src/trust/operators/status.ts';
import { setAccountStatus } from '../../src/trust/pages/dashboard/set-account-status.ts';
import { setStake } from '../../src/trust/pages/dashboard/set-stake.ts';
import { audienceOf, enrolledAgent } from './agent.ts';
import { createKeyFor } from './api-keys.ts';
import { client } from './client.ts';
import { journalOf, verifiedJournal } from './credit-journal.ts';
import { adjustPoolDirectly, fundPool, grantFrom, holderOf, selfProvisionedAgent } from './credits.ts';
import {
  accountsOf,
  byName,
  expectedAccounts,
  expectedFigures,
  expectedTier,
  sumsOf,
} from './ledger-accounts.ts';
import { LedgerModel } from './ledger-model.ts';
import { chosen, type Operation, type Plan } from './ledger-operations.ts';
import { type BookedMovement, type RanTransaction, SerialOrder } from './ledger-order.ts';
import { add, each, type Portions } from './ledger-portions.ts';
import { chargeOf, isRequest, type Participants, requestOf } from './ledger-requests.ts';
import { LedgerRules, type Refusals, SCOPE_LIMIT } from './ledger-rules.ts';
import { openTrustApp, type TrustApp } from './trust-app.ts';
import { VirtualTime } from './virtual-time.ts';

const SERVICE_TOKEN = `svc_${'7e'.repeat(32)}`;
const SETTINGS = {
  service_token: SERVICE_TOKEN,
  'quotas.free.writes_per_minute': '0',
  'quotas.free.stored_bytes': '0',
  // The gate must not stop the receipts that the simulation slashes.
  'gate.sla_share_percent': '100',
};
/** The operator of each agent: the first, two others, none, one of its own, and none. */
const SPONSORS = [0, 0, 1, 1, 2, 2, null, 3, null] as const;
const OPERATORS = 4;
/** The agent that is revoked from the beginning, so that there are unclaimed credits. */
const REVOKED = 8;
/** The agent that provisioned itself, and its operator. */
const OWN = 3;
/**
 * What each operator has at the beginning, and what it grants to each of its agents; the first one also has
 * the credits of every start.
 */
const POOL: Portions = { promotional: 900, paid: 500, sandbox: 300 };
const GRANT: Portions = { promotional: 60, paid: 40, sandbox: 30 };
const HOUR_MS = 3_600_000;

/** One of the requests of a batch. A repeated operation has two. */
interface Send {
  operation: Operation;
  outcome: Outcome | null;
}

/** What the response to a request says: no code for a 2xx. */
interface Outcome {
  status: number;
  code: string | null;
  body: Record<string, unknown>;
}

/** A service with operators and agents, and the model of its ledger. */
export class LedgerSimulation {
  /** How many operations of each type took effect. */
  readonly accepted = new Map<string, number>();
  sent = 0;
  private readonly rules: LedgerRules;

  private constructor(
    readonly app: TrustApp,
    readonly time: VirtualTime,
    readonly model: LedgerModel,
    readonly participants: Participants,
    private readonly order: SerialOrder<Send | 'sweep'>,
    private readonly sweep: () => Promise<void>,
    private readonly seqs: { agents: readonly number[]; operators: readonly number[] },
  ) {
    this.rules = new LedgerRules(model);
  }

  static async open(directory?: string): Promise<LedgerSimulation> {
    const time = new VirtualTime();
    const app = await openTrustApp(SETTINGS, time, directory);
    const { trust, firstStart } = app.service;
    const third = await createOperator(trust, { name: 'third', admin: false });
    const own = await selfProvisionedAgent(app);
    const ownKey = await createKeyFor(trust, own.operatorId, {});
    const operatorIds = [firstStart.operatorId, app.otherId, third.operator_id, own.operatorId];
    const agents: Awaited<ReturnType<typeof enrolledAgent>>[] = [];
    const [holderKeys, limitedKeys]: (string | null)[][] = [[], []];
    for (const sponsor of SPONSORS) {
      const operatorId = sponsor === null ? null : (operatorIds[sponsor] ?? null);
      const agent = sponsor === OWN ? own : await enrolledAgent(app, { sponsor: operatorId });
      agents.push(agent);
      const keyWith = async (scope?: { max_credits: number }): Promise<string | null> =>
        operatorId === null
          ? null
          : (await holderOf(app, agent, { operatorId, ...(scope && { scope }) })).key;
      holderKeys?.push(await keyWith());
      limitedKeys?.push(await keyWith({ max_credits: SCOPE_LIMIT }));
    }
    const participants: Participants = {
      agents,
      operatorIds,
      issuerKeys: [app.apiKey, app.otherKey, third.api_key, ownKey.api_key],
      holderKeys: holderKeys ?? [],
      limitedKeys: limitedKeys ?? [],
      serviceToken: SERVICE_TOKEN,
      audience: await audienceOf(app),
      receipts: new Map(),
      now: () => time.now(),
    };
    const model = new LedgerModel(OPERATORS, SPONSORS, () => time.now());
    model.operator(0).pool.promotional = 1_000_000;
    for (const operatorId of operatorIds) await fundPool(app, operatorId, POOL);
    for (const { pool } of model.operators) each(POOL, (asset, amount) => add(pool, asset, amount));
    for (const [index, sponsor] of SPONSORS.entries()) {
      const operator = sponsor ?? 0;
      const agent = agents[index]?.agent;
      if (agent === undefined) throw new Error('no such agent');
      await grantFrom(app, operatorIds[operator] ?? '', agent, GRANT);
      each(GRANT, (asset, amount) => {
        add(model.operator(operator).pool, asset, -amount);
        add(model.agent(index).available, asset, amount);
        add(model.agent(index).granted, asset, amount);
      });
    }
    await app.own.post(`/api/v1/passport/agents/${agents[REVOKED]?.commitment}/revoke`);
    model.agent(REVOKED).isRevoked = true;
    const { tasks } = await app.service.background();
    const due = tasks.filter(({ name }) => TASKS.some((part) => name.includes(part)));
    const sweep = async () => {
      for (const task of due) await task.run();
    };
    const operators = await trust.store.read(async (snapshot) => {
      const seqs: number[] = [];
      for (const id of operatorIds) seqs.push((await operatorById(snapshot, id))?.operatorSeq ?? 0);
      return seqs;
    });
    const seqs = { agents: agents.map(({ agent }) => agent.agentSeq), operators };
    const order = new SerialOrder<Send | 'sweep'>(trust.store);
    return new LedgerSimulation(app, time, model, participants, order, sweep, seqs);
  }

  /**
   * Sends the planned operations at the same time, while the scheduler's tasks run if `sweeps`. Then the
   * model does the same in the order of the transactions. Every response and every balance must be what the
   * model has.
   */
  async batch(plans: readonly Plan[], hours = 0, sweeps = false): Promise<void> {
    this.model.pass(hours * HOUR_MS);
    this.time.advance(hours * HOUR_MS);
    const now = this.time.now();
    const sends: Send[] = [];
    for (const planned of plans) {
      const operation = chosen(this.model, planned, now);
      const copies = planned.isTwice && isRequest(operation) ? 2 : 1;
      if (operation.type === 'breach' && !(await this.prepare(operation))) continue;
      for (let copy = 0; copy < copies; copy++) sends.push({ operation, outcome: null });
    }
    const swept = sweeps ? [this.order.run('sweep', 'service', this.sweep)] : [];
    await Promise.all([...sends.map((send) => this.send(send)), ...swept]);
    this.replay(sends, this.order.take());
    await this.compare();
  }

  /** Runs the scheduler alone. Then nothing may be due. */
  async settle(): Promise<void> {
    await this.batch([], 0, true);
    expect(this.model.due()).toEqual([]);
    expect(this.model.returnable()).toEqual([]);
  }

  /**
   * Verifies every journal, and compares public figures, tiers and tasks with the model. Each paid task has a
   * receipt, which the entry of its worker names, and no other task has one.
   */
  async finish(): Promise<void> {
    const { own, anyone } = this.app;
    const receipts = new Map<unknown, unknown>();
    for (const [index, { commitment }] of this.participants.agents.entries()) {
      const { available } = this.model.agent(index);
      const entries = await journalOf(own, commitment);
      for (const { kind, reference, receipt_id } of entries)
        if (kind === 'ESCROW_RELEASE') receipts.set(reference, receipt_id);
      const balances = verifiedJournal(commitment, entries);
      const named = { promotional: 0, paid: 0, sandbox: 0, ...balances };
      expect([commitment, named]).toEqual([commitment, available]);
      expect(verifiedJournal(commitment, await journalOf(anyone, commitment))).toEqual(balances);
      const path = `/api/v1/passport/agents/${commitment}`;
      const { tier, evaluation_reason } = (await anyone.get(`${path}/access-tier`)).body;
      expect([commitment, tier, evaluation_reason]).toEqual([commitment, ...expectedTier(this.model, index)]);
      const { subject_commitment: _, ...figures } = (await anyone.get(`${path}/credits`)).body;
      expect(figures).toEqual(expectedFigures(this.model, index));
    }
    for (const [id, { status, digest }] of this.model.tasks) {
      const { body } = await anyone.get(`/api/v1/acp/task/${id}`);
      const statuses = status === 'EXPIRED' ? ['expired', 'cancelled'] : [status.toLowerCase()];
      expect(statuses).toContain(String(body.status));
      expect([id, receipts.has(id)]).toEqual([id, status === 'PAID']);
      expect([id, receipts.get(id) ?? null]).toEqual([id, body.receipt_id ?? null]);
      if (status === 'PAID' || status === 'DELIVERED') expect(body.deliverable_digest).toBe(digest);
    }
    const paid = [...this.model.tasks.values()].filter(({ status }) => status === 'PAID');
    expect(new Set(receipts.values()).size).toBe(paid.length);
  }

  close(): Promise<void> {
    return this.app.close();
  }

  /** Repeats in the model what ran, in its order, and compares every response with it. */
  private replay(sends: readonly Send[], order: readonly RanTransaction<Send | 'sweep'>[]): void {
    // A request that was refused before its transaction can have been at any time.
    const early = sends.filter((send) => !order.some(({ task }) => task === send));
    const possible = new Map<Send, Refusals[]>(early.map((send) => [send, []]));
    const look = () => {
      for (const [send, seen] of possible) seen.push(this.rules.refusals(send.operation));
    };
    look();
    for (const { task, movements } of order) {
      if (task === 'sweep') for (const movement of movements) this.swept(movement);
      else this.require(task, [this.rules.refusals(task.operation)]);
      look();
    }
    for (const [send, seen] of possible) this.require(send, seen);
  }

  /** Applies what the scheduler booked. */
  private swept({ kind, reference, debitOwner }: BookedMovement): void {
    if (kind === 'ADJUSTMENT' && reference === 'agent_revoked')
      this.model.returnCredits(this.seqs.agents.indexOf(debitOwner));
    else this.model.sweep(kind, reference ?? '');
  }

  /** Holds a response against what the model allows, at one of the given times. */
  private require({ operation, outcome }: Send, possible: readonly Refusals[]): void {
    if (outcome === null) throw new Error('a request without a response');
    const { code, status, body } = outcome;
    const fits = possible.some((codes) => (code === null ? codes.length === 0 : codes.includes(code)));
    if (!fits) {
      throw new Error(
        `${JSON.stringify(operation)} was returned ${status} ${JSON.stringify(body)}; the model has ${JSON.stringify(possible)}`,
      );
    }
    this.sent += 1;
    if (code !== null) return;
    this.model.apply(operation);
    this.accepted.set(operation.type, (this.accepted.get(operation.type) ?? 0) + 1);
  }

  private async send(send: Send): Promise<void> {
    if (send.operation.type === 'charge') {
      const { operation } = send;
      send.outcome = await this.order.run(send, 'request', () => this.charge(operation));
      return;
    }
    const request = requestOf(this.participants, send.operation);
    if (request === null) {
      send.outcome = await this.order.run(send, 'service', () => this.administer(send.operation));
      return;
    }
    const { path, ...init } = request;
    const response = await this.order.run(send, 'request', () =>
      this.app.fetch(new Request(`http://localhost${path}`, init)),
    );
    const body = Object(await response.json());
    const code = response.ok ? null : String(body.reason_code);
    send.outcome = { status: response.status, code, body };
  }

  /** Charges a product, which no route does by itself. */
  private charge(operation: Operation & { type: 'charge' }): Promise<Outcome> {
    const { trust } = this.app.service;
    const { key, line, body } = chargeOf(this.participants, operation);
    return outcomeOf(async () => {
      const headers = key === null ? {} : { authorization: `Bearer ${key}` };
      const request = new Request('http://localhost/', { method: 'POST', headers });
      const principal = key === null ? null : await trust.principals.authenticate(request, 'any');
      const caller = agentCaller(trust, principal, line, body);
      const { agent } = operation;
      const commitment = agent === null ? null : (this.participants.agents[agent]?.commitment ?? null);
      await trust.store.write(caller.authority, (tx) =>
        chargeIn(tx, trust, { caller, commitment }, operation.product),
      );
    });
  }

  private administer(operation: Operation): Promise<Outcome> {
    const { trust } = this.app.service;
    const operatorId =
      'operator' in operation ? this.participants.operatorIds[operation.operator] : undefined;
    if (operatorId === undefined) throw new Error('no such operator');
    return outcomeOf(async () => {
      if (operation.type === 'fund')
        await adjustPoolDirectly(trust, operatorId, operation.amount, operation.asset);
      if (operation.type === 'stake') await setStake(trust, operatorId, operation.cents);
      if (operation.type === 'status')
        await setAccountStatus(trust, operatorId, operation.isActive ? 'ACTIVE' : 'SUSPENDED');
    });
  }

  /** Issues the receipt that a breach finalizes. @returns false if the operator cannot issue one */
  private async prepare({ id, caller }: Operation): Promise<boolean> {
    if (caller.by !== 'issuer') return false;
    const key = this.participants.issuerKeys[caller.operator] ?? null;
    const { status, body } = await client(this.app.fetch, 'http://localhost', key).issue();
    if (status === 201) this.participants.receipts.set(id, String(body.receipt_id));
    return status === 201;
  }

  /** Compares every account of the ledger with the model, and the sum of each asset with zero. */
  private async compare(): Promise<void> {
    const rows = await accountsOf(this.app);
    expect(sumsOf(rows)).toEqual({ promotional: 0, paid: 0, sandbox: 0, cents: 0, sandbox_cents: 0 });
    expect(byName(rows)).toEqual(expectedAccounts(this.model, this.seqs));
  }
}

/** Returns what became of an action that is no request. */
async function outcomeOf(act: () => Promise<void>): Promise<Outcome> {
  try {
    await act();
    return { status: 200, code: null, body: {} };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: 400, code: error.code, body: { message: error.message } };
  }
}

/** The scheduler's tasks that change the ledger. */
const TASKS = ['escrow', 'engagement', 'revoked agents'];
