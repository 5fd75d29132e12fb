/** Errors by code, as clients see them. */
export type ErrorTable = Readonly<Record<string, ErrorEntry>>;

interface ErrorEntry {
  /** The HTTP status. */
  readonly status: number;
  /** The event, as a sentence. */
  readonly message: string;
  /** The solution, as a sentence. */
  readonly remedy: string;
  /**
   * Further situations that have this code, each with a message of its own. Only the documentation contains
   * it.
   */
  readonly note?: string;
}

/** An error of a table, with its code. */
export interface ErrorDefinition<Code extends string = string> extends ErrorEntry {
  readonly code: Code;
}

/** Returns the text of an error without a more specific message: what happened, and what to do. */
export function textOf({ message, remedy }: Pick<ErrorEntry, 'message' | 'remedy'>): string {
  return `${message} ${remedy}`;
}

/** Returns the documentation of an error: its code, its message, what the caller can do, and its note. */
export function explanationOf(error: ErrorDefinition): string {
  const text = `${error.code}: ${textOf(error)}`;
  return error.note === undefined ? text : `${text} ${error.note}`;
}

/** The errors of the platform. Each service's dialect maps them to its codes. */
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

/** The problems of fields, by dotted path. */
export type Issues = Record<string, string[]>;

export interface Details {
  /** The message for the client, instead of the text in the table of errors. */
  message?: string;
  issues?: Issues;
  /** Additional members of the response body. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
  /**
   * True for an error that is no failure of the server: the client causes it by what it asks for, or the log
   * says its cause once elsewhere. A status of 500 or more is then logged as information.
   */
  isExpected?: true;
}

/** An error of the platform. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    override readonly cause: Cause,
    readonly details: Details = {},
  ) {
    super(details.message ?? cause);
  }
}

/** An error of a service, from the table of a capability. Only the global error handler writes it. */
export class ApiError<Code extends string = string> extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly definition: ErrorDefinition<Code>,
    readonly details: Details = {},
  ) {
    super(details.message ?? textOf(definition));
  }

  get code(): Code {
    return this.definition.code;
  }
}

/** The error format of a service: its errors for those of the platform, and the shape of an error body. */
export interface Dialect {
  /** True if the service uses a client's X-Request-Id, so that logs of both sides can be matched. */
  takesRequestIds: boolean;
  causes: Readonly<Record<Cause, ErrorDefinition>>;
  errorBody(problem: { code: string; message: string; requestId: string } & Details): object;
}
