import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { openTrustService } from '../../src/trust/service.ts';
import { ROOT } from '../sources.ts';
import { seed } from './seed.ts';
import { API_KEY, median, print } from './server-process.ts';
import { worstStaffing } from './worst-staffing.ts';
import { type Ask, type Reading, worstTrust } from './worst-trust.ts';

/**
 * What each GET costs the main thread with the worst data that callers can store: milliseconds from the request to the whole
 * response, in process and one after the other, median and most of 40 after 3 that warm up; and of these the mean of the thread's CPU time,
 * which other programs do not lengthen. Prints a table row a route; exits 1 when one takes more than 50 ms of CPU time. `bun scripts/bench/reads.ts [receipts]`
 */
const RECEIPTS = Number(process.argv[2] ?? 200_000);
const READS = 40;
const WARMING = 3;
const MOST_MS = 50;

const data = mkdtempSync(join(ROOT, 'dist', 'bench-'));
let isSlow = false;
try {
  await openedTrust(async () => undefined);
  seed(join(data, 'trust.db'), RECEIPTS);
  await openedTrust(async (service, ask) => {
    const readings = await worstTrust(service, data, ask);
    await measureAll('Trust', readings, ask);
  });
  await worstStaffing(join(data, 'staffing'), (readings, ask) => measureAll('Staffing', readings, ask));
} finally {
  rmSync(data, { recursive: true, force: true });
}
if (isSlow) process.exit(1);

async function openedTrust(
  task: (service: Awaited<ReturnType<typeof openTrustService>>, ask: Ask) => Promise<void>,
): Promise<void> {
  const directory = takeDataDirectory(data);
  const service = await openTrustService(
    directory,
    new Map([
      ['rate_limits', 'off'],
      ['bootstrap_api_key', API_KEY],
      ['webhooks.allow_private', 'on'],
    ]),
    pino({ level: 'silent' }),
    { version: 'bench', url: 'http://localhost' },
  );
  const { fetch } = service.app('/');
  await task(service, (method, path, body) =>
    fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    ),
  );
  await service.close();
  directory.release();
}

async function measureAll(service: string, readings: readonly Reading[], ask: Ask): Promise<void> {
  print(`| ${service} | median, ms | most, ms | CPU, ms | KiB |`);
  print('| --- | --- | --- | --- | --- |');
  for (const reading of readings) await measure(reading, ask);
}

async function measure({ name, path }: Reading, ask: Ask): Promise<void> {
  const times: number[] = [];
  let bytes = 0;
  let used = process.threadCpuUsage();
  for (let read = 0; read < WARMING + READS; read++) {
    if (read === WARMING) used = process.threadCpuUsage();
    const before = performance.now();
    const response = await ask('GET', path);
    bytes = (await response.arrayBuffer()).byteLength;
    const time = performance.now() - before;
    if (response.status >= 500) throw new Error(`${path}: ${response.status}`);
    if (read >= WARMING) times.push(time);
    if (read === 0 && response.status >= 400) process.stderr.write(`${response.status} ${path}\n`);
  }
  const { user, system } = process.threadCpuUsage(used);
  const mean = (user + system) / 1000 / READS;
  const most = Math.max(...times);
  if (mean > MOST_MS) isSlow = true;
  print(
    `| ${name} | ${median(times).toFixed(2)} | ${most.toFixed(2)} | ${mean.toFixed(1)} | ${(bytes / 1024).toFixed(1)} |`,
  );
}
