/** A text with one thing changed. */
export interface TamperedText {
  /** Which line was changed, such as `line 3`, from 1. */
  path: string;
  how: 'dropped' | 'doubled' | 'changed' | 'followed by another line' | 'swapped with the next';
  text: string;
}

/** Returns the text with each of its lines changed in several ways, one at a time, and with lines added. */
export function textTamperings(text: string): TamperedText[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const found: TamperedText[] = [];
    const add = (how: TamperedText['how'], ...instead: string[]): void => {
      const changed = lines.toSpliced(index, how === 'swapped with the next' ? 2 : 1, ...instead).join('\n');
      if (changed !== text) found.push({ path: `line ${index + 1}`, how, text: changed });
    };
    add('dropped');
    add('doubled', line, line);
    add('followed by another line', line, 'x');
    const next = lines[index + 1];
    if (next !== undefined) add('swapped with the next', next, line);
    for (const at of new Set([0, Math.floor(line.length / 2), line.length - 1]))
      add('changed', `${line.slice(0, at)}${line[at] === 'A' ? 'B' : 'A'}${line.slice(at + 1)}`);
    return found;
  });
}
