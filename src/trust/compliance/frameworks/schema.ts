import { type Static, Type } from '@sinclair/typebox';
import { named, nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import { LOG_NAMES } from '../../../proof/log/log-names.ts';
import { COVERED_RECORDS } from '../../../proof/package/coverage.ts';
import { PACKAGE_KINDS } from '../../../proof/package/format.ts';
import { FRAMEWORK_IDS } from '../../../proof/package/frameworks/framework-ids.ts';

const Requirement = strictObject({
  count: Type.String({ description: 'The name of a count.' }),
  at_least: Type.Integer({ minimum: 1, description: 'The least value that meets the requirement.' }),
});

const ControlMapping = named(
  'ControlMapping',
  strictObject({
    set: Type.String({ description: 'The reference set that the control cites.' }),
    counts: Type.Array(Type.String(), { description: 'The counts that the package shows with the control.' }),
    requires: Type.Array(Requirement, {
      description:
        'What the service must have recorded: everything if `best` is `partial`, else a part for `partial`.',
    }),
    statements: Type.Array(Requirement, {
      description:
        'What the agent, its sponsor or their instruments must have signed. `best` also needs an assessor that confirms the control.',
    }),
    unless: Type.Array(Type.String(), {
      description: 'Counts that must be 0. Otherwise the status is at most `partial`.',
    }),
    shares: Type.Array(
      strictObject({
        count: Type.String(),
        of: Type.String(),
        at_most_percent: Type.Integer(),
      }),
      { description: 'A greater share of a count permits at most `partial`.' },
    ),
    coverage: nullable(
      strictObject({
        records: oneOf(COVERED_RECORDS, { description: 'The records that must cover the period.' }),
        min_percent: Type.Integer({ description: 'The covered days of each 100 days.' }),
        min_record_days: Type.Integer({ description: 'The different days with a record.' }),
        max_gap_days: Type.Integer({
          description: 'The longest run of days without a record that is covered.',
        }),
      }),
    ),
    best: oneOf(['satisfied', 'partial'], {
      description: 'The best status. `partial` if the control also asks for what the service cannot see.',
    }),
  }),
);

const FrameworkControl = named(
  'FrameworkControl',
  strictObject({
    id: Type.String({ description: 'The identifier of the control in the framework.' }),
    title: Type.String({ description: 'What the control asks for, in our words.' }),
    statement: Type.String({
      description: 'Why the evidence says something about it, with counts in braces.',
    }),
    not_shown: Type.String({ description: 'What the evidence does not say.' }),
    to_add: nullable(Type.String({ description: 'What the organization must add.' })),
    assessment: nullable(ControlMapping),
    datacenter: nullable(ControlMapping),
  }),
);

const Framework = named(
  'ComplianceFramework',
  strictObject({
    framework: oneOf(FRAMEWORK_IDS, { description: 'The value of the query parameter `framework`.' }),
    name: Type.String({ description: 'The usual name.' }),
    publisher: Type.String({ description: 'Who publishes the framework.' }),
    framework_edition: Type.String({ description: 'The edition whose identifiers the controls have.' }),
    notes: Type.Array(Type.String(), {
      description: 'What a reader must know, such as the dates of a law.',
    }),
    kinds: Type.Array(oneOf(PACKAGE_KINDS), {
      description:
        'Which packages exist: `assessment` of an agent, `audit` of its compliance reports, `datacenter` of a cluster.',
    }),
    min_days: Type.Integer({ description: 'The least UTC days of a period for `satisfied`.' }),
    controls: Type.Array(FrameworkControl, {
      description:
        'Controls with their mapping by kind of package; null: `not_assessed` in an assessment, not in packages of clusters.',
    }),
  }),
);

const ReferenceSets = Type.Array(
  named(
    'ReferenceSetDefinition',
    strictObject({
      name: Type.String(),
      description: Type.String({ description: 'What is in the set.' }),
      logs: Type.Array(oneOf(LOG_NAMES), { description: 'The logs that its entries are in.' }),
    }),
  ),
);

const Counts = Type.Record(Type.String(), Type.String(), {
  description: 'The counts of a package by their name, with what they count.',
});

export const CatalogueResponse = named(
  'FrameworkCatalogue',
  strictObject({
    frameworks: Type.Array(Framework),
    reference_sets: strictObject({
      assessment: ReferenceSets,
      audit: ReferenceSets,
      datacenter: ReferenceSets,
    }),
    counts: strictObject({ assessment: Counts, datacenter: Counts }),
  }),
);

export type CatalogueResponse = Static<typeof CatalogueResponse>;
