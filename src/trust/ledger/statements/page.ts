import { type RenderedPage, renderPage } from '../../../platform/page/document.ts';
import { type Content, type Html, html } from '../../../platform/page/html.ts';
import { nameOf } from '../../../platform/page/words.ts';
import { availableBy, lockedBy } from '../../../proof/ledger/figures.ts';
import type { PageSite } from '../../http/serving.ts';
import type { MonthStatement } from './get-statement.ts';

const CLASS_NAMES: Readonly<Record<string, string>> = {
  promotional: 'Promotional credits',
  paid: 'Paid credits',
  sandbox: 'Sandbox credits',
};

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** Returns a statement as a page for people, which contains the JSON as a download. */
export function statementPage(statement: MonthStatement, { notice }: PageSite): RenderedPage {
  const { closing, interim, held = [] } = statement;
  const owner = statement.operator_id ?? statement.subject_commitment ?? '';
  const [year = '', month = ''] = statement.month.split('-');
  const title = `Statement of ${MONTHS[Number(month) - 1] ?? month} ${year}`;
  const classes = Object.keys(closing);
  const body = html`<header>
<p class="kicker">${interim ? 'Interim statement, not signed' : 'Monthly statement'}</p>
<h1>${title}</h1>
${factList(factsOf(statement, owner))}
</header>
${
  classes.length === 0
    ? html`<p class="empty">The account had no credits in this month.</p>`
    : classes.map((asset) => classSection(statement, asset))
}${
  held.length === 0
    ? null
    : html`<section class="together"><h2>Held</h2>
<p>Paid credits that cannot be withdrawn yet.</p>
<table class="stacked"><thead><tr><th scope="col">Until</th><th scope="col" class="number">Credits</th></tr></thead>
<tbody>
${held.map(({ amount, until }) => html`<tr><th scope="row">${moment(until)}</th><td class="number">${grouped(amount)}</td></tr>\n`)}</tbody></table></section>
`
}${journalSection(statement)}`;
  return renderPage({
    title,
    margins: {
      topLeft: 'Countersign',
      topRight: title,
      bottomLeft: owner.length > 40 ? `${owner.slice(0, 20)}…` : owner,
    },
    body,
    notice,
  });
}

function factsOf({ from, until, issued_at, operator_id }: MonthStatement, owner: string): Fact[] {
  return [
    [operator_id === undefined ? 'Agent' : 'Operator', hash(owner)],
    ['Period', html`${moment(from)} to ${moment(until)}`],
    ['Made', moment(issued_at)],
  ];
}

function classSection({ opening, closing, movements, turnover }: MonthStatement, asset: string): Html {
  const [began, ended] = [balanceOf(opening, asset), balanceOf(closing, asset)];
  const isAgent = turnover !== undefined;
  const cell = (label: string, text: string): Html =>
    text === '' ? html`<td></td>` : html`<td class="number" data-label="${label}">${text}</td>`;
  const row = (name: Content, count: string, available: string, locked: string): Html =>
    html`<tr><th scope="row">${name}</th>${cell('Entries', count)}${cell('Available', available)}${
      isAgent ? cell('Locked', locked) : null
    }</tr>\n`;
  const own = movements.filter((sum) => sum.asset === asset);
  return html`<section class="together"><h2>${CLASS_NAMES[asset] ?? asset}</h2>
<table class="stacked"><thead><tr><th scope="col">Movements</th><th scope="col" class="number">Entries</th><th scope="col" class="number">Available</th>${
    isAgent ? html`<th scope="col" class="number">Locked</th>` : null
  }</tr></thead>
<tbody>
${row('Opening balance', '', grouped(began.available), grouped(began.locked))}${own.map((sum) =>
  row(nameOf(sum.kind), grouped(sum.count), signed(availableBy(sum)), signed(lockedBy(sum))),
)}${row('Closing balance', '', grouped(ended.available), grouped(ended.locked))}</tbody></table>
${isAgent ? turnoverLine(turnover, asset) : null}</section>
`;
}

function turnoverLine(turnover: NonNullable<MonthStatement['turnover']>, asset: string): Html | null {
  const sums = turnover[asset];
  return sums === undefined
    ? null
    : html`<p class="soft">Granted ${grouped(sums.granted)}, earned ${grouped(sums.earned)}, spent ${grouped(sums.spent)}.</p>\n`;
}

function journalSection(statement: MonthStatement): Html {
  const { journal, interim, month } = statement;
  const { signature, kid } = statement;
  const data = Buffer.from(JSON.stringify(statement), 'utf8').toString('base64');
  const facts: Fact[] = [
    ['Entries of the period', grouped(journal.entries)],
    ['Entries up to its end', grouped(journal.length)],
    ['Newest entry before it', journal.opening_head === null ? 'none' : hash(journal.opening_head)],
    ['Newest entry at its end', journal.head === null ? 'none' : hash(journal.head)],
    ...(signature === undefined || kid === undefined
      ? []
      : [['Key', hash(kid)] as const, ['Signature', hash(signature)] as const]),
  ];
  return html`<section class="together"><h2>Journal</h2>
<p>The sums are those of the account's journal, whose entries are a chain of hashes. ${
    interim
      ? 'The month is not over, so this statement is not signed.'
      : html`The signed document is verified by <code>countersign verify statement-${month}.json --keys keys.json</code>.`
  }</p>
${factList(facts)}
<p><a class="screen" download="statement-${month}.json" href="data:application/json;base64,${data}">Download the document.</a></p></section>
`;
}

type Fact = readonly [name: string, value: Content];

function balanceOf(by: MonthStatement['opening'], asset: string): { available: number; locked: number } {
  const found = Object.entries(by).find(([name]) => name === asset)?.[1];
  return { available: found?.available ?? 0, locked: found?.locked ?? 0 };
}

const hash = (text: string): Html => html`<span class="hash">${text}</span>`;
const moment = (at: string): Html =>
  html`<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>`;
const grouped = (value: number): string => value.toLocaleString('en-US');
const signed = (value: number): string =>
  value === 0 ? '' : value > 0 ? `+${grouped(value)}` : `−${grouped(-value)}`;

function factList(facts: readonly Fact[]): Html {
  return html`<dl class="facts">
${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>`;
}
