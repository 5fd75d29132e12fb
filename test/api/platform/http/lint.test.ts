import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documents } from '../../../../scripts/sdk/documents.ts';
import { spectralProblems } from '../../../support/spectral.ts';

test('Spectral finds no error and no warning in the OpenAPI documents', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-lint-'));
  try {
    const { trust, staffing, 'staffing-admin': admin } = await documents();
    const files = Object.entries({ trust, staffing, admin }).map(([name, document]) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(document));
      return file;
    });
    expect(await spectralProblems(files)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);
