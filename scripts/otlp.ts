import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dir, '..');
/** OpenTelemetry's descriptions of OTLP. */
const PROTO = join(ROOT, 'test/vectors/otlp');
/** The code that is generated from them. */
export const GENERATED = join(ROOT, 'src/platform/otlp/generated');

/**
 * Generates the code for messages of OTLP, without network. The comments of the descriptions are left out.
 * @param into a directory, which is emptied before
 */
export function generateOtlp(into: string): void {
  const directory = mkdtempSync(join(tmpdir(), 'otlp-'));
  try {
    const image = join(directory, 'image.binpb');
    buf('build', PROTO, '--exclude-source-info', '--output', image);
    const local = join(ROOT, 'node_modules/.bin/protoc-gen-es');
    const plugin = { local, out: into, opt: ['target=ts', 'import_extension=ts'] };
    rmSync(into, { recursive: true, force: true });
    buf('generate', image, '--template', JSON.stringify({ version: 'v2', plugins: [plugin] }));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Returns the texts of the files in a directory by their relative paths. */
export function textsIn(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    files.sort().map((file) => [relative(directory, file), readFileSync(file, 'utf8')]),
  );
}

function buf(...args: string[]): void {
  const { status, stderr } = spawnSync(join(ROOT, 'node_modules/.bin/buf'), args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`buf ${args[0]} failed: ${stderr}`);
}

if (import.meta.main) generateOtlp(GENERATED);
