/**
 * A plain model of the ledger: what every balance is after a sequence of operations, and why an operation is
 * refused. It shares no code with the product, so that an error in one of them shows.
 */
import type { Purchase } from './ledger-disputes.ts';
import { Hours } from './ledger-hours.ts';
import { Lots, type Place } from './ledger-lots.ts';
import type { Delivery } from './ledger-operations.ts';
import { add, CLASSES, each, NONE, type Portions } from './ledger-portions.ts';

export interface ModelOperator {
  pool: Portions;
  stakeCents: number;
  isActive: boolean;
  /** A closed one is not active, either. */
  isClosed: boolean;
  /** What it owes after refunds and lost disputes, in paid credits. */
  owed: number;
  /** Whether it is suspended for that, and nobody decided about it since. */
  isSuspendedByDebt: boolean;
}

export interface ModelAgent {
  /** The index of its operator; null without one. */
  sponsor: number | null;
  /** The operator of its holder keys: its first sponsor. */
  keyOperator: number | null;
  isRevoked: boolean;
  isFrozen: boolean;
  /** Since when its hires stand still, in milliseconds since 1970; null if they do not. */
  stillSince: number | null;
  override: string | null;
  available: Portions;
  locked: Portions;
  granted: Portions;
  earned: Portions;
  spent: Portions;
}

export type TaskStatus =
  | 'HELD'
  | 'DELIVERED'
  | 'DISPUTED'
  | 'PAID'
  | 'CANCELLED'
  | 'EXPIRED'
  | 'DECLINED'
  | 'RESOLVED';

export interface ModelTask {
  hirer: number;
  worker: number;
  held: Portions;
  status: TaskStatus;
  /** Milliseconds since 1970; null without one. */
  deadline: number | null;
  acceptBy: number | null;
  disputeUntil: number | null;
  /** When it was hired, and the deadline that it had then. */
  createdAt: number;
  firstDeadline: number | null;
  /** What a decision gave the worker. */
  workerAmount: number;
  /** The digest that was delivered. */
  digest: string | null;
}

export interface ModelWithdrawal {
  agent: number;
  amount: number;
  /** How much of it returned to the agent, because its payment is disputed or was refunded. */
  cut: number;
  status: 'queued' | 'confirmed' | 'failed';
}

export interface ModelSettlement {
  agent: number;
  credits: number;
  isBooked: boolean;
  /** Whether it exceeded a cap, and waited. */
  wasOverCap: boolean;
}

export class LedgerModel {
  readonly operators: ModelOperator[];
  readonly agents: ModelAgent[];
  readonly tasks = new Map<string, ModelTask>();
  /** By the reference of its request. */
  readonly withdrawals = new Map<string, ModelWithdrawal>();
  /** By rail and reference, with those that exceeded a cap. */
  readonly settlements = new Map<string, ModelSettlement>();
  /** What each rail settled. */
  readonly settled = new Hours();
  /** What the limited key of each agent spent. */
  readonly budgets = new Hours();
  /** The operator of each payment by card that was booked, in their order. */
  readonly payments: number[] = [];
  /** The same payments, with what was told about them. */
  readonly purchases: Purchase[] = [];
  /** Payments whose credits further transactions must hold or release. */
  readonly pendingHolds = new Set<number>();
  /** The tasks and withdrawals that locked credits, in their order. */
  readonly locks: string[] = [];
  unbookedPayments = 0;
  readonly lots = new Lots(this.payments);
  /** All evidence of deliveries that was accepted. */
  readonly evidence: Delivery[] = [];
  slashedCents = 0;
  /** What the service charged. */
  readonly revenue: Portions = { ...NONE };
  /** What revoked agents without a sponsor had. */
  readonly unclaimed: Portions = { ...NONE };
  /** The ids of operations that took effect: a repetition books nothing. */
  readonly done = new Set<string>();

  /**
   * @param sponsors the operator of each agent @param now the time of the service, in milliseconds
   * @param oldest the agents in the order in which they were enrolled
   */
  constructor(
    operators: number,
    sponsors: readonly (number | null)[],
    readonly now: () => number,
    readonly oldest: readonly number[],
  ) {
    this.operators = Array.from({ length: operators }, () => ({
      pool: { ...NONE },
      stakeCents: 0,
      isActive: true,
      isClosed: false,
      owed: 0,
      isSuspendedByDebt: false,
    }));
    this.agents = sponsors.map((sponsor) => ({
      sponsor,
      keyOperator: sponsor,
      isRevoked: false,
      isFrozen: false,
      stillSince: null,
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

  withdrawal(reference: string): ModelWithdrawal {
    return required(this.withdrawals.get(reference), reference);
  }

  poolOf(operator: number): Place {
    return { name: `pool ${operator}`, kind: 'pool', operator, balances: this.operator(operator).pool };
  }

  creditsOf(index: number): Place {
    const { available, sponsor } = this.agent(index);
    return { name: `agent ${index}`, kind: 'agent', operator: sponsor, balances: available };
  }

  /** @param lock the task_id, or the reference of a withdrawal */
  lockOf(index: number, lock: string): Place {
    const { locked, sponsor } = this.agent(index);
    return { name: `lock ${lock}`, kind: 'lock', operator: sponsor, balances: locked };
  }

  get unclaimedPlace(): Place {
    return { name: 'unclaimed', kind: 'unclaimed', operator: null, balances: this.unclaimed };
  }

  get revenuePlace(): Place {
    return { name: 'revenue', kind: 'revenue', operator: null, balances: this.revenue };
  }

  /** Where the credits of an agent go that are taken from it: to its sponsor, or `unclaimed`. */
  returnPlaceOf(index: number): Place {
    const { sponsor } = this.agent(index);
    return sponsor === null ? this.unclaimedPlace : this.poolOf(sponsor);
  }

  /**
   * Moves credits with their lots. @param from null for credits that come into the ledger
   * @param to null for credits that leave it @param source the lot of credits that come in
   * @param payment whose lots are taken first; null for those that mature first
   */
  move(
    from: Place | null,
    to: Place | null,
    portions: Portions,
    source: { maturesAt: number; payment: number } | null = null,
    payment: number | null = null,
  ): void {
    each({ ...portions }, (asset, amount) => {
      const hasSource = from === null && (asset === 'paid' || source !== null);
      const lots =
        from !== null && from.kind !== 'revenue' && asset !== 'sandbox'
          ? payment === null
            ? this.lots.take(from, asset, amount)
            : this.lots.takeOf(from, asset, amount, payment)
          : hasSource
            ? [{ ...(source ?? { maturesAt: 0, payment: 0 }), amount }]
            : [];
      if (from !== null) add(from.balances, asset, -amount);
      if (to === null) return;
      add(to.balances, asset, amount);
      this.lots.put(to, asset, lots, this.now());
    });
  }

  /** Returns what a debit may take of a place. @param payee the agent that is paid; null for nobody else */
  spendable(from: Place, payee: number | null): Portions {
    if (payee === null) return from.balances;
    const bound = this.lots.bound(from, this.agent(payee).sponsor, this.now());
    return { ...from.balances, promotional: from.balances.promotional - bound };
  }

  /** Returns how many credits an agent can withdraw now. */
  withdrawable(index: number): number {
    const place = this.creditsOf(index);
    return place.balances.paid - this.lots.unmature(place, 'paid', this.now());
  }

  /** Returns the agents that have an operator as their sponsor. */
  agentsOf(operator: number): number[] {
    return [...this.agents.keys()].filter((index) => this.agent(index).sponsor === operator);
  }

  /** Returns the tasks that are not over. */
  openTasks(): ModelTask[] {
    return [...this.tasks.values()].filter(({ status }) => isOpen(status));
  }

  /** Returns whether an agent may hire, deliver and debit. */
  mayAct(index: number): boolean {
    const { isRevoked, isFrozen, sponsor } = this.agent(index);
    return !isRevoked && !isFrozen && (sponsor === null || this.operator(sponsor).isActive);
  }

  /** Returns since when the hires of an agent stand still; null if they do not. */
  stillSince(index: number): number | null {
    return this.agent(index).stillSince;
  }

  /** Begins and ends standstills, after an agent or an operator changed. */
  lookAtStandstills(): void {
    for (const agent of this.agents) {
      const isStill = agent.isFrozen || (agent.sponsor !== null && !this.operator(agent.sponsor).isActive);
      agent.stillSince = isStill ? (agent.stillSince ?? this.now()) : null;
    }
  }

  /** Moves the times of hires that stand still, before the clock goes forward by `ms`. */
  pass(ms: number): void {
    for (const task of this.tasks.values()) {
      if (this.stillSince(task.hirer) === null) continue;
      if (task.status === 'HELD' && task.deadline !== null) task.deadline += ms;
      if (task.status === 'DELIVERED' && task.acceptBy !== null) task.acceptBy += ms;
      if (task.status === 'DISPUTED' && task.disputeUntil !== null) task.disputeUntil += ms;
    }
  }

  /** Returns the tasks that the scheduler must end: due ones, of a revoked party, or that stood still. */
  due(): string[] {
    const isPast = (time: number | null) => time !== null && time <= this.now();
    return [...this.tasks]
      .filter(([, { status, acceptBy, disputeUntil, deadline, hirer, worker }]) => {
        const since = this.stillSince(hirer);
        if (status === 'DELIVERED') return since === null && isPast(acceptBy);
        if (status === 'DISPUTED') return since === null && isPast(disputeUntil);
        if (status !== 'HELD') return false;
        if (this.agent(hirer).isRevoked || this.agent(worker).isRevoked) return true;
        return isPast(since === null ? deadline : since + GRACE_MS);
      })
      .map(([id]) => id);
  }

  /**
   * Returns the agents whose credits the scheduler must return: they are revoked and not frozen, have
   * credits, and are in no open task and no open withdrawal.
   */
  returnable(): number[] {
    const open = this.openTasks();
    return [...this.agents.keys()].filter((index) => {
      const { isRevoked, isFrozen, available, locked } = this.agent(index);
      const isIdle =
        open.every(({ worker }) => worker !== index) && CLASSES.every((one) => locked[one] === 0);
      return isRevoked && !isFrozen && isIdle && CLASSES.some((asset) => available[asset] > 0);
    });
  }
}

/** Returns whether the worker of a task was paid, also in part. */
export const isPaid = ({ status, workerAmount }: ModelTask): boolean =>
  status === 'PAID' || (status === 'RESOLVED' && workerAmount > 0);

/** Returns whether the credits of a task are still locked. */
export const isOpen = (status: TaskStatus): boolean =>
  status === 'HELD' || status === 'DELIVERED' || status === 'DISPUTED';

/** How long a HELD hire stands still before its credits return. */
const GRACE_MS = 24 * 3_600_000;

export function required<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`the model has no ${what}`);
  return value;
}
