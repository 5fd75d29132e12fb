import { Type } from '@sinclair/typebox';
import { KEY_ALGORITHMS, KEY_STATUSES } from '../../../../db/trust/keys-enums.ts';
import {
  dateTime,
  described,
  hexString,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../../platform/http/schema.ts';
import { KeyPurpose, LogName } from '../../http/enumerations.ts';

const kid = Type.String({ description: 'The id of the key: its RFC 7638 thumbprint.' });
const validFrom = dateTime('The time when the key was activated, never later than its first signature.');
const validUntil = nullable(
  dateTime('The time when the key was retired or reported as compromised. null before.'),
);

export const PublicKeyQuery = strictObject({
  purpose: Type.Optional(described(KeyPurpose, 'What the key signs. Default `receipts`.')),
});

export const PublicKeyResponse = named(
  'PublicKey',
  strictObject({
    kid,
    algorithm: Type.Literal('Ed25519'),
    public_key: hexString(32, 'The public key, 32 bytes.'),
    public_key_multibase: Type.String({ description: 'The public key as a W3C Multikey: `z6Mk…`.' }),
    public_key_jwk: strictObject({
      kty: Type.Literal('OKP'),
      crv: Type.Literal('Ed25519'),
      x: Type.String(),
    }),
    purpose: KeyPurpose,
    audience: Type.String({
      description: 'The name of this installation, which an agent signs in `agent_auth`. It never changes.',
      examples: ['trust.example+Qm9vayBvZiBrZXlzIGlzIG9uIHRoZSB0aGlyZCBzaGVsZg'],
    }),
    valid_from: validFrom,
    rotation: strictObject({
      next_kid: nullable(Type.String({ description: 'The id of the next key. null if none is published.' })),
      next_valid_from: nullable(
        dateTime('The time when the next key is planned to start signing. null if none is published.'),
      ),
      previous: Type.Array(
        named(
          'RetiredKey',
          strictObject({
            kid,
            public_key: hexString(32, 'The public key, 32 bytes.'),
            valid_from: validFrom,
            valid_until: validUntil,
          }),
        ),
      ),
    }),
  }),
);

export const TransparencyKeysResponse = named(
  'TransparencyKeys',
  strictObject({
    issuer: Type.String({
      description:
        'The DID of this service, which its credentials, packages, scorecards and passports name as their issuer. Verifiers accept no other one.',
    }),
    keys: Type.Array(
      named(
        'SigningKey',
        strictObject({
          kid,
          public_key: Type.String({ description: 'The public key, in hexadecimal.' }),
          algorithm: oneOf(KEY_ALGORITHMS),
          purpose: KeyPurpose,
          status: oneOf(KEY_STATUSES),
          valid_from: dateTime(
            'The time when the key was activated, never later than its first signature. For the next key, the planned time.',
          ),
          valid_until: validUntil,
          log_index: nullable(
            Type.Integer({
              minimum: 0,
              description:
                'The index of the entry in the key log that added the key. null if the log does not contain this entry.',
            }),
          ),
          receipts_logs: Type.Array(Type.String(), {
            description:
              'For a retired or compromised key: the names (origins) of the receipts logs to which receipts_tree_size applies. A log that ' +
              'was closed by a restart is left out, unless the key was retired or compromised before the log was closed, or everything that the log published is ' +
              'known to be below that size. Empty for other keys.',
          }),
          receipts_tree_size: nullable(
            Type.Integer({
              minimum: 0,
              description:
                'The signatures of the key are valid below this size of those logs. null while the key is not retired or compromised.',
            }),
          ),
        }),
      ),
    ),
    closed_logs: Type.Array(
      named(
        'ClosedLog',
        strictObject({
          log: LogName,
          origin: Type.String({ description: "The closed log's name (origin)." }),
          tree_size: Type.Integer({
            minimum: 0,
            description: 'The number of its entries that were published, as far as the service knows.',
          }),
          root_hash: hexString(32, 'The root hash (RFC 6962) of the tree of these entries.'),
          certain: Type.Boolean({
            description:
              'false if the service lost what it knew, so that more entries may have been published.',
          }),
          at: dateTime(
            'The time when the key log got this entry, which may be long after the log was closed.',
          ),
          log_index: Type.Integer({ minimum: 0, description: 'The index of the entry in the key log.' }),
        }),
      ),
      {
        description:
          'The logs of this installation that a restart or a renaming closed, oldest first. A proof in one of them counts up to tree_size.',
      },
    ),
    log: strictObject({
      origin: Type.String({ description: "The key log's name (origin)." }),
      tree_size: Type.Integer({
        minimum: 0,
        description: 'The number of entries that the newest checkpoint covers.',
      }),
      root_hash: hexString(32, 'The root hash (RFC 6962) of the tree of these entries.'),
      checkpoint: Type.String({ description: 'The signed note (C2SP tlog-checkpoint), verbatim.' }),
    }),
  }),
);
