import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { nativePrimitives, signEd25519 } from '../../src/platform/crypto/crypto.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import { DEFAULT_CONTEXT } from '../../src/proof/agent/commitment.ts';
import { digest } from '../../src/proof/encoding/digest.ts';
import { bytesToHex } from '../../src/proof/encoding/hex.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { createAgentIn } from '../../src/trust/agents/create-agent.ts';
import { operatorById } from '../../src/trust/operators/status.ts';
import type { TrustApp } from './trust-app.ts';

/** An agent's key pair, by default a new one, and what it signs. */
export function newAgentKey(privateKey: KeyObject = generateKeyPairSync('ed25519').privateKey) {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    /** 64 lower-case hexadecimal characters. */
    publicKey: Buffer.from(x, 'base64url').toString('hex'),
    /** Ed25519 over the UTF-8 of `text`, hexadecimal. */
    signText: (text: string) => bytesToHex(signEd25519(privateKey, Buffer.from(text))),
    /** Ed25519 over bytes, hexadecimal. */
    signBytes: (bytes: Uint8Array) => bytesToHex(signEd25519(privateKey, bytes)),
    /** Ed25519 over the 64 characters of the object's digest, hexadecimal. */
    sign: (object: JsonObject) =>
      bytesToHex(signEd25519(privateKey, Buffer.from(digest(nativePrimitives, object)))),
    privateKey,
  };
}

/**
 * Enrolls an agent directly in the store, without the API. `sponsor`: an operator id, by default the first.
 */
export async function enrolledAgent(
  { service }: TrustApp,
  {
    sponsor = service.firstStart.operatorId,
    name = null,
    context = DEFAULT_CONTEXT,
    key = newAgentKey(),
    clock = service.trust.clock,
  }: {
    sponsor?: string | null;
    name?: string | null;
    context?: string;
    key?: ReturnType<typeof newAgentKey>;
    /** The time of the enrollment. */
    clock?: Clock;
  } = {},
) {
  const { trust } = service;
  const agent = await trust.store.writeAsService(async (tx) => {
    const sponsorSeq = sponsor === null ? null : ((await operatorById(tx, sponsor))?.operatorSeq ?? null);
    const { events, agentRecords } = trust;
    return createAgentIn(
      tx,
      { clock, events, agentRecords },
      { publicKey: key.publicKey, context, name, sponsorSeq },
    );
  });
  return { ...key, agent, commitment: agent.subjectCommitment };
}

/** A call for an agent to authorize; missing members get defaults. */
export interface Authorizing {
  method: string;
  path: string;
  body: JsonObject;
  audience: string;
  nonce?: string;
  /** By default a minute ahead. */
  expires_at?: string;
}

/** An agent's authorization of a call: the member `agent_auth` of its body. */
export function agentAuth(
  agent: Pick<ReturnType<typeof newAgentKey>, 'sign'> & { commitment: string },
  { nonce = crypto.randomUUID(), expires_at, ...call }: Authorizing,
  now = Date.now(),
) {
  const auth = {
    commitment: agent.commitment,
    nonce,
    expires_at: expires_at ?? new Date(now + 60_000).toISOString(),
  };
  return { ...auth, signature: agent.sign({ type: 'agent-auth', ...call, ...auth }) };
}

/** The name of the installation in authorizations. */
export async function audienceOf({ anyone }: TrustApp): Promise<string> {
  return String((await anyone.get('/api/v1/public-key')).body.audience);
}
