import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { timestamp } from '../../platform/clock.ts';
import { positionNumber } from '../../platform/http/cursor.ts';
import type { Paging } from '../../platform/http/page.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Desk } from '../context.ts';
import { staffingError } from '../dialect.ts';
import { listAnswer, pageRequest } from '../list.ts';
import { amendRegistry, readEntries } from '../registry/amend.ts';
import { currentRegistry } from '../registry/current.ts';
import type { Entry } from '../registry/entry.ts';
import { isNpi } from '../registry/vocabulary/npi.ts';
import { openRecord, sealRecord } from './record.ts';
import { suppressionSql } from './store.ts';

/** The list of suppressions: by NPI. */
const SUPPRESSIONS = { name: 'suppressions', position: Type.Tuple([positionNumber]) };

/**
 * Takes a clinician out of the registry, and out of all that come. What is written down first holds: should the process end
 * before the file is changed, the next start changes it. What the file had is kept, sealed, for `undoSuppression`.
 *
 * @throws ApiError INVALID_NPI
 */
export async function suppress(desk: Desk, npi: string, reason: string) {
  if (!isNpi(npi)) throw staffingError('INVALID_NPI');
  const at = timestamp(desk.clock);
  const { name, entries } = inCurrentFile(desk, [Number(npi)]);
  await desk.store.writeAsService((tx) => {
    suppressionSql(tx).put.run({ npi: Number(npi), reason, at });
    keepIn(tx, desk, name, entries);
  });
  takeOut(desk, [Number(npi)]);
  desk.registryChanged();
  return { npi, reason, was_in_registry: entries.length > 0 };
}

/**
 * Lets a clinician be found again: at once where the registry is still the file that he was taken out of, else from the next
 * registry on that has him.
 *
 * @returns `restored`, whether he is back at once. @throws ApiError INVALID_NPI, NOT_FOUND for one who is not suppressed
 */
export async function undoSuppression(desk: Desk, npi: string) {
  if (!isNpi(npi)) throw staffingError('INVALID_NPI');
  const key = { npi: Number(npi) };
  const row = await desk.store.read((snapshot) => suppressionSql(snapshot).find.get(key));
  if (row === undefined) {
    throw staffingError('NOT_FOUND', { message: 'This NPI is not suppressed; see suppress --list.' });
  }
  const name = currentRegistry(desk.registryPath);
  const entry = row.registry === name ? openRecord(desk.masterKey, row) : null;
  // The file first: should the process end here, the next start takes him out again, and nothing is undone.
  if (name !== null && entry !== null) {
    amendRegistry(join(desk.registryPath, name), { put: [], remove: [], putBack: [entry] });
  }
  try {
    await desk.store.writeAsService((tx) => void suppressionSql(tx).delete.run(key));
  } catch (error) {
    takeOut(desk, [key.npi]);
    throw error;
  }
  desk.registryChanged();
  return { npi, restored: entry !== null };
}

/** A page of the clinicians who are suppressed, by NPI. @throws ApiError INVALID_CURSOR */
export async function listSuppressions({ store, cursors }: Desk, query: Paging) {
  const pages = cursors.of(SUPPRESSIONS, []);
  const { rows, after = [0] } = pageRequest(query, pages);
  const [above] = after;
  return store.read((snapshot) =>
    listAnswer(
      suppressionSql(snapshot).page.all({ above, rows: rows + 1 }),
      rows,
      ({ npi, reason, at }) => ({ npi: String(npi), reason, at }),
      ({ npi }) => pages.write([npi]),
    ),
  );
}

/** Takes all who are suppressed out of the registry that is there: for each start, and after each import. */
export async function applySuppressions(desk: Desk): Promise<void> {
  const rows = await desk.store.read((snapshot) => suppressionSql(snapshot).npis.all());
  const { name, entries } = inCurrentFile(
    desk,
    rows.map(({ npi }) => npi),
  );
  if (entries.length === 0) return;
  await desk.store.writeAsService((tx) => keepIn(tx, desk, name, entries));
  takeOut(
    desk,
    entries.map(({ columns: [npi] }) => npi),
  );
}

/** What the file that is served has of these clinicians. */
function inCurrentFile({ registryPath }: Desk, npis: readonly number[]) {
  const name = currentRegistry(registryPath);
  if (name === null || npis.length === 0) return { name, entries: [] };
  return { name, entries: readEntries(join(registryPath, name), npis) };
}

function keepIn(
  tx: Transaction,
  { masterKey }: Desk,
  registry: string | null,
  entries: readonly Entry[],
): void {
  for (const entry of entries) {
    const [npi] = entry.columns;
    suppressionSql(tx).setRecord.run({ npi, registry, record: sealRecord(masterKey, entry) });
  }
}

function takeOut({ registryPath }: Desk, remove: readonly number[]): void {
  const name = currentRegistry(registryPath);
  if (name !== null) amendRegistry(join(registryPath, name), { put: [], remove });
}
