import type {
  Call,
  Capture,
  OpenCall,
  Outcome,
  Recorded,
  ResultDetails,
} from '../../src/tools/capture/session/capture.ts';

/** A call as a test sees it: what it began with, and how it ended. */
export interface RecordedCall {
  call: Call;
  ends: { outcome: Outcome; details: ResultDetails }[];
  drops: string[];
  /** Has its receipt be issued, or not. */
  record(state: Recorded): void;
}

/** A session that keeps what is said to it. Its calls are recorded at once, unless `isManual`. */
export class RecordingCapture implements Capture {
  readonly calls: RecordedCall[] = [];

  constructor(
    private readonly state: Recorded = 'issued',
    private readonly isManual = false,
  ) {}

  begin(call: Call): OpenCall {
    const { promise, resolve } = Promise.withResolvers<Recorded>();
    if (!this.isManual) resolve(this.state);
    const recorded: RecordedCall = { call, ends: [], drops: [], record: resolve };
    this.calls.push(recorded);
    return {
      captureId: `cap_${this.calls.length}`,
      recorded: promise,
      end: (outcome, details = {}) => recorded.ends.push({ outcome, details }),
      drop: (reason) => recorded.drops.push(reason),
    };
  }

  async close(): Promise<void> {
    // Nothing was opened.
  }

  /** The scopes of the calls, in order. */
  get scopes(): string[] {
    return this.calls.map(({ call }) => call.scope);
  }

  /** How each call ended: the status, and the reason if there is one. */
  get ends(): string[][] {
    return this.calls.map(({ ends }) =>
      ends.map(({ outcome }) =>
        'reason' in outcome ? `${outcome.status}: ${outcome.reason}` : outcome.status,
      ),
    );
  }
}
