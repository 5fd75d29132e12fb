import { type TObject, Type } from '@sinclair/typebox';
import { CREDIT_CLASSES, ENTRY_KINDS } from '../../../../db/trust/ledger-enums.ts';
import {
  dateTime,
  hexString,
  inForms,
  named,
  nullable,
  oneOf,
  strictObject,
  textOf,
  written,
} from '../../../platform/http/schema.ts';
import { PageText } from '../../../platform/page/negotiation.ts';
import { STATEMENT_TYPE } from '../../../proof/ledger/account-statement.ts';
import { OF_LOCKED } from '../../../proof/ledger/journal-entry.ts';
import { EXAMPLE_COMMITMENT } from '../../agents/example-agent.ts';
import { CSV } from '../journals/forms.ts';
import { LAST_MONTH } from './get-statement.ts';

const number = (description?: string) =>
  Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    ...(description === undefined ? {} : { description }),
  });

const month = Type.String({
  maxLength: 16,
  description: 'The month in UTC: YYYY-MM, `last`, or `current`.',
  examples: [LAST_MONTH],
});

export const MonthPath = strictObject({ month });
export const AgentMonthPath = strictObject({
  id: Type.String({
    maxLength: 256,
    description: "The agent's subject commitment.",
    examples: [EXAMPLE_COMMITMENT],
  }),
  month,
});

const byClass = (each: TObject, description: string) =>
  strictObject(Object.fromEntries(CREDIT_CLASSES.map((name) => [name, Type.Optional(each)])), {
    description,
  });
const balance = named('ClassBalance', strictObject({ available: number(), locked: Type.Optional(number()) }));

const statement = named(
  'AccountStatement',
  strictObject({
    type: Type.Literal(STATEMENT_TYPE),
    subject_commitment: Type.Optional(Type.String({ description: 'The agent.' })),
    operator_id: Type.Optional(Type.String({ description: 'The operator of the pool.' })),
    month: Type.String(),
    from: dateTime('The beginning of the month, or of the journal in it.'),
    until: dateTime('Exclusive: the end of the month, or the time of an interim statement.'),
    interim: Type.Boolean({ description: 'Whether the month is not over: then it is not signed.' }),
    opening: byClass(balance, 'The credits at `from`, by class. `locked` of agents only.'),
    movements: Type.Array(
      strictObject({
        asset: oneOf(CREDIT_CLASSES),
        kind: oneOf(ENTRY_KINDS),
        direction: oneOf(['credit', 'debit']),
        of: Type.Optional(oneOf([OF_LOCKED])),
        count: number(),
        amount: number(),
      }),
      { description: 'The sums of the entries of the journal.' },
    ),
    turnover: Type.Optional(
      byClass(
        strictObject({ granted: number(), earned: number(), spent: number() }),
        'Of an agent: what it was granted, earned and spent.',
      ),
    ),
    closing: byClass(balance, 'The credits at `until`.'),
    journal: strictObject(
      {
        entries: number('How many are in the period.'),
        length: number('How many there are up to `until`.'),
        opening_head: nullable(hexString(32, 'The hash of the newest entry before `from`.')),
        head: nullable(hexString(32, 'The hash of the newest entry before `until`.')),
      },
      { description: 'The entries of the journal.' },
    ),
    issued_at: dateTime('The time of the statement.'),
    held: Type.Optional(
      Type.Array(strictObject({ amount: number(), until: dateTime('Until when.') }), {
        description: 'Interim only: paid credits that cannot be withdrawn yet.',
      }),
    ),
    signature: Type.Optional(
      hexString(64, 'Ed25519 signature over the digest of all other members except kid.'),
    ),
    kid: Type.Optional(Type.String({ description: 'The id of the signing key (purpose `credentials`).' })),
  }),
);

export const StatementResponse = inForms(
  [
    written(statement),
    PageText,
    textOf(
      `${CSV}; charset=utf-8`,
      'A row for each entry, newest first; for keys that see all of the journal.',
    ),
  ],
  'The statement, in the form that Accept prefers.',
);
