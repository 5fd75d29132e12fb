import { FACILITY_NAME } from '../limits.ts';
import { countUp } from './counters.ts';
import type { Source } from './mapping.ts';
import type { Metric, ResourceMetrics } from './read-metrics.ts';

/** The attributes of a resource that name its cluster, its instance and its origin. The first one counts. */
const CLUSTER = ['countersign.cluster.id', 'k8s.cluster.name'] as const;
const INSTANCE = ['service.instance.id', 'host.id', 'host.name'] as const;
const ORIGIN = 'countersign.origin';
const NAME = new RegExp(FACILITY_NAME);

/** One instance of a request with all its metrics. */
export interface SourceMetrics {
  source: Source;
  metrics: Metric[];
}

/**
 * Groups the metrics of a request by instance: collectors batch several requests into one, so an instance can
 * occur in several resources.
 * @param refused counts the data points of resources that name no instance, by the reason
 */
export function bySource(
  resources: readonly ResourceMetrics[],
  refused: Map<string, number>,
): SourceMetrics[] {
  const sources = new Map<string, SourceMetrics>();
  for (const { attributes, metrics } of resources) {
    const source = sourceOf(attributes);
    if (typeof source === 'string') {
      const points = metrics.reduce((sum, { count }) => sum + count, 0);
      if (points > 0) countUp(refused, source, points);
      continue;
    }
    const key = `${source.clusterId} ${source.instanceId} ${source.origin}`;
    const known = sources.get(key);
    if (known === undefined) sources.set(key, { source, metrics: [...metrics] });
    else known.metrics.push(...metrics);
  }
  return [...sources.values()];
}

/** Returns the source that a resource names, or why it names none. */
function sourceOf(attributes: ReadonlyMap<string, string>): Source | string {
  const clusterId = nameOf(attributes, CLUSTER);
  const instanceId = nameOf(attributes, INSTANCE);
  if (clusterId === null) return problemOf(CLUSTER);
  if (instanceId === null) return problemOf(INSTANCE);
  const origin = attributes.get(ORIGIN) ?? 'live-instrument';
  if (origin === 'live-instrument' || origin === 'synthetic') return { clusterId, instanceId, origin };
  return `the resource attribute ${ORIGIN} is neither live-instrument nor synthetic`;
}

/** Returns the first attribute that a resource has; null without one, or if it is not a valid name. */
function nameOf(attributes: ReadonlyMap<string, string>, keys: readonly string[]): string | null {
  const name = keys.map((key) => attributes.get(key)).find((value) => value !== undefined && value !== '');
  return name !== undefined && NAME.test(name) ? name : null;
}

function problemOf(keys: readonly string[]): string {
  return `the resource attributes ${keys.join(', ')} have no name of 1 to 128 letters, digits and . _ : -, other than . and ..`;
}
