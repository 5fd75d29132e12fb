import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import pino from 'pino';
import { LOG_NAMES } from '../../../../../src/proof/log/log-names.ts';
import { storeCosignaturesIn } from '../../../../../src/trust/log/checkpoints/cosignatures.ts';
import { restartLogs } from '../../../../../src/trust/log/lifecycle/restart.ts';
import { appendHeadsIn } from '../../../../../src/trust/receipts/linked/log/leaves.ts';
import { trustModules } from '../../../../../src/trust/service/modules.ts';
import { withServiceStopped } from '../../../../../src/trust/service/open-context.ts';
import { enrolledAgent } from '../../../../support/agent.ts';
import { anchored } from '../../../../support/evidence.ts';
import { openPage, wordsOf } from '../../../../support/explorer.ts';
import { link } from '../../../../support/linked.ts';
import { finalized } from '../../../../support/log.ts';
import { scratch } from '../../../../support/process.ts';
import { openTrustApp, type TrustApp } from '../../../../support/trust-app.ts';
import { VirtualTime } from '../../../../support/virtual-time.ts';

const HOUR = 3_600_000;

describe('the page of a log', () => {
  let app: TrustApp;
  const ids: string[] = [];
  let [revoked, linked] = ['', ''];
  beforeAll(async () => {
    app = await openTrustApp();
    for (let made = 0; made < 44; made++) ids.push(String((await finalized(app.own)).receipt_id));
    await app.own.revoke(ids[0]);
    await anchored(app, await enrolledAgent(app));
    const leaving = await enrolledAgent(app);
    expect(
      (await app.own.call('POST', `/api/v1/passport/agents/${leaving.commitment}/revoke`, {})).status,
    ).toBe(200);
    revoked = leaving.commitment;
    expect((await link(app.own)).status).toBe(200);
    linked = String((await finalized(app.own)).receipt_id);
    ids.push(linked);
    const { log, store } = app.service.trust;
    await log.publisher.publish();
    const newest = log.publisher.latest('receipts');
    const line = { witness: 'witness.example/<b>w\u202e1', keyId: 7, line: '— witness AAAA\n' };
    const at = newest.response.issued_at;
    const all = await store.writeAsService((tx) => storeCosignaturesIn(tx, newest.checkpointSeq, [line], at));
    log.publisher.showCosignatures('receipts', newest, all);
  });
  afterAll(() => app.close());

  test('shows the newest entries first, and leads to older ones', async () => {
    const page = await openPage(app, '/logs/receipts');
    const shown = page.links.flatMap((link) => /^\/receipts\/(rcpt_\w+)$/.exec(link)?.[1] ?? []);
    expect(shown).toEqual(ids.slice(25).toReversed());
    expect(page.links).toContain('/logs/receipts?index=24#entries');
    const older = await openPage(app, '/logs/receipts?index=24');
    expect(older.links).toContain(`/receipts/${ids[24]}`);
    expect(older.links).toContain('/logs/receipts?index=44#entries');
  });

  test('says what an entry is, and leads to its receipt or agent', async () => {
    const revocations = await openPage(app, '/logs/revocations');
    expect(wordsOf(revocations)).toContain('Agent revoked');
    expect(revocations.links).toContain(`/agents/${revoked}`);
    const accounts = await openPage(app, '/logs/accounts');
    for (const words of ['Account: linked', 'Account: issued', 'Account: finalized'])
      expect(wordsOf(accounts)).toContain(words);
    expect(accounts.links).toContain(`/receipts/${linked}`);
  });

  test('says of which day the heads of journals are, and how many', async () => {
    const { log, store } = app.service.trust;
    const entry = { date: '2026-05-01', accounts: 1234, root: 'ab'.repeat(32) };
    await store.writeAsService((tx) =>
      appendHeadsIn(tx, log.open.accounts, entry, { at: '2026-05-02T00:00:00.000Z', recovered: true }),
    );
    log.publisher.grown('accounts', '2026-05-02T00:00:00.000Z');
    await log.publisher.publish();
    const words = wordsOf(await openPage(app, '/logs/accounts'));
    expect(words).toContain('Heads of journals');
    expect(words).toContain('2026-05-01 1,234 heads');
  });

  test('shows the exact text of the entry that was asked for, as the tile has it', async () => {
    const page = await openPage(app, '/logs/receipts?index=3');
    const tile = await app.fetch(new Request('http://localhost/log/receipts/tile/entries/000.p/45'));
    const entries = Buffer.from(await tile.arrayBuffer()).toString('utf8');
    const [, text = ''] = /<pre>([^<]*)<\/pre>/.exec(page.text) ?? [];
    const entry = text.replaceAll('&quot;', '"');
    expect([entry.includes(ids[3] ?? ''), entries.includes(entry)]).toEqual([true, true]);
  });

  test('names the witnesses of checkpoints, whose names are texts of others', async () => {
    const { text } = await openPage(app, '/logs/receipts');
    expect(text).toContain('witness.example/&lt;b&gt;w1');
    expect(text.match(/>cosigned</g)).toHaveLength(1);
    expect(wordsOf(await openPage(app, '/logs/keys'))).toContain('No witness has cosigned');
    expect(wordsOf(await openPage(app, '/logs'))).toMatch(
      /receipts finalized receipts 45 .{30,60}ago 1 keys/,
    );
  });

  test.each([...LOG_NAMES])('of %s is complete', async (name) => {
    const page = await openPage(app, `/logs/${name}?index=0`);
    expect(page.status).toBe(200);
    expect(page.text).not.toMatch(/NaN|undefined|Infinity/);
    expect(wordsOf(page)).toContain(`Origin localhost:3000/${name}`);
  });

  test('says of an entry beyond the newest checkpoint that it is not covered', async () => {
    for (const index of ['45', '999999999999999'])
      expect(wordsOf(await openPage(app, `/logs/receipts?index=${index}`))).toContain(
        'No checkpoint covers an entry',
      );
  });

  test.each(['-1', '1.5', '0x10', '1e3', '%31%00', '٣', '1'.repeat(16)])(
    'refuses the index %s',
    async (index) => {
      const page = await openPage(app, `/logs/receipts?index=${index}`);
      expect(page.status).toBe(400);
      expect(wordsOf(page)).toContain('index must be the index of an entry');
    },
  );

  test.each(['/logs/nothing', '/logs/__proto__', '/logs/receipts%2f..', '/logs/%ff', '/logs/Receipts'])(
    'does not exist at %s',
    async (path) => {
      const page = await openPage(app, path);
      expect(page.status).toBe(404);
      expect(wordsOf(page)).toContain('Nothing public has this address.');
    },
  );
});

test.each([0, 1])('the pages of logs with %d receipts are complete', async (receipts) => {
  const app = await openTrustApp();
  for (let made = 0; made < receipts; made++) await finalized(app.own);
  await app.service.trust.log.publisher.publish();
  const words = wordsOf(await openPage(app, '/logs/receipts'));
  expect(words).toContain(`Entries ${receipts} `);
  expect(words.includes('The log is empty.')).toBe(receipts === 0);
  expect(words).not.toMatch(/NaN|undefined|Infinity/);
  await app.close();
});

test('a log that continues another one does not count the receipts of that one in the hour of its start', async () => {
  const directory = scratch();
  const data = join(directory.path, 'data');
  const time = new VirtualTime();
  let app = await openTrustApp({}, time, data);
  for (let made = 0; made < 3; made++) await finalized(app.own);
  await app.service.trust.log.publisher.publish();
  await app.close();
  await withServiceStopped(data, new Map(), pino({ level: 'silent' }), trustModules, (context, path) =>
    restartLogs(context, path),
  );
  app = await openTrustApp({}, time, data);
  await finalized(app.own);
  await app.service.trust.log.publisher.publish();
  expect(wordsOf(await openPage(app, '/'))).toContain('1 receipt in the last 24 hours');
  const page = await openPage(app, '/logs/receipts');
  expect(wordsOf(page)).toContain('Closed logs');
  expect(wordsOf(page)).toContain('localhost:3000/receipts receipts 3');
  const recorded = page.links.find((link) => link.startsWith('/logs/keys?index='));
  expect(wordsOf(await openPage(app, recorded ?? ''))).toContain('"event":"log_closed"');
  await app.close();
  directory.dispose();
});

test('a read-only service and one whose clock was set back or ahead show their pages', async () => {
  const directory = scratch();
  const data = join(directory.path, 'data');
  const time = new VirtualTime();
  const writing = await openTrustApp({}, time, data);
  await finalized(writing.own);
  await writing.service.trust.log.publisher.publish();
  for (const jump of [-26 * HOUR, 60 * HOUR]) {
    time.jump(jump);
    for (const path of ['/', '/logs', '/logs/receipts', '/search?q=x']) {
      const page = await openPage(writing, path);
      expect([path, page.status, /NaN|undefined|Infinity/.test(page.text)]).toEqual([path, 200, false]);
    }
    if (jump < 0) expect(wordsOf(await openPage(writing, '/'))).toContain("ahead of this service's clock");
  }
  await writing.close();
  const reading = await openTrustApp({ read_only: 'on', explorer: 'public' }, null, data);
  for (const path of ['/', '/logs', '/logs/receipts', '/search?q=x'])
    expect([path, (await openPage(reading, path)).status]).toEqual([path, 200]);
  await reading.close();
  directory.dispose();
});
