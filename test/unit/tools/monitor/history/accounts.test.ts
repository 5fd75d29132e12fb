import { expect, test } from 'bun:test';
import {
  type AccountEntry,
  accountEntryText,
  evidenceEntryText,
  NO_RECEIPT,
} from '../../../../../src/proof/log/log-entry.ts';
import { EntryHistory } from '../../../../../src/tools/monitor/history/history.ts';
import { agentOf, evidenceEntries } from '../../../../support/evidence-entries.ts';

const A = 'aa'.repeat(32);
const B = 'bb'.repeat(32);
const AGENT = 'cc'.repeat(32);
const at = '2026-05-01T12:00:00.000Z';
const link = (sequence: number, event: 'linked' | 'unlinked' = 'linked', account = A): AccountEntry => ({
  ...{ account, sequence, event, at },
  ...NO_RECEIPT,
});
const act = (sequence: number, agent_sequence: number, account = A, agent = AGENT): AccountEntry => ({
  ...{ account, sequence, event: 'issued', at, agent, agent_sequence },
  receipt_id: `rcpt_${'0'.repeat(32)}`,
  content_hash: 'dd'.repeat(32),
});

/** What the history says of each entry in turn. */
function problemsOf(entries: readonly AccountEntry[]): (string | null)[] {
  const history = EntryHistory.temporary();
  try {
    return entries.map((entry, index) =>
      history.take('accounts', Buffer.from(accountEntryText(entry)), index),
    );
  } finally {
    history.close();
  }
}

test.each<[string, AccountEntry[], (RegExp | null)[]]>([
  [
    'two accounts that are linked, act, are unlinked and linked again',
    [link(1), act(2, 1), link(1, 'linked', B), act(3, 2), link(4, 'unlinked'), link(5), act(6, 3)],
    [null, null, null, null, null, null, null],
  ],
  ['a dropped leaf, reported once', [link(1), act(3, 1), act(4, 2)], [null, /next leaf is 2/, null]],
  ['a dropped leaf of an agent', [link(1), act(2, 2), act(3, 3)], [null, /next leaf is 1/, null]],
  ['a repeated leaf', [link(1), act(2, 1), act(2, 1)], [null, null, /next leaf is 3/]],
  ['a first leaf that is dropped', [act(2, 1)], [/next leaf is 1/]],
  ['an account that begins without being linked', [act(1, 1)], [/not linked/]],
  ['a leaf after unlinking', [link(1), link(2, 'unlinked'), act(3, 1)], [null, null, /not linked/]],
  ['an account that is linked twice', [link(1), link(2)], [null, /was linked before/]],
  [
    'an account that is unlinked twice',
    [link(1), link(2, 'unlinked'), link(3, 'unlinked')],
    [null, null, /not linked/],
  ],
  [
    'an agent that is moved to another account',
    [link(1), act(2, 1), link(1, 'linked', B), act(2, 2, B)],
    [null, null, null, /is of account/],
  ],
])('finds %s', (_, entries, expected) => {
  const found = problemsOf(entries);
  for (const [index, pattern] of expected.entries()) {
    if (pattern === null) expect([index, found[index]]).toEqual([index, null]);
    else expect(found[index]).toMatch(pattern);
  }
});

test('keeps accounts apart from the chains of agents with the same name', () => {
  const history = EntryHistory.temporary();
  const name = agentOf(7);
  try {
    const taken = [
      history.take('accounts', Buffer.from(accountEntryText(link(1, 'linked', name))), 0),
      ...evidenceEntries([7, 7]).map((entry, index) =>
        history.take('evidence', Buffer.from(evidenceEntryText(entry)), index),
      ),
      history.take('accounts', Buffer.from(accountEntryText(act(2, 1, name, name))), 1),
    ];
    expect(taken).toEqual([null, null, null, null]);
  } finally {
    history.close();
  }
});
