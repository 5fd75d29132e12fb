import { Type } from '@sinclair/typebox';
import { KEY_ALGORITHMS, KEY_STATUSES } from '../../../db/trust/keys-enums.ts';
import {
  dateTime,
  described,
  hexString,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../platform/http/schema.ts';
import { KeyPurpose } from '../http/enumerations.ts';

const kid = Type.String({ description: "The key's RFC 7638 thumbprint." });
const validFrom = dateTime('When the key was activated; never after what it signed.');
const validUntil = nullable(dateTime('When the key was retired.'));

export const PublicKeyQuery = strictObject({
  purpose: Type.Optional(described(KeyPurpose, 'What the key signs; default receipts.')),
});

export const PublicKeyResponse = named(
  'PublicKey',
  strictObject({
    kid,
    algorithm: Type.Literal('Ed25519'),
    public_key: hexString(32, 'The raw key.'),
    public_key_multibase: Type.String({ description: 'W3C Multikey (z6Mk…).' }),
    public_key_jwk: strictObject({
      kty: Type.Literal('OKP'),
      crv: Type.Literal('Ed25519'),
      x: Type.String(),
    }),
    purpose: KeyPurpose,
    audience: Type.String({
      description: 'Names this installation in what an agent signs for it (`agent_auth`). It never changes.',
      examples: ['trust.example+Qm9vayBvZiBrZXlzIGlzIG9uIHRoZSB0aGlyZCBzaGVsZg'],
    }),
    valid_from: validFrom,
    rotation: strictObject({
      next_kid: nullable(Type.String()),
      next_valid_from: nullable(dateTime('When the next key is planned to take over.')),
      previous: Type.Array(
        named(
          'RetiredKey',
          strictObject({
            kid,
            public_key: hexString(32, 'The raw key.'),
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
    keys: Type.Array(
      named(
        'SigningKey',
        strictObject({
          kid,
          public_key: Type.String({ description: 'The raw key, hexadecimal.' }),
          algorithm: oneOf(KEY_ALGORITHMS),
          purpose: KeyPurpose,
          status: oneOf(KEY_STATUSES),
          valid_from: dateTime(
            'When the key was activated, never after what it signed; of a next key, when it is planned to be.',
          ),
          valid_until: validUntil,
          log_index: nullable(
            Type.Integer({ minimum: 0, description: 'Where the key log says that it was added.' }),
          ),
          receipts_logs: Type.Array(Type.String(), {
            description:
              'If the time of the key has ended: the names of the log of receipts for which receipts_tree_size holds. One that was ended by a ' +
              'restart is left out unless all that it ever published is known to stand below that size, or the key ended before it.',
          }),
          receipts_tree_size: nullable(
            Type.Integer({
              minimum: 0,
              description:
                'What it signed stands below this size of that log; null while its time has not ended.',
            }),
          ),
        }),
      ),
    ),
    log: strictObject({
      origin: Type.String({ description: "The key log's name." }),
      tree_size: Type.Integer({ minimum: 0, description: 'Entries that its newest checkpoint covers.' }),
      root_hash: hexString(32, 'The root of their tree.'),
      checkpoint: Type.String({ description: 'The signed note (C2SP tlog-checkpoint), verbatim.' }),
    }),
  }),
);
