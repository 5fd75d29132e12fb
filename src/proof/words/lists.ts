import type { SignedTree } from '../log/log-keys.ts';
import type { RevocationVerdict } from '../receipt/verdict.ts';
import { groupDigits } from './group-digits.ts';
import type { AdditionalCheck } from './kinds.ts';
import type { Signer } from './signer.ts';

/** What is said of lists of receipts and of bundles. */
export const LIST_WORDS = {
  /** The checks that are not made of every list. */
  additional: [
    { check: 'proof', option: 'a bundle a line', ok: 'in the log', open: 'whether the log has them' },
    {
      check: 'quorum',
      option: '--policy',
      ok: 'witnesses cosigned the logs',
      open: 'whether others see the same log',
    },
    {
      check: 'key_events',
      option: 'newer bundles',
      open: 'whether the log of keys has all of their keys',
    },
    { check: 'revocation', option: '--revocations', ok: 'not revoked', open: 'whether any is revoked' },
    { check: 'now', option: '--fresh', open: 'whether any was revoked since its status' },
  ],
  /** Why a receipt is not valid although its verdict is: in a list with bundles, and in one without. */
  failed: 'of which other checks failed',
  domain: 'whose domain differs from --domain or cannot be checked',
} as const satisfies { additional: readonly AdditionalCheck[]; failed: string; domain: string };

/** The result for all lines of a list. */
export interface ListCounts {
  checked: number;
  valid: number;
  /** The number of receipts per verdict, in the order of `VERDICTS`; verdicts with none are omitted. */
  verdicts: Record<string, number>;
  /** The worst of all receipts: `revoked`, else `not_checked`, else `ok`. */
  revocation: RevocationVerdict;
  /** The number of bundles whose status was no longer valid; absent if no line is a bundle. */
  old_statuses?: number;
  /** The checks that were not made of all receipts, each with what would make it. */
  not_checked: { check: string; option: string }[];
  /** Who signed the receipts whose signatures count, each once, in the order of their keys. */
  signers: Signer[];
  /** Of each log the smallest and the largest tree that trusted keys signed and a line cites. */
  trees: SignedTree[];
}

/** Returns the checks that were not made of all receipts. @param open their names */
export function listNotChecked(open: ReadonlySet<string>): ListCounts['not_checked'] {
  return LIST_WORDS.additional
    .filter(({ check }) => open.has(check))
    .map(({ check, option }) => ({ check, option }));
}

/** Says what the result for a list is worth, in one sentence, or in two if something was not checked. */
export function listSentence({
  checked,
  valid,
  verdicts,
  old_statuses: old,
  not_checked,
}: Omit<ListCounts, 'signers' | 'trees'>): string {
  if (checked === 0) return 'no receipts: the input is empty.';
  const receipts = `${groupDigits(checked)} ${checked === 1 ? 'receipt' : 'receipts'}`;
  if (valid < checked) {
    const causes = Object.entries(verdicts).filter(([verdict]) => verdict !== 'valid');
    const unproven = (verdicts.valid ?? 0) - valid;
    const why = old === undefined ? LIST_WORDS.domain : LIST_WORDS.failed;
    const all = unproven === 0 ? causes : [...causes, [why, unproven] as const];
    const said = all.map(([cause, count]) => `${groupDigits(count)} ${cause}`);
    return `not valid: ${groupDigits(checked - valid)} of ${receipts} (${said.join(', ')}).`;
  }
  const isOpen = ({ check }: AdditionalCheck): boolean => not_checked.some((one) => one.check === check);
  const rows: readonly AdditionalCheck[] = LIST_WORDS.additional;
  const done = rows.flatMap((row) =>
    row.ok === undefined || isOpen(row) ? [] : [clauseOf(row.check, row.ok)],
  );
  const unsaid = rows.filter(isOpen).map(({ open, option }) => `${open} (${option})`);
  const all = [`${checked === 1 ? '' : 'all '}${receipts}`, ...done].join('; ');
  return `valid: ${all}.${unsaid.length === 0 ? '' : ` Not checked: ${unsaid.join('; ')}.`}`;

  function clauseOf(check: string, clause: string): string {
    return check === 'revocation' && old ? `${clause} (${groupDigits(old)} as of an old status)` : clause;
  }
}
