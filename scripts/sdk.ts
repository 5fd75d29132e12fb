/**
 * Builds the SDKs from the OpenAPI documents into dist/sdk: bun scripts/sdk.ts
 *
 * With --accept it also records their surface, which tests compare with the documents.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.ts';
import { hashOf, ROOT } from './sources.ts';

/** The table of operations, which the command line reads too. */
const OPERATIONS = join(ROOT, 'src/sdk/operations.json');
/** A line for each type. */
const TYPES = join(ROOT, 'test/api/sdk/types.txt');

export const SDK = join(ROOT, 'dist/sdk');
const STAMP = join(SDK, '.sha256');
/** Says to a process that all libraries are installed. */
const INSTALLED = '--installed';
/** The sources of the SDKs: those of the services too, because they make the documents. */
const SOURCES = ['src', 'db', 'package.json', 'bun.lock', 'tsconfig.json', 'scripts/sdk.ts', 'scripts/sdk'];

/** Builds dist/sdk unless it is up to date. @throws Error with what is wrong with the sources */
export async function buildSdk(): Promise<void> {
  const sources = hashOf(SOURCES);
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
  process.stderr.write('countersign: building dist/sdk\n');
  rmSync(STAMP, { force: true });
  mkdirSync(SDK, { recursive: true });
  const { buildPython } = await import('./sdk/build-python.ts');
  const { buildTypescript } = await import('./sdk/build-typescript.ts');
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const model = await services();
  await buildTypescript(model, version, join(SDK, 'typescript'));
  buildPython(model, join(SDK, 'python'));
  cpSync(join(ROOT, 'src/sdk/go'), join(SDK, 'go'), { recursive: true });
  writeFileSync(STAMP, sources);
}

/** Returns what the SDKs have, which loads the services. */
async function services() {
  const { documents } = await import('./sdk/documents.ts');
  const { modelOf } = await import('./sdk/model.ts');
  return modelOf(await documents());
}

/** Records the surface of the SDKs. */
async function accept(): Promise<void> {
  const { operationsText, typesText } = await import('./sdk/table.ts');
  const model = await services();
  writeFileSync(OPERATIONS, operationsText(model));
  writeFileSync(TYPES, typesText(model));
}

/**
 * Installs what is missing, and builds dist/sdk in processes of its own: one that began without its libraries
 * does not find them later.
 * @param options those of this script
 * @throws Error after the process has said why
 */
export function buildSdkApart(...options: string[]): void {
  install('all');
  const { exitCode } = Bun.spawnSync([process.execPath, 'scripts/sdk.ts', INSTALLED, ...options], {
    cwd: ROOT,
    stdout: 'inherit',
    stderr: 'inherit',
  });
  if (exitCode !== 0) throw new Error('the SDKs cannot be built');
}

if (import.meta.main) {
  const [first, ...options] = process.argv.slice(2);
  if (first !== INSTALLED) buildSdkApart(...process.argv.slice(2));
  else {
    if (options.includes('--accept')) await accept();
    await buildSdk();
  }
}
