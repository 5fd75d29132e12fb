import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { signEd25519 } from '../../src/platform/crypto/crypto.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import { newAgentKey } from '../../test/support/agent.ts';
import { client } from '../../test/support/client.ts';
import type { Product } from './product.ts';
import type { BenchServer } from './server-process.ts';

/** Enrolls an agent. @returns its commitment */
export async function enrolledAgent({ url }: BenchServer): Promise<string> {
  return (await fetch(`${url}/enrolled`, { method: 'POST', body: newAgentKey().publicKey })).text();
}

/** An agent that signs. */
export interface AgentWithKey {
  commitment: string;
  key: KeyObject;
}

/** Enrolls an agent at a running executable, for its first operator. */
export async function enrolledWithKey({ url, apiKey }: Product): Promise<AgentWithKey> {
  const { publicKey, privateKey: key } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const call = client(fetch, url, apiKey);
  const { body: started } = await call.post('/api/v1/passport/agents/enroll/start', {
    public_key: Buffer.from(x, 'base64url').toString('hex'),
  });
  const commitment = String(started.subject_commitment);
  const { status } = await call.post('/api/v1/passport/agents/enroll/complete', {
    subject_commitment: commitment,
    signature: bytesToHex(signEd25519(key, Buffer.from(String(started.challenge_nonce)))),
  });
  if (status !== 201) throw new Error(`the agent was not enrolled: ${status}`);
  return { commitment, key };
}
