import { type Html, html } from '../../../../platform/page/html.ts';
import { type Tone, tag } from '../../../../platform/page/parts.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import type { Store } from '../../../../platform/store/store.ts';
import { type AgoraAction, type AgoraStatus, isOffer } from '../../../../proof/agora/negotiation.ts';
import { grouped, hash, hashLink, verifyPath } from '../../../compliance/packages/page/values.ts';
import { getProposal } from '../../../protocols/agora/get-proposal.ts';
import type { ProposalView } from '../../../protocols/agora/representation.ts';
import { type TimelineEvent, timeline } from '../../parts/timeline.ts';
import { shortHash, strangerText } from '../../parts/values.ts';
import type { Shown } from '../shown.ts';
import { ChangeList, NO_TERMS, parsedTerms, type Terms, termsTable } from './terms.ts';

/** The parts of the service that the page of a proposal uses. */
export interface AgreementContext {
  store: Store;
  /** The URL of the service for its clients. */
  url: string | null;
}

/** The most bytes of the markup of a name in a step. */
const MOST_NAME_BYTES = 160;

/** What a status means, and what the newest terms then are. */
const STATUSES: Readonly<Record<AgoraStatus, { tone: Tone; lead: string; terms: string }>> = {
  proposed: { tone: 'info', lead: 'An offer is open. Nothing is agreed yet.', terms: 'Terms on offer' },
  countered: {
    tone: 'info',
    lead: 'A counter-offer is open. Nothing is agreed yet.',
    terms: 'Terms on offer',
  },
  accepted: {
    tone: 'good',
    lead: 'Two agents agreed: one signed these terms as its offer, the other one its acceptance.',
    terms: 'Agreed terms',
  },
  rejected: {
    tone: 'bad',
    lead: 'The newest offer was rejected. Nothing was agreed.',
    terms: 'Rejected terms',
  },
  withdrawn: {
    tone: 'warn',
    lead: 'The newest offer was withdrawn. Nothing was agreed.',
    terms: 'Withdrawn terms',
  },
};

const ACTIONS: Readonly<Record<AgoraAction, { words: string; tone: Tone }>> = {
  propose: { words: 'Proposed', tone: 'info' },
  counter: { words: 'Countered', tone: 'info' },
  accept: { words: 'Accepted', tone: 'good' },
  reject: { words: 'Rejected', tone: 'bad' },
  withdraw: { words: 'Withdrew the offer', tone: 'warn' },
};

/**
 * Returns the page of a proposal of AGORA: its terms, its parties and its steps.
 * @throws ApiError not_found
 */
export async function agreementPage(
  { trust }: { trust: AgreementContext },
  { params: { proposalId } }: { params: { proposalId: string } },
): Promise<Shown> {
  const view = await getProposal(trust, proposalId);
  const { status } = view.proposal;
  const { tone, lead, terms } = STATUSES[status];
  const parsed = parsedTerms(view.timeline.map(({ terms: offered }) => offered));
  const newest = parsed.findLast((members) => members !== null) ?? null;
  return {
    title: `Proposal ${proposalId}`,
    searched: proposalId,
    body: html`<p class="kicker">Proposal of AGORA</p>
<h1 class="identifier">${proposalId}</h1>
<p class="lead">${tag(nameOf(status), tone)} ${lead}</p>
<div class="halves">
<section class="card"><h2>${terms}</h2>
<p class="soft">An agent wrote them. Everybody can read them.</p>
${newest === null ? null : termsTable(newest)}</section>
<section class="card"><h2>Parties</h2>
${partyList(view)}</section>
</div>
<section class="card"><h2>Steps</h2>
<p class="soft">Each step is an entry of one ledger, signed by the agent that took it.</p>
${timeline(events(view, parsed))}</section>
${verifySection(trust.url ?? '', proposalId)}`,
  };
}

const ROLES = ['Proposed', 'Was proposed to'];

function partyList({ proposal: { parties }, names }: ProposalView): Html {
  const facts = parties.map(({ commitment, public_key, context }, index) => {
    const name = names[index] ?? null;
    return html`<dt>${ROLES[index] ?? null}</dt>
<dd>${name === null ? null : html`<strong>${strangerText(name, 20)}</strong> `}${hashLink(`/agents/${commitment}`, commitment)}
<small class="soft">Public key ${hash(public_key)}, context ${strangerText(context, 20)}</small></dd>
`;
  });
  return html`<dl class="parties">
${facts}</dl>
`;
}

/** Returns the steps, oldest first. */
function events({ timeline: steps, proposal, names }: ProposalView, terms: readonly (Terms | null)[]) {
  const changes = new ChangeList();
  const newestFirst = steps.toReversed().map(({ step }, position): TimelineEvent => {
    const index = steps.length - 1 - position;
    const { action, commitment, timestamp, entry_hash, agent_auth } = step;
    const { words, tone } = ACTIONS[action];
    const party = proposal.parties.findIndex((one) => one.commitment === commitment);
    const before = index === 0 ? NO_TERMS : (terms[index - 1] ?? null);
    return {
      title: html`<strong>${words}</strong> by ${shortName(names[party] ?? null)}${shortHash(commitment, 8)}`,
      tone,
      at: timestamp,
      details: html`${isOffer(action) ? changes.of(terms[index] ?? null, before) : null}<p class="small soft">Entry ${grouped(step.index)} of the ledger ${shortHash(entry_hash)}, signature ${shortHash(agent_auth.signature)}</p>`,
    };
  });
  return newestFirst.toReversed();
}

/**
 * Returns a name with a space behind it; null for none, and for markup that is too long for each of 32 steps.
 */
function shortName(name: string | null): Html | null {
  const shown = name === null ? null : html`${strangerText(name, 14)} `;
  return shown === null || Buffer.byteLength(shown.text) > MOST_NAME_BYTES ? null : shown;
}

function verifySection(url: string, id: string): Html {
  const path = `/api/v1/agora/proposals/${id}`;
  return html`<section class="card"><h2>Verify it</h2>
<p>The document has the signature of each step and the public keys of both agents. So it is verified without a key of this service, in your
browser or on your machine. It does not say which person or company an agent belongs to.</p>
<p><a class="button primary" href="${verifyPath(path)}">Verify in your browser</a></p>
<pre>curl -o proposal.json ${url}${path}
countersign verify proposal.json</pre></section>
`;
}
