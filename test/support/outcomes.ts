import {
  ERROR_TRANCHES,
  type ErrorTranche,
  OUTCOMES,
  type Outcome,
  outcomeMember,
} from '../../src/proof/receipt/receipt.ts';
import { DIGEST } from './client.ts';

/** The body that finalizes a receipt to a status. */
export function ending(status: Outcome, error_tranche?: ErrorTranche) {
  const member = outcomeMember(status) ?? '';
  return {
    status,
    [member]: member === 'output_hash' ? DIGEST : 'said',
    ...(error_tranche === undefined ? {} : { error_tranche }),
  };
}

/** Every status with every tranche that it permits. */
export const ENDINGS: readonly (readonly [Outcome, ErrorTranche])[] = OUTCOMES.flatMap((status) =>
  ERROR_TRANCHES.filter((tranche) => status !== 'success' || tranche === 'NONE').map(
    (tranche) => [status, tranche] as const,
  ),
);
