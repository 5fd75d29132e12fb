import {
  type AuditedTable,
  gaps,
  NOTHING,
  type RangeReport,
  type RowRange,
} from '../../../platform/audit/table.ts';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { agoraEntryHash } from '../../../proof/agora/entry.ts';
import { refusalOf } from '../../../proof/agora/negotiation.ts';
import { isSigned } from '../../../proof/agora/verify-proposal.ts';
import { canonicalJson } from '../../../proof/encoding/canonical-json.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { partiesOf, stepOf } from './representation.ts';
import { type EntryRow, type EntryState, entriesBetween, newestEntry } from './store.ts';

/** Audits every entry of the ledger: its hash, its signature, and whether the step was allowed. */
const entries: AuditedTable = {
  name: 'agora_entry',
  stage: 'rows',
  rows: {
    column: 'entry_seq',
    counted: 'agora_entries',
    inWords: 'entries of AGORA',
    oneInWords: 'entry of AGORA',
    cost: 12,
    examine: entriesReport,
  },
  begin: async ({ snapshot }) => ({ reach: await newestEntry(await snapshot) }),
};

/** The tables of AGORA that fsck audits. */
export const audited = [entries];

async function entriesReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const states = await entriesBetween(snapshot, range);
  const numbers = states.map(({ entry }) => entry.entrySeq);
  const problems = gaps('agora_entry', 'entry_seq', numbers, range);
  for (const state of states) problems.push(...entryProblems(state));
  return { ...NOTHING, problems, rows: states.length, signatures: states.length };
}

function entryProblems(state: EntryState): Problem[] {
  const { entry } = state;
  const row = { entry_seq: entry.entrySeq };
  const problem = (what: string, values: Partial<Problem> = {}): Problem => ({
    table: 'agora_entry',
    row,
    id: entry.proposalId,
    what,
    ...values,
  });
  try {
    const step = stepOf(state);
    const { from } = partiesOf(state);
    const problems: Problem[] = [];
    const terms = step.terms === null ? null : canonicalJson(step.terms);
    if (terms !== entry.terms) problems.push(problem('terms are not the canonical JSON of an object'));
    const expected = agoraEntryHash(nativePrimitives, entry.proposalId, step);
    if (expected !== entry.entryHash) {
      problems.push(
        problem('entry_hash is not the digest of the entry', { expected, found: entry.entryHash }),
      );
    }
    // The audience of an installation never changes, so another one belongs to another ledger.
    if (state.prevAudience !== null && state.prevAudience !== entry.audience) {
      problems.push(
        problem('audience is not that of the entry before it', {
          expected: state.prevAudience,
          found: entry.audience,
        }),
      );
    }
    if (!isSigned(nativePrimitives, entry.proposalId, step, from.publicKey))
      problems.push(problem('signature is not by the agent that took the step'));
    return [...problems, ...moveProblems(state, problem)];
  } catch (error) {
    return [problem(`it cannot be read: ${error instanceof Error ? error.message : String(error)}`)];
  }
}

function moveProblems({ entry, stepBefore }: EntryState, problem: (what: string) => Problem): Problem[] {
  if (stepBefore === null && entry.step > 1) return [problem('the step before it is missing')];
  const move = ({ action, fromSeq, toSeq }: EntryRow) => ({
    action,
    from: String(fromSeq),
    to: String(toSeq),
  });
  const refusal = refusalOf(stepBefore === null ? null : move(stepBefore), entry.step - 1, move(entry));
  return refusal === null ? [] : [problem(`the step was not allowed: ${refusal.message}`)];
}
