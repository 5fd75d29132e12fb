import { TELEMETRY_CLASSES, type TelemetryClass } from '../../../../../db/trust/datacenter-enums.ts';
import type { Cursors } from '../../../../platform/http/pagination/cursor.ts';
import { type Html, html } from '../../../../platform/page/html.ts';
import { tag } from '../../../../platform/page/parts.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import type { Store } from '../../../../platform/store/store.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import { CLUSTER_FRAMEWORKS, FRAMEWORK_NAMES } from '../../../../proof/package/frameworks/framework-ids.ts';
import {
  counted,
  hashLink,
  moment,
  momentOfColumn,
  shownPeriod,
  verifyPath,
} from '../../../compliance/packages/page/values.ts';
import { listTelemetryReceipts } from '../../../datacenter/list-receipts.ts';
import { CLASS_WORDS, type MetricsByClass } from '../../../datacenter/page/metric-table.ts';
import { decimal, percentage } from '../../../datacenter/page/pue-words.ts';
import { unsignedScorecard } from '../../../datacenter/scorecard/get-scorecard.ts';
import type { TrustLog } from '../../../log/lifecycle/open.ts';
import { ago, type Tile, tiles } from '../../parts/values.ts';
import type { Shown } from '../shown.ts';
import { dailyPue } from './daily-pue.ts';
import { metricsTable } from './metrics.ts';

/** The parts of the service that the page of a cluster uses. */
export interface ClusterContext {
  store: Store;
  clock: Clock;
  cursors: Cursors;
  log: TrustLog;
}

/** How many of the newest items of telemetry the page shows. */
const NEWEST = '6';

type Telemetry = Awaited<ReturnType<typeof listTelemetryReceipts>>['receipts'];

/**
 * Returns the page of a cluster: what its scorecard says of today and the 364 days before, its newest
 * telemetry, and the documents about it.
 * @throws ApiError not_found for a cluster without telemetry
 */
export async function clusterPage(
  { trust }: { trust: ClusterContext },
  { params: { id } }: { params: { id: string } },
): Promise<Shown> {
  const scorecard = await unsignedScorecard(trust, id);
  const { receipts } = await listTelemetryReceipts(trust, { cluster_id: id, limit: NEWEST });
  return {
    title: `Cluster ${id}`,
    searched: id,
    body: html`<p class="kicker">Cluster of a data center</p>
<h1 class="name">${id}</h1>
<p class="lead">An operator sends telemetry under this name, and this service computes metrics from it. The name is of the operator's choice:
it does not prove which facility this is.</p>
${tiles([...TELEMETRY_CLASSES.map((name) => pueTile(scorecard, name)), newestTile(receipts, trust.clock.now())])}<section class="card"><h2>Metrics</h2>
<p class="soft">${shownPeriod(scorecard.period)}. No metric mixes the classes of telemetry.</p>
${metricsTable(scorecard)}
<p class="soft">Hardware-measured: an enrolled instrument signed the telemetry. Declared: the operator says that an instrument measured it.
Simulated: it is synthetic. Coverage is the share of the time of all instances for which there are values. Interim: no
annual figure; the scorecard says why. Avoided emissions are no part of an inventory of emissions.</p></section>
${dailyPue(scorecard)}${telemetrySection(receipts)}${documentSection(id)}`,
  };
}

function pueTile(classes: MetricsByClass, name: TelemetryClass): Tile {
  const metrics = classes[name];
  const title = `PUE, ${CLASS_WORDS[name].toLowerCase()}`;
  if (metrics === null)
    return { name: title, value: 'none', note: 'no telemetry of this class', isWord: true };
  const items = counted(metrics.evidence_count, 'item');
  const { value, coverage, interim } = metrics.pue;
  if (value === null)
    return { name: title, value: 'none', note: `no energy values in ${items}`, isWord: true };
  const note = `${items}, coverage ${percentage(coverage)}${interim ? ', interim' : ''}`;
  return { name: title, value: decimal(value), note };
}

function newestTile([newest]: Telemetry, now: number): Tile {
  const name = 'Newest telemetry';
  if (newest === undefined) return { name, value: 'none', isWord: true };
  return { name, value: ago(now, newest.issued_at), note: moment(newest.issued_at), isWord: true };
}

function telemetrySection(receipts: Telemetry): Html {
  const rows = receipts.map(
    ({ receipt_id, revocation_status, class: of, event_type, instance_id, window_end }) =>
      html`<tr><th scope="row">${hashLink(`/receipts/${receipt_id}`, receipt_id)}${revocation_status === 'active' ? null : html` ${tag('revoked', 'bad')}`}</th>
<td data-label="Class">${CLASS_WORDS[of]}</td><td data-label="Type">${nameOf(event_type)}</td><td class="name" data-label="Instance">${instance_id}</td><td class="nowrap" data-label="Window ended">${momentOfColumn(window_end)}</td></tr>\n`,
  );
  return html`<section class="card"><h2>Newest telemetry</h2>
<p class="soft">Each item has a receipt in the public log. The measurements themselves are not shown; their digest is.</p>
<table class="list stacked tight"><caption class="hidden">The newest items of telemetry</caption><thead><tr><th scope="col">Receipt</th><th scope="col">Class</th><th scope="col">Type</th><th scope="col">Instance</th><th scope="col">Window ended (UTC)</th></tr></thead>
<tbody>
${rows}</tbody></table></section>
`;
}

function documentSection(id: string): Html {
  const path = encodeURIComponent(id);
  const cluster = `/api/v1/datacenter/clusters/${path}`;
  const packages = CLUSTER_FRAMEWORKS.map(
    (framework) =>
      html` <a href="/api/v1/datacenter/compliance/packages/${path}?framework=${framework}">${FRAMEWORK_NAMES[framework]}</a>`,
  );
  return html`<section class="card"><h2>Signed documents</h2>
<p>This page is not signed. The service signs these documents, and whoever has one can verify it offline.</p>
<ul class="plain">
<li><a href="${cluster}/scorecard">Scorecard</a> <small class="soft">The metrics of each class, to read, print and save</small></li>
<li><a href="${cluster}/credential">Credential</a> <small class="soft">The metrics as a W3C credential, in JSON</small></li>
<li><span class="several">${packages}</span> <small class="soft">Compliance packages</small></li></ul>
<p><a class="button primary" href="${verifyPath(`${cluster}/scorecard`)}">Verify the scorecard in your browser</a></p></section>
`;
}
