/**
 * The primitives that everything in `proof` stands on. They are handed in, so that the same code runs on
 * node:crypto in the server, on @noble in the browser, and on both where a single verdict must not depend on one.
 */
export interface Primitives {
  /** SHA-256 (FIPS 180-4) of `bytes`: 32 bytes. */
  sha256(bytes: Uint8Array): Uint8Array;
  /**
   * Ed25519 (RFC 8032) signature check without any guard of its own: callers use `verifyStrict`.
   * @returns false, never an error, for input that cannot be a signature or key.
   */
  ed25519Verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /**
   * ML-DSA-44 (FIPS 204, pure, empty context) signature check: 2,420 bytes by a key of 1,312. Where it is missing, such
   * signatures count as unknown, and every verdict has to stand without them.
   * @returns false, never an error, for input that cannot be a signature or key.
   */
  mlDsa44Verify?(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}
