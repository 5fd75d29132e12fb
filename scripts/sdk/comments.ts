/** The longest line of a comment. */
const MEASURE = 110;

/** Returns a JSDoc comment with a line break at its end; empty for no text. */
export function commentOf(text: string, indent: string): string {
  const lines = linesOf(text.replaceAll('*/', '*\\/'), MEASURE - indent.length - 3);
  if (lines.length === 0) return '';
  const [only = ''] = lines;
  if (lines.length === 1 && only.length < MEASURE - indent.length - 8) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Returns the lines of a text, wrapped. A line that begins with a space continues an item of a list. */
export function linesOf(text: string, width: number): string[] {
  if (text.trim() === '') return [];
  return text
    .trim()
    .replaceAll(/\n +/g, ' ')
    .split('\n')
    .flatMap((line) => wrapped(line, width));
}

function wrapped(line: string, width: number): string[] {
  const lines: string[] = [];
  const indent = line.startsWith('- ') ? '  ' : '';
  let current = '';
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (longer.length > width && current !== '') {
      lines.push(current);
      current = `${indent}${word}`;
    } else {
      current = longer;
    }
  }
  return [...lines, current];
}
