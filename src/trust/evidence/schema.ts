import { type ObjectOptions, type Static, Type } from '@sinclair/typebox';
import { PAYLOAD_SHAPES } from '../../platform/evidence-payload.ts';
import {
  dateTime,
  described,
  discriminated,
  hexString,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../platform/http/schema.ts';
import { READINGS } from '../../proof/agent/agent-signature.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import { SENT_TYPES, type SentType } from '../../proof/evidence/source-types.ts';
import { EXAMPLE_COMMITMENT } from '../agents/example-agent.ts';
import { EvidenceOutcome, SourceType } from '../http/enumerations.ts';
import { DEMO_EVENT_HASH } from '../http/example-ids.ts';
import { BUNDLE_TYPE, InclusionPath } from '../log/schema.ts';

/**
 * Any object. `payloadIssues` checks it against its source type; the agent signed it exactly as it was sent.
 */
const payload = (description: string, limits: ObjectOptions = {}) =>
  Type.Unsafe<JsonObject>(Type.Object({}, { ...limits, description }));

/** Limit of top-level members: each reading of the signature sorts them again. */
export const MAX_PAYLOAD_MEMBERS = 4096;

/** Evidence signed by the example agent. It is valid for any service on which that agent is enrolled. */
export const EXAMPLE_REQUEST = {
  source_type: 'github_commit_payload',
  payload: {
    sha: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
    commit: {
      message: 'Take the last line as well',
      author: { name: 'Ada', email: 'ada@example.org', date: '2026-05-01T12:00:00Z' },
    },
  },
  signature:
    '05d7b0b3703beb96e1f26cdb794fea888feafb224af3225322acfc47ab498c1c0153cad941f120d873747ff9c5f0bc2eb3565956a0f61c6fd4d54923045e340d',
} as const;

export const EvidencePath = strictObject({
  id: Type.String({
    maxLength: 256,
    description: "The agent's subject commitment.",
    examples: [EXAMPLE_COMMITMENT],
  }),
});

export const EvidenceItemPath = strictObject({
  ...EvidencePath.properties,
  event: Type.String({
    maxLength: 256,
    description: 'The event_commitment_hash of an item of the agent.',
    examples: [DEMO_EVENT_HASH],
  }),
});

/** The names of the requests in generated clients. */
const REQUEST_NAMES: Readonly<Record<SentType, string>> = {
  github_push_webhook: 'GithubPushEvidence',
  github_commit_payload: 'GithubCommitEvidence',
  github_issue_event: 'GithubIssueEvidence',
  compliance_report: 'ComplianceEvidence',
  otel_genai_trace: 'TraceEvidence',
  task_deliverable: 'DeliverableEvidence',
};

const signature = named(
  'AgentSignature',
  hexString(
    64,
    "Ed25519 signature by the agent's enrolled key over the payload's digest; the operation describes the accepted forms.",
  ),
);

/**
 * The request for clients: like `EvidenceRequest`, with the payload's shape for each source type, which
 * `payloadIssues` checks.
 */
const REQUESTS = discriminated(
  'source_type',
  SENT_TYPES.map((name) =>
    named(
      REQUEST_NAMES[name],
      strictObject({
        source_type: Type.Literal(name),
        payload: {
          ...PAYLOAD_SHAPES[name],
          description:
            'The JSON object that the source sent, not a string with JSON. Further members are allowed.',
          maxProperties: MAX_PAYLOAD_MEMBERS,
        },
        signature,
      }),
    ),
  ),
);

export const EvidenceRequest = named(
  'AnchorEvidenceRequest',
  strictObject(
    {
      source_type: oneOf(SENT_TYPES),
      payload: payload(
        'The JSON object that the source sent, not a string with JSON. It must match its source_type; further members are allowed.',
        { maxProperties: MAX_PAYLOAD_MEMBERS },
      ),
      signature,
    },
    { examples: [EXAMPLE_REQUEST], 'x-schema': REQUESTS },
  ),
);

export type Evidence = Static<typeof EvidenceRequest>;

export const ListQuery = strictObject({
  source_type: Type.Optional(described(SourceType, 'Return only evidence of this type.')),
  limit: limitParameter('Items per page.', 50),
  cursor: Type.Optional(
    Type.String({ maxLength: 256, description: '`next_cursor` of the previous page, with the same filter.' }),
  ),
});

export type EvidenceListQuery = Static<typeof ListQuery>;

const anchored = {
  index: Type.Integer({
    minimum: 0,
    description: "The position of the item in the agent's chain, from 0.",
  }),
  event_commitment_hash: hexString(
    32,
    'SHA-256 of the canonical JSON of {subject_commitment, source_type, payload_digest, prev_event_hash}.',
  ),
  prev_event_hash: nullable(
    hexString(32, "The event_commitment_hash of the agent's previous item. null for its first item."),
  ),
  source_type: SourceType,
  payload_digest: hexString(32, 'SHA-256 of the canonical JSON (RFC 8785) of the payload.'),
};
const reading = oneOf(READINGS, {
  description:
    'The format that the agent signed: `digest`, the 64 characters of the digest; `raw`, its 32 bytes; `shallow`, the digest of JSON that ' +
    'is sorted only at the top level.',
});
const created_at = dateTime('The time when the evidence was stored.');

export const AnchoredResponse = named(
  'AnchoredEvidence',
  strictObject({
    ...anchored,
    subject_commitment: hexString(32, "The agent's subject commitment."),
    outcome: EvidenceOutcome,
    reading,
    created_at,
    duplicate: Type.Boolean({
      description:
        'Whether the same evidence was stored before. If true, the other members are from the first time.',
    }),
  }),
);

export const EvidenceListResponse = named(
  'EvidencePage',
  strictObject({
    evidence: Type.Array(
      named(
        'Evidence',
        strictObject({
          ...anchored,
          outcome: EvidenceOutcome,
          reading,
          created_at,
          signature: Type.Optional(
            hexString(
              64,
              "The agent's signature, as it was sent. Only in responses to callers who may read the payload.",
            ),
          ),
          payload: Type.Optional(
            payload('The payload, as it was sent. Only in responses to callers who may read it.', {
              additionalProperties: true,
            }),
          ),
        }),
      ),
    ),
    next_cursor: nullable(
      Type.String({ description: 'The cursor of the next page. null on the last page.' }),
    ),
  }),
);

export const EvidenceBundleResponse = {
  ...named(
    'EvidenceBundle',
    strictObject({
      type: Type.Literal('evidence-bundle'),
      item: strictObject(
        {
          subject_commitment: hexString(32, "The agent's subject commitment."),
          public_key: hexString(32, "The agent's Ed25519 key."),
          context: Type.String({ description: "What the agent's key is used for." }),
          ...anchored,
          // The log can have an item of a type that this version does not know.
          source_type: Type.String({ description: 'Where the payload is from.' }),
          outcome: Type.Optional(
            described(
              EvidenceOutcome,
              'What the service concluded from the payload. No signature covers it. Absent if only the log has the item.',
            ),
          ),
          created_at,
        },
        { description: 'The item without its payload and the signature of the agent.' },
      ),
      proof: Type.Union([InclusionPath, Type.Null()], {
        description:
          'The proof that a checkpoint of the log of evidence contains the item. null while there is none.',
      }),
      inclusion_reason: Type.Optional(
        Type.String({ description: 'Why `proof` is null. Absent if there is a proof.' }),
      ),
    }),
  ),
  'x-media-type': BUNDLE_TYPE,
};
