import { Value } from '@sinclair/typebox/value';
import type { Transaction } from '../../../../platform/store/transaction.ts';
import type { JsonObject } from '../../../../proof/encoding/json.ts';
import { actsForAgent, findAgentIn } from '../../../agents/agents.ts';
import { EXAMPLE_COMMITMENT } from '../../../agents/example-agent.ts';
import { acceptTaskIn } from '../../../hires/engagements/accept.ts';
import { cancelTaskIn } from '../../../hires/engagements/cancel.ts';
import { hireIn } from '../../../hires/engagements/create.ts';
import { declineTaskIn } from '../../../hires/engagements/decline.ts';
import { disputeTaskIn } from '../../../hires/engagements/dispute.ts';
import { refundTaskIn } from '../../../hires/engagements/refund.ts';
import { reason } from '../../../hires/engagements/schema.ts';
import { type EscrowState, escrowBySeq } from '../../../hires/escrow/state.ts';
import { commonErrors } from '../../../http/errors.ts';
import { DEMO_WORKER } from '../../../http/example-ids.ts';
import type { Outcome, SkillCall } from '../skill.ts';
import { callerOf } from './caller.ts';
import { defineSkill } from './define-skill.ts';
import { HireInput, hirerOf } from './hire-terms.ts';
import { hireView, taskStateOf } from './hire-view.ts';
import { understander } from './plain-words.ts';

/** What a message to a task with escrow can ask for. */
const ACTIONS = ['accept', 'refuse', 'dispute', 'cancel', 'decline'] as const;
type Action = (typeof ACTIONS)[number];

/** An action, and of a dispute why, and whether the arbiter is refused. */
interface Asked {
  action: Action;
  reason: string | null;
  refusesArbiter: boolean;
}

/** The beginning of a text that disputes a delivery; the reason follows. */
const DISPUTE_WORDS = /^dispute ?:/i;
const REASON_ASKED =
  'To dispute the delivery, send {"action": "dispute", "reason": "…"} or the text "dispute: …" with the reason.';

const EXAMPLE = {
  skill: 'hire_agent',
  hirer_commitment: EXAMPLE_COMMITMENT,
  worker_commitment: DEMO_WORKER,
  amount: 25,
  description: 'Audit the invoices of May.',
};

/** Hires an agent: opens escrow, whose state is the task's from then on. */
export const hireAgentSkill = defineSkill({
  id: 'hire_agent',
  name: 'Hire an agent',
  description:
    'Locks credits of the hirer until the worker has delivered and the hirer has accepted. Send data with `worker_commitment`, `amount` ' +
    'and, with an issuer key, `hirer_commitment`; optionally `description`, `deadline` and `delivery`. Plain text moves no credits. The worker ' +
    "delivers with `task_deliverable` evidence that has this task's task_id; then send `accept`, `refuse` or `dispute: REASON`. Cancel the task before the " +
    'delivery to get the credits back. The same as `POST /api/v1/passport/engagements`.',
  tags: ['engagements', 'escrow', 'credits'],
  examples: [JSON.stringify(EXAMPLE), 'Hire an agent'],
  input: HireInput,
  // A text can be a question about a hire, so it never gives the terms of one.
  understand: understander('hire_agent', []),
  ask: (issues) =>
    `Send the terms as data. ${missingIn(issues)}Example: ${JSON.stringify(EXAMPLE)}. ` +
    'The agent of a holder key hires without hirer_commitment.',
  async run(call, input) {
    const hirer = hirerOf(call.principal, input);
    const terms = {
      taskId: call.task.taskId,
      purpose: 'a2a' as const,
      hirer,
      worker: input.worker_commitment,
      amount: input.amount,
      description: input.description ?? null,
      inputDigest: null,
      deadline: input.deadline ?? null,
      delivery: input.delivery ?? null,
    };
    return async (tx) => {
      const state = await hireIn(tx, call.trust, callerOf(call), terms);
      return { ...outcomeOf(state), escrowSeq: state.escrow.escrowSeq };
    };
  },
  actionOf: (text, data) => askedOf(text, data)?.action ?? null,
  async follow(call, data) {
    const asked = requested(call.text, data);
    return (tx) => followIn(tx, call, asked);
  },
  async cancelIn(tx, call) {
    await cancelTaskIn(tx, call.trust, callerOf(call), call.task.taskId);
  },
});

function outcomeOf(state: EscrowState): Outcome {
  return { state: taskStateOf(state), ...hireView(state), missing: ['action'] };
}

/**
 * Returns the action of a message that is exactly one word, or `dispute:` with a reason, or data with nothing
 * but the action and what belongs to a dispute; null for any other message.
 */
function askedOf(text: string, data: JsonObject | null): Asked | null {
  if (data === null) {
    const words = text.trim();
    const [beginning] = DISPUTE_WORDS.exec(words) ?? [];
    if (beginning !== undefined) {
      const said = words.slice(beginning.length).trim();
      return { action: 'dispute', reason: said === '' ? null : said, refusesArbiter: false };
    }
    const word = words.toLowerCase().replace(/[.!]$/, '');
    return inFull(ACTIONS.find((action) => action === word));
  }
  const { action: named, reason, refuse_arbiter, skill = 'hire_agent', ...otherMembers } = data;
  if (skill !== 'hire_agent' || Object.keys(otherMembers).length > 0) return null;
  if (reason === undefined && refuse_arbiter === undefined)
    return inFull(ACTIONS.find((action) => action === named));
  if (named !== 'dispute' || typeof reason !== 'string') return null;
  if (refuse_arbiter !== undefined && typeof refuse_arbiter !== 'boolean') return null;
  return { action: named, reason, refusesArbiter: refuse_arbiter === true };
}

const inFull = (action: Action | undefined): Asked | null =>
  action === undefined ? null : { action, reason: null, refusesArbiter: false };

/** Returns what a message asks for. @throws ApiError validation_error for data with other members */
function requested(text: string, data: JsonObject | null): Asked | null {
  const asked = askedOf(text, data);
  if (asked !== null && asked.reason !== null) requireReason(asked.reason);
  if (asked !== null || data === null) return asked;
  throw commonErrors.validation_error({
    issues: {
      action: [
        `must be one of ${ACTIONS.join(', ')}, without other members but the reason and refuse_arbiter of a dispute`,
      ],
    },
  });
}

/** @throws ApiError validation_error */
function requireReason(text: string): void {
  if (Value.Check(reason, text)) return;
  throw commonErrors.validation_error({ issues: { reason: [reason['x-message']] } });
}

/** Does what a message asks for, if the escrow allows it; else says what it allows. */
async function followIn(tx: Transaction, call: SkillCall, asked: Asked | null): Promise<Outcome> {
  const { trust, task } = call;
  const action = asked?.action ?? null;
  const state = task.escrowSeq === null ? null : await escrowBySeq(tx, task.escrowSeq);
  if (state === null) throw new Error(`${task.taskId} has no escrow`);
  const { taskId, status } = state.escrow;
  const isDelivered = status === 'DELIVERED' || status === 'DISPUTED';
  const movesPay = isDelivered && (action === 'accept' || action === 'refuse');
  if (movesPay && !(await call.mayPayIn(tx))) return askedFirst(state, action);
  if (action === 'accept' && isDelivered)
    return outcomeOf((await acceptTaskIn(tx, trust, callerOf(call), taskId)).state);
  if (action === 'cancel' && status === 'HELD')
    return outcomeOf((await cancelTaskIn(tx, trust, callerOf(call), taskId)).state);
  if (action === 'refuse' && status === 'DELIVERED') return refuseIn(tx, call, state);
  if (action === 'decline' && status === 'HELD') return declinedIn(tx, call, state);
  if (asked !== null && action === 'dispute' && status === 'DELIVERED')
    return disputedIn(tx, call, state, asked);
  return explained(state, action);
}

/** Disputes a delivery. Without a reason it asks for one. */
async function disputedIn(
  tx: Transaction,
  call: SkillCall,
  state: EscrowState,
  { reason: why, refusesArbiter }: Asked,
): Promise<Outcome> {
  if (why === null) return { ...explained(state, 'dispute'), missing: ['action', 'reason'] };
  const { taskId } = state.escrow;
  return outcomeOf(
    await disputeTaskIn(tx, call.trust, callerOf(call), taskId, { reason: why, refusesArbiter }),
  );
}

/**
 * Refunds a delivery if the caller acts for the worker too. Otherwise only the worker can give up its pay.
 */
async function refuseIn(tx: Transaction, call: SkillCall, state: EscrowState): Promise<Outcome> {
  const worker = await findAgentIn(tx, state.worker);
  if (worker !== null && actsForAgent(call.principal, worker))
    return outcomeOf((await refundTaskIn(tx, call.trust, callerOf(call), state.escrow.taskId)).state);
  return explained(state, 'refuse');
}

/** Declines a hire if the caller acts for the worker too. Otherwise the hirer can only cancel. */
async function declinedIn(tx: Transaction, call: SkillCall, state: EscrowState): Promise<Outcome> {
  const worker = await findAgentIn(tx, state.worker);
  if (worker !== null && actsForAgent(call.principal, worker))
    return outcomeOf((await declineTaskIn(tx, call.trust, callerOf(call), state.escrow.taskId)).state);
  return explained(state, 'decline');
}

/** Names the task and its amount to a client that was told about another one before. */
function askedFirst(state: EscrowState, action: Action): Outcome {
  const shown = outcomeOf(state);
  const { taskId, amount } = state.escrow;
  const text =
    `Nothing changed: the reply before your message was not about this task. Do you mean ${taskId}, with ${amount} credits? ` +
    `Then send "${action}" again, or name the task.`;
  return { ...shown, text: `${text} ${shown.text}` };
}

/** Says why a message changed nothing. */
function explained(state: EscrowState, action: Action | null): Outcome {
  const shown = outcomeOf(state);
  return { ...shown, text: `${reasonFor(state.escrow.status, action)} ${shown.text}` };
}

function reasonFor(status: EscrowState['escrow']['status'], action: Action | null): string {
  if (action === null) return `Nothing changed: send one of ${ACTIONS.join(', ')}.`;
  if (action === 'refuse' && status === 'DELIVERED') {
    return (
      "Nothing changed: only the worker's side can give up its pay. Agree on it with the worker, which then refunds with " +
      'POST /api/v1/passport/engagements/{taskId}/refund.'
    );
  }
  if (action === 'dispute' && status === 'DELIVERED') return `Nothing changed. ${REASON_ASKED}`;
  if (action === 'decline' && status === 'HELD')
    return "Nothing changed: only the worker's side can decline. You can cancel.";
  if (status === 'HELD') return `Nothing changed: you cannot ${action} before the worker has delivered.`;
  return `Nothing changed: you cannot ${action} a task that is ${status}.`;
}

function missingIn(issues: Readonly<Record<string, readonly string[]>>): string {
  const said = Object.entries(issues)
    .map(([member, problems]) => `${member} ${problems.join(', ')}`)
    .filter((one) => one.includes(' is required'));
  return said.length === 0 ? '' : `${said.join('; ')}. `;
}
