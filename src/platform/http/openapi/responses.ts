import type { TSchema } from '@sinclair/typebox';
import type { ErrorDefinition } from '../errors/errors.ts';

/** Errors, single or in lists that several operations share. */
type Listed = readonly (ErrorDefinition | readonly ErrorDefinition[])[];

/**
 * Returns the responses of an operation's handler, `given` by status. Records a problem response for each
 * status of the errors, for the documentation (`documentedResponses`). A problem with several errors lists
 * them in the given order; an error may occur twice.
 */
type Respond = <const Given extends Readonly<Record<number, TSchema>>>(
  given: Given,
  ...errors: Listed
) => Given;

/**
 * Returns the function with which the routes of a service declare their responses. @param problemOf returns
 * the schema of a problem with some errors of one status
 */
export function respondsWith(problemOf: (errors: readonly ErrorDefinition[]) => TSchema): Respond {
  // Operations with the same errors share a schema.
  const made = new Map<string, TSchema>();
  const problem = (errors: readonly ErrorDefinition[]): TSchema => {
    const name = errors.map(({ code }) => code).join();
    const schema = made.get(name) ?? problemOf(errors);
    made.set(name, schema);
    return schema;
  };
  return (successes, ...listed) => {
    const responses = { ...successes };
    documented.set(responses, () => {
      const byStatus = Object.entries(Object.groupBy(new Set(listed.flat()), ({ status }) => status));
      const problems = byStatus.map(([status, errors = []]) => [status, problem(errors)] as const);
      return { ...Object.fromEntries(problems), ...successes };
    });
    return responses;
  };
}

/** The problem responses that only the documentation shows. */
const documented = new WeakMap<object, () => Readonly<Record<string, TSchema>>>();

/**
 * Returns the responses of an operation with its problems. A route declares only the responses of its
 * handler, which are validated. The application (`createApp`) creates problems from the table of errors, and
 * a server does not need their schemas.
 */
export function documentedResponses(responses: object): Readonly<Record<string, TSchema>> {
  return documented.get(responses)?.() ?? Object.fromEntries(Object.entries(responses));
}
