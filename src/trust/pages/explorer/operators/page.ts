import { type Html, html } from '../../../../platform/page/html.ts';
import { tag } from '../../../../platform/page/parts.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import type { Store } from '../../../../platform/store/store.ts';
import { DOMAINS } from '../../../../proof/receipt/receipt.ts';
import { counted, hash } from '../../../compliance/packages/page/values.ts';
import { commonErrors } from '../../../http/errors.ts';
import type { GateContext } from '../../../receipts/gate/facts.ts';
import type { GateReason } from '../../../receipts/gate/verdict.ts';
import { type GateDecision, publicDecisions } from '../../../receipts/gate/verify.ts';
import type { Shown } from '../shown.ts';

/** The parts of the service that the page of an operator uses. */
export type OperatorContext = GateContext & {
  store: Store;
  /** The URL of the service for its clients. */
  url: string | null;
};

/** What the reasons of the gate mean. */
const MEANINGS: Readonly<Record<GateReason, string>> = {
  OK: 'No rule of the gate denies it.',
  OPERATOR_UNKNOWN: 'No operator has this id.',
  OPERATOR_SUSPENDED: 'The account of the operator is suspended or closed.',
  INSUFFICIENT_ESCROW_BOND: 'The stake of the operator is below the minimum of the domain.',
  SLA_BREACH_THRESHOLD_EXCEEDED:
    'Too many of its newest receipts in the domain are breaches of a service-level agreement.',
  ABANDONED_SHARE_EXCEEDED: 'Too many of its newest receipts in the domain were never finalized.',
  ZERO_TENANCY_REJECT:
    'It has no finalized receipt in the domain that counts. Blind receipts and revoked successes do not count.',
};

/**
 * Returns the page of an operator: what the gate says of it in each domain. Its name, its receipts and its
 * stake are not public.
 * @throws ApiError not_found for an unknown operator
 */
export async function operatorPage(
  { trust }: { trust: OperatorContext },
  { params: { id } }: { params: { id: string } },
): Promise<Shown> {
  const verdicts = await publicDecisions(trust, id);
  if (verdicts === null) throw commonErrors.not_found();
  const allowed = verdicts.filter(({ reason }) => reason === 'OK').length;
  return {
    title: `Operator ${id}`,
    searched: id,
    body: html`<p class="kicker">Operator</p>
<h1 class="identifier">${id}</h1>
<p class="lead">The gate allows this operator in ${allowed} of ${counted(DOMAINS.length, 'domain')}. Ask it before an agent of the operator
gets access to anything.</p>
<section class="card"><h2>The gate, by domain</h2>
<table class="list stacked"><caption class="hidden">What the gate says now, by domain</caption><thead><tr><th scope="col">Domain</th><th scope="col">Gate</th><th scope="col">Reason</th><th scope="col">Abandoned</th></tr></thead>
<tbody>
${verdicts.map(row)}</tbody></table>
<p class="soft">Abandoned receipts were revoked before they had an outcome, or have none for 30 days or past their expiry.
${blindSentence(verdicts)}</p></section>
${proofSection(trust.url ?? '', id)}`,
  };
}

/** Says how many of the newest blind receipts are breaches, of all domains. */
function blindSentence(verdicts: readonly GateDecision[]): string {
  const { breaches, of } = verdicts[0]?.blind ?? { breaches: 0, of: 0 };
  return of === 0
    ? 'It has no blind receipt of late.'
    : `Of its newest ${counted(of, 'blind receipt')} in all domains, ${breaches} ${breaches === 1 ? 'is a breach' : 'are breaches'}.`;
}

function row({ domain, reason, abandoned }: GateDecision & { domain: string }): Html {
  const verdict = reason === 'OK' ? tag('Allowed', 'good') : tag('Denied', 'bad');
  return html`<tr><th scope="row" class="nowrap">${nameOf(domain)}</th><td>${verdict}</td>
<td>${MEANINGS[reason]} <span class="soft">${hash(reason)}</span></td>
<td class="nowrap">${abandoned.abandoned} of ${abandoned.of}</td></tr>
`;
}

function proofSection(url: string, id: string): Html {
  const request = `curl '${url}/api/v1/gate/verify?signed=1' \\
  -H 'Content-Type: application/json' \\
  -d '{"operator_id": "${id}", "domain": "${DOMAINS[0]}"}'`;
  return html`<section class="card"><h2>A decision for others to rely on</h2>
<p>This page is of this moment and not signed. A signed decision names the operator, one domain, and until when it is valid:</p>
<pre>${request}</pre>
<p class="soft">The name of the operator, its receipts and its stake are not public. A receipt names its operator to whoever has the receipt.</p></section>
`;
}
