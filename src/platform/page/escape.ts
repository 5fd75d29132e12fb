const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that XML 1.0 forbids, also escaped (section 2.2). */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const PLAIN = /^[\w .,:;()/-]*$/;

/**
 * Escapes text for content and quoted attributes of XML and HTML. Replaces characters that XML forbids by
 * U+FFFD.
 */
export function escapeXml(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replace(NO_XML, '\ufffd')
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}

/**
 * Returns text as a string of CSS (CSS Syntax Level 3, section 4.3.7). All but plain characters are escaped
 * by their code points.
 */
export function cssString(text: string): string {
  const escaped = text
    .toWellFormed()
    .replace(/[^\w .,:/-]/gu, (sign) => `\\${(sign.codePointAt(0) ?? 0xfffd).toString(16)} `);
  return `"${escaped}"`;
}
