import { createPrivateKey, createPublicKey } from 'node:crypto';
import { nativePrimitives, sha256Hex, signEd25519 } from '../../platform/crypto/crypto.ts';
import type { ApiCall } from '../../platform/demo/api-client.ts';
import { DEFAULT_CONTEXT, subjectCommitment } from '../../proof/agent/commitment.ts';
import { isWorkDone, provisionDigest } from '../../proof/agent/proof-of-work.ts';
import { digest } from '../../proof/encoding/digest.ts';
import { bytesToHex, hexToBytes } from '../../proof/encoding/hex.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import type { SourceType } from '../../proof/evidence/source-types.ts';
import { DEMO_SERVICE_TOKEN } from '../http/example-ids.ts';

/** The private key of the documentation's agent: the seed of RFC 8032 section 7.1, test 1. */
const EXAMPLE_SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';

/** The PKCS #8 header before the 32 bytes of an Ed25519 seed (RFC 8410 section 7). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** An agent of the demonstration. Its private key is public knowledge. */
export interface DemoAgent {
  name: string;
  /** 64 lower-case hexadecimal characters. */
  publicKey: string;
  commitment: string;
  /** Signs the UTF-8 of `text`. @returns the Ed25519 signature, hexadecimal */
  signText(text: string): string;
}

/** Returns the agent with a name. Its key comes from the name, or from `seed` (64 hexadecimal characters). */
export function demoAgent(name: string, seed = sha256Hex(`countersign demonstration: ${name}`)): DemoAgent {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8, hexToBytes(seed)]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const publicKey = Buffer.from(x, 'base64url').toString('hex');
  return {
    name,
    publicKey,
    commitment: subjectCommitment(nativePrimitives, publicKey, DEFAULT_CONTEXT),
    signText: (text) => bytesToHex(signEd25519(privateKey, Buffer.from(text))),
  };
}

/** Returns the agent of the documentation's examples. */
export const exampleAgent = (): DemoAgent => demoAgent('Invoice clerk', EXAMPLE_SEED);

/** Enrolls an agent. @param key API key of its sponsor; without one it has no sponsor */
export async function enroll(ask: ApiCall, agent: DemoAgent, key?: string): Promise<void> {
  const caller = key === undefined ? {} : { key };
  const { challenge_nonce: nonce } = await ask('POST /api/v1/passport/agents/enroll/start', {
    ...caller,
    body: { public_key: agent.publicKey, name: agent.name },
  });
  await ask('POST /api/v1/passport/agents/enroll/complete', {
    ...caller,
    body: { subject_commitment: agent.commitment, signature: agent.signText(String(nonce)) },
  });
}

/**
 * Enrolls an agent by proof of work. The service creates an operator for it.
 * @returns the response, with the operator's id
 */
export async function provision(ask: ApiCall, { name, publicKey, signText }: DemoAgent): ReturnType<ApiCall> {
  const response = await ask('POST /api/v1/passport/agents/autonomous/challenge', {
    body: { public_key: publicKey },
  });
  const challengeNonce = String(response.challenge_nonce);
  const difficulty = Number(response.pow_difficulty);
  let count = 0;
  while (!isWorkDone(nativePrimitives, { challengeNonce, powNonce: String(count), difficulty })) count++;
  const powNonce = String(count);
  return ask('POST /api/v1/passport/agents/autonomous/provision', {
    body: {
      public_key: publicKey,
      challenge_nonce: challengeNonce,
      pow_nonce: powNonce,
      signature: signText(provisionDigest(nativePrimitives, { challengeNonce, powNonce, publicKey })),
      display_name: name,
    },
  });
}

/** Sets an agent's photo. The URL does not exist. */
export async function setPhoto(ask: ApiCall, agent: DemoAgent, photo: string): Promise<void> {
  await ask(`PUT /api/v1/passport/agents/${agent.commitment}/presentation`, {
    body: presentationOf(agent, photo),
  });
}

/** Returns a signed presentation of an agent with a photo that does not exist. */
export function presentationOf(agent: DemoAgent, photo: string): JsonObject {
  const presentation = {
    photo_url: `https://agents.example/${photo}.png`,
    photo_content_sha256: sha256Hex(photo),
    photo_mime_type: 'image/png',
  };
  const signature = signed(agent, { subject_commitment: agent.commitment, ...presentation });
  return { ...presentation, signature };
}

/**
 * Anchors evidence of an agent.
 * @param key API key of the sender; a deliverable is sent with the service token instead
 */
export function anchor(
  ask: ApiCall,
  key: string,
  agent: DemoAgent,
  source_type: SourceType,
  payload: JsonObject,
): ReturnType<ApiCall> {
  return anchorBy(ask, { key, serviceToken: DEMO_SERVICE_TOKEN }, agent, source_type, payload);
}

/**
 * Anchors evidence of an agent: a deliverable with the service token, all else with the API key.
 * @returns the response
 */
export function anchorBy(
  ask: ApiCall,
  { key, serviceToken }: { key: string; serviceToken: string },
  agent: DemoAgent,
  source_type: SourceType,
  payload: JsonObject,
): ReturnType<ApiCall> {
  return ask(`POST /api/v1/passport/agents/${agent.commitment}/evidence`, {
    key: source_type === 'task_deliverable' ? serviceToken : key,
    body: { source_type, payload, signature: signed(agent, payload) },
  });
}

/** A request that an agent authorizes, and how long the authorization is valid. */
interface AuthorizedRequest {
  /** Such as `POST /api/v1/agora/negotiate`. */
  line: string;
  body: JsonObject;
  /** The installation. */
  audience: string;
  nonce: string;
  /** RFC 3339. */
  expires_at: string;
}

/** Returns the body of a request with the authorization of an agent. */
export function authorized(
  agent: DemoAgent,
  { line, body, audience, ...rest }: AuthorizedRequest,
): JsonObject {
  const [method = '', path = ''] = line.split(' ');
  const auth = { commitment: agent.commitment, ...rest };
  const signature = signed(agent, { type: 'agent-auth', method, path, body, audience, ...auth });
  return { ...body, agent_auth: { ...auth, signature } };
}

/** Signs an object: the digest of its canonical JSON. @returns the Ed25519 signature, hexadecimal */
export function signed(agent: DemoAgent, object: JsonObject): string {
  return agent.signText(digest(nativePrimitives, object));
}
