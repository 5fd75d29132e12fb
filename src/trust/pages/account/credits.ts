import { Type } from '@sinclair/typebox';
import { CREDIT_CLASSES } from '../../../../db/trust/ledger-enums.ts';
import { type Html, html } from '../../../platform/page/html.ts';
import { nameOf } from '../../../platform/page/words.ts';
import { counted } from '../../compliance/packages/page/values.ts';
import { poolOf } from '../../ledger/accounts.ts';
import { creditsIn } from '../../ledger/balances.ts';
import { getOperatorJournal } from '../../ledger/journals/get-operator-journal.ts';
import { JournalQuery } from '../../ledger/journals/schema.ts';
import { heldIn } from '../../ledger/lots/held.ts';
import { journalTable } from '../parts/journal-table.ts';
import { heldNote, poolTiles } from './page/pool.ts';
import { requireValid } from './problem.ts';
import type { PageResponse, Visitor } from './response.ts';
import type { AccountSite } from './site.ts';
import { monthsCard, statementMonths } from './statements.ts';

const PATH = '/account/credits';

/** The entries of a page. */
const LIMIT = '20';

/** The kinds of entries that journals of pools have. */
const POOL_KINDS = ['SETTLEMENT', 'OPERATOR_GRANT', 'METER', 'SPEND', 'ADJUSTMENT', 'OPENING'] as const;

const PageQuery = Type.Pick(JournalQuery, ['kind', 'asset', 'cursor'], { additionalProperties: false });

/** Returns the page of the pool: what it has, its journal, and the statements of its months. */
export async function creditsPage(
  { trust, hasExplorer }: AccountSite,
  visitor: Visitor,
  asked: Readonly<Record<string, string>>,
): Promise<PageResponse> {
  const { principal } = visitor;
  const pool = poolOf(principal);
  // A form sends its empty fields too.
  const query = requireValid(
    PageQuery,
    Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== '')),
  );
  const [journal, months, { credits, held }] = await Promise.all([
    getOperatorJournal(trust, principal, { ...query, limit: LIMIT }),
    statementMonths(trust, principal),
    trust.store.read(async (snapshot) => ({
      credits: await creditsIn(snapshot, pool),
      held: await heldIn(snapshot, pool, trust.clock.now()),
    })),
  ]);
  return {
    page: {
      title: 'Credits',
      current: PATH,
      visitor,
      body: html`<h1>Credits</h1>
<p class="soft">The credits of your operator's pool. Agents have their own: see their pages.</p>
<dl class="tiles">
${poolTiles(credits, held)}</dl>
${heldNote(held)}${journalCard(journal, query, hasExplorer)}${monthsCard(months)}`,
    },
  };
}

type Journal = Awaited<ReturnType<typeof getOperatorJournal>>;
type Query = ReturnType<typeof requireValid<typeof PageQuery>>;

function journalCard({ entries, next_cursor, length }: Journal, query: Query, hasExplorer: boolean): Html {
  const { kind, asset, cursor } = query;
  const isFiltered = kind !== undefined || asset !== undefined;
  const none = isFiltered ? 'None of these entries match.' : 'No entries yet.';
  return html`<section class="card" id="journal"><h2>Journal</h2>
<p class="soft">${counted(length, 'entry', 'entries')}: everything that changed the pool, newest first. Each entry has the hash of the one before it.</p>
${filterForm(query)}
${entries.length === 0 ? html`<p class="empty">${none}</p>` : journalTable(entries, hasExplorer)}
${
  cursor === undefined && next_cursor === null
    ? null
    : html`<p class="page">${cursor === undefined ? null : html`<a href="${addressOf({ kind, asset })}">Newest</a> `}${
        next_cursor === null
          ? null
          : html`<a rel="next" href="${addressOf({ kind, asset, cursor: next_cursor })}">Older</a>`
      }</p>`
}
<p class="actions"><a class="button slim" href="${PATH}/journal.csv">Download CSV</a>
<a class="button slim" href="${PATH}/journal.ndjson">Download NDJSON</a></p>
<p class="small soft">Both have all entries. <code>countersign verify journal.ndjson</code> checks the chain and the sums of the second.</p></section>
`;
}

function addressOf(query: Readonly<Partial<Record<keyof Query, string | undefined>>>): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const text = new URLSearchParams(given).toString();
  return `${PATH}${text === '' ? '' : `?${text}`}#journal`;
}

function filterForm({ kind, asset }: Query): Html {
  return html`<form class="actions filters" method="get" action="${PATH}#journal">
${select('kind', 'Kind', POOL_KINDS, kind)}${select('asset', 'Class', CREDIT_CLASSES, asset)}<button>Filter</button>
</form>`;
}

function select(name: string, label: string, values: readonly string[], chosen: string | undefined): Html {
  return html`<label>${label} <select name="${name}"><option value="">All</option>${values.map(
    (value) =>
      html`<option value="${value}"${value === chosen ? html` selected` : null}>${nameOf(value)}</option>`,
  )}</select></label>
`;
}
