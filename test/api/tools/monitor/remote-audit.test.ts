import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type LogSource, logSource } from '../../../../src/platform/tlog/source.ts';
import { LOG_NAMES } from '../../../../src/proof/log/log-names.ts';
import { sentenceOf } from '../../../../src/proof/log/problem.ts';
import { namedLogKeys, serviceLogKeys } from '../../../../src/tools/monitor/keys/log-keys.ts';
import { auditRemote } from '../../../../src/tools/monitor/remote-audit.ts';
import { REQUIRED_KEYS } from '../../../../src/trust/log/keys/signing-keys.ts';
import { FakeLog } from '../../../support/fake-log.ts';
import { finalized } from '../../../support/log.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';

let app: TrustApp;
let server: Bun.Server<undefined>;
/** Changes responses of the service on their way to the auditor. */
let between: (path: string, answer: Response) => Response | Promise<Response> = (_path, answer) => answer;

beforeAll(async () => {
  app = await openTrustApp();
  for (let count = 0; count < 3; count++) {
    const receipt = await finalized(app.own);
    if (count > 0) await app.own.revoke(receipt.receipt_id);
    await app.service.trust.log.publisher.publish();
  }
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      return between(pathname, await app.fetch(new Request(`http://localhost${pathname}${search}`)));
    },
  });
});
afterAll(async () => {
  await server.stop(true);
  await app.close();
});

/** What an audit says, and what it looked at. */
async function audited(
  source: LogSource,
  api: URL | null,
  trusted: Awaited<ReturnType<typeof namedLogKeys>>,
) {
  const sentences: string[] = [];
  let seen: unknown = null;
  for await (const step of auditRemote(source, api, trusted)) {
    if ('problem' in step) sentences.push(sentenceOf(step.problem));
    else ({ seen } = step);
  }
  return { sentences, seen };
}

const ofService = async () => {
  const url = `http://127.0.0.1:${server.port}/`;
  return audited(logSource(url), new URL(url), await serviceLogKeys(url));
};

describe('fsck of a service', () => {
  test('finds no problem, also in its checkpoints', async () => {
    expect(await ofService()).toEqual({
      sentences: [],
      seen: {
        entries: 5 + 2 * REQUIRED_KEYS.length,
        tiles: 3,
        checkpoints: expect.any(Number),
        signatures: expect.any(Number),
      },
    });
  });

  test.each([
    [
      'root_hash',
      (row: Record<string, unknown>) => ({ ...row, root_hash: '00'.repeat(32) }),
      /root_hash does not match the first|but its row/,
    ],
    ['tree_size', (row: Record<string, unknown>) => ({ ...row, tree_size: 77 }), /but its row/],
    [
      'previous_checkpoint_id',
      (row: Record<string, unknown>) => ({ ...row, previous_checkpoint_id: 'another' }),
      /is not the id of the previous checkpoint/,
    ],
    [
      'issued_at',
      (row: Record<string, unknown>, at: number) => ({ ...row, issued_at: `2026-0${1 + at}` }),
      /less than in the previous/,
    ],
    [
      'note',
      (row: Record<string, unknown>) => ({ ...row, note: String(row.note).replace('\n\n', '\nmore\n\n') }),
      /note is invalid/,
    ],
  ])('that lists a checkpoint with another %s is told of', async (_name, change, message) => {
    between = async (path, answer) => {
      if (path !== '/api/v1/receipts/checkpoints') return answer;
      const page = Object(await answer.json());
      return Response.json({ ...page, checkpoints: page.checkpoints.map(change) });
    };
    expect((await ofService()).sentences[0]).toMatch(message);
  });

  test.each([
    ['nothing', () => new Response('', { status: 503 }), /does not list checkpoints: status 503/],
    ['no JSON', () => new Response('<html>'), /does not list checkpoints/],
    ['another form', () => Response.json({ checkpoints: [{}], next_cursor: null }), /in a form/],
    [
      'no end',
      () => Response.json({ checkpoints: [], next_cursor: 'on' }),
      /empty page that is not the last/,
    ],
  ])('that lists %s', async (_name, answer, message) => {
    between = (path, honest) => (path === '/api/v1/receipts/checkpoints' ? answer() : honest);
    await expect(ofService()).rejects.toThrow(message);
  });

  test.each([
    ['nothing', () => new Response('', { status: 503 }), /does not return log keys/],
    ['another form', () => Response.json({ keys: 'none' }), /does not return log keys/],
    [
      'another algorithm',
      () =>
        Response.json({
          keys: [{ purpose: 'keys-log', status: 'active', algorithm: 'RSA', public_key: '' }],
        }),
      /unknown algorithm RSA/,
    ],
    [
      'a key that is none',
      () =>
        Response.json({
          keys: [
            { purpose: 'keys-log', status: 'active', algorithm: 'Ed25519', public_key: '00'.repeat(32) },
          ],
        }),
      /a log key that is not valid/,
    ],
  ])('whose keys are %s', async (_name, answer, message) => {
    between = (path, honest) => (path === '/api/v1/transparency/keys' ? answer() : honest);
    await expect(ofService()).rejects.toThrow(message);
    between = (_path, honest) => honest;
  });
});

describe('fsck of a copy', () => {
  const log = new FakeLog();
  log.finalize(300);

  test('finds no problem', async () => {
    expect(await audited(log, null, await namedLogKeys([log.vkey]))).toEqual({
      sentences: [],
      seen: { entries: 301 + LOG_NAMES.length, tiles: 4, checkpoints: 0, signatures: expect.any(Number) },
    });
  });

  test.each([
    ['receipts/tile/0/000', /tile, tile\/0\/000, fake.example\/receipts: its hashes do not match/],
    ['receipts/tile/1/000.p/1', /tile, tile\/1\/000.p\/1/],
    [`keys/tile/0/000.p/${LOG_NAMES.length + 1}`, /tile, tile\/0\/000.p\/\d, fake.example\/keys/],
    ['receipts/tile/entries/001.p/44', /entry, index 256 of fake.example\/receipts/],
  ])('with another byte in %s are told of', async (path, message) => {
    const bytes = Buffer.from(await log.read(path));
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    log.instead.set(path, () => bytes);
    expect((await audited(log, null, await namedLogKeys([log.vkey]))).sentences[0]).toMatch(message);
    log.instead.clear();
  });

  test('whose newest checkpoint is of another tree are reported', async () => {
    const other = log.fork();
    other.entries.receipts.pop();
    other.finalize(1);
    log.instead.set('receipts/checkpoint', () => Buffer.from(other.note('receipts')));
    expect((await audited(log, null, await namedLogKeys([log.vkey]))).sentences).toEqual([
      expect.stringContaining(
        'checkpoint, fake.example/receipts: the root of the newest checkpoint does not match its 300 entries',
      ),
    ]);
    log.instead.clear();
  });
});
