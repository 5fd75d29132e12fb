import { Type } from '@sinclair/typebox';
import { dateTime, hexString, named, nullable, strictObject } from '../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT } from '../agents/example.ts';
import { Presentation } from '../agents/schema.ts';
import { AgentState, EvidenceOutcome, SourceType } from '../enumerations.ts';
import { FIGURES } from '../reputation/schema.ts';

const EXAMPLE_HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const { success_rate, failure_rate, sample_size, trajectory_7d, score } = FIGURES;

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const ProfilePath = strictObject({
  hash: Type.String({
    maxLength: 256,
    description: "The agent's subject commitment.",
    examples: [EXAMPLE_COMMITMENT],
  }),
});

export const ProfileAnswer = named(
  'Profile',
  strictObject(
    {
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
    },
    {
      examples: [
        {
          subject_commitment: EXAMPLE_COMMITMENT,
          state: 'ISSUED',
          name: 'Invoice clerk',
          presentation: null,
          totals: { evidence_count: 1, artifact_count: 1, failure_count: 0, receipts_count: 3 },
          rolling_30d: { success_rate: 1, failure_rate: 0, sample_size: 4 },
          trajectory_7d: null,
          score: 51,
          timeline: [
            {
              event_commitment_hash: EXAMPLE_HASH,
              source_type: 'task_deliverable',
              outcome: 'success',
              created_at: '2026-11-21T12:00:00.000Z',
            },
          ],
        },
      ],
    },
  ),
);
