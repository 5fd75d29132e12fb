import { type Static, Type } from '@sinclair/typebox';
import { inForms, named, strictObject } from '../../../platform/http/schema.ts';
import { protobufMessage } from '../../../platform/otlp/status.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
/** 11:00 and 12:00 UTC on 2026-05-01. */
const [START, END] = ['1777633200000000000', '1777636800000000000'];

export const OtlpMetricsRequest = named(
  'OtlpMetricsRequest',
  Type.Unsafe<JsonObject>(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'ExportMetricsServiceRequest of OTLP in its JSON encoding: `{resourceMetrics: [{resource, scopeMetrics: [{scope, metrics}]}]}`. ' +
          'Unknown members are ignored.',
        examples: [
          {
            resourceMetrics: [
              {
                resource: {
                  attributes: [
                    attribute('countersign.cluster.id', 'demo-hall-1'),
                    attribute('host.id', 'rack-08'),
                  ],
                },
                scopeMetrics: [
                  {
                    scope: { name: 'pdu' },
                    metrics: [
                      {
                        name: 'hw.host.energy',
                        unit: 'J',
                        sum: {
                          aggregationTemporality: 1,
                          isMonotonic: true,
                          dataPoints: [
                            { startTimeUnixNano: START, timeUnixNano: END, asDouble: 138_240_000 },
                          ],
                        },
                      },
                      {
                        name: 'hw.host.ambient_temperature',
                        unit: 'Cel',
                        gauge: { dataPoints: [{ timeUnixNano: END, asDouble: 23.5 }] },
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    ),
  ),
);

const OtlpMetricsResult = named(
  'OtlpMetricsResponse',
  strictObject(
    {
      partialSuccess: Type.Optional(
        strictObject({
          rejectedDataPoints: Type.String({
            pattern: '^\\d+$',
            description: 'How many data points were not accepted, as a decimal text. Do not send them again.',
          }),
          errorMessage: Type.String({ description: 'Why, for people.' }),
        }),
      ),
    },
    {
      description:
        'ExportMetricsServiceResponse. Without `partialSuccess`, all data points were accepted. With 0 rejected data points, errorMessage ' +
        'is a hint.',
    },
  ),
);

export type OtlpMetrics = Static<typeof OtlpMetricsResult>;

export const OtlpMetricsResponse = inForms(
  [OtlpMetricsResult, protobufMessage],
  'The result, in the encoding of the request.',
);
