import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import { Cursors } from '../../../../src/platform/http/pagination/cursor.ts';
import { search } from '../../../../src/staffing/clinicians/search.ts';
import { currentRegistry } from '../../../../src/staffing/registry/current.ts';
import { RegistryHandle } from '../../../../src/staffing/registry/handle.ts';
import { SAMPLE } from '../../../../src/staffing/registry/sample/extent.ts';
import { buildSample, loadSampleIfEmpty } from '../../../../src/staffing/registry/sample/load.ts';
import { unpackedSample, writeUnpacked } from '../../../../src/staffing/registry/sample/packed.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { prepareSample } from '../../../../src/staffing/registry/sample/write.ts';
import { isNpi } from '../../../../src/staffing/registry/vocabulary/npi.ts';
import { stateOf } from '../../../../src/staffing/registry/vocabulary/states.ts';
import { embeddedTaxonomy } from '../../../../src/staffing/registry/vocabulary/taxonomy.ts';

const sample = [...madeUpClinicians(SAMPLE.clinicians, SAMPLE.seed)];
const directory = mkdtempSync(join(tmpdir(), 'countersign-sample-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('the sample registry', () => {
  test('is the same wherever it is made', () => {
    expect(sha256Hex(JSON.stringify(sample))).toBe(
      '4c5de0977ed87882cb5645d701213d47cd160340c2efc73205dd86f822914785',
    );
    expect(JSON.stringify([...madeUpClinicians(3, 1)])).not.toBe(JSON.stringify([...madeUpClinicians(3, 2)]));
  });

  test('has NPIs that no real clinician has, each once', () => {
    const npis = sample.map(({ npi }) => String(npi));
    expect(npis.filter((npi) => !isNpi(npi) || !npi.startsWith('2'))).toEqual([]);
    expect(new Set(npis).size).toBe(20_000);
  });

  test('is well-formed: states, ZIPs, days, codes', () => {
    const codes = new Set(embeddedTaxonomy().map(({ code }) => code));
    const odd = sample.filter(
      (row) =>
        (row.state !== null && stateOf(row.state) !== row.state) ||
        !/^[0-9]{5}$/.test(row.postalCode ?? '00000') ||
        !/^20[0-9]{2}-[01][0-9]-[0-3][0-9]$/.test(row.enumeratedOn ?? '') ||
        (row.enumeratedOn ?? '') > (row.lastUpdatedOn ?? '') ||
        (row.lastUpdatedOn ?? '') > SAMPLE.asOf,
    );
    expect(odd).toEqual([]);
    const unknown = sample.flatMap((row) => row.codes).filter((code) => !codes.has(code));
    expect(unknown.length).toBeGreaterThan(0);
    expect(unknown.length).toBeLessThan(100);
  });

  const has: [string, (row: (typeof sample)[number]) => boolean, least: number, most: number][] = [
    ['hyphens', (row) => row.lastName.includes('-'), 400, 1600],
    ['spaces', (row) => row.lastName.includes(' '), 200, 1000],
    ['particles', (row) => /^(?:VAN|VON|DE|DE LA|LA|EL)[ -]/.test(row.lastName), 30, 300],
    ['apostrophes', (row) => /['’ʻ]/.test(row.lastName), 50, 600],
    ['marks', (row) => /[^\p{ASCII}’ʻ]/u.test(row.lastName), 100, 600],
    ['former names', (row) => row.formerNames.length > 0, 1000, 1800],
    ['several codes', (row) => row.codes.length > 1, 4000, 7000],
    ['no code', (row) => row.codes.length === 0, 1, 200],
    ['no place', (row) => row.state === null, 1, 300],
    ['the commonest surname', (row) => row.lastName === 'SMITH', 150, 800],
    ['the largest state', (row) => row.state === 'CA', 1500, 3000],
    ['nurses', (row) => row.codes[0]?.startsWith('163W') ?? false, 2000, 4500],
    ['the largest city', (row) => row.city === 'NEW YORK', 250, 1500],
    ['the commonest first name', (row) => row.firstName === 'MARY', 300, 1500],
  ];
  test.each(has)('has %s', (_, holds, least, most) => {
    const count = sample.filter(holds).length;
    expect(count).toBeGreaterThanOrEqual(least);
    expect(count).toBeLessThanOrEqual(most);
  });

  test('has enough cities, ZIPs, first names and surnames for every filter', () => {
    const distinct = (of: (row: (typeof sample)[number]) => unknown) => new Set(sample.map(of)).size;
    expect(distinct(({ city, state }) => `${city} ${state}`)).toBeGreaterThan(75);
    expect(distinct(({ postalCode }) => postalCode)).toBeGreaterThan(5000);
    expect(distinct(({ firstName }) => firstName)).toBeGreaterThan(120);
    expect(distinct(({ lastName }) => lastName)).toBeGreaterThan(5000);
  });

  test('is loaded where there is no registry, and once', async () => {
    const registry = join(directory, 'registry');
    expect(loadSampleIfEmpty(registry)).toBe(true);
    expect(loadSampleIfEmpty(registry)).toBe(false);
    expect(readdirSync(registry).sort()).toEqual([currentRegistry(registry) ?? 'none', 'current']);
    const clinicians = { registry: new RegistryHandle(registry), cursors: new Cursors(new Uint8Array(32)) };
    const nurses = await search(clinicians, { specialty: 'RN', include_total: 'true' });
    expect(nurses.total).toBe(
      sample.filter((row) => row.codes.some((code) => /^163W(?!Z9)/.test(code))).length,
    );
    clinicians.registry.close();
  });

  test('is written by a Worker, whose error keeps its code', async () => {
    const registry = join(directory, 'by-worker');
    await prepareSample({ directory: registry, clinicians: 20 })();
    expect(readdirSync(registry).sort()).toEqual([currentRegistry(registry) ?? 'none', 'current']);
    const below = join(registry, 'current', 'registry');
    const order = { directory: below, clinicians: 20 };
    await expect(prepareSample(order)()).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  test('has the first of its clinicians when fewer are wanted, and the same bytes for the same number', async () => {
    const built = [1, 2].map((time) => {
      const registry = join(directory, `part-${time}`);
      mkdirSync(registry);
      return readFileSync(join(registry, buildSample(registry, 300)));
    });
    expect(Bun.hash(built[0] ?? '')).toBe(Bun.hash(built[1] ?? ''));
    const registry = join(directory, 'part');
    loadSampleIfEmpty(registry, 300);
    const clinicians = { registry: new RegistryHandle(registry), cursors: new Cursors(new Uint8Array(32)) };
    expect(await clinicians.registry.info()).toMatchObject({ records: 300, sample: true });
    const page = await search(clinicians, { limit: '100', include_total: 'true' });
    expect(page.total).toBe(300);
    const first = new Set(sample.slice(0, 300).map(({ npi }) => String(npi)));
    expect(page.data.filter(({ npi }) => !first.has(npi))).toEqual([]);
    clinicians.registry.close();
  });

  test('is unpacked as it was packed, and not when the bytes are damaged', async () => {
    const registry = join(directory, 'unpacked');
    const file = Buffer.from('the bytes of a registry file');
    writeUnpacked(registry, await unpackedSample(new Blob([Bun.zstdCompressSync(file)])));
    expect(readFileSync(join(registry, currentRegistry(registry) ?? 'none'))).toEqual(file);
    await expect(unpackedSample(new Blob([file]))).rejects.toThrow();
    const below = join(registry, 'current', 'registry');
    expect(() => writeUnpacked(below, file)).toThrow('ENOTDIR');
  });
});
