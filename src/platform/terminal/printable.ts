/**
 * Characters that a terminal would interpret or hide: control characters except newline, Unicode's marks of
 * direction, line and paragraph separators, and what is ignored where it is not supported (UAX #44,
 * Default_Ignorable_Code_Point): characters without width, fillers, tags and variation selectors.
 */
const OBEYED = /(?!\n)[\p{Cc}\p{Bidi_C}\p{DI}\u2028\u2029]/gu;

/**
 * Returns text with the characters escaped that a terminal would interpret (`\u001b`). For text that may
 * quote others.
 */
export function printable(text: string): string {
  // As JSON escapes them, one for each UTF-16 code unit.
  return text.replace(OBEYED, (char) =>
    char
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
