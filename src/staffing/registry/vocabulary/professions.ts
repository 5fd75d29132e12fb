import { type Setting, settingsOf } from './everyday-words.ts';
import type { Specialty } from './specialty.ts';
import type { TaxonomyEntry } from './taxonomy.ts';
import { keyOfText } from './words.ts';

/** The settings that mean nurses when nothing else is named. */
export const UNITS: readonly Setting[] = settingsOf('unit');

/** All settings, those that mean nurses by themselves first. */
export const SETTINGS: readonly Setting[] = [...UNITS, ...settingsOf('field')];

/** A profession, and what it is in the settings and specializations for which it has codes. */
export interface Profession {
  whole: Specialty;
  /** By the key of a specialization's name. */
  named: ReadonlyMap<string, Specialty>;
  /** By the number of a setting. */
  inSetting: ReadonlyMap<number, Specialty>;
}

/** Creates the specialty of some entries; equal entries have the same. */
export type SpecialtyFactory = (entries: readonly TaxonomyEntry[]) => Specialty;

/** The settings' alternatives, as the keys of specializations. */
const MEANT = SETTINGS.map(({ means }) => means.map((meant) => meant.split('|').map(keyOfText)));

/**
 * Returns the profession of some entries. `keyOfText`: with a cache, because professions share
 * specializations.
 */
export function professionOf(
  entries: readonly TaxonomyEntry[],
  make: SpecialtyFactory,
  keyOfText: (text: string) => string,
): Profession {
  const special = entries.filter(({ specialization }) => specialization !== null);
  const whole = make(entries);
  if (entries.length === 1 || special.length === 0) return { whole, named: new Map(), inSetting: new Map() };
  const bySpecialization = Map.groupBy(special, ({ specialization }) => keyOfText(specialization ?? ''));
  const inSetting = new Map<number, Specialty>();
  for (const [setting, alternatives] of MEANT.entries()) {
    for (const keys of alternatives) {
      const meant: TaxonomyEntry[] = [];
      for (const key of keys) meant.push(...(bySpecialization.get(key) ?? []));
      if (meant.length === 0) continue;
      inSetting.set(setting, make(meant));
      break;
    }
  }
  const bySpecializationName = new Map([...bySpecialization].map(([key, group]) => [key, make(group)]));
  return { whole, named: bySpecializationName, inSetting };
}
