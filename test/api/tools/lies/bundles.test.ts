import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { given, logged } from '../../../support/dishonest/customer.ts';
import { keyListOf } from '../../../support/dishonest/key-list.ts';
import { byVerifiers, type Lie, testLies } from '../../../support/dishonest/lies.ts';
import {
  after,
  type DishonestOperator,
  type NamedReceipt,
  NOON,
} from '../../../support/dishonest/operator.ts';
import { inclusionOf } from '../../../support/dishonest/proofs.ts';
import { cosigned, POLICY } from '../../../support/made-account.ts';

const YEARS_BACK = '2016-01-01T00:00:00.000Z';
const MINUTES_BACK = (Date.parse(YEARS_BACK) - NOON) / 60_000 + 1;

/** Returns the bundle of a receipt: with a proof, or with the reason why there is none. */
const bundleOf = (
  operator: DishonestOperator,
  receipt: NamedReceipt,
  proof: JsonObject | string,
  status: JsonObject = operator.status(receipt),
): JsonObject => ({
  ...{ type: 'receipt-bundle', receipt: { ...receipt }, status, key_events: [] },
  ...(typeof proof === 'string' ? { proof: null, inclusion_reason: proof } : { proof }),
});

/** Returns the proof of the receipt at an index of the log, which two of three witnesses cosigned. */
function cosignedProof({ log }: DishonestOperator, index: number): JsonObject {
  const checkpoint = cosigned(log.note('receipts'), log.now * 1000);
  return inclusionOf(log, 'receipts', index, { checkpoint });
}

/** A finished receipt is in no log. */
const unlogged = (policy?: string) => (operator: DishonestOperator) => {
  const receipt = operator.receipt();
  const bundle = bundleOf(operator, receipt, 'the next checkpoint will have it');
  return given(bundle, { keys: keyListOf(operator.log), ...(policy && { policy }) });
};

/** A receipt that is not finished is in no log; two of three witnesses cosigned the event of its key. */
const unfinished = (policy?: string) => (operator: DishonestOperator) => {
  operator.wait(1);
  const { log } = operator;
  const { output_hash: _, error_tranche: __, ...rest } = operator.receipt();
  const receipt = operator.version(rest, { status: 'pending' });
  const index = log.entries.keys.findLastIndex((entry) => entry.toString().includes(receipt.kid));
  const checkpoint = cosigned(log.note('keys'), log.now * 1000);
  const key_events = [inclusionOf(log, 'keys', index, { checkpoint })];
  const bundle = { ...bundleOf(operator, receipt, 'The receipt is pending.'), key_events };
  return given(bundle, { keys: keyListOf(log), ...(policy && { policy }) });
};

/** A retired key signs a receipt that is dated before its end, and that no log has. */
const ofRetiredKey = (policy?: string) => (operator: DishonestOperator) => {
  operator.endReceiptKey('retired', 0, 5);
  operator.wait(6);
  const bundle = bundleOf(operator, operator.receipt({ issued_at: after(1) }), 'the log will have it soon');
  return given(bundle, { keys: keyListOf(operator.log), ...(policy && { policy }) });
};

/** A bundle from before the revocation, whose status ended four minutes ago. */
const old = (fresh: boolean) => (operator: DishonestOperator) => {
  const receipt = logged(operator);
  const status = operator.status(receipt, { checked_at: after(1), valid_until: after(6) });
  operator.revoke(receipt, 2);
  const bundle = bundleOf(operator, receipt, inclusionOf(operator.log, 'receipts', 1), status);
  return given(bundle, { keys: keyListOf(operator.log) }, { ...(fresh && { more: { fresh } }) });
};

const lies: Lie[] = [
  {
    lie: 'A receipt says that it was issued years back, and its entry and its cosignatures are of today.',
    tell: async (operator, seen) => {
      operator.finalizeOthers(1);
      operator.wait(1);
      await seen();
      const receipt = operator.receipt({ issued_at: YEARS_BACK });
      operator.finalize(receipt, 8);
      operator.wait(9);
      const bundle = bundleOf(operator, receipt, cosignedProof(operator, 1));
      return { ...given(bundle, { keys: keyListOf(operator.log), policy: POLICY }), logs: operator.log };
    },
    noticed: {},
    nobody: {
      asked: ['verify', 'python', 'monitor', 'newMonitor', 'fsck', 'compare'],
      reason:
        'The log of receipts has no issued_at, and nothing says since when the service issues receipts.',
    },
  },
  {
    lie: 'A finished receipt is never put into the log.',
    tell: unlogged(),
    noticed: byVerifiers({ remark: 'Not checked: whether the log has it' }),
  },
  {
    lie: 'A finished receipt is never put into the log, and is shown to one who has a policy.',
    tell: unlogged(POLICY),
    noticed: byVerifiers('proof: missing'),
  },
  {
    lie: 'An unfinished receipt, which no log has, is shown with what witnesses cosigned of the log of keys.',
    tell: unfinished(),
    noticed: byVerifiers({ remark: 'Not checked: whether the log has it' }),
  },
  {
    lie: 'An unfinished receipt is shown with what witnesses cosigned of the log of keys, to one who has a policy.',
    tell: unfinished(POLICY),
    noticed: byVerifiers('proof: missing'),
  },
  {
    lie: 'A receipt, its entry, the checkpoint and its cosignatures are all dated years back.',
    tell: (operator) => {
      const receipt = operator.receipt({ issued_at: YEARS_BACK });
      operator.finalizeOthers(1);
      operator.finalize(receipt, MINUTES_BACK);
      operator.wait(MINUTES_BACK);
      const proof = cosignedProof(operator, 1);
      operator.wait(9);
      const bundle = bundleOf(operator, receipt, proof);
      return given(bundle, { keys: keyListOf(operator.log), policy: POLICY });
    },
    noticed: {},
    nobody: {
      asked: ['verify', 'python'],
      reason: 'The dates agree. Only a monitor has a clock of its own.',
    },
  },
  {
    lie: 'A retired key signs a receipt that is dated before its end, without a proof.',
    tell: ofRetiredKey(),
    noticed: byVerifiers({ remark: 'Not checked: whether the log has it' }),
  },
  {
    lie: 'A retired key signs a receipt that is dated before its end, for one who has a policy.',
    tell: ofRetiredKey(POLICY),
    noticed: byVerifiers('proof: missing'),
  },
  {
    lie: 'The bundle of a receipt that was revoked is shown as it was before.',
    tell: old(false),
    noticed: byVerifiers({ remark: 'whether it was revoked since (--fresh)' }),
  },
  {
    lie: 'The bundle of a receipt that was revoked is shown as it was before, to one who asks for a fresh one.',
    tell: old(true),
    noticed: byVerifiers('status: expired'),
  },
];

testLies(
  'bundles',
  [
    {
      truth: 'a bundle with a cosigned proof and a fresh status',
      tell: (operator) => {
        const receipt = logged(operator);
        const bundle = bundleOf(operator, receipt, cosignedProof(operator, 1));
        const files = { keys: keyListOf(operator.log), policy: POLICY };
        return given(bundle, files, { more: { fresh: true } });
      },
      accepted: ['verify', 'python'],
    },
  ],
  lies,
);
