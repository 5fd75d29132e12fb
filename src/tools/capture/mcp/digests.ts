import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { CanonicalJsonError } from '../../../proof/encoding/canonical-json.ts';
import { digest } from '../../../proof/encoding/digest.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import { type Message, member } from './message.ts';

/**
 * Returns the SHA-256 of the canonical form of `{arguments, toolName}`, as 64 hexadecimal characters. Members
 * that the call lacks are left out. Where there is no canonical form, such as for a lone surrogate, and where
 * it is not clear what the message calls, it is the SHA-256 of the bytes of the message.
 */
export function inputDigest(message: Message): string {
  const params = member(message.value, 'params');
  const [tool, args] = [member(params, 'name'), member(params, 'arguments')];
  return digestOr(message, {
    ...(args === undefined ? {} : { arguments: args }),
    ...(tool === undefined ? {} : { toolName: tool }),
  });
}

/** Returns the SHA-256 of the canonical form of a result without its `_meta`; else as `inputDigest`. */
export function resultDigest(message: Message, result: JsonValue): string {
  return digestOr(message, withoutMeta(result));
}

function digestOr(message: Message, value: JsonValue): string {
  if (message.unclear !== null) return message.bytesDigest();
  try {
    return digest(nativePrimitives, value);
  } catch (error) {
    if (error instanceof CanonicalJsonError || error instanceof RangeError) return message.bytesDigest();
    throw error;
  }
}

/** Returns a value without the member `_meta`, which each hop may change. */
export function withoutMeta(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !Object.hasOwn(value, '_meta')) return value;
  const { _meta, ...rest }: JsonObject = value;
  return rest;
}

/**
 * Returns one digest of the answers that a call received: of the only one, or of the list of their digests.
 */
export function answersDigest(digests: readonly string[]): string | undefined {
  return digests.length > 1 ? digest(nativePrimitives, [...digests]) : digests[0];
}
