/**
 * Records the reviewed surface of the SDKs: bun scripts/sdk.ts --accept
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from './sdk/documents.ts';
import { modelOf } from './sdk/model.ts';
import { operationsText, typesText } from './sdk/table.ts';
import { ROOT } from './sources.ts';

/** The table of operations, which the command line reads too. */
const OPERATIONS = join(ROOT, 'src/sdk/operations.json');
/** A line for each type. */
const TYPES = join(ROOT, 'test/api/sdk/types.txt');

if (import.meta.main) {
  if (process.argv[2] !== '--accept') throw new Error('usage: bun scripts/sdk.ts --accept');
  const services = modelOf(await documents());
  writeFileSync(OPERATIONS, operationsText(services));
  writeFileSync(TYPES, typesText(services));
}
