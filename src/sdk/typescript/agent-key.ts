import { DEFAULT_CONTEXT, subjectCommitment } from '../../proof/agent/commitment.ts';
import { decodeBase64, encodeBase64 } from '../../proof/encoding/base64.ts';
import { bytesToHex, hexToBytes } from '../../proof/encoding/hex.ts';
import { CountersignError } from './errors.ts';
import { primitives, publicKeyOf, signEd25519 } from './primitives.ts';

const SEED_BYTES = 32;
/** What stands before the seed in PKCS #8 (RFC 8410 section 7). */
const PKCS8_PREFIX = hexToBytes('302e020100300506032b657004220420');
const PEM = /^\s*-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----\s*$/;

const utf8 = new TextEncoder();

/** The Ed25519 key pair of an agent. */
export class AgentKey {
  /** The public key: 64 hexadecimal characters. */
  readonly publicKey: string;
  readonly #seed: Uint8Array;

  private constructor(seed: Uint8Array) {
    this.#seed = seed;
    this.publicKey = bytesToHex(publicKeyOf(seed));
  }

  /** Makes a new key. */
  static generate(): AgentKey {
    return new AgentKey(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
  }

  /** Returns the key of a seed: 32 bytes. @throws CountersignError */
  static fromSeed(seed: Uint8Array): AgentKey {
    if (seed.length !== SEED_BYTES) throw new CountersignError('The seed of a key has 32 bytes.');
    return new AgentKey(Uint8Array.from(seed));
  }

  /**
   * Returns the key of a PEM file, as `countersign keygen` and `openssl genpkey -algorithm ed25519` write it.
   * @throws CountersignError, whose message has nothing of the key
   */
  static fromPem(pem: string): AgentKey {
    const der = decodeBase64((PEM.exec(pem)?.[1] ?? '').replaceAll(/\s/g, ''));
    const isEd25519 =
      der?.length === PKCS8_PREFIX.length + SEED_BYTES &&
      PKCS8_PREFIX.every((byte, index) => der[index] === byte);
    if (der === null || !isEd25519)
      throw new CountersignError('This is not an unencrypted Ed25519 private key in PEM (PKCS #8).');
    return new AgentKey(der.slice(PKCS8_PREFIX.length));
  }

  /** Returns the private key in PEM (PKCS #8). Keep it secret. */
  toPem(): string {
    const der = new Uint8Array([...PKCS8_PREFIX, ...this.#seed]);
    return `-----BEGIN PRIVATE KEY-----\n${encodeBase64(der)}\n-----END PRIVATE KEY-----\n`;
  }

  /**
   * Returns the subject commitment, which identifies the agent of this key: 64 hexadecimal characters.
   * @param context what the key is used for; another context makes another agent
   */
  commitment(context: string = DEFAULT_CONTEXT): string {
    return subjectCommitment(primitives, this.publicKey, context);
  }

  /** Signs text. Returns 128 hexadecimal characters. */
  sign(text: string): string {
    return bytesToHex(signEd25519(this.#seed, utf8.encode(text)));
  }
}
