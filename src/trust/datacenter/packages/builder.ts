import type { TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { coverageOf, daysOf } from '../../../proof/package/coverage.ts';
import {
  clusterControlsOf,
  FRAMEWORKS,
  frameworkLimits,
} from '../../../proof/package/frameworks/catalogue.ts';
import { CLUSTER_FRAMEWORKS } from '../../../proof/package/frameworks/framework-ids.ts';
import { assess } from '../../../proof/package/frameworks/mapping.ts';
import { CLUSTER_SETS, type ClusterSet } from '../../../proof/package/frameworks/vocabulary.ts';
import type { BuildRequest, PackageBuilder, PackageDraft } from '../../compliance/packages/builder.ts';
import { clusterUrn } from '../../credentials/document.ts';
import { FIRST_LEAF } from '../../log/logs.ts';
import { mask } from '../../operators/mask.ts';
import { TELEMETRY_LIMITS } from '../cannot-show.ts';
import { type OwnedCluster, ownedCluster } from '../clusters-store.ts';
import { classMetrics } from '../scorecard/class-metrics.ts';
import { type PuePeriod, puePeriodOf, TelemetryTally } from './tally.ts';
import { telemetryPage } from './telemetry-store.ts';

/** The items in memory at once. */
const PAGE_ITEMS = 5000;

const SETS: readonly ClusterSet[] = ['telemetry', 'energy', 'avoided'];

/** Builds the packages of clusters. */
export const clusterBuilder: PackageBuilder = {
  kind: 'datacenter',
  draftOf: clusterDraft,
};

/** Returns the package of a cluster as a draft; null for an unknown cluster or framework. */
async function clusterDraft(snapshot: Snapshot, request: BuildRequest): Promise<PackageDraft | null> {
  const id = CLUSTER_FRAMEWORKS.find((one) => one === request.framework);
  const cluster = await ownedCluster(snapshot, request.subject);
  if (id === undefined || cluster === null) return null;
  const framework = FRAMEWORKS[id];
  const tally = await tallyOf(snapshot, cluster, request);
  const controls = clusterControlsOf(framework);
  const cited = SETS.filter((name) => controls.some((control) => control.cluster?.set === name));
  const { counts } = tally;
  const { period } = request;
  const coverage = [
    coverageOf('telemetry', { count: counts.telemetry, recordDays: tally.days }, period),
    coverageOf('energy', { count: counts.energy, recordDays: tally.energyDays }, period),
  ];
  return {
    subject: {
      type: 'cluster',
      id: clusterUrn(cluster.clusterId),
      cluster_id: cluster.clusterId,
      operator: mask(cluster.operatorId, 'op_cus_'),
    },
    frameworkEdition: framework.edition,
    coverage,
    records: { telemetry: counts.telemetry, energy: counts.energy, simulated: counts.simulated },
    assessors: [],
    sets: cited.map((name) => ({
      name,
      description: CLUSTER_SETS[name].description,
      leaves: { receipts: tally.leavesOf(name) },
    })),
    controls: (sets) =>
      controls.map((control) =>
        assess(control, control.cluster, counts, Object.fromEntries(sets), {
          framework: id,
          period,
          coverage,
        }),
      ),
    sections: tally.sections(await pueOf(snapshot, cluster, request)),
    limits: [...limitsOf(cluster), ...frameworkLimits(framework, controls.length)],
  };
}

/** Counts the telemetry whose windows are in the period, or reach into it. */
async function tallyOf(
  snapshot: Snapshot,
  { clusterSeq }: OwnedCluster,
  { period, treeSizes }: BuildRequest,
): Promise<TelemetryTally> {
  const [from, to] = [Date.parse(period.from), Date.parse(period.to)];
  const tally = new TelemetryTally({ from, to });
  const filter = {
    clusterSeq,
    from,
    to,
    beforeLeaf: FIRST_LEAF + treeSizes.receipts,
    limit: PAGE_ITEMS,
  };
  // Telemetry arrives after the end of its window, or up to a minute before it.
  let after = { afterTime: from - AHEAD_MS, afterReceipt: 0 };
  for (;;) {
    const items = await telemetryPage(snapshot, { ...filter, ...after });
    for (const item of items) tally.add(item);
    const last = items.at(-1);
    if (last === undefined || items.length < PAGE_ITEMS) return tally;
    after = { afterTime: last.ingestedAt, afterReceipt: last.receiptSeq };
  }
}

/** Returns the PUE of each class over the UTC days of a period, with what limits it. */
async function pueOf(
  snapshot: Snapshot,
  { clusterSeq }: OwnedCluster,
  { period }: Pick<BuildRequest, 'period'>,
): Promise<Record<TelemetryClass, PuePeriod>> {
  const { first: fromDay, last: toDay } = daysOf(period);
  const of = async (name: TelemetryClass) => {
    const found = await classMetrics(snapshot, clusterSeq, name, { fromDay, toDay });
    return found === null ? null : puePeriodOf(found.metrics, period);
  };
  return {
    hardware_measured: await of('hardware_measured'),
    declared: await of('declared'),
    simulated: await of('simulated'),
  };
}

function limitsOf({ ownerStatus }: OwnedCluster): string[] {
  return [
    ...TELEMETRY_LIMITS,
    'Revoking the receipt of telemetry changes no metric. Items that were corrected are cited and count in no sum.',
    ...(ownerStatus === 'ACTIVE'
      ? []
      : ['The account of the operator of the cluster was not active when the package was made.']),
  ];
}
