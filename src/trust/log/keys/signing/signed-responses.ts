import { type Static, Type } from '@sinclair/typebox';
import { dateTime, hexString, oneOf, strictObject } from '../../../../platform/http/schema.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import { timestampOf } from '../../../../platform/time/timestamp.ts';
import type { JsonObject } from '../../../../proof/encoding/json.ts';
import type { SignedType } from '../../../../proof/keys/signed-types.ts';
import { STATEMENT_VALIDITY_MS, type StatementContext, signStatement } from './statements.ts';

/** The query parameter of operations that sign their response on request. */
export const signedParameter = {
  signed: Type.Optional(
    oneOf(['0', '1'], {
      description:
        '`1`: sign the response, with its `type`, what was asked, `as_of` and `valid_until`. `0` (default): do not sign it.',
    }),
  ),
};

export const SignedQuery = strictObject(signedParameter);
export type SignedQuery = Static<typeof SignedQuery>;

const ONLY_SIGNED = 'Only in a signed response.';

/** The members that say whether a response is signed, and those of a signed response except its signature. */
export function signedMembers<const Name extends SignedType>(type: Name) {
  return {
    signed: Type.Boolean({
      description: 'Whether the response is signed: true with `signed=1`, else false.',
    }),
    type: Type.Optional(Type.Literal(type, { description: `What the signature is for. ${ONLY_SIGNED}` })),
    as_of: Type.Optional(dateTime(`The time of the response. ${ONLY_SIGNED}`)),
    valid_until: Type.Optional(
      dateTime(`Five minutes after as_of. After it the response does not count. ${ONLY_SIGNED}`),
    ),
  };
}

/** The signature of a response that is signed on request. */
export const signatureMembers = {
  signature: Type.Optional(
    hexString(64, `Ed25519 signature over the digest of all other members except kid. ${ONLY_SIGNED}`),
  ),
  kid: Type.Optional(
    Type.String({ description: `The id of the signing key (purpose \`credentials\`). ${ONLY_SIGNED}` }),
  ),
};

/**
 * Signs the response to a request that asked for it.
 * @param now the time before the snapshot is opened: the response knows everything that was stored by as_of
 * @param read reads the response with the parameters of the request, so that it fits no other request
 * @throws ReadOnly; ApiError clock_wrong; and errors of `read`
 */
export function signResponse<const Name extends SignedType, Said extends JsonObject>(
  context: StatementContext,
  type: Name,
  now: number,
  read: (snapshot: Snapshot) => Promise<Said>,
) {
  return signStatement(context, async (snapshot) => ({
    ...(await read(snapshot)),
    signed: true as const,
    type,
    as_of: timestampOf(now),
    valid_until: timestampOf(now + STATEMENT_VALIDITY_MS),
  }));
}
