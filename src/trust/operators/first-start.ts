import { sha256Hex } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import type { CommandContext } from '../context.ts';
import { createOperatorIn, INITIAL_CREDITS } from './administration.ts';
import { newKeyFields } from './api-keys/api-keys.ts';
import { firstOperator, insertKey, putServiceToken, serviceTokenHash } from './store.ts';

/** The two secrets that may be fixed from outside, so that a test knows them beforehand. */
export interface ConfiguredSecrets {
  /** `pp_` and 64 hexadecimal characters. */
  apiKey: string | null;
  /** `svc_` and 64 hexadecimal characters. */
  serviceToken: string | null;
}

/** What the one who started the service is told. Secrets are null when they exist already: only hashes are stored. */
export interface FirstStart extends ConfiguredSecrets {
  operatorId: string;
  created: boolean;
}

/** What is told where nothing may be made: who was the first operator. @throws Failure before the first start */
export async function loadFirstStart(store: Store): Promise<FirstStart> {
  const first = await store.read(firstOperator);
  if (first === undefined)
    throw new Failure('there is no operator yet', 'start the service once without --read-only');
  return laterStart(first.operatorId);
}

/** What a start has to tell that makes nothing; null where something is missing yet. */
async function completedStartIn(snapshot: Snapshot): Promise<FirstStart | null> {
  const first = await firstOperator(snapshot);
  if (first === undefined || (await serviceTokenHash(snapshot)) === undefined) return null;
  return laterStart(first.operatorId);
}

/** What every start after the first has to tell, which makes nothing. */
function laterStart(operatorId: string): FirstStart {
  return { operatorId, created: false, apiKey: null, serviceToken: null };
}

/**
 * Makes the first operator with an admin key and the service token, once. A configured key or token is put in place at
 * every start: a further key beside the others, the token instead of the former.
 */
export async function runFirstStart(
  { store, clock, ids }: Pick<CommandContext, 'store' | 'clock' | 'ids'>,
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
    const { operatorSeq, operatorId } =
      existing ?? (await createOperatorIn(tx, { clock, ids }, { name: null, credits: INITIAL_CREDITS }));
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
