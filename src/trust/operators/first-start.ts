import { sha256Hex } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import type { CommandContext } from '../context.ts';
import { createOperatorIn, FIRST_POOL } from './administration.ts';
import { keyRequestOf } from './api-keys.ts';
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
export async function formerStart(store: Store): Promise<FirstStart> {
  const first = await store.read(firstOperator);
  if (first === undefined) throw new Failure('there is no operator yet', 'start once without --read-only');
  return startAfter(first.operatorId);
}

/** What a start has to tell that makes nothing; null where something is missing yet. */
async function formerIn(snapshot: Snapshot): Promise<FirstStart | null> {
  const first = await firstOperator(snapshot);
  if (first === undefined || (await serviceTokenHash(snapshot)) === undefined) return null;
  return startAfter(first.operatorId);
}

/** What every start after the first has to tell, which makes nothing. */
function startAfter(operatorId: string): FirstStart {
  return { operatorId, created: false, apiKey: null, serviceToken: null };
}

/**
 * Makes the first operator with an admin key and the service token, once. A configured key or token is put in place at
 * every start: a further key beside the others, the token instead of the former.
 */
export async function firstStart(
  { store, clock, ids }: Pick<CommandContext, 'store' | 'clock' | 'ids'>,
  given: ConfiguredSecrets,
): Promise<FirstStart> {
  const isGiven = given.apiKey !== null || given.serviceToken !== null;
  const former = isGiven ? null : await store.read(formerIn);
  if (former !== null) return former;
  const fresh = { apiKey: ids.newSecret('pp_'), token: ids.newSecret('svc_') };
  return store.writeAsService(async (tx) => {
    const createdAt = timestamp(clock);
    const existing = await firstOperator(tx);
    const created = existing === undefined;
    const { operatorSeq, operatorId } =
      existing ?? (await createOperatorIn(tx, { clock, ids }, { name: null, credits: FIRST_POOL }));
    const apiKey = given.apiKey ?? (created ? fresh.apiKey : null);
    if (apiKey !== null) {
      const key = keyRequestOf({ name: 'first start', admin: true });
      await insertKey(tx, { ...key, keyHash: sha256Hex(apiKey), operatorSeq, createdAt });
    }
    const serviceToken =
      given.serviceToken ?? ((await serviceTokenHash(tx)) === undefined ? fresh.token : null);
    if (serviceToken !== null) await putServiceToken(tx, sha256Hex(serviceToken), createdAt);
    return { operatorId, created, apiKey, serviceToken };
  });
}
