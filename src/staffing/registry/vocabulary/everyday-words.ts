import table from './everyday-words.tsv' with { type: 'text' };

/** What people call a specialty, and what it means: see the top of the table. */
export interface Term {
  names: readonly string[];
  /** Codes, classifications, groupings or display names, separated by bars. */
  meaning: string;
}

/** Where people work, or a field of medicine, with the specializations that the taxonomy has for it. */
export interface Setting {
  names: readonly string[];
  /** Alternatives, each one or several specializations separated by bars. */
  means: readonly string[];
  /** Whether physicians work there as often as others. */
  anyone: boolean;
}

type Kind =
  | 'physician'
  | 'nurse'
  | 'profession'
  | 'technician'
  | 'specialty'
  | 'place'
  | 'unit'
  | 'field'
  | 'short'
  | 'ignored'
  | 'ignored_at_need';

const ROWS = Map.groupBy(
  table
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [kind = '', names = '', meaning = '', more = ''] = line.split('\t');
      return { kind, names: names.split(', '), meaning, anyone: more === 'anyone' };
    }),
  ({ kind }) => kind,
);

const rowsOf = (kind: Kind) => ROWS.get(kind) ?? [];

/** Returns the terms of a kind, in the order of the table. */
export function termsOf(kind: Kind): readonly Term[] {
  return rowsOf(kind);
}

/** Returns all names of a kind. */
export function namesOf(kind: Kind): readonly string[] {
  return rowsOf(kind).flatMap(({ names }) => names);
}

/** Returns the settings of a kind, in the order of the table. */
export function settingsOf(kind: 'unit' | 'field'): readonly Setting[] {
  return rowsOf(kind).map(({ names, meaning, anyone }) => {
    return { names, means: meaning === '' ? [] : meaning.split('; '), anyone };
  });
}
