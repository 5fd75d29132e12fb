import type { Registry } from './open.ts';
import { type CommonSurname, commonSurnames } from './surnames-store.ts';
import { fold } from './vocabulary/names.ts';

/** Surnames that begin with one letter are too many to choose from. */
const SHORTEST = 2;

/**
 * Returns the most common surnames that begin with a text, the most common first; none for less than two
 * letters.
 */
export function surnamesBeginningWith(registry: Registry, text: string, limit: number): CommonSurname[] {
  const beginning = fold(text);
  return beginning.length < SHORTEST ? [] : commonSurnames(registry, beginning, limit);
}
