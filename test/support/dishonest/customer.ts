import type { JsonObject } from '../../../src/proof/encoding/json.ts';
import type { FakeLog } from '../fake-log.ts';
import type { Evidence } from './audience.ts';
import { keyListOf, type SaidOfKeys } from './key-list.ts';
import type { Shown } from './lies.ts';
import { type DishonestOperator, type NamedReceipt, NOON } from './operator.ts';
import { proofOf } from './proofs.ts';

/** Ten minutes after noon: when customers verify. */
export const NOW = NOON + 10 * 60_000;

/** Logs a receipt at index 1 of three entries, and signs the log a minute after noon. */
export function logged(operator: DishonestOperator, receipt = operator.receipt()): NamedReceipt {
  operator.finalizeOthers(1);
  operator.finalize(receipt);
  operator.finalizeOthers(1);
  operator.wait(1);
  return receipt;
}

/** A customer gets a document and files. */
export const given = (
  document: NamedReceipt | JsonObject,
  files: Evidence['files'],
  others: Partial<Evidence> = {},
): { evidence: Evidence } => ({ evidence: { document: { ...document }, files, now: NOW, ...others } });

/** A customer gets a receipt that is logged, with a proof. */
export const proven =
  (proof: (operator: DishonestOperator, receipt: NamedReceipt) => string | JsonObject) =>
  (operator: DishonestOperator): Shown => {
    const receipt = logged(operator);
    return given(receipt, { proof: proof(operator, receipt), keys: keyListOf(operator.log) });
  };

/** A customer gets a receipt that is logged, with its proof, and a list of keys. */
export const listed =
  (said: (operator: DishonestOperator, receipt: NamedReceipt) => SaidOfKeys, log?: FakeLog) =>
  (operator: DishonestOperator): Shown => {
    const receipt = logged(operator);
    const proof = proofOf(operator.log, 'receipts', 1);
    const keys = said(operator, receipt);
    return given(receipt, { keys: keyListOf(log ?? operator.log, keys), proof });
  };

/** A customer gets a receipt with a signed status. */
export const withStatus =
  (status: (operator: DishonestOperator, receipt: NamedReceipt) => JsonObject) =>
  (operator: DishonestOperator): Shown => {
    const receipt = operator.receipt();
    return given(receipt, { keys: keyListOf(operator.log), status: status(operator, receipt) });
  };
