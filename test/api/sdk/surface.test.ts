import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents } from '../../../scripts/sdk/documents.ts';
import { modelOf } from '../../../scripts/sdk/model.ts';
import { operationsText, typesText } from '../../../scripts/sdk/table.ts';

/** If one fails: `bun scripts/sdk.ts --accept` records the surface of the SDKs. Review what changed. */

const services = modelOf(await documents());
const read = (path: string): string => readFileSync(join(import.meta.dir, path), 'utf8');

test('the table of operations is what the OpenAPI documents have', () => {
  expect(read('../../../src/sdk/operations.json')).toBe(operationsText(services));
});

test('the types of the SDKs are those that were reviewed', () => {
  expect(read('types.txt')).toBe(typesText(services));
});
