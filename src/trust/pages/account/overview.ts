import { type Html, html } from '../../../platform/page/html.ts';
import { type Tone, tag } from '../../../platform/page/parts.ts';
import { nameOf } from '../../../platform/page/words.ts';
import { dollars } from '../../billing/dollar-text.ts';
import { operatorDebts } from '../../billing/operator-debts.ts';
import { grouped, hash, hashLink, moment } from '../../compliance/packages/page/values.ts';
import { listOperatorEngagements } from '../../hires/engagements/list.ts';
import { listReceipts } from '../../receipts/list.ts';
import { operatorStatus } from '../dashboard/get-operator-status.ts';
import { receiptTag } from '../parts/receipt-tag.ts';
import { hireTable, type OwnHire } from './engagements/table.ts';
import { monthCards, readMonth } from './month.ts';
import { accountAlerts } from './page/alerts.ts';
import type { AccountResponse, Visitor } from './response.ts';
import type { AccountSite } from './site.ts';

type Status = Awaited<ReturnType<typeof operatorStatus>>;
type Receipts = Awaited<ReturnType<typeof listReceipts>>['receipts'];

/** How many of the newest receipts the page shows. */
const NEWEST = 5;

const STATUS_TONES: Readonly<Record<Status['accountStatus'], Tone>> = {
  ACTIVE: 'good',
  SUSPENDED: 'bad',
  CLOSED: 'bad',
};

/** Returns the first page: the operator's balances, decisions of the gate, and newest receipts. */
export async function overview(
  { trust, hasExplorer }: AccountSite,
  visitor: Visitor,
): Promise<AccountResponse> {
  const { principal } = visitor;
  const [status, { receipts }, debts, month, waiting] = await Promise.all([
    operatorStatus(trust, principal),
    listReceipts(trust, principal, { limit: String(NEWEST) }),
    trust.store.read((snapshot) => operatorDebts(snapshot, principal.operatorSeq)),
    readMonth(trust, principal),
    listOperatorEngagements(trust, principal, { statuses: WAITING, limit: String(NEWEST) }),
  ]);
  const { accountStatus, operator_id, name, plan } = status;
  return {
    page: {
      title: 'Overview',
      current: '/account',
      visitor,
      body: html`<p class="kicker">Operator</p>
${name === null ? html`<h1 class="identifier">${operator_id}</h1>` : html`<h1 class="name">${name}</h1>`}
<p>${tag(nameOf(accountStatus), STATUS_TONES[accountStatus])} ${tag(`${nameOf(plan)} plan`, 'info')} ${name === null ? null : hash(operator_id)}</p>
${accountAlerts(status, debts, trust.policy)}${tiles(status)}${waitingCard(waiting.engagements, hasExplorer)}${monthCards(month)}${receiptsCard(receipts, hasExplorer)}${gateCard(status)}${quotaCard(status)}${linksCard(hasExplorer)}`,
    },
  };
}

/** The statuses in which a hire waits for its parties, or for a decision. */
const WAITING = ['DELIVERED', 'DISPUTED'] as const;

function waitingCard(hires: readonly OwnHire[], hasExplorer: boolean): Html | null {
  if (hires.length === 0) return null;
  return html`<section class="card" id="waiting"><h2>Hires that wait for a decision</h2>
${hireTable(hires, hasExplorer)}
<p class="page"><a href="/account/engagements?show=disputed">All disputes</a> <a href="/account/engagements?show=open">All open hires</a></p></section>
`;
}

function tiles({
  credits,
  sandboxCredits,
  tier,
  stakeBalanceCents,
  sandboxStakeCents,
  apiKeyCount,
  receiptCount,
}: Status): Html {
  const sandbox = (text: string | null): Html | null =>
    text === null ? null : html`<small>${text} in sandbox</small>`;
  return html`<dl class="tiles">
<div><dt>Credits</dt><dd><a href="/account/credits">${grouped(credits)}</a>${sandbox(sandboxCredits === undefined ? null : grouped(sandboxCredits))}</dd></div>
<div><dt>Tier</dt><dd class="word">${nameOf(tier)}</dd></div>
<div><dt>Stake</dt><dd>${dollars(stakeBalanceCents)}${sandbox(sandboxStakeCents === undefined ? null : dollars(sandboxStakeCents))}</dd></div>
<div><dt>API keys</dt><dd><a href="/account/keys">${grouped(apiKeyCount)}</a></dd></div>
<div><dt>Receipts</dt><dd>${grouped(receiptCount)}</dd></div>
</dl>
`;
}

const REASONS: Readonly<Record<string, string>> = {
  OK: 'Agents may act for you.',
  OPERATOR_SUSPENDED: 'The account is not active.',
  INSUFFICIENT_ESCROW_BOND: 'The stake is below the minimum of this domain.',
  SLA_BREACH_THRESHOLD_EXCEEDED: 'Too many of the newest receipts are SLA breaches.',
  ABANDONED_SHARE_EXCEEDED: 'Too many of the newest receipts were never finalized.',
  ZERO_TENANCY_REJECT: 'You have no finalized receipt in this domain yet.',
};

function gateCard({ gate }: Status): Html {
  const rows = gate.domains.map(({ domain, verify }) => {
    const isAllowed = verify.reason === 'OK';
    return html`<tr><th scope="row">${nameOf(domain)}</th><td>${tag(isAllowed ? 'Allowed' : 'Denied', isAllowed ? 'good' : 'warn')}</td><td>${REASONS[verify.reason] ?? verify.reason}${
      verify.lifts_at === null ? null : html` Ends ${moment(verify.lifts_at)}.`
    }</td></tr>\n`;
  });
  return html`<section class="card"><h2>Gate</h2>
<p class="soft">What <code>POST /api/v1/gate/verify</code> returns about you now.</p>
<table class="list stacked"><thead><tr><th scope="col">Domain</th><th scope="col">Decision</th><th scope="col">Why</th></tr></thead>
<tbody>
${rows}</tbody></table></section>
`;
}

function quotaCard({ quota: { writes_per_minute: writes, stored_bytes: bytes } }: Status): Html | null {
  if (writes.limit === null && bytes.limit === null) return null;
  const mebibytes = (value: number): string => `${grouped(value / 1_048_576)} MiB`;
  return html`<section class="card"><h2>Quota</h2>
<dl class="facts"><dt>Writes this minute</dt><dd>${grouped(writes.used)}${writes.limit === null ? null : ` of ${grouped(writes.limit)}`}</dd>
<dt>Stored data</dt><dd>${mebibytes(bytes.used)}${bytes.limit === null ? null : ` of ${mebibytes(bytes.limit)}`}</dd></dl></section>
`;
}

function receiptsCard(receipts: Receipts, hasExplorer: boolean): Html {
  const rows = receipts.map(
    ({
      receipt_id,
      agent_id,
      status,
      issued_at,
      revocation_status,
    }) => html`<tr><th scope="row">${hasExplorer ? hashLink(`/receipts/${receipt_id}`, receipt_id) : hash(receipt_id)}</th>
<td class="name" data-label="Agent">${agentOf(agent_id)}</td><td>${receiptTag(status, revocation_status)}</td><td>${moment(issued_at)}</td></tr>\n`,
  );
  if (rows.length === 0) {
    return html`<section class="card"><h2>Newest receipts</h2><p class="empty">No receipts yet. The <a href="/swagger">API documentation</a> shows how to issue one.</p></section>\n`;
  }
  return html`<section class="card"><h2>Newest receipts</h2>
<table class="list stacked tight"><caption class="hidden">The newest receipts</caption>
<thead><tr><th scope="col">Receipt</th><th scope="col">Agent</th><th scope="col">Status</th><th scope="col">Issued</th></tr></thead>
<tbody>
${rows}</tbody></table></section>
`;
}

/** Returns the name that an operator gave an agent, or the beginning of a subject commitment. */
function agentOf(agentId: string): Html | string {
  return /^[0-9a-f]{64}$/.test(agentId) ? hash(`${agentId.slice(0, 16)}…`) : agentId;
}

function linksCard(hasExplorer: boolean): Html {
  return html`<section class="card"><h2>Links</h2>
<ul>${hasExplorer ? html`<li><a href="/">Explorer</a>: what everybody sees of this service</li>\n` : null}<li><a href="/swagger">API documentation</a>: every operation, to try out</li>
<li><a href="/openapi.json">OpenAPI document</a>: to generate a client</li>
<li><a href="/api/v1/webhooks/verify-guide">How to verify webhooks</a></li>
<li><a href="/api/v1/public-key">Public key</a>: verifies your receipts offline</li></ul></section>`;
}
