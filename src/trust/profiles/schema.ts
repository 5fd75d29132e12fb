import { Type } from '@sinclair/typebox';
import { dateTime, hexString, named, nullable, strictObject } from '../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT } from '../agents/example-agent.ts';
import { Presentation } from '../agents/schema.ts';
import { AgentState, EvidenceOutcome, SourceType } from '../http/enumerations.ts';
import { FIGURES } from '../reputation/schema.ts';

const { success_rate, failure_rate, sample_size, trajectory_7d, score } = FIGURES;

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
    name: nullable(Type.String({ description: 'As the agent named itself at enrollment.' })),
    presentation: nullable(Presentation),
    totals: strictObject(
      {
        evidence_count: count('Items of evidence.'),
        artifact_count: count('Commits and deliverables in them.'),
        failure_count: count('Failures among evidence and receipts that are not revoked.'),
        receipts_count: count(
          'Receipts that its sponsor finalized with its commitment as agent_id and did not revoke.',
        ),
      },
      { description: 'Since the agent enrolled.' },
    ),
    rolling_30d: strictObject(
      { success_rate, failure_rate, sample_size },
      { description: 'Over the present UTC day and the 29 before.' },
    ),
    trajectory_7d,
    score,
    timeline: Type.Array(
      named(
        'TimelineItem',
        strictObject({
          event_commitment_hash: hexString(32, 'Anchors the item in the chain of the agent.'),
          source_type: SourceType,
          outcome: EvidenceOutcome,
          created_at: dateTime('When it was ingested.'),
        }),
      ),
      { description: 'The newest 50 items of evidence, newest first.' },
    ),
  }),
);
