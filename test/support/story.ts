import { expect } from 'bun:test';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE, scratch, serve } from './process.ts';

export const ROOT = join(import.meta.dir, '../..');

/** Returns a page of docs/ as text. */
export function pageOf(name: string): string {
  return readFileSync(join(ROOT, 'docs', name), 'utf8');
}

/** Returns the blocks of shell commands in a text, in their order. */
export function shellBlocks(text: string): string[] {
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
}

/**
 * Runs the shell commands of a page, one block after the other in one shell, against a new service of the
 * executable. The shell must succeed, and the service must end well.
 * @param more variables of the service and of the shell
 * @returns what each block wrote to stdout, and what all wrote to stderr
 */
export async function runStory(
  blocks: readonly string[],
  more: Record<string, string> = {},
): Promise<{ said: string[]; stderr: string }> {
  const { path, dispose } = scratch();
  try {
    for (const name of ['data', 'dist']) mkdirSync(join(path, name));
    symlinkSync(EXECUTABLE, join(path, 'dist/countersign'));
    // In place of `npm install`.
    symlinkSync(join(ROOT, 'node_modules'), join(path, 'node_modules'));
    const server = await serve(join(path, 'data/trust'), more);
    const env = {
      ...process.env,
      API: `${server.url}/api/v1`,
      KEY: server.apiKey,
      SERVICE_TOKEN: String(server.ready.service_token),
      ...more,
    };
    const script = blocks.map((block) => `${block}\necho; echo -----\n`).join('');
    const child = Bun.spawnSync(['bash', '-euo', 'pipefail', '-c', script], { cwd: path, env });
    const stderr = child.stderr.toString();
    expect([stderr, child.exitCode]).toEqual([expect.any(String), 0]);
    const said = child.stdout.toString().split('-----\n');
    expect(said).toHaveLength(blocks.length + 1);
    expect((await server.stop()).code).toBe(0);
    return { said, stderr };
  } finally {
    dispose();
  }
}
