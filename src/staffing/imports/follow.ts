import { constants } from 'node:os';
import { asFailure, Failure } from '../../platform/failure.ts';
import { isTerminal } from '../../platform/terminal/output.ts';
import { Progress, type Screen } from '../../platform/terminal/progress.ts';
import { type SteadyClock, systemClock, systemTimers, type Timers } from '../../platform/time/clock.ts';
import type { Report } from './report.ts';
import { plainProgressText, progressText } from './report-text.ts';

/** The interval at which the progress is read, in milliseconds. */
const POLL_MS = 200;
/**
 * The interval at which a line of the progress is written without a terminal, in milliseconds. A log of cron
 * shall have some lines of an import that takes minutes, and none of a short one.
 */
const LINE_MS = 10_000;

/** The state of an import, as its actions return it. */
interface Status {
  id: string;
  step: string;
  rows: number;
  share: number;
  seconds: number;
  report: Report | null;
}

const REAL_TIME = { clock: systemClock, timers: systemTimers };

/** The actions on an import. */
export interface Followed {
  /** True if a server runs the import. */
  isRemote: boolean;
  start(): Promise<Status>;
  status(id: string): Promise<Status>;
  cancel(id: string): Promise<unknown>;
}

/**
 * Starts an import, shows its progress until it ends, and returns its report: a bar on a terminal, otherwise
 * a line every 10 seconds. SIGINT and SIGTERM cancel it. SIGHUP, of a terminal that was closed, cancels it
 * only without a server, because a server continues it.
 * @throws Failure when it cannot be started, or the server ends
 */
export async function follow(
  { isRemote, start, status, cancel }: Followed,
  screen: Screen = process.stderr,
  { clock, timers }: { clock: Pick<SteadyClock, 'monotonic'>; timers: Timers } = REAL_TIME,
): Promise<Report> {
  const { id } = await start();
  const now = (): number => clock.monotonic();
  const progress = new Progress(screen, 'rows', now);
  const isLive = isTerminal(screen);
  let lineDue = now() + LINE_MS;
  const show = (state: Status): void => {
    progress.show(() => progressText(state, state.seconds * 1000));
    if (isLive || now() < lineDue) return;
    screen.write(`${plainProgressText(state)}\n`);
    lineDue = now() + LINE_MS;
  };
  const signals = (['SIGINT', 'SIGTERM', 'SIGHUP'] as const).filter(
    (signal) => signal !== 'SIGHUP' || !isRemote,
  );
  const end = (signal: NodeJS.Signals): void => {
    process.exitCode = 128 + constants.signals[signal];
    void cancel(id).catch(() => undefined);
  };
  const stateOf = async (of: string): Promise<Status> => {
    try {
      return await status(of);
    } catch (error) {
      if (!isRemote) throw error;
      const { message } = asFailure(error);
      throw new Failure(
        `the server ended or does not respond, and the import with it: ${message}`,
        'when the server runs again, countersign registry status shows what happened',
      );
    }
  };
  for (const signal of signals) process.on(signal, end);
  try {
    while (true) {
      const state = await stateOf(id);
      if (state.report !== null) return state.report;
      show(state);
      await new Promise<void>((resolve) => void timers.after(POLL_MS, resolve));
    }
  } finally {
    for (const signal of signals) process.off(signal, end);
    progress.clear();
  }
}
