import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import { begunLine } from '../sending/begun.ts';
import { HOOKS } from '../sending/leftovers.ts';
import { Sender } from '../sending/sender.ts';
import { sentLine } from '../sending/steps.ts';
import type { Call, Outcome, Recorded, ResultDetails } from '../session/capture.ts';
import { evidenceOf } from '../session/evidence.ts';
import { bodyOf, type SessionContext } from '../session/session.ts';
import { settledWithin } from '../session/within.ts';
import type { SpoolFile } from '../spool/file.ts';
import type { Line } from '../spool/lines.ts';
import type { SessionState } from '../spool/state.ts';
import type { HookEvent } from './event.ts';

/** The time that a hook waits for another one of the same session, in milliseconds. */
const LOCK_MS = 200;
/** The time for the spool after the service did not respond, in milliseconds. */
const RESERVED_MS = 150;
/** How long a service that did not respond is left alone, in milliseconds: each call would wait for it. */
const PAUSE_MS = 10_000;

/**
 * Records an event. Each event has a process of its own, so a call begins in one and ends in another; the
 * file of the session is shared, and locked only while it is written.
 * @param deadline in milliseconds of `performance.now`
 * @param requiresReceipt true if a call is not made without a receipt
 * @returns what exists of a call that begins; null for other events
 */
export async function recordEvent(
  context: SessionContext,
  event: Exclude<HookEvent, { kind: 'none' }>,
  deadline: number,
  requiresReceipt: boolean,
): Promise<Recorded | null> {
  const header = context.header();
  const { target, agent_id, domain } = header;
  // Hooks with other options are another session.
  const name = HOOKS + sha256Hex(JSON.stringify([event.session, target, agent_id, domain])).slice(0, 32);
  const begins = event.kind === 'begin' || event.kind === 'denied';
  const file = context.directory.share(name, begins ? () => header : null, LOCK_MS);
  if (file === null) return null;
  const ending = new AbortController();
  const hook = new Hook(context, file, ending.signal, deadline);
  try {
    if (event.kind === 'begin') return await hook.begin(event.key, event.call, requiresReceipt);
    if (event.kind === 'end')
      await hook.end(event.key, event.outcome, event.result === undefined ? {} : { result: event.result });
    else if (event.kind === 'denied') await hook.denied(event.key, event.call, event.outcome);
    else await hook.close();
    return null;
  } finally {
    ending.abort();
    if (context.keep !== null) await settledWithin(context.keep.flushed(), deadline - performance.now());
    if (event.kind === 'close' && !file.state.isComplete)
      file.closeAs(context.directory.fileOf(Bun.randomUUIDv7()));
    else file.close();
  }
}

class Hook {
  private readonly sender: Sender;

  constructor(
    private readonly context: SessionContext,
    private readonly file: SpoolFile,
    signal: AbortSignal,
    private readonly deadline: number,
  ) {
    const { target } = file.state.header;
    this.sender = new Sender(file, { open: () => context.openTarget(target), signal });
  }

  async begin(key: string, call: Call, requiresReceipt: boolean): Promise<Recorded> {
    const { file, context } = this;
    let id = '';
    let isOnline = false;
    file.write((state) => {
      isOnline = canSend(state) && !isBehind(state);
      const begun = begunLine(state, { ...call, key });
      id = begun.call;
      return isOnline ? [begun, sentLine(id, state.newest?.[1] ?? null)] : [begun];
    });
    context.keep?.begin(id, call);
    if (isOnline) {
      const problem = await settledWithin(this.sender.issue(id), this.left - RESERVED_MS);
      if (file.state.calls.get(id)?.receipt != null) return 'issued';
      if (problem === null) this.pause('the service does not respond in time');
    }
    if (requiresReceipt) {
      file.write(({ calls }) => [blockedLine(id, calls.get(id)?.sent != null)]);
      return 'nothing';
    }
    if (await settledWithin(file.sync(), this.left)) {
      if (!isOnline && canSend(file.state)) await settledWithin(this.sender.sendAll(), this.left);
      return file.state.calls.get(id)?.receipt != null ? 'issued' : 'spooled';
    }
    context.directory.countUnrecorded();
    return 'nothing';
  }

  async end(key: string, outcome: Outcome, returned: ResultDetails): Promise<void> {
    const { file } = this;
    let id: string | null = null;
    file.write((state) => {
      const call = state.openCall(key);
      if (call === null) return [];
      id = call.id;
      const body = bodyOf(outcome);
      const recorded = { scope: call.scope, inputDigest: call.inputDigest, details: detailsOf(call.scope) };
      this.context.keep?.end(id, recorded, body.status, returned);
      const { key: agentKey } = this.context;
      const times = { startedAt: Date.parse(call.at), endedAt: Date.now() };
      const signed = { captureId: id, call: recorded, body, returned, ...times };
      const evidence = agentKey === null ? {} : { evidence: evidenceOf(agentKey, signed) };
      return [{ type: 'ended', call: id, body, ...evidence }];
    });
    if (id === null || !canSend(file.state)) return;
    const sent = isBehind(file.state) ? this.sender.sendAll() : this.sender.settle(id);
    await settledWithin(sent, this.left);
  }

  async denied(key: string, call: Call, outcome: Outcome): Promise<void> {
    if (this.file.state.openCall(key) === null) await this.begin(key, call, false);
    await this.end(key, outcome, {});
  }

  async close(): Promise<void> {
    const { file } = this;
    file.write(({ calls }) => {
      const open = [...calls.values()].filter(({ ended }) => ended === null);
      const body = { status: 'null', refusal_reason: 'no result was reported before the session ended' };
      return [...open.map(({ id }): Line => ({ type: 'ended', call: id, body })), { type: 'closed' }];
    });
    if (canSend(file.state)) await settledWithin(this.sender.sendAll(), this.left);
  }

  private get left(): number {
    return Math.max(0, this.deadline - performance.now());
  }

  private pause(reason: string): void {
    this.file.write(() => [{ type: 'paused', reason, at: new Date().toISOString() }]);
  }
}

/** Returns whether the service may respond: it did, or it has not been asked for a while. */
function canSend({ paused }: SessionState): boolean {
  return paused === null || Date.parse(paused.at) < Date.now() - PAUSE_MS;
}

/** Returns whether calls wait in the spool, which are sent first. */
function isBehind({ calls, paused }: SessionState): boolean {
  return (
    paused !== null || [...calls.values()].some(({ sent, refusal }) => sent === null && refusal === null)
  );
}

/** Returns the line of a call that is not made. Without a request there is no receipt to end. */
function blockedLine(call: string, isSent: boolean): Line {
  if (!isSent) return { type: 'dropped', call };
  return {
    type: 'ended',
    call,
    body: { status: 'null', refusal_reason: 'the call was blocked without a receipt' },
  };
}

function detailsOf(scope: string) {
  return { method: 'hook', tool: scope.replace(/^hook:/, '') };
}
