/** What both sides of a hire can do beside the first moves: decline, dispute, deliver by a signature, resolve. */

import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { digest } from '../../src/proof/encoding/digest.ts';
import { callerFor, taskIn } from './ledger-choices.ts';
import { addAll } from './ledger-effects.ts';
import { type Kind, kind } from './ledger-kind.ts';
import type { LedgerModel, ModelTask } from './ledger-model.ts';
import type { Plan } from './ledger-operations.ts';
import { CLASSES, type Portions, portionsOf } from './ledger-portions.ts';
import { commitmentOf, type Line, type Participants } from './ledger-requests.ts';

/** The terms of a task, as the hirer sent them and the service stored them. */
interface Terms {
  hirer: number;
  worker: number;
  amount: number;
  createdAt: number;
  deadline: number | null;
}

export type HireOperation =
  | { type: 'decline'; task: string }
  | { type: 'dispute task'; task: string }
  | { type: 'resolve'; task: string; amount: number }
  | { type: 'deliver signed'; task: string; terms: Terms | null; digest: string; signer: number };

/** How long a dispute can be decided. */
const DISPUTE_MS = 30 * 86_400_000;
/** How long a hirer has to accept a delivery. */
const ACCEPT_MS = 72 * 3_600_000;

const heldOf = ({ held }: ModelTask): number => CLASSES.reduce((sum, asset) => sum + held[asset], 0);

const post = (task: string, move: string, body: Line['body']): Line => ({
  method: 'POST',
  path: `/api/v1/passport/engagements/${task}/${move}`,
  body,
});

/** Chooses a task that a move is for, and who makes it. */
function moveIn(
  model: LedgerModel,
  planned: Plan,
  status: 'HELD' | 'DELIVERED' | 'DISPUTED',
  side: 'hirer' | 'worker',
) {
  const task = taskIn(model, planned, status);
  const party = model.tasks.get(task)?.[side] ?? 0;
  return { task, caller: callerFor(model, planned, party) };
}

const declining = kind('decline', {
  weight: 10,
  choose: (model, planned, id) => ({ id, type: 'decline', ...moveIn(model, planned, 'HELD', 'worker') }),
  refusals: (rules, operation) => rules.move(operation, operation.task, 'worker', ['HELD']),
  apply(model, { task: id }) {
    const task = model.task(id);
    model.move(model.lockOf(task.hirer, id), model.creditsOf(task.hirer), task.held);
    task.status = 'DECLINED';
  },
  line: (_, { task }) => post(task, 'decline', {}),
});

const disputing = kind('dispute task', {
  weight: 24,
  choose: (model, planned, id) => ({
    id,
    type: 'dispute task',
    ...moveIn(model, planned, 'DELIVERED', 'hirer'),
  }),
  refusals(rules, operation) {
    const { model } = rules;
    const task = model.tasks.get(operation.task);
    const isLate = task?.status === 'DELIVERED' && task.acceptBy !== null && task.acceptBy <= model.now();
    const isStill = task !== undefined && model.stillSince(task.hirer) !== null;
    return [
      ...rules.move(operation, operation.task, 'hirer', ['DELIVERED']),
      ...(isLate || isStill ? ['invalid_state'] : []),
    ];
  },
  apply(model, { task }) {
    Object.assign(model.task(task), { status: 'DISPUTED', disputeUntil: model.now() + DISPUTE_MS });
  },
  line: (_, { task }) => post(task, 'dispute', { reason: 'simulation' }),
});

const resolving = kind('resolve', {
  weight: 20,
  choose(model, planned, id) {
    const { task, caller } = moveIn(model, planned, 'DISPUTED', 'hirer');
    const found = model.tasks.get(task);
    const held = found === undefined ? 1 : heldOf(found);
    // From nothing to one more than is held.
    const amount = planned.b % (held + 2);
    return {
      ...{ id, type: 'resolve', task, amount },
      caller: planned.caller < 80 ? { by: 'issuer', operator: 0 } : caller,
    };
  },
  refusals(rules, operation) {
    const { caller, amount } = operation;
    const task = rules.model.tasks.get(operation.task);
    if (task === undefined) return ['not_found', 'invalid_proof'];
    if (caller.by === 'signature') return rules.strangersSignature(operation, task);
    if (caller.by !== 'issuer' || caller.operator !== 0) return ['forbidden', 'not_found'];
    if (task.status !== 'DISPUTED') return ['invalid_state'];
    return amount > heldOf(task) ? ['validation_error'] : [];
  },
  apply(model, { task: id, amount }) {
    const task = model.task(id);
    const paid = portionsOf(task.held, amount);
    if (paid === null) throw new Error(`${amount} credits are more than ${id} holds`);
    const rest: Portions = {
      promotional: task.held.promotional - paid.promotional,
      paid: task.held.paid - paid.paid,
      sandbox: task.held.sandbox - paid.sandbox,
    };
    model.move(model.lockOf(task.hirer, id), model.creditsOf(task.worker), paid);
    addAll(model.agent(task.hirer).spent, paid);
    addAll(model.agent(task.worker).earned, paid);
    model.move(model.lockOf(task.hirer, id), model.creditsOf(task.hirer), rest);
    Object.assign(task, { status: 'RESOLVED', workerAmount: amount });
  },
  line: (_, { task, amount }) => post(task, 'resolve', { worker_amount: amount, note: 'simulation' }),
});

/** The digest of terms, computed as the documentation says. */
function termsDigest(participants: Participants, task: string, terms: Terms): string {
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString());
  const shared = {
    amount: terms.amount,
    deadline: time(terms.deadline),
    description: null,
    hirer_commitment: commitmentOf(participants, terms.hirer),
    task_id: task,
    worker_commitment: commitmentOf(participants, terms.worker),
  };
  const input_digest = digest(nativePrimitives, shared);
  return digest(nativePrimitives, { ...shared, created_at: time(terms.createdAt), input_digest });
}

const delivering = kind('deliver signed', {
  weight: 20,
  choose(model, planned, id) {
    const task = taskIn(model, planned, 'HELD');
    const found = model.tasks.get(task);
    const terms =
      found === undefined
        ? null
        : {
            ...{ hirer: found.hirer, worker: found.worker, amount: heldOf(found) },
            ...{ createdAt: found.createdAt, deadline: found.firstDeadline },
          };
    const worker = found?.worker ?? 0;
    // Now and then another agent signs.
    const signer = planned.b % 9 === 0 ? (worker + 1) % model.agents.length : worker;
    const digest = Buffer.from(id).toString('hex').padStart(64, '0');
    return { id, type: 'deliver signed', caller: { by: 'service' }, task, terms, digest, signer };
  },
  refusals({ model }, { task: id, signer }) {
    const task = model.tasks.get(id);
    if (task === undefined) return ['not_found'];
    if (signer !== task.worker) return ['invalid_proof'];
    if (task.status !== 'HELD') return [task.digest === null ? 'invalid_state' : 'conflict'];
    const isLate = task.deadline !== null && task.deadline <= model.now();
    const canAct = !model.agent(task.hirer).isRevoked && model.mayAct(task.worker);
    return isLate || !canAct ? ['invalid_state'] : [];
  },
  apply(model, { task, digest }) {
    Object.assign(model.task(task), { status: 'DELIVERED', digest, acceptBy: model.now() + ACCEPT_MS });
  },
  line(participants, { task, terms, digest, signer }) {
    const none = '0'.repeat(64);
    const terms_digest = terms === null ? none : termsDigest(participants, task, terms);
    const payload = { task_id: task, deliverable_digest: digest, terms_digest };
    const agent = participants.agents[signer];
    if (agent === undefined) throw new Error(`the simulation has no agent ${signer}`);
    return post(task, 'deliver', { payload, signature: agent.sign(payload) });
  },
});

export const HIRE_KINDS: readonly Kind[] = [declining, disputing, resolving, delivering];
