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
}

/**
 * Returns what an event means.
 * @param text JSON
 * @param recordsTool returns whether calls of a tool are recorded
 * @throws NoEvent
 */
export function hookEvent(text: string, recordsTool: (tool: string) => boolean): HookEvent {
  const event = objectIn(text);
  const { hook_event_name: name, session_id: session, tool_name: tool } = event;
  if (typeof name !== 'string' || typeof session !== 'string')
    throw new NoEvent('it names no event and no session');
  if (name === 'SessionEnd') return { kind: 'close', session };
  if (!OF_TOOLS.includes(name)) return { kind: 'none' };
  if (typeof tool !== 'string') throw new NoEvent(`the event ${name} names no tool`);
  if (!recordsTool(tool)) return { kind: 'none' };
  const call = callOf(event, tool, text);
  const { tool_use_id: id } = event;
  const key = typeof id === 'string' && id !== '' ? id : call.inputDigest;
  switch (name) {
    case 'PreToolUse':
      return { kind: 'begin', session, key, call };
    case 'PostToolUse': {
      const result = event.tool_response ?? null;
      return {
        kind: 'end',
        session,
        key,
        outcome: { status: 'success', outputHash: digestOf(result, text) },
        result,
      };
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

const OF_TOOLS = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionDenied'];

function failureOf({ is_interrupt }: JsonObject): Outcome {
  return is_interrupt === true
    ? { status: 'graceful_shutdown', reason: 'interrupted by the user' }
    : { status: 'terminal', reason: 'the tool reported an error' };
}

function callOf({ tool_input = null, tool_use_id }: JsonObject, tool: string, text: string): Call {
  return {
    scope: `hook:${tool}`,
    inputDigest: digestOf({ tool_input, tool_name: tool }, text),
    details: {
      ...{ method: 'hook', tool, arguments: tool_input },
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
  throw new NoEvent('it is no JSON object');
}
