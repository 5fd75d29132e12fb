import { isOwnName } from '../../proof/agent/challenge-check.ts';
import type { SigningAgent } from './agent.ts';
import { CountersignError } from './errors.ts';

/** How a client reaches its service. */
export interface ClientOptions {
  /** The URL of the service: https, or http of this machine. */
  url: string;
  /** The API key, service token or admin token. It is sent to this service only. */
  apiKey?: string;
  /**
   * The `audience` of the service, as `GET /api/v1/public-key` shows it, which agents sign. Without it, the
   * client asks the service, and refuses an audience that does not name the host of the URL.
   */
  audience?: string;
  /**
   * Returns the time with which agents sign, in RFC 3339: the `now` of a test service with another clock.
   * Default: the clock of this machine. A real service must not choose the time that an agent signs.
   */
  now?: () => string | Promise<string>;
  /** The time for an attempt of a request, in milliseconds. Default 30,000. */
  timeoutMs?: number;
  /** How often a request is repeated at most, where that is safe. Default 2. */
  maxRetries?: number;
  /** The size of the largest response that is read, in bytes. Default 64 MiB. */
  maxResponseBytes?: number;
  /** Whether an http URL of another machine is accepted: everybody on the way can read the key. */
  insecureHttp?: boolean;
  /** In place of the runtime's `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** What a call may change. */
export interface CallOptions {
  /** Ends the call, and the waiting for a repetition. */
  signal?: AbortSignal;
  /** In place of the client's. */
  timeoutMs?: number;
  /** In place of the client's. */
  maxRetries?: number;
}

/** What a call may change that takes an Idempotency-Key. */
export interface IdempotentOptions extends CallOptions {
  /** By default a new one for each call, the same for all attempts. */
  idempotencyKey?: string;
}

/** What a call may change that an agent can authorize. */
export interface AgentOptions extends IdempotentOptions {
  /** Signs the request: adds `agent_auth` to its body. */
  agent?: SigningAgent;
}

/** A body in which `agent_auth` may be absent, because the option `agent` adds it. */
export type Unsigned<Body> = Body extends { agent_auth?: infer Auth }
  ? Omit<Body, 'agent_auth'> & { agent_auth?: Auth }
  : Body;

/**
 * Returns the URL of a service without a slash at its end.
 * @throws CountersignError for one to which a key must not be sent
 */
export function serviceUrl(text: string, isInsecureAllowed: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CountersignError(`The URL of the service must be an http or https URL, not ${text}.`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new CountersignError('The URL of the service must have no user, query and fragment.');
  if (/\/api\/v1\/*$/.test(url.pathname))
    throw new CountersignError(`Leave /api/v1 out of the URL of the service: ${text}.`);
  if (url.protocol === 'http:' && !isOwnName(url.hostname) && !isInsecureAllowed)
    throw new CountersignError(
      `The URL of the service must be https, because keys are sent to ${url.host}. ` +
        'Set insecureHttp if nobody else is on the way.',
    );
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}
