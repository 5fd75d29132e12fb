import { Point } from '@noble/ed25519';

/** The canonical encodings of small-order points, by their order. */
const SMALL_ORDER = {
  2: `ec${'ff'.repeat(30)}7f`,
  4: '00'.repeat(32),
  8: 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
};

/** Keys of mixed order, hexadecimal: a good public key plus a point of order 2, 4 and 8. */
export function mixedOrderKeys(publicKey: string): { order: string; key: string }[] {
  const point = Point.fromHex(publicKey);
  return Object.entries(SMALL_ORDER).map(([order, encoding]) => ({
    order,
    key: point.add(Point.fromHex(encoding)).toHex(),
  }));
}
