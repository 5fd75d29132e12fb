import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { digest, root, stamp } from './steps/checkout.ts';
import { lock } from './steps/lock.ts';

export const executable = join(root, 'dist/countersign');

/** The thread that the store starts: a file of its own in the executable. */
const WORKER = 'src/platform/store/checkpointer.ts';
const STAMP = 'dist/countersign.built-from';

interface Target {
  entrypoints: string[];
  outfile: string;
}

/** A digest of everything the executable is made from. */
function sources(): string {
  const paths = ['package.json', 'bun.lock', 'tsconfig.json', 'scripts/build.ts'];
  for (const folder of ['src', 'db']) {
    if (existsSync(join(root, folder))) {
      paths.push(...new Bun.Glob(`${folder}/**/*`).scanSync({ cwd: root }));
    }
  }
  return digest(paths.sort(), Bun.revision, process.platform, process.arch);
}

/** Whether dist/countersign was built from the sources as they are now. */
export function fresh(): boolean {
  return existsSync(executable) && stamp(STAMP) === sources();
}

/** Builds an executable with the flags of the product; throws with the compiler's messages when it cannot. */
export async function build(target: Target): Promise<void> {
  using _held = lock();
  await compile(target);
}

/**
 * The bundler writes to a file of its own in the working directory and renames it: a running executable is not
 * disturbed. Never minified: Elysia reads the source text of handlers. `root` fixes the name under which the
 * Worker is found inside, whatever the first entry point is.
 */
async function compile({ entrypoints, outfile }: Target): Promise<void> {
  removeAbandoned();
  const files = [...entrypoints, WORKER]
    .map((file) => resolve(root, file))
    .filter((file, at) => at === 0 || existsSync(file));
  const result = await Bun.build({
    entrypoints: files,
    root,
    target: 'bun',
    format: 'esm',
    bytecode: true,
    minify: false,
    sourcemap: 'linked',
    define: { 'process.env.NODE_ENV': '"production"' },
    compile: { outfile: resolve(root, outfile), autoloadDotenv: false, autoloadBunfig: false },
    throw: false,
  });
  if (!result.success) {
    throw new Error(result.logs.map((message) => Bun.inspect(message)).join('\n'));
  }
  for (const output of result.outputs) {
    if (output.kind === 'sourcemap') {
      rmSync(output.path, { force: true });
    }
  }
}

/** Half-written executables of builds that were killed; under the lock nobody writes one. */
function removeAbandoned(): void {
  for (const name of readdirSync(root)) {
    if (name.endsWith('.bun-build')) {
      rmSync(join(root, name), { force: true });
    }
  }
}

async function buildProduct(): Promise<void> {
  const started = performance.now();
  const before = sources();
  rmSync(join(root, STAMP), { force: true });
  await compile({ entrypoints: ['src/main.ts'], outfile: executable });
  if (sources() === before) {
    writeFileSync(join(root, STAMP), `${before}\n`);
  }
  const megabytes = Math.round(statSync(executable).size / 1e6);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`built dist/countersign (${megabytes} MB) in ${seconds} s\n`);
}

if (import.meta.main) {
  try {
    using _held = lock();
    if (!(process.argv.includes('--if-stale') && fresh())) {
      await buildProduct();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
