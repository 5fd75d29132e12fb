/** Credits by class, as the model of the ledger counts them. It shares no code with the product. */
export const CLASSES = ['promotional', 'paid', 'sandbox'] as const;
export type CreditClass = (typeof CLASSES)[number];
export type Portions = Record<CreditClass, number>;

export const NONE: Portions = { promotional: 0, paid: 0, sandbox: 0 };
/**
 * Returns what a debit takes of each class: promotional, then paid; where these do not suffice, sandbox only;
 * else null.
 */
export function portionsOf({ promotional, paid, sandbox }: Portions, amount: number): Portions | null {
  if (promotional + paid >= amount) {
    const first = Math.min(promotional, amount);
    return { promotional: first, paid: amount - first, sandbox: 0 };
  }
  return sandbox >= amount ? { ...NONE, sandbox: amount } : null;
}

/** Returns whether a value is an amount that a request may have. */
export function isAmount(amount: unknown): amount is number {
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 1;
}

/** Adds to the credits of a class. */
export function add(portions: Portions, asset: CreditClass, amount: number): void {
  portions[asset] += amount;
}

/** Calls `act` for each class of which there are credits. */
export function each(portions: Portions, act: (asset: CreditClass, amount: number) => void): void {
  for (const asset of CLASSES) if (portions[asset] > 0) act(asset, portions[asset]);
}
