import { Type } from '@sinclair/typebox';
import type { Demonstration } from './openapi/demonstration.ts';
import { named, strictObject } from './schema.ts';

type Kind = Demonstration['kind'] | null;

/** What the health endpoint says of a service that is a demonstration or a test service. */
interface HealthMarks {
  demo?: true;
  test?: true;
}

interface HealthResponse<Service extends string, Status extends string> extends HealthMarks {
  status: Status;
  service: Service;
  version: string;
  problems: string[];
}

/**
 * Returns the schemas of the health endpoint's responses.
 * @param kind of the service, whose schema alone has `test`
 * @param problems describes the problems
 */
export function healthSchemas<const Service extends string>(service: Service, kind: Kind, problems: string) {
  const schema = <const Status extends string>(name: string, status: Status, description: string) => {
    const members = {
      status: Type.Literal(status),
      service: Type.Literal(service),
      version: Type.String(),
      ...markSchema(kind),
      problems: Type.Array(Type.String(), { description: problems }),
    };
    return named(name, Type.Unsafe<HealthResponse<Service, Status>>(strictObject(members, { description })));
  };
  return {
    200: schema('Health', 'ok', 'The service works.'),
    503: schema(
      'DegradedHealth',
      'degraded',
      'The service does not work fully. Read the causes in `problems`.',
    ),
  };
}

function markSchema(kind: Kind) {
  if (kind === 'test') {
    const description = 'The service was started with `--test`: what it signs proves nothing.';
    return { test: Type.Optional(Type.Literal(true, { description })) };
  }
  const description =
    'The data is made up and the keys are public. Absent from a service that is not a demonstration.';
  return { demo: Type.Optional(Type.Literal(true, { description })) };
}

/** Returns the members of the health endpoint's response that say what the service is. */
export function healthMarks(kind: Kind): HealthMarks {
  return { ...(kind === 'demo' && { demo: true }), ...(kind === 'test' && { test: true }) };
}
