import { join } from 'node:path';
import protobuf from 'protobufjs';
import type { JsonObject } from '../../src/proof/encoding/json.ts';

/** OTLP in its binary encoding, by another implementation than that of the service. */

const DIRECTORY = join(import.meta.dir, '../vectors/otlp');
const METRICS = 'opentelemetry.proto.collector.metrics.v1';

const root = new protobuf.Root();
root.resolvePath = (_from, file) => join(DIRECTORY, file);
root.loadSync('opentelemetry/proto/collector/metrics/v1/metrics_service.proto');
const { root: ofStatus } = protobuf.parse(
  'syntax = "proto3"; package google.rpc; message Status { int32 code = 1; string message = 2; }',
);

export const MetricsRequest = root.lookupType(`${METRICS}.ExportMetricsServiceRequest`);
const MetricsResponse = root.lookupType(`${METRICS}.ExportMetricsServiceResponse`);
const Status = ofStatus.lookupType('google.rpc.Status');

/** Encodes a request in OTLP/JSON. */
export function encodedMetrics(request: JsonObject): Uint8Array<ArrayBuffer> {
  return new Uint8Array(MetricsRequest.encode(MetricsRequest.fromObject(request)).finish());
}

/** Decodes the response to a request, in the form of JSON. */
export const decodedResponse = (bytes: Uint8Array) => shown(MetricsResponse, bytes);

/** Decodes an error. */
export const decodedStatus = (bytes: Uint8Array) => shown(Status, bytes);

/** Decodes a request, in the form of JSON. Bytes are base64. */
export const decodedMetrics = (bytes: Uint8Array) => shown(MetricsRequest, bytes);

function shown(type: protobuf.Type, bytes: Uint8Array): Record<string, unknown> {
  return type.toObject(type.decode(bytes), { longs: String, bytes: String, json: true });
}
