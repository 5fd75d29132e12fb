import { RefusedRequest } from '../../../platform/client/failures.ts';
import type { ServiceTarget } from '../../../platform/client/service-target.ts';
import { Failure } from '../../../platform/failure.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../proof/encoding/json.ts';
import type { SpoolFile } from '../spool/file.ts';
import type { FinalizeBody, Line } from '../spool/lines.ts';
import type { CallState } from '../spool/state.ts';

/** The time for a request, in milliseconds. A call waits for less: its entry is in the spool then. */
const TIMEOUT_MS = 30_000;
/**
 * How long the service replays the response to an Idempotency-Key of a capture, less a day, in milliseconds.
 */
const REPLAYED_MS = 29 * 86_400_000;

/** What a step needs. */
export interface StepContext {
  file: SpoolFile;
  target: ServiceTarget;
  /** Ends the request. */
  signal: AbortSignal;
}

/** Issues the receipt of a call, or gets the one that an earlier request issued. @throws Failure */
export async function issueReceipt({ file, ...context }: StepContext, call: CallState): Promise<void> {
  // Another request with the same body, so what it chains to is stored before the first one.
  file.write(({ calls, newest }) =>
    calls.get(call.id)?.sent === null ? [sentLine(call.id, newest?.[1] ?? null)] : [],
  );
  const current = file.state.calls.get(call.id) ?? call;
  if (Date.parse(current.sent?.at ?? '') < Date.now() - REPLAYED_MS)
    throw new RefusedRequest(
      422,
      'an earlier request for this receipt has no response and is too old to repeat: the receipt may exist',
      null,
      'request_too_old',
    );
  try {
    await issueOnce({ file, ...context }, current);
  } catch (error) {
    // A service that was restored may have lost what this chains to. It has issued nothing for this request.
    const isUnknown =
      error instanceof RefusedRequest && error.status === 400 && /prev_receipt_hash/.test(error.message);
    if (!isUnknown || current.sent?.prev == null) throw error;
    file.write(() => [sentLine(call.id, null)]);
    await issueOnce({ file, ...context }, file.state.calls.get(call.id) ?? current);
  }
}

/** Returns the line before the first request for a receipt. @param prev the content_hash that it chains to */
export function sentLine(call: string, prev: string | null): Line {
  return { type: 'sent', call, prev, at: new Date().toISOString() };
}

async function issueOnce({ file, target, signal }: StepContext, call: CallState): Promise<void> {
  const { agent_id, domain } = file.state.header;
  const prev = call.sent?.prev ?? null;
  const response = await target.call(
    'issueReceipt',
    {
      ...{ agent_id, receipt_type: 'custody', input_digest: call.inputDigest, authority_scope: call.scope },
      ...{ expiry: call.expiry, domain },
      ...(prev === null ? {} : { prev_receipt_hash: prev }),
    },
    { idempotencyKey: call.id, attempts: 1, timeoutMs: TIMEOUT_MS, signal },
  );
  const { receipt, hash, members } = receiptIn(response);
  if (members.input_digest !== call.inputDigest || members.authority_scope !== call.scope)
    throw new RefusedRequest(
      409,
      `the service responded with the receipt ${receipt}, which is of another call`,
      null,
      'other_receipt',
    );
  file.write(() => [{ type: 'issued', call: call.id, receipt, hash }]);
}

/** Finalizes the receipt of a call that has ended. @throws Failure */
export async function finalizeReceipt({ file, target, signal }: StepContext, call: CallState): Promise<void> {
  const { id, receipt, ended } = call;
  if (receipt === null || ended === null) return;
  const options = { idempotencyKey: id, attempts: 1, timeoutMs: TIMEOUT_MS, signal };
  const finalize = async (): Promise<JsonValue> => {
    try {
      return await target.call('finalizeReceipt', { id: receipt.id, ...ended }, options);
    } catch (error) {
      const isDone = error instanceof RefusedRequest && FINAL.includes(error.code ?? '');
      if (!isDone) throw error;
      return target.call('getReceipt', { id: receipt.id }, options);
    }
  };
  const { hash, members } = receiptIn(await finalize());
  if (!hasOutcome(members, ended))
    throw new RefusedRequest(
      409,
      `somebody else ended the receipt ${receipt.id} in another way`,
      null,
      'receipt_ended_otherwise',
    );
  file.write(() => [{ type: 'finalized', call: id, hash }]);
}

/**
 * The receipt has an outcome already, from an earlier request or from somebody else with a key of the
 * operator, such as the agent whose call it is.
 */
const FINAL = ['receipt_already_finalized', 'receipt_already_revoked'];

/** Returns whether a receipt has the outcome of a call. */
function hasOutcome(members: JsonObject, ended: FinalizeBody): boolean {
  return (['status', 'output_hash', 'refusal_reason', 'terminal_reason'] as const).every(
    (name) => (members[name] ?? null) === (ended[name] ?? null),
  );
}

/** Sends the evidence of a call that has ended. @throws Failure */
export async function sendEvidence({ file, target, signal }: StepContext, call: CallState): Promise<void> {
  const { id, evidence } = call;
  if (evidence === null) return;
  try {
    await target.call(
      'anchorEvidence',
      { id: file.state.header.agent_id, source_type: 'otel_genai_trace', ...evidence },
      { idempotencyKey: id, attempts: 1, timeoutMs: TIMEOUT_MS, signal },
    );
  } catch (error) {
    if (!(error instanceof RefusedRequest && error.status === 409)) throw error;
  }
  file.write(() => [{ type: 'evidenced', call: id }]);
}

function receiptIn(response: JsonValue): { receipt: string; hash: string; members: JsonObject } {
  const members = isJsonObject(response) ? response : {};
  const { receipt_id: receipt, content_hash: hash } = members;
  if (typeof receipt === 'string' && typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash))
    return { receipt, hash, members };
  throw new Failure(
    'the service responded with what is no receipt',
    'check that the URL is the one of a Countersign trust service',
  );
}
