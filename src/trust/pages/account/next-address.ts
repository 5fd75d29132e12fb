/** An origin that no service has, to read addresses without one. */
const ORIGIN = 'http://service.invalid';
/** The longest address after a login: that of a search, with 300 characters of at most 12 bytes here. */
const LENGTH_MAX = 4_000;
/** The pages of the account. None of them needs a query. */
const ACCOUNT = /^\/account(?:\/[\w-]{1,80}){0,3}$/;

/**
 * Returns the address that a login leads to: that of a page of the account or of the explorer; null for any
 * other text. Forms and links of strangers can contain any text. So it is taken only if a browser reads it as
 * it is written, as a path of this origin: without `//` or a backslash before a host, control characters,
 * and segments with dots.
 * @param folders the first segments of the paths of the explorer; none without it
 */
export function nextAddress(text: string, folders: ReadonlySet<string>): string | null {
  if (ACCOUNT.test(text)) return text;
  const url = text.length <= LENGTH_MAX ? URL.parse(text, ORIGIN) : null;
  if (url === null || url.origin !== ORIGIN || url.pathname + url.search !== text) return null;
  const [, folder = '', ...others] = url.pathname.split('/');
  // The start page is the only path with an empty segment.
  return folders.has(folder) && (folder !== '' || others.length === 0) ? text : null;
}
