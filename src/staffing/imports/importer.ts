import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Logger } from 'pino';
import { asFailure, Failure } from '../../platform/failure.ts';
import { asDiskFailure } from '../../platform/files/disk-failure.ts';
import type { Store } from '../../platform/store/store.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { withTimeout } from '../../platform/time/timeout.ts';
import type { RegistryLock } from '../registry/changes-lock.ts';
import { currentRegistry, formerRegistry } from '../registry/current.ts';
import type { RegistryDescription } from '../registry/description.ts';
import { deleteOtherLists, ListWriter } from './deactivations.ts';
import { removeJournal, removeRegistry, removeScratch, writeJournal } from './journal.ts';
import { addRefused, emptyReport, type Report, storeReport } from './report.ts';
import { Refused, refuseEmpty, refuseTooSmall, replaceableNow } from './rules.ts';
import { replaceCurrent } from './swap.ts';
import type { Task } from './task.ts';
import {
  type Applied,
  Cancelled,
  type Prepared,
  type Progress,
  type StartWork,
  type Work,
  type WorkEvent,
} from './work.ts';

/** How long a stop of the service waits for an import to end by itself, in milliseconds. */
const STOP_MS = 5000;

/** What an importer uses. */
export interface ImporterContext {
  store: Store;
  clock: Clock;
  /** The directory of the registry files. */
  registryPath: string;
  /** The path of the service's database. */
  databasePath: string;
  registryLock: RegistryLock;
  log: Logger;
  startWork: StartWork;
  /** Is called after the served file was changed or replaced. */
  registryChanged(): void;
  /** Returns the NPIs that are suppressed now. */
  suppressedNpis(): Promise<readonly number[]>;
}

/** The state of the newest import of this process. */
export interface ImportStatus {
  id: string;
  isRunning: boolean;
  progress: Progress;
  seconds: number;
  /** What happened; null while it runs. */
  report: Report | null;
}

interface Running {
  status: ImportStatus;
  task: Task;
  since: number;
  report: Report;
  work: Work | null;
  isCancelled: boolean;
  ended: Promise<void>;
}

/**
 * Runs imports, one at a time. The long work is done by a Worker; this class decides, and makes a new file
 * the current one.
 */
export class Importer {
  private running: Running | null = null;
  private readonly counts = new Map<string, { kind: string; outcome: string; count: number }>();

  constructor(private readonly context: ImporterContext) {}

  /** Begins an import. @returns its status @throws Failure while another one runs */
  start(task: Task): ImportStatus {
    if (this.running?.status.isRunning === true) {
      throw new Failure(
        `an import is running since ${this.running.report.started_at}`,
        'wait until it has ended (countersign registry status), then try again',
      );
    }
    const report = emptyReport(task, timestamp(this.context.clock));
    const status: ImportStatus = {
      id: randomUUID(),
      isRunning: true,
      progress: { step: 'starting', rows: 0, share: 0 },
      seconds: 0,
      report: null,
    };
    const running: Running = {
      status,
      task,
      since: performance.now(),
      report,
      work: null,
      isCancelled: false,
      ended: Promise.resolve(),
    };
    this.running = running;
    running.ended = this.run(running);
    return this.statusOf(running);
  }

  /** Returns the status of the running import, else of the last one of this process; null for none. */
  get status(): ImportStatus | null {
    return this.running === null ? null : this.statusOf(this.running);
  }

  /** How many imports of this process ended, by kind and outcome. */
  get ended(): { kind: string; outcome: string; count: number }[] {
    return [...this.counts.values()];
  }

  /** Lets the running import end without an effect, unless it is being made current. Does not wait. */
  cancel(): void {
    if (this.running?.status.isRunning !== true) return;
    this.running.isCancelled = true;
    this.running.work?.cancel();
  }

  /** Waits until no import runs. */
  async idle(): Promise<void> {
    await this.running?.ended;
  }

  /** Cancels the running import and waits until it has ended; after 5 s, ends its thread. */
  async stop(): Promise<void> {
    const { running } = this;
    if (running === null) return;
    this.cancel();
    await withTimeout(running.ended, STOP_MS, () => running.work?.end());
  }

  private statusOf({ status, since }: Running): ImportStatus {
    return status.isRunning ? { ...status, seconds: secondsSince(since) } : status;
  }

  /** Runs an import to its end and stores its report. Never rejects. */
  private async run(running: Running): Promise<void> {
    const { registryPath, log } = this.context;
    const { report, status, since } = running;
    let served: RegistryDescription | null = null;
    try {
      // An import may be the first command on a data directory.
      mkdirSync(registryPath, { recursive: true, mode: 0o700 });
      served = replaceableNow(registryPath, running.task.isForced);
      report.previous = served?.name ?? null;
      report.previous_as_of = served?.asOf ?? null;
      report.previous_records = served?.records ?? null;
      await this.steps(running, served);
      report.outcome = 'done';
    } catch (error) {
      endBadly(
        report,
        running.isCancelled && error instanceof Cancelled ? error : asDiskFailure(error, registryPath),
      );
    }
    running.work?.end();
    report.seconds = secondsSince(since);
    await this.tidy(report);
    running.status = { ...status, isRunning: false, seconds: report.seconds, report };
    const { kind, outcome, problem, registry, as_of, records, seconds } = report;
    const counted = this.counts.get(`${kind} ${outcome}`) ?? { kind, outcome, count: 0 };
    counted.count++;
    this.counts.set(`${kind} ${outcome}`, counted);
    log[outcome === 'failed' ? 'error' : 'info'](
      { kind, outcome, problem, registry, as_of, records, seconds },
      'import',
    );
  }

  private async steps(running: Running, served: RegistryDescription | null): Promise<void> {
    const { context } = this;
    const { task, report } = running;
    const journal = { kind: report.kind, started_at: report.started_at, file: task.npi ?? task.deactivated };
    // A file that cannot be read is no file to go back to, so a forced import removes it too.
    const unreadable = served === null ? currentRegistry(context.registryPath) : null;
    const removed = [formerRegistry(context.registryPath), unreadable].filter((name) => name !== null);
    const removable = (name: string): void =>
      writeJournal(context.registryPath, {
        ...journal,
        removable: [name, ...removed],
        pending: served === null ? null : { current: name, former: served.name },
      });
    writeJournal(context.registryPath, { ...journal, removable: [], pending: null });
    const lists = new ListWriter(context);
    const onEvent = (event: WorkEvent): void => {
      if (event.event === 'progress') running.status.progress = event.progress;
      else if (event.event === 'kind') report.kind = event.kind;
      else if (event.event === 'building') removable(event.registry);
      else if (event.event === 'deactivations') lists.addDeactivations(event.asOf, event.rows);
      else lists.addReactivations(event.rows);
    };
    const { registryPath: directory, databasePath: database } = context;
    running.work = context.startWork(task, { directory, database }, onEvent);
    if (running.isCancelled) throw new Cancelled();
    const prepared = await running.work.prepare(await context.suppressedNpis());
    describe(report, prepared);
    await lists.written();
    refuseEmpty(basename(journal.file ?? ''), prepared);
    if (prepared.records !== null && !task.isForced) refuseTooSmall(served, prepared, directory);
    if (running.isCancelled) throw new Cancelled();
    running.status.progress = {
      ...running.status.progress,
      step: 'waiting for other changes of the registry',
    };
    const { work } = running;
    await context.registryLock.run(async () => {
      const applied = await work.apply(await context.suppressedNpis());
      if (running.isCancelled && prepared.isNewFile) throw new Cancelled();
      if (prepared.isNewFile) {
        await lists.bind(prepared.registry);
        removable(prepared.registry);
        await replaceCurrent(context, prepared.registry, unreadable === null);
      } else {
        context.registryChanged();
      }
      await lists.enforce();
      describeChange(report, applied);
    });
    if (prepared.isNewFile) for (const name of removed) removeRegistry(directory, name);
  }

  /**
   * Removes what is left of an import, and stores its report. A full disk does not prevent the import from
   * ending.
   */
  private async tidy(report: Report): Promise<void> {
    const { registryPath, log } = this.context;
    try {
      if (report.outcome !== 'done' && report.registry !== null) {
        removeRegistry(registryPath, report.registry);
        report.registry = null;
      }
      removeScratch(registryPath);
      storeReport(registryPath, report);
      removeJournal(registryPath);
      if (report.outcome !== 'done') await deleteOtherLists(this.context);
    } catch (err) {
      log.error({ err }, 'the report of an import was not stored');
    }
  }
}

/** Adds what was read to a report. */
function describe(report: Report, prepared: Prepared): void {
  const { kind, registry, sample, asOf, reportAsOf, groupings, rows, bad, lost, leftOut, warnings } =
    prepared;
  Object.assign(report, {
    kind,
    registry,
    sample,
    rows,
    as_of: asOf,
    bad_rows: bad,
    lost_fields: lost,
    warnings,
  });
  report.deactivations_as_of = reportAsOf;
  report.records = prepared.records;
  report.groupings = groupings === null ? null : [...groupings];
  report.left_out = { ...leftOut };
}

/** Adds the change of the registry to a report. */
function describeChange(report: Report, applied: Applied): void {
  const { records, added, updated, removed, unchanged, refused, suppressed } = applied;
  Object.assign(report, { records, added, updated, removed, unchanged });
  report.left_out.refused += refused.count;
  addRefused(report.bad_rows, refused);
  report.left_out.suppressed += suppressed;
}

/** Adds the reason to the report of an import that had no effect. */
function endBadly(report: Report, error: unknown): void {
  if (error instanceof Cancelled) {
    report.outcome = 'cancelled';
    report.problem = 'the import was cancelled; the registry is unchanged';
    report.hint = 'to import the file, run the command again';
    return;
  }
  const { message, hint } = asFailure(error);
  report.outcome = error instanceof Refused ? 'refused' : 'failed';
  report.problem = message;
  report.hint = hint?.replace('start again', 'import the file again') ?? null;
}

function secondsSince(since: number): number {
  return Math.round(performance.now() - since) / 1000;
}
