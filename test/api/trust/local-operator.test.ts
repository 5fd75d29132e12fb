import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { operationAction } from '../../../src/platform/control/operation.ts';
import { perform } from '../../../src/platform/control/perform.ts';
import { takeDataDirectory } from '../../../src/platform/data-directory.ts';
import { trustModules } from '../../../src/trust/service/modules.ts';
import { localServiceOpening } from '../../../src/trust/service/open-context.ts';
import { openTrustService } from '../../../src/trust/service/service.ts';
import { enrolledAgent } from '../../support/agent.ts';
import { audited } from '../../support/audit.ts';
import { DIGEST, issueBody } from '../../support/client.ts';
import { PAYLOADS, signedEvidence } from '../../support/evidence.ts';
import { localAdministrator } from '../../support/local-administrator.ts';
import { openTrustApp, type TrustApp } from '../../support/trust-app.ts';

const SILENT = pino({ level: 'silent' });
const HOOK = { url: 'https://93.184.216.34/hook', events: ['evidence.anchored'] };

/** Calls an operation as the local administrator. @returns its result, or the error as `{ error, exitCode }` */
type Call = (
  operation: string,
  values?: Record<string, unknown>,
  operator?: string | null,
) => Promise<Record<string, unknown>>;

const data = mkdtempSync(join(tmpdir(), 'countersign-operator-'));
let app: TrustApp | null = null;
let first: string;
let second: string;
let agent: Awaited<ReturnType<typeof enrolledAgent>>;
beforeAll(async () => {
  const opened = await openTrustApp({}, null, data);
  first = opened.service.firstStart.operatorId;
  second = opened.otherId;
  agent = await enrolledAgent(opened);
  await opened.close();
});
afterAll(async () => {
  await app?.close();
  rmSync(data, { recursive: true });
});

const call: Call = async (operation, values = {}, operator = null) => {
  const input = { operation, operator, arguments: values };
  try {
    if (app === null)
      return Object(
        await perform(data, localServiceOpening(new Map(), SILENT, trustModules), operationAction, input),
      );
    const { actions } = await app.service.background();
    const action = actions.find(({ name }) => name === operationAction.name);
    return Object(await action?.handle(app.service.trust, input));
  } catch (error) {
    const { message, exitCode } = Object(error);
    return { error: message, exitCode };
  }
};

describe.each([
  ['in a data directory without a server', async () => undefined],
  [
    'through the socket of a running server',
    async () => {
      app = await openTrustApp({}, null, data);
    },
  ],
])('the local administrator acts for an operator %s:', (_, open) => {
  beforeAll(open);

  test('issues, finalizes, lists, shows, bundles and revokes receipts of that operator only', async () => {
    const issued = await call('issueReceipt', issueBody(), first);
    expect(issued).toMatchObject({ status: 'pending', operator_id: first });
    const id = issued.receipt_id;
    expect(await call('finalizeReceipt', { id, status: 'success', output_hash: DIGEST }, second)).toEqual({
      error: expect.stringContaining('receipt_not_found'),
      exitCode: 4,
    });
    expect(
      await call('finalizeReceipt', { id, status: 'success', output_hash: DIGEST }, first),
    ).toMatchObject({ status: 'success' });
    const { receipts } = await call('listReceipts', { limit: '5' }, first);
    expect(Object(receipts)[0]).toMatchObject({ receipt_id: id });
    const { receipts: others } = await call('listReceipts', { limit: '5' }, second);
    expect(others).not.toContainEqual(expect.objectContaining({ operator_id: first }));
    expect(await call('getReceipt', { id }, first)).toMatchObject({ receipt_id: id });
    expect(await call('getReceipt', { id }, second)).toMatchObject({ exitCode: 4 });
    expect(await call('revokeReceipt', { id, reason: 'a test' }, second)).toMatchObject({ exitCode: 4 });
    expect(await call('revokeReceipt', { id, reason: 'a test' }, first)).toMatchObject({
      revocation_status: 'revoked',
    });
  });

  test('lists agents, and sends and lists evidence', async () => {
    const { commitment } = agent;
    expect((await call('listAgents', {}, first)).agents).toMatchObject([{ subject_commitment: commitment }]);
    expect((await call('listAgents', {}, second)).agents).toEqual([]);
    const item = signedEvidence(agent, 'github_push_webhook', PAYLOADS.github_push_webhook());
    const sent = await call('anchorEvidence', { id: commitment, ...item }, first);
    expect(sent.event_commitment_hash).toMatch(/^[0-9a-f]{64}$/);
    const { evidence } = await call('listEvidence', { id: commitment }, first);
    expect(Object(evidence)[0]).toMatchObject({ event_commitment_hash: sent.event_commitment_hash });
    const deliverable = signedEvidence(agent, 'task_deliverable', PAYLOADS.task_deliverable());
    expect(await call('anchorEvidence', { id: commitment, ...deliverable }, first)).toMatchObject({
      error: expect.stringContaining('service_auth_failed'),
    });
  });

  test('creates, lists and deletes webhooks of that operator only', async () => {
    const { id, signing_secret: secret } = await call('createWebhook', HOOK, first);
    expect(secret).toStartWith('whsec_');
    expect((await call('listWebhooks', {}, first)).webhooks).toMatchObject([{ id }]);
    expect((await call('listWebhookDeliveries', { id }, first)).deliveries).toEqual([]);
    expect(await call('deleteWebhook', { id }, second)).toMatchObject({ exitCode: 4 });
    expect(await call('deleteWebhook', { id }, first)).toEqual({ id, deleted: true });
  });

  test('reads the status, the slashes and the keys of that operator', async () => {
    expect(await call('getOperatorStatus', {}, first)).toMatchObject({ operator_id: first });
    expect((await call('listSlashingLedger', {}, second)).entries).toEqual([]);
    expect((await call('listApiKeys', {}, second)).api_keys).toHaveLength(1);
  });

  test('must name the operator where there are several, and an operator that exists', async () => {
    for (const operation of ['listReceipts', 'issueReceipt', 'listAgents', 'listWebhooks', 'listApiKeys']) {
      const values = operation === 'issueReceipt' ? issueBody() : {};
      expect([operation, await call(operation, values)]).toEqual([
        operation,
        { error: expect.stringContaining('Name the one that acts with --operator'), exitCode: 2 },
      ]);
      expect(await call(operation, values, 'op_cus_nobody')).toMatchObject({
        error: expect.stringContaining('There is no operator op_cus_nobody'),
        exitCode: 4,
      });
    }
  });

  test('may do for a suspended operator only what its keys may', async () => {
    const { receipt_id: id } = await call('issueReceipt', issueBody(), second);
    await call('setAccountStatus', { operatorId: second, status: 'SUSPENDED' });
    expect(await call('issueReceipt', issueBody(), second)).toMatchObject({
      error: expect.stringContaining('gate_denied'),
    });
    expect(await call('createWebhook', HOOK, second)).toMatchObject({
      error: expect.stringContaining('The account is suspended'),
      exitCode: 3,
    });
    expect(
      await call('finalizeReceipt', { id, status: 'success', output_hash: DIGEST }, second),
    ).toMatchObject({ exitCode: 3 });
    expect((await call('listReceipts', {}, second)).receipts).not.toEqual([]);
    expect(await call('revokeReceipt', { id }, second)).toMatchObject({ revocation_status: 'revoked' });
    await call('setAccountStatus', { operatorId: second, status: 'ACTIVE' });
  });
});

test('the only operator of an installation acts without being named', async () => {
  const directory = takeDataDirectory(':memory:');
  const service = await openTrustService(directory, new Map(), SILENT, {
    version: 'test',
    url: 'http://localhost',
  });
  const act = await localAdministrator({ service });
  const { operatorId } = service.firstStart;
  expect(await act('issueReceipt', issueBody())).toMatchObject({ operator_id: operatorId });
  expect((await act('listReceipts')).receipts).toHaveLength(1);
  await act('createOperator');
  await expect(act('listReceipts')).rejects.toThrow('This data directory has several operators');
  await service.close();
  directory.release();
});

test('fsck finds no problem in what the local administrator wrote', async () => {
  await app?.close();
  app = null;
  expect((await audited(data)).reported).toEqual([]);
});
