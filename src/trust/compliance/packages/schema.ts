import { Type } from '@sinclair/typebox';
import {
  dateTime,
  hexString,
  named,
  nullable,
  oneOf,
  strictObject,
  written,
} from '../../../platform/http/schema.ts';
import { LOG_NAMES } from '../../../proof/log/log-names.ts';
import { COVERED_RECORDS } from '../../../proof/package/coverage.ts';
import {
  ATTESTERS,
  CONTROL_STATUSES,
  PACKAGE_KINDS,
  PACKAGE_TYPE,
  PACKAGE_VERSION,
  PACKAGE_VIEWS,
} from '../../../proof/package/format.ts';
import { PathWithoutCheckpoint } from '../../log/schema.ts';
import { ReceiptResponse } from '../../receipts/receipt-schema.ts';

/** The period of a package, as members of a query. */
export const periodQuery = {
  from: Type.Optional(
    dateTimeOf('The start of the period (inclusive), RFC 3339. By default 90 days before its end.'),
  ),
  to: Type.Optional(
    dateTimeOf(
      'The end of the period (exclusive), RFC 3339: at most the end of today (UTC), and at most 366 days after `from`. By default now.',
    ),
  ),
};

function dateTimeOf(description: string) {
  return Type.String({
    format: 'date-time',
    description,
    'x-message': 'must be a time in RFC 3339, such as 2026-01-31T00:00:00Z',
  });
}

const count = (description: string) => Type.Integer({ minimum: 0, description });

const Subject = Type.Union(
  [
    strictObject({
      type: Type.Literal('agent'),
      name: nullable(Type.String({ description: 'The name that the agent gave itself.' })),
      operator: nullable(
        Type.String({
          description: 'The id of the operator that sponsors it, masked unless the view is `sponsor`.',
        }),
      ),
      sponsors: Type.Array(Type.String(), { description: 'Those of the period, masked likewise.' }),
      subject_commitment: hexString(32, "The agent's subject commitment."),
      did: Type.String({ description: "The agent's did:key." }),
      state: Type.String({ description: 'The state of the agent when the package was made.' }),
      sponsor: Type.Optional(
        Type.String({ description: 'The id of the operator that sponsors it. Only in the view `sponsor`.' }),
      ),
    }),
    strictObject({
      type: Type.Literal('cluster'),
      id: Type.String({ description: '`urn:countersign:cluster:` and the cluster_id.' }),
      cluster_id: Type.String(),
      operator: Type.String({ description: 'The operator that reports its telemetry, masked.' }),
    }),
  ],
  { description: 'The agent or the cluster that the package is about.' },
);

const PackageCheckpoint = named(
  'PackageCheckpoint',
  strictObject({
    log: oneOf(LOG_NAMES, { description: 'The log.' }),
    origin: Type.String({ description: 'The origin of the log.' }),
    tree_size: count('The number of entries that the checkpoint covers.'),
    root_hash: hexString(32, 'The root of the log at this size.'),
    note: Type.String({ description: 'The signed note (C2SP tlog-checkpoint).' }),
  }),
);

const CitedSet = strictObject({
  set: Type.String(),
  count: count('Its entries.'),
  merkle_root: hexString(32, 'Its root.'),
});

const PackageControl = named(
  'PackageControl',
  strictObject({
    id: Type.String({ description: 'The id of the control in its framework.' }),
    title: Type.String({ description: 'What the control asks for, in our words.' }),
    status: oneOf(CONTROL_STATUSES, {
      description:
        '`satisfied`: the rule in `GET /api/v1/compliance/frameworks` is met; `partial`: in part; ' +
        '`reported`: only said by the agent, its sponsor or an assessor; `not_assessed`: nothing is known.',
    }),
    attested_by: Type.Array(oneOf(ATTESTERS), {
      description:
        'Who says so: records of the `service`, the agent or its sponsor (`self`), a listed `assessor`.',
    }),
    statement: Type.String({ description: 'Why the evidence says something about the control.' }),
    not_shown: Type.String({ description: 'What the evidence does not say.' }),
    to_add: nullable(Type.String({ description: 'What the organization must add.' })),
    counts: Type.Record(Type.String(), Type.Integer(), { description: 'What was counted, by name.' }),
    references: nullable(CitedSet),
    assessments: nullable(CitedSet),
  }),
);

const PackageCoverage = named(
  'PackageCoverage',
  strictObject({
    records: oneOf(COVERED_RECORDS, { description: 'The kind of records.' }),
    count: count('The number of records.'),
    days: count('The UTC days that the period touches.'),
    record_days: count('The days with a record.'),
    covered_days: count('The days in no gap.'),
    max_gap_days: count('The longest run of days without a record that is no gap.'),
    gaps: Type.Array(strictObject({ from: Type.String(), to: Type.String(), days: count('Their number.') }), {
      description: 'The days before the first record, and longer runs without one, inclusive.',
    }),
  }),
);

const SampledReference = strictObject({
  position: count('The position in the set, from 0.'),
  path: Type.Array(Type.String(), {
    description: 'The audit path (RFC 6962) to the root of the set, in base64.',
  }),
  inclusion_path: PathWithoutCheckpoint,
  payload_url: Type.Optional(
    Type.String({ description: 'Where to read what the entry commits to. Only in the view `sponsor`.' }),
  ),
});

const ReferenceSet = named(
  'ReferenceSet',
  strictObject({
    name: Type.String(),
    description: Type.String({ description: 'What is in the set.' }),
    count: count('The number of entries.'),
    merkle_root: hexString(
      32,
      'The root (RFC 6962) over all entries, ordered by log and index. Their leaf hashes are those of the logs.',
    ),
    sample: Type.Array(SampledReference, {
      description: 'At most 20 entries with their proofs, at positions that follow from the root.',
    }),
  }),
);

/** A signed package. */
const CompliancePackage = named(
  'CompliancePackage',
  strictObject({
    type: Type.Literal(PACKAGE_TYPE),
    v: Type.Literal(PACKAGE_VERSION),
    package_id: Type.String({ description: '`pkg_` and a UUIDv7.' }),
    kind: oneOf(PACKAGE_KINDS, {
      description: 'Of an agent (`assessment`), of its compliance reports (`audit`), or of a cluster.',
    }),
    framework: Type.String({ description: 'The framework.' }),
    framework_edition: Type.String({ description: 'The edition whose ids the controls have.' }),
    issuer: Type.String({ description: 'The DID of the service.' }),
    subject: Subject,
    period: strictObject({
      from: dateTime('The start of the period, inclusive.'),
      to: dateTime('The end of the period, exclusive.'),
    }),
    generated_at: dateTime('The time when the package was built.'),
    view: oneOf(PACKAGE_VIEWS, {
      description: '`sponsor` also has the sampled receipts and the addresses of payloads.',
    }),
    coverage: Type.Array(PackageCoverage, { description: 'How much of the period has records.' }),
    records: Type.Record(Type.String(), Type.Integer(), { description: 'The number of records, by name.' }),
    assessors: Type.Array(
      strictObject({
        subject_commitment: hexString(32, 'The assessor.'),
        name: nullable(Type.String({ description: 'The name that it gave itself.' })),
        assessments: count('How many of its assessments count.'),
      }),
      { description: 'Those whose assessments count.' },
    ),
    checkpoints: Type.Array(PackageCheckpoint, { description: 'One for each log that a set cites.' }),
    summary: strictObject({
      satisfied: count('Controls with this status.'),
      partial: count('Controls with this status.'),
      reported: count('Controls with this status.'),
      not_assessed: count('Controls with this status.'),
    }),
    controls: Type.Array(PackageControl),
    reference_sets: Type.Array(ReferenceSet),
    sections: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Metrics of a cluster, by section.' }),
    ),
    limits: Type.Array(Type.String(), { description: 'What the package cannot show.' }),
    signature: hexString(64, 'Ed25519 over the digest of all other members except kid and sampled_receipts.'),
    kid: Type.String({ description: 'The id of the signing key (purpose `credentials`).' }),
    sampled_receipts: Type.Optional(
      Type.Array(ReceiptResponse, {
        description:
          'The receipts of the sampled entries, as they were signed then, without the salts of blind ones: those of the sponsor of the ' +
          'agent. Their own signatures prove them, and the package does not sign this member. Only in the view `sponsor` of a package of kind `assessment`.',
      }),
    ),
  }),
);

/** The response with a package: the text that was signed. */
export const PackageJson = written(CompliancePackage);
