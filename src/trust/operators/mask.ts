/** Shorter than this, the ends that are shown would be most of the name: all of it is hidden. */
const SHORTEST = 12;

/** Hides the middle of a name: the first and last four characters of what follows `prefix` remain. */
export function mask(name: string, prefix: string): string {
  const characters = [...name.slice(prefix.length)];
  if (characters.length < SHORTEST) return `${prefix}…`;
  return `${prefix}${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`;
}
