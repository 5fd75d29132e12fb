import { type Static, Type } from '@sinclair/typebox';
import type { EscrowStatus } from '../../../../db/trust/escrow-enums.ts';
import { hexString, strictObject } from '../../../platform/http/schema.ts';
import { type Html, html } from '../../../platform/page/html.ts';
import { type Tone, tag } from '../../../platform/page/parts.ts';
import { listAgents } from '../../agents/list.ts';
import type { SponsoredAgentResponse } from '../../agents/schema.ts';
import { grouped, hashLink, momentOfColumn } from '../../compliance/packages/page/values.ts';
import { listEngagements } from '../../hires/engagements/list.ts';
import type { escrowView } from '../../hires/escrow/representation.ts';
import { listProposals } from '../../protocols/agora/list-proposals.ts';
import { nameOf } from '../parts/receipt-tag.ts';
import { shortHash, strangerText } from '../parts/values.ts';
import { requireValid } from './problem.ts';
import type { PageResponse, Visitor } from './response.ts';
import type { AccountSite } from './site.ts';

const PATH = '/account/engagements';

/** The agents of one page, whose hires are read together. */
const AGENTS = 20;
/** The hires and the proposals of one page. */
const LIMIT = 20;
const PROPOSALS = 5;

/** The widths in em to which task_ids and names are cut. */
const [TASK_EM, NAME_EM] = [20, 14];

const PageQuery = strictObject({
  agent: Type.Optional(hexString(32, 'The agent.')),
  agents: Type.Optional(Type.String({ maxLength: 512 })),
  cursor: Type.Optional(Type.String({ maxLength: 512 })),
});

type Hire = ReturnType<typeof escrowView>;
type Proposal = Awaited<ReturnType<typeof listProposals>>['proposals'][number];

const TONES: Readonly<Partial<Record<EscrowStatus, Tone>>> = {
  HELD: 'info',
  DELIVERED: 'warn',
  PAID: 'good',
};

/**
 * Returns the page of the hires of an operator: the newest of a page of its agents, or all of one agent with
 * its newest proposals. It reads what the key of the visitor may list.
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

type Query = Static<typeof PageQuery>;

async function allHires(site: AccountSite, { principal }: Visitor, { agents: cursor }: Query): Promise<Html> {
  const { trust, hasExplorer } = site;
  const page = { limit: String(AGENTS), ...(cursor === undefined ? {} : { cursor }) };
  const { agents, next_cursor } = await listAgents(trust, principal, page);
  const hires = new Map<string, Hire>();
  for (const { subject_commitment } of agents) {
    const { engagements } = await listEngagements(trust, principal, {
      subject_commitment,
      limit: String(LIMIT),
    });
    // A hire of two of these agents is one.
    for (const hire of engagements) hires.set(hire.task_id, hire);
  }
  const newest = [...hires.values()].sort(newestFirst).slice(0, LIMIT);
  const own = new Set(agents.map(({ subject_commitment }) => subject_commitment));
  const isAll = cursor === undefined && next_cursor === null;
  return html`<h1>Hires</h1>
<p class="soft">The newest hires of ${isAll ? 'your agents' : 'these agents'}, on both sides. Choose an agent for all of its hires.</p>
<section class="card">
${newest.length === 0 ? html`<p class="empty">No hires yet.</p>` : hireTable(newest, own, hasExplorer)}</section>
${agentsCard(agents, isAll, next_cursor)}`;
}

const newestFirst = (one: Hire, other: Hire): number => (one.created_at < other.created_at ? 1 : -1);

async function hiresOf(
  { trust, hasExplorer }: AccountSite,
  { principal }: Visitor,
  agent: string,
  { cursor }: Query,
): Promise<Html> {
  const { engagements, next_cursor } = await listEngagements(trust, principal, {
    subject_commitment: agent,
    limit: String(LIMIT),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const { proposals } = await listProposals(trust, principal, {
    commitment: agent,
    limit: String(PROPOSALS),
  });
  return html`<p class="kicker"><a href="${PATH}">Hires</a></p>
<h1>Hires of ${agentName(agent, hasExplorer)}</h1>
<section class="card">
${engagements.length === 0 ? html`<p class="empty">No hires yet.</p>` : hireTable(engagements, new Set([agent]), hasExplorer)}${
  next_cursor === null
    ? null
    : html`<p class="page"><a rel="next" href="${PATH}?agent=${agent}&amp;cursor=${next_cursor}">Older hires</a></p>`
}</section>
<section class="card"><h2>Proposals</h2>
${proposals.length === 0 ? html`<p class="empty">No proposals yet.</p>` : proposalTable(proposals, agent, hasExplorer)}</section>`;
}

/** @param own the agents whose side is shown */
function hireTable(hires: readonly Hire[], own: ReadonlySet<string>, hasExplorer: boolean): Html {
  return html`<table class="list stacked"><caption class="hidden">Newest first</caption>
<thead><tr><th scope="col">Task</th><th scope="col">State</th><th scope="col">Your side</th><th scope="col">Other side</th><th scope="col">Time (UTC)</th><th scope="col" class="number">Credits</th></tr></thead>
<tbody>
${hires.map((hire) => {
  const isHirer = own.has(hire.hirer_commitment);
  const isBoth = isHirer && own.has(hire.worker_commitment);
  const receipt = hire.receipt_id;
  return html`<tr><th scope="row"><span class="name">${strangerText(hire.task_id, TASK_EM)}</span>${
    receipt === null
      ? null
      : html`<p class="small">${hasExplorer ? hashLink(`/receipts/${receipt}`, `${receipt.slice(0, 17)}…`) : shortHash(receipt, 17)}</p>`
  }</th>
<td>${tag(nameOf(hire.status), TONES[hire.status] ?? '')}${hire.stands_still_since === null ? null : html` ${tag('stands still', 'warn')}`}</td>
<td data-label="Your side">${isBoth ? 'both' : isHirer ? 'hirer' : 'worker'}</td>
<td data-label="Other side">${agentName(isHirer ? hire.worker_commitment : hire.hirer_commitment, hasExplorer)}</td>
<td data-label="Time (UTC)">${momentOfColumn(hire.created_at)}</td>
<td class="number" data-label="Credits">${grouped(hire.amount)}</td></tr>
`;
})}</tbody></table>`;
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
  return html`<section class="card"><h2>Agents</h2>
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

/** Returns an agent of either side by the beginning of its commitment, as the explorer names strangers. */
function agentName(commitment: string, hasExplorer: boolean): Html {
  return hasExplorer
    ? hashLink(`/agents/${commitment}`, `${commitment.slice(0, 12)}…`)
    : shortHash(commitment);
}
