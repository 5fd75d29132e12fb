import { type Static, Type } from '@sinclair/typebox';
import { ESCROW_ENDERS, ESCROW_PURPOSES, ESCROW_STATUSES } from '../../../../db/trust/escrow-enums.ts';
import {
  characters,
  dateTime,
  hexString,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT } from '../../agents/example-agent.ts';
import { AgentAuthShape } from '../../agents/schema.ts';
import {
  DEMO_ACP_TASKS,
  DEMO_DELIVERABLE,
  DEMO_DELIVERY,
  DEMO_ENGAGEMENTS,
  DEMO_WORKER,
} from '../../http/example-ids.ts';

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

const taskId = characters(
  128,
  CONTROL,
  'The name of the task, which the hirer chooses. It is unique in this installation, and does not begin with `a2a_`.',
  'invoice-audit-1',
);
const hirerCommitment = hexString(32, 'The subject commitment of the agent that hires and pays.');
const workerCommitment = hexString(32, 'The subject commitment of the agent that works.');
const amount = {
  ...Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The pay, in credits.' }),
  'x-message': `must be an integer from 1 to ${Number.MAX_SAFE_INTEGER}`,
};
const description = {
  ...characters(4096, '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f', 'What is to be done.'),
  'x-message': 'must be 1 to 4096 characters, none of them a control character but tab and line feed',
};
const deadline = Type.String({
  format: 'date-time',
  description:
    'The time when the task expires if it is not delivered. It is in the future. Without it, the task does not expire.',
  examples: ['2035-01-31T12:00:00Z'],
});
const agentAuth = Type.Optional(AgentAuthShape);

/** The terms of a hire, by every protocol. */
export const engagementTerms = {
  hirer_commitment: hirerCommitment,
  worker_commitment: workerCommitment,
  amount,
  description: Type.Optional(description),
  deadline: Type.Optional(deadline),
};

export const HireRequest = named(
  'HireRequest',
  strictObject(
    { task_id: taskId, ...engagementTerms, agent_auth: agentAuth },
    {
      examples: [
        {
          task_id: 'invoice-audit-1',
          hirer_commitment: EXAMPLE_COMMITMENT,
          worker_commitment: DEMO_WORKER,
          amount: 25,
          description: 'Audit the invoices of May.',
        },
      ],
    },
  ),
);

export const AcpTaskRequest = named(
  'CreateAcpTaskRequest',
  strictObject(
    {
      task_id: Type.Optional(taskId),
      ...engagementTerms,
      input_digest: Type.Optional(
        hexString(32, 'SHA-256 of the request. The receipt has it. Default: the digest of the terms.'),
      ),
      agent_auth: agentAuth,
    },
    {
      examples: [
        {
          hirer_commitment: EXAMPLE_COMMITMENT,
          worker_commitment: DEMO_WORKER,
          amount: 25,
          input_digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        },
      ],
    },
  ),
);

/** The body of an operation that needs only its path: the agent's authorization, if there is no key. */
export const PartyRequest = Type.Optional(
  named('EngagementPartyRequest', strictObject({ agent_auth: agentAuth }, { examples: [{}] })),
);

export const DeliverRequest = named(
  'DeliverAcpTaskRequest',
  strictObject(
    {
      deliverable_digest: hexString(32, 'SHA-256 of the deliverable, as the evidence names it.'),
      evidence_event_hash: hexString(
        32,
        'The event_commitment_hash of the evidence of the worker: source type `task_deliverable`, with this task_id and digest.',
      ),
    },
    { examples: [{ deliverable_digest: DEMO_DELIVERABLE, evidence_event_hash: DEMO_DELIVERY }] },
  ),
);

const pathOf = (example: string) =>
  strictObject({
    taskId: Type.String({ maxLength: 512, description: 'The task_id.', examples: [example] }),
  });

export const HeldPath = pathOf(DEMO_ENGAGEMENTS.held);
export const DeliveredPath = pathOf(DEMO_ENGAGEMENTS.delivered);
export const RefundablePath = pathOf(DEMO_ENGAGEMENTS.refundable);
export const PaidPath = pathOf(DEMO_ENGAGEMENTS.paid);
export const AcpDeliveredPath = pathOf(DEMO_ACP_TASKS.delivered);
export const AcpAcceptablePath = pathOf(DEMO_ACP_TASKS.acceptable);

export const cursor = Type.Optional(
  Type.String({ maxLength: 512, description: '`next_cursor` of the previous page.' }),
);

export const EngagementListQuery = strictObject({
  subject_commitment: { ...hexString(32, 'The agent.'), examples: [EXAMPLE_COMMITMENT] },
  role: Type.Optional(
    oneOf(['hirer', 'worker'], { description: 'The side of the agent. Default: both sides.' }),
  ),
  status: Type.Optional(oneOf(ESCROW_STATUSES, { description: 'The status. Default: all.' })),
  limit: limitParameter('Engagements per page.', 50),
  cursor,
});
export type EngagementListQuery = Static<typeof EngagementListQuery>;

const digest = nullable(hexString(32, 'SHA-256 of the deliverable. null before the delivery.'));
const eventHash = nullable(
  hexString(
    32,
    'The event_commitment_hash of the evidence that delivered the task. null before the delivery.',
  ),
);
const receiptId = nullable(
  Type.String({ description: 'The id of the receipt of the payment. null before the payment.' }),
);
const paidAt = nullable(dateTime('The time of the payment. null before it.'));
const transactionId = (text: string) => Type.String({ description: text });
const credits = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** What the parties of a task see of it, except its status. */
const taskFields = {
  task_id: taskId,
  purpose: oneOf(ESCROW_PURPOSES, { description: 'The protocol that made the task: REST, ACP or A2A.' }),
  hirer_commitment: hirerCommitment,
  worker_commitment: workerCommitment,
  amount,
  portions: strictObject(
    { promotional: credits, paid: credits, sandbox: credits },
    { description: 'The locked credits by class. They keep their class.' },
  ),
  description: nullable(description),
  input_digest: hexString(
    32,
    'The digest of the request; without one, of `{amount, deadline, description, hirer_commitment, task_id, worker_commitment}` with null for what is missing.',
  ),
  deadline: nullable(
    dateTime('The time when the task expires if it is not delivered, after standstills. null: never.'),
  ),
  deadline_moved_ms: Type.Integer({
    minimum: 0,
    description: 'Milliseconds by which standstills moved the deadline. input_digest has it without them.',
  }),
  stands_still_since: nullable(
    dateTime(
      'Since when nothing ends the task, because the hirer is frozen or its sponsor not active: deadline and accept_by move by this ' +
        'time when it ends. null otherwise.',
    ),
  ),
  deliverable_digest: digest,
  evidence_event_hash: eventHash,
  last_failure_event_hash: nullable(
    hexString(
      32,
      'The event_commitment_hash of the newest evidence of the worker that says that the task failed.',
    ),
  ),
  accept_by: nullable(
    dateTime('The time when a delivered task is paid without an acceptance. null before the delivery.'),
  ),
  ended_by: nullable(
    oneOf(ESCROW_ENDERS, {
      description:
        'Who paid, cancelled or refunded the task. `service`: it was due, a party was revoked, or it stood still for too long.',
    }),
  ),
  lock_transaction_id: transactionId('The transaction of the ledger that locked the credits.'),
  end_transaction_id: nullable(
    transactionId('The transaction that paid the worker, or returned the credits to the hirer.'),
  ),
  receipt_id: receiptId,
  created_at: dateTime('The time when the credits were locked.'),
  updated_at: dateTime('The time of the last change.'),
  paid_at: paidAt,
};

const Engagement = named(
  'Engagement',
  strictObject({
    ...taskFields,
    status: oneOf(ESCROW_STATUSES, {
      description:
        '`HELD`: the credits are locked. `DELIVERED`: the worker anchored evidence. `PAID`: the worker has the credits. `CANCELLED`, ' +
        '`EXPIRED`: the hirer has them back.',
    }),
  }),
);

const AcpStatus = oneOf(['held', 'delivered', 'paid', 'cancelled', 'expired'], {
  description: 'The status of an engagement in lower case.',
});
const acpVersion = Type.Literal('1.0');

const Payout = named(
  'Payout',
  strictObject({
    transaction_id: transactionId('The transaction of the ledger.'),
    kind: Type.Literal('ESCROW_RELEASE'),
    amount,
    to_commitment: workerCommitment,
    created_at: dateTime('The time of the transaction.'),
  }),
);

export const EngagementResponse = named('EngagementResponse', strictObject({ engagement: Engagement }));

export const EngagementListResponse = named(
  'EngagementPage',
  strictObject({
    engagements: Type.Array(Engagement),
    next_cursor: nullable(Type.String({ description: 'The `cursor` of the next page. null at the end.' })),
  }),
);

export const AcceptedResponse = named(
  'AcceptedEngagement',
  strictObject({
    engagement: Engagement,
    payout: Payout,
    receipt_id: Type.String({ description: 'The id of the receipt of the payment.' }),
  }),
);

export const PublicTaskResponse = named(
  'AcpTaskStatus',
  strictObject({
    acp_version: acpVersion,
    task_id: taskId,
    status: AcpStatus,
    amount,
    deliverable_digest: digest,
    evidence_event_hash: eventHash,
    receipt_id: receiptId,
    paid_at: paidAt,
  }),
);

export const TaskResponse = named(
  'AcpTask',
  strictObject({ acp_version: acpVersion, ...taskFields, status: AcpStatus }),
);

export const AcceptedTaskResponse = named(
  'AcceptedAcpTask',
  strictObject({ acp_version: acpVersion, ...taskFields, status: AcpStatus, payout: Payout }),
);

/** The member of a 409 that shows the current engagement. */
export const CURRENT = { engagement: Type.Optional(Engagement) };
