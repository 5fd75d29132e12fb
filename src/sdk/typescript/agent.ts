import { agentAuthMessage } from '../../proof/agent/agent-signature.ts';
import { digest } from '../../proof/encoding/digest.ts';
import { isJsonObject, JsonError, type JsonObject, parseJson } from '../../proof/encoding/json.ts';
import { otherSignedObject } from '../../proof/keys/signed-types.ts';
import type { AgentKey } from './agent-key.ts';
import { CountersignError } from './errors.ts';
import { primitives } from './primitives.ts';

/** The lifetime of an authorization, in milliseconds. Services accept at most twice as long. */
const AUTHORIZED_MS = 300_000;

/** An object with the agent's signature over its digest. */
export interface SignedObject {
  payload_digest: string;
  signature: string;
  public_key: string;
}

/** A call that an agent authorizes. */
export interface AuthorizedCall {
  method: string;
  /** The path of the URL, without a query. */
  path: string;
  /** The `audience` of the service. */
  audience: string;
}

/** The photo of an agent; all three are null for none. */
export interface Photo<MimeType extends string | null> {
  photo_url: string | null;
  /** SHA-256 of the bytes: 64 hexadecimal characters. */
  photo_content_sha256: string | null;
  photo_mime_type: MimeType;
}

/** An agent: a key, and the context that it is used for. */
export class SigningAgent {
  /** Identifies the agent: 64 hexadecimal characters. */
  readonly commitment: string;

  /** @param context what the key is used for; another context makes another agent */
  constructor(
    readonly key: AgentKey,
    readonly context?: string,
  ) {
    this.commitment = key.commitment(context);
  }

  /**
   * Signs an object, as presentations and evidence need it. Never sign what you have not read.
   * @throws CanonicalJsonError for an object without a canonical form
   */
  sign(object: JsonObject): SignedObject {
    const payload_digest = digest(primitives, object);
    return { payload_digest, signature: this.key.sign(payload_digest), public_key: this.key.publicKey };
  }

  /**
   * Returns the body of `evidence.send`: the payload with its signature.
   * @throws CountersignError for a payload that could be mistaken for another signed object;
   * or that cannot be sent exactly
   */
  evidence<Type extends string, Payload extends object>(
    source_type: Type,
    payload: Payload,
  ): { source_type: Type; payload: Payload; signature: string } {
    const object = asSent(payload);
    const other = otherSignedObject(object);
    if (other !== null)
      throw new CountersignError(`The payload could be mistaken for a signed ${other}. Nothing was signed.`);
    return { source_type, payload, signature: this.sign(object).signature };
  }

  /** Returns the body of `agents.setPresentation`: the photo with its signature. */
  presentation<MimeType extends string | null>(
    photo: Photo<MimeType>,
  ): Photo<MimeType> & { signature: string } {
    const { photo_url, photo_content_sha256, photo_mime_type } = photo;
    const members = { photo_url, photo_content_sha256, photo_mime_type };
    const { signature } = this.sign({ subject_commitment: this.commitment, ...members });
    return { ...members, signature };
  }

  /**
   * Returns a body with the agent's authorization of a call, which is valid once and for five minutes. The
   * option `agent` of a call does it.
   * @param now the time in milliseconds since 1970
   * @throws CountersignError for a call that no signature can cover; CanonicalJsonError
   */
  authorize(call: AuthorizedCall, body: object, now: number = Date.now()): JsonObject {
    if (/[?#]/.test(call.path))
      throw new CountersignError('An agent cannot authorize a call with a query, which no signature covers.');
    const { agent_auth, ...rest } = asSent(body);
    if (agent_auth !== undefined) throw new CountersignError('The body already has a member agent_auth.');
    const auth = {
      commitment: this.commitment,
      nonce: crypto.randomUUID(),
      expires_at: new Date(now + AUTHORIZED_MS).toISOString(),
    };
    const message = agentAuthMessage(primitives, { ...call, body: rest, ...auth });
    const signature = this.key.sign(new TextDecoder().decode(message));
    return { ...rest, agent_auth: { ...auth, signature } };
  }
}

/** Returns an object as the service will parse it, which is what is signed. @throws CountersignError */
function asSent(object: object): JsonObject {
  try {
    const value = parseJson(JSON.stringify(object));
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new CountersignError(`The object cannot be sent: ${error.message}. Nothing was signed.`);
  }
  throw new CountersignError('Only an object can be signed.');
}
