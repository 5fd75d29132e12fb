/** Quotes a text as one word of a POSIX shell, bash or zsh. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns a text as one word of a POSIX shell, in quotes only if it needs them. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoted(text));
