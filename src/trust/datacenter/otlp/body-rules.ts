import type { JsonBodyRules } from '../../../platform/http/request/body.ts';

/** The maximum number of instances, and of items, in a request. It writes all receipts in one transaction. */
export const MAX_INSTANCES = 50;

/** What a body in OTLP/JSON may be. Exporters compress it, and times in nanoseconds may be numbers. */
export const OTLP_BODY: JsonBodyRules = {
  acceptsGzip: true,
  roundsIntegers: true,
  otherMediaType:
    'The body is not OTLP in its JSON encoding (Content-Type: application/json, uncompressed or gzip). In a collector, set `encoding: json` and ' +
    '`compression: gzip` or `none` in the otlphttp exporter.',
};
