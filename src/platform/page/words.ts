/** Returns the words of a name of the API: `CODE_GENERATION` is `Code generation`. */
export function nameOf(name: string): string {
  const text = name.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
