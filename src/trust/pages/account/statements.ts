import { type Html, html } from '../../../platform/page/html.ts';
import { tag } from '../../../platform/page/parts.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { poolOf } from '../../ledger/accounts.ts';
import { listedMonths } from '../../ledger/statements/listed-months.ts';
import { operatorBySeq } from '../../operators/status.ts';

/** Returns the months that an operator has statements of, newest first and at most 24: `YYYY-MM`. */
export async function statementMonths(
  { store, clock }: { store: Store; clock: Clock },
  operator: { operatorSeq: number; operatorId: string },
): Promise<string[]> {
  return store.read(async (snapshot) => {
    const since = (await operatorBySeq(snapshot, operator.operatorSeq))?.createdAt ?? null;
    return listedMonths(snapshot, poolOf(operator), since, clock.now());
  });
}

/** Returns the card with the statements of an operator's months. @param months newest first */
export function monthsCard(months: readonly string[]): Html {
  const [newest] = months;
  return html`<section class="card" id="statements"><h2>Statements</h2>
<p class="soft">What the pool had at the beginning and the end of each month (UTC), and what changed it. Each is signed after its month.</p>
<table class="list stacked"><caption class="hidden">Newest first</caption>
<thead><tr><th scope="col">Month</th><th scope="col">Files</th></tr></thead>
<tbody>
${months.map(
  (month) => html`<tr><th scope="row"><a href="/account/credits/${month}/statement">${month}</a>${
    month === newest ? html` ${tag('not over', 'info')}` : null
  }</th>
<td><a href="/account/credits/${month}/statement.json" aria-label="JSON of ${month}">JSON</a> <a href="/account/credits/${month}/statement.csv" aria-label="CSV of ${month}">CSV</a></td></tr>
`,
)}</tbody></table></section>
`;
}
