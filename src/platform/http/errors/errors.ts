/** Errors by code: what a client is answered. */
export type ErrorTable = Readonly<Record<string, ErrorEntry>>;

interface ErrorEntry {
  readonly status: number;
  /** What happened. */
  readonly message: string;
  /** What the caller can do. */
  readonly remedy: string;
}

/** An error as the documentation shows it. */
export type DocumentedError = Pick<ErrorEntry, 'message' | 'remedy'> & { readonly code: string };

/** Returns what a client reads about an error that has no more specific message: what happened, and what to do. */
export function textOf({ message, remedy }: Pick<ErrorEntry, 'message' | 'remedy'>): string {
  return `${message} ${remedy}`;
}

/** Returns the documentation of an error: its code, its message, and what the caller can do. */
export function explanationOf(error: DocumentedError): string {
  return `${error.code}: ${textOf(error)}`;
}

/** What the platform itself can refuse. Each service's dialect says how it puts each into words. */
export type Cause =
  | 'invalid_json'
  | 'invalid'
  | 'unauthorized'
  | 'not_found'
  | 'method'
  | 'media_type'
  | 'too_large'
  | 'rate'
  | 'idempotency'
  | 'overloaded'
  | 'storage'
  | 'internal';

/** Complaints by the dotted path of the field that they concern. */
export type Issues = Record<string, string[]>;

export interface Details {
  /** For the client, instead of the text of the table of errors. */
  message?: string;
  issues?: Issues;
  /** Further members of the answer's body. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
}

/** A refusal by the platform. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    override readonly cause: Cause,
    readonly details: Details = {},
  ) {
    super(details.message ?? cause);
  }
}

/** A refusal by a service, by a code of its own error table. Thrown once; written by the global handler alone. */
export class ApiError<Code extends string = string> extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly code: Code,
    readonly details: Details = {},
  ) {
    super(details.message ?? code);
  }
}

/** How one service speaks: its error table, its words for the platform's causes, and the shape of an error's body. */
export interface Dialect {
  /** Whether a client's own X-Request-Id is taken, so that logs of both sides meet. */
  takesRequestIds: boolean;
  errors: ErrorTable;
  causes: Readonly<Record<Cause, string>>;
  errorBody(problem: { code: string; message: string; requestId: string } & Details): object;
}
