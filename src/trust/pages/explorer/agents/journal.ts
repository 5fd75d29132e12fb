import { type Html, html } from '../../../../platform/page/html.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import type { Clock } from '../../../../platform/time/clock.ts';
import { requireAgentIn } from '../../../agents/agents.ts';
import { factList, grouped, hash } from '../../../compliance/packages/page/values.ts';
import { creditsOf } from '../../../ledger/accounts.ts';
import { getJournal } from '../../../ledger/credits/get-journal.ts';
import type { JournalContext } from '../../../ledger/journals/get-operator-journal.ts';
import { listedMonths } from '../../../ledger/statements/listed-months.ts';
import { journalTable } from '../../parts/journal-table.ts';
import type { Shown } from '../shown.ts';

/** The parts of the service that the page of a journal uses. */
export type JournalPageContext = JournalContext & { clock: Clock };

/** The entries of a page. */
const LIMIT = 20;

/**
 * Returns the page of the journal of an agent, as everybody sees it: newest first, with its totals and the
 * statements of its months.
 * @throws ApiError not_found for an agent that never enrolled; validation_error for an invalid cursor
 */
export async function journalPage(
  { trust }: { trust: JournalPageContext },
  { params, query: { cursor } }: { params: { hash: string }; query: { cursor?: string } },
): Promise<Shown> {
  const commitment = params.hash;
  const query = { limit: String(LIMIT), ...(cursor === undefined ? {} : { cursor }) };
  const [journal, months] = await Promise.all([
    getJournal(trust, null, commitment, query),
    trust.store.read(async (snapshot) => {
      const agent = await requireAgentIn(snapshot, commitment);
      return listedMonths(snapshot, creditsOf(agent), agent.issuedAt, trust.clock.now());
    }),
  ]);
  const { entries, next_cursor, length, head, figures } = journal;
  const short = commitment.slice(0, 12);
  return {
    title: `Journal of ${short}`,
    body: html`<p class="kicker"><a href="/agents/${commitment}">Agent ${short}…</a></p>
<h1>Credit journal</h1>
<p class="lead">What changed the credits of this agent, newest first. Each entry has the hash of the one before it. Only its parties see with whom and for what.</p>
<section class="card"><h2>Credits</h2>
${figureTable(figures)}${factList([
  ['Entries', grouped(length)],
  ['Newest entry', head === null ? 'none' : hash(head)],
])}</section>
<section class="card" id="entries"><h2>Entries</h2>
${
  entries.length === 0
    ? html`<p class="empty">${cursor === undefined ? 'The agent never had credits.' : 'No entry comes before these.'}</p>`
    : journalTable(entries, true)
}</section>
${paging(commitment, cursor, next_cursor)}${monthList(commitment, months)}`,
  };
}

type Figures = Awaited<ReturnType<typeof getJournal>>['figures'];

function figureTable(figures: Figures): Html | null {
  const rows = Object.entries(figures);
  if (rows.length === 0) return null;
  const columns = ['granted', 'earned', 'spent', 'locked', 'available'] as const;
  return html`<table class="list stacked"><caption class="hidden">By class</caption><thead><tr><th scope="col">Class</th>${columns.map(
    (name) => html`<th scope="col" class="number">${nameOf(name)}</th>`,
  )}</tr></thead>
<tbody>
${rows.map(
  ([name, sums]) =>
    html`<tr><th scope="row">${nameOf(name)}</th>${columns.map(
      (column) => html`<td class="number" data-label="${nameOf(column)}">${grouped(sums[column])}</td>`,
    )}</tr>\n`,
)}</tbody></table>
`;
}

function paging(commitment: string, cursor: string | undefined, next: string | null): Html | null {
  if (cursor === undefined && next === null) return null;
  const path = `/agents/${commitment}/journal`;
  return html`<nav class="actions" aria-label="Pages">${cursor === undefined ? null : html`<a class="button" href="${path}">Newest</a>`}${
    next === null
      ? null
      : html`<a class="button" rel="next" href="${path}?cursor=${encodeURIComponent(next)}#entries">Older</a>`
  }</nav>
`;
}

function monthList(commitment: string, months: readonly string[]): Html {
  const path = `/api/v1/passport/agents/${commitment}/statements`;
  return html`<section class="card" id="statements"><h2>Statements</h2>
<p class="soft">What the agent had at the beginning and the end of each month (UTC), and what changed it. Each is signed after its month.</p>
<ul>
${months.map((month) => html`<li><a href="${path}/${month}">${month}</a></li>\n`)}</ul></section>
`;
}
