import { type Static, Type } from '@sinclair/typebox';
import {
  dateTime,
  hexString,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../../platform/http/schema.ts';
import { AGORA_ACTIONS, AGORA_STATUSES } from '../../../proof/agora/negotiation.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { EXAMPLE_COMMITMENT } from '../../agents/example-agent.ts';
import { AgentAuthShape } from '../../agents/schema.ts';
import { DEMO_PROPOSALS, DEMO_WORKER } from '../../http/example-ids.ts';
import { AGORA_VERSION } from './representation.ts';

const terms = (description: string) =>
  Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true, minProperties: 1, description }));

const action = named(
  'AgoraAction',
  oneOf(AGORA_ACTIONS, {
    description:
      'propose: begin a negotiation. counter: offer other terms. accept, reject: respond to the offer of the other party. withdraw: cancel your own offer.',
  }),
);
const status = named(
  'AgoraStatus',
  oneOf(AGORA_STATUSES, {
    description: 'proposed and countered: an offer is open. The others are final.',
  }),
);
const entryHash = hexString(
  32,
  'SHA-256 of the canonical JSON (RFC 8785) of {v: 1, proposal_id} and the step without entry_hash.',
);
const prevHash = nullable(
  hexString(
    32,
    'The entry_hash of the entry before it in the ledger, of any proposal. null for the first entry.',
  ),
);
const index = Type.Integer({ minimum: 0, description: 'The number of the entry in the ledger, from 0.' });
const proposalId = Type.String({ description: 'Identifies the proposal.' });
const version = Type.Literal(AGORA_VERSION);

const ledgerAnchor = named(
  'LedgerAnchor',
  strictObject(
    { index, entry_hash: entryHash, prev_hash: prevHash },
    { description: 'The entry of the step in the ledger.' },
  ),
);

export const NegotiateRequest = named(
  'NegotiateRequest',
  strictObject(
    {
      proposal_id: Type.Optional(
        Type.String({ maxLength: 64, description: 'The proposal. Absent to propose, else required.' }),
      ),
      from_commitment: hexString(32, 'The agent that takes the step and signs it.'),
      to_commitment: hexString(32, 'The other party.'),
      action,
      terms: Type.Optional(
        terms(
          'What is offered: any object with at least one member, at most 16 KiB as canonical JSON. Everybody can read it. Required to propose and counter, else absent.',
        ),
      ),
      prev_hash: Type.Optional(
        hexString(32, 'The entry_hash of the newest step of the proposal. Absent to propose, else required.'),
      ),
      agent_auth: AgentAuthShape,
    },
    {
      examples: [
        {
          from_commitment: EXAMPLE_COMMITMENT,
          to_commitment: DEMO_WORKER,
          action: 'propose',
          terms: { task: 'Audit the invoices of June', credits: 120, days: 5 },
          agent_auth: {
            commitment: EXAMPLE_COMMITMENT,
            nonce: 'a nonce for one use'.replaceAll(' ', '-'),
            expires_at: '2030-01-31T12:00:00Z',
            signature: '0'.repeat(128),
          },
        },
      ],
    },
  ),
);
export type NegotiateRequest = Static<typeof NegotiateRequest>;

export const NegotiationResponse = named(
  'Negotiation',
  strictObject({
    agora_version: version,
    proposal_id: proposalId,
    status,
    action,
    ledger_anchor: ledgerAnchor,
  }),
);

export const ProposalPath = strictObject({
  proposalId: Type.String({
    maxLength: 256,
    description: 'The proposal_id.',
    examples: [DEMO_PROPOSALS.accepted],
  }),
});

const Step = named(
  'NegotiationStep',
  strictObject({
    index,
    prev_hash: prevHash,
    proposal_prev_hash: nullable(
      hexString(
        32,
        'The entry_hash of the step before it in the proposal, which the agent signed as prev_hash.',
      ),
    ),
    action,
    commitment: hexString(32, 'The agent that took the step.'),
    to_commitment: hexString(32, 'The other party.'),
    terms: nullable(terms('The terms that the step offers. null for a step that offers none.')),
    timestamp: dateTime('The time of the step.'),
    agent_auth: strictObject(
      {
        audience: Type.String({ description: 'The installation that the agent addressed.' }),
        nonce: Type.String(),
        expires_at: Type.String({ description: 'As the agent signed it.' }),
        signature: hexString(64, 'The Ed25519 signature of the agent.'),
      },
      { description: 'The rest of what the agent signed, and its signature.' },
    ),
    entry_hash: entryHash,
  }),
);

/** What a list and the document of a proposal both say. */
const proposal = {
  agora_version: version,
  proposal_id: proposalId,
  status,
  action,
  ledger_anchor: ledgerAnchor,
  from_commitment: hexString(32, 'The agent that proposed.'),
  to_commitment: hexString(32, 'The agent that it proposed to.'),
};

export const ProposalResponse = named(
  'Proposal',
  strictObject({
    ...proposal,
    terms: nullable(terms('The newest terms: the accepted ones of an accepted proposal.')),
    parties: Type.Array(
      strictObject({
        commitment: hexString(32, 'SHA-256 of `agent-id:<public_key>:<context>`.'),
        public_key: hexString(32, 'The Ed25519 key that verifies the steps of the agent.'),
        context: Type.String(),
      }),
      { description: 'Both agents, the one that proposed first.' },
    ),
    timeline: Type.Array(Step, { description: 'All steps, oldest first; at most 32.' }),
  }),
);

export const ProposalListQuery = strictObject({
  commitment: { ...hexString(32, 'The agent.'), examples: [EXAMPLE_COMMITMENT] },
  limit: limitParameter('Proposals per page.', 50),
  cursor: Type.Optional(Type.String({ maxLength: 512, description: '`next_cursor` of the previous page.' })),
});
export type ProposalListQuery = Static<typeof ProposalListQuery>;

export const ProposalListResponse = named(
  'ProposalPage',
  strictObject({
    proposals: Type.Array(
      strictObject({
        ...proposal,
        steps: Type.Integer({ minimum: 1, maximum: 32, description: 'The number of its steps.' }),
        created_at: dateTime('The time of the first step.'),
        updated_at: dateTime('The time of the newest step.'),
      }),
    ),
    next_cursor: nullable(Type.String({ description: 'The `cursor` of the next page. null at the end.' })),
  }),
);
