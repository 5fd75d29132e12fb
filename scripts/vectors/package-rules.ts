import { isJsonObject, type JsonObject, type JsonValue } from '../../src/proof/encoding/json.ts';
import type { PackageVerdict } from '../../src/proof/package/verdict.ts';
import { replaced } from '../../test/support/changed-document.ts';
import { signedPackage, unsignedPackage } from '../../test/support/compliance-package.ts';
import { ruledPackage } from '../../test/support/ruled-package.ts';

/** A package that its issuer signed, with counts, and what a verifier must say of it. */
interface RulesCase {
  name: string;
  kind: 'soc2' | 'audit';
  document: JsonObject;
  verdict: PackageVerdict;
  problem: string | null;
  checks: Record<string, string>;
}

type Change = readonly [value: JsonValue | undefined, ...place: (string | number)[]];

const ruled = ruledPackage();
const audit = unsignedPackage('audit');

function one(
  name: string,
  kind: RulesCase['kind'],
  changes: readonly Change[],
  rules: string,
  problem: string | null = null,
): RulesCase {
  const document = changes.reduce(
    (changed, [value, ...place]) => replaced(changed, place, value),
    kind === 'soc2' ? ruled : audit,
  );
  const verdict = rules === 'bad' ? 'inconsistent' : 'valid';
  return { name, kind, document: signedPackage(document), verdict, problem, checks: { rules } };
}

/** Returns the position of a control. */
const at = (id: string): number =>
  Object(ruled).controls.findIndex((control: JsonValue) => isJsonObject(control) && control.id === id);
const path = (id: string, member: string): string => `controls[${at(id)}].${member}`;
/** Returns the ids of the controls that have a count. */
const withCount = (name: string): string[] =>
  Object(ruled).controls.flatMap((control: JsonValue) =>
    Object.hasOwn(Object(Object(control).counts), name) ? [Object(control).id] : [],
  );
const summary = (change: Partial<Record<string, number>>): Change => [
  { ...Object(ruled).summary, ...change },
  'summary',
];
const { satisfied, partial } = Object(ruled).summary;
/** The reference of a control to a set. */
const cited = (set: string): JsonValue => {
  const { name, count, merkle_root } = Object(ruled).reference_sets.find(
    (one: JsonValue) => isJsonObject(one) && one.name === set,
  );
  return { set: name, count, merkle_root };
};

/** Packages whose statuses, counts and sets agree, and those where they do not. */
export const RULES_CASES: readonly RulesCase[] = [
  one('statuses that follow from the counts', 'soc2', [], 'ok'),
  one(
    'satisfied although the best status is partial',
    'soc2',
    [
      ['satisfied', 'controls', at('PI1.1'), 'status'],
      summary({ satisfied: satisfied + 1, partial: partial - 1 }),
    ],
    'bad',
    path('PI1.1', 'status'),
  ),
  one(
    'partial although a required count is 0',
    'soc2',
    [
      ['partial', 'controls', at('PI1.5'), 'status'],
      [cited('receipts'), 'controls', at('PI1.5'), 'references'],
      [['service'], 'controls', at('PI1.5'), 'attested_by'],
      summary({ partial: partial + 1, not_assessed: Object(ruled).summary.not_assessed - 1 }),
    ],
    'bad',
    path('PI1.5', 'status'),
  ),
  one(
    'satisfied although receipts failed',
    'soc2',
    withCount('receipts_failed').map((id) => [1, 'controls', at(id), 'counts', 'receipts_failed'] as const),
    'bad',
    path('PI1.3', 'status'),
  ),
  one(
    'partial although outcomes are on 19 days only',
    'soc2',
    withCount('receipt_days').map((id) => [19, 'controls', at(id), 'counts', 'receipt_days'] as const),
    'bad',
    path('CC2.1', 'status'),
  ),
  one(
    'partial although all is met',
    'soc2',
    [
      ['partial', 'controls', at('PI1.3'), 'status'],
      summary({ satisfied: satisfied - 1, partial: partial + 1 }),
    ],
    'bad',
    path('PI1.3', 'status'),
  ),
  one(
    'a control that an empty set assesses',
    'soc2',
    [
      ['partial', 'controls', at('CC8.1'), 'status'],
      [cited('changes'), 'controls', at('CC8.1'), 'references'],
      summary({ partial: partial + 1, not_assessed: Object(ruled).summary.not_assessed - 1 }),
    ],
    'bad',
    path('CC8.1', 'status'),
  ),
  one(
    'more receipts than the set has',
    'soc2',
    withCount('receipts').map((id) => [1_000_000, 'controls', at(id), 'counts', 'receipts'] as const),
    'bad',
    path('CC2.1', 'counts.receipts'),
  ),
  one(
    'a count that differs between two controls',
    'soc2',
    [[33, 'controls', at('PI1.3'), 'counts', 'receipts']],
    'bad',
    path('PI1.3', 'counts.receipts'),
  ),
  one(
    'more failures than receipts',
    'soc2',
    [[35, 'controls', at('A1.1'), 'counts', 'receipts_timed_out']],
    'bad',
    path('A1.1', 'counts.receipts_timed_out'),
  ),
  one(
    'a count less',
    'soc2',
    [[undefined, 'controls', at('PI1.3'), 'counts', 'receipts_failed']],
    'bad',
    path('PI1.3', 'counts.receipts_failed'),
  ),
  one(
    'a control that cites another set than its rule is about',
    'soc2',
    [[cited('actions'), 'controls', at('PI1.1'), 'references']],
    'bad',
    path('PI1.1', 'references.set'),
  ),
  one('a count that no rule names', 'soc2', [[7, 'controls', at('PI1.1'), 'counts', 'hours']], 'ok'),
  one(
    'a control that the framework does not have',
    'soc2',
    [['PI9.9', 'controls', at('PI1.1'), 'id']],
    'unknown',
  ),
  one('another framework', 'soc2', [['SOC2_TYPE3', 'framework']], 'unknown'),
  one('a framework without packages of this kind', 'soc2', [['ISO_27001', 'framework']], 'unknown'),

  one(
    'satisfied although no assessor confirms what the agent reported',
    'soc2',
    [['satisfied', 'controls', at('A1.2'), 'status'], summary({ satisfied: satisfied + 1, reported: 0 })],
    'bad',
    path('A1.2', 'status'),
  ),
  one(
    'satisfied although the period is not covered',
    'soc2',
    [
      [82, 'coverage', 0, 'covered_days'],
      [[{ from: '2026-03-01', to: '2026-03-10', days: 10 }], 'coverage', 0, 'gaps'],
    ],
    'bad',
    path('PI1.3', 'status'),
  ),
  one(
    'satisfied with records on 19 days',
    'soc2',
    [[19, 'coverage', 0, 'record_days']],
    'bad',
    path('PI1.3', 'status'),
  ),
  one('satisfied without any coverage', 'soc2', [[[], 'coverage']], 'bad', path('PI1.3', 'status')),
  one(
    'satisfied although an assessor says fail',
    'soc2',
    [[1, 'controls', at('PI1.3'), 'counts', 'assessor_fail']],
    'bad',
    path('PI1.3', 'status'),
  ),
  one(
    'satisfied although a receipt was abandoned',
    'soc2',
    withCount('receipts_abandoned').map(
      (id) => [1, 'controls', at(id), 'counts', 'receipts_abandoned'] as const,
    ),
    'bad',
    path('PI1.3', 'status'),
  ),
  one(
    'satisfied although a receipt was revoked',
    'soc2',
    withCount('receipts_revoked').map((id) => [1, 'controls', at(id), 'counts', 'receipts_revoked'] as const),
    'bad',
    path('PI1.3', 'status'),
  ),
  one(
    'satisfied with refusals of at most 10%',
    'soc2',
    withCount('receipts_refused').map((id) => [3, 'controls', at(id), 'counts', 'receipts_refused'] as const),
    'ok',
  ),
  one(
    'satisfied with refusals of more than 10%',
    'soc2',
    withCount('receipts_refused').map((id) => [4, 'controls', at(id), 'counts', 'receipts_refused'] as const),
    'bad',
    path('PI1.3', 'status'),
  ),
  one(
    'satisfied although a report of the agent says fail',
    'soc2',
    [[1, 'controls', at('PI1.3'), 'counts', 'own_fails']],
    'bad',
    path('PI1.3', 'status'),
  ),
  one(
    'no count of own reports',
    'soc2',
    [[undefined, 'controls', at('PI1.3'), 'counts', 'own_reports']],
    'bad',
    path('PI1.3', 'counts'),
  ),
  one(
    'satisfied in a period of less than 90 days',
    'soc2',
    [
      ['2026-03-04T00:00:00.000Z', 'period', 'from'],
      [89, 'coverage', 0, 'days'],
      [[], 'coverage', 0, 'gaps'],
    ],
    'bad',
    path('PI1.3', 'status'),
  ),
  one(
    'satisfied in a period of 90 days',
    'soc2',
    [
      ['2026-03-03T00:00:00.000Z', 'period', 'from'],
      [90, 'coverage', 0, 'days'],
      [[{ from: '2026-03-03', to: '2026-03-03', days: 1 }], 'coverage', 0, 'gaps'],
    ],
    'ok',
  ),
  one(
    'other days than those with a receipt',
    'soc2',
    [[21, 'coverage', 0, 'record_days']],
    'bad',
    'coverage[0].record_days',
  ),
  one(
    'what assessors say without their assessments',
    'soc2',
    [[1, 'controls', at('PI1.1'), 'counts', 'assessor_fail']],
    'bad',
    path('PI1.1', 'attested_by'),
  ),
  one(
    'other records than the controls count',
    'soc2',
    [[35, 'records', 'receipts']],
    'bad',
    'records.receipts',
  ),
  one(
    'a coverage by other records than the controls count',
    'soc2',
    [[35, 'coverage', 0, 'count']],
    'bad',
    'coverage[0].count',
  ),
  one(
    'the agent as the one who says what the service recorded',
    'soc2',
    [[['self'], 'controls', at('PI1.3'), 'attested_by']],
    'bad',
    path('PI1.3', 'attested_by'),
  ),
  one(
    'an assessor who says nothing',
    'soc2',
    [[['service', 'assessor'], 'controls', at('PI1.3'), 'attested_by']],
    'bad',
    path('PI1.3', 'attested_by'),
  ),

  one('reports that all say pass, which an assessor confirms', 'audit', [], 'ok'),
  one(
    'a satisfied control that no assessor confirms',
    'audit',
    [
      [0, 'controls', 0, 'counts', 'assessor_pass'],
      [['self'], 'controls', 0, 'attested_by'],
    ],
    'bad',
    'controls[0].status',
  ),
  one(
    'a satisfied control of an assessor who looked at some days only',
    'audit',
    [[54, 'controls', 0, 'counts', 'assessor_days']],
    'bad',
    'controls[0].status',
  ),
  one(
    'a satisfied control in a period of less than 90 days',
    'audit',
    [
      ['2026-03-04T00:00:00.000Z', 'period', 'from'],
      [89, 'controls', 0, 'counts', 'assessor_days'],
    ],
    'bad',
    'controls[0].status',
  ),
  one(
    'a partial control that an assessor passes for no day',
    'audit',
    [
      [0, 'controls', 0, 'counts', 'assessor_days'],
      ['partial', 'controls', 0, 'status'],
      [{ ...Object(audit).summary, satisfied: 0, partial: 1 }, 'summary'],
    ],
    'bad',
    'controls[0].status',
  ),
  one(
    'no count of assessments',
    'audit',
    [[undefined, 'controls', 0, 'counts', 'assessor_fail']],
    'bad',
    'controls[0].counts',
  ),
  one(
    'a satisfied control that a report fails',
    'audit',
    [
      [4, 'controls', 0, 'counts', 'pass'],
      [1, 'controls', 0, 'counts', 'fail'],
    ],
    'bad',
    'controls[0].status',
  ),
  one(
    'a satisfied control without reports',
    'audit',
    [
      [0, 'controls', 0, 'counts', 'reports'],
      [0, 'controls', 0, 'counts', 'pass'],
      [0, 'controls', 0, 'counts', 'assessor_pass'],
    ],
    'bad',
    'controls[0].status',
  ),
  one(
    'reports that are not those that pass and fail',
    'audit',
    [[4, 'controls', 0, 'counts', 'reports']],
    'bad',
    'controls[0].counts.reports',
  ),
  one(
    'more reports than the set has',
    'audit',
    [
      [6, 'controls', 0, 'counts', 'reports'],
      [6, 'controls', 0, 'counts', 'pass'],
    ],
    'bad',
    'controls[0].counts',
  ),
  one(
    'no count of failures',
    'audit',
    [[undefined, 'controls', 0, 'counts', 'fail']],
    'bad',
    'controls[0].counts',
  ),
];
