import { randomBytes } from 'node:crypto';
import type { KeyPair } from '../../../platform/crypto/key-files.ts';
import type { JsonObject } from '../../../proof/encoding/json.ts';
import { signedObject } from '../../agent/sign.ts';
import { plainText } from '../sending/begun.ts';
import type { FinalizeBody, SignedPayload } from '../spool/lines.ts';
import type { Call, ResultDetails } from './capture.ts';

/** What the evidence of a call says. */
interface Ended {
  captureId: string;
  call: Call;
  body: FinalizeBody;
  returned: ResultDetails;
  /** In milliseconds. */
  startedAt: number;
  endedAt: number;
}

/**
 * Returns the evidence of a call, signed by the agent: a span of OpenTelemetry's conventions for generative
 * AI (semantic-conventions-genai 0.1.0, `execute_tool`). It has digests, and neither arguments nor results.
 * Names and ids of the protocol are cut and cleaned as in receipts, so that any call has evidence.
 */
export function evidenceOf(key: KeyPair, ended: Ended): SignedPayload {
  const payload = spanOf(ended);
  return { payload, signature: signedObject(key, payload).signature };
}

function spanOf({ captureId, call, body, returned, startedAt, endedAt }: Ended): JsonObject {
  const { tool, method, requestId, traceparent = '' } = call.details;
  const [, traceId, parentSpanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent) ?? [];
  const attributes: Record<string, string | undefined> = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': plainText(tool),
    'gen_ai.tool.call.id': captureId,
    'mcp.method.name': plainText(method),
    'jsonrpc.request.id': requestId === undefined ? undefined : plainText(String(requestId)),
    'error.type': body.status === 'success' ? undefined : body.status,
    'countersign.authority_scope': plainText(call.scope),
    'countersign.input_digest': call.inputDigest,
    'countersign.output_hash': body.output_hash,
    'countersign.answer_digest': returned.answerDigest,
  };
  return {
    traceId: traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    name: `execute_tool ${plainText(tool)}`,
    // Nanoseconds are above 2^53, so OTLP's JSON has them as text.
    startTimeUnixNano: `${startedAt}000000`,
    endTimeUnixNano: `${endedAt}000000`,
    attributes: Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [{ key: name, value: { stringValue: value } }],
    ),
    status: body.status === 'success' ? { code: 'STATUS_CODE_OK' } : { code: 'STATUS_CODE_ERROR' },
  };
}
