import { Type } from '@sinclair/typebox';
import { Action } from '../../../platform/control/action.ts';
import { oneOf, strictObject } from '../../../platform/http/schema.ts';
import { KEY_PURPOSES } from '../../../proof/log/key-purposes.ts';
import type { RotationContext } from './key-changes.ts';
import { reportCompromised } from './report-compromised.ts';
import { rotate } from './rotate.ts';
import type { KeysPolicy } from './settings.ts';
import type { Signer } from './signing/signer.ts';

const Key = Type.Object({
  kid: Type.String(),
  purpose: Type.String(),
  algorithm: Type.String(),
  status: Type.String(),
  valid_from: Type.String(),
});
const Keys = Type.Object({ keys: Type.Array(Key) });

/** Publishes the next key of a purpose. */
export const rotateAction = new Action({
  name: 'keys.rotate',
  input: strictObject({
    purpose: oneOf(KEY_PURPOSES),
    /** Replaces the setting of the process that rotates the key. */
    publish_ahead_seconds: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  output: Keys,
  async run(trust: RotationContext & { policy: KeysPolicy }, { purpose, publish_ahead_seconds: ahead }) {
    return described(trust, await rotate(trust, purpose, ahead === undefined ? undefined : ahead * 1000));
  },
});

/** Reports a key as compromised. Its successor signs at once. */
export const compromisedAction = new Action({
  name: 'keys.compromised',
  input: strictObject({ kid: Type.String({ minLength: 1, maxLength: 128 }) }),
  output: Keys,
  async run(trust: RotationContext, { kid }) {
    const successor = await reportCompromised(trust, kid);
    return described(trust, successor === null ? [kid] : [kid, successor]);
  },
});

/** The actions that commands perform on the keys. */
export const keyActions = [rotateAction, compromisedAction];

function described({ signer }: { signer: Signer }, kids: readonly string[]) {
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
