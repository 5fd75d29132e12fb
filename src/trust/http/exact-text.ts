/** Characters that nobody sees: controls, formats, lone surrogates, separators of lines and paragraphs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const WHITE_END = /^\p{White_Space}|\p{White_Space}$/u;

/**
 * Returns why a text is not one that another could not look equal to by unseen characters: white space at its
 * ends, characters that nobody sees, or a form other than NFC; null for such a text. It is refused, never
 * changed, so that what the caller stores is what the service stores.
 */
export function exactTextProblem(text: string): string | null {
  if (WHITE_END.test(text)) return 'must not begin or end with white space';
  if (UNSEEN.test(text)) return 'must have no control, format or separator characters';
  return text.normalize('NFC') === text ? null : 'must be in Unicode normalization form C (NFC)';
}
