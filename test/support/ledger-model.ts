/**
 * A plain model of the ledger: what every balance is after a sequence of operations, and why an operation is
 * refused. It shares no code with the product, so that an error in one of them shows.
 */
import type { Delivery, Operation } from './ledger-operations.ts';
import { add, CLASSES, each, isAmount, NONE, type Portions, portionsOf } from './ledger-portions.ts';

/** How long a hirer has to accept a delivery. */
const ACCEPT_MS = 72 * 3_600_000;

export interface ModelOperator {
  pool: Portions;
  stakeCents: number;
  isActive: boolean;
  /** When it was suspended, in milliseconds since 1970; null while it is active. */
  inactiveSince: number | null;
}

export interface ModelAgent {
  /** The index of its operator; null without one. */
  sponsor: number | null;
  /** The operator of its holder keys: its first sponsor. */
  keyOperator: number | null;
  isRevoked: boolean;
  override: string | null;
  available: Portions;
  locked: Portions;
  granted: Portions;
  earned: Portions;
  spent: Portions;
}

export type TaskStatus = 'HELD' | 'DELIVERED' | 'PAID' | 'CANCELLED' | 'EXPIRED';

export interface ModelTask {
  hirer: number;
  worker: number;
  held: Portions;
  status: TaskStatus;
  /** Milliseconds since 1970; null without one. */
  deadline: number | null;
  acceptBy: number | null;
  /** The digest that was delivered. */
  digest: string | null;
}

export class LedgerModel {
  readonly operators: ModelOperator[];
  readonly agents: ModelAgent[];
  readonly tasks = new Map<string, ModelTask>();
  /** All evidence of deliveries that was accepted. */
  readonly evidence: Delivery[] = [];
  slashedCents = 0;
  /** What the service charged. */
  readonly revenue: Portions = { ...NONE };
  /** What revoked agents without a sponsor had. */
  readonly unclaimed: Portions = { ...NONE };
  /** Cents that came into the ledger. */
  issuedCents = 0;
  private readonly done = new Set<string>();

  /** @param sponsors the operator of each agent @param now the time of the service, in milliseconds */
  constructor(
    operators: number,
    sponsors: readonly (number | null)[],
    private readonly now: () => number,
  ) {
    this.operators = Array.from({ length: operators }, () => ({
      pool: { ...NONE },
      stakeCents: 0,
      isActive: true,
      inactiveSince: null,
    }));
    this.agents = sponsors.map((sponsor) => ({
      sponsor,
      keyOperator: sponsor,
      isRevoked: false,
      override: null,
      available: { ...NONE },
      locked: { ...NONE },
      granted: { ...NONE },
      earned: { ...NONE },
      spent: { ...NONE },
    }));
  }

  operator(index: number): ModelOperator {
    return required(this.operators[index], `operator ${index}`);
  }

  agent(index: number): ModelAgent {
    return required(this.agents[index], `agent ${index}`);
  }

  task(id: string): ModelTask {
    return required(this.tasks.get(id), id);
  }

  /** Returns whether an operation took effect: a repetition books nothing. */
  isDone({ id }: Operation): boolean {
    return this.done.has(id);
  }

  /** Applies an accepted operation. */
  apply(operation: Operation): void {
    if (this.done.has(operation.id)) return;
    this.done.add(operation.id);
    switch (operation.type) {
      case 'fund':
        add(this.operator(operation.operator).pool, operation.asset, operation.amount);
        return;
      case 'grant': {
        const { pool } = this.operator(operatorOf(operation));
        const portions = required(portionsOf(pool, amountOf(operation)), 'a pool that suffices');
        const agent = this.agent(operation.agent);
        each(portions, (asset, amount) => {
          add(pool, asset, -amount);
          add(agent.available, asset, amount);
          add(agent.granted, asset, amount);
        });
        return;
      }
      case 'transfer':
        this.pay(operation.from, operation.to, amountOf(operation));
        return;
      case 'claim':
        this.claim(operation);
        return;
      case 'hire':
        this.hire(operation);
        return;
      case 'charge':
        this.charge(operation);
        return;
      case 'deliver':
        this.deliver(operation);
        return;
      case 'accept':
        this.payOut(this.task(operation.task));
        return;
      case 'cancel':
      case 'refund':
        this.release(this.task(operation.task), 'CANCELLED');
        return;
      case 'revoke':
        this.agent(operation.agent).isRevoked = true;
        return;
      case 'sponsor':
        this.agent(operation.agent).sponsor = operation.operator;
        return;
      case 'status':
        this.suspend(this.operator(operation.operator), operation.isActive);
        return;
      case 'stake': {
        const operator = this.operator(operation.operator);
        this.issuedCents += operation.cents - operator.stakeCents;
        operator.stakeCents = operation.cents;
        return;
      }
      case 'breach': {
        const operator = this.operator(operation.operator);
        const taken = Math.floor((operator.stakeCents * TRANCHES[operation.tranche]) / 100);
        operator.stakeCents -= taken;
        this.slashedCents += taken;
        return;
      }
      case 'override':
        this.agent(operation.agent).override = operation.tier;
        return;
    }
  }

  /** Applies what the scheduler booked for a task. @throws Error if it must not */
  sweep(kind: string, id: string): void {
    const task = this.task(id);
    const fits = this.due().includes(id) && (kind === 'ESCROW_RELEASE') === (task.status === 'DELIVERED');
    if (!fits) throw new Error(`the scheduler booked ${kind} for ${id}: ${JSON.stringify(task)}`);
    if (task.status === 'DELIVERED') this.payOut(task);
    else this.release(task, 'EXPIRED');
  }

  /**
   * Applies the return of a revoked agent's credits, which the scheduler booked.
   * @throws Error if it must not
   */
  returnCredits(index: number): void {
    if (!this.returnable().includes(index))
      throw new Error(
        `the scheduler returned the credits of agent ${index}: ${JSON.stringify(this.agent(index))}`,
      );
    const { sponsor, available, spent } = this.agent(index);
    const to = sponsor === null ? this.unclaimed : this.operator(sponsor).pool;
    each({ ...available }, (asset, amount) => {
      add(available, asset, -amount);
      add(spent, asset, amount);
      add(to, asset, amount);
    });
  }

  /**
   * Returns the agents whose credits the scheduler must return: they are revoked, have credits, and are in no
   * open task.
   */
  returnable(): number[] {
    const open = [...this.tasks.values()].filter(({ status }) => status === 'HELD' || status === 'DELIVERED');
    return [...this.agents.keys()].filter((index) => {
      const { isRevoked, available } = this.agent(index);
      const isIdle = open.every(({ hirer, worker }) => hirer !== index && worker !== index);
      return isRevoked && isIdle && CLASSES.some((asset) => available[asset] > 0);
    });
  }

  /** Returns the tasks that the scheduler must end: they are due, a party was revoked, or they stood still. */
  due(): string[] {
    const isPast = (time: number | null) => time !== null && time <= this.now();
    return [...this.tasks]
      .filter(([, { status, acceptBy, deadline, hirer, worker }]) => {
        const since = this.stillSince(hirer);
        if (status === 'DELIVERED') return since === null && isPast(acceptBy);
        if (status !== 'HELD') return false;
        if (this.agent(hirer).isRevoked || this.agent(worker).isRevoked) return true;
        return isPast(since === null ? deadline : since + GRACE_MS);
      })
      .map(([id]) => id);
  }

  /** Returns since when the hires of an agent stand still; null if they do not. */
  stillSince(index: number): number | null {
    const { sponsor } = this.agent(index);
    return sponsor === null ? null : this.operator(sponsor).inactiveSince;
  }

  /** Moves the times of hires that stand still, before the clock goes forward by `ms`. */
  pass(ms: number): void {
    for (const task of this.tasks.values()) {
      if (this.stillSince(task.hirer) === null) continue;
      if (task.status === 'HELD' && task.deadline !== null) task.deadline += ms;
      if (task.status === 'DELIVERED' && task.acceptBy !== null) task.acceptBy += ms;
    }
  }

  private suspend(operator: ModelOperator, isActive: boolean): void {
    operator.isActive = isActive;
    operator.inactiveSince = isActive ? null : (operator.inactiveSince ?? this.now());
  }

  /** Returns whether an agent may hire, deliver and debit. */
  mayAct(index: number): boolean {
    const { isRevoked, sponsor } = this.agent(index);
    return !isRevoked && (sponsor === null || this.operator(sponsor).isActive);
  }

  private pay(from: number, to: number, amount: number): void {
    const [payer, payee] = [this.agent(from), this.agent(to)];
    each(required(portionsOf(payer.available, amount), 'credits that suffice'), (asset, part) => {
      add(payer.available, asset, -part);
      add(payer.spent, asset, part);
      add(payee.available, asset, part);
      add(payee.earned, asset, part);
    });
  }

  private claim(operation: Operation & { type: 'claim' }): void {
    const payee = this.agent(operation.to);
    const portions = required(portionsOf(this.unclaimed, amountOf(operation)), 'credits that suffice');
    each(portions, (asset, part) => {
      add(this.unclaimed, asset, -part);
      add(payee.available, asset, part);
      add(payee.earned, asset, part);
    });
  }

  private charge(operation: Operation & { type: 'charge' }): void {
    const { agent, amount } = operation;
    const from = agent === null ? this.operator(operatorOf(operation)).pool : this.agent(agent).available;
    each(required(portionsOf(from, amount), 'credits that suffice'), (asset, part) => {
      add(from, asset, -part);
      if (agent !== null) add(this.agent(agent).spent, asset, part);
      add(this.revenue, asset, part);
    });
  }

  private hire(operation: Operation & { type: 'hire' }): void {
    const { task, hirer, worker, deadline } = operation;
    const agent = this.agent(hirer);
    const held = required(portionsOf(agent.available, amountOf(operation)), 'credits that suffice');
    each(held, (asset, part) => {
      add(agent.available, asset, -part);
      add(agent.locked, asset, part);
    });
    const times = { deadline, acceptBy: null };
    this.tasks.set(task, { hirer, worker, held, status: 'HELD', digest: null, ...times });
  }

  private deliver(delivery: Delivery): void {
    this.evidence.push(delivery);
    const { agent, task: id, digest, isSuccess } = delivery;
    const task = this.tasks.get(id);
    if (task === undefined || task.status !== 'HELD' || task.worker !== agent || !isSuccess) return;
    if (this.agent(task.hirer).isRevoked || !this.mayAct(task.worker)) return;
    if (task.deadline !== null && task.deadline <= this.now()) return;
    Object.assign(task, { status: 'DELIVERED', digest, acceptBy: this.now() + ACCEPT_MS });
  }

  private payOut(task: ModelTask): void {
    const [hirer, worker] = [this.agent(task.hirer), this.agent(task.worker)];
    each(task.held, (asset, part) => {
      add(hirer.locked, asset, -part);
      add(hirer.spent, asset, part);
      add(worker.available, asset, part);
      add(worker.earned, asset, part);
    });
    task.status = 'PAID';
  }

  private release(task: ModelTask, status: TaskStatus): void {
    const hirer = this.agent(task.hirer);
    each(task.held, (asset, part) => {
      add(hirer.locked, asset, -part);
      add(hirer.available, asset, part);
    });
    task.status = status;
  }
}

/** How long a HELD hire stands still before its credits return. */
const GRACE_MS = 24 * 3_600_000;

/** The share of the stake that a breach costs, in per cent. */
const TRANCHES = { DATA_LEAKAGE: 10, SLA_BREACH: 5, LOGIC_DETECTION: 2, COMPUTE_TIMEOUT: 1 } as const;
export type Tranche = keyof typeof TRANCHES;

/** Returns the amount of an operation that was accepted. */
export function amountOf({ amount }: { amount: unknown }): number {
  if (isAmount(amount)) return amount;
  throw new Error(`not an amount: ${amount}`);
}

function operatorOf({ caller }: Operation): number {
  if (caller.by === 'issuer') return caller.operator;
  throw new Error(`${caller.by} has no pool`);
}

function required<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`the model has no ${what}`);
  return value;
}
