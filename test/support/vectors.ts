import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Public test vectors, kept beside the checkout and not in it. */
const DIRECTORY = join(import.meta.dir, '../../../shared/data/vectors');

/** Whether the vectors are there. Tests that need them are `test.skipIf(!vectorsAvailable)`, so that a report names them. */
export const vectorsAvailable: boolean = existsSync(DIRECTORY);

/** One vector file as text, exactly as it stands; `name` is a path below the vectors' directory. */
export function vectorText(name: string): string {
  return readFileSync(join(DIRECTORY, name), 'utf8');
}

/** One JSON vector file in the form that its reader states. */
export function vectorJson<T>(name: string): T {
  return JSON.parse(vectorText(name));
}
