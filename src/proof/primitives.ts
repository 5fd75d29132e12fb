/**
 * The two primitives that everything in `proof` stands on. They are handed in, so that the same code runs on
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
}
