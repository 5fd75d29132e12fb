import { Type } from '@sinclair/typebox';
import { CREDIT_CLASSES } from '../../../../db/trust/ledger-enums.ts';
import { ROLES } from '../../../../db/trust/operators-enums.ts';
import { Action } from '../../../platform/control/action.ts';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { hexString, nullable, oneOf, plainName, strictObject } from '../../../platform/http/schema.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { Principals } from '../../operators/auth/principals.ts';
import { createKeyFor } from '../../operators/create-api-key.ts';
import { createOperator } from '../../operators/create-operator.ts';
import { deleteKeyOf } from '../../operators/delete-api-key.ts';
import { listKeysOf } from '../../operators/list-api-keys.ts';
import { ApiKeyListResponse, NewApiKeyResponse, OperatorSummary } from '../../operators/schema.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import {
  adjustAsAdministrator,
  listOperators,
  pardonOperator,
  setAccountStatus,
  setStake,
} from './administer-operators.ts';

/** The parts of the service that are used here. */
interface Context {
  store: Store;
  clock: Clock;
  ids: Ids;
  policy: OperatorsPolicy;
  principals: Principals;
  cursors: Cursors;
}

const operator = Type.String({ minLength: 1, maxLength: 128 });
const name = plainName('What it is called.', 'Acme');

export const listAction = new Action({
  name: 'operators.list',
  input: strictObject({ cursor: Type.Optional(Type.String({ maxLength: 512 })) }),
  output: strictObject({ operators: Type.Array(OperatorSummary), next_cursor: nullable(Type.String()) }),
  run: (context: Context, query) => listOperators(context, query),
});

export const createAction = new Action({
  name: 'operators.create',
  input: strictObject({ name: Type.Optional(name), admin: Type.Boolean() }),
  output: strictObject({ operator_id: Type.String(), api_key: Type.String() }),
  run: (context: Context, { name: given = null, admin }) => createOperator(context, { name: given, admin }),
});

export const createKeyAction = new Action({
  name: 'operators.key',
  input: strictObject({
    operator,
    key: strictObject({
      name: Type.Optional(name),
      role: Type.Optional(oneOf(ROLES)),
      subject_commitment: Type.Optional(hexString(32, "The agent's subject commitment.")),
      admin: Type.Optional(Type.Boolean()),
    }),
  }),
  output: NewApiKeyResponse,
  run: (context: Context, input) => createKeyFor(context, input.operator, input.key),
});

export const listKeysAction = new Action({
  name: 'operators.keys',
  input: strictObject({ operator, cursor: Type.Optional(Type.String({ maxLength: 512 })) }),
  output: ApiKeyListResponse,
  run: (context: Context, input) => listKeysOf(context, input.operator, input.cursor ?? null),
});

export const deleteKeyAction = new Action({
  name: 'operators.delete_key',
  input: strictObject({ operator, keyHash: hexString(32, 'SHA-256 of the key.') }),
  output: strictObject({
    keyHash: Type.String(),
    deleted: Type.Literal(true),
    has_issuer_key: Type.Boolean(),
    installation_has_admin_key: Type.Boolean(),
  }),
  run: (context: Context, input) => deleteKeyOf(context, input.operator, input.keyHash),
});

export const statusAction = new Action({
  name: 'operators.status',
  input: strictObject({ operator, status: oneOf(['ACTIVE', 'SUSPENDED']) }),
  output: OperatorSummary,
  run: (context: Context, input) => setAccountStatus(context, input.operator, input.status),
});

export const pardonAction = new Action({
  name: 'operators.pardon',
  input: strictObject({ operator }),
  output: OperatorSummary,
  run: (context: Context, input) => pardonOperator(context, input.operator),
});

export const stakeAction = new Action({
  name: 'operators.stake',
  input: strictObject({ operator, cents: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) }),
  output: OperatorSummary,
  run: (context: Context, input) => setStake(context, input.operator, input.cents),
});

export const adjustAction = new Action({
  name: 'credits.adjust',
  input: strictObject({
    operator: Type.String({ minLength: 1, maxLength: 128 }),
    amount: Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    class: oneOf(CREDIT_CLASSES),
  }),
  output: OperatorSummary,
  run: (context: Context, input) => adjustAsAdministrator(context, input.operator, input.amount, input.class),
});

export const operatorActions = [
  adjustAction,
  listAction,
  createAction,
  createKeyAction,
  listKeysAction,
  deleteKeyAction,
  statusAction,
  pardonAction,
  stakeAction,
];
