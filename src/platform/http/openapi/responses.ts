import type { TSchema } from '@sinclair/typebox';
import type { ErrorTable } from '../errors/errors.ts';
import type { ServiceErrors } from '../errors/service-errors.ts';

/** Error codes, single or in lists that several operations share. */
type Codes<Code> = readonly (Code | readonly Code[])[];

/**
 * Returns the responses of an operation's handler, `given` by status. Records a problem response for each status of the codes, for the
 * documentation (`documentedResponses`). A problem with several codes lists them in the given order; a code may occur twice.
 */
type Respond<Errors> = <const Given extends Readonly<Record<number, TSchema>>>(
  given: Given,
  ...codes: Codes<keyof Errors>
) => Given;

/**
 * Returns the function with which the routes of a service declare their responses. @param problemOf returns the schema of a problem with
 * some codes of one status
 */
export function respondsWith<Errors extends ErrorTable>(
  errors: ServiceErrors<Errors>,
  problemOf: (codes: readonly (keyof Errors & string)[]) => TSchema,
): Respond<Errors>;
export function respondsWith(
  errors: ServiceErrors<ErrorTable>,
  problemOf: (codes: readonly string[]) => TSchema,
) {
  // Operations with the same codes share a schema.
  const made = new Map<string, TSchema>();
  const problem = (codes: readonly string[]): TSchema => {
    const name = codes.join();
    const schema = made.get(name) ?? problemOf(codes);
    made.set(name, schema);
    return schema;
  };
  return (given: Readonly<Record<number, TSchema>>, ...listed: Codes<string>): object => {
    const own = { ...given };
    documented.set(own, () => {
      const byStatus = Object.entries(
        Object.groupBy(new Set(listed.flat()), (code) => errors.statusOf(code)),
      );
      const problems = byStatus.map(([status, codes = []]) => [status, problem(codes)] as const);
      return { ...Object.fromEntries(problems), ...given };
    });
    return own;
  };
}

/** The problem responses that only the documentation shows. */
const documented = new WeakMap<object, () => Readonly<Record<string, TSchema>>>();

/**
 * Returns the responses of an operation with its problems. A route declares only the responses of its handler, which are validated. The
 * application (`createApp`) creates problems from the table of errors, and a server does not need their schemas.
 */
export function documentedResponses(responses: object): Readonly<Record<string, TSchema>> {
  return documented.get(responses)?.() ?? Object.fromEntries(Object.entries(responses));
}
