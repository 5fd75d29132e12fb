import type { EscrowStatus } from '../../../../../db/trust/escrow-enums.ts';
import { type Html, html } from '../../../../platform/page/html.ts';
import { tag } from '../../../../platform/page/parts.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import { grouped, hashLink, momentOfColumn } from '../../../compliance/packages/page/values.ts';
import type { escrowView } from '../../../hires/escrow/representation.ts';
import { STATUS_TONES } from '../../parts/engagement-tones.ts';
import { shortHash, strangerText } from '../../parts/values.ts';

/** The path of the page of all hires, below which each hire has its page. */
export const PATH = '/account/engagements';

export type Hire = ReturnType<typeof escrowView>;

/** A hire, and on which of its sides the operator is. */
export type OwnHire = Hire & { isHirer: boolean; isWorker: boolean };

/** The width in em to which task_ids are cut. */
const TASK_EM = 20;

/** What happens to an open hire when its time is over. */
const DUE: Readonly<Partial<Record<EscrowStatus, string>>> = {
  HELD: 'deadline',
  DELIVERED: 'accept by',
  DISPUTED: 'dispute until',
};

/** Returns the path of the page of a hire. */
export const pathOf = (taskId: string): string => `${PATH}/${encodeURIComponent(taskId)}`;

/** Returns the state of a hire as tags. */
export function stateTags({ status, stands_still_since }: Pick<Hire, 'status' | 'stands_still_since'>): Html {
  return html`${tag(nameOf(status), STATUS_TONES[status])}${stands_still_since === null ? null : html` ${tag('stands still', 'warn')}`}`;
}

/** Returns hires as a table, newest first. */
export function hireTable(hires: readonly OwnHire[], hasExplorer: boolean): Html {
  return html`<table class="list stacked"><caption class="hidden">Newest first</caption>
<thead><tr><th scope="col">Task</th><th scope="col">State</th><th scope="col">Your side</th><th scope="col">Other side</th><th scope="col">Time (UTC)</th><th scope="col" class="number">Credits</th></tr></thead>
<tbody>
${hires.map((hire) => row(hire, hasExplorer))}</tbody></table>`;
}

function row(hire: OwnHire, hasExplorer: boolean): Html {
  const { isHirer, isWorker } = hire;
  const next = nextOf(hire);
  return html`<tr><th scope="row"><a class="name" href="${pathOf(hire.task_id)}">${strangerText(hire.task_id, TASK_EM)}</a></th>
<td>${stateTags(hire)}${next === null ? null : html`<p class="small soft nowrap">${next.words} ${momentOfColumn(next.at)}</p>`}${
    hire.ended_by === null ? null : html`<p class="small soft">by ${enderOf(hire.ended_by)}</p>`
  }</td>
<td data-label="Your side">${isHirer && isWorker ? 'both' : isHirer ? 'hirer' : 'worker'}</td>
<td data-label="Other side">${agentName(isHirer ? hire.worker_commitment : hire.hirer_commitment, hasExplorer)}</td>
<td data-label="Time (UTC)">${momentOfColumn(hire.created_at)}</td>
<td class="number" data-label="Credits">${grouped(hire.amount)}</td></tr>
`;
}

/** Returns what time does to an open hire, and when; null for a hire that time does not end. */
function nextOf({ status, deadline, accept_by, dispute }: Hire): { words: string; at: string } | null {
  const words = DUE[status];
  const at = { HELD: deadline, DELIVERED: accept_by, DISPUTED: dispute?.until ?? null };
  const time = status === 'HELD' || status === 'DELIVERED' || status === 'DISPUTED' ? at[status] : null;
  return words === undefined || time === null ? null : { words, at: time };
}

/** Returns who ended a hire, in words. */
export function enderOf(ender: NonNullable<Hire['ended_by']>): string {
  return ender === 'service' ? 'time or the service' : `the ${ender}`;
}

/** Returns an agent of either side by the beginning of its commitment, as the explorer names strangers. */
export function agentName(commitment: string, hasExplorer: boolean): Html {
  return hasExplorer
    ? hashLink(`/agents/${commitment}`, `${commitment.slice(0, 12)}…`)
    : shortHash(commitment);
}
