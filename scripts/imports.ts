import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Glob } from 'bun';

/** The root of the repository. */
export const ROOT = join(import.meta.dir, '..');

/** The files of the program and of its tables, by their paths from the root. */
export const FILES = [...new Glob('{src,db}/**/*.ts').scanSync({ cwd: ROOT })]
  .filter((file) => !file.endsWith('.d.ts'))
  .sort();

/** The text of each file. */
export const TEXTS = new Map(FILES.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));

/** An import of a file. */
export interface Import {
  from: string;
  /** A path from the root for our own files, else the package's name. */
  to: string;
  /** What is imported by name. */
  names: string[];
  /** A type, which does not exist when the program runs. */
  isType: boolean;
  /** By `import()`: loaded when it is needed. */
  isLater: boolean;
}

const IMPORT = /(?:from|import)\s*\(?\s*'([^'\n]+)'/g;

/** All imports, of types and of what is loaded later too. */
export const IMPORTS: readonly Import[] = FILES.flatMap((from) => {
  const text = TEXTS.get(from) ?? '';
  return [...text.matchAll(IMPORT)].map(({ 0: match, 1: name = '', index }) => {
    const isLater = match.includes('(');
    const start = Math.max(text.lastIndexOf('import ', index), text.lastIndexOf('export ', index), 0);
    const statement = isLater ? '' : text.slice(start, index);
    return {
      from,
      to: name.startsWith('.') ? normalize(join(dirname(from), name)) : name,
      names: [...statement.matchAll(/(?<=[{,]\s*)\w+(?=[\s,}])/g)].map(([imported]) => imported),
      isType: isLater
        ? text.slice(0, index).trimEnd().endsWith('typeof')
        : /^(?:import|export) type\b/.test(statement),
      isLater,
    };
  });
});

/** The imports of our own files. */
export const OWN_IMPORTS = IMPORTS.filter(({ to }) => TEXTS.has(to) || to === 'package.json');
