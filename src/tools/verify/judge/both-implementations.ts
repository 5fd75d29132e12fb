import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Primitives } from '../../../proof/primitives.ts';

/**
 * Judges a document with two independent implementations of Ed25519 and SHA-256, which must agree; otherwise
 * neither result is reliable. ML-DSA has only one implementation, which both use: ignoring its signatures in
 * one of them would cause a false disagreement about a checkpoint.
 * @param name of the document, such as "receipt"
 * @throws Failure
 */
export async function judgeByBoth<Result>(
  name: string,
  judge: (primitives: Primitives) => Result,
): Promise<Result> {
  const { noblePrimitives } = await import('../../../proof/noble.ts');
  const { mlDsa44Verify } = nativePrimitives;
  const second: Primitives =
    mlDsa44Verify === undefined ? noblePrimitives : { ...noblePrimitives, mlDsa44Verify };
  const result = judge(nativePrimitives);
  if (Bun.deepEquals(result, judge(second), true)) return result;
  throw new Failure(
    `two implementations of Ed25519 disagree about this ${name}`,
    `report this error, with the ${name}`,
  );
}
