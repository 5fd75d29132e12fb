/** What only an administrator does: freezes, claw-backs, and the end of an operator. */
import { closeOperator } from '../../src/trust/billing/close-operator.ts';
import { clawBack } from '../../src/trust/ledger/credits/claw-back.ts';
import { agentIn, agentThat, amountIn, callerFor, pick, spendable } from './ledger-choices.ts';
import { addAll, amountOf } from './ledger-effects.ts';
import { type Kind, kind } from './ledger-kind.ts';
import type { LedgerModel, ModelAgent } from './ledger-model.ts';
import type { Caller, Plan } from './ledger-operations.ts';
import { CLASSES, type CreditClass, isAmount, type Portions, portionsOf } from './ledger-portions.ts';
import { commitmentOf, operatorIdOf } from './ledger-requests.ts';

export type AuthorityOperation =
  | { type: 'freeze' | 'unfreeze'; agent: number }
  | { type: 'claw back'; agent: number; amount: number; asset: CreditClass | null }
  | { type: 'close'; operator: number };

/** Mostly an administrator; now and then somebody who may not. */
const administratorIn = (model: LedgerModel, planned: Plan, agent: number): Caller =>
  planned.caller < 90 ? { by: 'issuer', operator: 0 } : callerFor(model, planned, agent, 'issuers');

/** Returns an agent whose freeze, or whose end of it, meets something else; null for any. */
function likely(model: LedgerModel, type: 'freeze' | 'unfreeze', a: number, b: number): number | null {
  if (type === 'unfreeze') return b % 4 === 0 ? null : agentThat(model, a, ({ isFrozen }) => isFrozen);
  const isNew = ({ isFrozen }: ModelAgent) => !isFrozen;
  if (b % 4 === 0) return agentThat(model, a, (agent) => isNew(agent) && agent.stillSince !== null);
  if (b % 4 === 1) return agentThat(model, a, (agent) => isNew(agent) && agent.isRevoked);
  return null;
}

const freezing = (type: 'freeze' | 'unfreeze'): Kind =>
  kind(type, {
    weight: type === 'freeze' ? 5 : 6,
    choose(model, planned, id) {
      const { a, b } = planned;
      const agent = likely(model, type, a, b) ?? agentIn(model, a);
      return { id, type, caller: administratorIn(model, planned, agent), agent };
    },
    refusals({ model }, { caller, agent }) {
      if (caller.by === 'signature') return ['unauthorized'];
      if (caller.by !== 'issuer' || caller.operator !== 0) return ['forbidden'];
      return type === 'freeze' && model.agent(agent).isFrozen ? ['invalid_state'] : [];
    },
    apply(model, { agent }) {
      model.agent(agent).isFrozen = type === 'freeze';
      model.lookAtStandstills();
    },
    line: (participants, { agent }) => ({
      method: 'POST',
      path: `/api/v1/passport/agents/${commitmentOf(participants, agent)}/${type}`,
      body: type === 'freeze' ? { reason: 'simulation' } : {},
    }),
  });

/** What a claw-back takes: the classes that a debit takes, or of one class; null if there are too few. */
function clawedBack(model: LedgerModel, agent: number, asset: CreditClass | null, amount: number) {
  const { available } = model.agent(agent);
  if (asset === null) return portionsOf(available, amount);
  const portions: Portions = { promotional: 0, paid: 0, sandbox: 0, [asset]: amount };
  return available[asset] < amount ? null : portions;
}

const clawingBack = kind('claw back', {
  weight: 6,
  choose(model, planned, id) {
    const agent = agentIn(model, planned.a);
    const asset = planned.b % 2 === 0 ? null : pick(CLASSES, planned.a);
    const { available } = model.agent(agent);
    const amount = amountIn(planned, asset === null ? spendable(model, agent) : available[asset]);
    // The administrator's command refuses what is not an amount before it begins.
    const right = isAmount(amount) && amount < 1e15 ? amount : 1;
    return { id, type: 'claw back', caller: { by: 'service' }, agent, amount: right, asset };
  },
  refusals: ({ model }, { agent, amount, asset }) =>
    clawedBack(model, agent, asset, amount) === null ? ['insufficient_credits'] : [],
  apply(model, operation) {
    const { agent, asset } = operation;
    const portions = clawedBack(model, agent, asset, amountOf(operation));
    if (portions === null) throw new Error('a claw-back of too much');
    model.move(model.creditsOf(agent), model.returnPlaceOf(agent), portions);
    addAll(model.agent(agent).spent, portions);
  },
  async act({ app, participants }, { agent, amount, asset }) {
    const of = asset === null ? {} : { class: asset };
    const commitment = commitmentOf(participants, agent);
    await clawBack(app.service.trust, commitment, { amount, ...of, reason: 'simulation' });
  },
});

const closing = kind('close', {
  weight: 4,
  choose(model, { a, b }, id) {
    const all = [...model.operators.keys()].slice(1);
    // Half of them can be closed, if any can.
    const empty = all.filter((index) => !model.operator(index).isClosed && isEmpty(model, index));
    const operator = pick(b % 2 === 0 && empty.length > 0 ? empty : all, a);
    return { id, type: 'close', caller: { by: 'service' }, operator };
  },
  refusals: ({ model }, { operator }) =>
    model.operator(operator).isClosed || isEmpty(model, operator) ? [] : ['conflict'],
  apply(model, { operator }) {
    Object.assign(model.operator(operator), { isActive: false, isClosed: true });
    model.lookAtStandstills();
  },
  async act({ app, participants }, { operator }) {
    await closeOperator(
      { ...app.service.trust, dropQueue: () => undefined },
      operatorIdOf(participants, operator),
    );
  },
});

/** Returns whether an operator has nothing that keeps it from being closed. */
function isEmpty(model: LedgerModel, index: number): boolean {
  const { pool, stakeCents, owed } = model.operator(index);
  const agents = model.agentsOf(index);
  const isBare = agents.every((agent) => {
    const { isRevoked, available, locked } = model.agent(agent);
    return isRevoked && CLASSES.every((asset) => available[asset] + locked[asset] === 0);
  });
  const isParty = model
    .openTasks()
    .some(({ hirer, worker }) => agents.includes(hirer) || agents.includes(worker));
  return isBare && !isParty && stakeCents === 0 && owed === 0 && CLASSES.every((asset) => pool[asset] === 0);
}

export const AUTHORITY_KINDS: readonly Kind[] = [
  freezing('freeze'),
  freezing('unfreeze'),
  clawingBack,
  closing,
];
