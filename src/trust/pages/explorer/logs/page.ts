import type { Static } from '@sinclair/typebox';
import { type Html, html } from '../../../../platform/page/html.ts';
import { figure } from '../../../../platform/page/plots/figure.ts';
import { stepPlot } from '../../../../platform/page/plots/time-plot.ts';
import { timestampOf } from '../../../../platform/time/timestamp.ts';
import type { LogName } from '../../../../proof/log/log-names.ts';
import { counted, factList, grouped, hash, moment } from '../../../compliance/packages/page/values.ts';
import { checkpointsOf } from '../../../log/checkpoints/checkpoints.ts';
import type { SizeAt } from '../../../log/growth.ts';
import { type ListedEntry, logEntries } from '../../../log/list-entries.ts';
import { ago } from '../../parts/values.ts';
import type { Shown } from '../shown.ts';
import type { TimedCache } from '../timed-cache.ts';
import { CONTENTS } from './contents.ts';
import { entryRows } from './entries.ts';
import { lifeOf } from './growth.ts';
import { closedLogs, closedSection, type ListContext } from './list.ts';
import { checkpointList, witnessMatrix } from './matrix.ts';
import type { EntryQuery } from './query.ts';
import { witnessesOf } from './witnesses.ts';

/** The parts of the explorer that the page of a log uses. */
export interface LogParts {
  trust: ListContext;
  logLives: TimedCache<LogName, SizeAt[]>;
}

/** How many of the newest checkpoints the page shows. */
const CHECKPOINTS = 12;
/** How many entries the page shows. */
const ENTRIES = 20;

/** Returns the page of a log. */
export async function logPage(
  { trust, logLives }: LogParts,
  { params: { name }, query: { index } }: { params: { name: LogName }; query: Static<typeof EntryQuery> },
): Promise<Shown> {
  const { log, store, clock } = trust;
  const size = log.publisher.latest(name).response.tree_size;
  const chosen = index === undefined ? null : Number(index);
  const last = Math.min(chosen ?? size - 1, size - 1);
  const [checkpoints, life, closed, entries] = await Promise.all([
    store.read((snapshot) => checkpointsOf(snapshot, log.open[name], CHECKPOINTS)),
    logLives.get(name, () => lifeOf(trust, name)),
    closedLogs(trust),
    logEntries(trust, name, Math.max(0, last - ENTRIES + 1), last + 1),
  ]);
  return {
    title: `Log of ${name}`,
    body: html`<p class="kicker"><a href="/logs">Logs</a></p>
<h1>Log of ${name}</h1>
<p class="lead">${CONTENTS[name].charAt(0).toUpperCase()}${CONTENTS[name].slice(1)}.</p>
${facts(trust, name, clock.now())}<section class="card"><h2 class="hidden">Size</h2>
${lifeFigure(life, clock.now())}</section>
<section class="card"><h2>Witnesses</h2>
<p class="soft">Who confirmed that the log only grew until a checkpoint.</p>
${witnessMatrix(checkpoints)}${checkpointList(checkpoints)}</section>
${entriesSection(name, { size, chosen, last, entries })}${closedSection(closed.filter((one) => one.log === name))}`,
  };
}

function facts({ log: { publisher, open } }: ListContext, name: LogName, now: number): Html {
  const { response } = publisher.latest(name);
  const cosigned = publisher.cosigned.of(name);
  const witnessed =
    cosigned === null
      ? publisher.cosigned.hasQuorum
        ? 'none that meets the quorum of this service'
        : 'none: this service demands no witnesses'
      : html`${counted(cosigned.response.tree_size, 'entry', 'entries')} of ${moment(cosigned.response.issued_at)}, by ${counted(witnessesOf(cosigned).length, 'witness', 'witnesses')}`;
  return html`<section class="card">${factList([
    ['Origin', hash(open[name].origin)],
    ['Entries', grouped(response.tree_size)],
    [
      'Newest checkpoint',
      html`${moment(response.issued_at)} <span class="soft">${ago(now, response.issued_at)}</span>`,
    ],
    ['Root hash', hash(response.root_hash)],
    ['Newest cosigned', witnessed],
    [
      'For programs',
      html`<a href="/log/${name}/checkpoint">checkpoint</a>, <a href="/log/${name}/vkeys">verifier keys</a>, <a href="/api/v1/receipts/checkpoints?log=${name}">list of checkpoints</a>`,
    ],
  ])}</section>`;
}

/** Which entries are shown, of how many. */
interface EntryPage {
  size: number;
  /** The index that was asked for; null for the newest. */
  chosen: number | null;
  /** The highest index that is shown. */
  last: number;
  entries: readonly ListedEntry[];
}

function entriesSection(name: LogName, { size, chosen, last, entries }: EntryPage): Html {
  const isBeyond = chosen !== null && chosen >= size;
  const newer = Math.min(last + ENTRIES, size - 1);
  const older = last - ENTRIES;
  const link = (index: number, text: string): Html =>
    html`<a class="button slim" href="/logs/${name}?index=${index}#entries">${text}</a>`;
  return html`<section class="card" id="entries"><h2>Entries</h2>
<form class="goto" action="/logs/${name}"><label for="index">Index</label> <input type="text" inputmode="numeric" id="index" name="index" value="${chosen === null ? '' : String(chosen)}" maxlength="15" pattern="[0-9]*" autocomplete="off"> <button class="slim">Show</button></form>
${isBeyond ? html`<p class="empty">No checkpoint covers an entry ${grouped(chosen)} yet. The log has ${counted(size, 'entry', 'entries')}.</p>\n` : null}${
  entries.length === 0
    ? html`<p class="empty">The log is empty. Its first checkpoint says so.</p>\n`
    : html`<table class="list stacked tight entries"><caption class="hidden">Entries of the log, newest first</caption><thead><tr><th scope="col" class="number">Index</th><th scope="col">What happened</th><th scope="col">Subject</th><th scope="col">Time (UTC)</th></tr></thead>
<tbody>
${entryRows(name, entries.toReversed(), isBeyond ? null : chosen)}</tbody></table>
<p class="actions">${last < size - 1 ? link(newer, 'Newer') : null}${older >= 0 ? link(older, 'Older') : null}${size > ENTRIES ? link(ENTRIES - 1, 'Oldest') : null}</p>
`
}</section>
`;
}

function lifeFigure(life: readonly SizeAt[], now: number): Html {
  const points = life.map(({ at, size }) => ({ at, count: size }));
  const first = points[0];
  const [from, to] = [first?.count ?? 0, points.at(-1)?.count ?? 0];
  const note =
    from === to
      ? `${counted(to, 'entry', 'entries')} in all this time, by its checkpoints.`
      : `From ${grouped(from)} to ${grouped(to)} entries, by its checkpoints.`;
  // Of points of one size, the table needs only the first.
  const steps = points.filter(({ count }, index) => count !== points[index - 1]?.count);
  return figure({
    caption: 'Size over time',
    note,
    plot: stepPlot(points, { end: now, fromZero: true }, `Size of the log over time. ${note}`),
    columns: ['Until (UTC)', 'Entries'],
    rows: steps.map(({ at, count }) => [moment(timestampOf(at)), grouped(count)]),
  });
}
