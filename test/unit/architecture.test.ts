import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Glob } from 'bun';

const ROOT = join(import.meta.dir, '../..');
const FILES = [...new Glob('{src,db}/**/*.ts').scanSync({ cwd: ROOT })]
  .filter((file) => !file.endsWith('.d.ts'))
  .sort();
const IMPORT = /(?:from|import)\s*\(?\s*'([^'\n]+)'/g;

interface Import {
  from: string;
  /** A path from the root for our own files, else the package's name. */
  to: string;
}

const IMPORTS: Import[] = FILES.flatMap((from) =>
  [...readFileSync(join(ROOT, from), 'utf8').matchAll(IMPORT)].map(([, name = '']) => ({
    from,
    to: name.startsWith('.') ? normalize(join(dirname(from), name)) : name,
  })),
);

/** Where a file lives: db, proof, platform, tools, trust, staffing, witness, commands or main. */
function room(path: string): string {
  if (path.startsWith('db/')) return 'db';
  return /^src\/([^/.]+)/.exec(path)?.[1] ?? path;
}

/** What each room may import of our own; `proof` is open to all. */
const ALLOWED: Record<string, readonly string[]> = {
  proof: ['proof'],
  platform: ['platform', 'proof'],
  // They run on other people's machines, and load nothing of a service.
  tools: ['tools', 'platform', 'proof'],
  db: ['db', 'platform', 'proof'],
  trust: ['trust', 'db', 'platform', 'proof'],
  staffing: ['staffing', 'db', 'platform', 'proof'],
  witness: ['witness', 'db', 'platform', 'proof'],
  commands: ['commands', 'tools', 'trust', 'staffing', 'witness', 'platform', 'proof', 'package.json'],
  main: ['commands', 'tools', 'trust', 'staffing', 'witness', 'platform'],
};

const SERVICES = ['trust', 'staffing', 'witness'];
/** Where the SQL of a capability stands: one file, or one a topic. */
const STORE = /[/-]store\.ts$/;

const own = IMPORTS.filter(({ to }) => FILES.includes(to) || to === 'package.json');

describe('the import rules of docs/architecture.md', () => {
  test('arrows run one way: main → commands → tools | trust | staffing | witness → platform → proof', () => {
    const wrong = own.filter(({ from, to }) => !ALLOWED[room(from)]?.includes(room(to)));
    expect(wrong).toEqual([]);
  });

  test('proof imports nothing but itself and its few libraries', () => {
    const libraries = ['@scure/base', '@noble/ed25519', '@noble/hashes/sha2.js'];
    const wrong = IMPORTS.filter(
      ({ from, to }) => room(from) === 'proof' && room(to) !== 'proof' && !libraries.includes(to),
    );
    expect(wrong).toEqual([]);
  });

  test('the platform takes of db nothing, and SQL stands in store.ts, …-store.ts and db alone', () => {
    const wrong = IMPORTS.filter(
      ({ from, to }) => to.startsWith('drizzle-orm') && SERVICES.includes(room(from)) && !STORE.test(from),
    );
    expect(wrong).toEqual([]);
  });

  test("a capability's store is its own", () => {
    const capability = (path: string): string => path.split('/').slice(0, 3).join('/');
    const wrong = own.filter(
      ({ from, to }) => SERVICES.includes(room(to)) && STORE.test(to) && capability(from) !== capability(to),
    );
    expect(wrong).toEqual([]);
  });

  test("a service's tables are its own", () => {
    const wrong = own.filter(
      ({ from, to }) =>
        SERVICES.includes(room(from)) && /^db\/[^/]+\//.test(to) && !to.startsWith(`db/${room(from)}/`),
    );
    expect(wrong).toEqual([]);
  });

  test('there are no circles', () => {
    // A module names what is loaded later, by whoever puts the service together.
    const now = own.filter(
      ({ from, to }) => !(from.endsWith('/module.ts') && /\/(?:server|commands|log-contents)\.ts$/.test(to)),
    );
    const graph = new Map(
      FILES.map((file) => [file, now.filter(({ from }) => from === file).map(({ to }) => to)]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      if (done.has(file) || path.includes(file)) return;
      for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    };
    for (const file of FILES) visit(file, []);
    expect(circles).toEqual([]);
  });

  test('no file is above 400 lines, and none is called by what it is not about', () => {
    const long = FILES.filter((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length > 401);
    expect(long).toEqual([]);
    expect(FILES.filter((file) => /\/(?:utils?|helpers?|common|types)\.ts$/.test(file))).toEqual([]);
  });
});
