import { type TSchema, Type } from '@sinclair/typebox';
import {
  dateTime,
  hexString,
  named,
  nullable,
  strictObject,
  written,
} from '../../../platform/http/schema.ts';
import { STANDARDS } from './metrics.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const number = (description: string) => Type.Number({ description });
const value = (description: string) =>
  nullable(number(`${description} null without the telemetry for this.`));

/** The query parameters of a period of whole UTC days. */
const periodParameters = {
  from: Type.Optional(
    dateTime(
      'The start of the period; the UTC day that contains it counts. Default: 365 days before the end of `to`. At most 366 days.',
    ),
  ),
  to: Type.Optional(
    dateTime(
      'The end of the period, exclusive; a UTC day that it touches counts. Default: the end of today.',
    ),
  ),
};

export const ScorecardQuery = strictObject(periodParameters);

const Window = named(
  'TelemetryWindow',
  strictObject(
    {
      from: dateTime('The start of the first window of the class.'),
      to: dateTime('The end of its last window.'),
    },
    { description: 'From the first to the last telemetry of the class in the period.' },
  ),
);

const common = {
  unit: Type.String({ description: 'The unit (UCUM). `1` for a ratio.' }),
  interim: Type.Boolean({ description: 'Whether the window is shorter than 365 days.' }),
  window: Window,
  coverage: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'The share of the hours of all instances in the window that this metric covers.',
  }),
  count: count('The items of telemetry that this metric counts.'),
};

const metric = (description: string, standard: string | null) =>
  ({
    value: value(description),
    ...common,
    standard:
      standard === null
        ? nullable(Type.String({ description: 'null: no standard defines it.' }))
        : Type.String({ description: 'The standard that defines it.', examples: [standard] }),
  }) as const;

const metrics = {
  evidence_count: count('All items of the class in the period.'),
  instances: count('The instances that sent them.'),
  window: Window,
  pue: strictObject(
    metric(
      'Power usage effectiveness: energy of the facility for each kWh of its IT equipment.',
      STANDARDS.pue,
    ),
  ),
  cue: strictObject(
    metric('Carbon usage effectiveness: kg of CO2e for each kWh of the IT equipment.', STANDARDS.cue),
  ),
  wue: strictObject(
    metric('Water usage effectiveness: litres for each kWh of the IT equipment.', STANDARDS.wue),
  ),
  ref: strictObject(
    metric('Renewable energy factor: the renewable share of the energy of the facility.', STANDARDS.ref),
  ),
  erf: strictObject(
    metric('Energy reuse factor: the share of the energy of the facility that was reused.', STANDARDS.erf),
  ),
  power: strictObject({
    ...metric('Mean power of an instance, watts.', null),
    max: value('The highest mean power of an item, watts.'),
    share_of_nameplate: value('The measured energy as a share of the nameplate power over the same time.'),
  }),
  thermal: strictObject({
    ...metric('The highest temperature of a junction, degrees Celsius.', null),
    inlet_min: value('The lowest inlet temperature.'),
    inlet_mean: value('The mean inlet temperature, weighted by time.'),
    inlet_max: value('The highest inlet temperature.'),
    throttled_count: count('Items that observed thermal throttling.'),
    setpoint_applied_count: count('Items that say that the setpoint of a policy was applied.'),
    setpoint_count: count('Items that say whether it was.'),
  }),
  avoided: strictObject({
    ...metric(
      'Avoided emissions, kg of CO2e. They stand next to the inventory and are never subtracted from it.',
      STANDARDS.avoided,
    ),
    energy_saved_kwh: value('Saved energy, kWh.'),
  }),
  energy: strictObject(
    {
      it_kwh: value('Energy of the IT equipment, kWh.'),
      facility_kwh: value('Energy of the facility, kWh.'),
      renewable_kwh: value('Its renewable part, kWh.'),
      reused_kwh: value('Energy that was reused outside the facility, kWh.'),
      water_l: value('Water, litres.'),
      emissions_kg: value('Emissions of the energy of the facility, kg of CO2e.'),
    },
    { description: 'Sums over all items that count, including those without the other value of a ratio.' },
  ),
};

/** The metrics of a class, without the line of days: what a credential says. */
export const ClassMetrics = named('ClusterMetrics', strictObject(metrics));

const ClassScorecard = named(
  'ClusterScorecardClass',
  strictObject({
    ...metrics,
    daily_pue: Type.Array(
      strictObject({
        day: Type.String({ description: 'The UTC day.', examples: ['2026-05-01'] }),
        pue: value('The PUE of the day.'),
        count: count('The items that it counts.'),
      }),
      { description: 'The PUE of each day that has one, oldest first. Other days are missing.' },
    ),
  }),
);

const CLASSES = {
  hardware_measured: 'Signed by enrolled instruments.',
  declared: 'Declared by the operator as measured, without a signature of an instrument.',
  simulated: 'Synthetic telemetry.',
} as const;

/** The members of all classes. */
export function classMembers<Schema extends TSchema>(schema: Schema) {
  const of = (name: keyof typeof CLASSES) =>
    nullable({ ...schema, description: `${CLASSES[name]} null without any in the period.` });
  return {
    hardware_measured: of('hardware_measured'),
    declared: of('declared'),
    simulated: of('simulated'),
  };
}

export const clusterMembers = {
  cluster_id: Type.String({ description: 'The id of the cluster.' }),
  id: Type.String({ description: 'The id as a URN: `urn:countersign:cluster:<cluster_id>`.' }),
};

export const period = strictObject(
  { from: dateTime('The start of the first UTC day.'), to: dateTime('The end of the last one, exclusive.') },
  { description: 'The period: whole UTC days. An item belongs to the day in which its window ends.' },
);

export const ScorecardText = written(
  named(
    'ClusterScorecard',
    strictObject({
      type: Type.Literal('datacenter-scorecard', { description: 'What the signature is for.' }),
      v: Type.Literal(1, { description: 'The version of the format.' }),
      issuer: Type.String({ description: 'The DID of this service.' }),
      generated_at: dateTime('The time at which the metrics were read.'),
      ...clusterMembers,
      period,
      ...classMembers(ClassScorecard),
      signature: hexString(64, 'Ed25519 signature over the digest of all other members except kid.'),
      kid: Type.String({ description: 'The id of the signing key (purpose `credentials`).' }),
    }),
  ),
);
