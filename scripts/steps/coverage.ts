import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './checkout.ts';

/** Files that run only as processes or threads of their own, where the tests' counter cannot look. */
const UNSEEN: Record<string, string> = {
  'src/main.ts': 'the executable, which the end-to-end tests run compiled',
  'src/commands/serve.ts': 'the long-running process, which the end-to-end tests run compiled',
  'src/platform/store/checkpointer.ts': 'the thread beside the store, started by the executable',
};

/** Every file of src below its share of covered lines, one line of text each; `src/proof` is held to all lines. */
export function belowCoverage(): string[] {
  const counted = readLcov(readFileSync(join(root, 'coverage/lcov.info'), 'utf8'));
  const files = [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync({ cwd: root })].sort();
  return files.flatMap((file) => {
    const wanted = file.startsWith('src/proof/') ? 100 : 90;
    const lines = counted.get(file);
    if (file in UNSEEN || (!lines && onlyTypes(file))) {
      return [];
    }
    if (!lines) {
      return [`${file}: 0 % of lines, ${wanted} % wanted: no test loads it`];
    }
    const missed = [...lines].filter(([, hits]) => hits === 0).map(([line]) => line);
    const share = lines.size === 0 ? 100 : (100 * (lines.size - missed.length)) / lines.size;
    return share >= wanted
      ? []
      : [`${file}: ${floor(share)} % of lines, ${wanted} % wanted: ${ranges(missed)}`];
  });
}

/** Hits by line, by file. */
function readLcov(text: string): Map<string, Map<number, number>> {
  const files = new Map<string, Map<number, number>>();
  let lines = new Map<number, number>();
  for (const row of text.split('\n')) {
    const [, kind, value = ''] = /^(SF|DA):(.*)$/.exec(row) ?? [];
    if (kind === 'SF') {
      lines = new Map();
      files.set(value, lines);
    } else if (kind === 'DA') {
      const [line, hits] = value.split(',').map(Number);
      lines.set(line ?? 0, hits ?? 0);
    }
  }
  return files;
}

/** Whether nothing of the file is left when types are taken out: then nothing ever loads it. */
function onlyTypes(file: string): boolean {
  const loader = file.endsWith('x') ? 'tsx' : 'ts';
  return new Bun.Transpiler({ loader }).transformSync(readFileSync(join(root, file), 'utf8')).trim() === '';
}

function floor(share: number): string {
  return (Math.floor(share * 10) / 10).toFixed(1);
}

/** `[4, 6, 7, 8]` as `4, 6-8`. */
function ranges(lines: number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const line of lines.sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && line === last.to + 1) {
      last.to = line;
    } else {
      runs.push({ from: line, to: line });
    }
  }
  return `lines ${runs.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join(', ')}`;
}
