import { type Html, html } from '../../../../platform/page/html.ts';
import { identiconOf, SIDE } from '../../../evidence/cards/identicon.ts';

/** Returns the identicon of an agent in its light colours, which need no style of their own. */
export function avatar(commitment: string): Html {
  const { background, body, accent, bodyPath, accentPath } = identiconOf(commitment);
  return html`<svg class="avatar" viewBox="0 0 ${SIDE} ${SIDE}" aria-hidden="true"><rect fill="${background[0]}" width="${SIDE}" height="${SIDE}"/><path fill="${body[0]}" d="${bodyPath}"/><path fill="${accent[0]}" d="${accentPath}"/></svg>`;
}
