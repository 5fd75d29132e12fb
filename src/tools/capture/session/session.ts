import type { KeyPair } from '../../../platform/crypto/key-files.ts';
import { messageOf } from '../../../proof/log/problem.ts';
import { begunLine } from '../sending/begun.ts';
import { type Leftovers, sendLeftovers } from '../sending/leftovers.ts';
import type { Problem } from '../sending/problem.ts';
import { Sender } from '../sending/sender.ts';
import { sentLine } from '../sending/steps.ts';
import type { SpoolFile } from '../spool/file.ts';
import type { FinalizeBody, Header } from '../spool/lines.ts';
import type { Call, Capture, OpenCall, Outcome, Recorded, ResultDetails } from './capture.ts';
import { evidenceOf } from './evidence.ts';
import type { Keep } from './keep.ts';
import type { Notices } from './notices.ts';
import { Outcomes } from './outcomes.ts';
import { Pauses } from './pauses.ts';
import { settledWithin } from './within.ts';

/** When the entry of a call without a receipt is synced to disk, in milliseconds. A disk can be slow. */
const SYNC_AFTER_MS = 200;
/** How long a call waits for its receipt, in milliseconds. */
const WAIT_MS = 700;
/** How long a call waits at all. */
const LONGEST_MS = 990;

/** How long a service of this machine may take to end, in milliseconds. What it has is durable before. */
const CLOSE_TARGET_MS = 2000;

/** What a session needs. */
export interface SessionContext extends Leftovers {
  /** Returns the first line of the session's file. It is called with the first call. */
  header(): Header;
  key: KeyPair | null;
  keep: Keep | null;
  notices: Notices;
  /** Ends what `openTarget` has opened. */
  closeTarget(): Promise<void>;
}

/** A session that is open: its file, and what sends it. */
interface Opened {
  file: SpoolFile;
  sender: Sender;
  pauses: Pauses;
  outcomes: Outcomes;
}

interface CallInSession {
  call: Call;
  startedAt: number;
  issued: Promise<unknown>;
}

/** A session of one process. */
export class CaptureSession implements Capture {
  /** The last problem of the service, or of a call; null for none so far. */
  problem: Problem | null = null;
  private opened: Opened | null = null;
  /** The calls that have begun and have not ended, by capture id. */
  private readonly open = new Map<string, CallInSession>();
  private readonly ending = new AbortController();

  constructor(private readonly context: SessionContext) {}

  begin(call: Call): OpenCall {
    const startedAt = Date.now();
    const isFirst = this.opened === null;
    this.opened ??= this.openSession();
    const { file, sender, pauses, outcomes } = this.opened;
    const isOnline = pauses.isOver;
    let id = '';
    file.write((state) => {
      const begun = begunLine(state, call);
      id = begun.call;
      return isOnline ? [begun, sentLine(id, state.newest?.[1] ?? null)] : [begun];
    });
    const issued = isOnline ? sender.issue(id).then((problem) => this.issued(problem)) : null;
    outcomes.sendAll();
    this.open.set(id, { call, startedAt, issued: issued ?? Promise.resolve() });
    this.context.keep?.begin(id, call);
    const recorded = this.recorded(id, startedAt, issued);
    if (isFirst) void recorded.then(() => this.sendOthers()).catch((error) => this.cannotSend(error));
    return {
      captureId: id,
      recorded,
      end: (outcome, details = {}) => this.end(id, bodyOf(outcome), details),
      drop: (reason) => this.drop(id, reason),
    };
  }

  async close(ms: number): Promise<void> {
    const { opened } = this;
    if (opened === null) return;
    const deadline = performance.now() + ms;
    const { file, pauses } = opened;
    const { keep, notices } = this.context;
    for (const id of [...this.open.keys()])
      this.end(
        id,
        { status: 'graceful_shutdown', terminal_reason: 'the session ended before the result' },
        {},
      );
    pauses.end();
    file.write(() => [{ type: 'closed' }]);
    await settledWithin(this.sendRest(opened), ms);
    this.ending.abort();
    if (keep !== null) await settledWithin(keep.flushed(), deadline - performance.now());
    const { isComplete, calls } = file.state;
    if (!isComplete)
      notices.say('service', `${calls.size} calls are in the spool; countersign capture send sends them`);
    try {
      file.close();
    } catch (error) {
      notices.say('close', `the spool cannot be changed: ${messageOf(error)}`);
    }
    this.opened = null;
    await settledWithin(this.context.closeTarget(), CLOSE_TARGET_MS);
  }

  private openSession(): Opened {
    const { directory, notices, openTarget } = this.context;
    const header = this.context.header();
    const file = directory.create(header);
    if (file.problem !== null) notices.say('spool', `calls have no entry in the spool: ${file.problem}`);
    const sender = new Sender(file, { open: () => openTarget(header.target), signal: this.ending.signal });
    const pauses = new Pauses({
      tryAgain: () => this.tryAgain(),
      isBehind: () => sender.isBehind,
    });
    return { file, sender, pauses, outcomes: new Outcomes((id) => void this.settle(id)) };
  }

  /** @returns true once the call has a receipt */
  private issued(problem: Problem | null): boolean {
    this.note(problem);
    return problem === null;
  }

  private async recorded(id: string, startedAt: number, issued: Promise<boolean> | null): Promise<Recorded> {
    const { opened } = this;
    if (opened === null) return 'nothing';
    const { file, pauses } = opened;
    let isIssued = issued === null ? false : await settledWithin(issued, SYNC_AFTER_MS);
    if (isIssued === true) return 'issued';
    const synced = file.sync();
    if (issued !== null && isIssued === null) isIssued = await settledWithin(issued, WAIT_MS - SYNC_AFTER_MS);
    if (isIssued === true) return 'issued';
    // The next call does not wait as long.
    if (isIssued === null) pauses.begin(null);
    const left = LONGEST_MS - (Date.now() - startedAt);
    if ((await settledWithin(synced, left)) === true) return 'spooled';
    const hasReceipt = file.state.calls.get(id)?.receipt !== null;
    if (hasReceipt) return 'issued';
    this.unrecorded(file.problem ?? 'the disk does not respond');
    return 'nothing';
  }

  private unrecorded(reason: string): void {
    const { directory, notices } = this.context;
    const isCounted = directory.countUnrecorded();
    const count = isCounted ? 'countersign capture status counts these calls' : 'they cannot be counted';
    notices.say('nothing', `a call has neither a receipt nor an entry in the spool (${reason}); ${count}`);
  }

  private end(id: string, body: FinalizeBody, returned: ResultDetails): void {
    const begun = this.open.get(id);
    if (begun === undefined || this.opened === null) return;
    this.open.delete(id);
    const { call, startedAt } = begun;
    const { key, keep } = this.context;
    const endedAt = Date.now();
    const evidence =
      key === null
        ? {}
        : { evidence: evidenceOf(key, { captureId: id, call, body, returned, startedAt, endedAt }) };
    this.opened.file.write(() => [{ type: 'ended', call: id, body, ...evidence }]);
    keep?.end(id, call, body.status, returned);
    const { outcomes } = this.opened;
    void begun.issued.then(() => outcomes.add(id));
  }

  private drop(id: string, reason: string): void {
    const { opened } = this;
    if (opened === null || !this.open.has(id)) return;
    if (opened.file.state.calls.get(id)?.sent !== null) {
      this.end(id, { status: 'null', refusal_reason: reason }, {});
      return;
    }
    // Without a request there is no receipt to end.
    this.open.delete(id);
    opened.file.write(() => [{ type: 'dropped', call: id }]);
  }

  /** Sends the outcome of a call, unless everything is sent in order later. */
  private async settle(id: string): Promise<void> {
    const { opened } = this;
    if (opened?.pauses.isOver !== true) return;
    this.note(await opened.sender.settle(id));
  }

  private note(problem: Problem | null): void {
    const { opened } = this;
    if (problem === null || opened === null || this.ending.signal.aborted) return;
    this.problem = problem;
    const { problem: unwritable } = opened.file;
    this.context.notices.say(
      problem.of,
      unwritable === null
        ? `a receipt waits in the spool: ${problem.reason}; countersign capture status shows what is left`
        : `a receipt waits in the memory of this process: ${problem.reason}; the spool has no entry (${unwritable})`,
    );
    if (problem.of === 'service') opened.pauses.begin(problem.retryAfterMs);
  }

  /** Sends what was spooled. @returns why nothing more can be sent; null if it can */
  private async tryAgain(): Promise<Problem | null> {
    const problem = (await this.opened?.sender.sendAll()) ?? null;
    return problem?.of === 'service' ? problem : null;
  }

  private async sendRest({ sender, pauses }: Opened): Promise<void> {
    await pauses.idle();
    const problem = await sender.sendAll();
    if (problem?.of === 'call') this.note(problem);
  }

  /** Sends what sessions whose process is gone have left. Its own calls come first. */
  private async sendOthers(): Promise<void> {
    const { opened } = this;
    if (opened?.pauses.isOver !== true) return;
    await sendLeftovers(this.context, {
      target: opened.file.state.header.target,
      signal: this.ending.signal,
      pace: () => Bun.sleep(PACE_MS),
    });
  }

  private cannotSend(error: unknown): void {
    this.context.notices.say('others', `what earlier sessions left is not sent: ${messageOf(error)}`);
  }
}

/** The pause before each call of another session, so that its requests delay no call of this one. */
const PACE_MS = 100;

/** Returns the body that finalizes a receipt with an outcome. */
export function bodyOf(outcome: Outcome): FinalizeBody {
  switch (outcome.status) {
    case 'success':
      return { status: 'success', output_hash: outcome.outputHash };
    case 'refusal':
    case 'null':
      return { status: outcome.status, refusal_reason: outcome.reason };
    default:
      return { status: outcome.status, terminal_reason: outcome.reason };
  }
}
