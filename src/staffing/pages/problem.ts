import { ApiError, type Issues, Refusal, textOf } from '../../platform/http/errors/errors.ts';
import { staffingDialect } from '../http/dialect.ts';

/** Why a page cannot show or do what was asked for. */
export interface Problem {
  /** The code of the API's error. */
  code: string;
  status: number;
  message: string;
  /** The problems of fields, by their names. */
  issues: Issues;
  /** Values that the first field with a problem could have. */
  suggestions: readonly string[];
  headers: Readonly<Record<string, string>>;
}

/** For people the remedies of some errors differ from those for programs. */
const MESSAGES: Readonly<Record<string, string>> = {
  VALIDATION_FAILED: 'Correct the marked fields.',
  INVALID_CURSOR:
    'This link to a page of results is not valid, or its search was changed. Go on from the first page.',
  UNKNOWN_SPECIALTY: 'No specialty has this code or name.',
  INVALID_KEY:
    'This service does not know the API key. Copy the whole key: mpk_test_ or mpk_live_ and 40 characters.',
  KEY_REVOKED: 'This API key was revoked. Use another key of your firm.',
  RATE_LIMITED: 'There were too many requests.',
  REGISTRY_UNAVAILABLE: 'The registry is not available now. Load the page again in a moment.',
};

/** Returns the problem that an error of the API is; null for a failure of the server. */
export function problemOf(error: unknown): Problem | null {
  if (!(error instanceof ApiError || error instanceof Refusal)) return null;
  const definition = error instanceof ApiError ? error.definition : staffingDialect.causes[error.cause];
  const { code, status } = definition;
  if (status === 500) return null;
  const { message, issues = {}, headers = {}, members = {} } = error.details;
  const { suggestions } = members;
  const text = textOf(definition);
  return {
    code,
    status,
    // A message of its own says more than the table of errors.
    message: message !== undefined && message !== text ? message : (MESSAGES[code] ?? text),
    issues,
    suggestions: Array.isArray(suggestions) ? suggestions.map(String) : [],
    headers,
  };
}

/** Returns the problem with how long to wait; `waitSeconds` from `Retry-After`. */
export function sentenceOf({ code, message }: Problem, retryAfter: string | number | undefined): string {
  if (code !== 'RATE_LIMITED' || retryAfter === undefined) return message;
  const seconds = Number(retryAfter);
  const wait =
    seconds === 1 ? '1 second' : seconds > 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  return `${message} Wait ${wait}, then load the page again.`;
}
