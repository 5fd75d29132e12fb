import { Type } from '@sinclair/typebox';
import { KEY_ALGORITHMS, KEY_PURPOSES, KEY_STATUSES } from '../../../db/trust/keys.ts';
import { dateTime, hexString, nullable, oneOf, strictObject } from '../../platform/http/schema.ts';

const kid = Type.String({ description: "The key's RFC 7638 thumbprint." });
const validUntil = nullable(dateTime('When the key was retired.'));

export const PublicKeyQuery = strictObject({
  purpose: Type.Optional(oneOf(KEY_PURPOSES, { description: 'What the key signs; default receipts.' })),
});

export const PublicKeyAnswer = strictObject({
  kid,
  algorithm: Type.Literal('Ed25519'),
  public_key: hexString(32, 'The raw key.'),
  public_key_multibase: Type.String({ description: 'W3C Multikey (z6Mk…).' }),
  public_key_jwk: strictObject({ kty: Type.Literal('OKP'), crv: Type.Literal('Ed25519'), x: Type.String() }),
  purpose: oneOf(KEY_PURPOSES),
  valid_from: dateTime('When the key was first used.'),
  rotation: strictObject({
    next_kid: nullable(Type.String()),
    next_valid_from: nullable(dateTime('When the next key takes over.')),
    previous: Type.Array(
      strictObject({
        kid,
        public_key: hexString(32, 'The raw key.'),
        valid_from: dateTime('When the key was first used.'),
        valid_until: validUntil,
      }),
    ),
  }),
});

export const TransparencyKeysAnswer = strictObject({
  keys: Type.Array(
    strictObject({
      kid,
      public_key: Type.String({ description: 'The raw key, hexadecimal.' }),
      algorithm: oneOf(KEY_ALGORITHMS),
      purpose: oneOf(KEY_PURPOSES),
      status: oneOf(KEY_STATUSES),
      valid_from: dateTime('When the key was first used.'),
      valid_until: validUntil,
      log_index: Type.Null({ description: 'Its place in the key log; null while keys are not logged.' }),
    }),
  ),
  log: Type.Null({ description: 'The key log; null while keys are not logged.' }),
});
