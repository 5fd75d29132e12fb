import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { CREDIT_CLASSES, ENTRY_KINDS, MOVEMENT_KINDS } from '../../../../db/trust/ledger-enums.ts';
import {
  dateTime,
  hexString,
  inForms,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
  textOf,
} from '../../../platform/http/schema.ts';
import { OF_LOCKED } from '../../../proof/ledger/journal-entry.ts';
import { DEMO_TRANSACTION_ID } from '../../http/example-ids.ts';

const number = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const EntryKind = named(
  'MovementKind',
  oneOf(ENTRY_KINDS, {
    description: 'What the movement was for. `OPENING`: what a pool had before it had a journal.',
  }),
);
const CreditClass = named(
  'CreditClass',
  oneOf(CREDIT_CLASSES, {
    description:
      'The class of the credits. `paid`: bought with money. `promotional`: granted by the service. `sandbox`: from a test of payments.',
  }),
);

const entry = {
  entry_id: Type.String({
    description:
      'The id of the entry: that of its transaction with `entry_` instead of `txn_`, and another last character.',
  }),
  kind: EntryKind,
  asset: CreditClass,
  amount: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Credits, at least 1.' }),
  direction: oneOf(['credit', 'debit'], {
    description: '`credit` if the account received the amount, `debit` if it paid it.',
  }),
  of: Type.Optional(
    oneOf([OF_LOCKED], {
      description: 'Only if the agent paid from its locked credits: its available credits stay.',
    }),
  ),
  counterparty: Type.String({
    description:
      'The other side: the commitment of an agent, an operator_id, `locked` for what the agent locks or unlocks, or an account of the ' +
      'service. For strangers masked: its first and last four characters.',
  }),
  reference: nullable(
    Type.String({
      description:
        'What the movement belongs to, such as a task_id. Masked for strangers. null if there is none.',
    }),
  ),
  memo: nullable(Type.String({ description: "The payer's note. Always null for strangers." })),
  receipt_id: nullable(
    Type.String({
      description: 'The receipt that the service issued with the movement. Always null for strangers.',
    }),
  ),
  salt: nullable(
    hexString(16, 'The salt of detail_hash. null for strangers, so that they cannot guess what it hides.'),
  ),
  balance_after: number('The available credits of this class after the movement.'),
  created_at: dateTime('The time of the movement.'),
  detail_hash: hexString(
    32,
    'SHA-256 of the canonical JSON of {creditor, debtor, memo, receipt_id, reference, salt}.',
  ),
  entry_hash: hexString(
    32,
    'SHA-256 of the canonical JSON of {amount, asset, balance_after, created_at, detail_hash, direction, entry_id, kind, ' +
      'prev_entry_hash, subject_commitment}; with `of` if it is there, and with operator_id for a pool.',
  ),
  prev_entry_hash: nullable(
    hexString(32, "The entry_hash of the account's previous entry, of any class. null for its first entry."),
  ),
};

export const Entry = named('CreditJournalEntry', strictObject(entry));

export const JournalQuery = strictObject({
  kind: Type.Optional(oneOf(ENTRY_KINDS, { description: 'Only entries of this kind.' })),
  asset: Type.Optional(oneOf(CREDIT_CLASSES, { description: 'Only entries of this class of credits.' })),
  reference: Type.Optional(
    Type.String({ minLength: 1, maxLength: 256, description: 'Only entries with this reference.' }),
  ),
  from: Type.Optional(dateTime('Only entries at or after this time.')),
  to: Type.Optional(dateTime('Only entries before this time.')),
  limit: limitParameter('Entries per page.', 50),
  cursor: Type.Optional(Type.String({ maxLength: 256, description: '`next_cursor` of the previous page.' })),
});

const figures = {
  granted: number('What operators granted.'),
  earned: number('What others paid to the agent.'),
  spent: number('What the agent paid.'),
  locked: number('What is in escrow, or reserved for withdrawals.'),
  available: number('What the agent can spend.'),
};
const AgentFigures = named('JournalFigures', strictObject(figures));
const PoolFigures = strictObject({ available: figures.available });

const AgentOpening = named(
  'JournalOpening',
  strictObject({
    ...figures,
    entry_hash: hexString(32, "The agent's newest entry then."),
    created_at: dateTime('The time.'),
  }),
);

const byClass = <Of extends typeof AgentFigures | typeof PoolFigures | typeof AgentOpening>(
  of: Of,
  description: string,
) =>
  strictObject(
    { promotional: Type.Optional(of), paid: Type.Optional(of), sandbox: Type.Optional(of) },
    { description },
  );

/** The members of a page of a journal, and of the first line of a whole one. */
const journal = {
  length: number('The number of entries in the whole journal.'),
  head: nullable(hexString(32, 'The entry_hash of the newest entry. null for an empty journal.')),
};

export const agentJournal = {
  ...journal,
  figures: byClass(AgentFigures, 'The totals of each class, to which the journal adds up.'),
  opening: byClass(
    AgentOpening,
    'The totals when the journal became complete, to which later entries add up. Empty if it always was.',
  ),
};

export const pages = {
  entries: Type.Array(Entry),
  next_cursor: nullable(
    Type.String({
      description:
        'The cursor of the next page. null on the last page. With filters a page may have fewer entries.',
    }),
  ),
};

const poolJournal = {
  operator_id: Type.String({ description: 'Your operator.' }),
  ...journal,
  figures: byClass(PoolFigures, 'The credits of the pool, to which the journal adds up.'),
};

export const OperatorJournalResponse = named('OperatorJournal', strictObject({ ...poolJournal, ...pages }));

/** Returns the schema of a journal: a page, or all of it. */
export function inJournalForms<Page extends TSchema>(page: Page) {
  return inForms(
    [
      page,
      textOf('application/x-ndjson', 'All entries, one a line.'),
      textOf('text/csv; charset=utf-8', 'All entries.'),
    ],
    'A page; or all entries, for a preference of the media type.',
  );
}

export const TransactionPath = strictObject({
  transaction_id: Type.String({
    maxLength: 64,
    description: 'The id of the transaction: `txn_…`.',
    examples: [DEMO_TRANSACTION_ID],
  }),
});

export const TransactionResponse = named(
  'LedgerTransaction',
  strictObject({
    transaction_id: Type.String({ description: 'The id of the transaction: `txn_…`.' }),
    kind: oneOf(MOVEMENT_KINDS, { description: 'What it was for.' }),
    created_at: dateTime('Its time.'),
    entries: Type.Array(
      strictObject({
        subject_commitment: Type.Optional(
          Type.String({ description: 'The agent whose journal has the entry; masked if it is not yours.' }),
        ),
        operator_id: Type.Optional(Type.String({ description: 'The operator whose pool has the entry.' })),
        ...entry,
      }),
      { description: 'The entries of all journals but those of the pools of others.' },
    ),
  }),
);

export type JournalQuery = Static<typeof JournalQuery>;
export type JournalEntryView = Static<typeof Entry>;
