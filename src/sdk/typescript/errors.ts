/** An error of this library. */
export class CountersignError extends Error {
  // Bundlers rename classes.
  static override readonly name: string = 'CountersignError';
  override readonly name: string = 'CountersignError';
}

/** A service has responded with an error. */
export class ApiError extends CountersignError {
  static override readonly name: string = 'ApiError';
  override readonly name = 'ApiError';

  constructor(
    message: string,
    /** The status of the response, such as 404. */
    readonly status: number,
    /** What went wrong, for programs: `receipt_not_found`. Empty if the response does not say it. */
    readonly code: string,
    /** Identifies the request in the logs of the service; null if the response does not have it. */
    readonly requestId: string | null,
    /** The problems of each field, by its dotted path: of an invalid request only. */
    readonly details: Readonly<Record<string, readonly string[]>>,
    /** The whole body of the response, such as the `receipt` of `receipt_already_finalized`. */
    readonly body: unknown,
    /** The seconds of Retry-After; null without it. */
    readonly retryAfter: number | null,
  ) {
    super(message);
  }

  /** Returns whether an error is a response of a service, with one of some codes if there are any. */
  static is(error: unknown, ...codes: readonly string[]): error is ApiError {
    return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
  }
}

/** Why there is no usable response. */
export type ConnectionProblem =
  /** The service cannot be reached, or the connection ended early. */
  | 'unreachable'
  | 'timeout'
  /** The response leads to another address, where the key must not be sent. */
  | 'redirect'
  /** The response is larger than `maxResponseBytes`. */
  | 'too_large'
  /** The response is not what the operation returns, such as the page of a proxy. */
  | 'malformed';

/** There is no usable response. Whether the service has performed the operation is not known. */
export class ConnectionError extends CountersignError {
  static override readonly name: string = 'ConnectionError';
  override readonly name = 'ConnectionError';

  constructor(
    readonly problem: ConnectionProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The longest text of a service in a message. */
const MESSAGE_CHARACTERS = 2000;

/** Returns text of a service without control characters, so that it can be printed in a terminal. */
export function printable(text: string): string {
  return text.slice(0, MESSAGE_CHARACTERS).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
}
