import { expect } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE, scratch, serve } from './process.ts';

export const ROOT = join(import.meta.dir, '../..');

/** Returns a page of docs/ as text. */
export function pageOf(name: string): string {
  return readFileSync(join(ROOT, 'docs', name), 'utf8');
}

/** A block of a page that a reader can run: in the languages of the shell, JavaScript, TypeScript and Python. */
interface RunnableBlock {
  script: string;
  language: string;
  /** The comment before the block, which says why no story runs it, or which test does. */
  note: string | null;
}

const RUNNABLE =
  /(?:^ *<!-- (?<note>(?:not run:|run by) [^\n]+) -->\n)?^ *```(?<language>sh|bash|console|js|javascript|typescript|python)\n(?<script>[\s\S]*?)^ *```$/gm;
const PAGE_NOTE = /^<!-- page (?<note>(?:not run:|run by) [^\n]+) -->$/m;

/**
 * Returns the blocks of a text that a reader can run. A comment before a block, `<!-- not run: … -->` or
 * `<!-- run by … -->`, is its note, and a comment that begins with `page` is that of all others.
 */
export function runnableBlocks(text: string): RunnableBlock[] {
  const ofPage = PAGE_NOTE.exec(text)?.groups?.note ?? null;
  return [...text.matchAll(RUNNABLE)].map(({ groups = {} }) => {
    const { script = '', language = '', note = ofPage } = groups;
    return { script, language, note };
  });
}

/** Returns the blocks of shell commands in a text that nothing keeps from running, in their order. */
export function shellBlocks(text: string): string[] {
  return runnableBlocks(text).flatMap(({ script, language, note }) =>
    language === 'sh' && note?.startsWith('not run:') !== true ? [script] : [],
  );
}

const OWN = ['data', 'dist', 'node_modules', 'src', 'tryout'];

/**
 * Runs the shell commands of a page, one block after the other in one shell, against a new service of the
 * executable. The shell must succeed, and the service must end well. The addresses of the pages become that of
 * the service, and `pp_…` its API key.
 * @param more variables of the service and of the shell
 * @returns what each block wrote to stdout, and what all wrote to stderr
 */
export async function runStory(
  blocks: readonly string[],
  more: Record<string, string> = {},
  service: 'trust' | 'staffing' = 'trust',
): Promise<{ said: string[]; stderr: string }> {
  const { path, dispose } = scratch();
  try {
    for (const name of ['data', 'dist']) mkdirSync(join(path, name));
    symlinkSync(EXECUTABLE, join(path, 'dist/countersign'));
    // In place of `npm install` and of the clone.
    for (const name of ['node_modules', 'src']) symlinkSync(join(ROOT, name), join(path, name));
    const server = await serve(join(path, 'data', service), more, ['--service', service]);
    const ofTrust = {
      API: `${server.url}/api/v1`,
      KEY: server.apiKey,
      SERVICE_TOKEN: String(server.ready.service_token),
    };
    const own = { XDG_CONFIG_HOME: join(path, 'tryout', 'configuration') };
    const env = { ...process.env, ...own, ...(service === 'trust' ? ofTrust : {}), ...more };
    const script = blocks
      .map((block) => `${block}\necho; echo -----\n`)
      .join('')
      .replaceAll(service === 'trust' ? 'http://127.0.0.1:3000' : 'http://127.0.0.1:3001', server.url)
      .replaceAll('pp_…', server.apiKey);
    const child = Bun.spawnSync(['bash', '-euo', 'pipefail', '-c', script], { cwd: path, env });
    const stderr = child.stderr.toString();
    const stdout = child.stdout.toString();
    expect([child.exitCode, stderr, stdout.slice(-1000)]).toEqual([
      0,
      expect.any(String),
      expect.any(String),
    ]);
    const said = stdout.split('-----\n');
    expect(said).toHaveLength(blocks.length + 1);
    // Git ignores these: a story leaves nothing else in a clone.
    expect(readdirSync(path).filter((name) => !OWN.includes(name))).toEqual([]);
    expect((await server.stop()).code).toBe(0);
    return { said, stderr };
  } finally {
    dispose();
  }
}
