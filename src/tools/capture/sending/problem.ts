import { RefusedRequest } from '../../../platform/client/failures.ts';
import { asFailure, type ExitCode } from '../../../platform/failure.ts';
import type { Step } from '../spool/lines.ts';

/** The longest reason that is stored, in characters. */
const LONGEST = 300;

/** Why a step was not done. */
export interface Problem {
  /** `call`: the service refuses this one. `service`: nothing can be sent for now. */
  of: 'call' | 'service';
  reason: string;
  exitCode: ExitCode;
  /** The time after which the service wants the next request, in milliseconds; null if it does not say. */
  retryAfterMs: number | null;
}

/**
 * The statuses that are about one receipt: its body, or its state. All others are about the service or the
 * key.
 */
const OF_CALL: Readonly<Record<Step, readonly number[]>> = {
  issue: [400, 409, 422],
  finalize: [400, 404, 409, 422],
  evidence: [400, 404, 409, 413, 422],
};

/** Returns the problem of a step whose request failed. */
export function problemOf(step: Step, error: unknown): Problem {
  const { message, exitCode } = asFailure(error);
  const reason = message.slice(0, LONGEST);
  if (!(error instanceof RefusedRequest)) return { of: 'service', reason, exitCode, retryAfterMs: null };
  const { status, code, retryAfterMs } = error;
  // Without a code it is no response of the service, but of something before it.
  const isOfCall = code !== null && OF_CALL[step].includes(status);
  return { of: isOfCall ? 'call' : 'service', reason, exitCode, retryAfterMs };
}
