import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { nativePrimitives } from '../../../src/platform/crypto/crypto.ts';
import { provisionDigest } from '../../../src/proof/agent/proof-of-work.ts';
import { digest } from '../../../src/proof/encoding/digest.ts';
import type { JsonObject } from '../../../src/proof/encoding/json.ts';
import { type Attack, type AttackedService, FREE, posted, startOnFirstCore } from './attack.ts';

/** Settings with which free operators exist at once. All others are the defaults. */
const SETTINGS = {
  COUNTERSIGN_AGENTS_POW_DIFFICULTY: '1',
  COUNTERSIGN_LIMITS_ENROLLMENT: '1000',
  COUNTERSIGN_QUOTAS_FREE_PROVISIONS_PER_DAY: '0',
  COUNTERSIGN_TRUSTED_PROXIES: '127.0.0.1',
};

/** An agent that let itself in: a payer with the quota of FREE, and with evidence that is costly to read. */
interface FreeAgent {
  commitment: string;
  apiKey: string;
  /** Returns the signature of a payload, 128 hexadecimal characters. */
  sign(payload: JsonObject): string;
}

/** Starts the trust service. Its victim issues receipts. */
export async function startAttackedTrust(directory: string): Promise<AttackedService> {
  const { ready, stop } = await startOnFirstCore('trust', directory, SETTINGS);
  const url = String(ready.url);
  const free: FreeAgent[] = [];
  for (let at = 0; at < FREE; at++) {
    const agent = await provisioned(url);
    free.push(agent);
    for (let item = 0; item < (at === 0 ? 5 : 1); item++) await anchor(url, agent, `${at} ${item}`);
  }
  const [first] = free;
  if (first === undefined) throw new Error('there is no attacker');
  return {
    name: 'trust',
    url,
    victim: {
      url: `${url}/api/v1/receipts`,
      script: 'issue.lua',
      env: { API_KEY: String(ready.api_key) },
    },
    keys: free.map(({ apiKey }) => apiKey),
    attacks: attacksOf(first),
    documents: ['/openapi.json'],
    stop,
  };
}

function attacksOf({ commitment }: FreeAgent): Attack[] {
  const evidence = `/api/v1/passport/agents/${commitment}/evidence`;
  const posting = (name: string, body: JsonObject): Attack => ({
    ...{ name, method: 'POST', path: evidence },
    body: { ...body, signature: '0'.repeat(128) },
  });
  return [
    { name: 'a page of evidence', path: `${evidence}?limit=100` },
    posting('evidence with a bad signature', {
      source_type: 'github_commit_payload',
      payload: { sha: 'ab'.repeat(20), commit: { message: 'y'.repeat(400_000) } },
    }),
    posting('a compliance report of 13,000 controls', {
      source_type: 'compliance_report',
      payload: {
        framework: 'SOC2_TYPE2',
        controls: Array.from({ length: 13_000 }, (_, at) => ({ id: `C${at}`, status: 'pass' })),
      },
    }),
    {
      name: 'a credential of 19,000 members',
      method: 'POST',
      path: '/api/v1/credentials/verify',
      body: { credential: Object.fromEntries(Array.from({ length: 19_000 }, (_, at) => [`m${at}`, at])) },
    },
    { name: 'the OpenAPI document', path: '/openapi.json' },
    { name: 'the page of the documentation', path: '/swagger' },
    { name: 'the status of the operator', path: '/api/v1/operator/status' },
    { name: 'a list of receipts', path: '/api/v1/receipts?limit=100' },
    { name: 'the profile of an agent', path: `/api/v1/passport/agents/${commitment}` },
    { name: 'health', path: '/api/health' },
    { name: 'a path that does not exist', path: '/nowhere' },
  ];
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

function hexOf(privateKey: KeyObject, text: string): string {
  return sign(null, Buffer.from(text), privateKey).toString('hex');
}
