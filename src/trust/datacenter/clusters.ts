import type { Snapshot } from '../../platform/store/transaction.ts';
import { commonErrors } from '../http/errors.ts';
import { type OwnedCluster, ownedCluster } from './clusters-store.ts';

/** Returns a cluster by its id. @throws ApiError not_found for a cluster without telemetry */
export async function requireClusterIn(snapshot: Snapshot, clusterId: string): Promise<OwnedCluster> {
  const cluster = await ownedCluster(snapshot, clusterId);
  if (cluster !== null) return cluster;
  throw commonErrors.not_found({
    message: 'No cluster has this id. Check it; a cluster exists from its first telemetry on.',
  });
}
