import type { Logger } from 'pino';
import type { platformSettings } from './config/platform-settings.ts';
import type { Config, Setting } from './config/setting.ts';
import type { Handler } from './control/action.ts';
import type { Control } from './control/server.ts';
import type { DataDirectory } from './data-directory.ts';
import type { GrowingApp } from './http/documented-app.ts';
import type { Traffic } from './http/traffic.ts';
import type { Metric } from './monitoring/metrics.ts';
import type { MetricsRecorder } from './monitoring/recorder.ts';
import type { ScheduledTask } from './scheduler.ts';
import type { Schema } from './store/migrations/migrate.ts';
import type { SteadyClock } from './time/clock.ts';

/** The database in a service's data directory: its file name and its schema. */
export interface ServiceDatabase {
  name: string;
  schema: Schema;
}

/** Something that is missing, and what to do about it. */
export interface RestoreProblem {
  what: string;
  hint: string;
  /** The command that the user runs next, complete except for names in capitals. */
  next: string;
}

/** A service, as the commands need it that work with any service. */
export interface ServiceDefinition {
  name: string;
  settings: ReturnType<typeof platformSettings>;
  /** All settings of the service. */
  table: readonly Setting[];
  database: ServiceDatabase;
  /** The names of all files and directories in its data directory, except the lock. */
  dataFiles: readonly string[];
  /** The settings that a demonstration sets itself, or that would connect to other machines. */
  notInDemo: readonly Setting[];
  /** Returns whether `text` is the key that belongs into the file of this name in `keys/`. */
  isKey(name: string, text: string): boolean;
  /** Returns what a restored data directory needs before the service can start, in the order to do it. */
  restoreChecks(data: string): Promise<RestoreProblem[]>;
  /**
   * Opens the service: migrations, store, and the secrets of a first start. Loads the code of this service
   * only.
   */
  open(opening: ServiceEnvironment): Promise<RunningService>;
  /**
   * Opens the service with the data of its demonstration. The directory must be empty and marked as a
   * demonstration.
   */
  openDemo(opening: ServiceEnvironment): Promise<RunningService>;
}

export interface ServiceEnvironment {
  directory: DataDirectory;
  config: Config;
  log: Logger;
  version: string;
  recorder: MetricsRecorder;
  /** The number of requests in progress. */
  traffic: Traffic;
  /** The URL of the service: `base_url`, or the address that it listens on. */
  url: string;
  /**
   * The URL at which this process listens, for requests to itself; absent in a process without a listener.
   */
  listener?: string;
  /** The clock of the service; the system's by default. A demonstration ends at its time. */
  clock?: SteadyClock;
}

/** The parts of a service that run in the background. */
export interface Background {
  tasks: readonly ScheduledTask[];
  metrics: readonly Metric[];
  /** Starts to serve the commands of this machine. */
  control(): Control;
}

/** The background of a service, with the actions that commands may perform. */
export interface ServiceBackground<Context> extends Background {
  actions: readonly Handler<Context>[];
}

/**
 * Returns the background of a service that performs its actions for the commands of this machine. A directory
 * on a read-only file system has no socket for them.
 */
export async function withControl<Context>(
  background: Omit<ServiceBackground<Context>, 'control'>,
  { path, isReadOnly }: DataDirectory,
  context: Context,
  log: Logger,
): Promise<ServiceBackground<Context>> {
  if (isReadOnly) return { ...background, control: () => ({ stop: async () => undefined }) };
  const { openControl } = await import('./control/server.ts');
  return { ...background, control: () => openControl(path, context, background.actions, log) };
}

/** The name of the file in the data directory with the secrets that a start made. It is in no backup. */
export const FIRST_START_FILE = 'first-start.json';

/** The secrets that a start made: only their hashes are stored. */
export interface MadeSecrets {
  /** The lines about the start without a secret. */
  about: readonly string[];
  /** The lines with the secrets; those of the configuration are not in them. */
  lines: readonly string[];
  /** The secrets without those of the configuration, as members of a JSON file. */
  values: Readonly<Record<string, string>>;
  /** What the same file also names. */
  names: Readonly<Record<string, string>>;
  /** Whether the configuration sets a secret of the service. */
  isConfigured: boolean;
}

export interface RunningService {
  /** Returns the application. Its documentation names `serverUrl`; `/` means the origin of the document. */
  app(serverUrl: string): GrowingApp;
  /** Loads the background of the service. @throws Failure for two modules with the same item */
  background(): Promise<Background>;
  /** The members of its ready file in addition to `url`, `service`, `version` and `pid`. */
  ready: Readonly<Record<string, unknown>>;
  /** The lines that it prints at start below its URL. */
  announcement: readonly string[];
  /** The secrets that this start made; null or absent for none. */
  secrets?: MadeSecrets | null;
  /** Checks the files of the service. @returns the problem; null for none. See `WatchedFiles`. */
  checkFiles(): string | null;
  /** Ends responses that last until their client leaves, before the listener stops; absent if it has none. */
  endStreams?(): void;
  /** Waits for running writes and closes the database. */
  close(): Promise<void>;
}
