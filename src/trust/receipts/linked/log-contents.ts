import { readAnyAccountsEntry } from '../../../proof/log/journal-heads-entry.ts';
import type { LogContent } from '../../log/contents.ts';
import { accountLeavesOf } from './log/leaves.ts';
import { appendMissingActsIn } from './log/missing-acts.ts';
import { recoverAccountsLeafIn } from './log/recovery.ts';

/** Provides the entries of the log of accounts. */
export function logContents(): readonly LogContent[] {
  return [
    {
      log: 'accounts',
      leavesOf: accountLeavesOf,
      recoverIn: (tx, log, text) => recoverAccountsLeafIn(tx, log, readAnyAccountsEntry(text)),
      completeIn: (tx, { accounts }, recovered) => appendMissingActsIn(tx, accounts, recovered),
    },
  ];
}
