import { sha256 } from '@noble/hashes/sha2.js';
import { challengeProblem, type ExpectedChallenge } from '../../proof/agent/challenge-check.ts';
import { isWorkDone, provisionDigest } from '../../proof/agent/proof-of-work.ts';
import type { SigningAgent } from './agent.ts';
import { CountersignError } from './errors.ts';
import type { CallOptions } from './options.ts';
import { primitives } from './primitives.ts';

/** The operations of a client that an enrollment needs. */
interface Enrolling<Passport> {
  readonly url: URL;
  /** Returns the time with which agents sign, in milliseconds since 1970. */
  now(): Promise<number>;
  readonly agents: {
    startEnrollment(
      body: { public_key: string; context?: string; name?: string },
      options?: CallOptions,
    ): Promise<{ challenge_nonce: string }>;
    completeEnrollment(
      body: { subject_commitment: string; signature: string; challenge_nonce: string },
      options?: CallOptions,
    ): Promise<Passport>;
  };
}

/** The operations of a client that a proof of work needs. */
interface Proving {
  readonly url: URL;
  /** Returns the time with which agents sign, in milliseconds since 1970. */
  now(): Promise<number>;
  readonly agents: {
    autonomousChallenge(
      body: { public_key: string },
      options?: CallOptions,
    ): Promise<{ challenge_nonce: string; pow_difficulty: number }>;
  };
}

/** The operations of a client that an enrollment by proof of work needs. */
interface Provisioning<Provisioned> extends Proving {
  readonly agents: Proving['agents'] & {
    provision(
      body: {
        public_key: string;
        challenge_nonce: string;
        pow_nonce: string;
        signature: string;
        context?: string;
        display_name?: string;
      },
      options?: CallOptions,
    ): Promise<Provisioned>;
  };
}

interface WorkOptions extends CallOptions {
  /** Is called with the number of hashes so far and the average number that is needed. */
  onProgress?: (hashes: number, expected: number) => void;
}

interface ProvisionOptions extends WorkOptions {
  /** The name of the agent, which is public. */
  name?: string;
}

/** A proof of work, as members of the body of a request. */
interface Work {
  challenge_nonce: string;
  pow_nonce: string;
}

const utf8 = new TextEncoder();

/** The highest accepted difficulty: 16^8 hashes take more than an hour. */
const MOST_WORK = 8;
/** The number of hashes after which others have their turn. */
const STRIDE = 2_000;

/**
 * Enrolls an agent: signs the challenge of the service. Its sponsor is the operator of the client's key, if
 * it has one. Returns the passport.
 * @throws CountersignError for a challenge that is not safe to sign; the errors of calls
 */
export async function enroll<Passport>(
  client: Enrolling<Passport>,
  agent: SigningAgent,
  { name, ...options }: CallOptions & { /** Public. */ name?: string } = {},
): Promise<Passport> {
  const start = await client.agents.startEnrollment(
    {
      public_key: agent.key.publicKey,
      ...(agent.context !== undefined && { context: agent.context }),
      ...(name !== undefined && { name }),
    },
    options,
  );
  const subject_commitment = agent.commitment;
  const challenge_nonce = await safeNonce(start.challenge_nonce, client, {
    purpose: 'enroll',
    subjectCommitment: subject_commitment,
  });
  const signature = agent.key.sign(challenge_nonce);
  return client.agents.completeEnrollment({ subject_commitment, signature, challenge_nonce }, options);
}

/**
 * Enrolls an agent without a sponsor, by the proof of work that the service asks for. Returns its passport
 * and its holder key, which is shown only once.
 * @throws CountersignError for a challenge that is not safe to sign; the errors of calls; the reason of the
 * signal
 */
export async function provision<Provisioned>(
  client: Provisioning<Provisioned>,
  agent: SigningAgent,
  { name, onProgress, ...options }: ProvisionOptions = {},
): Promise<Provisioned> {
  const public_key = agent.key.publicKey;
  const work = await proveWork(client, agent, { ...options, ...(onProgress && { onProgress }) });
  const message = provisionDigest(primitives, {
    challengeNonce: work.challenge_nonce,
    powNonce: work.pow_nonce,
    publicKey: public_key,
  });
  return client.agents.provision(
    {
      public_key,
      ...work,
      signature: agent.key.sign(message),
      ...(agent.context !== undefined && { context: agent.context }),
      ...(name !== undefined && { display_name: name }),
    },
    options,
  );
}

/**
 * Performs the proof of work that an operator of its own costs an agent. Returns members of the body of
 * `agents.createHolderKey`, which an enrolled agent without a sponsor needs.
 * @throws CountersignError for a challenge that is not safe to use; the errors of calls; the reason of the
 * signal
 */
export async function proveWork(
  client: Proving,
  agent: SigningAgent,
  { onProgress, ...options }: WorkOptions = {},
): Promise<Work> {
  const challenge = await client.agents.autonomousChallenge({ public_key: agent.key.publicKey }, options);
  const challengeNonce = await safeNonce(challenge.challenge_nonce, client, {
    purpose: 'autonomous',
    subjectCommitment: null,
  });
  const difficulty = challenge.pow_difficulty;
  if (!Number.isInteger(difficulty) || difficulty < 0 || difficulty > MOST_WORK)
    throw new CountersignError(
      `The service requires a proof of work with ${difficulty} zeros; at most ${MOST_WORK} are accepted.`,
    );
  const pow_nonce = await solved(challengeNonce, difficulty, onProgress, options.signal);
  return { challenge_nonce: challengeNonce, pow_nonce };
}

/** Returns a nonce that is safe to sign. @throws CountersignError */
async function safeNonce(
  nonce: string,
  client: { url: URL; now(): Promise<number> },
  expected: Pick<ExpectedChallenge, 'purpose' | 'subjectCommitment'>,
): Promise<string> {
  const now = await client.now();
  const problem = challengeProblem(nonce, { service: client.url, ...expected, now });
  if (problem === null) return nonce;
  throw new CountersignError(`Nothing was signed: ${problem.text}.`);
}

/** Finds a proof-of-work nonce. Returns a decimal number. */
async function solved(
  challengeNonce: string,
  difficulty: number,
  onProgress: WorkOptions['onProgress'],
  signal: AbortSignal | undefined,
): Promise<string> {
  // All hashes begin with the same bytes, which are hashed once.
  const begun = sha256.create().update(utf8.encode(`${challengeNonce}:`));
  for (let hashes = 0; ; hashes++) {
    const powNonce = String(hashes);
    const [first] = begun.clone().update(utf8.encode(powNonce)).digest();
    const mayBeDone = difficulty < 2 || first === 0;
    if (mayBeDone && isWorkDone(primitives, { challengeNonce, powNonce, difficulty })) return powNonce;
    if (hashes % STRIDE !== 0) continue;
    onProgress?.(hashes, 16 ** difficulty);
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve));
  }
}
