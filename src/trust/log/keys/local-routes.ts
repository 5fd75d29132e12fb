import { Type } from '@sinclair/typebox';
import { Elysia } from 'elysia';
import { oneOf, strictObject } from '../../../platform/http/schema.ts';
import { KEY_PURPOSES } from '../../../proof/log/key-purposes.ts';
import type { ContextOf } from '../../http/serving.ts';
import { reportCompromised } from './report-compromised.ts';
import { rotate } from './rotate.ts';
import type { Signer } from './signing/signer.ts';

const RotateRequest = strictObject({
  purpose: oneOf(KEY_PURPOSES),
  /** Replaces the setting of the process that rotates the key. */
  publish_ahead_seconds: Type.Optional(Type.Integer({ minimum: 0 })),
});

const CompromisedRequest = strictObject({ kid: Type.String({ minLength: 1, maxLength: 128 }) });

const Key = strictObject({
  kid: Type.String(),
  purpose: Type.String(),
  algorithm: Type.String(),
  status: Type.String(),
  valid_from: Type.String(),
});
const KeysResponse = strictObject({ keys: Type.Array(Key) });

/** The local operations of signing keys. */
export const localKeyRoutes = (trust: ContextOf<typeof rotate> & ContextOf<typeof reportCompromised>) =>
  new Elysia()
    .post(
      '/local/keys/rotate',
      async ({ body: { purpose, publish_ahead_seconds: ahead } }) =>
        keysOf(trust, await rotate(trust, purpose, ahead === undefined ? undefined : ahead * 1000)),
      { body: RotateRequest, response: { 200: KeysResponse }, detail: { operationId: 'rotateKeys' } },
    )
    .post(
      '/local/keys/compromised',
      async ({ body: { kid } }) => {
        const successor = await reportCompromised(trust, kid);
        return keysOf(trust, successor === null ? [kid] : [kid, successor]);
      },
      {
        body: CompromisedRequest,
        response: { 200: KeysResponse },
        detail: { operationId: 'reportCompromised' },
      },
    );

function keysOf({ signer }: { signer: Signer }, kids: readonly string[]) {
  const keys = signer.all().filter(({ kid }) => kids.includes(kid));
  return {
    keys: keys.map(({ kid, purpose, algorithm, status, validFrom }) => ({
      kid,
      purpose,
      algorithm,
      status,
      valid_from: validFrom,
    })),
  };
}
