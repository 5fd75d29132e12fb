import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundlesOf, logSource } from '../../../../src/platform/tlog/source.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-source-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('the source of a log', () => {
  test.each([
    ['https://trust.example:port/log', 'is not a URL'],
    ['https://trust.example/log?page=2', 'is not the address of a directory'],
    ['https://trust.example/log#top', 'is not the address of a directory'],
  ])('%s is refused', (location, message) => {
    expect(() => logSource(location)).toThrow(message);
  });

  test('a directory without the file names the file', async () => {
    await expect(logSource(directory).read('receipts/checkpoint')).rejects.toThrow(
      `${directory}/receipts/checkpoint cannot be read`,
    );
  });

  test('an address that does not serve the file gives the status', async () => {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response('', { status: 410 }),
    });
    await expect(logSource(`${server.url}`).read('receipts/checkpoint')).rejects.toThrow(
      `/log/receipts/checkpoint returned status 410`,
    );
    await server.stop(true);
  });

  test('a bundle that ends within an entry is reported as damaged', async () => {
    const file = join(directory, 'receipts/tile/entries/000.p/2');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from([0, 1, 65, 0, 5, 66]));
    const reading = Array.fromAsync(bundlesOf(logSource(directory), 'receipts', 0, 2));
    await expect(reading).rejects.toThrow('receipts/tile/entries/000.p/2 is damaged');
  });
});
