import type { Clock } from '../../platform/time/clock.ts';
import { readAnyRevocationEntry, readReceiptEntry } from '../../proof/log/log-entry.ts';
import type { AgentRecords } from '../agents/agent-records.ts';
import { recoverAgentRevocationIn } from '../agents/revocation.ts';
import type { LogContent } from '../log/contents.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import { appendVersionIn, logLostVersionIn, versionLeavesOf } from './log/leaves.ts';
import { receiptSeqOf, recoverRevocationIn } from './recovery.ts';

/** Provides the entries of the logs of receipts and of revocations, which are of receipts or of agents. */
export function logContents(parts: {
  signer: Signer;
  clock: Clock;
  agentRecords: AgentRecords;
}): readonly LogContent[] {
  return [
    {
      log: 'receipts',
      leavesOf: (snapshot, from, to) => versionLeavesOf(snapshot, 'receipts', from, to),
      // The log does not have the outcome, so only the fact of a finalization can be recovered.
      async recoverIn(tx, log, entry) {
        const { receipt_id: receiptId } = readReceiptEntry(entry);
        const receiptSeq = await receiptSeqOf(tx, receiptId);
        await logLostVersionIn(tx, log, 'receipts', receiptSeq, entry);
        return receiptSeq === null ? `the receipt ${receiptId}` : `the outcome of receipt ${receiptId}`;
      },
    },
    {
      log: 'revocations',
      leavesOf: (snapshot, from, to) => versionLeavesOf(snapshot, 'revocations', from, to),
      async recoverIn(tx, log, entry) {
        const revocation = readAnyRevocationEntry(entry);
        if ('agent' in revocation) return recoverAgentRevocationIn(tx, parts, log, revocation.agent);
        const { receiptSeq = null, version = null } =
          (await recoverRevocationIn(tx, parts, revocation.receipt)) ?? {};
        if (receiptSeq === null || version === null)
          await logLostVersionIn(tx, log, 'revocations', receiptSeq, entry);
        else await appendVersionIn(tx, log, 'revocations', { receiptSeq, version }, entry);
        if (receiptSeq === null) return `the revoked receipt ${revocation.receipt.receipt_id}`;
        const part = version === null ? 'the signed revocation' : 'the reason, if any, for the revocation';
        return `${part} of receipt ${revocation.receipt.receipt_id}`;
      },
    },
  ];
}
