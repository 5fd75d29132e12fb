import {
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../proof/encoding/json.ts';

/** The version of the format of a session's file. */
export const VERSION = 1;

/** The service that the receipts of a session are for. It names keys, and contains none. */
export type SpoolTarget =
  /** `account` is the one of the context's key at the login; null where the key may not read it. */
  | { kind: 'context'; name: string; url: string; account: string | null }
  | { kind: 'url'; url: string; key_file: string | null }
  | { kind: 'local'; directory: string };

/** What makes the calls of a session. */
export const KINDS = ['mcp', 'run', 'hook'] as const;
export type SessionKind = (typeof KINDS)[number];

/** The first line of a session's file. */
export interface Header {
  type: 'session';
  version: typeof VERSION;
  kind: SessionKind;
  target: SpoolTarget;
  agent_id: string;
  domain: string;
  /** What receives the calls, for the scope of the closing receipt; null for a session without one. */
  server: string | null;
  started_at: string;
}

/** The steps of a call at the service. */
export type Step = 'issue' | 'finalize' | 'evidence';

/** The body of a request that finalizes a receipt. */
export interface FinalizeBody {
  status: string;
  output_hash?: string;
  refusal_reason?: string;
  terminal_reason?: string;
}

/** A signed payload of evidence. */
export interface SignedPayload {
  payload: JsonObject;
  /** 128 hexadecimal characters. */
  signature: string;
}

/** A line of a session's file after the first. `call` is the capture id. */
export type Line =
  | {
      type: 'begun';
      call: string;
      /** The number of the call in its session, from 1. */
      n: number;
      at: string;
      scope: string;
      input_digest: string;
      expiry: string;
      /** True for the closing receipt. */
      closing?: true;
      /** The id of the call in the protocol of a hook. */
      key?: string;
    }
  /** Before the first request: what it chains to, so that each further request has the same body. */
  | { type: 'sent'; call: string; prev: string | null; at: string }
  | { type: 'issued'; call: string; receipt: string; hash: string }
  | { type: 'ended'; call: string; body: FinalizeBody; evidence?: SignedPayload }
  | { type: 'finalized'; call: string; hash: string }
  | { type: 'evidenced'; call: string }
  /** The call was not made, and no request for its receipt was sent. */
  | { type: 'dropped'; call: string }
  /** The service refused a step. It is tried again when a program sends what is left. */
  | { type: 'refused'; call: string; step: Step; reason: string }
  /** Nothing can be sent for now; the reason is null once it can. */
  | { type: 'paused'; reason: string | null; at: string }
  /** No further call begins. */
  | { type: 'closed' }
  /** Calls of which everything is sent. */
  | { type: 'done'; receipts: Numbered[]; newest: Numbered };

/** The number of a call, and a content_hash of its receipt. */
export type Numbered = [n: number, hash: string];

/** Returns lines as the text of a file. */
export function linesText(lines: readonly (Header | Line)[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Returns the header of a file; null for a line that is none, or is of another version. */
export function headerIn(text: string): Header | null {
  const value = objectIn(text);
  if (value === null || value.type !== 'session' || value.version !== VERSION) return null;
  const { agent_id, domain, server, started_at } = value;
  const kind = KINDS.find((known) => known === value.kind);
  const target = targetIn(value.target);
  if (kind === undefined || target === null || !isText(started_at)) return null;
  if (!isText(agent_id) || !isText(domain) || !(server === null || isText(server))) return null;
  return { type: 'session', version: VERSION, kind, target, agent_id, domain, server, started_at };
}

/** Returns a line of a file; null for one that is damaged. */
export function lineIn(text: string): Line | null {
  const value = objectIn(text);
  if (value === null) return null;
  if (value.type === 'closed') return { type: 'closed' };
  if (value.type === 'paused') {
    const { reason, at } = value;
    return isText(at) && (reason === null || isText(reason)) ? { type: 'paused', reason, at } : null;
  }
  if (value.type === 'done') return doneIn(value);
  return typeof value.call === 'string' && /^cap_[0-9a-f]{32}$/.test(value.call)
    ? lineOfCall(value, value.call)
    : null;
}

function lineOfCall(value: JsonObject, call: string): Line | null {
  switch (value.type) {
    case 'begun':
      return begunIn(value, call);
    case 'sent': {
      const { prev, at } = value;
      return isText(at) && (prev === null || isHash(prev)) ? { type: 'sent', call, prev, at } : null;
    }
    case 'issued': {
      const { receipt, hash } = value;
      return isText(receipt) && isHash(hash) ? { type: 'issued', call, receipt, hash } : null;
    }
    case 'ended':
      return endedIn(value, call);
    case 'finalized':
      return isHash(value.hash) ? { type: 'finalized', call, hash: value.hash } : null;
    case 'evidenced':
      return { type: 'evidenced', call };
    case 'dropped':
      return { type: 'dropped', call };
    case 'refused': {
      const step = STEPS.find((known) => known === value.step);
      return step !== undefined && isText(value.reason)
        ? { type: 'refused', call, step, reason: value.reason }
        : null;
    }
    default:
      return null;
  }
}

const STEPS: readonly Step[] = ['issue', 'finalize', 'evidence'];

function begunIn(value: JsonObject, call: string): Line | null {
  const { n, at, scope, input_digest, expiry, closing, key } = value;
  if (!isNumber(n) || !isText(at) || !isText(scope) || !isHash(input_digest) || !isText(expiry)) return null;
  return {
    type: 'begun',
    call,
    n,
    at,
    scope,
    input_digest,
    expiry,
    ...(closing === true ? { closing } : {}),
    ...(isText(key) ? { key } : {}),
  };
}

function endedIn({ body, evidence }: JsonObject, call: string): Line | null {
  if (!isJsonObject(body) || !isText(body.status)) return null;
  const { status, output_hash, refusal_reason, terminal_reason } = body;
  const finalization: FinalizeBody = {
    status,
    ...(isHash(output_hash) ? { output_hash } : {}),
    ...(isText(refusal_reason) ? { refusal_reason } : {}),
    ...(isText(terminal_reason) ? { terminal_reason } : {}),
  };
  if (!isJsonObject(evidence)) return { type: 'ended', call, body: finalization };
  const { payload, signature } = evidence;
  if (!isJsonObject(payload) || !isText(signature)) return null;
  return { type: 'ended', call, body: finalization, evidence: { payload, signature } };
}

function doneIn({ receipts, newest }: JsonObject): Line | null {
  const last = numberedIn(newest);
  if (!Array.isArray(receipts) || last === null) return null;
  const done: Numbered[] = [];
  for (const receipt of receipts) {
    const numbered = numberedIn(receipt);
    if (numbered === null) return null;
    done.push(numbered);
  }
  return { type: 'done', receipts: done, newest: last };
}

function numberedIn(value: JsonValue | undefined): Numbered | null {
  const [n, hash] = Array.isArray(value) ? value : [];
  return isNumber(n) && isHash(hash) ? [n, hash] : null;
}

function targetIn(value: JsonValue | undefined): SpoolTarget | null {
  if (!isJsonObject(value)) return null;
  const { kind, name, url, account, key_file, directory } = value;
  if (kind === 'context' && isText(name) && isText(url) && (account === null || isText(account)))
    return { kind, name, url, account };
  if (kind === 'url' && isText(url) && (key_file === null || isText(key_file)))
    return { kind, url, key_file };
  return kind === 'local' && isText(directory) ? { kind, directory } : null;
}

function objectIn(text: string): JsonObject | null {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

const isText = (value: JsonValue | undefined): value is string => typeof value === 'string' && value !== '';
const isHash = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isNumber = (value: JsonValue | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
