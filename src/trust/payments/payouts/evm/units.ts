/** The decimals of the coin of every EVM chain. */
export const COIN_DECIMALS = 18;
/** The decimals of a US dollar, in which payouts are counted. */
const CENT_DECIMALS = 2;

/**
 * Returns the amount of a payout in the token's smallest unit.
 * @param decimals the decimals of the token, at least 2
 * @throws RangeError for an amount that is not a positive integer, and for a token that has no cents
 */
export function unitsOfCents(usdCents: number, decimals: number): bigint {
  if (!Number.isSafeInteger(usdCents) || usdCents <= 0)
    throw new RangeError(`${usdCents} cents cannot be paid`);
  if (!Number.isInteger(decimals) || decimals < CENT_DECIMALS || decimals > 36)
    throw new RangeError(`a token with ${decimals} decimals has no cents`);
  return BigInt(usdCents) * 10n ** BigInt(decimals - CENT_DECIMALS);
}

/** Returns an amount as decimal text, without zeros at its end: 1500000 with 6 decimals is `1.5`. */
export function decimalText(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - decimals);
  return fraction === '' || decimals === 0
    ? digits.slice(0, digits.length - decimals)
    : `${whole}.${fraction}`;
}

/**
 * Returns an amount of decimal text in the smallest unit; null for text that is no positive amount with at
 * most `decimals` decimals.
 */
export function unitsOfText(text: string, decimals: number): bigint | null {
  const match = /^(\d{1,60})(?:\.(\d{1,36}))?$/.exec(text);
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > decimals) return null;
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  return units > 0n ? units : null;
}

/**
 * Returns the amount of the input of a token's `transfer`, in the token's smallest unit.
 * @throws RangeError for another input
 */
export function unitsOfTransfer(input: string): bigint {
  if (!/^0xa9059cbb[0-9a-f]{128}$/i.test(input)) throw new RangeError('not the input of a transfer');
  return BigInt(`0x${input.slice(-64)}`);
}
