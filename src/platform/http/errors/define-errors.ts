import { ApiError, type Details, type ErrorDefinition, type ErrorTable } from './errors.ts';

/** An error of a table. Called, it creates the error to throw. */
export interface ErrorFactory<Code extends string = string> extends ErrorDefinition<Code> {
  (details?: Details): ApiError<Code>;
}

/** A table of errors to throw, by code. */
export type Errors<Table extends ErrorTable> = {
  readonly [Code in keyof Table & string]: ErrorFactory<Code>;
};

/**
 * Defines the errors of a capability: `throw receiptsErrors.receipt_not_found()`. The section of an operation
 * in `api.md` names those that it throws.
 * @param table the errors by code
 */
export function defineErrors<const Table extends ErrorTable>(table: Table): Errors<Table>;
export function defineErrors(table: ErrorTable): Readonly<Record<string, ErrorFactory>> {
  return Object.fromEntries(
    Object.entries(table).map(([code, entry]) => {
      const definition = { ...entry, code };
      return [code, Object.assign((details?: Details) => new ApiError(definition, details), definition)];
    }),
  );
}
