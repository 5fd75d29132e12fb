import { Failure } from '../../../platform/failure.ts';
import { keptBy } from '../groupings.ts';
import type { DisseminationFacts, DisseminationOptions, LostField, NppesRow, RowBatch } from '../rows.ts';
import { type Columns, columnsOf } from './columns.ts';
import { periodOf } from './names.ts';
import { rowReader } from './row-reader.ts';
import { RowScanner } from './row-scanner.ts';
import { type Source, sourceOf } from './source.ts';

/** The most rows of a batch. */
const BATCH_ROWS = 2048;

/** An open file whose rows are parsed in this thread. */
export interface Parsing {
  facts: DisseminationFacts;
  batches: AsyncGenerator<RowBatch>;
}

/**
 * Opens a dissemination file and reads its header. A thread that has other work reads by `readDissemination`.
 * @throws Failure for a file that is not one of NPPES; and from the batches, for one that ends in the middle
 * of a row, and a damaged zip
 */
export async function parseDissemination(path: string, options: DisseminationOptions): Promise<Parsing> {
  const source = await sourceOf(path);
  const scanner = new RowScanner();
  const pieces = source.pieces()[Symbol.asyncIterator]();
  const columns = columnsOf(source.name, await headerOf(source, scanner, pieces));
  scanner.columns = columns.count;
  scanner.isNpiFirst = columns.of.npi === 0;
  const facts = { name: source.name, ...periodOf(source.name), header: columns.header, bytes: source.bytes };
  return { facts, batches: batchesOf(source, scanner, pieces, columns, options) };
}

async function headerOf(
  source: Source,
  scanner: RowScanner,
  pieces: AsyncIterator<Buffer>,
): Promise<string[]> {
  while (true) {
    const scanned = scanner.next();
    if (scanned === 'more') await refill(scanner, pieces);
    else if (scanned === 'row') {
      return Array.from({ length: scanner.count }, (_, column) =>
        scanner.bytes.toString('utf8', scanner.starts[column], scanner.ends[column]),
      );
    } else {
      throw new Failure(
        `${source.name} does not begin with a line of column names`,
        'specify a file of the NPPES data dissemination',
      );
    }
  }
}

async function* batchesOf(
  source: Source,
  scanner: RowScanner,
  pieces: AsyncIterator<Buffer>,
  columns: Columns,
  options: DisseminationOptions,
): AsyncGenerator<RowBatch> {
  const read = rowReader(scanner, columns, keptBy(options), (field) => lost.push(field));
  let rows: NppesRow[] = [];
  let lost: LostField[] = [];
  try {
    while (true) {
      const scanned = scanner.next();
      if (scanned === 'row') rows.push(read());
      else if (scanned === 'bad') {
        rows.push({ kind: 'bad', line: scanner.line, npi: null, field: null, reason: scanner.problem });
      } else if (scanned === 'more') await refill(scanner, pieces);
      else if (scanned === 'truncated') throw truncated(source, scanner.line);
      else break;
      if (rows.length < BATCH_ROWS) continue;
      yield { rows, lost, bytesRead: scanner.consumed };
      rows = [];
      lost = [];
    }
    if (rows.length > 0) yield { rows, lost, bytesRead: scanner.consumed };
  } finally {
    await pieces.return?.();
  }
}

async function refill(scanner: RowScanner, pieces: AsyncIterator<Buffer>): Promise<void> {
  const { value, done } = await pieces.next();
  if (done === true) scanner.end();
  else scanner.push(value);
}

function truncated(source: Source, line: number): Failure {
  return new Failure(
    `${source.name} ends in the middle of line ${line}, so that it is not complete`,
    'download it again, and compare its size with that on the page of CMS',
  );
}
