import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
const BIN = join(ROOT, 'node_modules');

/**
 * Generates the types and the client of an OpenAPI document in `dist/clients`, as the programs in
 * `test/clients` import them.
 * @param name the directory, `trust` or `staffing`
 * @throws Error with what a generator printed
 */
export async function generateClients(name: string, document: string): Promise<void> {
  const directory = join(ROOT, 'dist/clients', name);
  await Bun.write(join(directory, 'openapi.json'), document);
  const file = join(directory, 'openapi.json');
  await Promise.all([
    generate('openapi-typescript/bin/cli.js', file, '--output', join(directory, 'types.ts')),
    generate('@hey-api/openapi-ts/dist/run.mjs', '--input', file, '--output', join(directory, 'sdk')),
  ]);
}

/** Compiles the programs in `test/clients`. Returns what the compiler complains about. */
export function compilePrograms(): Promise<string> {
  return printed([join(BIN, '.bin/tsc'), '--project', 'test/clients']);
}

/** Lints OpenAPI documents by the rules of Spectral. Returns the errors and warnings. */
export async function spectralProblems(files: readonly string[]): Promise<unknown[]> {
  const ruleset = join(ROOT, 'test/clients/spectral.yaml');
  const report = await printed([
    join(BIN, '.bin/spectral'),
    'lint',
    '--quiet',
    '-r',
    ruleset,
    '-f',
    'json',
    ...files,
  ]);
  const problems: { severity: number }[] = JSON.parse(report);
  return problems.filter(({ severity }) => severity <= 1);
}

async function generate(script: string, ...args: string[]): Promise<void> {
  const preload = join(import.meta.dir, 'typescript-api.ts');
  const command = [process.execPath, '--preload', preload, join(BIN, script), ...args];
  const child = Bun.spawn(command, { cwd: ROOT, stdout: 'pipe', stderr: 'pipe' });
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${script} failed: ${out}${error}`);
}

async function printed(command: string[]): Promise<string> {
  const child = Bun.spawn(command, { cwd: ROOT, stdout: 'pipe', stderr: 'inherit' });
  return new Response(child.stdout).text();
}
