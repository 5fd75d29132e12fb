import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { openMigratedWriter } from '../../src/platform/store/migrations/migrate.ts';
import { openStore, type Store } from '../../src/platform/store/store.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { Importer, type ImporterContext } from '../../src/staffing/imports/importer.ts';
import { publishedFiles, type Readers } from '../../src/staffing/imports/readers.ts';
import type { Report } from '../../src/staffing/imports/report.ts';
import type { Task } from '../../src/staffing/imports/task.ts';
import { openSteps } from '../../src/staffing/imports/work/open.ts';
import type { StartWork } from '../../src/staffing/imports/work.ts';
import { buildRegistry } from '../../src/staffing/registry/build.ts';
import { RegistryLock } from '../../src/staffing/registry/changes-lock.ts';
import { makeCurrent } from '../../src/staffing/registry/current.ts';
import type { ClinicianRecord } from '../../src/staffing/registry/record.ts';
import { embeddedTaxonomy } from '../../src/staffing/registry/vocabulary/taxonomy.ts';
import { staffingDatabase } from '../../src/staffing/service/database.ts';

/** An importer on its own data directory, whose work runs in the thread of the test. */
export interface TestImports {
  /** The directory for input files. */
  files: string;
  /** The directory of the registry files. */
  registry: string;
  store: Store;
  importer: Importer;
  context: ImporterContext;
  suppressed: number[];
  /** How often the service was notified that the registry changed. */
  changes: () => number;
  logged: () => string;
  /** Imports to the end and returns the report. */
  run(task: Partial<Task>): Promise<Report>;
  /** Builds a registry file and makes it the current one, without an import. @returns its name */
  publish(records: Iterable<ClinicianRecord>, options?: { asOf?: string; sample?: boolean }): string;
  close(): Promise<void>;
}

/** Runs the steps of an import in this thread. */
const inThisThread =
  (readers: Readers = publishedFiles): StartWork =>
  (task, places, onEvent) => {
    let isCancelled = false;
    const steps = openSteps({
      task,
      places,
      readers,
      clock: systemClock,
      onEvent,
      isCancelled: () => isCancelled,
    });
    steps.catch(() => undefined);
    return {
      prepare: async (suppressed) => (await steps).prepare(suppressed),
      apply: async (suppressed) => (await steps).apply(suppressed),
      cancel() {
        isCancelled = true;
      },
      end: () => undefined,
    };
  };

export const NO_TASK: Task = {
  isRollback: false,
  npi: null,
  taxonomy: null,
  deactivated: null,
  groupings: null,
  isWeekly: false,
  asOf: null,
  isForced: false,
};

export function openTestImports(startWork: StartWork = inThisThread()): TestImports {
  const root = mkdtempSync(join(tmpdir(), 'countersign-imports-'));
  const [files, registry, database] = [
    join(root, 'files'),
    join(root, 'registry'),
    join(root, 'staffing.db'),
  ];
  for (const directory of [files, registry]) mkdirSync(directory);
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const connection = openMigratedWriter(database, 'memory', staffingDatabase.schema, log);
  const store = openStore(
    database,
    'memory',
    { failed: () => undefined, group: () => undefined },
    { connection },
  );
  const suppressed: number[] = [];
  let changes = 0;
  const context: ImporterContext = {
    store,
    clock: systemClock,
    registryPath: registry,
    databasePath: database,
    registryLock: new RegistryLock(),
    log,
    startWork,
    registryChanged: () => void changes++,
    suppressedNpis: async () => [...suppressed],
  };
  const importer = new Importer(context);
  return {
    files,
    registry,
    store,
    importer,
    context,
    suppressed,
    changes: () => changes,
    logged: () => lines.join(''),
    async run(task) {
      importer.start({ ...NO_TASK, ...task });
      return ended(importer);
    },
    publish(records, { asOf = '2026-01-01', sample = false } = {}) {
      const options = {
        asOf,
        sample,
        taxonomy: embeddedTaxonomy(),
        groupings: null,
        at: '2026-01-01T00:00:00Z',
      };
      const { name } = buildRegistry(registry, records, options);
      makeCurrent(registry, name);
      return name;
    },
    async close() {
      await importer.stop();
      await store.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Waits until the running import has ended, and returns its report. */
export async function ended(importer: Importer): Promise<Report> {
  await importer.idle();
  const { status } = importer;
  if (status?.report == null) throw new Error('the import has no report');
  return status.report;
}
