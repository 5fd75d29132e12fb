import { create, toBinary } from '@bufbuild/protobuf';
import type { BodyDecoder } from '../../../platform/http/request/body.ts';
import { decodeMessage } from '../../../platform/otlp/decode.ts';
import {
  ExportMetricsServiceRequestSchema,
  ExportMetricsServiceResponseSchema,
} from '../../../platform/otlp/generated/opentelemetry/proto/collector/metrics/v1/metrics_service_pb.ts';
import type { OtlpMetrics } from './schema.ts';

/** Decodes a body in the binary encoding into that of JSON. @throws Refusal invalid */
export const decodeMetrics: BodyDecoder = (bytes, maxItems) =>
  decodeMessage(ExportMetricsServiceRequestSchema, bytes, maxItems);

/** Encodes the response to a request in the binary encoding. */
export function encodeResult({ partialSuccess }: OtlpMetrics): Uint8Array<ArrayBuffer> {
  const message =
    partialSuccess === undefined
      ? {}
      : {
          partialSuccess: {
            rejectedDataPoints: BigInt(partialSuccess.rejectedDataPoints),
            errorMessage: partialSuccess.errorMessage,
          },
        };
  return toBinary(ExportMetricsServiceResponseSchema, create(ExportMetricsServiceResponseSchema, message));
}
