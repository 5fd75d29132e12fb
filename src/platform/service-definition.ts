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
import type { Schema } from './store/migrations/migrations.ts';

/** The database in a service's data directory: its file's name, and its schema. */
export interface ServiceDatabase {
  name: string;
  schema: Schema;
}

/** Something that is not there, and what to do about it. */
export interface RestoreProblem {
  what: string;
  hint: string;
}

/** A service as those commands need it that no service owns. */
export interface ServiceDefinition {
  name: string;
  settings: ReturnType<typeof platformSettings>;
  /** All of its settings. */
  table: readonly Setting[];
  database: ServiceDatabase;
  /** The names of the files and directories that it makes in its data directory, but for the lock. */
  dataFiles: readonly string[];
  /** The settings that a demonstration sets itself, or that lead out of this machine. */
  notInDemo: readonly Setting[];
  /** Whether `text` is the key that a file of this name in `keys/` has to hold. */
  isKey(name: string, text: string): boolean;
  /** What a restored data directory lacks to be served. */
  restoreChecks(data: string): Promise<RestoreProblem[]>;
  /** Opens it: migrations, store, and the first start's secrets. Loads the code of this service alone. */
  open(opening: ServiceEnvironment): Promise<RunningService>;
  /** Opens it with the data of its demonstration, which it loads into the directory: an empty one, marked as a demonstration's. */
  openDemo(opening: ServiceEnvironment): Promise<RunningService>;
}

export interface ServiceEnvironment {
  directory: DataDirectory;
  config: Config;
  log: Logger;
  version: string;
  recorder: MetricsRecorder;
  /** The requests that are being answered. */
  traffic: Traffic;
  /** The URL under which it is known: `base_url`, or where it listens. */
  url: string;
}

/** What runs in a service beside its answers. */
export interface Background {
  tasks: readonly ScheduledTask[];
  metrics: readonly Metric[];
  /** Begins to answer the commands of this machine. */
  control(): Control;
}

/** The same, with what commands may ask of it while it runs. */
export type Commanded<Context> = Omit<Background, 'control'> & { actions: readonly Handler<Context>[] };

/** What runs in a service beside its answers, which answers the commands of this machine. */
export async function commanded<Context>(
  { actions, ...background }: Commanded<Context>,
  directory: string,
  context: Context,
  log: Logger,
): Promise<Background> {
  const { openControl } = await import('./control/server.ts');
  return { ...background, control: () => openControl(directory, context, actions, log) };
}

export interface RunningService {
  /** The application; its documentation names `serverUrl`, `/` being wherever the document was fetched from. */
  app(serverUrl: string): GrowingApp;
  /** Loads what runs beside the answers. @throws Failure for two modules that bring the same */
  background(): Promise<Background>;
  /** What its ready file has beside `url`, `service`, `version` and `pid`. */
  ready: Readonly<Record<string, unknown>>;
  /** What it says at its start, below where it is. */
  announcement: readonly string[];
  /** Returns what is wrong with its files, after a look at them; null when they are as they should be. See `WatchedFiles`. */
  checkFiles(): string | null;
  /** Commits what is under way and closes the database. */
  close(): Promise<void>;
}
