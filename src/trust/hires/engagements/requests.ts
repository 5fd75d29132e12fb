import { type Static, Type } from '@sinclair/typebox';
import { hexString, named, strictObject } from '../../../platform/http/schema.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { EXAMPLE_COMMITMENT } from '../../agents/example-agent.ts';
import {
  DEMO_ACP_TASKS,
  DEMO_DELIVERABLE,
  DEMO_DELIVERY,
  DEMO_ENGAGEMENTS,
  DEMO_WORKER,
} from '../../http/example-ids.ts';
import { CONSENT_TYPE } from '../escrow/consent.ts';
import {
  agentAuth,
  engagementTerms,
  newTaskId,
  note,
  reason,
  refuseArbiter,
  taskId,
  workerAmount,
} from './schema.ts';

export const HireRequest = named(
  'HireRequest',
  strictObject(
    { task_id: newTaskId, ...engagementTerms, agent_auth: agentAuth },
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
      task_id: newTaskId,
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

export const DisputeRequest = named(
  'DisputeRequest',
  strictObject(
    { reason, refuse_arbiter: refuseArbiter, agent_auth: agentAuth },
    { examples: [{ reason: 'The invoices of the last week are missing.' }] },
  ),
);

export const ResolveRequest = named(
  'ResolveRequest',
  strictObject(
    {
      worker_amount: {
        ...workerAmount,
        description: 'The credits that the worker gets, at most the amount. The rest returns to the hirer.',
        'x-message': 'must be an integer from 0 to the amount of the engagement',
      },
      note,
      agent_auth: agentAuth,
    },
    { examples: [{ worker_amount: 90, note: 'Three of four weeks were delivered.' }] },
  ),
);

/** The form of a consent. Only the arbiter can sign one for the engagement of a demonstration. */
const EXAMPLE_CONSENT = {
  payload: {
    type: CONSENT_TYPE,
    task_id: DEMO_ENGAGEMENTS.arbitrated,
    terms_digest: '5e8b0ad0b4b8b7a09f7c1d8f4f0f3b0b8f0f6c6d8e1b1f4d9a1e5c2a7b3d9f10',
  },
  signature:
    'a31d6e3d538db48406eaad7a84040fa3d2add82d1ecebb999c4224f9b921b18bd1df5a037a9cf6916adeaa21889f003271c3367121c8cde91db23928f446bb0d',
};

export const ConsentRequest = named(
  'ArbiterConsentRequest',
  strictObject(
    {
      payload: strictObject({
        type: Type.Literal(CONSENT_TYPE),
        task_id: taskId,
        terms_digest: hexString(32, 'The terms_digest of the engagement.'),
      }),
      signature: hexString(
        64,
        "Ed25519 signature by the arbiter's key over the 64 characters of the payload's digest.",
      ),
    },
    { examples: [EXAMPLE_CONSENT] },
  ),
);

export const DeliverRequest = named(
  'DeliverTaskRequest',
  strictObject(
    {
      source_type: Type.Optional(Type.Literal('task_deliverable')),
      payload: Type.Optional(
        Type.Unsafe<JsonObject>(
          Type.Object(
            {},
            {
              description:
                'What the worker signed: a payload of `task_deliverable` with the terms_digest of this task; optionally `arbiter_commitment`.',
            },
          ),
        ),
      ),
      signature: Type.Optional(
        hexString(
          64,
          "Ed25519 signature by the worker's key over the 64 characters of the payload's digest.",
        ),
      ),
      deliverable_digest: Type.Optional(
        hexString(32, 'Without a payload: SHA-256 of the deliverable, as anchored evidence names it.'),
      ),
      evidence_event_hash: Type.Optional(
        hexString(
          32,
          'Without a payload: the event_commitment_hash of evidence of the worker, with this task_id and digest.',
        ),
      ),
    },
    { examples: [{ deliverable_digest: DEMO_DELIVERABLE, evidence_event_hash: DEMO_DELIVERY }] },
  ),
);

export type DeliverRequest = Static<typeof DeliverRequest>;

const pathOf = (example: string) =>
  strictObject({
    taskId: Type.String({ maxLength: 512, description: 'The task_id.', examples: [example] }),
  });

export const HeldPath = pathOf(DEMO_ENGAGEMENTS.held);
export const DeliveredPath = pathOf(DEMO_ENGAGEMENTS.delivered);
export const RefundablePath = pathOf(DEMO_ENGAGEMENTS.refundable);
export const DeclinablePath = pathOf(DEMO_ENGAGEMENTS.declinable);
export const DisputablePath = pathOf(DEMO_ENGAGEMENTS.disputable);
export const DisputedPath = pathOf(DEMO_ENGAGEMENTS.disputed);
export const ArbitratedPath = pathOf(DEMO_ENGAGEMENTS.arbitrated);
export const PaidPath = pathOf(DEMO_ENGAGEMENTS.paid);
export const AcpDeliveredPath = pathOf(DEMO_ACP_TASKS.delivered);
export const AcpAcceptablePath = pathOf(DEMO_ACP_TASKS.acceptable);
