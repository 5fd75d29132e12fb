import { sha256Hex } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import type { CommandContext } from '../context.ts';
import { poolOf } from '../ledger/accounts.ts';
import { adjustIn, createOperatorIn, INITIAL_CREDITS } from './administration.ts';
import { newKeyFields } from './api-keys/api-keys.ts';
import { firstOperator, insertKey, putServiceToken, serviceTokenHash } from './store.ts';

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

/** Returns the announcement of a read-only start, which creates nothing. @throws Failure before the first start */
export async function loadFirstStart(store: Store): Promise<FirstStart> {
  const first = await store.read(firstOperator);
  if (first === undefined)
    throw new Failure('there is no operator yet', 'start the service once without --read-only');
  return laterStart(first.operatorId);
}

/** Returns the announcement of a start that has nothing to create; null if the operator or the service token is missing. */
async function completedStartIn(snapshot: Snapshot): Promise<FirstStart | null> {
  const first = await firstOperator(snapshot);
  if (first === undefined || (await serviceTokenHash(snapshot)) === undefined) return null;
  return laterStart(first.operatorId);
}

/** Returns the announcement of a start after the first. */
function laterStart(operatorId: string): FirstStart {
  return { operatorId, created: false, apiKey: null, serviceToken: null };
}

/**
 * Creates the first operator with an admin key, and the service token, unless they exist. A configured key is added and a configured
 * token replaces the stored one at every start.
 */
export async function runFirstStart(
  { store, clock, ids, policy }: Pick<CommandContext, 'store' | 'clock' | 'ids' | 'policy'>,
  configured: ConfiguredSecrets,
): Promise<FirstStart> {
  const isGiven = configured.apiKey !== null || configured.serviceToken !== null;
  const completed = isGiven ? null : await store.read(completedStartIn);
  if (completed !== null) return completed;
  const fresh = { apiKey: ids.newSecret('pp_'), token: ids.newSecret('svc_') };
  return store.writeAsService(async (tx) => {
    const createdAt = timestamp(clock);
    const existing = await firstOperator(tx);
    const created = existing === undefined;
    const operator = existing ?? (await createOperatorIn(tx, { clock, ids }, { name: null }));
    const { operatorSeq, operatorId } = operator;
    if (created) await adjustIn(tx, { clock, ids, policy }, poolOf(operator), 'promotional', INITIAL_CREDITS);
    const apiKey = configured.apiKey ?? (created ? fresh.apiKey : null);
    if (apiKey !== null) {
      const key = newKeyFields({ name: 'first start', admin: true });
      await insertKey(tx, { ...key, keyHash: sha256Hex(apiKey), operatorSeq, createdAt });
    }
    const serviceToken =
      configured.serviceToken ?? ((await serviceTokenHash(tx)) === undefined ? fresh.token : null);
    if (serviceToken !== null) await putServiceToken(tx, sha256Hex(serviceToken), createdAt);
    return { operatorId, created, apiKey, serviceToken };
  });
}
