import { Type } from '@sinclair/typebox';
import { hexString, named, strictObject } from '../../../platform/http/schema.ts';

export const LinkedRequest = named(
  'SetLinkedRequest',
  strictObject(
    { linked: Type.Boolean({ description: 'Whether the account is to be linked.' }) },
    { examples: [{ linked: true }] },
  ),
);

/** The state of an account in the log of accounts. */
export const linkedStateFields = {
  linked: Type.Boolean({ description: 'Whether the account is linked now.' }),
  account: hexString(
    32,
    'The name of the account in the log of accounts: SHA-256 of `linked-account:` and the operator id.',
  ),
  sequence: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The sequence of the newest leaf of the account. 0 if it was never linked.',
  }),
};

export const LinkedResponse = named(
  'LinkedAccount',
  strictObject({
    operator_id: Type.String({ description: 'The public id of the operator: `op_cus_…`.' }),
    ...linkedStateFields,
  }),
);
