import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Importer } from '../../../../src/staffing/imports/importer.ts';
import { lastReport } from '../../../../src/staffing/imports/report.ts';
import {
  Cancelled,
  NONE_REFUSED,
  type Prepared,
  type StartWork,
  type WorkEvent,
} from '../../../../src/staffing/imports/work.ts';
import { currentRegistry, formerRegistry } from '../../../../src/staffing/registry/current.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { ended, NO_TASK, openTestImports, type TestImports } from '../../../support/imports.ts';
import { madeUpRows, monthlyName, writePublished } from '../../../support/published-files.ts';

/** An import whose steps end when the test says so. */
class HeldWork {
  readonly prepared = Promise.withResolvers<Prepared>();
  readonly applied = Promise.withResolvers<void>();
  readonly reached = Promise.withResolvers<void>();
  isEnded = false;
  suppressedAtEnd: readonly number[] = [];
  event: (event: WorkEvent) => void = () => undefined;

  readonly start: StartWork = (_task, _places, onEvent) => {
    this.event = onEvent;
    return {
      prepare: () => {
        this.reached.resolve();
        return this.prepared.promise;
      },
      apply: async (suppressed) => {
        this.suppressedAtEnd = suppressed;
        await this.applied.promise;
        return {
          records: 7,
          added: null,
          updated: null,
          removed: null,
          unchanged: null,
          refused: NONE_REFUSED,
          suppressed: 0,
        };
      },
      cancel: () => this.prepared.reject(new Cancelled()),
      end: () => {
        this.isEnded = true;
        this.prepared.reject(new Error('the thread ended'));
      },
    };
  };
}

const prepared = (registry: string): Prepared => ({
  kind: 'full',
  registry,
  isNewFile: true,
  records: 7,
  sample: true,
  asOf: '2026-03-08',
  reportAsOf: null,
  groupings: null,
  rows: null,
  bad: { by_reason: {}, examples: [] },
  lost: { count: 0, by_reason: {}, examples: [] },
  leftOut: { duplicates: 0, refused: 0, deactivated: 0, suppressed: 0 },
  warnings: [],
});

let imports: TestImports;
let work: HeldWork;
beforeEach(() => {
  work = new HeldWork();
  imports = openTestImports(work.start);
});
afterEach(() => imports.close());

const task = { ...NO_TASK, npi: '/files/monthly.zip' };
const running = (importer: Importer): boolean | undefined => importer.status?.isRunning;

describe('an import that runs', () => {
  test('shows how far it is', async () => {
    imports.importer.start(task);
    await work.reached.promise;
    const progress = { step: 'reading', rows: 12, share: 0.25 };
    work.event({ event: 'progress', progress });
    expect(imports.importer.status).toMatchObject({ isRunning: true, progress, report: null });
  });

  test('refuses a second one, which can start after its end', async () => {
    imports.importer.start(task);
    expect(() => imports.importer.start(task)).toThrow(/an import is running since 20/);
    await work.reached.promise;
    imports.importer.cancel();
    await imports.importer.idle();
    expect(() => imports.importer.start(task)).not.toThrow();
  });

  test('ends without an effect when it is cancelled', async () => {
    const name = imports.publish(madeUpClinicians(5, 1));
    imports.importer.start(task);
    await work.reached.promise;
    imports.importer.cancel();
    expect(await ended(imports.importer)).toMatchObject({ outcome: 'cancelled', registry: null });
    expect(currentRegistry(imports.registry)).toBe(name);
    expect(work.isEnded).toBe(true);
  });

  test('is cancelled when the service stops', async () => {
    imports.importer.start(task);
    await work.reached.promise;
    await imports.importer.stop();
    expect(running(imports.importer)).toBe(false);
    expect(lastReport(imports.registry)).toMatchObject({ outcome: 'cancelled' });
  });

  test('waits for other changes of the registry, and applies the suppressions of that moment', async () => {
    const built = imports.publish(madeUpClinicians(7, 1));
    const change = Promise.withResolvers<void>();
    void imports.context.registryLock.run(() => change.promise);
    imports.importer.start(task);
    work.prepared.resolve(prepared(built));
    work.applied.resolve();
    while (imports.importer.status?.progress.step !== 'waiting for other changes of the registry')
      await Bun.sleep(0);
    imports.suppressed.push(2_000_000_002);
    change.resolve();
    expect(await ended(imports.importer)).toMatchObject({ outcome: 'done', records: 7 });
    expect(work.suppressedAtEnd).toEqual([2_000_000_002]);
  });

  test('that fails removes its temporary files, reports the cause and how many failed', async () => {
    imports.importer.start(task);
    await work.reached.promise;
    writeFileSync(join(imports.registry, '2026-03-08-abc.db.scratch-texts'), 'half');
    work.prepared.reject(Object.assign(new Error('disk I/O'), { code: 'ENOSPC' }));
    const report = await ended(imports.importer);
    expect(report).toMatchObject({ outcome: 'failed', problem: expect.stringContaining('(ENOSPC)') });
    expect(report.hint).toContain('full');
    expect(readdirSync(imports.registry)).toEqual(['last-import.json']);
    expect(imports.importer.ended).toEqual([{ kind: 'full', outcome: 'failed', count: 1 }]);
    expect(imports.logged()).toContain('"outcome":"failed"');
  });

  test('ends even when its report cannot be stored', async () => {
    imports.importer.start(task);
    await work.reached.promise;
    mkdirSync(join(imports.registry, 'last-import.json'));
    work.prepared.reject(new Error('broken'));
    expect(await ended(imports.importer)).toMatchObject({ outcome: 'failed', problem: 'broken' });
    expect(imports.logged()).toContain('the report of an import was not stored');
    rmSync(join(imports.registry, 'last-import.json'), { recursive: true });
  });
});

test('a new file that the service cannot open does not become the current one', async () => {
  const changed = openTestImports();
  try {
    const before = changed.publish(madeUpClinicians(5, 1));
    changed.context.registryChanged = () => {
      throw new Error('the service cannot open it');
    };
    const npi = writePublished(changed.files, monthlyName('2026-03-08'), madeUpRows(20));
    expect(await changed.run({ npi })).toMatchObject({
      outcome: 'failed',
      problem: 'the service cannot open it',
    });
    expect(currentRegistry(changed.registry)).toBe(before);
    expect(formerRegistry(changed.registry)).toBeNull();
    expect(readdirSync(changed.registry).filter((name) => name.startsWith('2026-03-08'))).toEqual([]);
    expect(existsSync(join(changed.registry, 'import.json'))).toBe(false);
  } finally {
    await changed.close();
  }
});
