import type { ServiceTarget } from '../../../platform/client/service-target.ts';
import { sha256Hex } from '../../../platform/crypto/crypto.ts';
import type { SpoolFile } from '../spool/file.ts';
import type { Line, Step } from '../spool/lines.ts';
import type { CallState, SessionState } from '../spool/state.ts';
import { begunLine } from './begun.ts';
import { type Problem, problemOf } from './problem.ts';
import { finalizeReceipt, issueReceipt, sendEvidence } from './steps.ts';

/**
 * How many outcomes are sent at a time. Receipts are issued one after the other, so that they form a chain.
 */
const AT_ONCE = 8;

/** How a session is sent. */
export interface SenderOptions {
  /** Returns the service, with the key that its login context has now. @throws Failure */
  open(): ServiceTarget | Promise<ServiceTarget>;
  /** Ends all requests. */
  signal: AbortSignal;
  /** Is awaited before each step, to send more slowly. */
  pace?(): Promise<unknown>;
}

/** Sends what is in the file of a session. No step of a call is under way twice. */
export class Sender {
  /** The steps under way, by step and capture id. */
  private readonly underWay = new Map<string, Promise<Problem | null>>();
  private target: Promise<ServiceTarget> | null = null;

  constructor(
    private readonly file: SpoolFile,
    private readonly options: SenderOptions,
  ) {}

  /** Issues the receipt of a call. @returns null if it has one now */
  issue(id: string): Promise<Problem | null> {
    return this.step('issue', id);
  }

  /**
   * Sends the outcome and the evidence of a call that has a receipt and has ended. Does nothing for another
   * one.
   * @returns null if nothing of it is left
   */
  async settle(id: string): Promise<Problem | null> {
    const call = this.file.state.calls.get(id);
    if (call === undefined || call.receipt === null || call.ended === null) return null;
    const problem = call.finalHash === null ? await this.step('finalize', id) : null;
    if (problem !== null) return problem;
    return this.file.state.calls.get(id)?.evidence == null ? null : this.step('evidence', id);
  }

  /**
   * Sends everything in order, and the closing receipt of a closed session after all others. A step that the
   * service refuses is left, and the rest is sent.
   * @returns the first refusal; or why nothing more can be sent
   */
  async sendAll(): Promise<Problem | null> {
    const tried = new Set<string>();
    const refusals: Problem[] = [];
    for (;;) {
      const { state } = this.file;
      if (state.owesClosing) this.file.write(closingLines);
      const ids = [...state.calls.keys()].filter(
        (id) => hasSteps(state.calls.get(id)) && !tried.has(keyOf(state, id)),
      );
      if (ids.length === 0) break;
      const stopped = await this.sendThese(ids, tried, refusals);
      if (stopped !== null) return stopped;
    }
    if (this.file.state.paused !== null)
      this.file.write(() => [{ type: 'paused', reason: null, at: new Date().toISOString() }]);
    return refusals[0] ?? null;
  }

  /** @returns why nothing more can be sent */
  private async sendThese(ids: string[], tried: Set<string>, refusals: Problem[]): Promise<Problem | null> {
    const settling = new Set<Promise<void>>();
    const stopped: Problem[] = [];
    const note = (id: string, problem: Problem | null): void => {
      tried.add(keyOf(this.file.state, id));
      if (problem !== null) (problem.of === 'call' ? refusals : stopped).push(problem);
    };
    for (const id of ids) {
      await this.options.pace?.();
      if (stopped.length > 0) break;
      if (this.file.state.calls.get(id)?.receipt === null) {
        const problem = await this.issue(id);
        if (problem !== null) {
          note(id, problem);
          continue;
        }
      }
      const settled = this.settle(id)
        .then((problem) => note(id, problem))
        .finally(() => settling.delete(settled));
      settling.add(settled);
      if (settling.size >= AT_ONCE) await Promise.race(settling);
    }
    await Promise.all(settling);
    return stopped[0] ?? null;
  }

  /** Returns whether something is left that the service did not refuse, and that is not under way. */
  get isBehind(): boolean {
    for (const [id, call] of this.file.state.calls) {
      if (call.refusal !== null || !hasSteps(call)) continue;
      if (!(['issue', 'finalize', 'evidence'] as const).some((step) => this.underWay.has(`${step} ${id}`)))
        return true;
    }
    return false;
  }

  private step(step: Step, id: string): Promise<Problem | null> {
    const key = `${step} ${id}`;
    const started =
      this.underWay.get(key) ?? this.perform(step, id).finally(() => void this.underWay.delete(key));
    this.underWay.set(key, started);
    return started;
  }

  private async perform(step: Step, id: string): Promise<Problem | null> {
    const call = this.file.state.calls.get(id);
    if (call === undefined) return null;
    const { signal, open } = this.options;
    try {
      // Steps that begin together share what is opened. What cannot be opened is tried again by the next one.
      this.target ??= (async () => open())();
      const target = await this.target.catch((error: unknown) => {
        this.target = null;
        throw error;
      });
      await STEPS[step]({ file: this.file, target, signal }, call);
      return null;
    } catch (error) {
      const problem = problemOf(step, error);
      // Another key may be in its place when it is tried again.
      if (problem.exitCode === 3) this.target = null;
      this.file.write((state) => problemLines(state, id, step, problem));
      return problem;
    }
  }
}

const STEPS = { issue: issueReceipt, finalize: finalizeReceipt, evidence: sendEvidence } as const;

function problemLines(state: SessionState, id: string, step: Step, { of, reason }: Problem): Line[] {
  if (of === 'service') {
    // Hooks pause by the time of the line. For all others it says when the reason began.
    const isSame = state.paused?.reason === reason && state.header.kind !== 'hook';
    return isSame ? [] : [{ type: 'paused', reason, at: new Date().toISOString() }];
  }
  const refusal = state.calls.get(id)?.refusal;
  return refusal?.step === step && refusal.reason === reason
    ? []
    : [{ type: 'refused', call: id, step, reason }];
}

/** Returns whether something of a call can be sent. */
function hasSteps(call: CallState | undefined): boolean {
  return call !== undefined && (call.receipt === null || call.ended !== null);
}

/** Identifies what of a call is sent in one go: what follows from it is another. */
function keyOf({ calls }: SessionState, id: string): string {
  const call = calls.get(id);
  return `${id} ${call?.receipt === null} ${call?.ended === null} ${call?.finalHash === null}`;
}

/**
 * Returns the lines of the closing receipt. Its input digest covers the receipts of the session in the order
 * of their issue, as SHA-256 of the canonical form of `{receipts: [content_hash, …]}`.
 */
function closingLines(state: SessionState): Line[] {
  const hashes = state.done.toSorted(([a], [b]) => a - b).map(([, hash]) => hash);
  const text = `{"receipts":[${hashes.map((hash) => `"${hash}"`).join(',')}]}`;
  const inputDigest = sha256Hex(text);
  const begun = begunLine(state, { scope: `session:${state.header.server}`, inputDigest, isClosing: true });
  const body = { status: 'success', output_hash: inputDigest };
  return [begun, { type: 'ended', call: begun.call, body }];
}
