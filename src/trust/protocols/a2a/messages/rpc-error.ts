import type { JsonObject } from '../../../../proof/encoding/json.ts';

/**
 * The codes of JSON-RPC 2.0 and of A2A (specification 1.0 section 5.4; −32010 as in 0.1), with the reason of
 * the error and its message.
 */
const ERRORS = {
  parse: { code: -32700, reason: 'PARSE_ERROR', message: 'Invalid JSON payload' },
  request: { code: -32600, reason: 'INVALID_REQUEST', message: 'Request payload validation error' },
  method: { code: -32601, reason: 'METHOD_NOT_FOUND', message: 'Method not found' },
  params: { code: -32602, reason: 'INVALID_PARAMS', message: 'Invalid parameters' },
  refused: { code: -32000, reason: 'REFUSED', message: 'The request was refused' },
  task: { code: -32001, reason: 'TASK_NOT_FOUND', message: 'Task not found' },
  cancel: { code: -32002, reason: 'TASK_NOT_CANCELABLE', message: 'Task cannot be canceled' },
  unsupported: { code: -32004, reason: 'UNSUPPORTED_OPERATION', message: 'This operation is not supported' },
  content: { code: -32005, reason: 'CONTENT_TYPE_NOT_SUPPORTED', message: 'Incompatible content types' },
  card: {
    code: -32007,
    reason: 'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
    message: 'There is no extended agent card',
  },
  version: {
    code: -32009,
    reason: 'VERSION_NOT_SUPPORTED',
    message: 'This version of the protocol is not supported',
  },
  rate: { code: -32010, reason: 'RATE_LIMIT_EXCEEDED', message: 'Rate limit exceeded' },
} as const;

export type RpcErrorName = keyof typeof ERRORS;

/** What is wrong with a member of `params`. */
export interface FieldViolation {
  /** The dotted path of the member. */
  field: string;
  description: string;
}

/** An error of one call. It travels in a response with HTTP status 200. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  /** @param details what happened and what to do, as sentences */
  constructor(
    readonly error: RpcErrorName,
    details: string,
    private readonly more: { reason?: string; metadata?: JsonObject; violations?: FieldViolation[] } = {},
  ) {
    super(details);
  }

  /** Returns the error object (JSON-RPC 2.0 section 5.1) with details as `data` (A2A 1.0 section 9.5). */
  toJSON(): JsonObject {
    const { code, message, reason } = ERRORS[this.error];
    const { violations, metadata = {} } = this.more;
    const info = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: this.more.reason ?? reason,
      domain: 'a2a-protocol.org',
      metadata: { ...metadata, details: this.message },
    };
    const fields =
      violations === undefined
        ? []
        : [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: violations.map(({ field, description }) => ({ field, description })),
            },
          ];
    return { code, message: `${message}: ${this.message}`, data: [info, ...fields] };
  }
}
