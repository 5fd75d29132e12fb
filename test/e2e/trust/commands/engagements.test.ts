import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Running, run, scratch, serve } from '../../../support/process.ts';

let directory: ReturnType<typeof scratch>;
let data: string;
let server: Running;
/** The key of the first start: later ones print none. */
let apiKey: string;
/** An agent without a sponsor that has 100 credits, and the one that it hires. */
let hirer: string;
let worker: string;

beforeAll(async () => {
  directory = scratch();
  data = join(directory.path, 'data');
  server = await serve(data);
  apiKey = server.apiKey;
  hirer = await enrolled('hirer');
  worker = await enrolled('worker');
  await run(['credits', 'grant', '--yes', hirer, '100', '--data', data]);
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

/** Makes a key and enrolls an agent without a sponsor. @returns its commitment */
async function enrolled(name: string): Promise<string> {
  const key = join(directory.path, `${name}.pem`);
  await run(['keygen', '--out', key]);
  const { stdout } = await run(['enroll', server.url, '--key', key, '--name', name]);
  return String(JSON.parse(stdout).subject_commitment);
}

const engagements = (...args: string[]) => run(['engagements', ...args, '--data', data]);

/** Anchors the worker's evidence of a task with the service token. */
async function deliver(task_id: string): Promise<void> {
  const payload = join(directory.path, 'deliverable.json');
  await Bun.write(payload, JSON.stringify({ task_id, deliverable_digest: 'ab'.repeat(32) }));
  const key = join(directory.path, 'worker.pem');
  const { stdout } = await run(['sign', payload, '--key', key, '--evidence', 'task_deliverable']);
  const { status } = await fetch(`${server.url}/api/v1/passport/agents/${worker}/evidence`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.ready.service_token}`, 'content-type': 'application/json' },
    body: stdout,
  });
  expect(status).toBe(201);
}

describe('countersign engagements', () => {
  test('hires, accepts, cancels, lists and shows, with a running server and without', async () => {
    const hired = await engagements(
      'hire',
      '--yes',
      hirer,
      worker,
      '40',
      '--task',
      'audit 7',
      '--description',
      'Audit.',
    );
    expect([hired.stderr, JSON.parse(hired.stdout).engagement]).toEqual([
      `${data}\n`,
      expect.objectContaining({ task_id: 'audit 7', status: 'HELD', amount: 40, description: 'Audit.' }),
    ]);
    await engagements('hire', '--yes', hirer, worker, '5', '--task', 'audit 8');
    await deliver('audit 7');
    await server.stop();
    const accepted = JSON.parse((await engagements('accept', '--yes', 'audit 7')).stdout);
    expect(accepted.engagement).toMatchObject({ status: 'PAID', receipt_id: accepted.receipt_id });
    server = await serve(data);
    const cancelled = JSON.parse((await engagements('cancel', '--yes', 'audit 8')).stdout);
    expect(cancelled.engagement).toMatchObject({ status: 'CANCELLED', ended_by: 'administrator' });
    const { stdout } = await engagements('list');
    expect(stdout).toMatch(/TASK +STATUS +AMOUNT.*\naudit 8 +CANCELLED +5 .*\naudit 7 +PAID +40 /);
    const paid = await engagements('list', '--agent', worker, '--status', 'PAID', '--output', 'ndjson');
    expect(JSON.parse(paid.stdout)).toMatchObject({ task_id: 'audit 7' });
    expect(JSON.parse((await engagements('show', 'audit 7')).stdout).engagement).toEqual(accepted.engagement);
  });

  test('makes the task_id, and signs what the worker delivers and what its arbiter consents to', async () => {
    const file = (name: string) => join(directory.path, name);
    // An arbiter has an active sponsor, which is neither side's.
    const apiKeyFile = file('api-key');
    await Bun.write(apiKeyFile, apiKey, { mode: 0o600 });
    await run(['keygen', '--out', file('arbiter.pem')]);
    const enrolled = await run([
      'enroll',
      server.url,
      '--key',
      file('arbiter.pem'),
      '--api-key-file',
      apiKeyFile,
    ]);
    const arbiter = String(JSON.parse(enrolled.stdout).subject_commitment);
    const hired = await engagements('hire', '--yes', hirer, worker, '4', '--delivery', 'worker');
    const task = String(JSON.parse(hired.stdout).engagement.task_id);
    expect(task).toMatch(/^eng_/);
    await Bun.write(file('hire.json'), hired.stdout);
    await Bun.write(file('work.txt'), 'the work');
    const key = ['--key', file('worker.pem')];
    const signed = await run([
      'sign',
      file('hire.json'),
      ...key,
      '--delivers',
      file('work.txt'),
      '--arbiter',
      arbiter,
    ]);
    await Bun.write(file('signed.json'), signed.stdout);
    const delivered = await engagements('deliver', task, '--data-file', file('signed.json'));
    expect(JSON.parse(delivered.stdout).engagement).toMatchObject({
      ...{ status: 'DELIVERED', attested_by: 'worker' },
      deliverable_digest: new Bun.CryptoHasher('sha256').update('the work').digest('hex'),
    });
    const consent = await run(['sign', file('hire.json'), '--key', file('arbiter.pem'), '--consents']);
    await Bun.write(file('consent.json'), consent.stdout);
    const consented = await engagements('consent', task, '--data-file', file('consent.json'));
    expect(JSON.parse(consented.stdout).engagement.arbiter_consented_at).toEqual(expect.any(String));
    const disputed = await engagements('dispute', '--yes', task, '--reason', 'Half of it.');
    expect(JSON.parse(disputed.stdout).engagement.status).toBe('DISPUTED');
    const early = await engagements('resolve', '--yes', task, '2', '--note', 'Half.');
    expect([early.code, early.stderr]).toEqual([
      5,
      expect.stringContaining('The arbiter of the engagement decides'),
    ]);
    const refunded = await engagements('refund', '--yes', task);
    expect(JSON.parse(refunded.stdout).engagement.status).toBe('CANCELLED');
    const declined = await engagements('hire', '--yes', hirer, worker, '1');
    const other = String(JSON.parse(declined.stdout).engagement.task_id);
    const ended = await engagements('decline', '--yes', other);
    expect(JSON.parse(ended.stdout).engagement.status).toBe('DECLINED');
  });

  test.each<[string, () => string[], number, string]>([
    ['a hire for 0 credits', () => ['hire', '--yes', hirer, worker, '0'], 2, 'from 1 to 9007199254740991'],
    [
      'a hire for 1e3 credits',
      () => ['hire', '--yes', hirer, worker, '1e3'],
      2,
      'from 1 to 9007199254740991',
    ],
    ['a hire for more credits than there are', () => ['hire', '--yes', hirer, worker, '1000'], 1, 'credits'],
    [
      'a hire with a used task_id',
      () => ['hire', '--yes', hirer, worker, '1', '--task', 'audit 7'],
      5,
      'was used before',
    ],
    ['a hire of itself', () => ['hire', '--yes', hirer, hirer, '1'], 2, 'must be another agent'],
    [
      'a hire with a deadline that is no time',
      () => ['hire', '--yes', hirer, worker, '1', '--deadline', 'soon'],
      2,
      'deadline',
    ],
    ['a list of an unknown status', () => ['list', '--agent', worker, '--status', 'OPEN'], 2, 'HELD'],
    [
      'a list by status without an agent',
      () => ['list', '--status', 'HELD'],
      2,
      'error: --status needs --agent\n',
    ],
    ['an acceptance of an unknown task', () => ['accept', '--yes', 'none'], 4, 'task_id'],
    ['a second acceptance', () => ['accept', '--yes', 'audit 7'], 5, 'The engagement is PAID'],
    ['a cancellation of a paid task', () => ['cancel', '--yes', 'audit 7'], 5, 'The engagement is PAID'],
  ])('refuses %s', async (_, args, code, says) => {
    const { code: found, stderr } = await engagements(...args());
    expect([found, stderr]).toEqual([code, expect.stringContaining(says)]);
  });
});
