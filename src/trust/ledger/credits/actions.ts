import { Type } from '@sinclair/typebox';
import { TIERS } from '../../../../db/trust/ledger-enums.ts';
import { Action } from '../../../platform/control/action.ts';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { Principals } from '../../operators/auth/principals.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import type { WalletsPolicy } from '../wallets/evm-policy.ts';
import { fullJournal } from './get-journal.ts';
import { grantAsAdministrator } from './grant.ts';
import {
  Balances,
  GrantRequest,
  JournalResponse,
  MovedResponse,
  TierResponse,
  TransferRequest,
} from './schema.ts';
import { showCredits } from './show.ts';
import { showUnclaimed } from './show-unclaimed.ts';
import { transferAsAdministrator } from './transfer.ts';

/** The parts of the service that are used here. */
interface Context {
  store: Store;
  clock: Clock;
  ids: Ids;
  policy: OperatorsPolicy & WalletsPolicy;
  principals: Principals;
  cursors: Cursors;
}

const commitment = GrantRequest.properties.subject_commitment;
const { from_commitment, to_commitment, amount, kind, memo } = TransferRequest.properties;
const { sandbox: _, ...figures } = Balances.properties;
const { subject_commitment, ...tier } = TierResponse.properties;

export const grantAction = new Action({
  name: 'credits.grant',
  input: strictObject({
    operator: nullable(Type.String({ minLength: 1, maxLength: 128 })),
    ...GrantRequest.properties,
  }),
  output: MovedResponse,
  run: (context: Context, { operator, ...grant }) => grantAsAdministrator(context, operator, grant),
});

export const transferAction = new Action({
  name: 'credits.transfer',
  input: strictObject({ from_commitment, to_commitment, amount, kind, memo }),
  output: MovedResponse,
  run: (context: Context, transfer) => transferAsAdministrator(context, transfer),
});

export const unclaimedAction = new Action({
  name: 'credits.unclaimed',
  input: strictObject({}),
  output: strictObject({
    promotional: figures.available,
    paid: figures.available,
    sandbox: figures.available,
  }),
  run: (context: Context) => showUnclaimed(context),
});

export const showAction = new Action({
  name: 'credits.show',
  input: strictObject({ subject_commitment }),
  output: strictObject({
    subject_commitment,
    name: nullable(Type.String()),
    state: Type.String(),
    sponsor: nullable(Type.String()),
    credits: strictObject({
      promotional: strictObject(figures),
      paid: strictObject(figures),
      sandbox: strictObject(figures),
    }),
    ...tier,
    newest_override: nullable(
      strictObject({
        tier: nullable(oneOf(TIERS)),
        reason: Type.String(),
        operator_id: nullable(Type.String()),
        created_at: Type.String(),
      }),
    ),
  }),
  run: (context: Context, input) => showCredits(context, input.subject_commitment),
});

export const journalAction = new Action({
  name: 'credits.journal',
  input: strictObject({
    subject_commitment: commitment,
    cursor: Type.Optional(Type.String({ maxLength: 512 })),
  }),
  output: JournalResponse,
  run: (context: Context, input) => fullJournal(context, input.subject_commitment, input.cursor ?? null),
});

export const creditActions = [grantAction, transferAction, unclaimedAction, showAction, journalAction];
