import type { Config } from '../../../platform/config/setting.ts';
import { integer } from '../../../platform/config/setting.ts';

const price = (product: string, about: string, fallback: number) =>
  integer(`metering.price.${product}`, 1, Number.MAX_SAFE_INTEGER, {
    description: `credits that ${about} costs`,
    fallback,
  });

/**
 * The products that are paid with credits, and their prices. A price is at least 1: a meter receipt cites the
 * transaction that paid.
 */
export const meteringSettings = {
  reputation_lookup_verified: price('reputation_lookup_verified', 'a verified look-up of a reputation', 1),
  portable_credential_issuance: price('portable_credential_issuance', 'a portable credential', 10),
  audit_package_generation: price('audit_package_generation', 'an audit package', 20),
};

/** A product that is paid with credits. */
export type Product = keyof typeof meteringSettings;

/** The names of the products. */
export const PRODUCTS = [
  'reputation_lookup_verified',
  'portable_credential_issuance',
  'audit_package_generation',
] as const satisfies readonly Product[];

/** The settings of metered products in the units of the code. */
export interface MeteringPolicy {
  /** The credits that each metered product costs, at least 1. */
  productPrices: Readonly<Record<Product, number>>;
}

/** Returns the policy of metered products from the settings. */
export const meteringPolicy = (config: Config): MeteringPolicy => ({
  productPrices: {
    reputation_lookup_verified: meteringSettings.reputation_lookup_verified.in(config),
    portable_credential_issuance: meteringSettings.portable_credential_issuance.in(config),
    audit_package_generation: meteringSettings.audit_package_generation.in(config),
  },
});
