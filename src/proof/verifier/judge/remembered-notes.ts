import type { Primitives } from '../../primitives.ts';

/** The results that are kept of each algorithm: more than the checkpoints of most lists. */
const RESULTS_MAX = 256;
/** A longer message is verified each time: a note can have a mebibyte. */
const MESSAGE_BYTES_MAX = 4096;
const NEWLINE = 0x0a;

type Verify = Primitives['ed25519Verify'];

/**
 * Returns primitives that verify each signature of a note once: the bundles of a list have the same
 * checkpoints. A result is kept for exactly this key, signature and message. What signs something else than a
 * note, such as a receipt, is verified each time: its message has no line end, and no other bundle has it.
 */
export function rememberingNotes(primitives: Primitives): Primitives {
  const { ed25519Verify, mlDsa44Verify } = primitives;
  return {
    ...primitives,
    ed25519Verify: once((...of) => ed25519Verify(...of)),
    ...(mlDsa44Verify !== undefined && { mlDsa44Verify: once((...of) => mlDsa44Verify(...of)) }),
  };
}

function once(verify: Verify): Verify {
  const known = new Map<string, boolean>();
  return (signature, message, publicKey) => {
    if (message.length > MESSAGE_BYTES_MAX || !message.includes(NEWLINE))
      return verify(signature, message, publicKey);
    // The lengths say where each of the three ends.
    const parts = [publicKey, signature, message];
    const name = parts.map((part) => `${part.length} ${latin1(part)}`).join('');
    const found = known.get(name) ?? verify(signature, message, publicKey);
    // Again the newest: the oldest is forgotten.
    known.delete(name);
    known.set(name, found);
    if (known.size > RESULTS_MAX) {
      const [oldest = name] = known.keys();
      known.delete(oldest);
    }
    return found;
  };
}

/** Each byte is another character of this encoding, which is as fast as a decoder is. */
const decoder = new TextDecoder('latin1');
const latin1 = (bytes: Uint8Array): string => decoder.decode(bytes);
