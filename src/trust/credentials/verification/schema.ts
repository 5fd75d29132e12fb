import { Type } from '@sinclair/typebox';
import { named, nullable, strictObject } from '../../../platform/http/schema.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';

export const VerifyCredentialRequest = named(
  'VerifyCredentialRequest',
  Type.Unsafe<JsonObject>(
    Type.Object(
      {
        credential: Type.Optional(Type.Unknown({ description: 'The credential.' })),
        verifiableCredential: Type.Optional(
          Type.Unknown({ description: 'The credential, under the name that the VC API of W3C uses.' }),
        ),
      },
      {
        additionalProperties: true,
        description: 'A credential: the whole body, or one of the two members. Other members are ignored.',
      },
    ),
  ),
);

const check = (description: string) =>
  nullable(Type.Boolean({ description: `${description} null: not reached, or unknown.` }));

const CredentialChecks = named(
  'CredentialChecks',
  strictObject(
    {
      shape: check('The document is a credential of a type that the service issues.'),
      issuer: check('The issuer is this service, and the proof names one of its keys for credentials.'),
      proof: check('This key signed the document as it is.'),
      validity: check('Now is between validFrom and validUntil.'),
      status: check('The credential is not revoked. A status list has null, because it cannot be revoked.'),
    },
    { description: 'The checks of a credential.' },
  ),
);

export const VerifyCredentialResponse = named(
  'VerifyCredentialResponse',
  strictObject({
    valid: Type.Literal(true),
    issuer: Type.String({ description: 'The DID of the service.' }),
    subject: Type.String({
      description: 'The id of the subject: of an AgentReputationCredential, the did:key of the agent.',
    }),
    checks: CredentialChecks,
  }),
);

/** The additional members of the response to a credential that is not valid. */
export const invalidMembers = { valid: Type.Literal(false), checks: CredentialChecks };
