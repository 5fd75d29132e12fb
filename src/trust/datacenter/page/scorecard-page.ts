import { TELEMETRY_CLASSES } from '../../../../db/trust/datacenter-enums.ts';
import { type RenderedPage, renderPage } from '../../../platform/page/document.ts';
import { type Html, html } from '../../../platform/page/html.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { daysOf, type Period } from '../../../proof/package/coverage.ts';
import {
  counted,
  documentLink,
  explorerLink,
  factList,
  hash,
  moment,
} from '../../compliance/packages/page/values.ts';
import type { PageSite } from '../../http/serving.ts';
import { STANDARDS } from '../standards.ts';
import { type DailyValue, dailyPlot, frameOf } from './daily-plot.ts';
import { instrumentTables } from './instrument-table.ts';
import { CLASS_WORDS, energyTable, type MetricsByClass, metricTable } from './metric-table.ts';
import { decimal } from './pue-words.ts';

/** A signed scorecard, as far as the page shows it. */
export interface ShownScorecard extends MetricsByClass {
  cluster_id: string;
  id: string;
  /** Masked. */
  operator_id: string;
  period: Period;
  limits: readonly string[];
  generated_at: string;
  issuer: string;
  signature: string;
  kid: string;
}

/** The least possible PUE: the facility contains the IT equipment. */
const LEAST_PUE = 1;

/**
 * Returns a signed scorecard as a page for people, which contains the document as a download.
 *
 * @param text the document as the API returns it
 * @param scorecard the same document, parsed
 */
export function scorecardPage(text: string, scorecard: ShownScorecard, site: PageSite): RenderedPage {
  const { cluster_id, id, operator_id, period, generated_at, issuer, signature, kid } = scorecard;
  const title = 'Efficiency scorecard of a cluster';
  const body = html`<header>
<p class="kicker">${title}</p>
<h1>${cluster_id}</h1>
<p>Self-chosen identifier of the operator ${operator_id}; it proves no ownership.</p>
${factList([
  ['Cluster', explorerLink(site, '/clusters/', cluster_id)],
  ['Id of the cluster', hash(id)],
  ['Period', wholeDays(period)],
  ['Generated', moment(generated_at)],
  ['Issuer', hash(issuer)],
  ['Signing key', hash(kid)],
])}
</header>
<section>
<h2>Metrics</h2>
<p>Hardware-measured: an enrolled instrument signed the telemetry. Declared: the operator says that an instrument measured it. Simulated: it
is synthetic. No metric mixes these classes.</p>
${metricTable(scorecard, period)}
<p class="soft">Ratios are as defined in their standards, PUE in ISO/IEC 30134-2; conformity is not assessed. A ratio counts the slots of 15 minutes that all meters of the cluster cover. Coverage is their share of the period; of power,
temperatures and avoided emissions it is the share of the time of all instances. Interim: less than 95% of a year in windows of at most an hour, or more
than 5% received late (over 48 hours after the end of a window) or corrected, a meter that was retired without a successor, or no category. Category: where IT
energy is metered, as the operator says (1 UPS output, 2 PDU output, 3 input of the equipment). Avoided emissions are no part of an
inventory of emissions.</p>
</section>
<section class="together">
<h2>Energy, emissions and water</h2>
<p>Sums of all telemetry of the period, also of slots that are not complete.</p>
${energyTable(scorecard)}
</section>
<section>
<h2>Instruments</h2>
<p>A meter is enrolled by its first item with energy. “Hardware-measured” means: the key of an enrolled agent signed the item. It shows neither that
the instrument is calibrated nor where it is. “Attested by”: another agent signed the pair of key and meter; it says nothing of calibration, and the service does not know whether its account is independent. No record shows that these are all meters of the cluster.</p>
${instrumentTables(scorecard)}
</section>
<section>
<h2>Daily PUE</h2>
<p>PUE is the energy of the facility divided by the energy of its IT equipment: the ratio as defined in ${STANDARDS.pue}. A gap in a line is a day without a complete slot. The dashed line is the PUE of the period.</p>
${plots(scorecard)}
</section>
<section>
<h2>What this scorecard cannot show</h2>
<ul>
${scorecard.limits.map((limit) => html`<li>${limit}</li>\n`)}</ul>
</section>
<section class="together">
<h2>Signature</h2>
<p>The signature covers the JSON document and not this page. ${documentLink(text, `scorecard-${cluster_id}`)} <span class="screen"><a href="/verify">The verifier</a>
judges it in your browser, with a list of keys that you trust.</span> “Verification” in the documentation says how to verify it elsewhere.</p>
<p>Signature (Ed25519): ${hash(signature)}</p>
</section>`;
  return renderPage({
    title: `${title}: ${cluster_id}`,
    margins: {
      topLeft: title,
      topRight: cluster_id,
      bottomLeft: `generated ${generated_at}`,
    },
    body,
    notice: site.notice,
  });
}

/** Returns a period by its first and its last UTC day: its end is the start of the day after. */
function wholeDays(period: Period): string {
  const last = timestampOf(Date.parse(period.to) - 1);
  return `${period.from.slice(0, 10)} to ${last.slice(0, 10)} (${counted(daysOf(period).days, 'UTC day')})`;
}

/** Draws the PUE of each class in a plot of its own. All have the same axes. */
function plots(scorecard: ShownScorecard): Html {
  const series = TELEMETRY_CLASSES.map((one) => {
    const values: DailyValue[] = (scorecard[one]?.daily_pue ?? []).map(({ day, pue }) => ({
      day,
      value: pue,
    }));
    return { one, values, mean: scorecard[one]?.pue.value ?? null };
  });
  const frame = frameOf(
    series.map(({ values }) => values),
    LEAST_PUE,
  );
  if (frame === null)
    return html`<p class="empty">No day has a PUE: it needs a slot that all meters cover, with the energy of the facility and of its IT equipment, in windows of at most an hour.</p>`;
  return html`<div class="plots">
${series.map(({ one, values, mean }) => {
  const known = values.flatMap(({ value }) => value ?? []);
  if (known.length === 0)
    return html`<figure class="captioned"><figcaption><strong>${CLASS_WORDS[one]}</strong></figcaption><p class="empty">No values</p></figure>\n`;
  const range = `${decimal(Math.min(...known))} to ${decimal(Math.max(...known))}`;
  const about = `Days with a value: ${known.length}. Range: ${range}. PUE of the period: ${decimal(mean)}.`;
  const label = `Daily PUE, ${CLASS_WORDS[one].toLowerCase()}. ${about}`;
  return html`<figure class="captioned"><figcaption><strong>${CLASS_WORDS[one]}</strong> <span class="soft">${about}</span></figcaption>
${dailyPlot(values, frame, mean, label)}</figure>
`;
})}</div>`;
}
