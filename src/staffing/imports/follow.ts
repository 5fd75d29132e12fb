import { constants } from 'node:os';
import { asFailure, Failure } from '../../platform/failure.ts';
import { Progress, type Screen } from '../../platform/terminal/progress.ts';
import type { Report } from './report.ts';
import { progressText } from './report-text.ts';

/** The interval at which the progress is read, in milliseconds. */
const POLL_MS = 200;

/** The state of an import, as its actions return it. */
interface Status {
  id: string;
  step: string;
  rows: number;
  share: number;
  seconds: number;
  report: Report | null;
}

/** The actions on an import. */
export interface Followed {
  /** True if a server runs the import. */
  isRemote: boolean;
  start(): Promise<Status>;
  status(id: string): Promise<Status>;
  cancel(id: string): Promise<unknown>;
}

/**
 * Starts an import, shows its progress on a terminal until it ends, and returns its report. SIGINT and
 * SIGTERM cancel it. SIGHUP, of a terminal that was closed, cancels it only without a server, because a
 * server continues it.
 * @throws Failure when it cannot be started, or the server ends
 */
export async function follow(
  { isRemote, start, status, cancel }: Followed,
  screen: Screen = process.stderr,
): Promise<Report> {
  const { id } = await start();
  const progress = new Progress(screen, 'rows');
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
      progress.show(() => progressText(state, state.seconds * 1000));
      await Bun.sleep(POLL_MS);
    }
  } finally {
    for (const signal of signals) process.off(signal, end);
    progress.clear();
  }
}
