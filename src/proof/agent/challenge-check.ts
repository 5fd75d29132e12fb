import { parseTimestamp } from '../encoding/timestamp.ts';
import { type ChallengePurpose, readChallengeNonce } from './challenge.ts';

/** The content of a challenge that an agent asked for. */
export interface ExpectedChallenge {
  /** The URL of the service that was asked. */
  service: URL;
  purpose: ChallengePurpose;
  /** 64 hexadecimal characters; null if the service does not know it yet. */
  subjectCommitment: string | null;
  /** Unix time in milliseconds. */
  now: number;
}

/** Why a challenge is not safe to sign. */
export interface ChallengeProblem {
  kind: 'malformed' | 'host' | 'purpose' | 'expired';
  /** A sentence without a capital letter and a full stop. */
  text: string;
}

/**
 * Returns why a challenge is not safe to sign; null if it is. A malicious service could forward the challenge
 * of another service, to enroll the agent there.
 */
export function challengeProblem(nonce: unknown, expected: ExpectedChallenge): ChallengeProblem | null {
  const challenge = typeof nonce === 'string' ? readChallengeNonce(nonce) : null;
  if (challenge === null)
    return { kind: 'malformed', text: 'the challenge of the service is not safe to sign' };
  const { purpose, host, subjectCommitment, expiresAt } = challenge;
  if (!isSameHost(host, expected.service))
    return { kind: 'host', text: `the challenge is for ${host}, but ${expected.service.host} was asked` };
  if (purpose !== expected.purpose || subjectCommitment !== expected.subjectCommitment)
    return {
      kind: 'purpose',
      text: `the challenge is for the purpose ${purpose} and the agent ${subjectCommitment ?? 'of any commitment'}, but another one was requested`,
    };
  const expires = parseTimestamp(expiresAt);
  if (expires === null || expires <= expected.now)
    return { kind: 'expired', text: `the challenge expired at ${expiresAt}` };
  return null;
}

/**
 * The names of this machine, including the wildcard addresses of a service that listens on all interfaces.
 */
const OWN_NAME = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|\[::\])$/;

/** Returns whether a name in a URL is one of this machine. */
export const isOwnName = (name: string): boolean => OWN_NAME.test(name);

/** Returns whether a host is the host of a URL. On one port, all names of this machine are equal. */
export function isSameHost(host: string, url: URL): boolean {
  if (host === url.host) return true;
  const text = `${url.protocol}//${host}`;
  const hostUrl = URL.canParse(text) ? new URL(text) : null;
  if (hostUrl === null || hostUrl.host !== host) return false;
  return hostUrl.port === url.port && isOwnName(hostUrl.hostname) && isOwnName(url.hostname);
}
