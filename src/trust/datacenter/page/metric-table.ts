import { TELEMETRY_CLASSES, type TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import { type Html, html } from '../../../platform/page/html.ts';
import { daysOf, type Period } from '../../../proof/package/coverage.ts';
import { counted, grouped, shownPeriod } from '../../compliance/packages/page/values.ts';
import {
  categoryOf,
  decimal,
  kindOf,
  type Metric,
  percentage,
  percentageUp,
  pueNotes,
  type ShownMeters,
  type ShownPue,
} from './pue-words.ts';

/** An instrument of a scorecard. */
export interface ShownInstrument {
  instance_id: string;
  meter_role: string;
  subject_commitment: string | null;
  enrolled_at: string | null;
  attested_by: string;
  /** Masked; null without an attester. */
  attester_operator_id: string | null;
  retired_at: string | null;
}

type EnergySum = 'it_kwh' | 'facility_kwh' | 'renewable_kwh' | 'reused_kwh' | 'emissions_kg' | 'water_l';

/** The metrics of one class that the page shows. */
export interface ShownMetrics {
  evidence_count: number;
  corrected_count: number;
  instances: number;
  /** From 0 to 1; null without energy. */
  late_share: number | null;
  corrected_share: number | null;
  longest_window_s: number | null;
  window: Period | null;
  meters: ShownMeters;
  pue: ShownPue;
  cue: Metric;
  wue: Metric;
  ref: Metric;
  erf: Metric;
  power: Metric & { max: number | null; share_of_nameplate: number | null };
  thermal: Metric & {
    inlet_min: number | null;
    inlet_mean: number | null;
    inlet_max: number | null;
    throttled_count: number;
  };
  avoided: Metric & { energy_saved_kwh: number | null };
  energy: Readonly<Record<EnergySum, number | null>>;
  /** Only in a scorecard. */
  instruments?: readonly ShownInstrument[];
  daily_pue: readonly { day: string; pue: number | null }[];
}

/** The metrics of all classes. A class without telemetry is null. */
export type MetricsByClass = Readonly<Record<TelemetryClass, ShownMetrics | null>>;

/** The words for the classes of telemetry on pages. */
export const CLASS_WORDS: Readonly<Record<TelemetryClass, string>> = {
  hardware_measured: 'Hardware-measured',
  declared: 'Declared',
  simulated: 'Simulated',
};

/** One row of the table: a metric and what is said below its value. */
interface Row {
  name: string;
  about: string;
  metric(metrics: ShownMetrics): Metric;
  notes?(metrics: ShownMetrics): readonly (string | null)[];
}

/** The metrics in the order of the table. */
export const ROWS: readonly Row[] = [
  {
    name: 'PUE',
    about: 'Facility energy ÷ IT energy',
    metric: ({ pue }) => pue,
    notes: pueNotes,
  },
  {
    name: 'CUE',
    about: 'Emissions ÷ IT energy',
    metric: ({ cue }) => cue,
    notes: ({ cue }) => [cue.value === 0 ? 'a carbon intensity of 0 was sent, which no grid has' : null],
  },
  { name: 'WUE', about: 'Water ÷ IT energy', metric: ({ wue }) => wue },
  { name: 'REF', about: 'Renewable energy ÷ facility energy', metric: ({ ref }) => ref },
  { name: 'ERF', about: 'Reused energy ÷ facility energy', metric: ({ erf }) => erf },
  {
    name: 'Mean IT power',
    about: 'Weighted by time',
    metric: ({ power }) => power,
    notes: ({ power }) => [
      power.max === null ? null : `highest ${inUnit(power.max, 'W')}`,
      power.share_of_nameplate === null ? null : `${percentage(power.share_of_nameplate)} of the nameplate`,
    ],
  },
  {
    name: 'Highest junction temperature',
    about: 'Of all instances',
    metric: ({ thermal }) => thermal,
    notes: ({ thermal }) => [
      thermal.inlet_mean === null
        ? null
        : `inlet ${decimal(thermal.inlet_min)} to ${decimal(thermal.inlet_max)}\u00a0°C, mean ${decimal(thermal.inlet_mean)}\u00a0°C`,
      thermal.throttled_count === 0 ? null : `${counted(thermal.throttled_count, 'item')} with throttling`,
    ],
  },
  {
    name: 'Avoided emissions',
    about: 'Apart from the inventory',
    metric: ({ avoided }) => avoided,
    notes: ({ avoided: { energy_saved_kwh: saved } }) =>
      saved === null ? [] : [`${inUnit(saved, 'kWh')} saved`],
  },
];

/** The sums of energy, water and emissions in the order of their table. */
const ENERGY: readonly { name: string; about?: string; sum: EnergySum; unit: string }[] = [
  { name: 'IT energy', sum: 'it_kwh', unit: 'kWh' },
  { name: 'Facility energy', sum: 'facility_kwh', unit: 'kWh' },
  { name: 'Renewable energy', sum: 'renewable_kwh', unit: 'kWh' },
  { name: 'Reused energy', sum: 'reused_kwh', unit: 'kWh' },
  {
    name: 'Emissions',
    about: 'CO₂e of the energy of the facility, by the carbon intensity as sent',
    sum: 'emissions_kg',
    unit: 'kg',
  },
  { name: 'Water', sum: 'water_l', unit: 'L' },
];

const NOTHING = html`<span class="soft">–</span>`;

/** Returns a table with the classes side by side. */
function classTable(first: string, rows: readonly ClassRow[], classes: MetricsByClass): Html {
  const heads = TELEMETRY_CLASSES.map((one) => html`<th scope="col">${CLASS_WORDS[one]}</th>`);
  const lines = rows.map(({ name, about, cell }) => {
    const cells = TELEMETRY_CLASSES.map((one) => {
      const metrics = classes[one];
      return html`<td data-label="${CLASS_WORDS[one]}">${metrics === null ? NOTHING : cell(metrics)}</td>`;
    });
    return html`<tr><th scope="row">${name}${about === null ? null : html`<p class="soft">${about}</p>`}</th>${cells}</tr>\n`;
  });
  return html`<table class="stacked metrics">
<thead><tr><th scope="col">${first}</th>${heads}</tr></thead>
<tbody>
${lines}</tbody>
</table>`;
}

/** A row of a table of classes. */
interface ClassRow {
  name: string;
  about: Html | string | null;
  cell(metrics: ShownMetrics): Html;
}

/**
 * Returns the metrics of all classes as a table, with the classes side by side.
 * @param period the period of the document: whole UTC days
 */
export function metricTable(classes: MetricsByClass, period: Period): Html {
  const { days } = daysOf(period);
  const known = TELEMETRY_CLASSES.flatMap((one) => classes[one] ?? []);
  const rows = ROWS.map((row) => {
    const standard = known.map((metrics) => row.metric(metrics).standard).find((name) => name !== null);
    const about = html`${row.about}${standard === undefined ? null : html`<br>${standard}`}`;
    return { name: row.name, about, cell: (metrics: ShownMetrics) => cell(row, metrics, days) };
  });
  const about = [
    { name: 'Telemetry', about: 'Received for the period', cell: telemetryOf },
    { name: 'Meters', about: 'In service at its end', cell: metersOf },
  ];
  return classTable('Metric', [...about, ...rows], classes);
}

/** Returns the absolute energy, emissions and water of all classes as a table. */
export function energyTable(classes: MetricsByClass): Html {
  const rows = ENERGY.map(({ name, about = null, sum, unit }) => ({
    name,
    about,
    cell: ({ energy }: ShownMetrics) =>
      energy[sum] === null ? NOTHING : html`<strong class="value">${inUnit(energy[sum], unit)}</strong>`,
  }));
  return classTable('Sum', rows, classes);
}

function telemetryOf(metrics: ShownMetrics): Html {
  const { evidence_count, corrected_count, corrected_share, instances, late_share, window } = metrics;
  const lines = [
    counted(instances, 'instance'),
    corrected_count === 0
      ? null
      : `${counted(corrected_count, 'item')} corrected: ${percentageUp(corrected_share ?? 0)} of the covered time`,
    late_share === null ? null : `${percentageUp(late_share)} of the covered time received late`,
    window === null ? null : shownPeriod(window),
  ].filter((line) => line !== null);
  return html`${counted(evidence_count, 'item')}
<div class="counts">${lines.map((line) => html`<p>${line}</p>`)}</div>`;
}

function metersOf({ meters }: ShownMetrics): Html {
  const { count, it, facility, retired, attested, first_enrolled_at: first, last_enrolled_at: last } = meters;
  if (first === null || last === null) return NOTHING;
  const lines = [
    `${grouped(it)} of IT equipment, ${grouped(facility)} of the facility`,
    first.slice(0, 10) === last.slice(0, 10)
      ? `first items received on ${first.slice(0, 10)}`
      : `first items received from ${first.slice(0, 10)} to ${last.slice(0, 10)}`,
    attested === 0 ? 'self-attested' : `${grouped(attested)} attested by another account`,
    retired === 0 ? null : `${grouped(retired)} more retired`,
  ].filter((line) => line !== null);
  return html`${counted(count, 'meter')} in service
<div class="counts">${lines.map((line) => html`<p>${line}</p>`)}</div>`;
}

function cell({ name, metric, notes }: Row, metrics: ShownMetrics, days: number): Html {
  const shownMetric = metric(metrics);
  const { value, standard, interim, coverage, count, slots, category } = shownMetric;
  const more = (notes?.(metrics) ?? []).filter((note) => note !== null);
  if (value === null)
    return more.length === 0
      ? NOTHING
      : html`–<div class="counts">${more.map((note) => html`<p>${note}</p>`)}</div>`;
  const basis = slots === undefined ? counted(count ?? 0, 'item') : counted(slots, 'complete slot');
  const about = `${basis}, coverage ${percentage(coverage)}`;
  const isCoarse = metrics.pue.coarse_slots > 0;
  const shown = [
    about,
    ...(standard === null ? [] : [kindOf(interim, slots, days)]),
    ...(category === undefined
      ? []
      : [
          name === 'PUE'
            ? categoryOf(category, isCoarse)
            : `IT energy by ${categoryOf(category, isCoarse, 'PUE category')}`,
        ]),
    ...more,
  ];
  return html`${valueWithUnit(shownMetric)}
<div class="counts">${shown.map((note) => html`<p>${note}</p>`)}</div>`;
}

/** Returns the value of a metric with its unit. */
export function valueWithUnit({ value, unit }: Pick<Metric, 'value' | 'unit'>): Html {
  const [shown, sign] = scaledUnit(value, unit);
  return html`<strong class="value">${shown}</strong> ${sign}`;
}

/** Returns a value with its unit as text. */
function inUnit(value: number | null, unit: string): string {
  return scaledUnit(value, unit).join('\u00a0');
}

/** The signs of units whose code is not their sign. */
const UNIT_SIGNS: Readonly<Record<string, string>> = { '1': '', Cel: '°C' };
/** The larger unit of a unit, for values of 10,000 or more. */
const LARGER: Readonly<Record<string, string>> = {
  W: 'kW',
  kW: 'MW',
  kWh: 'MWh',
  MWh: 'GWh',
  kg: 't',
  L: 'm³',
};

/** Returns a value in a unit in which it is legible, and the sign of the unit. */
function scaledUnit(value: number | null, unit: string): [value: string, sign: string] {
  const larger = LARGER[unit];
  if (value !== null && larger !== undefined && Math.abs(value) >= 10_000)
    return scaledUnit(value / 1000, larger);
  return [decimal(value), UNIT_SIGNS[unit] ?? unit];
}
