import type { ReceiptState } from './store.ts';

/** Returns why there is no inclusion proof of a receipt. */
export function reasonFor({ current }: ReceiptState, isLogged: boolean): string {
  if (isLogged)
    return 'The receipt is in the log, but no checkpoint covers it yet. Repeat the request after a second.';
  return current.revocationStatus === 'revoked'
    ? 'The receipt was revoked before it was finalized.'
    : 'The receipt is pending. It enters the log when it is finalized.';
}
