import type { TSchema } from '@sinclair/typebox';
import { Failure } from '../../failure.ts';
import type { ErrorForm } from '../errors/error-form.ts';
import type { ErrorDefinition, ErrorTable } from '../errors/errors.ts';

/** The errors that operations name in their `api.md`. */
export interface OperationErrors {
  table: ErrorTable;
  /** Errors that many operations share, by the name of the set. */
  sets: Readonly<Record<string, readonly ErrorDefinition[]>>;
  /** Returns the schema of a problem with some errors of one status. */
  problemOf(errors: readonly ErrorDefinition[]): TSchema;
}

/**
 * Returns the problem responses of an operation by status, from the names of its errors. `form` is the form
 * of its errors, if it differs from that of the service. @throws Failure
 */
export type ProblemsOf = (
  operation: string,
  names: readonly string[],
  form?: Pick<ErrorForm, 'problemOf'> | null,
) => Readonly<Record<string, TSchema>>;

/**
 * Returns the function that returns the problem responses of operations. A route declares only the responses
 * of its handler, which are validated. The application (`createApp`) creates problems from the table of
 * errors, and only the documentation needs their schemas. A problem with several errors lists them in the
 * order of the names; an error may occur twice.
 */
export function problemResponses({ table, sets, problemOf }: OperationErrors): ProblemsOf {
  // Operations with the same errors share a schema.
  const made = new Map<string, TSchema>();
  const problem = (errors: readonly ErrorDefinition[]): TSchema => {
    const codes = errors.map(({ code }) => code).join();
    const schema = made.get(codes) ?? problemOf(errors);
    made.set(codes, schema);
    return schema;
  };
  const errorsOf = (name: string): readonly ErrorDefinition[] | null => {
    const set = /^\*(.+)\*$/.exec(name)?.[1];
    if (set !== undefined) return known(sets, set);
    const entry = known(table, name);
    return entry === null ? null : [{ ...entry, code: name }];
  };
  return (operation, names, form = null) => {
    const byCode = new Map<string, ErrorDefinition>();
    for (const name of names) {
      const errors = errorsOf(name);
      if (errors === null) {
        throw new Failure(
          `the errors of ${operation} name ${name}, which is no error and no set of errors`,
          'correct the line "Errors:" in the api.md of the capability',
        );
      }
      for (const error of errors) if (!byCode.has(error.code)) byCode.set(error.code, error);
    }
    const byStatus = Object.groupBy(byCode.values(), ({ status }) => status);
    return Object.fromEntries(
      Object.entries(byStatus).map(([status, errors = []]) => [
        status,
        form === null ? problem(errors) : form.problemOf(errors),
      ]),
    );
  };
}

function known<Value>(values: Readonly<Record<string, Value>>, name: string): Value | null {
  return Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}
