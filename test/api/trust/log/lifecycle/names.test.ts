import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { mapLogs } from '../../../../../src/proof/log/log-names.ts';
import { HIGH_WATER_FILE } from '../../../../../src/trust/log/high-water.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../../src/trust/log/keys/rotate.ts';
import { restartLogs } from '../../../../../src/trust/log/lifecycle/restart.ts';
import { trustModules } from '../../../../../src/trust/service/modules.ts';
import { withServiceStopped } from '../../../../../src/trust/service/open-context.ts';
import { finalized, latest } from '../../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

const LOG = pino({ level: 'silent' });
let root: string;
let data: string;
let backup: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-names-'));
  data = join(root, 'data');
  backup = join(root, 'backup');
});
afterEach(() => rmSync(root, { recursive: true }));

/** Serves the data directory while `task` runs, then publishes what was logged. */
async function served<T>(task: (app: TrustApp) => Promise<T>, origin: string | null = null): Promise<T> {
  const app = await openTrustApp(origin === null ? {} : { 'log.origin': origin }, null, data);
  try {
    const result = await task(app);
    await app.service.trust.log.publisher.publish();
    return result;
  } finally {
    await app.close();
  }
}

const finalizing = (receipts: number, origin: string | null = null) =>
  served(async (app) => {
    for (let index = 0; index < receipts; index++) await finalized(app.own);
  }, origin);
const nothing = async (): Promise<void> => undefined;
const backUp = () => cpSync(join(data, 'trust.db'), backup);
const restoreBackup = () => cpSync(backup, join(data, 'trust.db'));
const markPath = (number: number | null = null) =>
  join(data, number === null ? HIGH_WATER_FILE : `${HIGH_WATER_FILE}.${number}`);
const nameIn = (number: number | null = null): string =>
  JSON.parse(readFileSync(markPath(number), 'utf8')).origin;

/** Restarts the logs. @returns the name of those that it opened */
async function restart(): Promise<string> {
  const [receipts] = await withServiceStopped(data, new Map(), LOG, trustModules, restartLogs);
  return receipts?.opened.origin ?? '';
}

describe('log restart on a restored database', () => {
  beforeEach(async () => {
    await finalizing(3, 'a.example');
    backUp();
  });

  test('opens no name that was published, and loses no mark', async () => {
    expect(await restart()).toBe('a.example-2/receipts');
    await finalizing(5);
    restoreBackup();
    await expect(served(nothing)).rejects.toThrow(/log\.high-water belongs to a\.example-2/);
    const second = readFileSync(markPath(), 'utf8');
    expect(await restart()).toBe('a.example-3/receipts');
    expect([nameIn(1), readFileSync(markPath(2), 'utf8')]).toEqual(['a.example', second]);
    // The number that was skipped does not make the name one that somebody gave.
    await finalizing(1, 'a.example');
    expect(await restart()).toBe('a.example-4/receipts');
    await finalizing(1, 'a.example');
    expect([nameIn(1), nameIn(2), nameIn(3), nameIn()]).toEqual([
      'a.example',
      'a.example-2',
      'a.example-3',
      'a.example-4',
    ]);
  });

  test('opens none of the names of two restarts before', async () => {
    for (const name of ['a.example-2/receipts', 'a.example-3/receipts']) {
      expect(await restart()).toBe(name);
      await finalizing(2);
    }
    const first = readFileSync(markPath(1), 'utf8');
    restoreBackup();
    expect(await restart()).toBe('a.example-4/receipts');
    expect(readFileSync(markPath(1), 'utf8')).toBe(first);
    expect([nameIn(2), nameIn(3), nameIn()]).toEqual(['a.example-2', 'a.example-3', 'a.example-4']);
  });

  test('takes a name that a restart was cut short of, once only while nothing is published under it', async () => {
    await restart();
    restoreBackup();
    expect(await restart()).toBe('a.example-2/receipts');
    expect(readdirSync(data).filter((file) => file.startsWith(`${HIGH_WATER_FILE}.`))).toEqual([
      `${HIGH_WATER_FILE}.1`,
    ]);
    await served(nothing);
    restoreBackup();
    expect(await restart()).toBe('a.example-3/receipts');
  });

  test('skips the name of the log whose mark is lost, and those of damaged marks', async () => {
    await restart();
    await finalizing(1);
    restoreBackup();
    rmSync(markPath());
    expect(await restart()).toBe('a.example-3/receipts');
    await finalizing(1);
    restoreBackup();
    writeFileSync(markPath(7), 'damaged');
    expect(await restart()).toBe('a.example-8/receipts');
    expect(readFileSync(markPath(7), 'utf8')).toBe('damaged');
  });
});

describe('another log.origin does not get past a database that must not be continued,', () => {
  test('where the backup is of the time before the name', async () => {
    await served(nothing);
    backUp();
    await served((app) => rotate(app.service.trust, 'receipts'), 'b.example');
    restoreBackup();
    const mark = readFileSync(markPath(), 'utf8');
    for (const origin of [null, 'b.example', 'c.example']) {
      await expect(served(nothing, origin)).rejects.toThrow(
        /must not be continued: log\.high-water belongs to b\.example, the database to localhost:3000/,
      );
    }
    expect(readFileSync(markPath(), 'utf8')).toBe(mark);
  });

  test('where a key has been reported as compromised since the backup', async () => {
    await served(nothing, 'a.example');
    backUp();
    await served(async (app) => {
      const { kid } = app.service.trust.signer.activeKey('receipts');
      await reportCompromised(app.service.trust, kid);
    }, 'a.example');
    restoreBackup();
    for (const origin of ['a.example', 'c.example']) {
      await expect(served(nothing, origin)).rejects.toThrow(
        /must not be continued: a\.example\/keys has \d+ leaves, but \d+ were published/,
      );
    }
  });

  test('where a renaming was cut short after the backup', async () => {
    await served(nothing, 'a.example');
    backUp();
    await served((app) => rotate(app.service.trust, 'receipts'), 'a.example');
    const rotated = join(root, 'rotated');
    cpSync(join(data, 'trust.db'), rotated);
    // As a kill between the mark and the commit leaves it: nothing is published under the new name.
    const mark = readFileSync(markPath(), 'utf8');
    writeFileSync(markPath(1), mark);
    const none = { tree_size: 0, root_hash: '0'.repeat(64) };
    writeFileSync(markPath(), JSON.stringify({ origin: 'b.example', logs: mapLogs(() => none) }));
    restoreBackup();
    await expect(served(nothing, 'b.example')).rejects.toThrow(
      /must not be continued: a\.example\/keys has \d+ leaves, but \d+ were published/,
    );
    cpSync(rotated, join(data, 'trust.db'));
    await served(async (app) => {
      expect((await latest(app.anyone)).body.origin).toBe('b.example/receipts');
    }, 'b.example');
  });

  test('by a name that only a mark which was put aside knows', async () => {
    await served(nothing, 'a.example');
    backUp();
    await served(nothing, 'b.example');
    await served(nothing, 'c.example');
    restoreBackup();
    expect(await restart()).toBe('a.example-3/receipts');
    await served(nothing);
    await expect(served(nothing, 'b.example')).rejects.toThrow(
      /b\.example, the name of a closed log of this data directory/,
    );
    await served(async (app) => {
      expect((await latest(app.anyone)).body.origin).toBe('d.example/receipts');
    }, 'd.example');
  });
});
