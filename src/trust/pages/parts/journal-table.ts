import type { CREDIT_CLASSES } from '../../../../db/trust/ledger-enums.ts';
import { type Html, html } from '../../../platform/page/html.ts';
import { type Tone, tag } from '../../../platform/page/parts.ts';
import { nameOf } from '../../../platform/page/words.ts';
import { grouped, hashLink, momentOfColumn } from '../../compliance/packages/page/values.ts';
import type { JournalEntryView } from '../../ledger/journals/schema.ts';
import { shortHash, strangerText } from './values.ts';

const TONES: Readonly<Record<(typeof CREDIT_CLASSES)[number], Tone>> = {
  paid: 'good',
  promotional: 'info',
  sandbox: 'warn',
};

/** The widths in em to which references and memos are cut. */
const [REFERENCE_EM, MEMO_EM] = [16, 24];

const COMMITMENT = /^[0-9a-f]{64}$/;

/**
 * Returns entries of a journal as a table.
 * @param hasExplorer whether agents have pages
 */
export function journalTable(entries: readonly JournalEntryView[], hasExplorer: boolean): Html {
  return html`<table class="list stacked"><caption class="hidden">Newest first</caption>
<thead><tr><th scope="col">Movement</th><th scope="col">With</th><th scope="col">Reference</th><th scope="col">Time (UTC)</th><th scope="col" class="number">Credits</th><th scope="col" class="number">Balance</th></tr></thead>
<tbody>
${entries.map((entry) => row(entry, hasExplorer))}</tbody></table>`;
}

function row(entry: JournalEntryView, hasExplorer: boolean): Html {
  const { kind, asset, of, memo, counterparty, reference, created_at, direction, amount, balance_after } =
    entry;
  const sign = direction === 'credit' ? '+' : '−';
  return html`<tr><th scope="row">${nameOf(kind)} ${tag(asset, TONES[asset])}${
    of === undefined ? null : html`<p class="small soft">from locked credits</p>`
  }${memo === null ? null : html`<p class="small soft">${strangerText(memo, MEMO_EM)}</p>`}</th>
<td data-label="With">${party(counterparty, hasExplorer)}</td>
${reference === null ? html`<td></td>` : html`<td data-label="Reference">${strangerText(reference, REFERENCE_EM)}</td>`}
<td data-label="Time (UTC)">${momentOfColumn(created_at)}</td>
<td class="number" data-label="Credits">${sign}${grouped(amount)}</td>
<td class="number" data-label="Balance">${grouped(balance_after)}</td></tr>
`;
}

/** Returns the other side of an entry: an agent, an operator, or an account of the service. */
function party(name: string, hasExplorer: boolean): Html {
  return hasExplorer && COMMITMENT.test(name)
    ? hashLink(`/agents/${name}`, `${name.slice(0, 12)}…`)
    : shortHash(name);
}
