import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import type { PackageKind, SampledReference } from '../../src/proof/package/format.ts';
import type { PackageVerdict } from '../../src/proof/package/verdict.ts';
import { replaced } from '../../test/support/changed-document.ts';
import { COVERAGE, citedCheckpoint, unsignedPackage } from '../../test/support/compliance-package.ts';

/**
 * A package with one thing that does not fit, to be signed by its issuer, and what a verifier must say of it.
 */
export interface Contradiction {
  name: string;
  kind: PackageKind;
  unsigned: JsonObject;
  verdict: PackageVerdict;
  problem: string | null;
}

const of = (
  name: string,
  kind: PackageKind,
  changes: readonly [value: JsonValue, ...place: (string | number)[]][],
  verdict: PackageVerdict,
  problem: string | null,
): Contradiction => {
  const unsigned = changes.reduce(
    (document, [value, ...place]) => replaced(document, place, value),
    unsignedPackage(kind),
  );
  return { name, kind, unsigned, verdict, problem };
};

const { reference_sets, checkpoints, subject } = Object(unsignedPackage('audit'));
const checkpointsOf = (...logs: Parameters<typeof citedCheckpoint>[0][]): JsonValue =>
  logs.map(citedCheckpoint);
/** 90 days that end with the day of the entries. */
const DAYS_OF_ENTRIES = { from: '2026-02-01T00:00:00.000Z', to: '2026-05-02T00:00:00.000Z' };
/** The date of the newest entry that the package shows. */
const NEWEST: string = reference_sets[0].sample
  .map(({ inclusion_path }: SampledReference) => JSON.parse(inclusion_path.leaf_entry).anchored_at)
  .toSorted()
  .at(-1);
const sixtySecondsBefore = (time: string, earlier: number): string =>
  new Date(Date.parse(time) - 60_000 - earlier).toISOString();
const SAMPLED = ['reference_sets', 0, 'sample', 0] as const;
const PROOF = [...SAMPLED, 'inclusion_path'] as const;

/** Each breaks one rule and no other, or none. */
export const CONTRADICTIONS: readonly Contradiction[] = [
  of(
    'a path in the set that leads elsewhere',
    'audit',
    [[[], ...SAMPLED, 'path']],
    'bad_sample',
    'reference_sets[0].sample[0].path',
  ),
  of(
    'the path of another entry of the set',
    'audit',
    [[reference_sets[0].sample[1].path, ...SAMPLED, 'path']],
    'bad_sample',
    'reference_sets[0].sample[0].path',
  ),
  of(
    'the name of the log instead of its origin',
    'audit',
    [['evidence', ...PROOF, 'log']],
    'bad_sample',
    'reference_sets[0].sample[0].inclusion_path.log',
  ),
  of(
    'another size than that of the checkpoint',
    'audit',
    [[9, ...PROOF, 'tree_size']],
    'bad_sample',
    'reference_sets[0].sample[0].inclusion_path.tree_size',
  ),
  of(
    'the hash of another leaf',
    'audit',
    [['00'.repeat(32), ...PROOF, 'leaf_hash']],
    'bad_sample',
    'reference_sets[0].sample[0].inclusion_path.leaf_hash',
  ),
  of(
    'a leaf_hash in capital letters',
    'audit',
    [[reference_sets[0].sample[0].inclusion_path.leaf_hash.toUpperCase(), ...PROOF, 'leaf_hash']],
    'malformed',
    'reference_sets[0].sample[0].inclusion_path.leaf_hash is not',
  ),
  of(
    'a sampled entry of a log of another service',
    'audit',
    [['other.example/evidence', ...PROOF, 'log']],
    'bad_sample',
    'reference_sets[0].sample[0].inclusion_path.log',
  ),
  of(
    'two sets of one name',
    'audit',
    [[[reference_sets[0], reference_sets[0]], 'reference_sets']],
    'inconsistent',
    'reference_sets[1].name',
  ),
  of(
    'a checkpoint of another log than it says, which no set cites',
    'assessment',
    [
      [
        [...Object(unsignedPackage('assessment')).checkpoints, { ...checkpoints[0], log: 'accounts' }],
        'checkpoints',
      ],
    ],
    'inconsistent',
    'checkpoints[4].origin',
  ),
  of(
    'checkpoints of two services',
    'assessment',
    [['other.example/keys', 'checkpoints', 1, 'origin']],
    'inconsistent',
    'checkpoints[1].origin',
  ),
  of(
    'two checkpoints of one log',
    'audit',
    [[checkpointsOf('evidence', 'evidence'), 'checkpoints']],
    'inconsistent',
    'checkpoints[1].log',
  ),
  of(
    'counts of any name, and none, of a framework whose rules are not known',
    'assessment',
    [
      [{ '': 0, 'any name': 7 }, 'controls', 0, 'counts'],
      [{}, 'controls', 1, 'counts'],
    ],
    'valid',
    null,
  ),
  of(
    'a status of a control that nothing assesses',
    'assessment',
    [
      ['ISO_42001', 'framework'],
      ['A.4.5', 'controls', 0, 'id'],
    ],
    'inconsistent',
    'controls[0].status is satisfied, but nothing assesses this control',
  ),
  of(
    'dated 60 s before the last day of its period',
    'audit',
    [
      ['2026-05-30T23:59:00.000Z', 'generated_at'],
      ['2026-05-31T23:00:00.000Z', 'period', 'to'],
    ],
    'valid',
    null,
  ),
  of(
    'dated more than 60 s before the last day of its period',
    'audit',
    [
      ['2026-05-30T23:58:59.999Z', 'generated_at'],
      ['2026-05-31T23:00:00.000Z', 'period', 'to'],
    ],
    'misdated',
    'generated_at is 2026-05-30T23:58:59.999Z, before the day on which period.to',
  ),
  of(
    'dated 60 s before an entry that it cites',
    'audit',
    [
      [DAYS_OF_ENTRIES, 'period'],
      [90, 'controls', 0, 'counts', 'assessor_days'],
      [sixtySecondsBefore(NEWEST, 0), 'generated_at'],
    ],
    'valid',
    null,
  ),
  of(
    'dated more than 60 s before an entry that it cites',
    'audit',
    [
      [DAYS_OF_ENTRIES, 'period'],
      [90, 'controls', 0, 'counts', 'assessor_days'],
      [sixtySecondsBefore(NEWEST, 1), 'generated_at'],
    ],
    'misdated',
    `generated_at is ${sixtySecondsBefore(NEWEST, 1)}, before the entry reference_sets[0].sample[`,
  ),
  of(
    'a coverage of any records that no control counts',
    'assessment',
    [
      [[{ ...COVERAGE, records: 'telemetry' }], 'coverage'],
      [{ 'any name': 7 }, 'records'],
    ],
    'valid',
    null,
  ),
  of(
    'a gap that is not in its period',
    'audit',
    [[[{ ...COVERAGE, gaps: [{ from: '2026-02-28', to: '2026-03-03', days: 4 }] }], 'coverage']],
    'inconsistent',
    'coverage[0].gaps[0]',
  ),
  of(
    'a coverage by more records than the package counts',
    'audit',
    [
      [[COVERAGE], 'coverage'],
      [{ receipts: COVERAGE.count - 1 }, 'records'],
    ],
    'inconsistent',
    'coverage[0].count',
  ),
  of(
    'a covered day more than its gaps leave',
    'audit',
    [[[{ ...COVERAGE, covered_days: 90 }], 'coverage']],
    'inconsistent',
    'coverage[0].covered_days',
  ),
  of(
    'more covered days than the days with a record can cover',
    'assessment',
    [[[{ ...COVERAGE, count: 7, record_days: 7 }], 'coverage']],
    'inconsistent',
    'coverage[0].covered_days',
  ),
  of(
    'passes of assessors without an assessor',
    'audit',
    [[[], 'assessors']],
    'inconsistent',
    'controls[0].counts',
  ),
  of(
    'days that assessors confirm without a pass',
    'audit',
    [
      [0, 'controls', 0, 'counts', 'assessor_pass'],
      [61, 'controls', 0, 'counts', 'assessor_days'],
    ],
    'inconsistent',
    'controls[0].counts',
  ),
  of(
    'a control that cites assessments, which an audit package has in its set',
    'audit',
    [[Object(unsignedPackage('audit')).controls[0].references, 'controls', 0, 'assessments']],
    'inconsistent',
    'controls[0].assessments',
  ),
  of(
    'assessments that are not in the package',
    'assessment',
    [[{ set: 'assessments', count: 1, merkle_root: '00'.repeat(32) }, 'controls', 0, 'assessments']],
    'inconsistent',
    'controls[0].assessments',
  ),
  of(
    'a member assessments that is no set',
    'assessment',
    [['assessments', 'controls', 0, 'assessments']],
    'malformed',
    'controls[0].assessments',
  ),
  of(
    'the subject as its own assessor',
    'audit',
    [[subject.subject_commitment, 'assessors', 0, 'subject_commitment']],
    'inconsistent',
    'assessors[0]',
  ),
  of(
    'a coverage by the same records twice',
    'audit',
    [[[COVERAGE, COVERAGE], 'coverage']],
    'inconsistent',
    'coverage[1].records',
  ),
  of(
    'a day that is not in the calendar',
    'audit',
    [[[{ ...COVERAGE, gaps: [{ from: '2026-02-30', to: '2026-04-03', days: 3 }] }], 'coverage']],
    'malformed',
    'coverage[0].gaps[0].from',
  ),
  of(
    'a coverage by records that are not known',
    'audit',
    [[[{ ...COVERAGE, records: 'hours' }], 'coverage']],
    'malformed',
    'coverage[0].records',
  ),
  of('the DID of another agent', 'audit', [['did:web:other.example', 'subject', 'did']], 'valid', null),
];
