import { describe, expect, test } from 'bun:test';
import { generateKeyPairSync, verify as nativeVerify } from 'node:crypto';
import { challengeNonce } from '../../../src/proof/agent/challenge.ts';
import { SigningAgent } from '../../../src/sdk/typescript/agent.ts';
import { AgentKey } from '../../../src/sdk/typescript/agent-key.ts';
import { enroll, provision } from '../../../src/sdk/typescript/enroll.ts';
import { verifyWebhook } from '../../../src/sdk/typescript/webhooks.ts';
import { vectorJson } from '../../support/vectors.ts';

describe('the key of an agent', () => {
  const pair = generateKeyPairSync('ed25519');
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  test('is read from a PEM file and written to the same, and signs as Ed25519 does', () => {
    const key = AgentKey.fromPem(pem);
    expect(key.toPem()).toBe(pem);
    const { x = '' } = pair.publicKey.export({ format: 'jwk' });
    expect(key.publicKey).toBe(Buffer.from(x, 'base64url').toString('hex'));
    const signature = Buffer.from(key.sign('text'), 'hex');
    expect(nativeVerify(null, Buffer.from('text'), pair.publicKey, signature)).toBeTrue();
  });

  test('is not shown when it is printed', () => {
    const key = AgentKey.fromPem(pem);
    expect(Bun.inspect(key) + JSON.stringify(key)).not.toContain(pem.split('\n')[1]?.slice(24) ?? '-');
  });

  test.each([
    [
      'of RSA',
      generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    ],
    ['that is public', pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
    [
      'that is encrypted',
      pair.privateKey
        .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'a' })
        .toString(),
    ],
    ['that is cut', `${pem.slice(0, 60)}\n-----END PRIVATE KEY-----\n`],
    ['that is no PEM', 'key'],
  ])('%s is refused', (_, text) => {
    expect(() => AgentKey.fromPem(text)).toThrow('not an unencrypted Ed25519 private key');
  });

  test('from a seed of another length is refused', () => {
    expect(() => AgentKey.fromSeed(new Uint8Array(31))).toThrow('32 bytes');
  });
});

describe('an agent signs no object', () => {
  const agent = new SigningAgent(AgentKey.generate());
  test.each([
    ['that is signed for another purpose', { type: 'agent-auth' }, 'mistaken for a signed agent-auth'],
    [
      'with the members of a presentation',
      { subject_commitment: '', photo_url: '', photo_content_sha256: '', photo_mime_type: '' },
      'presentation',
    ],
    ['with an integer that is not exact', { time: 2 ** 60 + 2 ** 40 }, 'cannot be sent'],
    ['that is a list', [1], 'Only an object'],
  ])('%s as evidence', (_, payload, message) => {
    expect(() => agent.evidence('otel_genai_trace', payload)).toThrow(message);
  });

  test('that already has an authorization', () => {
    const call = { method: 'POST', path: '/a', audience: 'a+b' };
    expect(() => agent.authorize(call, { agent_auth: {} })).toThrow('already has a member');
    expect(() => agent.authorize({ ...call, path: '/a?b' }, {})).toThrow('no signature covers');
  });
});

describe('an enrollment signs nothing for', () => {
  const agent = new SigningAgent(AgentKey.generate());
  const url = new URL('https://trust.example');
  const now = async () => Date.now();
  const challenge = {
    purpose: 'enroll',
    host: 'trust.example',
    subjectCommitment: agent.commitment,
    expiresAt: '2100-01-01T00:00:00.000Z',
    random: 'r',
  } as const;

  test.each([
    [
      'another service',
      challengeNonce({ ...challenge, host: 'bank.example' }),
      'the challenge is for bank.example',
    ],
    ['another purpose', challengeNonce({ ...challenge, purpose: 'autonomous' }), 'another one was requested'],
    [
      'another agent',
      challengeNonce({ ...challenge, subjectCommitment: 'a'.repeat(64) }),
      'another one was requested',
    ],
    ['the past', challengeNonce({ ...challenge, expiresAt: '2020-01-01T00:00:00.000Z' }), 'expired'],
    ['a text that is no challenge', 'f'.repeat(64), 'not safe to sign'],
  ])('%s', async (_, challenge_nonce, message) => {
    const agents = {
      startEnrollment: async () => ({ challenge_nonce }),
      completeEnrollment: async () => {
        throw new Error('it was signed');
      },
    };
    await expect(enroll({ url, now, agents }, agent)).rejects.toThrow(message);
  });

  test('a proof of work that takes hours, and ends with its signal', async () => {
    const challenged = (pow_difficulty: number) => ({
      url,
      now,
      agents: {
        autonomousChallenge: async () => ({
          challenge_nonce: challengeNonce({ ...challenge, purpose: 'autonomous', subjectCommitment: null }),
          pow_difficulty,
        }),
        provision: async () => 'done',
      },
    });
    for (const difficulty of [9, -1, 1.5, Number.NaN])
      await expect(provision(challenged(difficulty), agent)).rejects.toThrow('at most 8 are accepted');
    const controller = new AbortController();
    const working = provision(challenged(8), agent, {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });
    await expect(working).rejects.toThrow('enough');
    expect(await provision(challenged(2), agent)).toBe('done');
  });
});

interface DeliveryVector {
  name: string;
  secret: string;
  at: string;
  headers: Record<string, string>;
  body: string;
  verdict: 'valid' | 'invalid';
}

test.each(vectorJson<DeliveryVector[]>('webhook/deliveries.json'))(
  'the delivery $name has the verdict of its vector',
  ({ secret, at, headers, body, verdict }) => {
    const verified = (): unknown => verifyWebhook({ headers, body }, secret, Date.parse(at));
    if (verdict !== 'valid') {
      expect(verified).toThrow();
      return;
    }
    expect(verified()).toEqual(JSON.parse(body));
    const lists = new Headers(headers);
    const bytes = new TextEncoder().encode(body);
    expect(verifyWebhook<unknown>({ headers: lists, body: bytes }, secret, Date.parse(at))).toEqual(
      JSON.parse(body),
    );
  },
);
