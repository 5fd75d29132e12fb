import { surnamesBeginningWith } from '../registry/surnames.ts';
import type { Clinicians } from './services.ts';

/** A value for a field of a search while somebody types, and what tells it from the others. */
export interface Completion {
  value: string;
  note: string;
}

/** The characters that a specialty needs. */
const SHORTEST = 2;
const COMPLETIONS = 8;

/**
 * Returns common surnames that begin with a text, the most common first. @throws ApiError
 * REGISTRY_UNAVAILABLE
 */
export async function surnameCompletions(
  { registry }: Pick<Clinicians, 'registry'>,
  text: string,
): Promise<Completion[]> {
  const names = await registry.read((open) => surnamesBeginningWith(open, text, COMPLETIONS));
  return names.map(({ name, clinicians }) => ({
    value: name,
    note: `${clinicians.toLocaleString('en-US')} clinicians`,
  }));
}

/**
 * Returns values for the field `specialty`: the text itself if it names several specialties, then specialties
 * that it names or whose names contain its words. While its last word is unfinished, the words before it
 * decide.
 * @throws ApiError REGISTRY_UNAVAILABLE
 */
export async function specialtyCompletions(
  { registry }: Pick<Clinicians, 'registry'>,
  text: string,
): Promise<Completion[]> {
  const typed = text.trim();
  if (typed.length < SHORTEST) return [];
  return registry.read(({ specialties }) => {
    const codes = specialties.resolve(typed)?.codes ?? [];
    const itself = codes.length > 1 ? [{ value: typed, note: `${codes.length} specialties` }] : [];
    const whole = specialties.find(typed);
    const before = typed.split(/\s+/).slice(0, -1).join(' ');
    const entries = whole.length > 0 || before === '' ? whole : specialties.find(before);
    const completions = entries.map(({ name, code }) => ({ value: name, note: code }));
    return [...itself, ...completions].slice(0, COMPLETIONS);
  });
}
