import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder that holds package.json. */
export const root = join(import.meta.dir, '..', '..');

/** Runs a command in the checkout and returns its exit code; its output goes to this process's streams. */
export function run(command: string[], stdout: 'inherit' | 2 = 'inherit'): Promise<number> {
  return Bun.spawn(command, { cwd: root, stdio: ['ignore', stdout, 'inherit'] }).exited;
}

/** A digest of what the named files of the checkout hold, names included. */
export function digest(paths: string[], ...facts: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const path of paths) {
    const bytes = readFileSync(join(root, path));
    hash.update(`\n${path}\n${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** What a stamp file of the checkout holds; nothing when it is not there. */
export function stamp(path: string): string {
  try {
    return readFileSync(join(root, path), 'utf8').trim();
  } catch {
    return '';
  }
}
