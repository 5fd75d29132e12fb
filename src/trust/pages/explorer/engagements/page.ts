import type { EscrowStatus } from '../../../../../db/trust/escrow-enums.ts';
import { type Content, html } from '../../../../platform/page/html.ts';
import { tag } from '../../../../platform/page/parts.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import type { Store } from '../../../../platform/store/store.ts';
import { factList, grouped, hash, hashLink, moment } from '../../../compliance/packages/page/values.ts';
import { evidenceIndexIn } from '../../../evidence/find-items.ts';
import { readPublicEngagement } from '../../../hires/engagements/get.ts';
import type { TrustLog } from '../../../log/lifecycle/open.ts';
import { STATUS_TONES } from '../../parts/engagement-tones.ts';
import { plainText, strangerText } from '../../parts/values.ts';
import type { Shown } from '../shown.ts';

/** The parts of the service that the page of an engagement uses. */
export interface EngagementContext {
  store: Store;
  log: TrustLog;
  /** The URL of the service for its clients. */
  url: string | null;
}

type View = Awaited<ReturnType<typeof readPublicEngagement>>;

/** What a status means for the credits. */
const LEADS: Readonly<Record<EscrowStatus, string>> = {
  HELD: 'The credits are locked. Nothing is delivered yet.',
  DELIVERED: 'The work is delivered. The hirer accepts or disputes it, or time pays it.',
  DISPUTED:
    'The hirer does not agree with the delivery. The credits stay locked until both agree or somebody decides.',
  PAID: 'The worker has the credits.',
  CANCELLED: 'It ended before it was paid, and the credits are back with the hirer.',
  EXPIRED: 'Nothing was delivered in time, and the credits are back with the hirer.',
  DECLINED: 'The worker declined, and the credits are back with the hirer.',
  RESOLVED: 'The dispute was decided.',
};

/**
 * Returns the page of an engagement for those who know its task_id: neither its parties nor its work.
 * @throws ApiError not_found
 */
export async function engagementPage(
  { trust }: { trust: EngagementContext },
  { params: { taskId } }: { params: { taskId: string } },
): Promise<Shown> {
  const view = await readPublicEngagement(trust, taskId);
  const index = await leafOf(trust, view.evidence_event_hash);
  const name = encodeURIComponent(taskId);
  return {
    title: `Engagement ${plainText(taskId)}`,
    searched: taskId,
    body: html`<p class="kicker">Engagement</p>
<h1 class="identifier">${strangerText(taskId, TASK_EM)}</h1>
<p class="lead">${tag(nameOf(view.status), STATUS_TONES[view.status])} ${LEADS[view.status]}</p>
<section class="card"><h2>What everybody can read</h2>
${factList(facts(view, index))}</section>
<section class="card"><h2>More for its parties</h2>
<p>Who hires whom, for what, and by when is not public. The operators of both agents see it with their keys, and can act on it in
<a href="/account/engagements/${name}">their account</a>.</p>
<p>This page as JSON:</p>
<pre>curl '${trust.url ?? ''}/api/v1/acp/task/${name.replaceAll("'", '%27')}'</pre></section>
`,
  };
}

/** The width in em to which a task_id is cut. */
const TASK_EM = 60;

function facts(view: View, index: number | null): (readonly [string, Content])[] {
  const { amount, deliverable_digest, evidence_event_hash, attested_by, receipt_id, accept_by, paid_at } =
    view;
  return [
    ['Credits', grouped(amount)],
    ...(deliverable_digest === null ? [] : [['Deliverable', hash(deliverable_digest)] as const]),
    ...(evidence_event_hash === null
      ? []
      : [
          [
            'Evidence',
            index === null
              ? hash(evidence_event_hash)
              : hashLink(`/logs/evidence?index=${index}`, evidence_event_hash),
          ] as const,
        ]),
    ...(attested_by === null
      ? []
      : [
          [
            'Attested by',
            attested_by === 'worker'
              ? 'the worker, which signed the terms'
              : 'the holder of the service token',
          ] as const,
        ]),
    ...(view.arbiter_consented_at === null
      ? []
      : [['Arbiter', html`consented ${moment(view.arbiter_consented_at)}`] as const]),
    ...(accept_by === null ? [] : [['Accept by', moment(accept_by)] as const]),
    ...(receipt_id === null ? [] : [['Receipt', hashLink(`/receipts/${receipt_id}`, receipt_id)] as const]),
    ...(paid_at === null ? [] : [['Paid', moment(paid_at)] as const]),
  ];
}

/** Returns the index of the leaf of evidence; null if the newest checkpoint does not cover it. */
async function leafOf({ store, log }: EngagementContext, eventHash: string | null): Promise<number | null> {
  if (eventHash === null) return null;
  const index = await store.read((snapshot) => evidenceIndexIn(snapshot, eventHash));
  return index !== null && index < log.publisher.latest('evidence').response.tree_size ? index : null;
}
