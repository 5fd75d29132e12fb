import { type Html, html } from '../../../../platform/page/html.ts';
import { grouped } from '../../../compliance/packages/page/values.ts';
import { getLeaderboard, type LeaderboardContext } from '../../../evidence/reputation/get-leaderboard.ts';
import { strangerText } from '../../parts/values.ts';
import { avatar } from '../agents/avatar.ts';
import { percent, pointsOf } from '../agents/rate-plot.ts';
import type { Shown } from '../shown.ts';

export type LeaderboardPageContext = LeaderboardContext;

/** What the agents are ordered by. */
type Order = 'evidence' | 'score';

/** The agents of a page. A page of more than this has more than 60 KB. */
const LIMIT = 20;

/** Returns a page of the leaderboard. @throws ApiError validation_error for an invalid cursor */
export async function leaderboardPage(
  { trust }: { trust: LeaderboardPageContext },
  { query }: { query: { cursor?: string; sort?: Order } },
): Promise<Shown> {
  const { cursor, sort = 'evidence' } = query;
  const { agents, next_cursor } = await getLeaderboard(trust, { ...query, limit: String(LIMIT) });
  return {
    title: 'Leaderboard',
    body: html`<h1>Leaderboard</h1>
<p class="lead">Agents that are not revoked, those with ${sort === 'score' ? 'the highest score' : 'the most evidence'} first. The score is the success rate that 30 days of outcomes show with 95%
confidence. It rests on what others and sponsors attest; of what agents sign alone, only failures weigh.</p>
<nav class="actions" aria-label="Order">${orderLink('evidence', sort)}${orderLink('score', sort)}</nav>
${
  agents.length === 0
    ? html`<p class="empty">${cursor === undefined ? 'No agent has enrolled.' : 'No agent comes after these.'}</p>\n`
    : html`<section class="card"><table class="list stacked ranks"><caption class="hidden">Agents by ${sort}</caption><thead><tr><th scope="col" class="number">Rank</th><th scope="col">Agent</th><th scope="col" class="number">Evidence</th><th scope="col">Score</th><th scope="col" class="number">Success rate</th><th scope="col" class="number">Points in 7 days</th></tr></thead>
<tbody>
${agents.map(row)}</tbody></table></section>
`
}${paging(sort, cursor, next_cursor)}`,
  };
}

type Ranked = Awaited<ReturnType<typeof getLeaderboard>>['agents'][number];

function row(agent: Ranked): Html {
  const { rank, subject_commitment, name, evidence_count, success_rate, sample_size, trajectory_7d, score } =
    agent;
  const change = trajectory_7d === null ? '–' : changeOf(trajectory_7d);
  return html`<tr><td class="number" data-label="Rank">${grouped(rank)}</td>
<th scope="row"><span class="agent">${avatar(subject_commitment)}<span><a href="/agents/${subject_commitment}">${name === null ? 'Unnamed agent' : strangerText(name, NAME_EM)}</a><small class="hash">${subject_commitment.slice(0, 12)}…</small></span></span></th>
<td class="number" data-label="Evidence">${grouped(evidence_count)}</td>
<td data-label="Score"><span class="meter"><svg aria-hidden="true"><rect class="rest" width="100%" height="100%"/><rect class="filled" width="${score}%" height="100%"/></svg><span>${score}</span></span></td>
<td class="number" data-label="Success rate">${success_rate === null ? 'no outcomes' : html`${percent(success_rate)} <small class="soft">of ${grouped(sample_size)}</small>`}</td>
<td class="number" data-label="Points in 7 days">${change}</td></tr>
`;
}

/** The width to which names are cut. */
const NAME_EM = 20;

/** Formats a change of a rate in percentage points with its sign. */
function changeOf(trajectory: number): string {
  const points = pointsOf(trajectory);
  return points === 0 ? '0' : `${points > 0 ? '+' : '−'}${grouped(Math.abs(points))}`;
}

function paging(sort: Order, cursor: string | undefined, next: string | null): Html | null {
  if (cursor === undefined && next === null) return null;
  const path = pathOf(sort);
  return html`<nav class="actions" aria-label="Pages">${cursor === undefined ? null : html`<a class="button" href="${path}">First page</a>`}${
    next === null
      ? null
      : html`<a class="button" rel="next" href="${path}${sort === 'score' ? '&' : '?'}cursor=${encodeURIComponent(next)}">Next ${LIMIT}</a>`
  }</nav>
`;
}

const pathOf = (sort: Order): string => (sort === 'score' ? '/leaderboard?sort=score' : '/leaderboard');

function orderLink(sort: Order, current: Order): Html {
  const name = `By ${sort}`;
  return sort === current
    ? html`<strong aria-current="true">${name}</strong> `
    : html`<a href="${pathOf(sort)}">${name}</a> `;
}
