import type { JsonValue } from '../../../proof/encoding/json.ts';
import type { Outcome } from '../session/capture.ts';
import { resultDigest } from './digests.ts';
import { type Message, member } from './message.ts';

/** The server does not know the method or the tool, or refuses the parameters. */
const REFUSALS = [-32601, -32602];

/**
 * Returns how a call ended, from its result or its JSON-RPC error: as members of the response, or of a task
 * that ended. The reasons are signed, so they contain a code at most, and no text of the server.
 */
export function outcomeOf(message: Message, response: JsonValue): Outcome {
  const error = member(response, 'error');
  if (error !== undefined) return errorOutcome(error);
  const result = member(response, 'result');
  if (result === undefined)
    return { status: 'terminal', reason: 'the server returned neither a result nor an error' };
  if (member(result, 'isError') === true) return { status: 'terminal', reason: 'the tool reported an error' };
  return { status: 'success', outputHash: resultDigest(message, result) };
}

function errorOutcome(error: JsonValue): Outcome {
  const code = member(error, 'code');
  if (typeof code !== 'number' || !Number.isSafeInteger(code))
    return { status: 'terminal', reason: 'the server returned a JSON-RPC error without a code' };
  if (REFUSALS.includes(code))
    return { status: 'refusal', reason: `the server refused the call with the JSON-RPC error ${code}` };
  return { status: 'terminal', reason: `the server returned the JSON-RPC error ${code}` };
}
