import type { FinalizeBody, Header, Line, Numbered, SignedPayload, Step } from './lines.ts';

/** A call of which something is not sent yet. */
export interface CallState {
  /** The capture id. */
  id: string;
  n: number;
  at: string;
  scope: string;
  inputDigest: string;
  expiry: string;
  isClosing: boolean;
  /** The id of the call in the protocol of a hook. */
  key: string | null;
  /** What the first request for the receipt chained to; null before any request. */
  sent: { prev: string | null; at: string } | null;
  /** The receipt, with the content_hash of its pending version. */
  receipt: { id: string; hash: string } | null;
  ended: FinalizeBody | null;
  /** The content_hash of the final version. */
  finalHash: string | null;
  evidence: SignedPayload | null;
  /** What the service refused last. */
  refusal: { step: Step; reason: string } | null;
}

/** What a session's file says. */
export class SessionState {
  /** The calls of which something is not sent yet, in the order in which they began. */
  readonly calls = new Map<string, CallState>();
  /** The calls of which everything is sent, with the content_hash of the final version. */
  readonly done: Numbered[] = [];
  /** The number of the next call. */
  next = 1;
  /** The pending version of the newest receipt for whose issue the service has responded. */
  newest: Numbered | null = null;
  isClosed = false;
  /** True once the closing receipt has begun. */
  hasClosing = false;
  /** Why nothing could be sent, and when; null if it can. */
  paused: { reason: string; at: string } | null = null;
  /** The number of damaged lines. */
  damage = 0;

  constructor(readonly header: Header) {}

  /** Adds a line. A line about an unknown call, or one that has ended, changes nothing. */
  add(line: Line): void {
    switch (line.type) {
      case 'closed':
        this.isClosed = true;
        return;
      case 'paused':
        this.paused = line.reason === null ? null : { reason: line.reason, at: line.at };
        return;
      case 'done':
        for (const [n, hash] of line.receipts) this.finish(n, hash);
        this.chainTo(line.newest);
        return;
      case 'begun':
        this.begin(line);
        return;
      default: {
        const call = this.calls.get(line.call);
        if (call !== undefined) this.change(call, line);
      }
    }
  }

  /** Returns whether nothing of the session is left to send, and nothing will come. */
  get isComplete(): boolean {
    return this.isClosed && this.calls.size === 0 && !this.owesClosing;
  }

  /** Returns whether the closing receipt can be made: the session is closed, and everything else is sent. */
  get owesClosing(): boolean {
    const { header, isClosed, hasClosing, calls, done } = this;
    return isClosed && header.server !== null && !hasClosing && calls.size === 0 && done.length > 0;
  }

  /** Returns the call of a hook that has begun and has not ended; null for none. */
  openCall(key: string): CallState | null {
    for (const call of this.calls.values()) if (call.key === key && call.ended === null) return call;
    return null;
  }

  /** Returns the lines that say the same in short. */
  *compacted(): Generator<Line> {
    if (this.done.length > 0 && this.newest !== null)
      yield { type: 'done', receipts: this.done, newest: this.newest };
    for (const call of this.calls.values()) yield* linesOf(call);
    if (this.paused !== null) yield { type: 'paused', ...this.paused };
    if (this.isClosed) yield { type: 'closed' };
  }

  private begin({ call: id, n, at, scope, input_digest, expiry, closing, key }: Line & { type: 'begun' }) {
    if (this.calls.has(id)) return;
    const isClosing = closing === true;
    this.calls.set(id, {
      ...{ id, n, at, scope, inputDigest: input_digest, expiry, isClosing, key: key ?? null },
      ...{ sent: null, receipt: null, ended: null, finalHash: null, evidence: null, refusal: null },
    });
    this.next = Math.max(this.next, n + 1);
    this.hasClosing ||= isClosing;
  }

  private change(
    call: CallState,
    line: Exclude<Line, { type: 'begun' | 'closed' | 'paused' | 'done' }>,
  ): void {
    switch (line.type) {
      case 'sent':
        call.sent = { prev: line.prev, at: line.at };
        return;
      case 'issued':
        call.receipt = { id: line.receipt, hash: line.hash };
        call.refusal = null;
        this.chainTo([call.n, line.hash]);
        return;
      case 'ended':
        call.ended ??= line.body;
        call.evidence ??= line.evidence ?? null;
        return;
      case 'finalized':
        // Else the file lacks the line of its receipt: it is damaged.
        if (call.receipt === null) return;
        call.finalHash = line.hash;
        call.refusal = null;
        break;
      case 'evidenced':
        call.evidence = null;
        call.refusal = null;
        break;
      case 'dropped':
        if (call.sent === null && call.receipt === null) this.calls.delete(call.id);
        return;
      case 'refused':
        call.refusal = { step: line.step, reason: line.reason };
        return;
    }
    if (call.finalHash === null || call.evidence !== null) return;
    this.calls.delete(call.id);
    if (!call.isClosing) this.finish(call.n, call.finalHash);
  }

  private finish(n: number, hash: string): void {
    this.done.push([n, hash]);
    this.next = Math.max(this.next, n + 1);
  }

  private chainTo(receipt: Numbered): void {
    if (this.newest === null || receipt[0] > this.newest[0]) this.newest = receipt;
  }
}

function* linesOf(call: CallState): Generator<Line> {
  const { id, n, at, scope, inputDigest: input_digest, expiry, isClosing, key, evidence } = call;
  yield {
    ...{ type: 'begun', call: id, n, at, scope, input_digest, expiry },
    ...(isClosing ? { closing: true } : {}),
    ...(key === null ? {} : { key }),
  };
  if (call.sent !== null) yield { type: 'sent', call: id, ...call.sent };
  if (call.receipt !== null)
    yield { type: 'issued', call: id, receipt: call.receipt.id, hash: call.receipt.hash };
  if (call.ended !== null)
    yield { type: 'ended', call: id, body: call.ended, ...(evidence === null ? {} : { evidence }) };
  if (call.finalHash !== null) yield { type: 'finalized', call: id, hash: call.finalHash };
  if (call.refusal !== null) yield { type: 'refused', call: id, ...call.refusal };
}
