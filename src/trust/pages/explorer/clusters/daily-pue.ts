import { TELEMETRY_CLASSES, type TelemetryClass } from '../../../../../db/trust/datacenter-enums.ts';
import { type Html, html } from '../../../../platform/page/html.ts';
import { figure } from '../../../../platform/page/plots/figure.ts';
import { counted } from '../../../compliance/packages/page/values.ts';
import { dailyPlot, frameOf } from '../../../datacenter/page/daily-plot.ts';
import { CLASS_WORDS, type MetricsByClass } from '../../../datacenter/page/metric-table.ts';
import { decimal } from '../../../datacenter/page/pue-words.ts';

/** The most days that the page shows of each class. The scorecard has all of them. */
const MOST_DAYS = 31;
/** The least possible PUE: the facility contains the IT equipment. */
const LEAST_PUE = 1;

/** Returns the newest days of the PUE as a plot for each class that has one. All have the same axes. */
export function dailyPue(classes: MetricsByClass): Html {
  const series = TELEMETRY_CLASSES.flatMap((name) => {
    const days = (classes[name]?.daily_pue ?? []).slice(-MOST_DAYS);
    return days.length === 0 ? [] : [{ name, days }];
  });
  const frame = frameOf(
    series.map(({ days }) => days.map(({ day, pue }) => ({ day, value: pue }))),
    LEAST_PUE,
  );
  if (frame === null) {
    return html`<section class="card"><h2>Daily PUE</h2><p class="empty">No telemetry has the energy of both the facility and its IT equipment.</p></section>\n`;
  }
  const plots = series.map(({ name, days }) => {
    const mean = classes[name]?.pue.value ?? null;
    const note = `${counted(days.length, 'day')} with a value. The dashed line is the PUE of the whole period, ${decimal(mean)}.`;
    const values = days.map(({ day, pue }) => ({ day, value: pue }));
    return figure({
      caption: captionOf(name),
      note,
      plot: dailyPlot(values, frame, mean, `${captionOf(name)}. ${note}`),
      columns: ['Day (UTC)', 'PUE'],
      rows: days.map(({ day, pue }) => [day, decimal(pue)]),
    });
  });
  return html`<section class="card"><h2>Daily PUE</h2>
<p class="soft">The energy of the facility divided by that of its IT equipment. At most the newest ${MOST_DAYS} days with a value are shown; the scorecard
has all. A gap in a line is a time without values.</p>
${plots}</section>
`;
}

function captionOf(name: TelemetryClass): string {
  return `Daily PUE, ${CLASS_WORDS[name].toLowerCase()}`;
}
