import { Failure } from '../../platform/failure.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { firstOperator, serviceTokenHash } from './store.ts';

/** The two secrets that settings may fix, so that tests know them in advance. */
export interface ConfiguredSecrets {
  /** `pp_` and 64 hexadecimal characters. */
  apiKey: string | null;
  /** `svc_` and 64 hexadecimal characters. */
  serviceToken: string | null;
}

/** The data that a start announces. Secrets are null if they already exist: only their hashes are stored. */
export interface FirstStart extends ConfiguredSecrets {
  operatorId: string;
  created: boolean;
}

/**
 * Returns the announcement of a read-only start, which creates nothing.
 * @throws Failure before the first start
 */
export async function loadFirstStart(store: Store): Promise<FirstStart> {
  const first = await store.read(firstOperator);
  if (first === null)
    throw new Failure('there is no operator yet', 'start the service once without --read-only');
  return laterStart(first.operatorId);
}

/**
 * Returns the announcement of a start that has nothing to create; null if a secret is configured, or the
 * operator or the service token is missing.
 */
export async function completedStart(
  store: Store,
  { apiKey, serviceToken }: ConfiguredSecrets,
): Promise<FirstStart | null> {
  return apiKey === null && serviceToken === null ? await store.read(completedStartIn) : null;
}

async function completedStartIn(snapshot: Snapshot): Promise<FirstStart | null> {
  const first = await firstOperator(snapshot);
  if (first === null || (await serviceTokenHash(snapshot)) === null) return null;
  return laterStart(first.operatorId);
}

/** Returns the announcement of a start after the first. */
function laterStart(operatorId: string): FirstStart {
  return { operatorId, created: false, apiKey: null, serviceToken: null };
}
