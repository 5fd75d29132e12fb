import type { KindResult, MarketResult } from '../../test/support/market/simulation.ts';
import { daysUntilScore, labelOf, resultOf } from './results.ts';

/**
 * Returns a page with its tables of the market written anew: what is between `<!-- market NAME … -->` and
 * `<!-- end -->`.
 * @throws Error for a page without one of the tables
 */
export function withTables(page: string, result: MarketResult): string {
  let text = page;
  for (const [name, table] of Object.entries({ attempts: attempts(result), kinds: kindsTable(result) })) {
    const place = new RegExp(`(<!-- market ${name}:[^\\n]*-->\\n)(?:\\|[^\\n]*\\n)*(<!-- end -->)`);
    if (!place.test(text)) throw new Error(`the page has no place for the table ${name} of the market`);
    text = text.replace(place, (_all, begin: string, end: string) => `${begin}${table}\n${end}`);
  }
  return text;
}

/** What can be tried, what it costs and what it gives. */
function attempts(result: MarketResult): string {
  const of = (name: string) => resultOf(result, name);
  const { work } = result;
  // By the hash, since how many a proof takes is chance.
  const ofProof = (work.cpuSeconds / work.hashes) * 16 ** work.difficulty;
  const seconds = (proofs: number) =>
    `${proofs} proof${proofs === 1 ? '' : 's'} of work (${(proofs * ofProof).toFixed(1)} CPU seconds)`;
  const price = ({ strangers, subscriptions, bought }: KindResult) =>
    [
      ...(subscriptions > 0 ? [`$${49 * subscriptions} a month`] : []),
      seconds(strangers),
      `${bought} credit${bought === 1 ? '' : 's'} that come${bought === 1 ? 's' : ''} back`,
    ].join(', ');
  const rise = (kind: KindResult) => `A score of ${kind.highest} after ${daysUntilScore(kind)} days`;
  const [alone, pair, ring] = [of('sybil'), of('pair'), of('ring')];
  const [star, paidStar] = [of('hired-by-4'), of('paid-hired-by-4')];
  const [liar, silent] = [of('lying-firm'), of('lazy-silent')];
  return table(
    ['Attempt', 'What it costs', 'What it gives'],
    [
      ['Sign thousands of traces', 'Nothing', 'Rank by evidence, no score'],
      [
        'Issue receipts for oneself with an operator of one’s own',
        seconds(alone.strangers),
        `At most 10 sponsored successes. ${rise(alone)}`,
      ],
      ['Two operators that hire each other', price(pair), `Nothing more: ${pair.highest}`],
      [
        'A ring of three such operators: a pays b, b pays c, c pays a',
        price(ring),
        `Nothing more: ${ring.highest}. Operators that agents made for themselves corroborate nothing`,
      ],
      [
        'Hire oneself from 4 such operators, and give the credits back through another',
        price(star),
        `Nothing more: ${star.highest}`,
      ],
      [
        'The same with 4 operators that have a subscription; a ring of them does as well',
        price(paidStar),
        `5 deliveries for each operator that pays, for all agents of its payee together; flows between two sponsors do not show the way back. ${rise(paidStar)}`,
      ],
      [
        'Issue receipts of work that nobody did, with a subscription',
        '$49 a month, for any number of agents',
        `${rise(liar)}; \`score_corroborated\` is ${liar.corroborated[1]}`,
      ],
      ['Revoke the receipts of failures', 'Nothing', 'Better rates. The score keeps the failures'],
      [
        'Leave failures without an outcome, or revoke them while pending',
        'Nothing',
        'No failure, and `abandoned` in the profile, the gate and the manifest',
      ],
      [
        'Carry the pay back with an agent that changes its sponsor',
        'Nothing',
        'Nothing: its credits count as a payment',
      ],
      ['Pay hires by a card, and dispute the payment', 'The fees', 'Deliveries that no longer count'],
      ['Assess oneself, or each other', 'Nothing', 'Nothing, unless the administrator lists the assessor'],
      [
        'Do 3 of 10 tasks badly in the market, return what is disputed, and sign no failure',
        'The credits of the disputed tasks',
        `What is not accepted counts nothing. ${rise(silent)}`,
      ],
      [
        'Cheap hires: one credit each',
        'One credit for a delivery',
        'The same as a dear delivery: the number counts, not the price',
      ],
      ['Bribe a hirer that is honest otherwise', 'What the hirer asks', '5 deliveries in 30 days'],
    ],
  );
}

/** The scores of all kinds of agents at the end. */
function kindsTable(result: MarketResult): string {
  return table(
    [
      'Agents',
      '`score`',
      '`score_corroborated`',
      'Days until that, less a point',
      'Credits earned in 30 days',
    ],
    result.kinds.map((kind) => [
      labelOf(kind.name),
      range(kind.lowest, kind.highest),
      range(...kind.corroborated),
      String(daysUntilScore(kind)),
      kind.earned.toLocaleString('en-US'),
    ]),
  );
}

function range(lowest: number, highest: number): string {
  return lowest === highest ? String(lowest) : `${lowest}–${highest}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
