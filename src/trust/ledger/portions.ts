import { CREDIT_CLASSES } from '../../../db/trust/ledger-enums.ts';
import type { CreditClass } from './accounts.ts';

/** An amount of credits by class. */
export type Portions = Readonly<Record<CreditClass, number>>;

export const NO_CREDITS: Portions = { promotional: 0, paid: 0, sandbox: 0 };

/**
 * Returns how much of each class a debit takes: promotional credits first, then paid ones. If these two do
 * not suffice, it takes only sandbox credits, which are never mixed with other classes.
 * @returns null if the credits do not suffice
 */
export function portionsOf({ promotional, paid, sandbox }: Portions, amount: number): Portions | null {
  const first = Math.min(promotional, amount);
  if (paid >= amount - first) return { ...NO_CREDITS, promotional: first, paid: amount - first };
  return sandbox >= amount ? { ...NO_CREDITS, sandbox: amount } : null;
}

/** Returns the largest amount that one debit can take. */
export function largestDebit({ promotional, paid, sandbox }: Portions): number {
  return Math.max(promotional + paid, sandbox);
}

/** Returns a record with a value for each class of credits. */
export function byClass<T>(of: (creditClass: CreditClass) => T): Record<CreditClass, T> {
  return { promotional: of('promotional'), paid: of('paid'), sandbox: of('sandbox') };
}

/** Returns the sum of all classes. */
export function totalOf(portions: Portions): number {
  return CREDIT_CLASSES.reduce((sum, name) => sum + portions[name], 0);
}
