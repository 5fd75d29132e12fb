import { METER_ROLES } from '../../../../db/trust/datacenter-enums.ts';
import { FACILITY_NAME } from '../limits.ts';
import { countUp } from './counters.ts';
import type { Source } from './mapping.ts';
import type { Metric, ResourceMetrics } from './read-metrics.ts';

/** The attributes of a resource that name its cluster, its instance and its origin. The first one counts. */
const CLUSTER = ['countersign.cluster.id', 'k8s.cluster.name'] as const;
const INSTANCE = ['service.instance.id', 'host.id', 'host.name'] as const;
const ORIGIN = 'countersign.origin';
/** What its energy is of. */
const ROLE = 'countersign.meter.role';
const CATEGORY = 'countersign.pue.category';
const CATEGORIES = [1, 2, 3];
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
    const { clusterId, instanceId, origin, meter } = source;
    const key = JSON.stringify([clusterId, instanceId, origin, meter]);
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
  if (origin !== 'live-instrument' && origin !== 'synthetic')
    return `the resource attribute ${ORIGIN} is neither live-instrument nor synthetic`;
  const [role, category] = [attributes.get(ROLE), attributes.get(CATEGORY)];
  const meter_role = METER_ROLES.find((known) => known === role);
  const pue_category = CATEGORIES.find((known) => String(known) === category);
  if (role !== undefined && meter_role === undefined)
    return `the resource attribute ${ROLE} is none of ${METER_ROLES.join(', ')}`;
  if (category !== undefined && pue_category === undefined)
    return `the resource attribute ${CATEGORY} is none of the strings ${CATEGORIES.join(', ')}`;
  const meter = {
    ...(meter_role === undefined ? {} : { meter_role }),
    ...(pue_category === undefined ? {} : { pue_category }),
  };
  return { clusterId, instanceId, origin, meter };
}

/** Returns the first attribute that a resource has; null without one, or if it is not a valid name. */
function nameOf(attributes: ReadonlyMap<string, string>, keys: readonly string[]): string | null {
  const name = keys.map((key) => attributes.get(key)).find((value) => value !== undefined && value !== '');
  return name !== undefined && NAME.test(name) ? name : null;
}

function problemOf(keys: readonly string[]): string {
  return `the resource attributes ${keys.join(', ')} have no name of 1 to 128 letters, digits and . _ : -, other than . and ..`;
}
