import type { TSchema } from '@sinclair/typebox';
import type { ErrorTable } from '../errors/errors.ts';
import type { ServiceErrors } from '../errors/service-errors.ts';

/** Codes, alone or in lists that several operations share. */
type Codes<Code> = readonly (Code | readonly Code[])[];

/**
 * Returns the responses that an operation's handler makes, `given` by their statuses. For the documentation it keeps a problem for each
 * status that one of the codes has in the table of errors (`documentedResponses`). Of several codes with one status the problem tells in the
 * order in which they are named; a code may be named twice.
 */
type Respond<Errors> = <const Given extends Readonly<Record<number, TSchema>>>(
  given: Given,
  ...codes: Codes<keyof Errors>
) => Given;

/** How the routes of a service say what they answer. `problemOf`: the schema of a problem with some codes, which have one status. */
export function respondsWith<Errors extends ErrorTable>(
  errors: ServiceErrors<Errors>,
  problemOf: (codes: readonly (keyof Errors & string)[]) => TSchema,
): Respond<Errors>;
export function respondsWith(
  errors: ServiceErrors<ErrorTable>,
  problemOf: (codes: readonly string[]) => TSchema,
) {
  // Operations that can be refused for the same have the same schema.
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

/** What the documentation shows beside the responses that handlers make. */
const documented = new WeakMap<object, () => Readonly<Record<string, TSchema>>>();

/**
 * Returns the responses of an operation with its problems. A route itself has only those that its handler makes, which are validated:
 * problems are answered by the application (`createApp`), from the table of errors, and a server needs their schemas for nothing.
 */
export function documentedResponses(responses: object): Readonly<Record<string, TSchema>> {
  return documented.get(responses)?.() ?? Object.fromEntries(Object.entries(responses));
}

/** Returns the documentation of responses that are not validated: those of a handler that makes them of what it knows to be right. */
export function unvalidated(responses: object): Record<string, never> {
  const none = {};
  documented.set(none, () => documentedResponses(responses));
  return none;
}
