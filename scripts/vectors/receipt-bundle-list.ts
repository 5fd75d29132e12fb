import { BUNDLES } from './receipt-bundle-case.ts';
import { COMMON, KEYS, RECEIPTS, statusOf } from './receipt-bundle-parts.ts';

const tree = (log: string, tree_size: number) => ({ log: `${COMMON}/${log}`, tree_size, signed_at: null });
const signer = (kid: string | null, is_only_claimed: boolean) => ({
  ...{ issuer: null, is_only_claimed, kid, key_log: `${COMMON}/keys` },
});
const SIGNER = signer(KEYS.receipts.kid, false);

/** A list of bundles, one a line: good ones, one with the status of another, and lines that are none. */
export const LIST: readonly unknown[] = [
  BUNDLES.final,
  { ...BUNDLES.final, status: statusOf(RECEIPTS.pending) },
  BUNDLES.linked,
  { receipt: 1 },
  'no object',
];

/** What verifiers write about the list, without the sentences of problems: those are each one's own. */
export const LIST_RESULTS: readonly unknown[] = [
  {
    ...{ line: 2, receipt_id: RECEIPTS.final.receipt_id, verdict: 'valid', authentic: true, signer: SIGNER },
    trees: [tree('keys', 10), tree('receipts', 3)],
  },
  {
    ...{ line: 4, receipt_id: null, verdict: 'malformed', authentic: false, signer: signer(null, true) },
    trees: [],
  },
  { line: 5, receipt_id: null, verdict: 'malformed', authentic: false, trees: [] },
  {
    ...{ checked: 5, valid: 2, verdicts: { malformed: 2, valid: 3 }, revocation: 'not_checked' },
    old_statuses: 0,
    signers: [SIGNER],
    trees: [tree('accounts', 4), tree('keys', 10), tree('receipts', 3)],
  },
];
