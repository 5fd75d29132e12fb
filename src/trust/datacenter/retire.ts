import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { digest } from '../../proof/encoding/digest.ts';
import { AHEAD_MS, parseTimestamp } from '../../proof/encoding/timestamp.ts';
import { commonErrors } from '../http/errors.ts';
import { issueTime } from '../log/clock/dates.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import { issueServiceReceiptIn, type ServiceReceiptContext } from '../receipts/service-receipt.ts';
import { requireOwnCluster } from './ingest.ts';
import { clusterById, insertRetirement, instanceOf, lastWindowEnd, retiredAt } from './store.ts';

/**
 * How far back a meter can be retired. With more, an operator could look at the figures first and then take
 * the hours out in which a meter failed.
 */
const RETIRE_BACK_MS = 24 * 3600_000;

/** The meter of a request. */
export interface MeterName {
  clusterId: string;
  instanceId: string;
}

/**
 * Takes a meter out of service: no value of it is expected from then on. What it measured before stays, and
 * the service issues and logs a receipt for it.
 * @param at RFC 3339, checked by the schema; now if undefined
 * @throws ApiError not_found for an instance without energy; forbidden for another operator's cluster;
 * conflict for a meter that is retired; validation_error for a time before the end of its last window, in the
 * future, or more than 24 hours ago; clock_wrong
 */
export function retireMeter(
  trust: ServiceReceiptContext,
  principal: Principal,
  meter: MeterName,
  at: string | undefined,
  once: Once,
) {
  return trust.store.write(principal.authority.neverRefused, (tx) =>
    once(tx, () => retireMeterIn(tx, trust, principal, meter, at)),
  );
}

async function retireMeterIn(
  tx: Transaction,
  trust: ServiceReceiptContext,
  principal: Principal,
  { clusterId, instanceId }: MeterName,
  at: string | undefined,
) {
  const cluster = await clusterById(tx, clusterId);
  if (cluster === null) throw noMeter();
  requireOwnCluster(principal, cluster);
  const { clusterSeq } = cluster;
  const instanceSeq = await instanceOf(tx, { clusterSeq, instanceId });
  const end = instanceSeq === null ? null : await lastWindowEnd(tx, instanceSeq);
  if (instanceSeq === null || end === null) throw noMeter();
  const earlier = await retiredAt(tx, instanceSeq);
  if (earlier !== null)
    throw commonErrors.conflict({ message: `The meter was retired at ${timestampOf(earlier)}.` });
  const now = issueTime(trust);
  const time = at === undefined ? now : parseTimestamp(at);
  if (time === null) throw new Error('the schema let a malformed time pass');
  const refuse = (sentence: string) => commonErrors.validation_error({ issues: { at: [sentence] } });
  if (time < end)
    throw refuse(`must not be before ${timestampOf(end)}, the end of the last window of the meter`);
  if (time > now + AHEAD_MS) throw refuse('must not be in the future');
  if (time < now - RETIRE_BACK_MS) throw refuse('must be at most 24 hours ago');
  const stated = retirementDigest(clusterId, instanceId, time);
  const { receiptSeq, signed } = await issueServiceReceiptIn(tx, trust, {
    operator: principal,
    agentId: instanceId,
    receiptType: 'custody',
    inputDigest: stated,
    outputHash: stated,
    authorityScope: `datacenter:${clusterId}`,
  });
  await insertRetirement(tx, { instanceSeq, clusterSeq, receiptSeq, retiredAt: time });
  return {
    cluster_id: clusterId,
    instance_id: instanceId,
    retired_at: timestampOf(time),
    receipt: signed,
  };
}

/**
 * Returns what the receipt of a retirement states: its `input_digest` and `output_hash`.
 * @param time milliseconds since 1970
 */
export function retirementDigest(clusterId: string, instanceId: string, time: number): string {
  return digest(nativePrimitives, {
    cluster_id: clusterId,
    instance_id: instanceId,
    retired_at: timestampOf(time),
  });
}

function noMeter() {
  return commonErrors.not_found({
    message: 'The cluster has no meter with this instance_id. A meter exists from its first energy on.',
  });
}
