import type { Logger } from 'pino';
import type { Config } from '../../platform/config/setting.ts';
import type { OperationApp } from '../../platform/control/operation-app.ts';
import { moduleLoader } from '../../platform/module.ts';
import { noopRecorder } from '../../platform/monitoring/recorder.ts';
import { NameResolver } from '../../platform/network/name-resolver.ts';
import { openWitnesses } from '../log/witnesses/witnesses.ts';
import { openWebhooks } from '../webhooks/open.ts';
import { webhooksSettings } from '../webhooks/settings.ts';
import { createLocalApp } from './app.ts';
import type { TrustContext } from './context.ts';
import type { TrustModule } from './module.ts';
import { orRefused } from './refused-part.ts';

/**
 * Opens the application for the commands of a process that serves nobody else: it has no listener, runs no
 * task and sends no webhook. What it adds to logs is published at the next start of a server.
 */
export async function openLocalApp(
  trust: TrustContext,
  config: Config,
  log: Logger,
  modules: readonly TrustModule[],
): Promise<OperationApp> {
  const { resolve } = new NameResolver();
  const allowPrivate = webhooksSettings.allowPrivateWebhooks.in(config) === 'on';
  const targets = { allowPrivate, loopbackOnly: false, resolve };
  // Read-only webhooks send nothing.
  const webhooks = await openWebhooks({ ...trust, readOnly: true }, { targets, log, recorder: noopRecorder });
  const witnesses = await orRefused(() =>
    openWitnesses(trust, null, { resolve, log, failed: noopRecorder.witnessFailure }),
  );
  return createLocalApp({
    ...{ trust, webhooks, witnesses, config, listener: null },
    ...(await moduleLoader(modules)),
    // The command itself reports why an operation failed.
    log: log.child({}, { level: 'silent' }),
  });
}
