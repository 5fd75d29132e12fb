import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListWriter, reportDate } from '../../../../src/staffing/imports/deactivations.ts';
import { type Journal, writeJournal } from '../../../../src/staffing/imports/journal.ts';
import { recoverImports } from '../../../../src/staffing/imports/recover.ts';
import { lastReport } from '../../../../src/staffing/imports/report.ts';
import { deactivationLists } from '../../../../src/staffing/imports/store.ts';
import {
  currentRegistry,
  formerRegistry,
  makeCurrent,
  makeFormer,
} from '../../../../src/staffing/registry/current.ts';
import { openTestImports, type TestImports } from '../../../support/imports.ts';

let imports: TestImports;
beforeEach(() => {
  imports = openTestImports();
});
afterEach(() => imports.close());

const [OLDEST, OLD, FRESH] = ['2026-01-01-aaaa.db', '2026-02-08-bbbb.db', '2026-03-08-cccc.db'];
const put = (name: string): void => writeFileSync(join(imports.registry, name), name);
const files = (): string[] => readdirSync(imports.registry).sort();
const recover = () => recoverImports(imports.context, imports.context.log);
const journal = (some: Partial<Journal>): void =>
  writeJournal(imports.registry, {
    kind: 'full',
    started_at: '2026-03-09T00:00:00.000Z',
    file: '/files/monthly.zip',
    removable: [],
    pending: null,
    ...some,
  });

/** A directory in which OLD is current, OLDEST former, and FRESH was just built. */
function interruptedBeforeSwap(): void {
  for (const name of [OLDEST, OLD, FRESH]) put(name);
  makeCurrent(imports.registry, OLD);
  makeFormer(imports.registry, OLDEST);
  journal({ removable: [FRESH, OLDEST], pending: { current: FRESH, former: OLD } });
}

describe('after an import whose process was killed, a start', () => {
  test('removes temporary files, and no others', async () => {
    journal({});
    const strange = ['notes.txt', 'copy.db', '2026-01-01-kept.db', 'current.bak', 'x.scratch'];
    for (const name of strange) put(name);
    for (const name of [`${FRESH}.scratch`, `${FRESH}.scratch-texts`, 'current.0123456789ab.new']) put(name);
    await recover();
    expect(files()).toEqual([...strange, 'last-import.json'].sort());
  });

  test('before the swap removes the new file, and keeps the current and the former one', async () => {
    interruptedBeforeSwap();
    await recover();
    expect(files()).toEqual([OLDEST, OLD, 'current', 'former', 'last-import.json'].sort());
    expect([currentRegistry(imports.registry), formerRegistry(imports.registry)]).toEqual([OLD, OLDEST]);
  });

  test('in the middle of the swap completes it', async () => {
    interruptedBeforeSwap();
    makeCurrent(imports.registry, FRESH);
    await recover();
    expect(files()).toEqual([OLD, FRESH, 'current', 'former', 'last-import.json'].sort());
    expect([currentRegistry(imports.registry), formerRegistry(imports.registry)]).toEqual([FRESH, OLD]);
  });

  test('reports it once, in the log and as the last import', async () => {
    interruptedBeforeSwap();
    await recover();
    expect(lastReport(imports.registry)).toMatchObject({
      outcome: 'interrupted',
      files: { npi: '/files/monthly.zip' },
      started_at: '2026-03-09T00:00:00.000Z',
    });
    const logged = imports.logged();
    expect(logged).toContain('the process ended while an import was running');
    await recover();
    expect(imports.logged()).toBe(logged);
  });

  test('puts a report of deactivations in force if its registry became the current one', async () => {
    const lists = new ListWriter(imports.context);
    lists.addDeactivations('2026-03-09', [{ npi: 2_000_000_002, deactivatedOn: '2026-01-01' }]);
    await lists.written();
    await lists.bind(FRESH);
    interruptedBeforeSwap();
    makeCurrent(imports.registry, FRESH);
    await recover();
    expect(await reportDate(imports.context)).toBe('2026-03-09');
  });

  test('deletes a report of deactivations whose registry did not become the current one', async () => {
    const lists = new ListWriter(imports.context);
    lists.addDeactivations('2026-03-09', [{ npi: 2_000_000_002, deactivatedOn: '2026-01-01' }]);
    await lists.written();
    await lists.bind(FRESH);
    interruptedBeforeSwap();
    await recover();
    expect(await imports.store.read(deactivationLists)).toEqual([]);
  });

  test('treats a damaged journal as none', async () => {
    writeFileSync(join(imports.registry, 'import.json'), '{"kind":');
    await recover();
    expect(files()).toEqual([]);
    expect(imports.logged()).not.toContain('interrupted');
  });
});

test('a start without a registry directory has nothing to remove', async () => {
  const nowhere = { ...imports.context, registryPath: join(imports.registry, 'nowhere') };
  await recoverImports(nowhere, imports.context.log);
  expect(files()).toEqual([]);
});
