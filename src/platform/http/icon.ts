/** The sign of the product, in a square of 20: a receipt. */
export const SIGN_RECEIPT =
  'M4 1h12a1 1 0 0 1 1 1v17l-2-1.5L12.5 19 10 17.5 7.5 19 5 17.5 3 19V2a1 1 0 0 1 1-1z';
/** The check mark on the receipt. */
export const SIGN_TICK = 'm6.5 8.5 2.5 2.5 4.5-5';

/** The icon of every page, as a URL: pages load nothing. Light and dark tabs show blue and white. */
export const ICON_URL = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path fill="#2f7de1" d="${SIGN_RECEIPT}"/>` +
    `<path fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" d="${SIGN_TICK}"/></svg>`,
)}`;
