import { type Static, Type } from '@sinclair/typebox';
import { ESCROW_STATUSES, type EscrowStatus } from '../../../../../db/trust/escrow-enums.ts';
import { hexString, oneOf, strictObject } from '../../../../platform/http/schema.ts';
import { type Html, html } from '../../../../platform/page/html.ts';
import { tag } from '../../../../platform/page/parts.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import { listAgents } from '../../../agents/list.ts';
import type { SponsoredAgentResponse } from '../../../agents/schema.ts';
import { hashLink, momentOfColumn } from '../../../compliance/packages/page/values.ts';
import { listEngagements, listOperatorEngagements } from '../../../hires/engagements/list.ts';
import { listProposals } from '../../../protocols/agora/list-proposals.ts';
import { shortHash, strangerText } from '../../parts/values.ts';
import { requireValid } from '../problem.ts';
import type { PageResponse, Visitor } from '../response.ts';
import type { AccountSite } from '../site.ts';
import { agentName, hireTable, PATH } from './table.ts';

/** The agents of one page, to choose from. */
const AGENTS = 20;
/** The hires and the proposals of one page. */
const LIMIT = 20;
const PROPOSALS = 5;

/** The width in em to which names are cut. */
const NAME_EM = 14;

/** The lists of hires by their names in the query. */
const LISTS = {
  open: { name: 'Open', statuses: ['HELD', 'DELIVERED', 'DISPUTED'] },
  disputed: { name: 'Disputed', statuses: ['DISPUTED'] },
  ended: { name: 'Ended', statuses: ['PAID', 'CANCELLED', 'EXPIRED', 'DECLINED', 'RESOLVED'] },
} as const satisfies Record<string, { name: string; statuses: readonly EscrowStatus[] }>;

const PageQuery = strictObject({
  agent: Type.Optional(hexString(32, 'The agent.')),
  agents: Type.Optional(Type.String({ maxLength: 512 })),
  show: Type.Optional(oneOf(['open', 'disputed', 'ended'])),
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
});

type Query = Static<typeof PageQuery>;
type Proposal = Awaited<ReturnType<typeof listProposals>>['proposals'][number];

/**
 * Returns the page of the hires of an operator: those of all its agents, or of one agent with its newest
 * proposals. It reads what the key of the visitor may list.
 */
export async function engagementsPage(
  site: AccountSite,
  visitor: Visitor,
  asked: Readonly<Record<string, string>>,
): Promise<PageResponse> {
  const query = requireValid(PageQuery, asked);
  const { agent } = query;
  return {
    page: {
      title: 'Hires',
      current: PATH,
      visitor,
      body:
        agent === undefined
          ? await allHires(site, visitor, query)
          : await hiresOf(site, visitor, agent, query),
    },
  };
}

async function allHires(
  { trust, hasExplorer }: AccountSite,
  { principal }: Visitor,
  { agents: agentCursor, show, cursor }: Query,
): Promise<Html> {
  const { engagements, next_cursor } = await listOperatorEngagements(trust, principal, {
    statuses: show === undefined ? ESCROW_STATUSES : LISTS[show].statuses,
    ...pageAfter(cursor, LIMIT),
  });
  const agents = await listAgents(trust, principal, pageAfter(agentCursor, AGENTS));
  const older = new URLSearchParams({
    ...(show === undefined ? {} : { show }),
    cursor: next_cursor ?? '',
  });
  return html`<h1>Hires</h1>
<p class="soft">The hires of all your agents, on both sides, newest first.</p>
<nav class="actions" aria-label="States of hires">${listLink(undefined, show)}${listLink('open', show)}${listLink('disputed', show)}${listLink('ended', show)}</nav>
<section class="card">
${
  engagements.length === 0
    ? html`<p class="empty">${show === undefined && cursor === undefined ? 'No hires yet.' : 'No hires here.'}</p>`
    : hireTable(engagements, hasExplorer)
}${next_cursor === null ? null : html`<p class="page"><a rel="next" href="${PATH}?${older.toString()}">Older hires</a></p>`}</section>
${agentsCard(agents.agents, agentCursor === undefined && agents.next_cursor === null, agents.next_cursor)}`;
}

const pageAfter = (cursor: string | undefined, limit: number) => ({
  limit: String(limit),
  ...(cursor === undefined ? {} : { cursor }),
});

function listLink(list: keyof typeof LISTS | undefined, current: keyof typeof LISTS | undefined): Html {
  const [path, name] = list === undefined ? [PATH, 'All'] : [`${PATH}?show=${list}`, LISTS[list].name];
  return list === current
    ? html`<strong aria-current="page">${name}</strong> `
    : html`<a href="${path}">${name}</a> `;
}

async function hiresOf(
  { trust, hasExplorer }: AccountSite,
  { principal }: Visitor,
  agent: string,
  { cursor }: Query,
): Promise<Html> {
  const { engagements, next_cursor } = await listEngagements(trust, principal, {
    subject_commitment: agent,
    ...pageAfter(cursor, LIMIT),
  });
  const { proposals } = await listProposals(trust, principal, {
    commitment: agent,
    limit: String(PROPOSALS),
  });
  const hires = engagements.map((hire) => ({
    ...hire,
    isHirer: hire.hirer_commitment === agent,
    isWorker: hire.worker_commitment === agent,
  }));
  return html`<p class="kicker"><a href="${PATH}">Hires</a></p>
<h1>Hires of ${agentName(agent, hasExplorer)}</h1>
<section class="card">
${hires.length === 0 ? html`<p class="empty">No hires yet.</p>` : hireTable(hires, hasExplorer)}${
  next_cursor === null
    ? null
    : html`<p class="page"><a rel="next" href="${PATH}?agent=${agent}&amp;cursor=${next_cursor}">Older hires</a></p>`
}</section>
<section class="card"><h2>Proposals</h2>
${proposals.length === 0 ? html`<p class="empty">No proposals yet.</p>` : proposalTable(proposals, agent, hasExplorer)}</section>`;
}

function proposalTable(proposals: readonly Proposal[], agent: string, hasExplorer: boolean): Html {
  return html`<table class="list stacked"><caption>The newest ${PROPOSALS}</caption>
<thead><tr><th scope="col">Proposal</th><th scope="col">State</th><th scope="col">Other side</th><th scope="col">Time (UTC)</th></tr></thead>
<tbody>
${proposals.map(
  ({ proposal_id, status, from_commitment, to_commitment, updated_at }) => html`<tr><th scope="row">${
    hasExplorer
      ? hashLink(`/agreements/${proposal_id}`, `${proposal_id.slice(0, 18)}…`)
      : shortHash(proposal_id, 18)
  }</th>
<td>${tag(nameOf(status))}</td>
<td data-label="Other side">${agentName(from_commitment === agent ? to_commitment : from_commitment, hasExplorer)}</td>
<td data-label="Time (UTC)">${momentOfColumn(updated_at)}</td></tr>
`,
)}</tbody></table>`;
}

function agentsCard(
  agents: readonly SponsoredAgentResponse[],
  isAll: boolean,
  next: string | null,
): Html | null {
  if (agents.length === 0) return null;
  return html`<section class="card"><h2>By agent</h2>
<ul class="plain">
${agents.map(
  ({ subject_commitment, name }) =>
    html`<li><a href="${PATH}?agent=${subject_commitment}">${name === null ? `${subject_commitment.slice(0, 12)}…` : strangerText(name, NAME_EM)}</a></li>
`,
)}</ul>
${
  isAll
    ? null
    : html`<p class="page"><a href="${PATH}">Newest agents</a> ${next === null ? null : html`<a rel="next" href="${PATH}?agents=${next}">Older agents</a>`}</p>`
}</section>`;
}
