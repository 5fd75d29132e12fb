import { type AccountProblemKind, OF_UNLINKED } from '../account/problems.ts';
import { groupDigits } from './group-digits.ts';
import type { KindWords } from './kinds.ts';
import { type Summary, summaryOf } from './summary.ts';

/** What is said of the receipts of a linked account. A name in braces stands for a value of `valuesOf`. */
export const COMPLETE_WORDS = {
  first: 'complete',
  verdicts: {
    'not complete': '{problems}.',
    valid:
      'Of {operator_id}, the log of accounts has {receipts} and no others, from {judged_since} to {attested_at}{except}.',
  },
  itself: 'The list',
  additional: [
    { check: 'receipts', ok: 'a trusted key signed each' },
    { check: 'quorum', ok: 'witnesses cosigned the log' },
    { check: 'times', ok: 'kept checkpoints, at most {interval} s apart, bound the time of each leaf' },
    { check: 'closed_logs', ok: 'all entries are known of the closed logs that the list of keys names' },
    { check: 'linked', ok: 'the account was always linked', open: 'what happened while it was not linked' },
    { check: 'before_link', open: 'what came before {judged_since}', isNamed: true },
    {
      check: 'earlier',
      option: 'an earlier --from',
      open: 'what came before {judged_since}: {earlier_leaves}, and {earlier_receipts} of the list with no other leaves',
      isNamed: true,
    },
    {
      check: 'verdicts',
      option: 'verify without --complete',
      open: 'whether any has expired or is revoked',
      isNamed: true,
    },
    {
      check: 'keys',
      option: '--keys with a saved list',
      open: 'whether others are shown the same keys',
      isNamed: true,
    },
    {
      check: 'key_log',
      option: 'verify of the list of keys with --log',
      open: 'whether the log of keys has these keys, and names no other closed log',
      isNamed: true,
    },
  ],
} as const satisfies KindWords;

/** Which problems are of which check. */
export const COMPLETE_PROBLEMS = {
  receipts: ['not_authentic', 'foreign'],
  leaves: [
    ...(['sequence', 'agent_sequence', 'link', 'event', 'extra', 'duplicate', 'altered'] as const),
    ...(['pending', 'reordered', 'missing'] as const),
  ],
  times: ['time', 'unbounded'],
  closed_logs: ['predecessor'],
  linked: OF_UNLINKED,
} as const satisfies Record<string, readonly AccountProblemKind[]>;

/** What was found of a linked account, as `verify --complete` prints it. */
export interface AccountSummary {
  complete: boolean;
  operator_id: string;
  attested_at: string;
  judged_since: string | null;
  earlier_leaves: number;
  matched: number;
  earlier_receipts: number;
  /** How often each problem was named. */
  problems: { readonly [kind: string]: number };
  longest_interval_ms: number;
}

/**
 * Says what was checked of a linked account, what was not, and both in words.
 * @param hasClosedLogs whether the log continues closed ones
 * @param isKeptList whether the trusted keys are a saved list, and not what a service returns now
 */
export function completeSummary(
  found: AccountSummary,
  { hasClosedLogs, isKeptList }: { hasClosedLogs: boolean; isKeptList: boolean },
): Summary {
  const { complete, problems, earlier_leaves } = found;
  const groups = Object.entries<readonly AccountProblemKind[]>(COMPLETE_PROBLEMS)
    .filter(([check]) => check !== 'closed_logs' || hasClosedLogs)
    .map(([check, kinds]) => [check, resultOf(kinds)] as const);
  const open = [earlier_leaves === 0 ? 'before_link' : 'earlier', 'verdicts', 'key_log'];
  return summaryOf(
    filled(valuesOf(found)),
    {
      verdict: complete ? 'valid' : 'not complete',
      checks: Object.fromEntries([...groups, ['quorum', 'ok']]),
    },
    complete,
    isKeptList ? open : [...open, 'keys'],
  );

  function resultOf(kinds: readonly AccountProblemKind[]): string {
    if (!kinds.some((kind) => problems[kind] !== undefined)) return 'ok';
    // Only what the account was not linked for is allowed in a complete list.
    return complete ? 'partly' : 'bad';
  }
}

function valuesOf({ problems, ...found }: AccountSummary): Map<string, string> {
  const { matched, earlier_leaves, earlier_receipts, longest_interval_ms } = found;
  const own = matched - earlier_receipts;
  const counts = Object.entries(problems)
    .map(([kind, count]) => `${groupDigits(count)} ${kind}`)
    .join(', ');
  return new Map([
    ['operator_id', found.operator_id],
    ['receipts', `${own === 1 ? 'this' : 'these'} ${countOf(own, 'receipt', 'receipts')}`],
    ['judged_since', `${found.judged_since}`],
    ['attested_at', found.attested_at],
    ['except', counts === '' ? '' : `, except while it was not linked (${counts})`],
    ['problems', counts],
    ['interval', groupDigits(Math.ceil(longest_interval_ms / 1000))],
    ['earlier_leaves', countOf(earlier_leaves, 'leaf', 'leaves')],
    ['earlier_receipts', countOf(earlier_receipts, 'receipt', 'receipts')],
  ]);
}

const countOf = (count: number, one: string, many: string): string =>
  `${groupDigits(count)} ${count === 1 ? one : many}`;

/** Returns the words with values for the names in braces. */
function filled(values: ReadonlyMap<string, string>): KindWords {
  const { verdicts, additional, ...words } = COMPLETE_WORDS;
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name) => values.get(name) ?? '');
  return {
    ...words,
    verdicts: { valid: fill(verdicts.valid), 'not complete': fill(verdicts['not complete']) },
    additional: additional.map((row) => ({
      ...row,
      ...('ok' in row && { ok: fill(row.ok) }),
      ...('open' in row && { open: fill(row.open) }),
    })),
  };
}
