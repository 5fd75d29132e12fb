import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import outboxTable from '../../../../src/platform/delivery/outbox.sql' with { type: 'text' };
import { newWebhookSecret } from '../../../../src/platform/delivery/signature.ts';
import { receiver } from '../../../support/receiver.ts';
import { openSender } from '../../../support/sending.ts';
import { eventually } from '../../../support/virtual-time.ts';

const DELIVERIES = 30;

/** In another process: deliveries are committed and sent, until somebody ends it. */
const SENDING = `
  const { openSender } = await import(${JSON.stringify(join(import.meta.dir, '../../../support/sending.ts'))});
  const { FILE, URL_OF_RECEIVER: url, SECRET } = process.env;
  const { store, sender } = openSender(FILE, url, SECRET);
  await sender.start();
  await Promise.all(Array.from({ length: ${DELIVERIES} }, (_, n) =>
    store.writeAsService((tx) => sender.enqueueIn(tx, { owner: 'somebody', endpoint: 'one', url, eventType: 'a.b', body: String(n) }))));
  console.log('committed');
  setInterval(() => {}, 1000);
`;

test('every committed delivery arrives, even if the process is killed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-crash-'));
  const file = join(directory, 'test.db');
  const database = new Database(file, { create: true });
  database.run('PRAGMA journal_mode = WAL');
  database.exec(outboxTable);
  database.close();
  // The first ten get a response; the others hang until the sender is gone.
  let killed = false;
  const to = receiver(() =>
    to.received.length <= 10 || killed ? new Response() : new Promise<Response>(() => undefined),
  );
  const secret = newWebhookSecret();
  const url = `http://127.0.0.1:${to.port}/`;
  const child = Bun.spawn([process.execPath, '-e', SENDING], {
    env: { ...process.env, FILE: file, URL_OF_RECEIVER: url, SECRET: secret },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  for await (const chunk of child.stdout) if (new TextDecoder().decode(chunk).includes('committed')) break;
  await to.waitForRequest(12);
  child.kill('SIGKILL');
  await child.exited;
  killed = true;

  const { store, sender } = openSender(file, url, secret);
  const delivered = () =>
    store.read(
      ({ connection }) =>
        connection.sqlite
          .query<{ n: number }, []>("SELECT count(*) AS n FROM delivery WHERE state = 'delivered'")
          .get()?.n,
    );
  await sender.start();
  await eventually(async () => (await delivered()) === DELIVERIES);
  await sender.stop(1000);
  await store.close();
  await to.stop();
  rmSync(directory, { recursive: true });

  const ids = to.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(to.received.map(({ body }) => body)).size).toBe(DELIVERIES);
  expect(new Set(ids).size).toBe(DELIVERIES);
  // Two were under way; one more may have got a response that is not yet written down, on each of the two
  // ways.
  expect(ids.length).toBeWithin(DELIVERIES + 1, DELIVERIES + 5);
});
