import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { noblePrimitives } from './noble.ts';
import type { Primitives } from './primitives.ts';

/** All primitives in pure JavaScript (@noble), for a browser. */
export const browserPrimitives: Primitives = {
  ...noblePrimitives,
  mlDsa44Verify(signature, message, publicKey) {
    try {
      return ml_dsa44.verify(signature, message, publicKey);
    } catch {
      return false;
    }
  },
};
