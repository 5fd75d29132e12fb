import { Type } from '@sinclair/typebox';
import {
  dateTime,
  hexString,
  inForms,
  named,
  noContent,
  nullable,
  oneOf,
  strictObject,
  textOf,
} from '../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT } from '../agents/example-agent.ts';
import { DEMO_COMMIT } from '../demo/known-ids.ts';
import { AgentState, EvidenceOutcome, SourceType } from '../http/enumerations.ts';

const commitment = (description: string) => ({
  ...hexString(32, description),
  examples: [EXAMPLE_COMMITMENT],
});

export const AvatarPath = strictObject({
  hash: commitment('Any SHA-256 hash; usually a subject commitment.'),
});

export const BadgePath = strictObject({ hash: commitment("The agent's subject commitment.") });

export const ArtifactPath = strictObject({
  commitment: commitment("The agent's subject commitment."),
  artifact: Type.String({
    pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$',
    description: 'The SHA of a commit, or the hash of an item of evidence.',
    examples: [DEMO_COMMIT],
    'x-complaint': 'must be 40 or 64 lower-case hexadecimal characters',
  }),
});

const FORMATS = ['json', 'svg'] as const;

export const BadgeQuery = strictObject({
  format: Type.Optional(
    oneOf(FORMATS, { description: 'The card (svg, the default), or what it says, signed.' }),
  ),
});

export const ArtifactQuery = strictObject({
  format: Type.Optional(oneOf(FORMATS, { description: 'Whatever Accept says.' })),
});

const subject = hexString(32, "The agent's.");
const signed = {
  signature: hexString(64, 'Ed25519 over the digest of the other members but kid.'),
  kid: Type.String({ description: 'The key of purpose `credentials` that signed.' }),
};
const count = (description: string) => Type.Integer({ minimum: 0, description });
const rate = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description });

const AgentAttestation = named(
  'AgentAttestation',
  strictObject({
    type: Type.Literal('agent-attestation'),
    subject_commitment: subject,
    state: AgentState,
    name: nullable(Type.String()),
    totals: strictObject({
      evidence_count: count('Items of evidence.'),
      artifact_count: count('Commits and deliverables in them.'),
      failure_count: count('Failures among evidence and receipts that are not revoked.'),
      receipts_count: count('Receipts that the sponsor finalized for this agent and did not revoke.'),
    }),
    rolling_30d: strictObject({
      success_rate: rate('0 to 1, of `sample_size` events; null when there was none.'),
      failure_rate: rate('0 to 1, of `sample_size` events; null when there was none.'),
    }),
    trajectory_7d: Type.Union([Type.Number({ minimum: -1, maximum: 1 }), Type.Null()], {
      description: 'The success rate less that of seven days ago; null when there was nothing in either.',
    }),
    score: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: '100 times the lower bound (Wilson, 95%) of the success rate; 0 while there is none.',
    }),
    sample_size: count('Events within 30 days.'),
    measured_at: dateTime('The time of this state.'),
    valid_until: dateTime('The end of its validity, five minutes later.'),
    ...signed,
  }),
);

const ArtifactAttestation = named(
  'ArtifactAttestation',
  strictObject({
    type: Type.Literal('artifact-attestation'),
    subject_commitment: subject,
    state: AgentState,
    artifact: Type.String({ description: 'As it was asked for.' }),
    artifact_kind: oneOf(['commit', 'evidence'], { description: 'What has this hash.' }),
    event_commitment_hash: hexString(32, 'Of the evidence that holds the artifact.'),
    source_type: SourceType,
    outcome: EvidenceOutcome,
    anchored_at: dateTime('When the evidence was stored.'),
    checked_at: dateTime('The time of this statement.'),
    ...signed,
  }),
);

const SVG = 'image/svg+xml';

export const AvatarSvg = textOf(SVG, 'The identicon, 96 units square.');
export const BadgeResponse = inForms(
  [textOf(SVG, 'The card.'), AgentAttestation],
  'The card, 640 by 324 units; or with format=json what it says, signed.',
);
export const ArtifactResponse = inForms(
  [ArtifactAttestation, textOf(SVG, 'The card.')],
  'The assertion, signed; or as a card of 640 by 324 units.',
);
export const NotModified = Type.Undefined({
  description: 'Not modified: If-None-Match has the current ETag.',
});
export const Redirect = noContent('The agent has set a photo, which is there.');
