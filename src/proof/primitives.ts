/**
 * The cryptographic primitives of `proof`. Callers pass them in: the server uses node:crypto, the browser
 * @noble, and the command line both, so that its verdict does not depend on one implementation.
 */
export interface Primitives {
  /** Returns the SHA-256 (FIPS 180-4) of `bytes`: 32 bytes. */
  sha256(bytes: Uint8Array): Uint8Array;
  /**
   * Returns the SHA-256 of the UTF-8 of `text` in lower-case hexadecimal, where a runtime has it in one call,
   * which is twice as fast.
   */
  sha256Text?(text: string): string;
  /**
   * Verifies an Ed25519 signature (RFC 8032). It does not check for strict form: use `verifyStrict`.
   * @returns false, never an error, for input that cannot be a signature or key.
   */
  ed25519Verify(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
  /**
   * Verifies an ML-DSA-44 signature (FIPS 204, pure, empty context): 2,420 bytes with a key of 1,312 bytes.
   * When the function is missing, these signatures count as unknown, and the verdict must not need them.
   * @returns false, never an error, for input that cannot be a signature or key.
   */
  mlDsa44Verify?(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}
