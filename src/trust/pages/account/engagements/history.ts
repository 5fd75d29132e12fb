import { type Html, html } from '../../../../platform/page/html.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import { counted, hash, moment } from '../../../compliance/packages/page/values.ts';
import { type TimelineEvent, timeline } from '../../parts/timeline.ts';
import { strangerText } from '../../parts/values.ts';
import { enderOf, type Hire } from './table.ts';

/** The width in em to which reasons and notes are cut. */
const WORDS_EM = 200;

/**
 * Returns what happened to a hire, oldest first, and what time does to it next.
 * @param deliveredAt RFC 3339: when the evidence was anchored that delivered it; null if nothing did
 */
export function historyOf(hire: Hire, deliveredAt: string | null): Html {
  return timeline(
    [
      held(hire),
      delivered(hire, deliveredAt),
      disputed(hire),
      consented(hire),
      ended(hire),
      next(hire),
    ].filter((event) => event !== null),
  );
}

function held({ amount, created_at }: Hire): TimelineEvent {
  return {
    title: html`<strong>Hired</strong>: ${counted(amount, 'credit')} locked`,
    tone: 'info',
    at: created_at,
  };
}

function delivered({ deliverable_digest, attested_by }: Hire, at: string | null): TimelineEvent | null {
  if (deliverable_digest === null) return null;
  const by =
    attested_by === null
      ? 'before it was recorded who sent the evidence'
      : attested_by === 'worker'
        ? "by the worker's own signed delivery"
        : 'by evidence that the service token sent';
  return {
    title: html`<strong>Delivered</strong> ${by}`,
    tone: 'info',
    at,
    details: html`<p class="small soft">Deliverable ${hash(deliverable_digest)}</p>`,
  };
}

function disputed({ dispute }: Hire): TimelineEvent | null {
  if (dispute === null) return null;
  return {
    title: html`<strong>Disputed</strong> by the hirer`,
    tone: 'bad',
    at: dispute.disputed_at,
    details: html`<p class="small">${strangerText(dispute.reason, WORDS_EM)}</p>`,
  };
}

function consented({ arbiter_consented_at }: Hire): TimelineEvent | null {
  if (arbiter_consented_at === null) return null;
  return { title: 'The arbiter consented to decide', tone: 'info', at: arbiter_consented_at };
}

function ended({ status, ended_by, updated_at, resolution, amount }: Hire): TimelineEvent | null {
  if (ended_by === null) return null;
  const note =
    resolution === null
      ? null
      : html`<p class="small">The worker got ${counted(resolution.worker_amount, 'credit')} of ${amount}: ${strangerText(resolution.note, WORDS_EM)}</p>`;
  return {
    title: html`<strong>${nameOf(status)}</strong> by ${enderOf(ended_by)}`,
    tone: status === 'PAID' || status === 'RESOLVED' ? 'good' : 'warn',
    at: updated_at,
    details: note,
  };
}

function next(hire: Hire): TimelineEvent | null {
  const { status, deadline, accept_by, dispute, stands_still_since } = hire;
  if (stands_still_since !== null) {
    return {
      title: html`Stands still since ${moment(stands_still_since)}: the hirer is frozen, or its sponsor is not active`,
      tone: 'open',
      at: null,
    };
  }
  if (status === 'HELD') {
    return deadline === null
      ? { title: 'Waits for the delivery, without a deadline', tone: 'open', at: null }
      : { title: 'Expires if it is not delivered before', tone: 'open', at: deadline };
  }
  if (status === 'DELIVERED') return { title: 'Paid without an acceptance at', tone: 'open', at: accept_by };
  if (status !== 'DISPUTED') return null;
  return { title: 'Ends without a decision at', tone: 'open', at: dispute?.until ?? null };
}
