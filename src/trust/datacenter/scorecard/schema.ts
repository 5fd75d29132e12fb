import { type TSchema, Type } from '@sinclair/typebox';
import { METER_ROLES } from '../../../../db/trust/datacenter-enums.ts';
import {
  dateTime,
  described,
  hexString,
  named,
  nullable,
  oneOf,
  strictObject,
  written,
} from '../../../platform/http/schema.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const number = (description: string) => Type.Number({ description });
/** A value, null without telemetry for it. */
const value = (description: string) => nullable(number(description));

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

const isInterim = Type.Boolean({ description: 'False only for an annual value.' });
const unit = Type.String({ description: 'The unit (UCUM). `1` for a ratio.' });
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const standard = Type.String({ description: 'The standard that defines it.' });

/** A ratio over the complete slots of the period. */
const ratioMembers = {
  value: value('The ratio.'),
  unit,
  interim: isInterim,
  coverage: share('Complete slots ÷ slots of the period.'),
  slots: count('The complete slots.'),
  standard,
};
const byCategory = {
  ...ratioMembers,
  category: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 3,
      description: 'The lowest `pue_category` as sent. null if an item with IT energy has none.',
    }),
  ),
};
/** A metric over items. */
const itemMembers = {
  value: value('The value.'),
  unit,
  interim: isInterim,
  coverage: share('The share of the time of all instances.'),
  count: count('The items of telemetry that it counts.'),
};
const noStandard = Type.Null({ description: 'No standard defines it.' });

const RatioMetric = named('RatioMetric', strictObject(ratioMembers));
const CategoryMetric = named('CategoryMetric', strictObject(byCategory));
const PueMetric = named(
  'PueMetric',
  strictObject({
    ...byCategory,
    exactly_one: Type.Boolean({ description: 'Whether it is exactly 1, which no facility has.' }),
    first_sent: value('The PUE of the values first sent, over the same slots.'),
    coarse_slots: count('Complete slots of windows longer than an hour.'),
    impossible_slots: count('Slots whose facility has less energy than its IT equipment. They do not count.'),
  }),
);
const PowerMetric = named(
  'PowerMetric',
  strictObject({
    ...itemMembers,
    standard: noStandard,
    max: value('The highest mean power of an item, watts.'),
    share_of_nameplate: value('The measured energy as a share of the nameplate power over the same time.'),
  }),
);
const ThermalMetric = named(
  'ThermalMetric',
  strictObject({
    ...itemMembers,
    standard: noStandard,
    inlet_min: value('The lowest inlet temperature.'),
    inlet_mean: value('The mean inlet temperature, weighted by time.'),
    inlet_max: value('The highest inlet temperature.'),
    throttled_count: count('Items that observed thermal throttling.'),
    setpoint_applied_count: count('Items that say that the setpoint of a policy was applied.'),
    setpoint_count: count('Items that say whether it was.'),
  }),
);
const AvoidedMetric = named(
  'AvoidedMetric',
  strictObject({ ...itemMembers, standard, energy_saved_kwh: value('Saved energy, kWh.') }),
);
const ClusterEnergy = named(
  'ClusterEnergy',
  strictObject(
    {
      it_kwh: value('Energy of the IT equipment, kWh.'),
      facility_kwh: value('Energy of the facility, kWh.'),
      renewable_kwh: value('Its renewable part, kWh.'),
      reused_kwh: value('Energy that was reused outside the facility, kWh.'),
      water_l: value('Water, litres.'),
      emissions_kg: value('Emissions of the energy of the facility, kg of CO2e.'),
    },
    { description: 'Sums over the period, complete or not. A window is spread by time.' },
  ),
);
const ClusterMeters = named(
  'ClusterMeters',
  strictObject(
    {
      count: count('In service at the end of the period.'),
      it: count('With energy of IT equipment.'),
      facility: count('With energy of the facility.'),
      retired: count('Retired so far.'),
      unreplaced: count('Retired ones of IT equipment or the facility whose place none took.'),
      attested: count('Attested by another operator; all others are self-attested.'),
      first_enrolled_at: nullable(dateTime('When the first one was enrolled.')),
      last_enrolled_at: nullable(dateTime('When the last one was.')),
    },
    { description: 'Instances whose energy counts. Nothing shows that they are all that the cluster has.' },
  ),
);

const metrics = {
  evidence_count: count('All items of the class in the period.'),
  corrected_count: count('Those of them that were corrected. They count in no metric.'),
  instances: count('The instances that sent them.'),
  late_share: nullable(
    share(
      'Slots with a value that arrived more than 48 hours after its window ÷ covered slots. null without any.',
    ),
  ),
  corrected_share: nullable(share('Slots with a value of a correction ÷ covered slots. null without any.')),
  longest_window_s: nullable(
    Type.Integer({
      description: 'The longest window of IT or facility energy, corrected ones too, in seconds.',
    }),
  ),
  window: nullable(Window),
  meters: ClusterMeters,
  pue: described(PueMetric, 'Power usage effectiveness: energy of the facility ÷ that of its IT equipment.'),
  cue: described(CategoryMetric, 'Carbon usage effectiveness: kg of CO2e for each kWh of the IT equipment.'),
  wue: described(CategoryMetric, 'Water usage effectiveness: litres for each kWh of the IT equipment.'),
  ref: described(RatioMetric, 'Renewable energy factor: the renewable share of the energy of the facility.'),
  erf: described(RatioMetric, 'Energy reuse factor: the share of the energy that was reused.'),
  power: described(PowerMetric, 'Mean power of an instance, watts.'),
  thermal: described(ThermalMetric, 'The highest temperature of a junction, degrees Celsius.'),
  avoided: described(
    AvoidedMetric,
    'Avoided emissions, kg of CO2e. They stand next to the inventory and are never subtracted from it.',
  ),
  energy: ClusterEnergy,
};

/** The metrics of a class, without the line of days: what a credential says. */
export const ClassMetrics = named('ClusterMetrics', strictObject(metrics));

const ClassScorecard = named(
  'ClusterScorecardClass',
  strictObject({
    ...metrics,
    instruments: Type.Array(
      strictObject({
        instance_id: Type.String({ description: 'The instance.' }),
        meter_role: oneOf(METER_ROLES, { description: 'Its first role.' }),
        subject_commitment: nullable(Type.String({ description: 'The agent that signed its first item.' })),
        enrolled_at: nullable(dateTime('When its first item with energy arrived.')),
        attested_by: Type.String({ description: 'The commitment of the attester, or `self_attested`.' }),
        attester_operator_id: nullable(Type.String({ description: 'The account of the attester, masked.' })),
        retired_at: nullable(dateTime('When it was retired.')),
      }),
      { description: 'The first 50 meters.' },
    ),
    daily_pue: Type.Array(
      strictObject({
        day: Type.String({ description: 'The UTC day.', examples: ['2026-05-01'] }),
        pue: value('The PUE of the day.'),
        slots: count('The complete slots.'),
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
  { description: 'The period: whole UTC days.' },
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
      operator_id: Type.String({
        description:
          'The operator, masked except for its first and last four characters. It chose the id of the cluster.',
      }),
      period,
      ...classMembers(ClassScorecard),
      limits: Type.Array(Type.String(), { description: 'What the scorecard cannot show.' }),
      signature: hexString(64, 'Ed25519 signature over the digest of all other members except kid.'),
      kid: Type.String({ description: 'The id of the signing key (purpose `credentials`).' }),
    }),
  ),
);
