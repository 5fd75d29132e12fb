import type { Tier } from '../../../db/staffing/accounts-enums.ts';
import { SANDBOX_REQUISITIONS } from '../requisitions/count.ts';
import type { MeterPolicy } from './keys/meter.ts';

/** Returns the limits of a tier for a response. As in the headers, no limit of requests is 0. */
export function limitsOf(policy: MeterPolicy, tier: Tier) {
  return {
    requests_per_minute: policy.limitsOn ? policy.requests[tier].requests : 0,
    stored_requisitions: tier === 'sandbox' ? SANDBOX_REQUISITIONS : null,
  };
}
