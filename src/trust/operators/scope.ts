import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import { commonErrors } from '../http/errors.ts';
import type { Scope } from './store.ts';

/**
 * Returns whether `outer` allows everything that `inner` allows. Nothing that can spend is within limits over
 * time: each key has its own, so several keys could spend them several times.
 */
export function isWithin(inner: Scope | null, outer: Scope | null): boolean {
  if (outer === null) return true;
  const hasBudget = outer.max_credits_total !== undefined || outer.max_credits_per_day !== undefined;
  if (hasBudget && inner?.products?.length !== 0) return false;
  const { max_credits = Infinity, products } = inner ?? {};
  return (
    max_credits <= (outer.max_credits ?? Infinity) &&
    (outer.products === undefined ||
      products?.every((product) => outer.products?.includes(product)) === true) &&
    scopeEnd(inner) <= scopeEnd(outer)
  );
}

/** Returns whether a scope limits anything. */
export function isLimited(scope: Scope | null): boolean {
  return !isWithin(null, scope);
}

/**
 * Returns when a scope ends, in milliseconds since 1970: Infinity without an end. A time that cannot be read
 * must not make a key unlimited, so it counts as passed.
 */
export function scopeEnd(scope: Scope | null): number {
  const end = scope?.expires_at;
  return end === undefined ? Infinity : (parseTimestamp(end) ?? -Infinity);
}

/**
 * Returns whether the scope of a key has ended. The key can then only read, and end what belongs to it.
 * @param now milliseconds since 1970
 */
export function hasEnded(scope: Scope | null, now: number): boolean {
  return scope !== null && scopeEnd(scope) <= now;
}

/** Refuses a key whose scope has ended. @param now milliseconds since 1970 @throws ApiError scope_ended */
export function requireRunning({ scope }: { scope: Scope | null }, now: number): void {
  if (!hasEnded(scope, now)) return;
  throw commonErrors.scope_ended({
    message:
      `The scope of this key ended at ${scope?.expires_at}. The key can still read, finalize and revoke the receipts that it issued, and ` +
      'delete itself. Use another key.',
  });
}
