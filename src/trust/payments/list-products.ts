import type { MeteringPolicy } from '../ledger/metering/settings.ts';
import { PRODUCTS, type Product } from '../ledger/metering/settings.ts';

const DESCRIPTIONS: Readonly<Record<Product, string>> = {
  reputation_lookup_verified: 'A verified look-up of the reputation of an agent.',
  portable_credential_issuance: 'A credential of the reputation of an agent, which it can show anywhere.',
  audit_package_generation: 'A signed package with the evidence of an audit.',
};

/** Returns the products that agents can pay for, with their prices in credits. */
export function productList({ policy }: { policy: MeteringPolicy }) {
  const products = PRODUCTS.map((product) => ({
    product,
    credits: policy.productPrices[product],
    description: DESCRIPTIONS[product],
  }));
  return { products };
}
