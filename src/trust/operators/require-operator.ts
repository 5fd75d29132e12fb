import type { Snapshot } from '../../platform/store/transaction.ts';
import { commonErrors } from '../http/errors.ts';
import { type OperatorRow, operatorById } from './store.ts';

/** Returns an operator. @throws ApiError not_found */
export async function requireOperatorIn(tx: Snapshot, operatorId: string): Promise<OperatorRow> {
  const operator = await operatorById(tx, operatorId);
  if (operator === null) {
    throw commonErrors.not_found({
      message: `There is no operator ${operatorId}. See countersign operators list.`,
    });
  }
  return operator;
}
