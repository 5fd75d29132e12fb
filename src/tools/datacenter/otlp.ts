import type { JsonObject } from '../../proof/encoding/json.ts';
import { type Hall, RACK_NAMEPLATE_W, type RackSample, rounded, samplesOf } from './hall.ts';

const JOULES_PER_KWH = 3_600_000;
/** AGGREGATION_TEMPORALITY_DELTA of OTLP. */
const DELTA = 1;

/**
 * Returns a simulated day as an OpenTelemetry collector would send it: one ExportMetricsServiceRequest
 * (OTLP/JSON) for each window, with a resource for each rack. The metrics are `hw.*` of the semantic
 * conventions and, for what these do not have, `countersign.*`.
 */
export function otlpOf(hall: Hall): JsonObject[] {
  const windows = Map.groupBy(samplesOf(hall), ({ start }) => start);
  return [...windows.values()].map((samples) => ({
    resourceMetrics: samples.map((sample) => resourceOf(hall, sample)),
  }));
}

function resourceOf({ clusterId }: Hall, sample: RackSample): JsonObject {
  const { instanceId } = sample;
  const host = { 'hw.id': instanceId };
  const joules = (kwh: number): number => rounded(kwh * JOULES_PER_KWH, 0);
  return {
    resource: {
      attributes: attributesOf({
        'countersign.cluster.id': clusterId,
        'countersign.origin': 'synthetic',
        'service.name': 'countersign datacenter simulate',
        'service.instance.id': instanceId,
      }),
    },
    scopeMetrics: [
      {
        scope: { name: 'countersign' },
        metrics: [
          counter('hw.host.energy', 'J', joules(sample.itKwh), sample, host),
          gauge('hw.host.power', 'W', sample.powerW, sample, host),
          gauge('hw.host.ambient_temperature', 'Cel', sample.inletC, sample, host),
          gauge('hw.temperature', 'Cel', sample.junctionC, sample, {
            'hw.id': `${instanceId}-gpu0`,
            'hw.sensor_location': 'GPU0_DIE',
          }),
          counter('countersign.facility.energy', 'J', joules(sample.facilityKwh), sample),
          counter('countersign.renewable.energy', 'J', joules(sample.renewableKwh), sample),
          counter('countersign.reused.energy', 'J', joules(sample.reusedKwh), sample),
          counter('countersign.water', 'L', sample.waterL, sample),
          gauge('countersign.grid.carbon_intensity', 'g/kW.h', sample.carbonGPerKwh, sample),
          gauge('countersign.nameplate.power', 'W', RACK_NAMEPLATE_W, sample),
        ],
      },
    ],
  };
}

type Window = Pick<RackSample, 'start' | 'end'>;
type Attributes = Readonly<Record<string, string>>;

function counter(
  name: string,
  unit: string,
  value: number,
  { start, end }: Window,
  attributes: Attributes = {},
): JsonObject {
  const point = { startTimeUnixNano: nanos(start), ...pointOf(value, end, attributes) };
  return { name, unit, sum: { aggregationTemporality: DELTA, isMonotonic: true, dataPoints: [point] } };
}

function gauge(
  name: string,
  unit: string,
  value: number,
  { end }: Window,
  attributes: Attributes = {},
): JsonObject {
  return { name, unit, gauge: { dataPoints: [pointOf(value, end, attributes)] } };
}

function pointOf(value: number, time: number, attributes: Attributes): JsonObject {
  return { timeUnixNano: nanos(time), asDouble: value, attributes: attributesOf(attributes) };
}

function attributesOf(attributes: Attributes): JsonObject[] {
  return Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
}

/** Returns a time in nanoseconds as a decimal text, as protobuf's JSON mapping has 64-bit integers. */
function nanos(ms: number): string {
  return `${ms}000000`;
}
