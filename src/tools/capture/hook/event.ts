import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import { CanonicalJsonError } from '../../../proof/encoding/canonical-json.ts';
import { digest, textDigest } from '../../../proof/encoding/digest.ts';
import {
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  readJsonText,
} from '../../../proof/encoding/json.ts';
import type { Call, Outcome } from '../session/capture.ts';
import { outlineOf } from './outline.ts';

/**
 * What an event of Claude Code means. The members are those of its documentation
 * (code.claude.com/docs/en/hooks): `session_id` and `hook_event_name` of all events; `tool_name`,
 * `tool_input` and `tool_use_id` of those of a tool.
 */
export type HookEvent =
  | { kind: 'begin'; session: string; key: string; call: Call }
  | { kind: 'end'; session: string; key: string; outcome: Outcome; result: JsonValue | undefined }
  /** A call that was denied: also one whose begin nobody saw. */
  | { kind: 'denied'; session: string; key: string; call: Call; outcome: Outcome }
  | { kind: 'close'; session: string }
  /** Nothing to record. */
  | { kind: 'none' };

/** Text is no event. */
export class NoEvent extends Error {
  override readonly name = 'NoEvent';
  /** @param mayBegin false if it is known that no call begins with it */
  constructor(
    message: string,
    readonly mayBegin: boolean,
  ) {
    super(message);
  }
}

type RecordsTool = (tool: string) => boolean;
/** Returns the digest of a value of an event. */
type DigestOf = (value: JsonValue) => string;

/**
 * Returns what an event means.
 * @param text JSON
 * @param recordsTool returns whether calls of a tool are recorded
 * @throws NoEvent
 */
export function hookEvent(text: string, recordsTool: RecordsTool): HookEvent {
  return meaningOf(objectIn(text), recordsTool, (value) => digestOf(value, text));
}

/**
 * Returns what an event means that is too large to read as JSON within a second. All its digests are the
 * SHA-256 of its bytes, and its arguments and results are left out.
 * @throws NoEvent
 */
export function largeHookEvent(bytes: Uint8Array, recordsTool: RecordsTool): HookEvent {
  const whole = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
  return meaningOf(outlineOf(bytes), recordsTool, () => whole, true);
}

function meaningOf(
  event: JsonObject,
  recordsTool: RecordsTool,
  digestOfValue: DigestOf,
  isLarge = false,
): HookEvent {
  const { hook_event_name: name, session_id: session, tool_name: tool } = event;
  if (typeof name !== 'string' || typeof session !== 'string')
    throw new NoEvent('it names no event or no session', name === undefined || name === BEGIN);
  if (name === 'SessionEnd') return { kind: 'close', session };
  if (!OF_TOOLS.includes(name)) return { kind: 'none' };
  if (typeof tool !== 'string') throw new NoEvent(`the event ${name} names no tool`, name === BEGIN);
  if (!recordsTool(tool)) return { kind: 'none' };
  const call = callOf(event, tool, digestOfValue, isLarge);
  const { tool_use_id: id } = event;
  const key = typeof id === 'string' && id !== '' ? id : call.inputDigest;
  switch (name) {
    case BEGIN:
      return { kind: 'begin', session, key, call };
    case 'PostToolUse': {
      const result = event.tool_response ?? null;
      const outcome = outcomeOf(result, digestOfValue);
      return { kind: 'end', session, key, outcome, result: isLarge ? undefined : result };
    }
    case 'PostToolUseFailure':
      return { kind: 'end', session, key, outcome: failureOf(event), result: event.error };
    default:
      return {
        kind: 'denied',
        session,
        key,
        call,
        outcome: { status: 'refusal', reason: 'permission denied' },
      };
  }
}

const BEGIN = 'PreToolUse';
const OF_TOOLS = [BEGIN, 'PostToolUse', 'PostToolUseFailure', 'PermissionDenied'];

/** Returns the outcome of a tool that has responded: a response can say that it is no success. */
function outcomeOf(result: JsonValue, digestOfValue: DigestOf): Outcome {
  const { interrupted, isError } = isJsonObject(result) ? result : {};
  return interrupted === true || isError === true
    ? failureOf({ is_interrupt: interrupted === true })
    : { status: 'success', outputHash: digestOfValue(result) };
}

function failureOf({ is_interrupt }: JsonObject): Outcome {
  return is_interrupt === true
    ? { status: 'graceful_shutdown', reason: 'interrupted by the user' }
    : { status: 'terminal', reason: 'the tool reported an error' };
}

function callOf(
  { tool_input = null, tool_use_id }: JsonObject,
  tool: string,
  digestOfValue: DigestOf,
  isLarge: boolean,
): Call {
  return {
    scope: `hook:${tool}`,
    inputDigest: digestOfValue({ tool_input, tool_name: tool }),
    details: {
      ...{ method: 'hook', tool, ...(isLarge ? {} : { arguments: tool_input }) },
      ...(typeof tool_use_id === 'string' ? { requestId: tool_use_id } : {}),
    },
  };
}

/** Returns the digest of a value; where it has no canonical form, of the whole event. */
function digestOf(value: JsonValue, text: string): string {
  try {
    return digest(nativePrimitives, value);
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return textDigest(nativePrimitives, text);
  }
}

function objectIn(text: string): JsonObject {
  try {
    const value = readJsonText(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
  }
  throw new NoEvent('it is no JSON object', true);
}
