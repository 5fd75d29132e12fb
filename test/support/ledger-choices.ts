/** Choices that a plan means in a state of the model. */
import type { LedgerModel, ModelAgent, TaskStatus } from './ledger-model.ts';
import type { Caller, Plan } from './ledger-operations.ts';

/** Chooses who sends a request about an agent: in nine of ten cases somebody who may. */
export function callerFor(
  model: LedgerModel,
  { caller, flaw, b }: Plan,
  agent: number,
  among: 'all' | 'issuers' = 'all',
): Caller {
  const { sponsor, keyOperator } = model.agent(agent);
  const issuer: Caller = { by: 'issuer', operator: sponsor ?? 0 };
  if (caller >= 97) return { by: 'nobody' };
  if (caller >= 94) return { by: 'issuer', operator: b % model.operators.length };
  if (caller >= 92) return { by: 'holder', agent: holderIn(model, b) };
  if (caller >= 90) return { by: 'signature', agent: b % model.agents.length, flaw };
  // A grant goes to agents of others, too.
  if (among === 'issuers')
    return b % 3 === 0 ? { by: 'issuer', operator: b % model.operators.length } : issuer;
  if (keyOperator === null) return caller % 2 === 0 ? issuer : { by: 'signature', agent, flaw };
  if (caller % 4 === 0) return issuer;
  if (caller % 4 === 1) return { by: 'holder', agent };
  if (caller % 4 === 2) return { by: 'limited', agent };
  return { by: 'signature', agent, flaw };
}

/** Returns an agent: mostly one that is not revoked, and often one of a few, so that rare things meet. */
export function agentIn(model: LedgerModel, n: number): number {
  const all = [...model.agents.keys()];
  const enrolled = all.filter((index) => !model.agent(index).isRevoked);
  const list = n % 8 === 0 || enrolled.length === 0 ? all : enrolled;
  const number = Math.floor(n / 8);
  return pick(number % 2 === 0 ? list.slice(0, 3) : list, Math.floor(number / 2));
}

/** Returns an agent for which `fits` is true; null if there is none. */
export function agentThat(
  model: LedgerModel,
  n: number,
  fits: (agent: ModelAgent) => boolean,
): number | null {
  const fitting = [...model.agents.keys()].filter((index) => fits(model.agent(index)));
  return fitting.length === 0 ? null : pick(fitting, n);
}

/** Returns an agent that has holder keys: one that had a sponsor from the beginning. */
function holderIn(model: LedgerModel, n: number): number {
  const sponsored = [...model.agents.keys()].filter((index) => model.agent(index).keyOperator !== null);
  return pick(sponsored, n);
}

export function taskIn(model: LedgerModel, { a, b }: Plan, status: TaskStatus): string {
  const all = [...model.tasks.keys()];
  const fitting = all.filter((id) => model.task(id).status === status);
  const list = b % 8 === 0 || fitting.length === 0 ? all : fitting;
  return list.length === 0 || b % 50 === 0 ? 'no-such-task' : pick(list, a);
}

export function spendable(model: LedgerModel, agent: number): number {
  const { promotional, paid, sandbox } = model.agent(agent).available;
  return Math.max(promotional + paid, sandbox);
}

export function amountIn({ amount }: Plan, most: number): unknown {
  if (amount === 'all') return Math.max(1, most);
  if (amount === 'too much') return most + 1;
  return typeof amount === 'number' ? amount : amount.raw;
}

export function pick<T>(list: readonly T[], n: number): T {
  const chosen = list[n % list.length];
  if (chosen === undefined) throw new Error('an empty list');
  return chosen;
}
