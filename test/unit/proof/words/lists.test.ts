import { describe, expect, test } from 'bun:test';
import { type ListCounts, listNotChecked, listSentence } from '../../../../src/proof/words/lists.ts';

const one: ListCounts = {
  ...{ signers: [], trees: [] },
  ...{ checked: 1, valid: 1, verdicts: { valid: 1 }, revocation: 'ok', not_checked: [] },
};

describe('the sentence of a list', () => {
  test('says how many are valid, and what was checked of all of them', () => {
    expect(listSentence(one)).toBe('valid: 1 receipt; in the log; witnesses cosigned the logs; not revoked.');
    const many = { ...one, checked: 1234, valid: 1234, verdicts: { valid: 1234 } };
    expect(listSentence({ ...many, old_statuses: 0 })).toEndWith('; not revoked.');
    const open = listNotChecked(new Set(['now', 'quorum']));
    expect(listSentence({ ...many, old_statuses: 1200, not_checked: open })).toBe(
      'valid: all 1,234 receipts; in the log; not revoked (1,200 as of an old status). ' +
        'Not checked: whether others see the same log (--policy); whether any was revoked since its status (--fresh).',
    );
  });

  test('says of none that it is checked for what nothing shows', () => {
    const open = listNotChecked(new Set(['key_events', 'revocation', 'quorum', 'proof', 'now']));
    expect(open.map(({ check }) => check)).toEqual(['proof', 'quorum', 'key_events', 'revocation', 'now']);
    expect(listSentence({ ...one, revocation: 'not_checked', not_checked: open })).toStartWith(
      'valid: 1 receipt. Not checked: whether the log has them (a bundle a line); ',
    );
  });

  test('counts the causes, and says why a valid verdict is not enough', () => {
    const verdicts = { expired: 1, valid: 2 };
    const two = { ...one, checked: 3, verdicts };
    expect(listSentence(two)).toBe(
      'not valid: 2 of 3 receipts (1 expired, 1 whose domain differs from --domain or cannot be checked).',
    );
    expect(listSentence({ ...two, old_statuses: 0 })).toEndWith(
      '(1 expired, 1 of which other checks failed).',
    );
    expect(listSentence({ ...one, valid: 0, verdicts: { expired: 1 } })).toBe(
      'not valid: 1 of 1 receipt (1 expired).',
    );
  });

  test('of an empty one says that there is nothing', () => {
    expect(listSentence({ ...one, checked: 0, valid: 0, verdicts: {} })).toBe(
      'no receipts: the input is empty.',
    );
  });
});
