import type { JsonObject, JsonValue } from '../../src/proof/encoding/json.ts';
import { replaced } from '../../test/support/changed-document.ts';
import {
  ASSESSMENT,
  ASSESSOR,
  FOREIGN,
  type Leaf,
  referenceSet,
  unsignedPackage,
} from '../../test/support/compliance-package.ts';
import type { Contradiction } from './package-contradictions.ts';

/** An audit package with these entries, and these assessors. */
const ofEntries = (leaves: readonly Leaf[], assessors: JsonValue, set = 'assessing_reports'): JsonObject => ({
  ...unsignedPackage('audit', [referenceSet(set, leaves)], leaves),
  assessors,
});
const endingAt = (kind: 'assessment' | 'audit', to: string): JsonObject =>
  replaced(unsignedPackage(kind), ['period', 'to'], to);
const SOMEBODY = { ...ASSESSOR, subject_commitment: '5e'.repeat(32) };
const ENTRY = 'reference_sets[0].sample[0].inclusion_path.leaf_entry';

/** Entries that are logged after a period, by reports and assessments that can be about it, and by others. */
export const PERIOD_CASES: readonly Contradiction[] = [
  {
    ...{ name: 'a report from after the period, which can be about it', kind: 'audit' },
    // Assessors confirm all of its 91 days.
    unsigned: replaced(
      replaced(endingAt('audit', '2026-05-01T12:04:00.000Z'), ['controls', 0, 'counts', 'assessor_days'], 91),
      ['period', 'from'],
      '2026-01-31T00:00:00.000Z',
    ),
    ...{ verdict: 'valid', problem: null },
  },
  {
    ...{ name: 'an entry of an agent from after the period', kind: 'assessment' },
    unsigned: endingAt('assessment', '2026-05-01T13:35:00.000Z'),
    ...{ verdict: 'bad_sample', problem: 'reference_sets[2].sample' },
  },
  {
    ...{ name: 'an assessment of an assessor that the package names', kind: 'audit' },
    ...{ unsigned: ofEntries(ASSESSMENT, [ASSESSOR]), verdict: 'valid', problem: null },
  },
  {
    ...{ name: 'an assessment in a set that has none', kind: 'audit' },
    ...{ unsigned: ofEntries(ASSESSMENT, [ASSESSOR], 'evidence'), verdict: 'bad_sample', problem: ENTRY },
  },
  {
    ...{ name: 'an assessment of somebody whom the package does not name', kind: 'audit' },
    ...{ unsigned: ofEntries(ASSESSMENT, [SOMEBODY]), verdict: 'bad_sample', problem: ENTRY },
  },
  {
    ...{ name: 'a report of an assessor, which is no assessment', kind: 'audit' },
    ...{ unsigned: ofEntries([FOREIGN.agent], [ASSESSOR]), verdict: 'bad_sample', problem: ENTRY },
  },
];
