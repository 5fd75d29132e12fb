import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { nativePrimitives } from '../../../../../src/platform/crypto/crypto.ts';
import type { JsonValue } from '../../../../../src/proof/encoding/json.ts';
import { readLogKeys } from '../../../../../src/proof/log/log-keys.ts';
import { judgeKeyDocument } from '../../../../../src/proof/log-documents/key-document-verdict.ts';
import { HIGH_WATER_FILE } from '../../../../../src/trust/log/high-water.ts';
import { ENDED_KEYS_FILE, readEndedKeys } from '../../../../../src/trust/log/keys/files/ended-keys.ts';
import { keyLeavesOf } from '../../../../../src/trust/log/keys/log/leaves.ts';
import { reportCompromised } from '../../../../../src/trust/log/keys/report-compromised.ts';
import { rotate } from '../../../../../src/trust/log/keys/rotate.ts';
import { restartLogs } from '../../../../../src/trust/log/lifecycle/restart.ts';
import { trustModules } from '../../../../../src/trust/service/modules.ts';
import { withServiceStopped } from '../../../../../src/trust/service/open-context.ts';
import { finalized } from '../../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';

let root: string;
let data: string;
let backup: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-ended-'));
  data = join(root, 'data');
  backup = join(root, 'backup');
});
afterEach(() => rmSync(root, { recursive: true }));

async function served<T>(task: (app: TrustApp) => Promise<T>): Promise<T> {
  const app = await openTrustApp({ 'keys.publish_ahead_seconds': '0' }, null, data);
  try {
    return await task(app);
  } finally {
    await app.close();
  }
}

const backUp = (): void => cpSync(join(data, 'trust.db'), backup);
const restore = (): void => cpSync(backup, join(data, 'trust.db'));
const restart = () =>
  withServiceStopped(data, new Map(), pino({ level: 'silent' }), trustModules, restartLogs);
const publish = (app: TrustApp) => app.service.trust.log.publisher.publish();
const activeKid = (app: TrustApp, purpose: 'receipts' | 'keys-log' | 'evidence-log') =>
  app.service.trust.signer.activeKey(purpose).kid;

/** The states of keys, by their kids. */
async function states(app: TrustApp): Promise<Record<string, JsonValue>> {
  const { body } = await app.anyone.get('/api/v1/transparency/keys');
  const rows: { kid: string; status: string; valid_until: string | null; receipts_tree_size: number }[] =
    Object(body.keys);
  return Object.fromEntries(
    rows.map(({ kid, status, valid_until, receipts_tree_size: size }) => [
      kid,
      { status, valid_until, size },
    ]),
  );
}

/** The entries of the key log. */
async function keyEntries(app: TrustApp): Promise<Uint8Array[]> {
  const leaves = await app.service.trust.store.read((snapshot) => keyLeavesOf(snapshot, 0, 1000));
  return leaves.map(({ entry }) => Buffer.from(entry));
}

/** What verifiers say of the list of keys who have a copy of a closed key log. */
async function judged(app: TrustApp, closed: readonly Uint8Array[]) {
  await publish(app);
  const { body } = await app.anyone.get('/api/v1/transparency/keys');
  const document = JSON.stringify(body);
  return judgeKeyDocument(nativePrimitives, Buffer.from(document), {
    logKeys: readLogKeys(nativePrimitives, JSON.parse(document)).trusted,
    log: { checkpoint: Buffer.from(Object(body.log).checkpoint), entries: await keyEntries(app) },
    predecessors: [{ origin: 'localhost:3000/keys', entries: closed }],
    now: Date.now(),
  });
}

/** Issues three receipts, makes a backup, then ends keys at five receipts, and issues more. */
async function endAfterTheBackup(end: (app: TrustApp) => Promise<unknown>) {
  await served(async (app) => {
    for (let index = 0; index < 3; index++) await finalized(app.own);
    await publish(app);
  });
  backUp();
  return served(async (app) => {
    for (let index = 0; index < 2; index++) await finalized(app.own);
    const before = { receipts: activeKid(app, 'receipts'), keys: activeKid(app, 'keys-log') };
    await end(app);
    await publish(app);
    return { ...before, states: await states(app), closed: await keyEntries(app) };
  });
}

test('a key that was reported after the backup stays compromised, since the same time and no more receipts', async () => {
  const {
    receipts,
    closed,
    states: before,
  } = await endAfterTheBackup(async (app) => {
    await reportCompromised(app.service.trust, activeKid(app, 'receipts'));
    await finalized(app.own);
  });
  restore();
  await restart();
  await served(async (app) => {
    const after = await states(app);
    expect(before[receipts]).toMatchObject({ status: 'compromised', size: 5 });
    // The backup has only three of the five receipts.
    expect(after[receipts]).toEqual({ ...Object(before[receipts]), size: 3 });
    const active = activeKid(app, 'receipts');
    expect(after[active]).toMatchObject({ status: 'active' });
    expect((await finalized(app.own)).kid).toBe(active);
    const { verdict, problems, notes } = await judged(app, closed);
    expect([verdict, problems]).toEqual(['valid', []]);
    expect(notes).toHaveLength(1);
  });
  // The next starts change nothing more.
  const ends = await served(async (app) => (await keyEntries(app)).length);
  await served(async (app) => expect(await keyEntries(app)).toHaveLength(ends));
});

test('a retired key stays retired, and so do keys of logs that were reported', async () => {
  const {
    receipts,
    keys,
    closed,
    states: before,
  } = await endAfterTheBackup(async (app) => {
    const { trust } = app.service;
    await rotate(trust, 'receipts');
    await rotate(trust, 'receipts');
    await reportCompromised(trust, activeKid(app, 'evidence-log'));
    await reportCompromised(trust, activeKid(app, 'keys-log'));
    await rotate(trust, 'keys-log');
  });
  restore();
  await restart();
  await served(async (app) => {
    const after = await states(app);
    expect(after[receipts]).toEqual({ ...Object(before[receipts]), size: 3 });
    expect(after[keys]).toMatchObject({ status: 'compromised' });
    expect(after[keys]).toEqual({ ...Object(before[keys]), size: 3 });
    const { verdict, problems } = await judged(app, closed);
    expect([verdict, problems]).toEqual(['valid', []]);
  });
});

test('a key that is retired, and reported later, is compromised after a restore', async () => {
  const { receipts, closed } = await endAfterTheBackup(async (app) => {
    const { trust } = app.service;
    const kid = activeKid(app, 'receipts');
    await rotate(trust, 'receipts');
    await reportCompromised(trust, kid);
  });
  restore();
  await restart();
  await served(async (app) => {
    expect((await states(app))[receipts]).toMatchObject({ status: 'compromised', size: 3 });
    expect((await judged(app, closed)).verdict).toBe('valid');
  });
});

test('a next key of the backup that came into use and was replaced since does not come into use again', async () => {
  const next = await served(async ({ service: { trust } }) => rotate(trust, 'receipts', 3600_000));
  const { receipts, closed } = await endAfterTheBackup(async (app) => {
    const { trust } = app.service;
    await reportCompromised(trust, activeKid(app, 'receipts'));
    await rotate(trust, 'receipts');
  });
  restore();
  await restart();
  await served(async (app) => {
    const after = await states(app);
    expect(after[receipts]).toMatchObject({ status: 'compromised' });
    expect(after[next[0] ?? '']).toMatchObject({ status: 'retired', size: 3 });
    expect((await judged(app, closed)).verdict).toBe('valid');
  });
});

test('a report that no checkpoint published is repeated by the next start', async () => {
  const kid = await served(async (app) => activeKid(app, 'receipts'));
  backUp();
  const mark = readFileSync(join(data, HIGH_WATER_FILE));
  await served((app) => reportCompromised(app.service.trust, kid));
  restore();
  writeFileSync(join(data, HIGH_WATER_FILE), mark);
  await served(async (app) => {
    expect((await states(app))[kid]).toMatchObject({ status: 'compromised' });
    expect(activeKid(app, 'receipts')).not.toBe(kid);
  });
});

test('without the record, a list of keys after the restore is lost_events', async () => {
  const { receipts, closed } = await endAfterTheBackup((app) =>
    reportCompromised(app.service.trust, activeKid(app, 'receipts')),
  );
  restore();
  rmSync(join(data, ENDED_KEYS_FILE));
  await restart();
  await served(async (app) => {
    expect((await states(app))[receipts]).toMatchObject({ status: 'active' });
    const { verdict, problems } = await judged(app, closed);
    expect(verdict).toBe('lost_events');
    expect(problems).toEqual([expect.stringContaining(`the key ${receipts} was compromised`)]);
  });
});

test('the record has the ends that a directory of an earlier version knows, and no start ignores a damaged one', async () => {
  await endAfterTheBackup((app) => reportCompromised(app.service.trust, activeKid(app, 'receipts')));
  const recorded = readEndedKeys(data);
  expect(recorded).toMatchObject([{ event: 'compromised', receipts_tree_size: 5 }]);
  rmSync(join(data, ENDED_KEYS_FILE));
  await served(async () => expect(readEndedKeys(data)).toEqual(recorded));
  for (const damage of ['[', '{}', '[{"kid":"a"}]']) {
    writeFileSync(join(data, ENDED_KEYS_FILE), damage);
    await expect(served(async () => undefined)).rejects.toThrow('keys.ended is damaged');
  }
});
