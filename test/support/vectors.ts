import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The directory of the test vectors; its README names their sources and licences. */
export const VECTORS = join(import.meta.dir, '../vectors');

/** Returns one vector file as unchanged text; `name` is a path below the vectors' directory. */
export function vectorText(name: string): string {
  return readFileSync(join(VECTORS, name), 'utf8');
}

/** Returns one JSON vector file, typed as the caller states without a check. */
export function vectorJson<T>(name: string): T {
  return JSON.parse(vectorText(name));
}
