import type { Issues } from '../../../../platform/http/errors/errors.ts';
import { type Content, type Html, html } from '../../../../platform/page/html.ts';
import { alert, choices, textField } from '../../../../platform/page/parts.ts';
import { nameOf } from '../../../../platform/page/words.ts';
import { findAgentIn } from '../../../agents/agents.ts';
import {
  counted,
  factList,
  grouped,
  hash,
  hashLink,
  moment,
} from '../../../compliance/packages/page/values.ts';
import { evidenceByHashIn } from '../../../evidence/find-items.ts';
import { type OwnSides, readOwnEngagement } from '../../../hires/engagements/get.ts';
import { strangerText } from '../../parts/values.ts';
import { csrfField, problemAlert } from '../page/parts.ts';
import type { Problem } from '../problem.ts';
import type { PageResponse, Visitor } from '../response.ts';
import type { AccountSite } from '../site.ts';
import { historyOf } from './history.ts';
import { type Move, type MoveForm, movesOf } from './moves.ts';
import { agentName, type Hire, PATH, pathOf, stateTags } from './table.ts';

/** The width in em to which the task_id and the description are cut. */
const [TASK_EM, DESCRIPTION_EM] = [60, 200];

/** A move that was refused, with its form. */
interface Refused {
  move: Move;
  form: MoveForm;
  problem: Problem;
}

/**
 * Returns the page of a hire, for its parties: its terms, its history, and the moves that its state has.
 * @throws ApiError not_found, including for a hire of others
 */
export async function hirePage(
  { trust, hasExplorer }: AccountSite,
  visitor: Visitor,
  taskId: string,
  { isDone = false, refused = null }: { isDone?: boolean; refused?: Refused | null } = {},
): Promise<PageResponse> {
  const { engagement: hire, sides } = await readOwnEngagement(trust, visitor.principal, taskId);
  const { evidence_event_hash: evidence, worker_commitment } = hire;
  const deliveredAt =
    evidence === null
      ? null
      : await trust.store.read(async (snapshot) => {
          const worker = await findAgentIn(snapshot, worker_commitment);
          const item = worker === null ? null : await evidenceByHashIn(snapshot, worker.agentSeq, evidence);
          return item?.createdAt ?? null;
        });
  const moves = movesOf(hire, sides, visitor);
  const shownMove = refused !== null && moves.includes(refused.move) ? refused : null;
  return {
    page: {
      title: 'Hire',
      current: PATH,
      visitor,
      body: html`<p class="kicker"><a href="${PATH}">Hires</a></p>
<h1 class="name">${strangerText(taskId, TASK_EM)}</h1>
<p>${stateTags(hire)} ${sideWords(sides)}</p>
${isDone ? alert('good', html`<p>Done. The hire is ${nameOf(hire.status).toLowerCase()} now.</p>`) : null}${
  refused !== null && shownMove === null ? problemAlert(refused.problem, []) : null
}<section class="card"><h2>History</h2>
${historyOf(hire, deliveredAt)}</section>
${movesCard(visitor, hire, moves, sides, shownMove)}<section class="card"><h2>Terms</h2>
${factList(facts(hire, hasExplorer))}</section>`,
    },
  };
}

function sideWords({ hirer, worker, arbiter }: OwnSides): string {
  if (hirer && worker) return 'Both sides are yours.';
  if (hirer) return 'Your agent hires.';
  if (worker) return 'Your agent works.';
  return arbiter ? 'Your agent is the arbiter.' : '';
}

function facts(hire: Hire, hasExplorer: boolean): (readonly [string, Content])[] {
  const { arbiter_commitment: arbiter, description, portions, receipt_id: receipt } = hire;
  const rest = hire.resolution?.return_receipt_id ?? null;
  const classes = Object.entries(portions).filter(([, amount]) => amount > 0);
  return [
    ['Hirer', agentName(hire.hirer_commitment, hasExplorer)],
    ['Worker', agentName(hire.worker_commitment, hasExplorer)],
    ...(arbiter === null ? [] : [['Arbiter', agentName(arbiter, hasExplorer)] as const]),
    [
      'Credits',
      `${grouped(hire.amount)} (${classes.map(([name, amount]) => `${grouped(amount)} ${name}`).join(', ')})`,
    ],
    ...(description === null ? [] : [['Task', strangerText(description, DESCRIPTION_EM)] as const]),
    [
      'Delivers',
      hire.delivery === 'worker' ? 'only the worker itself' : 'the worker, or evidence by the service token',
    ],
    ['Deadline', hire.deadline === null ? 'none' : moment(hire.deadline)],
    ...(hire.accept_by === null ? [] : [['Accept by', moment(hire.accept_by)] as const]),
    ...(hire.dispute?.until == null ? [] : [['Dispute until', moment(hire.dispute.until)] as const]),
    ['Terms digest', hash(hire.terms_digest)],
    ...(receipt === null ? [] : [['Receipt', receiptLink(receipt, hasExplorer)] as const]),
    ...(rest === null || rest === receipt
      ? []
      : [['Receipt of the rest', receiptLink(rest, hasExplorer)] as const]),
    ['As JSON', html`<code>GET /api/v1/passport/engagements/${encodeURIComponent(hire.task_id)}</code>`],
  ];
}

const receiptLink = (receipt: string, hasExplorer: boolean): Html =>
  hasExplorer ? hashLink(`/receipts/${receipt}`, receipt) : hash(receipt);

/** What a move does, before its button. */
const MOVES: Readonly<
  Record<Move, { name: string; tone: 'primary' | 'danger'; says: (hire: Hire) => string }>
> = {
  accept: {
    name: 'Accept the delivery',
    tone: 'primary',
    says: ({ amount }) =>
      `The worker gets ${counted(amount, 'credit')}, with a receipt. This cannot be undone.`,
  },
  dispute: {
    name: 'Dispute the delivery',
    tone: 'danger',
    says: () =>
      'Nothing is paid by time then. You can still accept, the worker can refund, or the dispute is decided.',
  },
  cancel: {
    name: 'Cancel the hire',
    tone: 'danger',
    says: ({ amount }) => `${counted(amount, 'credit')} return to the hirer.`,
  },
  decline: {
    name: 'Decline the hire',
    tone: 'danger',
    says: ({ amount }) => `${counted(amount, 'credit')} return to the hirer, and the worker owes nothing.`,
  },
  refund: {
    name: 'Refund the hirer',
    tone: 'danger',
    says: ({ amount }) => `The worker gives up its pay: ${counted(amount, 'credit')} return to the hirer.`,
  },
  resolve: {
    name: 'Decide the dispute, as the administrator',
    tone: 'primary',
    says: ({ amount }) =>
      `The worker gets a part of ${counted(amount, 'credit')}, and the rest returns to the hirer. Both see the note.`,
  },
};

function movesCard(
  visitor: Visitor,
  hire: Hire,
  moves: readonly Move[],
  sides: OwnSides,
  refused: Refused | null,
): Html | null {
  const commands = commandsOf(hire, sides);
  if (moves.length === 0 && commands.length === 0) return null;
  return html`<section class="card"><h2>What you can do</h2>
${commands.map(({ says, command }) => html`<p>${says}</p>\n<pre>${command}</pre>\n`)}${moves.map((move) =>
  moveForm(visitor, hire, move, refused?.move === move ? refused : null),
)}</section>
`;
}

function moveForm(visitor: Visitor, hire: Hire, move: Move, refused: Refused | null): Html {
  const { name, tone, says } = MOVES[move];
  const issues = refused?.problem.issues ?? {};
  const value = (field: keyof MoveForm): string => refused?.form[field] ?? '';
  const fields = {
    reason: { name: 'reason', label: 'Reason', value: value('reason'), required: true, maxLength: 1024 },
    amount: {
      ...{ name: 'worker_amount', label: 'Credits of the worker', value: value('worker_amount') },
      ...{ required: true, maxLength: 16, hint: `0 to ${hire.amount}` },
    },
    note: { name: 'note', label: 'Note', value: value('note'), required: true, maxLength: 1024 },
  };
  const shown = move === 'dispute' ? [fields.reason] : move === 'resolve' ? [fields.amount, fields.note] : [];
  return html`<details class="add"${refused === null ? null : html` open`}><summary>${name}</summary><div>
${problemAlert(
  refused?.problem ?? null,
  shown.map((field) => field.name),
)}<p>${says(hire)}</p>
<form method="post" action="${pathOf(hire.task_id)}/${move}">${csrfField(visitor)}${shown.map((field) => textField(field, issues))}${
    move === 'dispute' && hire.arbiter_commitment !== null
      ? arbiterChoice(value('refuse_arbiter'), issues)
      : null
  }<div class="actions"><button class="${tone}">${name}</button></div></form></div></details>
`;
}

function arbiterChoice(value: string, issues: Issues): Html {
  const option = {
    value: 'true',
    label: 'Refuse the arbiter',
    hint: 'The worker chose it. Without it an administrator decides. Later you cannot refuse it.',
  };
  const field = { name: 'refuse_arbiter', legend: 'Arbiter', type: 'checkbox', options: [option] } as const;
  return choices(field, [value], issues);
}

/** Returns what an agent has to sign itself, which no page can do. */
function commandsOf({ status, task_id, arbiter_commitment, arbiter_consented_at }: Hire, sides: OwnSides) {
  const task = quoted(task_id);
  const commands: { says: string; command: string }[] = [];
  if (status === 'HELD' && sides.worker) {
    commands.push({
      says: 'The worker delivers with what it signs:',
      command: `countersign engagements show ${task} > engagement.json
countersign sign engagement.json --key worker.pem --delivers FILE > signed.json
countersign engagements deliver ${task} --data-file signed.json`,
    });
  }
  const isOpen = status === 'DELIVERED' || status === 'DISPUTED';
  if (isOpen && sides.arbiter && arbiter_commitment !== null) {
    if (arbiter_consented_at === null) {
      commands.push({
        says: 'The arbiter can decide once it has consented, by its signature:',
        command: `countersign engagements show ${task} > engagement.json
countersign sign engagement.json --key arbiter.pem --consents > consent.json
countersign engagements consent ${task} --data-file consent.json`,
      });
    } else if (status === 'DISPUTED') {
      commands.push({
        says: 'The arbiter decides by its signature: countersign authorize signs the body of',
        command: `POST /api/v1/passport/engagements/${encodeURIComponent(task_id)}/resolve`,
      });
    }
  }
  return commands;
}

/** Returns a text as one word of a shell. */
const quoted = (text: string): string =>
  /^[\w.:-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", "'\\''")}'`;
