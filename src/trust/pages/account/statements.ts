import { type Html, html } from '../../../platform/page/html.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { poolOf } from '../../ledger/accounts.ts';
import { completeSince } from '../../ledger/month-sums.ts';
import { operatorBySeq } from '../../operators/status.ts';

/** The months that the page lists. Earlier ones are read with the API. */
const MOST = 24;

/** Returns the months of which an operator has statements, newest first: `YYYY-MM`. */
export async function statementMonths(
  { store, clock }: { store: Store; clock: Clock },
  operator: { operatorSeq: number; operatorId: string },
): Promise<string[]> {
  const now = new Date(clock.now());
  const since = await store.read(async (snapshot) => {
    const created = (await operatorBySeq(snapshot, operator.operatorSeq))?.createdAt ?? now.toISOString();
    const complete = (await completeSince(snapshot, poolOf(operator))) ?? 0;
    return new Date(Math.max(Date.parse(created), complete)).toISOString().slice(0, 7);
  });
  return Array.from({ length: MOST }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index)).toISOString().slice(0, 7),
  ).filter((month) => month >= since);
}

/** Returns the card with the statements of an operator's months. */
export function statementsCard(months: readonly string[]): Html {
  return html`<section class="card"><h2>Statements</h2>
<p class="soft">What the credits of your pool were at the beginning and the end of each month (UTC), and what changed them. The newest one is interim.</p>
<ul>
${months.map((month) => html`<li><a href="/api/v1/account/statements/${month}">${month}</a></li>\n`)}</ul></section>
`;
}
