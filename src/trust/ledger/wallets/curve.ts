/**
 * The bits that a table for multiples of the curve's generator covers. With 8, the library's default, the
 * first use of a key computes 4,224 points and blocks the thread for up to 100 ms. With 4 it computes 520
 * points, and each later use takes 0.2 ms longer.
 */
const WINDOW_BITS = 4;

let loaded: Promise<typeof import('@noble/curves/secp256k1.js').secp256k1> | null = null;

/** Returns the curve of EVM keys, which the first use loads. */
export function secp256k1() {
  loaded ??= load();
  return loaded;
}

async function load() {
  const { secp256k1: curve } = await import('@noble/curves/secp256k1.js');
  curve.utils.precompute(WINDOW_BITS, curve.ProjectivePoint.BASE);
  return curve;
}
