import type { Principal } from '../../operators/auth/authenticate.ts';
import { creditsErrors } from './errors.ts';

/** A debit that a key authorizes. */
export interface Debit {
  /** Credits. */
  amount: number;
  /** The product that is paid; null for a grant, a transfer or an escrow. */
  product: string | null;
}

/**
 * Checks the spending scope of the key that authorizes a debit, even from its operator's pool. A scope with
 * `products` allows these products and nothing else. The authority of the key checks, for every write, that
 * the scope has not ended.
 * @throws ApiError scope_violation
 */
export function requireScope({ scope }: Pick<Principal, 'scope'>, { amount, product }: Debit): void {
  if (scope === null) return;
  const { max_credits: most, products } = scope;
  if (most !== undefined && amount > most) {
    throw violation(
      `The scope of this key allows at most ${most} credits in one debit; the request needs ${amount}.`,
    );
  }
  if (products !== undefined && (product === null || !products.includes(product))) {
    const requested = product === null ? 'grants, transfers or escrow' : `the product ${product}`;
    const allowed = products.length === 0 ? 'no products' : `only the products ${products.join(', ')}`;
    throw violation(`The scope of this key allows ${allowed}, not ${requested}.`);
  }
}

function violation(problem: string) {
  return creditsErrors.scope_violation({
    message: `${problem} Use a key whose scope allows it. For a debit of an agent, its authorization (agent_auth) has no scope.`,
  });
}
