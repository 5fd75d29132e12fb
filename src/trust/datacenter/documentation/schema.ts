import { Type } from '@sinclair/typebox';
import { TELEMETRY_CLASSES, TELEMETRY_EVENTS } from '../../../../db/trust/datacenter-enums.ts';
import { dateTime, named, nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import { CLUSTER_FRAMEWORKS } from '../../../proof/package/frameworks/framework-ids.ts';

const member = Type.String({ description: 'A member of the body of telemetry.' });

export const FacilityManifest = named(
  'FacilityManifest',
  strictObject(
    {
      v: Type.Literal(1, { description: 'The version of the format.' }),
      classes: Type.Array(
        strictObject({
          name: oneOf(TELEMETRY_CLASSES, { description: 'The class.' }),
          description: Type.String({ description: 'Which telemetry has it.' }),
        }),
        { description: 'The classes of telemetry. No metric mixes them.' },
      ),
      event_types: Type.Array(
        strictObject({
          name: oneOf(TELEMETRY_EVENTS, { description: 'The type.' }),
          needs_one_of: Type.Array(member, {
            description: 'Telemetry of this type has one of them at least.',
          }),
        }),
      ),
      quantities: Type.Array(
        strictObject({
          name: member,
          minimum: Type.Number({ description: 'The least value, in the unit of the name.' }),
          maximum: Type.Number({ description: 'The largest value. A larger one is an error of units.' }),
          resolution: Type.Number({ description: 'Values are rounded to a multiple.' }),
        }),
        { description: 'The numbers of telemetry.' },
      ),
      rules: Type.Array(strictObject({ member, rule: Type.String({ description: 'What must hold.' }) }), {
        description: 'Telemetry that breaks a rule is refused with 400.',
      }),
      windows: strictObject({
        longest_days: Type.Integer({ description: 'The longest window, in days.' }),
        earliest_start: dateTime('No window starts earlier.'),
        latest_end_seconds_ahead: Type.Integer({
          description: 'How far a window may end after the clock of the service, in seconds.',
        }),
      }),
      metrics: Type.Array(
        strictObject({
          name: Type.String({ description: 'The name in a scorecard.' }),
          unit: Type.String({ description: 'The unit (UCUM).' }),
          standard: nullable(Type.String({ description: 'The standard that defines it. null: none.' })),
          formula: Type.String({ description: 'Of the sums over all items that have these values.' }),
        }),
      ),
      frameworks: Type.Array(oneOf(CLUSTER_FRAMEWORKS, { description: 'A framework.' }), {
        description: 'The frameworks of compliance packages of clusters. The first is the default.',
      }),
      documents: Type.Array(
        strictObject({
          name: Type.String({ description: 'What it is.' }),
          path: Type.String({ description: 'Where it is, on this service.' }),
        }),
        { description: 'What the service publishes about a cluster.' },
      ),
    },
    { description: 'How telemetry of facilities is taken, which metrics it gives, and where they are.' },
  ),
);
