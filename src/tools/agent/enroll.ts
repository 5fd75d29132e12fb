import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { KeyPair } from '../../platform/crypto/key-files.ts';
import { Failure } from '../../platform/failure.ts';
import { fetchAll } from '../../platform/network/fetch.ts';
import {
  type ChallengeProblem,
  challengeProblem,
  type ExpectedChallenge,
} from '../../proof/agent/challenge-check.ts';
import { subjectCommitment } from '../../proof/agent/commitment.ts';
import { isWorkDone, provisionDigest } from '../../proof/agent/proof-of-work.ts';
import { isJsonObject, JsonError, type JsonObject, parseJson } from '../../proof/encoding/json.ts';
import { type Identity, signedText } from './sign.ts';

const FETCHING = {
  maxBytes: 2 ** 20,
  timeoutMs: 15_000,
  failed: 'cannot be reached',
  hint: 'check that the service runs and that this machine can reach it',
};
/** The highest accepted difficulty: 16^8 hashes take more than an hour. */
const MOST_WORK = 8;
/** The number of hashes between two progress reports. */
const STRIDE = 20_000;

/**
 * Enrolls the agent with this key.
 * @param apiKey of its sponsor; null for none.
 * @param now the time in milliseconds since 1970, if it is not that of this machine
 * @returns the passport.
 * @throws Failure
 */
export async function enrollAt(
  service: string,
  key: KeyPair,
  { context, name }: Identity,
  apiKey: string | null,
  now?: number,
): Promise<JsonObject> {
  const start = await post(
    service,
    'enroll/start',
    { public_key: key.publicKey, ...defined({ context, name }) },
    apiKey,
  );
  const subject_commitment = subjectCommitment(nativePrimitives, key.publicKey, context);
  const challenge_nonce = nonceIn(start, {
    service,
    purpose: 'enroll',
    subjectCommitment: subject_commitment,
    now,
  });
  const signature = signedText(key, challenge_nonce);
  return post(service, 'enroll/complete', { subject_commitment, signature, challenge_nonce }, apiKey);
}

/**
 * Enrolls the agent with this key without a sponsor, by the proof of work that the service requires.
 * @param working is called with the number of hashes so far and the average number that is needed
 * @returns the holder key and the passport. @throws Failure
 */
export async function provisionAt(
  service: string,
  key: KeyPair,
  { context, name }: Identity,
  working: (hashes: number, expected: number) => void,
  now?: number,
): Promise<JsonObject> {
  await mustBeUnknown(service, subjectCommitment(nativePrimitives, key.publicKey, context));
  const work = await proveWorkAt(service, key, working, now);
  const message = provisionDigest(nativePrimitives, {
    challengeNonce: work.challenge_nonce,
    powNonce: work.pow_nonce,
    publicKey: key.publicKey,
  });
  return post(
    service,
    'autonomous/provision',
    {
      public_key: key.publicKey,
      ...work,
      signature: signedText(key, message),
      ...defined({ context, display_name: name }),
    },
    null,
  );
}

/**
 * Performs the proof of work that an operator of its own costs the agent with this key.
 * @param working as for `provisionAt`
 * @returns members of the body of a request. @throws Failure
 */
export async function proveWorkAt(
  service: string,
  key: KeyPair,
  working: (hashes: number, expected: number) => void,
  now?: number,
): Promise<{ challenge_nonce: string; pow_nonce: string }> {
  const challenge = await post(service, 'autonomous/challenge', { public_key: key.publicKey }, null);
  const challengeNonce = nonceIn(challenge, { service, purpose: 'autonomous', subjectCommitment: null, now });
  const difficulty = Number(challenge.pow_difficulty);
  if (!Number.isInteger(difficulty) || difficulty < 0 || difficulty > MOST_WORK) {
    throw new Failure(
      `${service} requires a proof of work with ${String(challenge.pow_difficulty)} zeros; at most ${MOST_WORK} are accepted`,
      'ask the administrator of the service to lower agents.pow_difficulty',
    );
  }
  return { challenge_nonce: challengeNonce, pow_nonce: await solved(challengeNonce, difficulty, working) };
}

/**
 * Checks before the proof of work that the agent is not enrolled, because the service would refuse it.
 * @throws Failure if it is
 */
async function mustBeUnknown(service: string, commitment: string): Promise<void> {
  if (!(await fetchAll(addressOf(service, `${commitment}/passport`), FETCHING)).ok) return;
  throw new Failure(
    `the agent ${commitment} is already enrolled there`,
    'get its passport with countersign enroll; if it has no sponsor, countersign solve --only-work helps to make one',
  );
}

/** Finds a proof-of-work nonce. @returns a decimal number */
async function solved(
  challengeNonce: string,
  difficulty: number,
  working: (hashes: number, expected: number) => void,
): Promise<string> {
  const expected = 16 ** difficulty;
  for (let hashes = 0; ; hashes++) {
    const powNonce = String(hashes);
    if (isWorkDone(nativePrimitives, { challengeNonce, powNonce, difficulty })) return powNonce;
    if (hashes % STRIDE !== 0) continue;
    working(hashes, expected);
    // Lets the event loop handle signals, such as Ctrl-C.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** What to do about a challenge that is not safe to sign. */
const CHALLENGE_HINTS: Readonly<Record<ChallengeProblem['kind'], string>> = {
  malformed: 'check that the URL is of a trust service of this version',
  host: 'use the public URL of the service, which is its setting base_url',
  purpose: 'check that the URL is of a trust service',
  expired: 'check the clock of this machine; for a test service, pass its time with --now',
};

/**
 * Returns the nonce of a challenge after checking that it is safe to sign.
 * @param service the URL of the request
 * @throws Failure for an invalid or expired challenge, and for another purpose, host or agent
 */
function nonceIn(
  { challenge_nonce = null }: JsonObject,
  {
    service,
    now = Date.now(),
    ...expected
  }: { service: string; now: number | undefined } & Pick<ExpectedChallenge, 'purpose' | 'subjectCommitment'>,
): string {
  const problem = challengeProblem(challenge_nonce, { service: new URL(service), ...expected, now });
  if (problem !== null) throw new Failure(problem.text, CHALLENGE_HINTS[problem.kind]);
  return String(challenge_nonce);
}

/** Returns the members that have a value. */
function defined(members: Record<string, string | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function addressOf(service: string, path: string): string {
  return `${service.replace(/\/+$/, '')}/api/v1/passport/agents/${path}`;
}

async function post(
  service: string,
  path: string,
  body: JsonObject,
  apiKey: string | null,
): Promise<JsonObject> {
  const url = addressOf(service, path);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (apiKey !== null) headers.authorization = `Bearer ${apiKey}`;
  const { ok, status, bytes } = await fetchAll(url, FETCHING, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  const response = objectIn(bytes, url, status);
  if (ok) return response;
  const reason = typeof response.error === 'string' ? `: ${response.error}` : '';
  const issues = isJsonObject(response.issues) ? ` ${JSON.stringify(response.issues)}` : '';
  throw new Failure(
    `${url} returned status ${status}${reason}${issues}`,
    status >= 500
      ? 'run the command again later'
      : 'correct what the response names, and run the command again',
  );
}

function objectIn(bytes: Uint8Array, url: string, status: number): JsonObject {
  try {
    const value = parseJson(new TextDecoder().decode(bytes));
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw new Failure(
    `${url} returned status ${status} with no JSON object`,
    'check that the URL is of a trust service',
  );
}
