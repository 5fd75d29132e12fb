import { type Static, Type } from '@sinclair/typebox';
import type { ErrorForm, ErrorInForm } from '../http/errors/error-form.ts';
import { explanationOf, textOf } from '../http/errors/errors.ts';
import { inForms, named } from '../http/schema.ts';

/** The media type of OTLP in its binary encoding. */
export const PROTOBUF_TYPE = 'application/x-protobuf';
/** A Content-Type that is OTLP in its binary encoding. */
export const PROTOBUF = /^application\/x-protobuf\s*$/i;

/** Codes of google.rpc.Code by the HTTP status that they stand for. */
const CODES: Readonly<Record<number, number>> = {
  401: 16,
  403: 7,
  404: 5,
  405: 12,
  409: 10,
  429: 8,
  500: 13,
  503: 14,
};
const INVALID_ARGUMENT = 3;

const RpcStatus = named(
  'RpcStatus',
  Type.Object(
    {
      code: Type.Integer({ description: 'The google.rpc.Code that belongs to the HTTP status.' }),
      message: Type.String({ description: 'The error code, a colon, and what went wrong.' }),
    },
    { description: 'google.rpc.Status, as OTLP prescribes for errors.' },
  ),
);

/** A message of protobuf. */
export const protobufMessage = Type.Uint8Array({
  'x-schema': { type: 'string', format: 'binary', 'x-media-type': PROTOBUF_TYPE },
});

/**
 * The errors of OTLP: google.rpc.Status in the encoding of the request (OTLP specification 1.10, "OTLP/HTTP
 * Response"). Encodes without the library, since a server that refuses requests need not load it.
 */
export const rpcStatusForm: ErrorForm = {
  write(error, request) {
    const status = statusOf(error);
    return isProtobuf(request)
      ? { body: encoded(status), mediaType: PROTOBUF_TYPE }
      : { body: JSON.stringify(status), mediaType: 'application/json' };
  },
  problemOf(errors) {
    const codes = errors.map(({ code }) => code).join('|');
    const examples = errors.slice(0, 1).map((definition) => statusOf({ definition, details: {} }));
    const json = Type.Intersect(
      [RpcStatus, Type.Unsafe({ properties: { message: { pattern: `^(?:${codes}): ` } } })],
      { examples },
    );
    return inForms([json, protobufMessage], errors.map(explanationOf).join('\n\n'));
  },
};

/** Returns whether a request is OTLP in its binary encoding. */
export function isProtobuf(request: Request): boolean {
  return PROTOBUF.test(request.headers.get('content-type') ?? '');
}

function statusOf({ definition, details: { message, issues = {} } }: ErrorInForm): Static<typeof RpcStatus> {
  const problems = Object.entries(issues).map(([at, sentences]) => `${at} ${sentences.join(', ')}`);
  const text = message ?? (problems.length > 0 ? `${problems.join('; ')}.` : textOf(definition));
  return {
    code: CODES[definition.status] ?? INVALID_ARGUMENT,
    message: `${definition.code}: ${text}`,
  };
}

/** @param code below 128, which is one byte */
function encoded({ code, message }: Static<typeof RpcStatus>): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(message);
  const length: number[] = [];
  for (let rest = text.byteLength; length.length === 0 || rest > 0; rest >>>= 7) {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  }
  return Uint8Array.from([0x08, code, 0x12, ...length, ...text]);
}
