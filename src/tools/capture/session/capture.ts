import type { JsonValue } from '../../../proof/encoding/json.ts';

/**
 * How a call ended. The outcome of the receipt is the same one. A reason is signed and public: 1 to 1024
 * characters of fixed words and codes, never text of a server or a command.
 */
export type Outcome =
  /** SHA-256 of the canonical form of the result, as 64 hexadecimal characters. */
  | { status: 'success'; outputHash: string }
  | { status: 'refusal' | 'null'; reason: string }
  | { status: 'terminal' | 'graceful_shutdown' | 'timeout' | 'failure_tombstone'; reason: string };

/**
 * What a call is, for the evidence of an agent key (digests only) and for --keep. Receipts have none of it.
 */
export interface CallDetails {
  /** The method of the protocol, such as `tools/call`; of a command, `run`. */
  method: string;
  tool: string;
  /** What the input digest covers. Left out if it is too large to keep. */
  arguments?: JsonValue;
  /** The id of the request, as its protocol writes it. */
  requestId?: string | number;
  /** The W3C trace context of the caller. */
  traceparent?: string;
}

/** What a call returned, for --keep and for the evidence of an agent key. */
export interface ResultDetails {
  result?: JsonValue;
  /** SHA-256 of a human's answer during the call, as 64 hexadecimal characters. */
  answerDigest?: string;
}

/** A call before it is made. */
export interface Call {
  /**
   * What is called: `mcp:<server>:<tool>`, `hook:<tool>` or `run:<name>`. The session replaces control
   * characters by `_`, and cuts it at 256 characters.
   */
  scope: string;
  /** SHA-256 of the canonical form of the input, as 64 hexadecimal characters. */
  inputDigest: string;
  details: CallDetails;
}

/**
 * What exists of a call that may go on: its receipt; or its durable entry in the spool, from which the
 * receipt is issued later; or nothing, because neither was possible.
 */
export type Recorded = 'issued' | 'spooled' | 'nothing';

/** A call that has begun and has not ended. */
export interface OpenCall {
  /** `cap_` and a UUIDv7 without dashes: the Idempotency-Key of its receipt. */
  readonly captureId: string;
  /** Resolves within a second, and never rejects. */
  readonly recorded: Promise<Recorded>;
  /** Ends the call. Only the first end or drop counts. It does not wait for the service. */
  end(outcome: Outcome, details?: ResultDetails): void;
  /** States that the call was not made after all. Its receipt, if there is one, ends as `null`. */
  drop(reason: string): void;
}

/** The receipts of one session: of a wrapped server, a command, or a client with hooks. */
export interface Capture {
  /**
   * Begins a call: its receipt is issued, or its entry written. Calls may begin in parallel. The first one
   * opens the session; before it there is no file, no lock and no connection.
   */
  begin(call: Call): OpenCall;
  /**
   * Ends the session. Open calls end as `graceful_shutdown`, the closing receipt is made, and what is not
   * sent yet is sent for at most `ms` milliseconds. The rest stays in the spool. Never rejects.
   */
  close(ms: number): Promise<void>;
}

/** Who makes the calls of a session, and who receives them. A session reads this with its first call. */
export interface Parties {
  /** The name that the client gives itself; null if it gives none. An agent key or --agent replaces it. */
  agent: string | null;
  /** The server, for the scope of the closing receipt: `session:<server>`. */
  server: string;
}
