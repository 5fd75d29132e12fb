/** A file that is no document, although it differs little from a genuine one. */
interface BrokenText {
  file: string;
  /** What is changed. */
  name: string;
  text: string;
}

/**
 * Returns files that no verifier may read as the signed JSON object that they are made of.
 * @param text of the object
 */
export function brokenTexts(text: string): BrokenText[] {
  const withMember = (member: string): string => text.replace('{', `{${member},`);
  return [
    { file: 'duplicate.json', name: 'a member twice', text: withMember('"signature":"x"') },
    {
      file: 'deep.json',
      name: 'nesting of 65 levels',
      text: withMember(`"x":${'['.repeat(64)}${']'.repeat(64)}`),
    },
    { file: 'surrogate.json', name: 'half of a character', text: withMember('"x":"\\ud800"') },
    {
      file: 'inexact.json',
      name: 'an integer that no double holds',
      text: withMember('"x":9007199254740993'),
    },
    { file: 'order-mark.json', name: 'a byte order mark', text: `\ufeff${text}` },
    { file: 'cut.json', name: 'the end cut off', text: text.slice(0, -3) },
  ];
}
