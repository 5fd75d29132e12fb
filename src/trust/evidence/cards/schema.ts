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
} from '../../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT } from '../../agents/example-agent.ts';
import { AgentState, EvidenceOutcome, SourceType } from '../../http/enumerations.ts';
import { DEMO_COMMIT } from '../../http/example-ids.ts';

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
    'x-message': 'must be 40 or 64 lower-case hexadecimal characters',
  }),
});

const FORMATS = ['json', 'svg'] as const;

export const BadgeQuery = strictObject({
  format: Type.Optional(
    oneOf(FORMATS, {
      description: '`svg` (default) for the card, `json` for the same values as signed JSON.',
    }),
  ),
});

export const ArtifactQuery = strictObject({
  format: Type.Optional(
    oneOf(FORMATS, {
      description: 'The form of the response: `json` or `svg`. Overrides the Accept header.',
    }),
  ),
});

const subject = hexString(32, "The agent's subject commitment.");
const signed = {
  signature: hexString(64, 'Ed25519 signature over the digest of all other members except kid.'),
  kid: Type.String({ description: 'The id of the signing key (purpose `credentials`).' }),
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
    name: nullable(Type.String({ description: 'The name of the agent. null if it has none.' })),
    totals: strictObject({
      evidence_count: count('Items of evidence since the agent enrolled.'),
      artifact_count: count('Commits and deliverables in these items.'),
      failure_count: count('Failures among the evidence and the receipts that are not revoked.'),
      receipts_count: count('Receipts of this agent that its sponsor finalized and did not revoke.'),
    }),
    rolling_30d: strictObject({
      success_rate: rate(
        'The share of successes among `sample_size` outcomes, from 0 to 1. null without outcomes.',
      ),
      failure_rate: rate(
        'The share of failures among `sample_size` outcomes, from 0 to 1. null without outcomes.',
      ),
    }),
    trajectory_7d: Type.Union([Type.Number({ minimum: -1, maximum: 1 }), Type.Null()], {
      description:
        'success_rate minus the success_rate of the 30 days that ended 7 days ago. null if either period has no outcomes.',
    }),
    score: Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'The lower bound of the success rate with 95% confidence, in percent, weighed by who attests the outcomes. 0 without outcomes.',
    }),
    sample_size: count('The number of outcomes in the 30 days that the rates and the score cover.'),
    measured_at: dateTime('The time when the values were measured.'),
    valid_until: dateTime('The end of the validity: five minutes after measured_at.'),
    ...signed,
  }),
);

const ArtifactAttestation = named(
  'ArtifactAttestation',
  strictObject({
    type: Type.Literal('artifact-attestation'),
    subject_commitment: subject,
    state: AgentState,
    artifact: Type.String({ description: 'The hash in the request.' }),
    artifact_kind: oneOf(['commit', 'evidence'], {
      description: 'What the hash belongs to: a commit or an item of evidence.',
    }),
    event_commitment_hash: hexString(32, 'The hash of the item of evidence that contains the artifact.'),
    source_type: SourceType,
    outcome: EvidenceOutcome,
    anchored_at: dateTime('The time when the evidence was stored.'),
    checked_at: dateTime('The time of this attestation.'),
    ...signed,
  }),
);

const SVG = 'image/svg+xml';

export const AvatarSvg = textOf(SVG, 'The identicon, 96 by 96 units.');
export const BadgeResponse = inForms(
  [textOf(SVG, 'The card, as SVG.'), AgentAttestation],
  'The card, 640 by 324 units; with `format=json`, the same values as signed JSON.',
);
export const ArtifactResponse = inForms(
  [ArtifactAttestation, textOf(SVG, 'The card, as SVG.')],
  'The attestation as signed JSON; or as a card of 640 by 324 units.',
);
export const Redirect = noContent('The agent has a photo. Its URL is in the Location header.');
