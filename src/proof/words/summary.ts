import type { AdditionalCheck, KindWords } from './kinds.ts';

/** What the judge of a document found. */
export interface Found {
  verdict: string;
  /** The result of each check by its name; `true` as `ok`, null as not made. */
  checks: object;
  revocation?: string;
  /** When it was not revoked, if that is not now. */
  revocation_as_of?: string;
}

/** What a verdict says, and what it does not. */
export interface Summary {
  /** The checks that were made and are in order. */
  checked: string[];
  /** The checks that were not made, with what would make them. */
  not_checked: { check: string; option: string }[];
  /** The verdict in one sentence, or in two if something was not checked. */
  sentence: string;
}

/** The results that are in order. */
export const IN_ORDER: readonly unknown[] = ['ok', 'trusted', 'closed', true];
/** The results that are neither in order nor wrong: nothing was looked at, or nothing is demanded. */
export const OPEN: readonly unknown[] = [
  undefined,
  null,
  'none',
  'not_shown',
  'partly',
  'unknown',
  'undated',
];

type State = 'ok' | 'open' | 'failed';

/**
 * Says what a verdict is worth: the checks that were made, those that were not, and both in words.
 * @param words of the kind of document
 * @param isAsAsked whether the verdict is valid and each requested check is in order
 * @param open the names of additional checks that nothing in the result shows to be open
 */
export function summaryOf(
  words: KindWords,
  found: Found,
  isAsAsked: boolean,
  open: readonly string[] = [],
): Summary {
  const results = new Map<string, unknown>(Object.entries(found.checks));
  const checked = [...results].filter(([, result]) => IN_ORDER.includes(result)).map(([name]) => name);
  const states = words.additional.map((row) => ({ row, state: stateOf(row, found, results, open) }));
  const unmade = states
    .filter(({ row, state }) => state === 'open' && row.open !== undefined)
    .map(({ row }) => openRow(row, results));
  return {
    checked,
    not_checked: unmade.map(({ check, option = '' }) => ({ check, option })),
    sentence: sentenceOf(),
  };

  function sentenceOf(): string {
    const { verdict } = found;
    if (verdict !== 'valid') return `${verdict}: ${words.verdicts[verdict] ?? ''}`;
    if (!isAsAsked) {
      const failed = [...results]
        .filter(([, result]) => !IN_ORDER.includes(result) && !OPEN.includes(result))
        .map(([name]) => name);
      return `not proven: ${words.itself} is valid; other checks failed (${failed.join(', ')}).`;
    }
    const done = states.flatMap(({ row, state }) =>
      state === 'ok' && row.ok !== undefined ? [clauseOf(row, row.ok)] : [],
    );
    const said = [words.verdicts.valid.replace(/\.$/, ''), ...done].join('; ');
    const unsaid = unmade.map(({ open, option }) => (option === undefined ? open : `${open} (${option})`));
    return `${words.first ?? 'valid'}: ${said}.${unsaid.length === 0 ? '' : ` Not checked: ${unsaid.join('; ')}.`}`;
  }

  function clauseOf({ check, closed = '', unproven }: AdditionalCheck, clause: string): string {
    const { revocation_as_of: asOf } = found;
    if (check === 'revocation' && asOf !== undefined) return `it was not revoked at ${asOf}`;
    if (results.get(check) === 'closed') return closed;
    return unproven !== undefined && !results.has('proof') ? unproven : clause;
  }
}

/** Returns a check that was not made as what else would make it, beside a copy of the log. */
function openRow(row: AdditionalCheck, results: ReadonlyMap<string, unknown>): AdditionalCheck {
  if (row.copied === undefined || results.get('copy') !== 'ok') return row;
  const { option = '', copied } = row;
  return { ...row, option: option.replace(', --log', ''), open: copied };
}

function stateOf(
  { check, isNamed = false }: AdditionalCheck,
  { revocation, revocation_as_of }: Found,
  results: ReadonlyMap<string, unknown>,
  open: readonly string[],
): State | null {
  if (check === 'now') return revocation_as_of === undefined ? null : 'open';
  if (isNamed) return open.includes(check) ? 'open' : null;
  if (check === 'revocation') {
    if (revocation === undefined || revocation === 'not_checked')
      return ['status', 'revocation'].some((name) => !OPEN.includes(results.get(name))) ? 'failed' : 'open';
    return revocation === 'ok' ? 'ok' : 'failed';
  }
  const result = results.get(check);
  if (IN_ORDER.includes(result)) return 'ok';
  return OPEN.includes(result) ? 'open' : 'failed';
}
