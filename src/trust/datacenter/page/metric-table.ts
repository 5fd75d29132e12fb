import { TELEMETRY_CLASSES, type TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import { type Html, html } from '../../../platform/page/html.ts';
import { counted, grouped, shownPeriod } from '../../compliance/packages/page/values.ts';

/** From `from` (inclusive) to `to` (exclusive); RFC 3339. */
export interface Period {
  from: string;
  to: string;
}

/** A metric of one class of telemetry. */
export interface Metric {
  value: number | null;
  unit: string;
  standard: string | null;
  interim: boolean;
  window: Period;
  /** A share from 0 to 1. */
  coverage: number;
  count: number;
}

/** The metrics of one class that the page shows. */
export interface ShownMetrics {
  evidence_count: number;
  instances: number;
  window: Period;
  pue: Metric;
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
  { name: 'PUE', about: 'Facility energy ÷ IT energy', metric: ({ pue }) => pue },
  { name: 'CUE', about: 'Emissions ÷ IT energy', metric: ({ cue }) => cue },
  { name: 'WUE', about: 'Water ÷ IT energy', metric: ({ wue }) => wue },
  { name: 'REF', about: 'Renewable energy ÷ facility energy', metric: ({ ref }) => ref },
  { name: 'ERF', about: 'Reused energy ÷ facility energy', metric: ({ erf }) => erf },
  {
    name: 'Mean IT power',
    about: 'Weighted by time',
    metric: ({ power }) => power,
    notes: ({ power }) => [
      power.max === null ? null : `highest ${decimal(power.max)} W`,
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
      saved === null ? [] : [`${decimal(saved)} kWh saved`],
  },
];

const NOTHING = html`<span class="soft">–</span>`;

/** Returns the metrics of all classes as a table, with the classes side by side. */
export function metricTable(classes: MetricsByClass): Html {
  const heads = TELEMETRY_CLASSES.map((one) => html`<th scope="col">${CLASS_WORDS[one]}</th>`);
  const telemetry = TELEMETRY_CLASSES.map(
    (one) => html`<td data-label="${CLASS_WORDS[one]}">${telemetryOf(classes[one])}</td>`,
  );
  const known = TELEMETRY_CLASSES.flatMap((one) => classes[one] ?? []);
  const rows = ROWS.map((row) => {
    const standard = known.map((metrics) => row.metric(metrics).standard).find((name) => name !== null);
    const cells = TELEMETRY_CLASSES.map((one) => {
      const metrics = classes[one];
      return html`<td data-label="${CLASS_WORDS[one]}">${metrics === null ? NOTHING : cell(row, metrics)}</td>`;
    });
    return html`<tr><th scope="row">${row.name}<p class="soft">${row.about}${standard === undefined ? null : html`<br>${standard}`}</p></th>${cells}</tr>\n`;
  });
  return html`<table class="stacked metrics">
<thead><tr><th scope="col">Metric</th>${heads}</tr></thead>
<tbody>
<tr><th scope="row">Telemetry<p class="soft">Received for the period</p></th>${telemetry}</tr>
${rows}</tbody>
</table>`;
}

function telemetryOf(metrics: ShownMetrics | null): Html {
  if (metrics === null) return html`<span class="soft">None</span>`;
  const { evidence_count, instances, window } = metrics;
  return html`${counted(evidence_count, 'item')}
<div class="counts"><p>${counted(instances, 'instance')}</p><p>${shownPeriod(window)}</p></div>`;
}

function cell({ metric, notes }: Row, metrics: ShownMetrics): Html {
  const shownMetric = metric(metrics);
  const { value, standard, interim, coverage, count } = shownMetric;
  if (value === null) return NOTHING;
  const about = `${counted(count, 'item')}, coverage ${percentage(coverage)}${interim && standard !== null ? ', interim' : ''}`;
  const shown = [about, ...(notes?.(metrics) ?? [])].filter((note) => note !== null);
  return html`${valueWithUnit(shownMetric)}
<div class="counts">${shown.map((note) => html`<p>${note}</p>`)}</div>`;
}

/** Returns the value of a metric with its unit. */
export function valueWithUnit({ value, unit }: Pick<Metric, 'value' | 'unit'>): Html {
  return html`<strong class="value">${decimal(value)}</strong> ${UNIT_SIGNS[unit] ?? unit}`;
}

/** The signs of units whose code is not their sign. */
const UNIT_SIGNS: Readonly<Record<string, string>> = { '1': '', Cel: '°C' };

/** Formats a value; null as a dash. */
export function decimal(value: number | null): string {
  return value === null ? '–' : grouped(value);
}

/** Formats a share from 0 to 1. */
export function percentage(part: number): string {
  return `${decimal(part * 100)}%`;
}
