import { describe, expect, test } from 'bun:test';
import { ACCOUNT_PROBLEMS } from '../../../../src/proof/account/problems.ts';
import {
  type AccountSummary,
  COMPLETE_PROBLEMS,
  completeSummary,
} from '../../../../src/proof/words/complete.ts';

const found: AccountSummary = {
  complete: true,
  operator_id: 'op_cus_1',
  judged_since: 'A',
  attested_at: 'B',
  earlier_leaves: 0,
  earlier_receipts: 0,
  matched: 1200,
  problems: {},
  longest_interval_ms: 600_001,
};
const kept = { hasClosedLogs: true, isKeptList: true };
const openOf = (...of: Parameters<typeof completeSummary>) =>
  completeSummary(...of).not_checked.map(({ check }) => check);

describe('the summary of a linked account', () => {
  test('says what was checked, and what nobody has looked at', () => {
    const { checked, not_checked, sentence } = completeSummary(found, kept);
    expect(checked).toEqual(['receipts', 'leaves', 'times', 'closed_logs', 'linked', 'quorum']);
    expect(not_checked).toEqual([
      { check: 'before_link', option: '' },
      { check: 'verdicts', option: 'verify without --complete' },
      { check: 'key_log', option: 'verify of the list of keys with --log' },
    ]);
    expect(sentence).toBe(
      'complete: Of op_cus_1, the log of accounts has these 1,200 receipts and no others, from A to B; ' +
        'a trusted key signed each; witnesses cosigned the log; kept checkpoints, at most 601 s apart, bound the time of each leaf; ' +
        'all entries are known of the closed logs that the list of keys names; the account was always linked. ' +
        'Not checked: what came before A; whether any has expired or is revoked (verify without --complete); ' +
        'whether the log of keys has these keys, and names no other closed log (verify of the list of keys with --log).',
    );
  });

  test('says that keys which a service returns now may be for one reader', () => {
    const said = completeSummary(found, { ...kept, isKeptList: false });
    expect(said.sentence).toContain('; whether others are shown the same keys (--keys with a saved list); ');
  });

  test('says nothing of closed logs where there are none', () => {
    const said = completeSummary(found, { ...kept, hasClosedLogs: false });
    expect(said.checked).not.toContain('closed_logs');
    expect(said.sentence).not.toContain('all entries are known');
    expect(said.not_checked).toEqual(completeSummary(found, kept).not_checked);
  });

  test('counts what came before the time of --from', () => {
    const from = { ...found, matched: 3, earlier_leaves: 1, earlier_receipts: 2 };
    expect(openOf(from, kept)[0]).toBe('earlier');
    const { sentence } = completeSummary(from, kept);
    expect(sentence).toContain('has this 1 receipt and no others');
    expect(sentence).toContain(
      'what came before A: 1 leaf, and 2 receipts of the list with no other leaves (an earlier --from)',
    );
  });

  test('does not count receipts without leaves among those of the log, where an account may be unlinked', () => {
    const unlinked = { ...found, problems: { unproven: 7, unlinked: 1 } };
    const { checked, sentence } = completeSummary(unlinked, kept);
    expect(checked).not.toContain('linked');
    expect(openOf(unlinked, kept)[0]).toBe('linked');
    expect(sentence).toContain(
      'these 1,200 receipts and no others, from A to B, except while it was not linked (7 unproven, 1 unlinked); ',
    );
    expect(sentence).toContain('Not checked: what happened while it was not linked; ');
  });

  test('names the problems of what is not complete, and the checks that are in order', () => {
    const wrong = { ...found, complete: false, problems: { predecessor: 1, missing: 2000, unlinked: 1 } };
    const { checked, sentence } = completeSummary(wrong, kept);
    expect(sentence).toBe('not complete: 1 predecessor, 2,000 missing, 1 unlinked.');
    expect(checked).toEqual(['receipts', 'times', 'quorum']);
    expect(openOf(wrong, kept)).not.toContain('linked');
  });

  test('has each problem in one check', () => {
    expect(Object.values<readonly string[]>(COMPLETE_PROBLEMS).flat().sort()).toEqual(
      Object.entries(ACCOUNT_PROBLEMS)
        .map(([kind]) => kind)
        .sort(),
    );
  });
});
