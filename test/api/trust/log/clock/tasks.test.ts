import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadModules } from '../../../../../src/platform/module.ts';
import { formatVerifierKey } from '../../../../../src/proof/log/note.ts';
import type { TrustModule } from '../../../../../src/trust/service/module.ts';
import { trustModules } from '../../../../../src/trust/service/modules.ts';
import { chainSettings } from '../../../../support/evm/payout-app.ts';
import { scratch } from '../../../../support/process.ts';
import { openTrustApp } from '../../../../support/trust-app.ts';
import { newNoteSigner } from '../../../../unit/proof/log/signed-notes.ts';

/**
 * Every scheduled task of the service, by what it does while the clock is in doubt. A new one needs a
 * decision.
 */
const WAITING = [
  'compute scores',
  'count accepted deliveries',
  'delete old A2A tasks',
  'delete old checkpoints',
  'delete old credentials',
  'delete old readings of instruments',
  'delete old sessions of the sandbox',
  'delete unpaid checkouts and old events of the payment processor',
  'end due engagements',
  'follow engagements of inactive parties',
  'follow reputations',
  'forget addresses of enrollments',
  'forget old answers',
  'forget old challenges',
  'forget old sessions',
  'hold the credits of disputed payments',
  'issue owed receipts of engagements',
  'pay withdrawals',
  'record the heads of journals',
  'return credits of revoked agents',
];
const RUNNING = [
  'activate keys',
  'ask a witness',
  'keep what a restore must not undo',
  'publish checkpoints',
  'send the events of the sandbox',
  'watch the clock',
];

test('a decision says of every scheduled task whether it waits while the clock is in doubt', async () => {
  const directory = scratch();
  const policy = join(directory.path, 'witnesses.policy');
  const key = formatVerifierKey(newNoteSigner('w.example', 'cosignature').key);
  writeFileSync(policy, `witness w ${key} http://127.0.0.1:1\nquorum none\n`);
  const url = 'http://127.0.0.1:1';
  const settings = {
    'billing.processor': 'sandbox',
    'payouts.rail': 'evm',
    ...chainSettings({ url }, `0x${'11'.repeat(20)}`),
    'log.witness_policy': policy,
  };
  const app = await openTrustApp(settings, null, ':memory:', { listener: url });
  try {
    const { trust, webhooks, witnesses } = app.service;
    const running = { trust, webhooks, witnesses, config: new Map(Object.entries(settings)), listener: url };
    const trustParts: readonly TrustModule[] = trustModules;
    const modules = await loadModules(trustParts);
    const tasks = modules.flatMap(({ part }) => part.tasks?.(running) ?? []);
    const names = (waits: boolean): string[] =>
      tasks
        .filter(({ waitsForClock }) => waitsForClock === waits)
        .map(({ name }) => name.replace(/^ask .*/, 'ask a witness'))
        .sort();
    expect(names(true)).toEqual(WAITING);
    expect(names(false)).toEqual(RUNNING);
  } finally {
    await app.close();
    directory.dispose();
  }
});
