import { type Static, Type } from '@sinclair/typebox';
import { SLASHED_TRANCHES } from '../../../../db/trust/slashing-enums.ts';
import {
  dateTime,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../../platform/http/schema.ts';

const cents = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

const tranche = (description: string) => oneOf(SLASHED_TRANCHES, { description });

export const SlashingLedgerQuery = strictObject({
  tranche: Type.Optional(tranche('Only entries of this error tranche.')),
  limit: limitParameter('Entries per page.', 50),
  cursor: Type.Optional(Type.String({ maxLength: 512, description: '`next_cursor` of the previous page.' })),
});

export type SlashingLedgerQuery = Static<typeof SlashingLedgerQuery>;

const SlashEntry = named(
  'SlashingEntry',
  strictObject({
    id: Type.String({ description: 'The id of the entry: `slash_…`.' }),
    receipt_id: Type.String({ description: 'The receipt that was finalized with the tranche.' }),
    operator_id: Type.String({ description: 'Your operator, which issued the receipt.' }),
    tranche: tranche('The error tranche of the receipt.'),
    amount_cents: cents('What was taken of the stake, in US cents. 0 if there was nothing to take.'),
    stake_before_cents: cents('The stake before, in US cents.'),
    stake_after_cents: cents('The stake afterwards, in US cents: stake_before_cents − amount_cents.'),
    created_at: dateTime('The time when the receipt was finalized.'),
  }),
);

export const SlashingLedgerResponse = named(
  'SlashingLedgerPage',
  strictObject({
    entries: Type.Array(SlashEntry),
    next_cursor: nullable(
      Type.String({ description: 'The cursor of the next page. null on the last page.' }),
    ),
  }),
);
