import { SIGN_RECEIPT, SIGN_TICK } from '../http/icon.ts';
import { html } from './html.ts';

/** The sign of the product in a header of a page: a receipt with a check mark. */
export const SIGN = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path fill="currentColor" d="${SIGN_RECEIPT}"/><path class="tick" fill="none" d="${SIGN_TICK}"/></svg>`;
