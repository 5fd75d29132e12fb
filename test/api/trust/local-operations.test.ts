import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { operationAction } from '../../../src/platform/control/operation.ts';
import type { OperationApp } from '../../../src/platform/control/operation-app.ts';
import { perform } from '../../../src/platform/control/perform.ts';
import { descriptionsOf } from '../../../src/platform/module.ts';
import { openLocalApp } from '../../../src/trust/service/local-app.ts';
import { trustModules } from '../../../src/trust/service/modules.ts';
import { localServiceOpening } from '../../../src/trust/service/open-context.ts';
import { creditedAgent } from '../../support/credits.ts';
import { openTrustApp, type TrustApp } from '../../support/trust-app.ts';

const SILENT = pino({ level: 'silent' });

let app: TrustApp;
let administrator: OperationApp;
let local: { operation: string; method: string; path: string }[];
beforeAll(async () => {
  app = await openTrustApp();
  administrator = await openLocalApp(app.service.trust, new Map(), pino({ level: 'silent' }), trustModules);
  local = [...(await administrator.operations())].flatMap(([operation, { method, path }]) =>
    path.startsWith('/local/') ? [{ operation, method, path }] : [],
  );
});
afterAll(() => app.close());

test('each local operation has its section in an api.md, and no section of one is left over', async () => {
  const texts = await descriptionsOf(trustModules);
  const sections = Object.entries(texts).flatMap(([operation, { isLocal }]) =>
    isLocal === true ? [operation] : [],
  );
  expect(sections.sort()).toEqual(local.map(({ operation }) => operation).sort());
  expect(sections.length).toBeGreaterThan(20);
});

test('each operation is found by its capability alone, and an unknown one is not', async () => {
  const all = await administrator.operations();
  for (const [id, { method, path }] of all)
    expect([id, await administrator.operation(id)]).toEqual([id, expect.objectContaining({ method, path })]);
  expect(all.size).toBeGreaterThan(150);
  expect(await administrator.operation('getReceip')).toBeNull();
});

test('a listener has no local operation, not even for an admin key, and no document names one', async () => {
  const document = JSON.stringify((await app.anyone.get('/openapi.json')).body);
  for (const { operation, method, path } of local) {
    expect(document).not.toContain(`"${operation}"`);
    for (const caller of [app.own, app.anyone]) {
      const { status, body } = await caller.call(method, path.replace(/:\w+/g, app.otherId), {});
      expect([operation, status, body.reason_code]).toEqual([operation, 404, 'not_found']);
    }
  }
});

/** Calls operations through the control socket's handler of a running service. */
async function served(app: TrustApp) {
  const action = (await app.service.background()).actions.find(({ name }) => name === operationAction.name);
  return async (operation: string, values: Record<string, unknown> = {}, operator: string | null = null) =>
    Object(await action?.handle(app.service.trust, { operation, operator, arguments: values }));
}

test('no rate limit of a server applies to its administrator, and its metrics do not count the calls', async () => {
  const limited = await openTrustApp({ rate_limits: 'on', 'limits.public_reads': '1' });
  const agent = await creditedAgent(limited);
  const call = await served(limited);
  for (let count = 0; count < 3; count++)
    expect((await call('getCreditJournal', { id: agent.commitment })).entries).toEqual([]);
  await limited.close();
});

test('a read-only server performs the reads of its administrator, and refuses the rest', async () => {
  const data = mkdtempSync(join(tmpdir(), 'countersign-local-'));
  await (await openTrustApp({}, null, data)).close();
  const reading = await openTrustApp({ read_only: 'on' }, null, data);
  const call = await served(reading);
  expect((await call('listOperators')).operators).toHaveLength(2);
  await expect(call('createOperator')).rejects.toThrow(/read-only/);
  await reading.close();
  rmSync(data, { recursive: true });
});

describe('a command on a stopped directory', () => {
  const data = mkdtempSync(join(tmpdir(), 'countersign-stopped-'));
  const call = async (
    operation: string,
    values: Record<string, unknown> = {},
    operator: string | null = null,
  ) =>
    Object(
      await perform(data, localServiceOpening(new Map(), SILENT, trustModules), operationAction, {
        operation,
        operator,
        arguments: values,
      }),
    );
  const highWater = () => readFileSync(join(data, 'log.high-water'), 'utf8');
  let operatorId: string;
  beforeAll(async () => {
    const opened = await openTrustApp({}, null, data);
    operatorId = opened.service.firstStart.operatorId;
    await opened.close();
  });
  afterAll(() => rmSync(data, { recursive: true }));

  test('publishes no checkpoint, not even of what another command added to a log', async () => {
    const before = highWater();
    expect(await call('setLinked', { linked: true }, operatorId)).toMatchObject({ sequence: 1 });
    await call('listOperators');
    expect(highWater()).toBe(before);
    const again = await openTrustApp({}, null, data);
    expect(again.service.trust.log.publisher.latest('accounts').response.tree_size).toBe(1);
    await again.close();
    expect(highWater()).not.toBe(before);
  });

  test.each([
    ['whose signing keys are lost', () => rmSync(join(data, 'keys'), { recursive: true }), /signing key/],
    [
      'whose high-water mark is damaged',
      () => writeFileSync(join(data, 'log.high-water'), 'x'),
      /high-water/,
    ],
  ])(
    '%s still reads and changes what needs no signature, and refuses the rest with the reason',
    async (_, damage, reason) => {
      const copy = mkdtempSync(join(tmpdir(), 'countersign-copy-'));
      cpSync(data, copy, { recursive: true });
      damage();
      expect((await call('listOperators')).operators.length).toBeGreaterThan(0);
      expect(await call('holdAllPayouts')).toEqual({ payouts: 0 });
      expect(await call('setAccountStatus', { operatorId, status: 'SUSPENDED' })).toMatchObject({
        accountStatus: 'SUSPENDED',
      });
      await expect(call('setLinked', { linked: false }, operatorId)).rejects.toThrow(reason);
      rmSync(data, { recursive: true });
      cpSync(copy, data, { recursive: true });
      rmSync(copy, { recursive: true });
    },
  );
});

test.each(['日本', '', 'a b', '../op_cus_x', 'x'.repeat(300)])(
  'the operator "%s" that nobody has is named in the refusal',
  async (operator) => {
    const call = await served(app);
    await expect(call('listApiKeys', {}, operator)).rejects.toThrow(`There is no operator ${operator}.`);
  },
);
