import { TELEMETRY_CLASSES } from '../../../../../db/trust/datacenter-enums.ts';
import { type Html, html } from '../../../../platform/page/html.ts';
import { counted } from '../../../compliance/packages/page/values.ts';
import {
  CLASS_WORDS,
  type MetricsByClass,
  ROWS,
  type ShownMetrics,
  valueWithUnit,
} from '../../../datacenter/page/metric-table.ts';
import { percentage } from '../../../datacenter/page/pue-words.ts';

/**
 * Returns the metrics of the classes that have telemetry: their values and coverage. The scorecard says more,
 * and has all decimals.
 */
export function metricsTable(classes: MetricsByClass): Html {
  const known = TELEMETRY_CLASSES.flatMap((name) => {
    const metrics = classes[name];
    return metrics === null ? [] : [{ words: CLASS_WORDS[name], metrics }];
  });
  if (known.length === 0) return html`<p class="empty">The cluster has no telemetry of this period.</p>`;
  const rowOf = (name: string, about: string, cell: (metrics: ShownMetrics) => Html | null): Html => {
    const cells = known.map(({ words, metrics }) => {
      const content = cell(metrics);
      return content === null
        ? html`<td class="none">–</td>`
        : html`<td data-label="${words}">${content}</td>`;
    });
    return html`<tr><th scope="row">${name} <small class="soft">${about}</small></th>${cells}</tr>\n`;
  };
  const hasValue = ({ metric }: (typeof ROWS)[number]): boolean =>
    known.some(({ metrics }) => metric(metrics).value !== null);
  const lacking = ROWS.filter((row) => !hasValue(row)).map(({ name }) => name);
  return html`<table class="list stacked values"><caption class="hidden">The metrics of each class of telemetry</caption><thead><tr><th scope="col">Metric</th>${known.map(({ words }) => html`<th scope="col">${words}</th>`)}</tr></thead>
<tbody>
${rowOf('Telemetry', 'Received for the period', telemetryOf)}${ROWS.filter(hasValue).map(
  ({ name, about, metric }) =>
    rowOf(name, about, (metrics) => {
      const { value, unit, coverage } = metric(metrics);
      if (value === null) return null;
      return html`${valueWithUnit({ value, unit })} <small class="soft">coverage ${percentage(coverage)}</small>`;
    }),
)}</tbody></table>
${lacking.length === 0 ? null : html`<p class="soft">Without values: ${lacking.join(', ')}.</p>`}`;
}

function telemetryOf({ evidence_count, instances, window, pue }: ShownMetrics): Html {
  return html`<strong>${counted(evidence_count, 'item')}</strong> <small class="soft">${counted(instances, 'instance')}, ${window === null ? null : `${window.from.slice(0, 10)} to ${window.to.slice(0, 10)}`}${pue.interim ? ', interim' : null}</small>`;
}
