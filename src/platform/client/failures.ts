import { exitCodeOf, Failure, hintOf } from '../failure.ts';
import { reasonOf } from '../network/fetch.ts';

/** What to do about a response that is not one of a service. */
export const CHECK_THE_URL = 'check the URL, and what is between this machine and the service';

/** What a service says about a refused request. */
interface Refused {
  /** The code of the error; null if the response has none. */
  code: string | null;
  message: string | null;
  /** Invalid fields, each with what is wrong with it. */
  issues: readonly string[];
  /** The value of the header. */
  retryAfter: string | null;
}

/** A request that a service refused, with the HTTP status. */
export class RefusedRequest extends Failure {
  constructor(
    readonly status: number,
    message: string,
    hint: string | null,
    /** The code of the error; null if the response has none. */
    readonly code: string | null = null,
    /** The time after which the service wants the next request, in milliseconds; null if it does not say. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message, hint, exitCodeOf(status));
  }
}

/** Returns the milliseconds of a Retry-After header in seconds; null for none and for a date. */
export function retryAfterMs(header: string | null): number | null {
  const seconds = Number(header ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}

/** Returns the failure of a request that a service refused. @param place the URL of the service */
export function failureOfStatus(status: number, place: string, refused: Refused): RefusedRequest {
  const { code, message, issues, retryAfter } = refused;
  const exitCode = exitCodeOf(status);
  if (code === null && message === null)
    return new RefusedRequest(
      status,
      `${place} responded with status ${status}, and not as a Countersign service does`,
      CHECK_THE_URL,
    );
  const reason = issues.length > 0 ? issues.join('; ') : message;
  const hint =
    status === 401
      ? code === 'invalid_proof'
        ? null
        : 'use another key: countersign login, --context, or --url with --api-key-file'
      : retryAfter === null
        ? hintOf(exitCode)
        : `try again in ${retryAfter} ${retryAfter === '1' ? 'second' : 'seconds'}`;
  const text = [code, reason].filter((part) => part !== null).join(': ');
  return new RefusedRequest(status, oneLine(text), hint, code, retryAfterMs(retryAfter));
}

/** Returns a text of a service without ends of lines: another line would look like one of the program. */
const oneLine = (text: string): string => text.replaceAll('\r', '\\r').replaceAll('\n', '\\n');

/** A request without a response. */
export class NoResponse extends Failure {
  /** @param mayBeDone false if there was no connection, so that the service has not got the request */
  constructor(
    message: string,
    hint: string,
    readonly mayBeDone: boolean,
    /** True if the response did not arrive in time. */
    readonly isLate: boolean,
  ) {
    super(message, hint, 7);
  }
}

/** The codes of fetch for a connection that was never made. */
const NOT_CONNECTED = ['ConnectionRefused', 'FailedToOpenSocket', 'ECONNREFUSED', 'ENOTFOUND'];

/** Returns the failure of a request that has no response. */
export function failureWithoutConnection(place: string, error: unknown): NoResponse {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isConnected = !NOT_CONNECTED.includes(code);
  const what = isLate ? 'does not respond' : isConnected ? 'closed the connection' : 'cannot be reached';
  return new NoResponse(
    `${place} ${what}: ${reasonOf(error)}`,
    'check the URL, that the service runs, and that this machine can reach it',
    isConnected,
    isLate,
  );
}

/** Returns the failure of a change whose response was lost. */
export const unknownOutcome = ({ message }: Failure): Failure =>
  new Failure(
    `${message}; it is not known whether the change was made`,
    'look before you run the command again: it sends another request, which can make the change twice',
    7,
  );
