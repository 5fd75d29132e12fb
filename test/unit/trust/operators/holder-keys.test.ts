import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Scope } from '../../../../db/trust/operators.ts';
import { commonScope } from '../../../../src/trust/operators/holder-keys.ts';

const scopes = fc.record<Scope>(
  {
    max_credits: fc.nat(100),
    products: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
    expires_at: fc.constantFrom('2030-01-01T00:00:00Z', '2030-01-01T00:30:00+01:00', '2031-01-01T00:00:00Z'),
  },
  { requiredKeys: [] },
);

/** Whether a scope lets a key spend so much on a product at a time; null allows all. */
function allows(scope: Scope | null, credits: number, product: string, at: string): boolean {
  if (scope === null) return true;
  return (
    credits <= (scope.max_credits ?? Number.POSITIVE_INFINITY) &&
    (scope.products === undefined || scope.products.includes(product)) &&
    (scope.expires_at === undefined || Date.parse(at) < Date.parse(scope.expires_at))
  );
}

test('the intersection of scopes allows exactly what each of them allows', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(scopes), { maxLength: 4 }),
      fc.nat(100),
      fc.constantFrom('a', 'b', 'c'),
      fc.constantFrom('2029-12-31T23:15:00Z', '2029-12-31T23:45:00Z', '2030-06-01T00:00:00Z'),
      (all, credits, product, at) => {
        const each = all.every((scope) => allows(scope, credits, product, at));
        expect(allows(commonScope(all), credits, product, at)).toBe(each);
      },
    ),
  );
});

test('no scope and no key are no limit', () => {
  expect([commonScope([]), commonScope([null, null])]).toEqual([null, null]);
  expect(commonScope([null, { max_credits: 0 }])).toEqual({ max_credits: 0 });
});
