import { Type } from '@sinclair/typebox';
import { described, named, strictObject } from '../../platform/http/schema.ts';
import { BUNDLE_TYPE, InclusionPath } from '../log/schema.ts';
import { ReceiptResponse } from './receipt-schema.ts';
import { StatusResponse } from './schema.ts';

/** The proof of a leaf in the log of accounts. */
const leafProof = (of: string) =>
  Type.Optional(described(InclusionPath, `The proof of the leaf of its ${of} in the log of accounts.`));

export const BundleResponse = {
  ...named(
    'ReceiptBundle',
    strictObject({
      type: Type.Literal('receipt-bundle'),
      receipt: described(ReceiptResponse, 'The receipt, without the salt of a blind one.'),
      proof: Type.Union([InclusionPath, Type.Null()], {
        description:
          'The proof that a checkpoint of the log contains the finalization. null while there is no proof.',
      }),
      inclusion_reason: Type.Optional(
        Type.String({ description: 'Why `proof` is null. Absent if there is a proof.' }),
      ),
      status: described(StatusResponse, 'The signed status of the receipt at the time of the request.'),
      key_events: Type.Array(InclusionPath, {
        maxItems: 2,
        description:
          'What the log of keys says of the keys that signed the receipt and the status: the newest event of each, with its proof. ' +
          'An event that no checkpoint covers yet is missing.',
      }),
      linked: Type.Optional(
        strictObject(
          {
            issued: leafProof('issue'),
            finalized: leafProof('finalization'),
            revoked: leafProof('revocation'),
          },
          {
            description:
              'The proofs of the leaves of the receipt in the log of accounts. Absent if there is none: the account of its operator was not ' +
              'linked, or no checkpoint covers a leaf yet.',
          },
        ),
      ),
    }),
  ),
  'x-media-type': BUNDLE_TYPE,
};
