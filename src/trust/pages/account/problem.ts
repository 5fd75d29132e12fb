import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { ApiError, type Issues, Refusal, textOf } from '../../../platform/http/errors/errors.ts';
import { issuesOf } from '../../../platform/http/errors/issues.ts';
import { trustDialect } from '../../http/dialect.ts';
import { commonErrors } from '../../http/errors.ts';

/** Why a form was refused, with the error that the API would return. */
export interface Problem {
  code: string;
  status: number;
  message: string;
  /** The problems of fields, by their names. */
  issues: Issues;
  headers: Readonly<Record<string, string>>;
}

/** Returns the problem of an error of the API; null for other errors, which are failures of the service. */
export function problemOf(error: unknown): Problem | null {
  if (!(error instanceof ApiError || error instanceof Refusal)) return null;
  const definition = error instanceof ApiError ? error.definition : trustDialect.causes[error.cause];
  const { code, status } = definition;
  if (status >= 500) {
    // The page of the form shows a processor that is not configured or not reachable. For other failures, the
    // platform has a page.
    if (code !== 'not_configured' && code !== 'processor_unavailable') return null;
  }
  const { message = textOf(definition), issues = {}, headers = {} } = error.details;
  return { code, status, message, issues, headers };
}

/**
 * Checks values of a form by the schema of the API's request.
 * @throws ApiError validation_error with the names of the fields
 */
export function requireValid<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (Value.Check(schema, value)) return value;
  throw commonErrors.validation_error({ issues: issuesOf(Value.Errors(schema, value)) });
}
