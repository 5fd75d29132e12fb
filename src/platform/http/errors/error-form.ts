import type { TSchema } from '@sinclair/typebox';
import type { Details, ErrorDefinition } from './errors.ts';

/** An error that is to be written. */
export interface ErrorInForm {
  definition: ErrorDefinition;
  details: Details;
}

/** The form of the errors of a route whose protocol prescribes one. */
export interface ErrorForm {
  /** Returns the body of an error and its media type. */
  write(error: ErrorInForm, request: Request): { body: string | Uint8Array<ArrayBuffer>; mediaType: string };
  /** Returns the schema of a response with one of some errors of one status, for the documentation. */
  problemOf(errors: readonly ErrorDefinition[]): TSchema;
}

const MEMBER = 'x-error-form';

/** Returns the part of a route's `detail` that gives its errors a form. */
export function errorsInForm(form: ErrorForm) {
  return { [MEMBER]: form };
}

/** Returns what `errorsInForm` put into a route's detail; null for other routes. */
export function errorFormOf(detail: object | undefined): ErrorForm | null {
  const { [MEMBER]: form = null }: { [MEMBER]?: ErrorForm | null } = detail ?? {};
  return form;
}
