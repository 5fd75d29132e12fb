import type { Static } from '@sinclair/typebox';
import { Option } from 'commander';
import { checkedOutput } from '../../platform/control/action.ts';
import { writeRows } from '../../platform/control/list-command.ts';
import {
  type CallOperation,
  type Group,
  type OperationCommand,
  type Output,
  operationCommand,
  outputOption,
  type Values,
} from '../../platform/control/operation-command.ts';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import type { Column } from '../../platform/terminal/table.ts';
import { JournalVerifier, type Statement } from '../../proof/ledger/journal.ts';
import type { JournalOwner } from '../../proof/ledger/journal-entry.ts';
import type { JournalResponse } from '../ledger/credits/schema.ts';

/** The operations that return a journal in pages, newest entry first. */
type JournalOperation = 'getCreditJournal' | 'getOperatorJournal';

/** Adds a command that prints and verifies the journal of an agent, or of a pool. */
export function journalCommand(
  group: Group,
  name: string,
  operation: JournalOperation,
  definition: Omit<OperationCommand, 'notes'>,
): void {
  const { command, read, operations } = operationCommand(group, name, operation, {
    ...definition,
    notes: `
The newest entries come first, with all details. The hashes are verified; the command exits with 1
if one is wrong.
`,
  });
  command
    .addOption(outputOption('table'))
    .addOption(new Option('--json', 'as --output ndjson').hideHelp())
    .action(async () => {
      const { json, output } = command.opts<{ json?: true; output: Output }>();
      const { values, operator } = read();
      const journal = await operations(command, (call) =>
        readJournal((page) => call(operation, { ...values, ...page }, operator), operation, values),
      );
      await printJournal(journal, json === true ? 'ndjson' : output);
    });
}

interface Journal extends Statement {
  owner: JournalOwner;
  head: string | null;
  /** Newest first. */
  entries: Entry[];
}

/** Reads all entries of a journal, with the head of its newest page. */
async function readJournal(
  pageOf: (paging: Values) => ReturnType<CallOperation>,
  operation: JournalOperation,
  { id }: Values,
): Promise<Journal> {
  const checked = await pageReader(operation, String(id));
  const pageAfter = async (cursor: { cursor?: string }) =>
    checked(await pageOf({ limit: '100', ...cursor }), `the operation ${operation}`);
  let page = await pageAfter({});
  const { owner, head, figures, opening } = page;
  const entries = [...page.entries];
  while (page.next_cursor !== null) {
    page = await pageAfter({ cursor: page.next_cursor });
    entries.push(...page.entries);
  }
  return { owner, head, figures, opening, entries };
}

/**
 * Returns the function that checks a page of the journal of an agent, or of a pool.
 * @param subject the commitment of the agent
 */
async function pageReader(operation: JournalOperation, subject: string) {
  if (operation === 'getCreditJournal') {
    const { JournalResponse: schema } = await import('../ledger/credits/schema.ts');
    return (output: unknown, source: string) => ({
      ...checkedOutput(schema, output, source),
      owner: { subject_commitment: subject },
    });
  }
  const { OperatorJournalResponse: schema } = await import('../ledger/journals/schema.ts');
  return (output: unknown, source: string) => {
    const page = checkedOutput(schema, output, source);
    return { ...page, opening: {}, owner: { operator_id: page.operator_id } };
  };
}

/**
 * Prints a journal, verifies it, and says what was verified.
 * @throws Failure for a journal that does not verify
 */
async function printJournal({ owner, head, entries, ...statement }: Journal, output: Output): Promise<void> {
  const verifier = new JournalVerifier(nativePrimitives, owner, head, statement);
  const count = entries.length;
  const problems = entries.flatMap((entry) => problemOf(verifier, entry));
  await writeRows(output === 'ndjson' ? null : ENTRIES, entries, output);
  const end = verifier.end();
  if (end !== null) problems.push(end);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) {
    const name = 'operator_id' in owner ? owner.operator_id : owner.subject_commitment;
    throw new Failure(
      `the journal of ${name} does not verify: ${problems.length} problems in ${count} entries`,
      'run countersign fsck',
    );
  }
  process.stderr.write(
    `${count} ${count === 1 ? 'entry' : 'entries'} verified: hashes, chain, balances, sums and private details\n`,
  );
}

/**
 * Verifies an entry with its private details.
 * @returns no element or one: the problem with the id of the entry
 */
function problemOf(verifier: JournalVerifier, entry: Entry): string[] {
  const { counterparty, memo, receipt_id, reference, salt, ...published } = entry;
  if (salt === null) return [`${entry.entry_id}: The service did not return its salt.`];
  const detail = { counterparty, memo, receipt_id, reference, salt };
  const problem = verifier.check(published, detail);
  return problem === null ? [] : [`${entry.entry_id}: ${problem}`];
}

type Entry = Static<typeof JournalResponse>['entries'][number];

const ENTRIES: readonly Column<Entry>[] = [
  { title: 'TIME', cellOf: (row) => row.created_at },
  { title: 'KIND', cellOf: (row) => row.kind },
  {
    title: 'AMOUNT',
    isNumber: true,
    cellOf: (row) => (row.direction === 'debit' ? -row.amount : row.amount),
  },
  { title: 'CLASS', cellOf: (row) => row.asset },
  { title: 'BALANCE', isNumber: true, cellOf: (row) => row.balance_after },
  { title: 'COUNTERPARTY', cellOf: (row) => row.counterparty },
  { title: 'REFERENCE', cellOf: (row) => row.reference },
  { title: 'MEMO', cellOf: (row) => row.memo },
];
