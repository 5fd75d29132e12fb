import { Type } from '@sinclair/typebox';
import { named, strictObject } from '../http/schema.ts';
import { MOST_FAULTS } from './faults.ts';
import { DURATION_FORM, parseDuration } from './times.ts';

const TIME = { format: 'date-time', examples: ['2026-01-04T00:00:00.000Z'] };

/** Where to advance the clock: by a duration or to a time. The handler refuses both and neither. */
export const ClockRequest = named(
  'ClockRequest',
  strictObject(
    {
      advance: Type.Optional(
        Type.String({
          pattern: '^(?=\\d)(?:\\d{1,9}d)?(?:\\d{1,9}h)?(?:\\d{1,9}m)?(?:\\d{1,9}s)?$',
          description: `By how much to advance: ${DURATION_FORM}.`,
          examples: ['72h'],
          'x-message': `must be ${DURATION_FORM}`,
        }),
      ),
      to: Type.Optional(Type.String({ ...TIME, description: 'To what time to advance.' })),
    },
    { description: 'Exactly one of `advance` and `to`.', examples: [{ advance: '72h' }] },
  ),
);

export const ClockResponse = named(
  'TestClock',
  strictObject({
    now: Type.String({ ...TIME, description: 'The time of the service.' }),
    runs: Type.Boolean({ description: 'Whether it runs with the clock of the machine. Else it stands.' }),
  }),
);

export const AdvancedResponse = named(
  'AdvancedTestClock',
  strictObject({
    now: Type.String({ ...TIME, description: 'The time of the service.' }),
    runs: Type.Boolean({ description: 'Whether it runs with the clock of the machine. Else it stands.' }),
    steps: Type.Integer({ description: 'At how many times something was due.' }),
    failed_tasks: Type.Array(Type.String(), {
      description: 'The scheduled tasks of which a run failed. The log of the service says why.',
    }),
  }),
);

export const ResetResponse = named(
  'TestReset',
  strictObject({ now: Type.String({ ...TIME, description: 'The time at which the clock starts.' }) }),
);

const faultMembers = {
  operation: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The operationId of the requests.',
    examples: ['issueReceipt'],
  }),
  count: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many requests.', examples: [1] }),
};
const delayMs = Type.Integer({
  minimum: 0,
  maximum: 20_000,
  description: 'The milliseconds before each request is performed.',
  examples: [0],
});
const status = Type.Integer({
  minimum: 400,
  maximum: 599,
  description: 'The status of the error that each request gets instead of being performed.',
  examples: [503],
});
const loseResponse = Type.Boolean({
  description: 'Performs each request, and closes its connection without a response.',
});

/** The faults of the next requests of an operation. */
export const FaultRequest = named(
  'FaultRequest',
  strictObject(
    {
      ...faultMembers,
      delay_ms: Type.Optional(delayMs),
      status: Type.Optional(status),
      lose_response: Type.Optional(loseResponse),
    },
    { examples: [{ operation: 'getHealth', count: 1, status: 503 }] },
  ),
);

export const FaultsResponse = named(
  'Faults',
  strictObject({
    faults: Type.Array(
      strictObject({
        ...faultMembers,
        delay_ms: delayMs,
        status: Type.Union([status, Type.Null()]),
        lose_response: loseResponse,
      }),
      { description: `What happens to the next requests, at most ${MOST_FAULTS}.` },
    ),
  }),
);

/** Returns the milliseconds of a duration that has the form of the schema. */
export function durationOf(text: string): number {
  return parseDuration(text) ?? Number.NaN;
}
