import { type Static, Type } from '@sinclair/typebox';
import {
  ATTESTERS,
  DELIVERIES,
  ESCROW_ENDERS,
  ESCROW_PURPOSES,
  ESCROW_STATUSES,
} from '../../../../db/trust/escrow-enums.ts';
import {
  characters,
  dateTime,
  described,
  hexString,
  limitParameter,
  named,
  nullable,
  oneOf,
  reasonText,
  strictObject,
} from '../../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT } from '../../agents/example-agent.ts';
import { AgentAuthShape } from '../../agents/schema.ts';
import { ACP_STATUSES } from './statuses.ts';

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

export const taskId = named(
  'TaskId',
  characters(
    128,
    CONTROL,
    'The name of the task, unique in this installation. In NFC, without white space at its ends and without characters that nobody sees ' +
      '(Cc, Cf, Cs, Zl, Zp). It does not begin with `a2a_`.',
    'invoice-audit-1',
  ),
);
export const newTaskId = Type.Optional(
  described(
    taskId,
    'The name of the task. Without it, the service makes one (`eng_…`), which nobody can guess.',
  ),
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
const delivery = named(
  'DeliveryRule',
  oneOf(DELIVERIES, {
    description:
      '`any`: evidence with the service token delivers too. `worker`: only a delivery that the worker signed. Default: the setting ' +
      'engagements.delivery.',
  }),
);
export const agentAuth = Type.Optional(AgentAuthShape);

export const reason = reasonText('Why the hirer does not agree. Both parties and the arbiter see it.');
export const refuseArbiter = Type.Optional(
  Type.Boolean({
    description: 'Refuses the arbiter that the worker named: an administrator decides. Default: false.',
  }),
);
export const note = reasonText('Why it was decided so. Both parties see it.');
export const workerAmount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** The terms of a hire, by every protocol. */
export const engagementTerms = {
  hirer_commitment: hirerCommitment,
  worker_commitment: workerCommitment,
  amount,
  description: Type.Optional(description),
  deadline: Type.Optional(deadline),
  delivery: Type.Optional(delivery),
};

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

const digest = nullable(
  named('DeliverableDigest', hexString(32, 'SHA-256 of the deliverable. null before the delivery.')),
);
const eventHash = nullable(
  named(
    'DeliveryEventHash',
    hexString(
      32,
      'The event_commitment_hash of the evidence that delivered the task. null before the delivery.',
    ),
  ),
);
const receiptId = nullable(
  Type.String({
    description:
      'The receipt of the end: the worker has that of a payment, the hirer that of a return. null before the end.',
  }),
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
  terms_digest: hexString(
    32,
    'What the worker signs with a delivery: the digest of `{amount, created_at, deadline, description, hirer_commitment, input_digest, ' +
      'task_id, worker_commitment}`, with the deadline before standstills.',
  ),
  delivery,
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
  attested_by: nullable(
    named(
      'Attester',
      oneOf(ATTESTERS, {
        description:
          'Who sent this evidence: the worker, or the holder of the service token. null before the delivery.',
      }),
    ),
  ),
  arbiter_commitment: nullable(
    hexString(
      32,
      'The agent that the worker named in its delivery to decide a dispute. It can once it consented.',
    ),
  ),
  arbiter_consented_at: nullable(dateTime('The time when the arbiter consented.')),
  dispute: nullable(
    named(
      'EngagementDispute',
      strictObject({
        reason,
        arbiter_refused: Type.Boolean({ description: 'Whether the hirer refused the arbiter.' }),
        disputed_at: dateTime('The time of the dispute.'),
        until: nullable(
          dateTime(
            'The time when it ends without a decision, after standstills, as engagements.dispute_default says. null while the clock is wrong.',
          ),
        ),
      }),
    ),
  ),
  resolution: nullable(
    named(
      'EngagementResolution',
      strictObject({
        worker_amount: { ...workerAmount, description: 'The credits that the worker got.' },
        note,
        return_transaction_id: nullable(
          transactionId('The transaction that returned the rest, if the worker got a part.'),
        ),
        return_receipt_id: nullable(Type.String({ description: 'The receipt of this rest.' })),
      }),
    ),
  ),
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
        'Who ended the task. `service`: it was due, a party was revoked, or it stood still for too long. A payment by `service` is no ' +
        'acceptance.',
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

const status = named(
  'EngagementStatus',
  oneOf(ESCROW_STATUSES, {
    description:
      '`HELD`: the credits are locked. `DELIVERED`: the worker delivered. `DISPUTED`: the hirer does not agree. `PAID`: the worker has the ' +
      'credits. `CANCELLED`, `EXPIRED`, `DECLINED`: the hirer has them back. `RESOLVED`: a decision divided them (`worker_amount`).',
  }),
);

const Engagement = named('Engagement', strictObject({ ...taskFields, status }));

const AcpStatus = oneOf(Object.values(ACP_STATUSES), {
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

export const EndedResponse = named(
  'EndedEngagement',
  strictObject({ engagement: Engagement, receipt_id: receiptId }),
);

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

export const DeliveredResponse = named(
  'DeliveredEngagement',
  strictObject({
    engagement: named(
      'PublicEngagement',
      strictObject({
        task_id: taskId,
        status,
        amount,
        deliverable_digest: digest,
        evidence_event_hash: eventHash,
        attested_by: taskFields.attested_by,
        arbiter_consented_at: taskFields.arbiter_consented_at,
        accept_by: taskFields.accept_by,
        receipt_id: receiptId,
        paid_at: paidAt,
      }),
    ),
  }),
);

/** A task as its parties see it. The response of an acceptance has the payout, too. */
export const TaskResponse = named(
  'AcpTask',
  strictObject({
    acp_version: acpVersion,
    ...taskFields,
    status: AcpStatus,
    payout: Type.Optional(Payout),
  }),
);

/** The member of a 409 that shows the current engagement. */
export const CURRENT = { engagement: Type.Optional(Engagement) };
