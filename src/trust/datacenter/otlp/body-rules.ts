import type { JsonBodyRules } from '../../../platform/http/request/body.ts';
import { PROTOBUF } from '../../../platform/otlp/status.ts';

/** The maximum number of instances, and of items, in a request. It writes all receipts in one transaction. */
export const MAX_INSTANCES = 50;

/**
 * The maximum number of slots of 15 minutes and whole days over which the windows of a request are spread: a
 * transaction writes each, and does not pause.
 */
export const MAX_PIECES = 400;

/**
 * What a body of OTLP/HTTP may be: JSON or protobuf. Exporters compress it, and times in nanoseconds may be
 * numbers.
 */
export const OTLP_BODY: JsonBodyRules = {
  acceptsGzip: true,
  roundsIntegers: true,
  otherEncoding: {
    mediaType: PROTOBUF,
    decoder: async () => (await import('./protobuf.ts')).decodeMetrics,
  },
  otherMediaType:
    'The body is not OTLP/HTTP. Send it with Content-Type: application/x-protobuf or application/json, uncompressed or with ' +
    'Content-Encoding: gzip.',
};
