import type { Clock } from '../../../platform/time/clock.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { requestedPeriod } from '../../compliance/packages/period.ts';
import type { PackageSource, PackageText } from '../../compliance/packages/request.ts';
import type { PeriodQuery } from '../../http/period.ts';
import { leafOfReceipt } from '../../receipts/log/leaves.ts';
import { requireClusterIn } from '../clusters.ts';
import { newestTelemetryOf } from '../clusters-store.ts';

/** The parts of the service that packages of clusters use. */
export type ClusterPackageContext = { clock: Clock; packages: PackageSource };

/** What a route asks for. */
export interface ClusterPackageRequest {
  clusterId: string;
  framework: string;
  query: PeriodQuery;
  /** Counts a build against the limit of the caller. @throws Refusal rate */
  countBuild(): Promise<void>;
}

/**
 * Returns a package about a cluster.
 * @throws ApiError not_found without telemetry; validation_error for a wrong period; as `PackageSource.get`
 */
export async function clusterPackage(
  { clock, packages }: ClusterPackageContext,
  { clusterId, framework, query, countBuild }: ClusterPackageRequest,
): Promise<PackageText> {
  const built = await packages.get({
    kind: 'datacenter',
    subject: clusterId,
    framework,
    period: requestedPeriod(clock, query),
    view: 'public',
    async subjectIn(snapshot) {
      const { clusterSeq, ownerStatus } = await requireClusterIn(snapshot, clusterId);
      const newest = await newestTelemetryOf(snapshot, clusterSeq);
      const leaf = newest === null ? null : await leafOfReceipt(snapshot, newest.receiptSeq);
      return {
        state: ownerStatus,
        version: String(newest?.receiptSeq ?? 0),
        changedAt: newest === null ? null : timestampOf(newest.ingestedAt),
        sizesNeeded: leaf === null ? {} : { receipts: leaf.index + 1 },
      };
    },
    countBuild,
  });
  if (built === null) throw new Error(`the builder does not know the cluster ${clusterId}`);
  return built;
}
