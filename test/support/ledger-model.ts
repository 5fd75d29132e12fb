/**
 * A plain model of the ledger: what every balance is after a sequence of operations, and why an operation is refused. It shares no code with
 * the product, so that an error in one of them shows.
 */
import type { Delivery, Operation } from './ledger-operations.ts';
import { add, each, isAmount, NONE, type Portions, portionsOf } from './ledger-portions.ts';

/** The largest amount of credits that a key with a scope may debit at once. */
export const SCOPE_LIMIT = 25;
/** How long a hirer has to accept a delivery. */
const ACCEPT_MS = 72 * 3_600_000;

export interface ModelOperator {
  pool: Portions;
  stakeCents: number;
  isActive: boolean;
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

/** The codes of all rules that refuse an operation. */
export type Refusals = readonly string[];

export class LedgerModel {
  readonly operators: ModelOperator[];
  readonly agents: ModelAgent[];
  readonly tasks = new Map<string, ModelTask>();
  /** All evidence of deliveries that was accepted. */
  readonly evidence: Delivery[] = [];
  slashedCents = 0;
  /** Cents that came into the ledger. */
  issuedCents = 0;
  /** Operations that took effect: a repetition books nothing. */
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

  /** Returns the codes with which the service may refuse an operation now; none if it must accept it. */
  refusals(operation: Operation): Refusals {
    const door = this.atTheDoor(operation);
    if (door.length > 0) return door;
    const isRepeated = this.done.has(operation.id);
    if (isRepeated && operation.caller.by !== 'signature') return [];
    return [...new Set([...this.rules(operation), ...(isRepeated ? ['nonce_reused'] : [])])];
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
      case 'hire':
        this.hire(operation);
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
        this.operator(operation.operator).isActive = operation.isActive;
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

  /** Returns the tasks that the scheduler must end: they are due, or a party may no longer act. */
  due(): string[] {
    const isPast = (time: number | null) => time !== null && time <= this.now();
    return [...this.tasks]
      .filter(([, { status, acceptBy, deadline, hirer, worker }]) => {
        if (status === 'DELIVERED') return isPast(acceptBy);
        return status === 'HELD' && (isPast(deadline) || !this.mayAct(hirer) || !this.mayAct(worker));
      })
      .map(([id]) => id);
  }

  /** Returns whether an agent may hire, deliver and debit. */
  mayAct(index: number): boolean {
    const { isRevoked, sponsor } = this.agent(index);
    return !isRevoked && (sponsor === null || this.operator(sponsor).isActive);
  }

  /** What is checked before the body of a request: its key. */
  private atTheDoor({ caller, type }: Operation): Refusals {
    switch (caller.by) {
      case 'nobody':
        return ['unauthorized'];
      case 'issuer':
        return this.operator(caller.operator).isActive ? [] : ['forbidden'];
      case 'holder':
      case 'limited': {
        const { keyOperator, isRevoked } = this.agent(caller.agent);
        const isActive = keyOperator !== null && this.operator(keyOperator).isActive;
        const isAllowed = isActive && type !== 'grant';
        return [...(isAllowed ? [] : ['forbidden']), ...(isRevoked ? ['agent_not_enrolled'] : [])];
      }
      case 'signature':
        // Only an operator's key can take from its pool.
        return type === 'grant' ? ['unauthorized'] : [];
      case 'service':
        return [];
    }
  }

  private rules(operation: Operation): Refusals {
    switch (operation.type) {
      case 'grant': {
        if (operation.caller.by !== 'issuer') return ['forbidden', ...this.invalid(operation)];
        const invalid = this.invalid(operation);
        if (invalid.length > 0) return invalid;
        const isShort =
          portionsOf(this.operator(operation.caller.operator).pool, amountOf(operation)) === null;
        return [...this.unenrolled(operation.agent), ...(isShort ? ['insufficient_credits'] : [])];
      }
      case 'transfer': {
        const invalid = this.invalid(operation);
        const same = operation.from === operation.to ? ['validation_error'] : [];
        if (invalid.length > 0) return invalid;
        return [...same, ...this.debit(operation, operation.from), ...this.unenrolled(operation.to)];
      }
      case 'hire': {
        const invalid = this.invalid(operation);
        if (invalid.length > 0) return invalid;
        return [
          ...(operation.hirer === operation.worker ? ['validation_error'] : []),
          ...(this.tasks.has(operation.task) ? ['conflict'] : []),
          ...this.debit(operation, operation.hirer),
          ...this.unenrolled(operation.worker),
          ...(this.mayAct(operation.worker) ? [] : ['forbidden']),
        ];
      }
      case 'fund': {
        const { pool } = this.operator(operation.operator);
        return pool[operation.asset] + operation.amount < 0 ? ['insufficient_credits'] : [];
      }
      case 'deliver':
        return this.unenrolled(operation.agent);
      case 'accept':
      case 'cancel':
      case 'refund': {
        const task = this.tasks.get(operation.task);
        if (task === undefined) return ['not_found', ...this.flaws(operation)];
        const side = operation.type === 'refund' ? task.worker : task.hirer;
        const from = operation.type === 'cancel' ? 'HELD' : 'DELIVERED';
        const isStranger = !this.actsFor(operation, side);
        return [
          ...this.flaws(operation),
          ...this.strange(operation, side),
          ...(isStranger ? ['not_found'] : []),
          ...(task.status === from ? [] : ['invalid_state']),
          ...this.inactive(side),
        ];
      }
      case 'sponsor':
        return this.operator(operation.operator).isActive ? [] : ['validation_error'];
      case 'revoke':
        return this.agent(operation.agent).isRevoked ? ['invalid_state'] : [];
      default:
        return [];
    }
  }

  private invalid(operation: Operation & { amount: unknown }): Refusals {
    return isAmount(operation.amount) ? [] : ['validation_error', 'invalid_json'];
  }

  private unenrolled(index: number): Refusals {
    return this.agent(index).isRevoked ? ['agent_not_enrolled'] : [];
  }

  /** Why a caller may not take `amount` from an agent. */
  private debit(operation: Operation & { amount: unknown }, index: number): Refusals {
    const amount = amountOf(operation);
    const isTooMuch = operation.caller.by === 'limited' && amount > SCOPE_LIMIT;
    return [
      ...this.flaws(operation),
      ...this.strange(operation, index),
      ...this.inactive(index),
      ...(isTooMuch ? ['scope_violation'] : []),
      ...(portionsOf(this.agent(index).available, amount) === null ? ['insufficient_credits'] : []),
    ];
  }

  private inactive(index: number): Refusals {
    const { sponsor, isRevoked } = this.agent(index);
    const isSuspended = sponsor !== null && !this.operator(sponsor).isActive;
    return [...(isRevoked ? ['agent_not_enrolled'] : []), ...(isSuspended ? ['forbidden'] : [])];
  }

  /** Why a caller may not act for an agent. */
  private strange(operation: Operation, index: number): Refusals {
    if (this.actsFor(operation, index)) return [];
    return [operation.caller.by === 'signature' ? 'invalid_proof' : 'forbidden'];
  }

  private flaws({ caller }: Operation): Refusals {
    return caller.by === 'signature' && caller.flaw !== null ? ['invalid_proof'] : [];
  }

  private actsFor({ caller }: Operation, index: number): boolean {
    const { sponsor, keyOperator } = this.agent(index);
    switch (caller.by) {
      case 'issuer':
        // The first operator's key is the administrator's.
        return sponsor === null ? caller.operator === 0 : sponsor === caller.operator;
      case 'holder':
      case 'limited':
        return caller.agent === index && sponsor === keyOperator;
      case 'signature':
        return caller.agent === index;
      default:
        return false;
    }
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
    if (!this.mayAct(task.hirer) || !this.mayAct(task.worker)) return;
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

/** The share of the stake that a breach costs, in per cent. */
const TRANCHES = { DATA_LEAKAGE: 10, SLA_BREACH: 5, LOGIC_DETECTION: 2, COMPUTE_TIMEOUT: 1 } as const;
export type Tranche = keyof typeof TRANCHES;

function amountOf({ amount }: { amount: unknown }): number {
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
