import { Type } from '@sinclair/typebox';
import { PAYOUT_STATUSES } from '../../../../db/trust/payouts-enums.ts';
import { Action } from '../../../platform/control/action.ts';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { hexString, nullable, oneOf, strictObject } from '../../../platform/http/schema.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { CreditsPolicy } from '../../ledger/credits/settings.ts';
import type { WalletsPolicy } from '../../ledger/wallets/evm-policy.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { confirmAsAdministrator } from './confirm.ts';
import { failAsAdministrator } from './fail.ts';
import { showAsAdministrator } from './get.ts';
import { changeAllHolds, holdAsAdministrator, releaseAsAdministrator } from './hold.ts';
import { listAsAdministrator } from './list.ts';
import { AdministeredPayoutListResponse, AdministeredPayoutResponse } from './schema.ts';
import type { PayoutsPolicy } from './settings.ts';

/** The parts of the service that are used here. */
interface Context {
  store: Store;
  clock: Clock;
  ids: Ids;
  policy: OperatorsPolicy & CreditsPolicy & WalletsPolicy & PayoutsPolicy;
  cursors: Cursors;
}

/** Text that a table prints on one line, and that the database stores as it is. */
const line = (maxLength: number) => ({
  ...Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$' }),
  'x-message': `must be 1 to ${maxLength} characters, none of them a control character`,
});

const withdrawal_id = Type.String({ minLength: 1, maxLength: 64 });
const withdrawal = strictObject({ withdrawal_id });
const counted = strictObject({ payouts: Type.Integer({ minimum: 0 }) });

export const listAction = new Action({
  name: 'payouts.list',
  input: strictObject({
    agent: nullable(hexString(32, 'The agent.')),
    status: nullable(oneOf(PAYOUT_STATUSES)),
    limit: Type.String({ maxLength: 3 }),
    cursor: nullable(Type.String({ maxLength: 512 })),
  }),
  output: AdministeredPayoutListResponse,
  run: (context: Context, query) => listAsAdministrator(context, query),
});

export const showAction = new Action({
  name: 'payouts.show',
  input: withdrawal,
  output: AdministeredPayoutResponse,
  run: (context: Context, input) => showAsAdministrator(context, input.withdrawal_id),
});

export const confirmAction = new Action({
  name: 'payouts.confirm',
  input: strictObject({ withdrawal_id, reference: line(256) }),
  output: AdministeredPayoutResponse,
  run: (context: Context, input) => confirmAsAdministrator(context, input.withdrawal_id, input.reference),
});

export const failAction = new Action({
  name: 'payouts.fail',
  input: strictObject({ withdrawal_id, reason: line(1024), unpaid: Type.Boolean() }),
  output: AdministeredPayoutResponse,
  run: (context: Context, { withdrawal_id: id, reason, unpaid }) =>
    failAsAdministrator(context, id, { reason, isUnpaid: unpaid }),
});

export const holdAction = new Action({
  name: 'payouts.hold',
  input: withdrawal,
  output: AdministeredPayoutResponse,
  run: (context: Context, input) => holdAsAdministrator(context, input.withdrawal_id),
});

export const releaseAction = new Action({
  name: 'payouts.release',
  input: withdrawal,
  output: AdministeredPayoutResponse,
  run: (context: Context, input) => releaseAsAdministrator(context, input.withdrawal_id),
});

export const holdAllAction = new Action({
  name: 'payouts.hold-all',
  input: strictObject({}),
  output: counted,
  run: (context: Context) => changeAllHolds(context, 'administrator'),
});

export const releaseAllAction = new Action({
  name: 'payouts.release-all',
  input: strictObject({}),
  output: counted,
  run: (context: Context) => changeAllHolds(context, null),
});

export const payoutActions = [
  listAction,
  showAction,
  confirmAction,
  failAction,
  holdAction,
  releaseAction,
  holdAllAction,
  releaseAllAction,
];
