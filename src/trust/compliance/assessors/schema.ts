import { type Static, Type } from '@sinclair/typebox';
import {
  dateTime,
  hexString,
  limitParameter,
  named,
  nullable,
  strictObject,
} from '../../../platform/http/schema.ts';
import { EXAMPLE_COMMITMENT, OTHER_EXAMPLE_COMMITMENT } from '../../agents/example-agent.ts';
import { ASSESSMENT_TYPE, AssessmentPayload } from './payload.ts';

export const SubjectPath = strictObject({
  id: Type.String({
    maxLength: 256,
    description: 'The subject commitment of the assessed agent.',
    examples: [OTHER_EXAMPLE_COMMITMENT],
  }),
});

const signature = hexString(
  64,
  "Ed25519 signature by the assessor's enrolled key over the 64 characters of the payload's digest.",
);

/** An assessment by the example agent. It is valid for any service on which both agents are enrolled. */
const EXAMPLE_REQUEST = {
  payload: {
    type: ASSESSMENT_TYPE,
    subject_commitment: OTHER_EXAMPLE_COMMITMENT,
    assessor_commitment: EXAMPLE_COMMITMENT,
    framework: 'SOC2_TYPE2',
    period: { from: '2026-01-01T00:00:00Z', to: '2026-04-01T00:00:00Z' },
    controls: [{ id: 'CC7.2', status: 'pass', evidence: 'alerts of 12 sampled days' }],
  },
  signature:
    'a31d6e3d538db48406eaad7a84040fa3d2add82d1ecebb999c4224f9b921b18bd1df5a037a9cf6916adeaa21889f003271c3367121c8cde91db23928f446bb0d',
};

export const AssessmentRequest = named(
  'AssessAgentRequest',
  strictObject({ payload: AssessmentPayload, signature }, { examples: [EXAMPLE_REQUEST] }),
);

export type AssessmentRequest = Static<typeof AssessmentRequest>;

const ids = {
  assessment_id: Type.String({ description: '`asmt_` and half of the event_commitment_hash.' }),
  event_commitment_hash: hexString(32, "The item of evidence, in the assessor's chain."),
};

export const AssessmentResponse = named(
  'AssessmentReference',
  strictObject({
    ...ids,
    duplicate: Type.Boolean({ description: 'Whether the same assessment was stored before.' }),
  }),
);

export const AssessmentListQuery = strictObject({
  limit: limitParameter('Assessments per page. A page of large ones has fewer.', 50),
  cursor: Type.Optional(Type.String({ maxLength: 256, description: '`next_cursor` of the previous page.' })),
});

export type AssessmentListQuery = Static<typeof AssessmentListQuery>;

export const AssessmentListResponse = named(
  'AssessmentPage',
  strictObject({
    assessments: Type.Array(
      named(
        'Assessment',
        strictObject({
          ...ids,
          assessor_name: nullable(Type.String({ description: 'The name that the assessor gave itself.' })),
          confirms: Type.Boolean({
            description:
              'Whether packages count what it passes: its assessor is listed, not revoked, and sponsored by an active operator that does not sponsor the agent.',
          }),
          created_at: dateTime('The time when it was stored.'),
          payload: AssessmentPayload,
          signature,
        }),
      ),
    ),
    next_cursor: nullable(Type.String({ description: 'null on the last page.' })),
  }),
);
