import { type Html, html } from '../../../../platform/page/html.ts';
import { grouped, moment } from '../../../compliance/packages/page/values.ts';
import { type Held, heldAmount } from '../../../ledger/lots/held.ts';
import type { Portions } from '../../../ledger/portions.ts';

/** The ends of holds that a page names. */
const HOLDS_SHOWN = 5;

/**
 * Returns the tiles of a pool: what it has of each class.
 * @param held paid credits that cannot be withdrawn yet
 */
export function poolTiles(pool: Portions, held: readonly Held[]): Html {
  const heldCredits = heldAmount(held);
  return html`<div><dt>Paid credits</dt><dd>${grouped(pool.paid)}</dd></div>
<div><dt>Withdrawable</dt><dd>${grouped(pool.paid - heldCredits)}</dd></div>
<div><dt>Held</dt><dd>${grouped(heldCredits)}</dd></div>
<div><dt>Promotional credits</dt><dd>${grouped(pool.promotional)}</dd></div>
${pool.sandbox > 0 ? html`<div><dt>Sandbox credits</dt><dd>${grouped(pool.sandbox)}</dd></div>\n` : null}`;
}

/** Returns until when credits are held; null if none are. */
export function heldNote(held: readonly Held[]): Html | null {
  if (held.length === 0) return null;
  const others = held.slice(HOLDS_SHOWN);
  const last = others.at(-1);
  return html`<section class="card" id="held"><h2>Held credits</h2>
<p class="soft">Held credits can be spent. Agents can withdraw them after the hold.</p>
<dl class="facts">${held
    .slice(0, HOLDS_SHOWN)
    .map(({ amount, until }) => html`<dt>${grouped(amount)}</dt><dd>until ${moment(until)}</dd>`)}</dl>
${last === undefined ? null : html`<p class="soft">Another ${grouped(heldAmount(others))} until ${moment(last.until)} at the latest.</p>`}</section>
`;
}
