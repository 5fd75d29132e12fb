import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client } from '../../support/client.ts';
import { type Running, run, scratch, serve, start } from '../../support/process.ts';

const directory = scratch();
let trust: Running;

/** Starts a test service. */
function testService(name: string, ...args: string[]): Promise<Running> {
  const readyFile = join(directory.path, `${name}.json`);
  return start(['--port', '0', '--test', '--ready-file', readyFile, ...args], readyFile);
}

beforeAll(async () => {
  trust = await testService('trust');
});
afterAll(async () => {
  await trust.stop();
  directory.dispose();
});

describe('countersign trigger', () => {
  test('makes an event happen by the API of a test service, and says what it made', async () => {
    const { code, stdout, stderr } = await run([
      'trigger',
      'evidence.anchored',
      '--ready-file',
      trust.readyFile,
    ]);
    expect([code, stderr]).toEqual([
      0,
      "countersign: note: no webhook of the API key's owner gets evidence.anchored\n",
    ]);
    const made = Object(JSON.parse(stdout));
    const own = client(fetch, trust.url, trust.apiKey);
    const { body } = await own.get(`/api/v1/passport/agents/${made.subject_commitment}/evidence`);
    expect(JSON.stringify(body)).toContain(made.event_commitment_hash);
  });

  test('takes the ready file from the environment', async () => {
    const env = { COUNTERSIGN_READY_FILE: trust.readyFile };
    const { code, stdout } = await run(['trigger', 'enrollment.completed'], { env });
    expect([code, JSON.parse(stdout).event]).toEqual([0, 'enrollment.completed']);
  });

  test('makes a payment and a refund happen with the sandbox, and says what is missing without it', async () => {
    const none = await run(['trigger', 'payment.booked', '--ready-file', trust.readyFile]);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('billing.processor=sandbox')]);
    const paid = await testService(
      'paid',
      '--clock',
      '2026-01-01T00:00:00Z',
      '--billing-processor',
      'sandbox',
    );
    const { code, stdout } = await run(['trigger', 'payment.refunded', '--ready-file', paid.readyFile]);
    expect(code).toBe(0);
    const { body } = await client(fetch, paid.url, paid.apiKey).get('/api/v1/account/payments');
    const { reference } = Object(JSON.parse(stdout));
    expect(body.payments).toMatchObject([
      { kind: 'refund', reference },
      { kind: 'topup', reference },
    ]);
    await paid.stop();
  });

  test('triggers an event of the staffing service', async () => {
    const staffing = await testService('staffing', '--service', 'staffing', '--sample', '20');
    const { code, stdout } = await run([
      'trigger',
      'requisition.status_changed',
      '--ready-file',
      staffing.readyFile,
    ]);
    expect([code, JSON.parse(stdout).event]).toEqual([0, 'requisition.status_changed']);
    const refused = await run(['trigger', 'webhook.test', '--ready-file', staffing.readyFile]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('404')]);
    await staffing.stop();
  });

  test('lists the events of both services without a service', async () => {
    const { code, stdout } = await run(['trigger', '--list']);
    expect(code).toBe(0);
    for (const event of ['evidence.anchored', 'reputation.restored', 'requisition.status_changed'])
      expect(stdout).toContain(event);
  });

  test('refuses a ready file that does not exist', async () => {
    const { code, stderr } = await run(['trigger', 'evidence.anchored', '--ready-file', '/nowhere']);
    expect([code, stderr]).toEqual([
      2,
      'countersign: error: /nowhere cannot be read: the file does not exist\ncountersign: hint: check the path\n',
    ]);
  });

  test('refuses a service with data of its own, and sends it nothing', async () => {
    const real = await serve(join(directory.path, 'real'));
    const { code, stderr } = await run(['trigger', 'evidence.anchored', '--ready-file', real.readyFile]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('neither a test service nor a demonstration'),
    ]);
    const agents = await client(fetch, real.url, real.apiKey).get('/api/v1/leaderboard');
    expect(agents.body.agents).toEqual([]);
    await real.stop();
  });

  test('never sends a key to another machine, and refuses what is no ready file', async () => {
    const ready = Object(JSON.parse(readFileSync(trust.readyFile, 'utf8')));
    const files: [string, string][] = [
      [JSON.stringify({ ...ready, url: 'http://192.0.2.1:3000' }), 'which is another machine'],
      [JSON.stringify({ ...ready, url: 'http://localhost.example:3000' }), 'which is another machine'],
      [JSON.stringify({ ...ready, url: 7 }), 'is not the ready file of a service'],
      ['{', 'is not the ready file of a service'],
      ['null', 'is not the ready file of a service'],
    ];
    for (const [text, message] of files) {
      const path = join(directory.path, 'other.json');
      writeFileSync(path, text);
      const { code, stderr } = await run(['trigger', 'evidence.anchored', '--ready-file', path]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });

  const wrong: [string, string[], string][] = [
    ['no event', [], 'no event is named'],
    ['no service', ['evidence.anchored'], 'the service is not named'],
    [
      'an event of another service',
      ['webhook.test', '--ready-file', 'TRUST'],
      'cannot be triggered in the trust service',
    ],
    [
      'a member of every object',
      ['constructor', '--ready-file', 'TRUST'],
      'cannot be triggered in the trust service',
    ],
  ];
  test.each(wrong)('refuses %s', async (_, args, message) => {
    const { code, stderr } = await run([
      'trigger',
      ...args.map((arg) => (arg === 'TRUST' ? trust.readyFile : arg)),
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
