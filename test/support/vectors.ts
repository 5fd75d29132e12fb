import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Public test vectors, byte for byte as they were published; its README names their sources and licences. */
const DIRECTORY = join(import.meta.dir, '../vectors');

/** Returns one vector file as unchanged text; `name` is a path below the vectors' directory. */
export function vectorText(name: string): string {
  return readFileSync(join(DIRECTORY, name), 'utf8');
}

/** Returns one JSON vector file, typed as the caller states without a check. */
export function vectorJson<T>(name: string): T {
  return JSON.parse(vectorText(name));
}
