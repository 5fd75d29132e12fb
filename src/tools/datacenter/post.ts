import { Failure } from '../../platform/failure.ts';
import { type FetchResult, fetchAll } from '../../platform/network/fetch.ts';
import { isJsonObject, JsonError, type JsonObject, parseJsonBytes } from '../../proof/encoding/json.ts';

const FETCHING = {
  maxBytes: 2 ** 20,
  timeoutMs: 15_000,
  failed: 'cannot be reached',
  hint: 'check that the service runs and that this machine can reach it',
};
/** A body is sent this often while the service limits the rate or is overloaded. */
const ATTEMPTS = 5;
/** The longest time to wait before the next attempt, in seconds. */
const MAX_WAIT_S = 60;

export const EVIDENCE_PATH = '/api/v1/datacenter/evidence';
export const OTLP_PATH = '/api/v1/datacenter/otlp/v1/metrics';

/** Where and with which API key bodies are posted. */
export interface Destination {
  /** The URL of the service. */
  service: string;
  apiKey: string;
  path: string;
}

/** What the service did with bodies. */
export type Posted =
  /** Evidence; the service had the duplicates before. */
  | { sent: number; stored: number; duplicates: number }
  /** OTLP. */
  | { sent: number; rejected_data_points: number };

/**
 * Posts the bodies one after the other. Waits when the service limits the rate or is overloaded, for as long
 * as it asks.
 * @param posted is called with the number of bodies so far
 * @param wait waits for milliseconds
 * @throws Failure for the first body that the service refuses
 */
export async function postAll(
  destination: Destination,
  bodies: readonly JsonObject[],
  posted: (sent: number) => void,
  wait: (ms: number) => Promise<unknown> = Bun.sleep,
): Promise<Posted> {
  let [sent, duplicates, rejected] = [0, 0, 0];
  for (const body of bodies) {
    const { duplicate, partialSuccess } = await post(destination, body, sent, wait);
    sent++;
    if (duplicate === true) duplicates++;
    if (isJsonObject(partialSuccess)) rejected += Number(partialSuccess.rejectedDataPoints ?? 0);
    posted(sent);
  }
  return destination.path === EVIDENCE_PATH
    ? { sent, stored: sent - duplicates, duplicates }
    : { sent, rejected_data_points: rejected };
}

async function post(
  { service, apiKey, path }: Destination,
  body: JsonObject,
  before: number,
  wait: (ms: number) => Promise<unknown>,
): Promise<JsonObject> {
  const url = `${service.replace(/\/+$/, '')}${path}`;
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
  };
  for (let attempt = 1; ; attempt++) {
    const response = await fetchAll(url, FETCHING, request);
    const content = objectIn(response, url);
    if (response.ok) return content;
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || attempt === ATTEMPTS) throw refusedBy(url, response.status, content, before);
    await wait(waitOf(response) * 1000);
  }
}

/**
 * Returns the seconds to wait before the next attempt, from the Retry-After header with seconds (RFC 9110
 * section 10.2.3); 1 without it.
 */
function waitOf({ headers }: FetchResult): number {
  const seconds = Number(headers.get('retry-after') ?? 1);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), MAX_WAIT_S) : 1;
}

function refusedBy(url: string, status: number, content: JsonObject, before: number): Failure {
  // The errors of OTLP are a google.rpc.Status.
  const message = content.error ?? content.message;
  const reason = typeof message === 'string' ? `: ${message}` : '';
  const issues = isJsonObject(content.issues) ? ` ${JSON.stringify(content.issues)}` : '';
  return new Failure(
    `${url} returned status ${status}${reason}${issues}`,
    `${before} bodies were stored before; the same command continues where this one ended, since stored bodies are not stored twice`,
  );
}

/** @throws Failure */
function objectIn({ bytes, status }: FetchResult, url: string): JsonObject {
  try {
    const value = parseJsonBytes(bytes);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw new Failure(
    `${url} returned status ${status} with no JSON object`,
    'check that the URL is of a trust service',
  );
}
