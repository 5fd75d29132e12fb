/** What operations that are accepted, and the scheduler, change in the model of the ledger. */
import { kindOf } from './ledger-kinds.ts';
import { type LedgerModel, type ModelTask, required, type TaskStatus } from './ledger-model.ts';
import type { Delivery, Operation } from './ledger-operations.ts';
import { add, each, isAmount, type Portions, portionsOf } from './ledger-portions.ts';

/** How long a hirer has to accept a delivery. */
const ACCEPT_MS = 72 * 3_600_000;

/** The share of the stake that a breach costs, in per cent. */
const TRANCHES = { DATA_LEAKAGE: 10, SLA_BREACH: 5, LOGIC_DETECTION: 2, COMPUTE_TIMEOUT: 1 } as const;
export type Tranche = keyof typeof TRANCHES;

/** Applies an accepted operation. */
export function apply(model: LedgerModel, operation: Operation): void {
  if (model.done.has(operation.id)) return;
  model.done.add(operation.id);
  count(model, operation);
  switch (operation.type) {
    case 'fund':
      fund(model, operation);
      return;
    case 'grant': {
      const from = model.poolOf(operatorOf(operation));
      const portions = paying(model.spendable(from, operation.agent), amountOf(operation));
      model.move(from, model.creditsOf(operation.agent), portions);
      addAll(model.agent(operation.agent).granted, portions);
      return;
    }
    case 'transfer': {
      const [from, to] = [model.creditsOf(operation.from), model.creditsOf(operation.to)];
      const portions = paying(model.spendable(from, operation.to), amountOf(operation));
      model.move(from, to, portions);
      addAll(model.agent(operation.from).spent, portions);
      addAll(model.agent(operation.to).earned, portions);
      return;
    }
    case 'claim': {
      const from = model.unclaimedPlace;
      const portions = paying(model.spendable(from, operation.to), amountOf(operation));
      model.move(from, model.creditsOf(operation.to), portions);
      addAll(model.agent(operation.to).earned, portions);
      return;
    }
    case 'hire': {
      const { task, hirer, worker, deadline } = operation;
      const from = model.creditsOf(hirer);
      const held = paying(model.spendable(from, worker), amountOf(operation));
      model.move(from, model.lockOf(hirer, task), held);
      model.locks.push(task);
      const times = {
        ...{ deadline, acceptBy: null, disputeUntil: null },
        ...{ createdAt: model.now(), firstDeadline: deadline },
      };
      model.tasks.set(task, { hirer, worker, held, status: 'HELD', digest: null, workerAmount: 0, ...times });
      return;
    }
    case 'charge': {
      const { agent, amount } = operation;
      const from = agent === null ? model.poolOf(operatorOf(operation)) : model.creditsOf(agent);
      const portions = paying(from.balances, amount);
      model.move(from, model.revenuePlace, portions);
      if (agent !== null) addAll(model.agent(agent).spent, portions);
      return;
    }
    case 'deliver':
      deliver(model, operation);
      return;
    case 'accept':
      payOut(model, operation.task);
      return;
    case 'cancel':
    case 'refund':
      release(model, operation.task, 'CANCELLED');
      return;
    case 'revoke':
      model.agent(operation.agent).isRevoked = true;
      return;
    case 'sponsor':
      model.agent(operation.agent).sponsor = operation.operator;
      model.lookAtStandstills();
      return;
    case 'status':
      Object.assign(model.operator(operation.operator), {
        isActive: operation.isActive,
        isSuspendedByDebt: false,
      });
      model.lookAtStandstills();
      return;
    case 'stake':
      model.operator(operation.operator).stakeCents = operation.cents;
      return;
    case 'breach': {
      const operator = model.operator(operation.operator);
      const taken = Math.ceil((operator.stakeCents * TRANCHES[operation.tranche]) / 100); // in the house's favour: rounded up
      operator.stakeCents -= taken;
      model.slashedCents += taken;
      return;
    }
    case 'override':
      model.agent(operation.agent).override = operation.tier;
      return;
    default:
      kindOf(operation).apply(model, operation);
      return;
  }
}

/** Applies what the scheduler booked for a task. @throws Error if it must not */
export function sweep(model: LedgerModel, kind: string, id: string): void {
  const task = model.task(id);
  const isDelivered = task.status === 'DELIVERED' || task.status === 'DISPUTED';
  const fits = model.due().includes(id) && (kind === 'ESCROW_RELEASE') === isDelivered;
  if (!fits) throw new Error(`the scheduler booked ${kind} for ${id}: ${JSON.stringify(task)}`);
  if (isDelivered) payOut(model, id);
  else release(model, id, 'EXPIRED');
}

/**
 * Applies the return of a revoked agent's credits, which the scheduler booked.
 * @throws Error if it must not
 */
export function returnCredits(model: LedgerModel, index: number): void {
  const agent = model.agent(index);
  if (!model.returnable().includes(index))
    throw new Error(`the scheduler returned the credits of agent ${index}: ${JSON.stringify(agent)}`);
  const portions = { ...agent.available };
  model.move(model.creditsOf(index), model.returnPlaceOf(index), portions);
  addAll(agent.spent, portions);
}

/** Counts what a key with limits over time spent. */
function count(model: LedgerModel, operation: Operation): void {
  const { caller } = operation;
  if (caller.by !== 'limited') return;
  const isDebit = ['transfer', 'hire', 'charge', 'withdraw'].includes(operation.type);
  if (isDebit && 'amount' in operation && isAmount(operation.amount))
    model.budgets.add(caller.agent, model.now(), operation.amount);
}

function fund(model: LedgerModel, { operator, asset, amount }: Operation & { type: 'fund' }): void {
  const portions: Portions = { promotional: 0, paid: 0, sandbox: 0, [asset]: Math.abs(amount) };
  const pool = model.poolOf(operator);
  if (amount > 0) model.move(null, pool, portions);
  else model.move(pool, null, portions);
}

function deliver(model: LedgerModel, delivery: Delivery): void {
  model.evidence.push(delivery);
  const { agent, task: id, digest, isSuccess } = delivery;
  const task = model.tasks.get(id);
  if (task === undefined || task.status !== 'HELD' || task.worker !== agent || !isSuccess) return;
  if (model.agent(task.hirer).isRevoked || !model.mayAct(task.worker)) return;
  if (task.deadline !== null && task.deadline <= model.now()) return;
  Object.assign(task, { status: 'DELIVERED', digest, acceptBy: model.now() + ACCEPT_MS });
}

function payOut(model: LedgerModel, id: string): void {
  const task = model.task(id);
  model.move(model.lockOf(task.hirer, id), model.creditsOf(task.worker), task.held);
  addAll(model.agent(task.hirer).spent, task.held);
  addAll(model.agent(task.worker).earned, task.held);
  task.status = 'PAID';
}

function release(model: LedgerModel, id: string, status: TaskStatus): void {
  const task: ModelTask = model.task(id);
  model.move(model.lockOf(task.hirer, id), model.creditsOf(task.hirer), task.held);
  task.status = status;
}

export function addAll(figures: Portions, portions: Portions): void {
  each(portions, (asset, amount) => add(figures, asset, amount));
}

function paying(balances: Portions, amount: number): Portions {
  return required(portionsOf(balances, amount), 'credits that suffice');
}

/** Returns the amount of an operation that was accepted. */
export function amountOf({ amount }: { amount: unknown }): number {
  if (isAmount(amount)) return amount;
  throw new Error(`not an amount: ${amount}`);
}

function operatorOf({ caller }: Operation): number {
  if (caller.by === 'issuer') return caller.operator;
  throw new Error(`${caller.by} has no pool`);
}
