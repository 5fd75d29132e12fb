import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/setting.ts';
import { operationHandler } from '../../platform/control/operation.ts';
import type { DataDirectory } from '../../platform/data-directory.ts';
import type { GrowingApp } from '../../platform/http/documented-app.ts';
import { RateLimiter } from '../../platform/http/request/rate-limits.ts';
import { lazy } from '../../platform/lazy.ts';
import { metricsOf, moduleLoader, tasksOf } from '../../platform/module.ts';
import { noopRecorder } from '../../platform/monitoring/recorder.ts';
import { walMetric } from '../../platform/monitoring/wal-metric.ts';
import { NameResolver } from '../../platform/network/name-resolver.ts';
import { type ServiceBackground, withControl } from '../../platform/service-definition.ts';
import { TEST_DELIVERY_GRACE_MS } from '../../platform/test-service/times.ts';
import { poolOf } from '../ledger/accounts.ts';
import { quorumOf, readWitnessPolicy, refuseOwnWitnesses } from '../log/witnesses/policy.ts';
import { witnessesSettings } from '../log/witnesses/settings.ts';
import { openWitnesses, type Witnesses } from '../log/witnesses/witnesses.ts';
import { completedStart, type FirstStart, loadFirstStart } from '../operators/later-start.ts';
import { operatorsSettings } from '../operators/settings.ts';
import { PushSender } from '../protocols/a2a/push/push-sender.ts';
import { openWebhooks, type Webhooks } from '../webhooks/open.ts';
import { webhooksSettings } from '../webhooks/settings.ts';
import { createLocalApp, createTrustApp } from './app.ts';
import type { TrustContext } from './context.ts';
import { trustDatabase } from './database.ts';
import type { TrustModule } from './module.ts';
import { trustModules } from './modules.ts';
import { type OpenOptions, openTrust } from './open-context.ts';
import { trustSettings } from './settings.ts';

export interface TrustService {
  trust: TrustContext;
  webhooks: Webhooks;
  witnesses: Witnesses;
  firstStart: FirstStart;
  /** Returns the application. @param serverUrl in its OpenAPI document; `/` is the origin of the document */
  app(serverUrl: string): GrowingApp;
  /** Loads tasks, metrics and actions. @throws Failure when two modules define the same one */
  background(): Promise<ServiceBackground<TrustContext>>;
  /** See `RunningService`. */
  checkFiles(): string | null;
  /** Ends the streams, which would otherwise keep their connections open. */
  endStreams(): void;
  /** Stops webhooks, commits pending transactions and closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the trust service on its data directory: migrations, store, keys, log, and the first start's secrets.
 */
export async function openTrustService(
  directory: DataDirectory,
  config: Config,
  log: Logger,
  options: OpenOptions,
): Promise<TrustService> {
  // An invalid policy is refused before anything is created.
  const policy = readWitnessPolicy(witnessesSettings.witnessPolicy.in(config));
  const { context: trust, close } = await openTrust(directory, config, log, {
    ...options,
    quorum: quorumOf(policy),
    witnessServers: policy?.servers.length ?? 0,
  });
  try {
    refuseOwnWitnesses(
      policy,
      trust.signer.all().map(({ publicKey }) => publicKey),
    );
    const { store, readOnly } = trust;
    const {
      version,
      recorder = noopRecorder,
      resolve = new NameResolver().resolve,
      loopbackOnly = false,
      demonstration = null,
      testing = null,
      listener = null,
    } = options;
    const allowPrivate = webhooksSettings.allowPrivateWebhooks.in(config) === 'on';
    const targets = { allowPrivate, loopbackOnly, resolve };
    const webhooks = await openWebhooks(trust, {
      targets,
      log,
      recorder,
      ...(testing === null ? {} : { graceMs: TEST_DELIVERY_GRACE_MS }),
    });
    const push = readOnly ? null : new PushSender(trust, webhooks.dispatcher);
    const started = await (readOnly ? loadFirstStart(store) : startOf(trust, config));
    const limits = new RateLimiter({
      on: trustSettings.rateLimits.in(config) === 'on',
      trustedProxies: trustSettings.trustedProxies.in(config),
    });
    const witnesses = await openWitnesses(trust, policy, {
      // A separate resolver: lookups for strangers' webhooks must not delay lookups for configured witnesses.
      resolve: new NameResolver().resolve,
      log,
      failed: recorder.witnessFailure,
    });
    const modules: readonly TrustModule[] = [
      ...(options.modules ?? trustModules),
      ...(testing === null ? [] : [testing.module]),
    ];
    const loader = await moduleLoader(modules);
    const running = { trust, webhooks, witnesses, config, listener };
    const checksResponses = trustSettings.checkResponses.in(config) === 'on';
    const parts = { ...running, ...loader, limits, log, recorder, version, demonstration, checksResponses };
    return {
      ...running,
      firstStart: started,
      app: (serverUrl) => createTrustApp({ ...parts, serverUrl }),
      async background() {
        const loaded = await loader.loaded();
        const background = {
          metrics: metricsOf(loaded, running, [walMetric(join(directory.path, trustDatabase.name))]),
          actions: [operationHandler(lazy(async () => createLocalApp({ ...running, ...loader, log })))],
          tasks: [
            trust.health.task,
            store.files.task,
            ...(readOnly ? [] : tasksOf(loaded, running, trust.clockWatch)),
          ],
        };
        return withControl(background, directory, trust, log);
      },
      checkFiles: () => store.files.check(),
      endStreams: () => trust.taskStreams.stop(),
      async close() {
        await push?.stop();
        await webhooks.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Creates what the first start creates and the configured secrets. The code for this is only loaded by a
 * start that needs it.
 */
async function startOf(trust: TrustContext, config: Config): Promise<FirstStart> {
  const configured = {
    apiKey: operatorsSettings.bootstrapApiKey.in(config),
    serviceToken: operatorsSettings.serviceToken.in(config),
  };
  const completed = await completedStart(trust.store, configured);
  if (completed !== null) return completed;
  const [{ runFirstStart }, { adjustIn, INITIAL_CREDITS }] = await Promise.all([
    import('../operators/first-start.ts'),
    import('../ledger/adjust.ts'),
  ]);
  return runFirstStart(trust, configured, (tx, operator) =>
    adjustIn(tx, trust, poolOf(operator), 'promotional', INITIAL_CREDITS),
  );
}
