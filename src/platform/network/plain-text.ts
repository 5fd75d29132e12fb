/** Returns whether a response is text, and no JSON. */
export function isPlainText(headers: Headers): boolean {
  return /^text\/plain(?:;|$)/.test(headers.get('content-type') ?? '');
}
