import type { Demonstration } from '../../../../platform/http/openapi/demonstration.ts';
import { type Html, html } from '../../../../platform/page/html.ts';
import { figure } from '../../../../platform/page/plots/figure.ts';
import { barPlot } from '../../../../platform/page/plots/time-plot.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import { timestampOf } from '../../../../platform/time/timestamp.ts';
import { LOG_NAMES } from '../../../../proof/log/log-names.ts';
import {
  counted,
  grouped,
  hashLink,
  moment,
  momentOfColumn,
} from '../../../compliance/packages/page/values.ts';
import { commonOrigin } from '../../../log/logs.ts';
import { receiptTag } from '../../parts/receipt-tag.ts';
import { ago, strangerText, tiles } from '../../parts/values.ts';
import { CONTENTS } from '../logs/contents.ts';
import type { Shown } from '../shown.ts';
import type { TimedCache } from '../timed-cache.ts';
import { beginnings } from './beginnings.ts';
import { type Hour, type StartContext, type StartFigures, startFigures } from './figures.ts';

/** The parts of the explorer that the start page uses. */
export interface StartParts {
  trust: StartContext;
  demonstration: Demonstration | null;
  startFigures: TimedCache<'start', StartFigures>;
}

/** Returns the start page: what the service is, its figures now, and how to begin. */
export async function startPage(parts: StartParts): Promise<Shown> {
  const { trust, demonstration } = parts;
  const figures = await parts.startFigures.get('start', () => startFigures(trust));
  const origin = commonOrigin(trust.log.open);
  return {
    title: origin,
    body: html`<p class="kicker">${origin}</p>
<h1>Receipts for what AI agents do</h1>
<p class="lead">This service signs a receipt for each act of an agent: what it was authorized to do, a digest of its input, and how it ended.
Final receipts are in a public log, so who has a receipt can verify it offline, and check that the log contains it.</p>
${figureTiles(figures, trust.clock.now())}<div class="halves">
<section class="card"><h2 class="hidden">Receipts an hour</h2>
${hourFigure(figures.hours)}</section>
<section class="card"><h2>Logs</h2>
${logList(figures)}</section>
</div>
${newestSection(figures)}${beginnings(trust.url ?? '', demonstration?.tokens.apiKey ?? null)}`,
  };
}

function figureTiles({ sizes, checkpointAt, witnesses }: StartFigures, now: number): Html {
  const { names, at } = witnesses;
  const entries = LOG_NAMES.reduce((sum, name) => sum + sizes[name], 0);
  return tiles([
    { name: 'Final receipts', value: grouped(sizes.receipts), note: 'in the public log' },
    { name: 'Log entries', value: grouped(entries), note: `in ${LOG_NAMES.length} logs` },
    { name: 'Newest checkpoint', value: ago(now, checkpointAt), note: moment(checkpointAt), isWord: true },
    {
      name: 'Witnesses',
      value: names.length === 0 ? 'none' : grouped(names.length),
      note: at === null ? 'no other party has cosigned' : `cosigned ${ago(now, at)}`,
      isWord: names.length === 0,
    },
  ]);
}

function hourFigure(hours: readonly Hour[]): Html {
  const sum = hours.reduce((total, { count }) => total + count, 0);
  const nameOfHour = ({ from }: Hour): string => timestampOf(from).slice(0, 16).replace('T', ' ');
  const note = `${counted(sum, 'receipt')} in the last 24 hours, by the checkpoints of the log.`;
  const bars = hours.map((hour) => ({
    ...hour,
    title: `${nameOfHour(hour)}: ${counted(hour.count, 'receipt')}`,
  }));
  return figure({
    caption: 'Receipts an hour',
    note,
    plot: barPlot(bars, `Receipts an hour. ${note}`),
    columns: ['Hour from (UTC)', 'Receipts'],
    rows: hours.map((hour) => [nameOfHour(hour), grouped(hour.count)]),
  });
}

function logList({ sizes }: StartFigures): Html {
  return html`<ul class="plain">
${LOG_NAMES.map((name) => html`<li><a href="/logs/${name}">${name}</a> <span class="end">${grouped(sizes[name])}</span><small class="soft">${CONTENTS[name]}</small></li>\n`)}</ul>
`;
}

function newestSection({ newest }: StartFigures): Html {
  if (newest.length === 0) {
    return html`<section class="card"><h2>Newest receipts</h2><p class="empty">No receipt is final yet. The first one appears here when it is in the log.</p></section>\n`;
  }
  const rows = newest.map(
    ({
      receipt_id,
      agent_id,
      operator_id,
      status,
      revocation_status,
      domain,
      finalized_at,
    }) => html`<tr><th scope="row">${hashLink(`/receipts/${receipt_id}`, receipt_id)}</th><td>${receiptTag(status, revocation_status)}</td>
<td data-label="Domain">${domain === undefined ? 'hidden' : nameOf(domain)}</td><td data-label="Agent">${strangerText(agent_id)}</td><td data-label="Operator">${strangerText(operator_id)}</td>
<td class="nowrap" data-label="Finalized">${momentOfColumn(finalized_at)}</td></tr>\n`,
  );
  return html`<section class="card"><h2>Newest receipts</h2>
<p class="soft">Names are masked. Who has a receipt sees all of it.</p>
<table class="list stacked tight"><caption class="hidden">The newest final receipts</caption><thead><tr><th scope="col">Receipt</th><th scope="col">Outcome</th><th scope="col">Domain</th><th scope="col">Agent</th><th scope="col">Operator</th><th scope="col">Finalized (UTC)</th></tr></thead>
<tbody>
${rows}</tbody></table></section>
`;
}
