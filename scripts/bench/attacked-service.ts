import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { provisionDigest } from '../../src/proof/agent/proof-of-work.ts';
import { digest } from '../../src/proof/encoding/digest.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { EXECUTABLE } from '../build.ts';

/** The number of free operators, each of which attacks with its own key. */
const FREE = 100;
/** Settings with which these operators exist at once. All others are the defaults. */
const SETTINGS = {
  COUNTERSIGN_AGENTS_POW_DIFFICULTY: '1',
  COUNTERSIGN_LIMITS_ENROLLMENT: '1000',
  COUNTERSIGN_QUOTAS_FREE_PROVISIONS_PER_DAY: '0',
  COUNTERSIGN_TRUSTED_PROXIES: '127.0.0.1',
};

/** An agent that let itself in: a payer with the quota of FREE, and with evidence that is costly to read. */
export interface FreeAgent {
  commitment: string;
  apiKey: string;
  /** Returns the signature of a payload, 128 hexadecimal characters. */
  sign(payload: JsonObject): string;
}

/** The executable as a trust service on one core, with what an attacker can store in it. */
export interface AttackedService {
  url: string;
  /** The key of the operator that is attacked. */
  apiKey: string;
  free: readonly FreeAgent[];
  stop(): Promise<void>;
}

/** Starts the service on the first core, the data in a new directory. */
export async function startAttacked(data: string): Promise<AttackedService> {
  const ready = join(data, 'ready.json');
  const serve = [EXECUTABLE, 'serve', '--port', '0', '--data', join(data, 'data'), '--ready-file', ready];
  const child = Bun.spawn(['taskset', '-c', '0', ...serve, '--log-level', 'fatal'], {
    stdout: 'ignore',
    stderr: 'inherit',
    env: { ...process.env, ...SETTINGS },
  });
  while (!existsSync(ready)) {
    if (child.exitCode !== null) throw new Error('the service did not start');
    await Bun.sleep(5);
  }
  const { url, api_key: apiKey }: { url: string; api_key: string } = JSON.parse(readFileSync(ready, 'utf8'));
  const free: FreeAgent[] = [];
  for (let at = 0; at < FREE; at++) {
    const agent = await provisioned(url);
    free.push(agent);
    for (let item = 0; item < (at === 0 ? 5 : 1); item++) await anchor(url, agent, `${at} ${item}`);
  }
  return {
    ...{ url, apiKey, free },
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}

async function provisioned(url: string): Promise<FreeAgent> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const key = Buffer.from(x, 'base64url').toString('hex');
  const base = `${url}/api/v1/passport/agents/autonomous`;
  const challenge = await posted(`${base}/challenge`, { public_key: key });
  const challengeNonce = String(challenge.challenge_nonce);
  let powNonce = 0;
  const hash = () => createHash('sha256').update(`${challengeNonce}:${powNonce}`).digest('hex');
  while (!hash().startsWith('0')) powNonce++;
  const proven = { challengeNonce, powNonce: String(powNonce), publicKey: key };
  const body = await posted(`${base}/provision`, {
    public_key: key,
    challenge_nonce: challengeNonce,
    pow_nonce: String(powNonce),
    signature: hexOf(privateKey, provisionDigest(nativePrimitives, proven)),
  });
  return {
    commitment: String(body.subject_commitment),
    apiKey: String(body.api_key),
    sign: (payload) => hexOf(privateKey, digest(nativePrimitives, payload)),
  };
}

/** Anchors an item of nearly 1 MB, which takes little storage, because it compresses well. */
async function anchor(url: string, agent: FreeAgent, name: string): Promise<void> {
  const payload = {
    sha: createHash('sha1').update(name).digest('hex'),
    commit: { message: 'x'.repeat(900_000) },
  };
  const body = { source_type: 'github_commit_payload', payload, signature: agent.sign(payload) };
  await posted(`${url}/api/v1/passport/agents/${agent.commitment}/evidence`, body, agent.apiKey);
}

async function posted(url: string, body: JsonObject, key?: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  });
  if (response.status !== 201 && response.status !== 200)
    throw new Error(`${url} responded with ${response.status}: ${await response.text()}`);
  return Object(await response.json());
}

function hexOf(privateKey: KeyObject, text: string): string {
  return sign(null, Buffer.from(text), privateKey).toString('hex');
}
