import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dir, '..');

/** Returns the SHA-256 over the names and bytes of files and folders, in a fixed order. */
export function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesBelow).sort()) {
    const bytes = readFileSync(join(ROOT, file));
    hash.update(`${file} ${bytes.length} `).update(bytes);
  }
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
}
