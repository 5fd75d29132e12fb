import { type Content, type Html, html } from '../../../../platform/page/html.ts';
import { tag } from '../../../../platform/page/parts.ts';
import { figure } from '../../../../platform/page/plots/figure.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import { timestampOf } from '../../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../../platform/time/units.ts';
import { sponsorIn } from '../../../agents/passport.ts';
import {
  counted,
  factList,
  grouped,
  hash,
  moment,
  verifyPath,
} from '../../../compliance/packages/page/values.ts';
import { type CardContext, factsIn } from '../../../evidence/cards/card-facts.ts';
import { drawAgent } from '../../../evidence/cards/get-agent-attestation.ts';
import { type Profile, profileIn } from '../../../evidence/profiles/get.ts';
import { plainText, strangerText, tiles } from '../../parts/values.ts';
import type { Shown } from '../shown.ts';
import { evidenceSection } from './evidence.ts';
import { percent, pointsOf, ratePlot } from './rate-plot.ts';

/** The parts of the service that the page of an agent uses. */
export type AgentPageContext = CardContext & {
  /** The URL of the service for its clients. */
  url: string | null;
};

/**
 * Returns the page of an agent, which says what its profile, its passport and its card say.
 * @throws ApiError not_found for an agent that never enrolled
 */
export async function agentPage(
  { trust }: { trust: AgentPageContext },
  { params }: { params: { hash: string } },
): Promise<Shown> {
  const now = trust.clock.now();
  const { facts, profile, sponsor } = await trust.store.read(async (snapshot) => {
    const facts = await factsIn(snapshot, trust, params.hash);
    return {
      facts,
      profile: await profileIn(snapshot, params.hash, now),
      sponsor: await sponsorIn(snapshot, facts.agent),
    };
  });
  const { subject_commitment, name, state, presentation } = profile;
  const { issuedAt, revokedAt, publicKey } = facts.agent;
  const card = drawAgent({ ...facts, performance: profile });
  const shown: (readonly [string, Content])[] = [
    ['Commitment', hash(subject_commitment)],
    ['Enrolled', moment(issuedAt)],
    ...(revokedAt === null ? [] : [['Revoked', moment(revokedAt)] as const]),
    ['Sponsor', sponsor === null ? 'none' : strangerText(sponsor)],
    ['Public key', hash(publicKey)],
    ...(presentation === null ? [] : [['Photo', strangerText(presentation.photo_url)] as const]),
  ];
  return {
    title: name === null ? `Agent ${subject_commitment.slice(0, 12)}` : `Agent ${plainText(name)}`,
    body: html`<p class="kicker">Agent</p>
<h1>${name === null ? 'Unnamed agent' : strangerText(name)}</h1>
<p class="lead">${tag(nameOf(state), state === 'REVOKED' ? 'bad' : 'good')} ${state === 'REVOKED' ? 'It can never act again. Its counters are those before the revocation.' : 'The agent proved that it has this key. Its name is what it calls itself.'}</p>
<div class="halves even">
<p class="picture"><img alt="The card of this agent. This page has its contents as text." src="data:image/svg+xml;base64,${Buffer.from(card.svg, 'utf8').toString('base64')}"></p>
<section class="card"><h2>Identity</h2>
${factList(shown)}</section>
</div>
${totalTiles(profile)}${rateSection(profile, now)}${evidenceSection(profile, now)}<div class="halves even">
${documentSection(subject_commitment)}${cardSection(subject_commitment, trust.url ?? '')}</div>
`,
  };
}

function totalTiles({ totals }: Profile): Html {
  const { evidence_count, artifact_count, failure_count, receipts_count } = totals;
  return tiles([
    { name: 'Evidence', value: grouped(evidence_count), note: 'items that the agent signed' },
    { name: 'Artifacts', value: grouped(artifact_count), note: 'commits and deliverables in them' },
    {
      name: 'Receipts',
      value: grouped(receipts_count),
      note: 'that its sponsor finalized; which ones is not public',
    },
    { name: 'Failures', value: grouped(failure_count), note: 'in evidence and receipts' },
  ]);
}

function rateSection(profile: Profile, now: number): Html {
  const { rolling_30d, trajectory_7d, score, score_corroborated } = profile;
  const { success_rate, sample_size } = rolling_30d;
  const { corroborated, sponsored, self_signed } = profile.score_basis;
  if (success_rate === null) {
    return html`<section class="card"><h2>Success rate</h2><p class="empty">The agent had no outcomes in 30 days, so it has no rate, and its score is 0.</p></section>\n`;
  }
  // Both have four decimals, and so has their difference.
  const before = trajectory_7d === null ? null : Math.round((success_rate - trajectory_7d) * 10_000) / 10_000;
  const outcomes = counted(sample_size, 'outcome');
  const dayOf = (ms: number): string => timestampOf(ms).slice(0, 10);
  return html`<section class="card">
<div class="halves">
${figure({
  caption: 'Success rate',
  note: html`over 30 days, from ${outcomes}; <strong>${trajectoryOf(trajectory_7d)}</strong>`,
  plot: ratePlot(
    { now: success_rate, before, score },
    `The success rate of 30 days is ${percent(success_rate)}${before === null ? '' : `, and was ${percent(before)} a week ago`}. The score is ${score}.`,
  ),
  columns: ['30 days until', 'Success rate'],
  rows: [
    [dayOf(now), percent(success_rate)],
    [dayOf(now - 7 * DAY_MS), before === null ? 'no outcomes' : percent(before)],
  ],
})}
<div><h2>Score</h2>
<p class="score"><strong>${score}</strong> of 100</p>
<p>With 95% confidence, a lower bound of the success rate (Wilson interval). Others attest ${counted(corroborated, 'outcome')}, which by themselves give ${score_corroborated};
its sponsor attests ${grouped(sponsored)}, which weigh half. The agent signed ${grouped(self_signed)} more, of which only failures weigh.</p></div>
</div></section>
`;
}

/** Returns the change of a rate in a week, in words. */
function trajectoryOf(trajectory: number | null): string {
  if (trajectory === null) return 'a week ago there were no outcomes to compare with';
  const points = pointsOf(trajectory);
  if (points === 0) return 'the same as a week ago';
  return `${Math.abs(points)} points ${points > 0 ? 'more' : 'less'} than a week ago`;
}

function documentSection(commitment: string): Html {
  const agent = `/api/v1/passport/agents/${commitment}`;
  const credential = `/api/v1/credentials/${commitment}`;
  return html`<section class="card"><h2>Signed documents</h2>
<ul class="plain">
<li><a href="${credential}">Reputation credential</a><span class="end"><a href="${verifyPath(credential)}">verify it</a></span><small class="soft">rate and score, as a W3C verifiable credential</small></li>
<li><a href="${agent}/passport">Passport</a><span class="end"><a href="${verifyPath(`${agent}/passport`)}">verify it</a></span><small class="soft">key, state, sponsor, and the head of its chain of evidence</small></li>
<li><a href="/agents/${commitment}/journal#statements">Statements of its credits</a><small class="soft">what it had in each month, and what changed it; from its <a href="/agents/${commitment}/journal">journal</a></small></li>
<li><a href="/account/engagements?agent=${commitment}">Hires</a><small class="soft">with both sides and credits; only for its sponsor, after the login</small></li>
<li><a href="/api/v1/compliance/packages/${commitment}">Compliance package</a><small class="soft">the evidence of 30 days, by the controls of a framework</small></li>
<li><a href="/api/v1/anp/agents/${commitment}">DID document</a><small class="soft">its key and its services, for other agents; not signed</small></li>
</ul></section>
`;
}

function cardSection(commitment: string, url: string): Html {
  const picture = `/api/v1/badge/${commitment}/attestation`;
  return html`<section class="card"><h2>Use this card</h2>
<p>In a README, <a href="${picture}">the picture</a> stays up to date:</p>
<pre>[![Agent](${url}${picture})](${url}/agents/${commitment})</pre>
<p>This page as JSON:</p>
<pre>curl ${url}/api/v1/profiles/${commitment}</pre></section>
`;
}
