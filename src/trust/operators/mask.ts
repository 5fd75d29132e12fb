/** A shorter name is hidden completely: the visible ends would be most of it. */
const SHORTEST = 12;

/** Masks a name: shows `prefix`, and the first and last four characters after it. */
export function mask(name: string, prefix: string): string {
  const characters = [...name.slice(prefix.length)];
  if (characters.length < SHORTEST) return `${prefix}…`;
  return `${prefix}${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`;
}
