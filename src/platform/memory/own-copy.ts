/**
 * Returns a copy of a text with memory of its own. A part of a longer text keeps all of that alive, and a few
 * names of each batch of rows would keep the whole file.
 */
export function ownCopyOf(text: string): string {
  return Buffer.from(text).toString();
}
