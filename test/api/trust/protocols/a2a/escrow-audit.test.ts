import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audited as deliveryTables } from '../../../../../src/trust/hires/engagements/audit.ts';
import { audited as escrowTables } from '../../../../../src/trust/hires/escrow/audit.ts';
import { audited as a2aTables } from '../../../../../src/trust/protocols/a2a/audit.ts';
import { audited } from '../../../../support/audit.ts';
import { openMarket } from '../../../../support/engagements.ts';
import { copyOf, withoutTriggers } from '../../../../support/tampering.ts';

/** A directory with tasks whose escrow has every status; tests work on copies. */
let whole: string;
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-a2a-audit-'));
  const { app, hirer, worker, deliver } = await openMarket();
  const call = async (method: string, params: Record<string, unknown>): Promise<string> => {
    const { body } = await app.own.post('/api/v1/a2a/tasks', { jsonrpc: '2.0', id: 1, method, params });
    if (body.error !== undefined) throw new Error(JSON.stringify(body.error));
    return String(Object(body.result).id);
  };
  const say = (data: Record<string, unknown>, more: Record<string, unknown> = {}) => {
    const message = {
      messageId: crypto.randomUUID(),
      role: 'user',
      parts: [{ kind: 'data', data }],
      ...more,
    };
    return call('message/send', { message });
  };
  const terms = { hirer_commitment: hirer.commitment, worker_commitment: worker.commitment, amount: 5 };
  const hire = () => say({ skill: 'hire_agent', description: 'Sort the invoices.', ...terms });
  const [, cancelled, delivered, paid] = [await hire(), await hire(), await hire(), await hire()];
  await call('tasks/cancel', { id: cancelled });
  for (const task of [delivered, paid]) await deliver(worker, task);
  await say({ action: 'accept' }, { taskId: paid });
  await say({ skill: 'check_gate', operator_id: app.otherId, domain: 'CODE_GENERATION' });
  await app.service.trust.log.publisher.publish();
  whole = join(scratch, 'whole');
  copyOf(app.directory, whole);
  await app.close();
});
afterAll(() => rmSync(scratch, { recursive: true }));

test('fsck finds no problem in tasks whose escrow has every status', async () => {
  const { reported } = await audited(whole);
  expect(reported.map(({ sentence }) => sentence)).toEqual([]);
});

test.each([
  [
    'a task in another state than its escrow',
    "UPDATE a2a_task SET state = 'completed' WHERE task_seq = 1",
    'a2a_task (task_seq 1): state is not that of its escrow: expected working, found completed',
  ],
  [
    'a task with the escrow of another',
    'UPDATE a2a_task SET escrow_seq = NULL WHERE task_seq = 2; UPDATE a2a_task SET escrow_seq = 2 WHERE task_seq = 1',
    'a2a_task (task_seq 1): its escrow is not one of A2A with its task_id',
  ],
  [
    'a task of another skill',
    "UPDATE a2a_task SET skill = 'check_gate' WHERE task_seq = 1",
    'a2a_task (task_seq 1): its skill has no escrow: expected hire_agent, found check_gate',
  ],
  [
    'open escrow without a task',
    'DELETE FROM a2a_task WHERE task_seq = 3',
    'escrow (escrow_seq 3): it is open, and no A2A task has it',
  ],
  [
    'escrow that is said to be of an engagement',
    "UPDATE escrow SET purpose = 'engagement' WHERE escrow_seq = 1",
    'escrow (escrow_seq 1): purpose and task_id are not both those of an A2A task: expected a2a, found engagement',
  ],
  [
    'escrow with other terms',
    "UPDATE escrow SET description = 'Pay me.' WHERE escrow_seq = 4",
    'input_digest is not the digest of its terms',
  ],
  [
    'a receipt about another task',
    "UPDATE receipt SET authority_scope = 'engagement:other'",
    'escrow (escrow_seq 4): its receipt is not one of the service about its worker',
  ],
])('fsck reports %s', async (name, statement, message) => {
  const directory = join(scratch, name.replaceAll(/\W/g, '-'));
  cpSync(whole, directory, { recursive: true });
  const database = new Database(join(directory, 'trust.db'), { readwrite: true, strict: true });
  database.run('PRAGMA journal_mode = WAL');
  database.run('PRAGMA foreign_keys = OFF');
  withoutTriggers(database);
  database.run(statement);
  database.close();
  const { reported } = await audited(directory, { only: [...a2aTables, ...escrowTables, ...deliveryTables] });
  // Without those about the triggers that are missing.
  const tampered = reported.filter(({ table }) => table !== 'sqlite_schema');
  expect(tampered.map(({ sentence }) => sentence).join('\n')).toContain(message);
});
