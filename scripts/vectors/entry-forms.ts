/**
 * A text that says the same as an entry of a log, and is not one: an entry has exactly its canonical bytes.
 */
export interface OtherForm {
  /** A word for the names of files. */
  key: string;
  name: string;
  text: string;
}

/** Returns such texts of an entry. */
export function otherForms(entry: string): readonly OtherForm[] {
  const [first = ['', null], ...others]: [string, unknown][] = Object.entries(JSON.parse(entry));
  const forms: readonly OtherForm[] = [
    {
      key: 'order',
      name: 'its members in another order',
      text: JSON.stringify(Object.fromEntries([...others, first])),
    },
    {
      key: 'inner-order',
      name: 'the members of a signature in another order',
      text: entry.replace(/\{("kid":"[^"]*"),("signature":"[^"]*")\}/, '{$2,$1}'),
    },
    { key: 'space', name: 'a space in it', text: entry.replace('":', '": ') },
    { key: 'escaped-name', name: 'an escape in a name', text: escaped(entry, /(?<=\{")\w/) },
    { key: 'escaped-value', name: 'an escape in a value', text: escaped(entry, /(?<=":")\w/) },
    { key: 'fraction', name: '1.0 instead of 1', text: entry.replace('"v":1', '"v":1.0') },
    { key: 'exponent', name: '1e0 instead of 1', text: entry.replace('"v":1', '"v":1e0') },
    { key: 'twice', name: 'a member twice', text: entry.replace('"v":1', '"v":1,"v":1') },
    { key: 'line-end', name: 'a line end after it', text: `${entry}\n` },
    { key: 'order-mark', name: 'a byte order mark before it', text: `\ufeff${entry}` },
    { key: 'unsaid', name: 'a member dropped that has only one value', text: entry.replace(',"v":1', '') },
  ];
  return forms.filter(({ text }) => text !== entry);
}

/** Replaces one character by its escape. */
function escaped(text: string, character: RegExp): string {
  return text.replace(character, (found) => `\\u00${found.charCodeAt(0).toString(16)}`);
}
