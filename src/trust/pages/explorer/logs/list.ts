import { type Html, html } from '../../../../platform/page/html.ts';
import type { Store } from '../../../../platform/store/store.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import { closedLogsIn, type PublishedClosedLog } from '../../../../proof/log/log-chain.ts';
import { LOG_NAMES, type LogName } from '../../../../proof/log/log-names.ts';
import { counted, grouped, hash, moment } from '../../../compliance/packages/page/values.ts';
import { logChangesOf } from '../../../log/keys/log/log-changes.ts';
import type { TrustLog } from '../../../log/lifecycle/open.ts';
import { ago } from '../../parts/values.ts';
import type { Shown } from '../shown.ts';
import { CONTENTS } from './contents.ts';
import { witnessesOf } from './witnesses.ts';

/** The parts of the service that the list of logs uses. */
export interface ListContext {
  store: Store;
  log: TrustLog;
  clock: Clock;
}

/** Returns the closed logs, as the published list of keys has them. */
export function closedLogs({
  store,
  log: { publisher },
}: Pick<ListContext, 'store' | 'log'>): Promise<PublishedClosedLog[]> {
  const { tree_size } = publisher.latest('keys').response;
  return store.read(async (snapshot) => closedLogsIn(await logChangesOf(snapshot), tree_size));
}

/** Returns the page of all logs. */
export async function logsPage({ trust }: { trust: ListContext }): Promise<Shown> {
  const closed = await closedLogs(trust);
  return {
    title: 'Logs',
    body: html`<h1>Transparency logs</h1>
<p class="lead">This service appends what it signs to public logs. A checkpoint commits to all entries of a log, so none can be changed
or removed unnoticed. Witnesses are other parties that confirm that a log only grows.</p>
<section class="card"><table class="list stacked"><caption class="hidden">The logs of this service</caption><thead><tr><th scope="col">Log</th><th scope="col">What it contains</th><th scope="col" class="number">Entries</th><th scope="col">Newest checkpoint</th><th scope="col">Witnesses</th></tr></thead>
<tbody>
${LOG_NAMES.map((name) => row(trust, name))}</tbody></table></section>
${closedSection(closed)}`,
  };
}

function row({ log, clock }: ListContext, name: LogName): Html {
  const newest = log.publisher.latest(name);
  const { tree_size, issued_at } = newest.response;
  const witnesses = witnessesOf(log.publisher.cosigned.of(name) ?? newest);
  return html`<tr><th scope="row"><a href="/logs/${name}">${name}</a></th><td>${CONTENTS[name]}</td>
<td class="number" data-label="Entries">${grouped(tree_size)}</td><td data-label="Newest checkpoint">${moment(issued_at)} <small class="soft nowrap">${ago(clock.now(), issued_at)}</small></td>
<td data-label="Witnesses">${witnesses.length === 0 ? 'none' : grouped(witnesses.length)}</td></tr>
`;
}

/** Returns the list of closed logs; null for none. */
export function closedSection(closed: readonly PublishedClosedLog[]): Html | null {
  if (closed.length === 0) return null;
  const rows = closed.map(
    ({ log, origin, tree_size, certain, at, log_index }) =>
      html`<tr><th scope="row">${hash(origin)}</th><td data-label="Log">${log}</td><td class="number" data-label="Entries">${grouped(tree_size)}${certain ? null : ' or more'}</td>
<td data-label="Closed">${moment(at)}</td><td data-label="Recorded in"><a href="/logs/keys?index=${log_index}">entry ${grouped(log_index)}</a> of keys</td></tr>\n`,
  );
  return html`<section class="card"><h2>Closed logs</h2>
<p class="soft">${counted(closed.length, 'log')} of this installation ended, and others continue them. The log of keys says which.</p>
<table class="list stacked"><thead><tr><th scope="col">Origin</th><th scope="col">Log</th><th scope="col" class="number">Published entries</th><th scope="col">Closed</th><th scope="col">Recorded in</th></tr></thead>
<tbody>
${rows}</tbody></table></section>
`;
}
