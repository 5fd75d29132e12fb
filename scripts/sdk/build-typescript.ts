import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from '../sources.ts';
import type { Service } from './model.ts';
import { typescriptOf } from './typescript.ts';

const OWN = join(ROOT, 'src/sdk/typescript');
/** The modules that programs import, by the name behind that of the package. */
const ENTRIES = {
  '.': 'trust',
  './staffing': 'staffing',
  './verify': 'verify',
  './testing': 'testing',
} as const;
/** Those that run everywhere. What starts processes runs in Node and Bun only. */
const PORTABLE = ['trust', 'staffing', 'verify'];

/**
 * Builds the TypeScript SDK: its sources and src/proof as JavaScript that runs everywhere, with declarations.
 * @param out the folder of the package, which is replaced
 * @throws Error with what the compiler says
 */
export async function buildTypescript(
  services: readonly Service[],
  version: string,
  out: string,
): Promise<void> {
  const work = `${out}.build`;
  for (const folder of [work, out]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  try {
    writeSources(services, work);
    await bundle(work, out);
    for (const name of Object.values(ENTRIES)) pointToTypes(out, name);
    declare(work);
    for (const file of reachable(
      work,
      Object.values(ENTRIES).map((name) => `${name}.d.ts`),
    )) {
      cpSync(join(work, 'types', file), join(out, file));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(packageOf(version), null, 2)}\n`);
  for (const file of ['LICENSE', 'NOTICE']) cpSync(join(ROOT, file), join(out, file));
  cpSync(join(OWN, 'README.md'), join(out, 'README.md'));
}

/** Writes the sources by hand, the generated ones and src/proof into one folder. */
function writeSources(services: readonly Service[], work: string): void {
  cpSync(join(ROOT, 'src/proof'), join(work, 'proof'), { recursive: true });
  for (const file of readdirSync(OWN).filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(join(OWN, file), 'utf8');
    writeFileSync(join(work, file), text.replaceAll("'../../proof/", "'./proof/"));
  }
  const own = namesIn(readFileSync(join(OWN, 'core.ts'), 'utf8'));
  for (const service of services) {
    const both = [...service.schemas.named.keys()].filter((name) => own.includes(name));
    if (both.length > 0) throw new Error(`core.ts and the document have the names ${both.join(', ')}`);
    writeFileSync(join(work, `${service.name}.ts`), typescriptOf(service));
  }
}

/** Returns the names that a module exports. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^export (?:type )?\{([^}]+)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace('type ', '').trim()),
  );

async function bundle(work: string, out: string): Promise<void> {
  const common = {
    outdir: out,
    root: work,
    format: 'esm',
    splitting: true,
    naming: { chunk: 'chunks/[hash].[ext]' },
  } as const;
  const paths = (names: readonly string[]): string[] => names.map((name) => join(work, `${name}.ts`));
  for (const { success, logs } of [
    await Bun.build({ ...common, entrypoints: paths(PORTABLE), target: 'browser' }),
    await Bun.build({ ...common, entrypoints: paths(['testing']), target: 'node' }),
  ]) {
    if (!success) throw new Error(`the TypeScript SDK cannot be bundled: ${logs.join('\n')}`);
  }
}

/** Deno finds declarations beside a module only if the module names them. */
function pointToTypes(out: string, name: string): void {
  const file = join(out, `${name}.js`);
  writeFileSync(file, `// @ts-self-types="./${name}.d.ts"\n${readFileSync(file, 'utf8')}`);
}

/** Writes the declarations of all sources into `types`. @throws Error with what the compiler says */
function declare(work: string): void {
  const options = {
    extends: join(OWN, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rewriteRelativeImportExtensions: true,
      rootDir: '.',
      outDir: 'types',
    },
    include: ['*.ts'],
  };
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(options));
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  const { exitCode, stdout } = Bun.spawnSync([tsc, '--project', work], { cwd: ROOT, stderr: 'inherit' });
  if (exitCode !== 0) throw new Error(`the TypeScript SDK does not compile:\n${stdout.toString()}`);
}

/** Returns the declarations that some files import, directly or not, and these files. */
function reachable(work: string, files: readonly string[]): string[] {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    const text = readFileSync(join(work, 'types', file), 'utf8');
    for (const [, target = ''] of text.matchAll(/(?:from|import\()\s*["'](\.[^"']+)["']/g))
      visit(normalize(join(dirname(file), target)).replace(/\.[jt]s$/, '.d.ts'));
  };
  for (const file of files) visit(file);
  return [...found];
}

function packageOf(version: string) {
  return {
    name: '@countersign/sdk',
    version,
    description: 'Issue, finalize and verify signed receipts of what AI agents did',
    license: 'MIT',
    private: true,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20.3' },
    exports: Object.fromEntries(
      Object.entries(ENTRIES).map(([at, name]) => [at, { types: `./${name}.d.ts`, default: `./${name}.js` }]),
    ),
  };
}
