import { Type } from '@sinclair/typebox';
import { dateTime, hexString, named, nullable, strictObject } from '../../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT } from '../../agents/example-agent.ts';
import { Presentation } from '../../agents/schema.ts';
import { AgentState, EvidenceOutcome, SourceType } from '../../http/enumerations.ts';
import { signatureMembers, signedMembers } from '../../log/keys/signing/signed-responses.ts';
import { METRICS } from '../reputation/schema.ts';

const { success_rate, failure_rate, sample_size, trajectory_7d } = METRICS;
const { score, score_corroborated, score_basis } = METRICS;

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const ProfilePath = strictObject({
  hash: Type.String({
    maxLength: 256,
    description: "The agent's subject commitment.",
    examples: [EXAMPLE_COMMITMENT],
  }),
});

export const ProfileResponse = named(
  'Profile',
  strictObject({
    subject_commitment: hexString(32, "The agent's subject commitment."),
    state: AgentState,
    name: nullable(Type.String({ description: 'The name of the agent. null if it has none.' })),
    presentation: nullable(Presentation),
    totals: strictObject(
      {
        evidence_count: count('Items of evidence.'),
        artifact_count: count('Commits and deliverables in these items.'),
        failure_count: count('Failures among the evidence and the receipts that are not revoked.'),
        receipts_count: count(
          'Receipts with the agent’s commitment as agent_id that its sponsor finalized and did not revoke.',
        ),
      },
      { description: 'Totals since the agent enrolled.' },
    ),
    rolling_30d: strictObject(
      { success_rate, failure_rate, sample_size },
      { description: 'Rates over the current UTC day and the 29 days before.' },
    ),
    trajectory_7d,
    score,
    score_corroborated,
    score_basis,
    abandoned: strictObject(
      {
        abandoned: count('Revoked while pending, or pending for 30 days or past their expiry.'),
        of: count('These, and `score_basis.sponsored`.'),
      },
      { description: 'Receipts of the sponsor whose outcome nobody said, of 30 days.' },
    ),
    timeline: Type.Array(
      named(
        'TimelineItem',
        strictObject({
          event_commitment_hash: hexString(32, 'The hash that identifies the item in the agent’s chain.'),
          source_type: SourceType,
          outcome: EvidenceOutcome,
          created_at: dateTime('The time when the item was stored.'),
        }),
      ),
      { description: 'The newest 50 items of evidence, newest first.' },
    ),
    ...signedMembers('agent-profile'),
    ...signatureMembers,
  }),
);
