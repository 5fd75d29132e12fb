import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type Running, run, scratch, serve } from '../../../support/process.ts';

let directory: ReturnType<typeof scratch>;
let data: string;
let server: Running;
/** An agent without a sponsor that has 100 credits, and the one that it hires. */
let hirer: string;
let worker: string;

beforeAll(async () => {
  directory = scratch();
  data = join(directory.path, 'data');
  server = await serve(data);
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
      'audit 7',
      hirer,
      worker,
      '40',
      '--description',
      'Audit.',
    );
    expect([hired.stderr, JSON.parse(hired.stdout).engagement]).toEqual([
      `${data}\n`,
      expect.objectContaining({ task_id: 'audit 7', status: 'HELD', amount: 40, description: 'Audit.' }),
    ]);
    await engagements('hire', '--yes', 'audit 8', hirer, worker, '5');
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

  test.each<[string, () => string[], number, string]>([
    [
      'a hire for 0 credits',
      () => ['hire', '--yes', 'a', hirer, worker, '0'],
      2,
      'from 1 to 9007199254740991',
    ],
    [
      'a hire for 1e3 credits',
      () => ['hire', '--yes', 'a', hirer, worker, '1e3'],
      2,
      'from 1 to 9007199254740991',
    ],
    [
      'a hire for more credits than there are',
      () => ['hire', '--yes', 'a', hirer, worker, '1000'],
      1,
      'credits',
    ],
    [
      'a hire with a used task_id',
      () => ['hire', '--yes', 'audit 7', hirer, worker, '1'],
      5,
      'was used before',
    ],
    ['a hire of itself', () => ['hire', '--yes', 'a', hirer, hirer, '1'], 2, 'must be another agent'],
    [
      'a hire with a deadline that is no time',
      () => ['hire', '--yes', 'a', hirer, worker, '1', '--deadline', 'soon'],
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
