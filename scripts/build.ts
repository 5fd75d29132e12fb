import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { WORKERS } from '../src/platform/workers/workers.ts';
import { commitOf } from './commit.ts';
import { install } from './install.ts';
import { buildSdkApart } from './sdk.ts';
import { hashOf, ROOT } from './sources.ts';

const DIST = join(ROOT, 'dist');
export const EXECUTABLE = join(DIST, 'countersign');
const STAMP = `${EXECUTABLE}.sha256`;
/** The sources of an executable. */
export const SOURCES = [
  'src',
  'db',
  'package.json',
  'bun.lock',
  'tsconfig.json',
  'scripts/build.ts',
  'scripts/commit.ts',
  'scripts/databases.ts',
  'scripts/sample.ts',
];

/** What the bytes of the sample registry follow from. A test compares them with a registry built from source. */
const SAMPLE_SOURCES = [
  'src/staffing/registry',
  'src/platform/store',
  'db/staffing',
  'bun.lock',
  'scripts/sample.ts',
];

/**
 * Compiles an entry point and its workers into an executable. They share their code (`--splitting`);
 * otherwise each would have a copy of all code that it can reach. The code is not minified, because the
 * framework reads the handlers' source text. It is built under a temporary name and renamed, so that a
 * running executable is not overwritten.
 */
export function compile(entry: string, outfile: string): void {
  mkdirSync(DIST, { recursive: true });
  const scratch = join(DIST, `.build-${process.pid}`);
  const fresh = join(scratch, basename(outfile));
  try {
    mkdirSync(scratch);
    const databases = newDatabases(scratch);
    const { exitCode } = Bun.spawnSync(
      [
        process.execPath,
        'build',
        '--compile',
        '--bytecode',
        '--format=esm',
        '--sourcemap',
        '--splitting',
        '--root=.',
        '--no-compile-autoload-dotenv',
        '--no-compile-autoload-bunfig',
        '--define',
        'process.env.NODE_ENV="production"',
        '--define',
        `BUILT_COMMIT="${commitOf(SOURCES) ?? ''}"`,
        '--define',
        `BUILT_SCHEMA_DIGESTS=${JSON.stringify(databases.digests.join(' '))}`,
        entry,
        ...Object.values(WORKERS),
        sampleRegistry(),
        ...databases.files,
        '--outfile',
        fresh,
      ],
      { cwd: ROOT, stdout: 'ignore', stderr: 'inherit' },
    );
    if (exitCode !== 0) throw new Error(`building ${entry} failed`);
    renameSync(fresh, outfile);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Returns the path of the compressed sample registry, which becomes an embedded file of the executable. Builds
 * it unless it is up to date, in a separate process as the digests.
 */
function sampleRegistry(): string {
  const name = `sample-registry-${hashOf(SAMPLE_SOURCES).slice(0, 12)}.zst`;
  const path = join(DIST, name);
  if (existsSync(path)) return path;
  for (const old of readdirSync(DIST)) if (old.startsWith('sample-registry-')) rmSync(join(DIST, old));
  const scratch = `${path}.${process.pid}`;
  const { exitCode } = Bun.spawnSync([process.execPath, 'scripts/sample.ts', scratch], {
    cwd: ROOT,
    stderr: 'inherit',
  });
  if (exitCode !== 0) throw new Error('the sample registry cannot be built');
  renameSync(scratch, path);
  return path;
}

/**
 * Writes the SQL of new databases into a folder, in a separate process, because its libraries may have been
 * installed only now.
 * @returns the paths of the files, and the digests of the schemas
 */
function newDatabases(folder: string): { files: string[]; digests: string[] } {
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, 'scripts/databases.ts', folder], {
    cwd: ROOT,
    stderr: 'inherit',
  });
  if (exitCode !== 0) throw new Error('the SQL of new databases cannot be made');
  const { files, digests }: { files: string[]; digests: string[] } = JSON.parse(stdout.toString());
  return { files: files.map((name) => join(folder, name)), digests };
}

/** Builds dist/countersign unless it is up to date. */
export function buildIfChanged(): void {
  // The executable contains its commit, so another commit with the same sources needs a new build.
  const sources = `${hashOf(SOURCES)} ${commitOf(SOURCES) ?? 'no commit'}`;
  if (existsSync(EXECUTABLE) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
  process.stderr.write('countersign: building dist/countersign\n');
  rmSync(STAMP, { force: true });
  compile('src/main.ts', EXECUTABLE);
  writeFileSync(STAMP, sources);
}

if (import.meta.main) {
  install('production');
  const since = performance.now();
  buildIfChanged();
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  process.stdout.write(
    `dist/countersign: ${(statSync(EXECUTABLE).size / 2 ** 20).toFixed(0)} MiB, ${seconds} s\n`,
  );
  // The compiler of TypeScript writes the declarations of the SDK.
  buildSdkApart();
}
