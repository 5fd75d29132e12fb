import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Glob, Transpiler } from 'bun';

const ROOT = join(import.meta.dir, '../../..');
const transpiler = new Transpiler({ loader: 'ts' });

/**
 * The files and packages that a file loads at once, and those that these load; not what is loaded when it is
 * needed.
 */
function loadedWith(start: string): string[] {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    if (!file.endsWith('.ts') || !existsSync(join(ROOT, file))) return;
    // This removes imports of types.
    for (const { kind, path } of transpiler.scanImports(readFileSync(join(ROOT, file), 'utf8'))) {
      if (kind === 'import-statement')
        visit(path.startsWith('.') ? normalize(join(dirname(file), path)) : path);
    }
  };
  visit(start);
  return [...loaded];
}

const STARTS = ['src/main.ts', ...new Glob('src/**/commands.ts').scanSync({ cwd: ROOT })];

test.each(STARTS)(
  '%s, which every command loads, loads no SQL, no drizzle, no web framework and no service',
  (start) => {
    const heavy = loadedWith(start).filter(
      (file) =>
        /\/(?:\w+-)?store\.ts$/.test(file) ||
        /\/(?:opening|service|server|routes|app)\.ts$/.test(
          file.replace(/^src\/platform\/(?:control|http)\//, ''),
        ) ||
        /^(?:drizzle-orm(?:\/.*)?|elysia|@elysiajs\/.*|nodemailer|prom-client|pino-pretty)$/.test(file),
    );
    expect(heavy).toEqual([]);
  },
);
