import { expect } from 'bun:test';
import { ApiError } from '../../src/platform/http/errors/errors.ts';
import { HOUR_MS } from '../../src/platform/time/units.ts';
import { agentCaller } from '../../src/trust/ledger/credits/authorization.ts';
import { chargeIn } from '../../src/trust/ledger/metering/charge.ts';
import { setAccountStatus } from '../../src/trust/pages/dashboard/set-account-status.ts';
import { setStake } from '../../src/trust/pages/dashboard/set-stake.ts';
import { client } from './client.ts';
import { adjustPoolDirectly } from './credits.ts';
import { accountsOf, byName, expectedAccounts, sumsOf } from './ledger-accounts.ts';
import { holdNext } from './ledger-disputes.ts';
import { apply, returnCredits, sweep } from './ledger-effects.ts';
import { mustAgree } from './ledger-finish.ts';
import { type Effect, type History, HOLD, SWEEP } from './ledger-history.ts';
import { findKind, kindOf } from './ledger-kinds.ts';
import type { LedgerModel } from './ledger-model.ts';
import { expectedState, observedState } from './ledger-observed.ts';
import { chosen, type Operation, type Plan } from './ledger-operations.ts';
import { type BookedMovement, type RanTransaction, SerialOrder } from './ledger-order.ts';
import { chargeOf, isRequest, requestOf } from './ledger-requests.ts';
import { LedgerRules, type Refusals } from './ledger-rules.ts';
import { newModel, newWorld, type World } from './ledger-world.ts';
import { VirtualTime } from './virtual-time.ts';

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
  private made = 0;
  private effects: Effect[] = [];
  private readonly rules: LedgerRules;
  private readonly order: SerialOrder<Send | 'sweep' | 'hold'>;
  /** The sends of the running batch. */
  private sends: Send[] = [];

  /**
   * @param model of the present state of the world
   * @param name of this simulation, in the ids of its operations
   * @param history what a killed simulation needs to go on; null if it is never killed
   */
  constructor(
    readonly world: World,
    readonly model: LedgerModel,
    private readonly name: string,
    private readonly history: History | null = null,
  ) {
    this.rules = new LedgerRules(model);
    this.order = new SerialOrder(world.app.service.trust.store, (tx, { task, movements }, isKept) => {
      const send = task === 'sweep' ? SWEEP : task === 'hold' ? HOLD : this.sends.indexOf(task);
      this.history?.ran(tx, send, movements, isKept);
    });
  }

  static async open(directory?: string): Promise<LedgerSimulation> {
    const time = new VirtualTime();
    const world = await newWorld(time, directory);
    return new LedgerSimulation(
      world,
      newModel(() => time.now()),
      'op',
    );
  }

  /**
   * Sends the planned operations at the same time, while the scheduler's tasks run if `sweeps`. Then the
   * model does the same in the order of the transactions. Every response and every balance must be what the
   * model has.
   */
  async batch(plans: readonly Plan[], hours = 0, sweeps = false): Promise<void> {
    this.model.pass(hours * HOUR_MS);
    this.world.time.advance(hours * HOUR_MS);
    const operations: Operation[] = [];
    for (const planned of plans) {
      this.made += 1;
      const operation = chosen(this.model, planned, `${this.name}-${this.made}`);
      const copies = planned.isTwice && isRequest(operation) ? 2 : 1;
      if (operation.type === 'breach' && !(await this.prepare(operation))) continue;
      for (let copy = 0; copy < copies; copy++) operations.push(operation);
    }
    await this.run(operations, hours, sweeps);
  }

  /** Sends operations at the same time. @param hours that have passed before */
  async run(operations: readonly Operation[], hours: number, sweeps: boolean): Promise<void> {
    const { receipts } = this.world.participants;
    this.history?.append({
      kind: 'batch',
      time: this.world.time.now(),
      hours,
      operations: [...operations],
      receipts: operations.flatMap(({ id }): [string, string][] => {
        const receipt = receipts.get(id);
        return receipt === undefined ? [] : [[id, receipt]];
      }),
    });
    const sends = operations.map((operation): Send => ({ operation, outcome: null }));
    this.sends = sends;
    const swept = sweeps ? [this.order.run('sweep', 'service', () => this.sweep())] : [];
    await Promise.all([...sends.map((send) => this.send(send)), ...swept]);
    this.replay(sends, this.order.take());
    await this.compare();
    this.history?.append({ kind: 'applied', effects: this.effects, sent: sends.length });
    this.effects = [];
  }

  /** Forgets what was only repeated: the history has it. */
  caughtUp(): void {
    this.effects = [];
  }

  /** Notes what was committed of a batch that a kill cut off. @param sent how much had a response */
  closeCut(sent: number): void {
    this.sent += sent;
    this.history?.append({ kind: 'applied', effects: this.effects, sent });
    this.effects = [];
  }

  /** Runs the scheduler alone. Then nothing may be due. */
  async settle(): Promise<void> {
    await this.batch([], 0, true);
    expect(this.model.due()).toEqual([]);
    expect(this.model.returnable()).toEqual([]);
  }

  /** Compares what can be read of the service with the model. */
  finish(): Promise<void> {
    return mustAgree(this.world, this.model);
  }

  close(): Promise<void> {
    return this.world.app.close();
  }

  /** Repeats in the model what ran, in its order, and compares every response with it. */
  private replay(sends: readonly Send[], order: readonly RanTransaction<Send | 'sweep' | 'hold'>[]): void {
    // A request that was refused before its transaction can have been at any time.
    const early = sends.filter((send) => !order.some(({ task }) => task === send));
    const possible = new Map<Send, Refusals[]>(early.map((send) => [send, []]));
    const look = () => {
      for (const [send, seen] of possible) seen.push(this.rules.refusals(send.operation));
    };
    look();
    for (const { task, movements } of order) {
      if (task === 'sweep') for (const movement of movements) this.swept(movement);
      else if (task === 'hold') this.held();
      else this.require(task, [this.rules.refusals(task.operation)]);
      look();
    }
    for (const [send, seen] of possible) this.require(send, seen);
  }

  /** Applies what the scheduler booked. */
  swept(movement: BookedMovement): void {
    const { kind, reference, debitOwner } = movement;
    this.effects.push({ swept: movement });
    if (kind === 'ADJUSTMENT' && reference === 'agent_revoked')
      returnCredits(this.model, this.world.seqs.agents.indexOf(debitOwner));
    else sweep(this.model, kind, reference ?? '');
  }

  /** Holds or releases the credits of a payment for which it was left to do. */
  held(): void {
    this.effects.push({ held: true });
    holdNext(this.model);
  }

  /** Applies an operation that was accepted, or with a code refused. */
  ended(operation: Operation, code: string | null): void {
    const { type } = operation;
    if (code === null) {
      if (!this.model.done.has(operation.id)) this.accepted.set(type, (this.accepted.get(type) ?? 0) + 1);
      apply(this.model, operation);
    } else findKind(type)?.refused(this.model, operation, code);
    this.effects.push({ operation, code });
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
    this.ended(operation, code);
  }

  private async send(send: Send): Promise<void> {
    send.outcome = await this.outcomeOf(send);
    const { code } = send.outcome;
    this.history?.append({ kind: 'answered', send: this.sends.indexOf(send), code });
  }

  private async outcomeOf(send: Send): Promise<Outcome> {
    const { operation } = send;
    if (operation.type === 'charge') return this.order.run(send, 'request', () => this.charge(operation));
    const request = requestOf(this.world.participants, operation);
    if (request === null) {
      const { writer = 'service', holds = false } = findKind(operation.type) ?? {};
      return this.order.run(send, writer, () => this.administer(operation), holds ? 'hold' : null);
    }
    const { path, ...init } = request;
    const response = await this.order.run(send, 'request', () =>
      this.world.app.fetch(new Request(`http://localhost${path}`, init)),
    );
    const body = Object(await response.json());
    const code = response.ok ? null : String(body.reason_code);
    return { status: response.status, code, body };
  }

  /** Charges a product, which no route does by itself. */
  private charge(operation: Operation & { type: 'charge' }): Promise<Outcome> {
    const { trust } = this.world.app.service;
    const { key, line, body } = chargeOf(this.world.participants, operation);
    return outcomeOf(async () => {
      const headers = key === null ? {} : { authorization: `Bearer ${key}` };
      const request = new Request('http://localhost/', { method: 'POST', headers });
      const principal = key === null ? null : await trust.principals.authenticate(request, 'any');
      const caller = agentCaller(trust, principal, line, body);
      const { agent } = operation;
      const commitment = agent === null ? null : (this.world.participants.agents[agent]?.commitment ?? null);
      await trust.store.write(caller.authority, (tx) =>
        chargeIn(tx, trust, { caller, commitment }, operation.product),
      );
    });
  }

  private administer(operation: Operation): Promise<Outcome> {
    const { app, participants } = this.world;
    const { trust } = app.service;
    const operatorId = 'operator' in operation ? (participants.operatorIds[operation.operator] ?? '') : '';
    return outcomeOf(async () => {
      switch (operation.type) {
        case 'fund':
          return adjustPoolDirectly(trust, operatorId, operation.amount, operation.asset);
        case 'stake':
          await setStake(trust, operatorId, operation.cents);
          return;
        case 'status':
          await setAccountStatus(trust, operatorId, operation.isActive ? 'ACTIVE' : 'SUSPENDED');
          return;
        default:
          return kindOf(operation).act({ app, participants }, operation);
      }
    });
  }

  /** Runs the scheduler's tasks that change the ledger. */
  private async sweep(): Promise<void> {
    const { tasks } = await this.world.app.service.background();
    for (const task of tasks) {
      if (TASKS.some((part) => task.name.includes(part))) await task.run();
      if (task.name.includes('disputed payments')) await this.order.run('hold', 'service', () => task.run());
    }
  }

  /** Issues the receipt that a breach finalizes. @returns false if the operator cannot issue one */
  private async prepare({ id, caller }: Operation): Promise<boolean> {
    if (caller.by !== 'issuer') return false;
    const key = this.world.participants.issuerKeys[caller.operator] ?? null;
    const { status, body } = await client(this.world.app.fetch, 'http://localhost', key).issue();
    if (status === 201) this.world.participants.receipts.set(id, String(body.receipt_id));
    return status === 201;
  }

  /** Compares accounts, lots and statuses with the model, and the sum of each asset with zero. */
  async compare(): Promise<void> {
    const { app, participants, seqs } = this.world;
    const rows = await accountsOf(app);
    expect(sumsOf(rows)).toEqual({ promotional: 0, paid: 0, sandbox: 0, cents: 0, sandbox_cents: 0 });
    expect(byName(rows)).toEqual(expectedAccounts(this.model, seqs));
    expect(await observedState(app, participants, seqs)).toEqual(expectedState(this.model));
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

/** Parts of the names of these tasks. */
const TASKS = ['escrow', 'engagement', 'revoked agents'];
