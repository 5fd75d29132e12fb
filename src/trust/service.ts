import { join } from 'node:path';
import type { Logger } from 'pino';
import { unlessAhead } from '../platform/clock-watch.ts';
import type { Config } from '../platform/config/setting.ts';
import type { Handler } from '../platform/control/action.ts';
import type { DataDirectory } from '../platform/data-directory.ts';
import type { App } from '../platform/http/app.ts';
import { Limits } from '../platform/http/limits.ts';
import { forgetOldAnswers } from '../platform/idempotency/service.ts';
import type { Figure } from '../platform/metrics.ts';
import { Names } from '../platform/names.ts';
import { unobserved } from '../platform/observer.ts';
import type { Job } from '../platform/scheduler.ts';
import { logFigure as walFigure } from '../platform/store/figure.ts';
import type { Store } from '../platform/store/store.ts';
import { forgetOldChallenges } from './agents/forget.ts';
import { createTrustApp } from './app.ts';
import type { Trust } from './context.ts';
import { trustDatabase } from './database.ts';
import { keyActions } from './keys/actions.ts';
import { activateDue } from './keys/rotation.ts';
import { logFigures } from './log/figures.ts';
import { type Circumstances, openTrust } from './opening.ts';
import { operatorActions } from './operators/actions.ts';
import { type FirstStart, firstStart, formerStart } from './operators/first-start.ts';
import { forgetOldSessions } from './operators/sessions.ts';
import { countByState } from './receipts/count.ts';
import { followDays } from './reputation/days.ts';
import { trustSettings } from './settings.ts';
import { openWebhooks, type Webhooks } from './webhooks/webhooks.ts';
import { witnessFigures } from './witnesses/figures.ts';
import { readWitnessPolicy } from './witnesses/policy.ts';
import { openWitnesses } from './witnesses/witnesses.ts';

/** How often it is asked whether a checkpoint is due: what was finalized stands in one within a second. */
const PUBLISH_MS = 50;

/** The next key takes over within this of its time. To ask costs no look at the database while none is due. */
const ACTIVATE_MS = 1000;

export interface TrustService {
  trust: Trust;
  webhooks: Webhooks;
  firstStart: FirstStart;
  /** The application; its documentation names `serverUrl`, `/` being wherever the document was fetched from. */
  app(serverUrl: string): App;
  /** What commands may ask of it while it runs. */
  actions: readonly Handler<Trust>[];
  jobs: readonly Job[];
  figures: readonly Figure[];
  /** See `RunningService`. */
  checkFiles(): string | null;
  /** Commits what is under way and closes the database. */
  close(): Promise<void>;
}

/** Opens the trust service on its data directory: migrations, store, keys, log, and the first start's secrets. */
export async function openTrustService(
  directory: DataDirectory,
  config: Config,
  log: Logger,
  circumstances: Circumstances,
): Promise<TrustService> {
  // What is wrong with it is said before anything is made.
  const policy = readWitnessPolicy(trustSettings.witnessPolicy.in(config));
  const { context: trust, close } = await openTrust(directory, config, log, circumstances);
  try {
    const { store, clock, readOnly } = trust;
    const { version, observer = unobserved, resolve = new Names().resolve } = circumstances;
    const allowPrivate = trustSettings.allowPrivateWebhooks.in(config) === 'on';
    const webhooks = await openWebhooks(trust, { allowPrivate, resolve, log, observer });
    const started = readOnly
      ? await formerStart(store)
      : await firstStart(store, clock, {
          apiKey: trustSettings.bootstrapApiKey.in(config),
          serviceToken: trustSettings.serviceToken.in(config),
        });
    const limits = new Limits({
      on: trustSettings.rateLimits.in(config) === 'on',
      trustedProxies: trustSettings.trustedProxies.in(config),
    });
    const witnesses = await openWitnesses(trust, policy, {
      // Not those of webhooks: what strangers name takes no place of what the configuration names.
      resolve: new Names().resolve,
      log,
      failed: observer.witnessFailure,
    });
    return {
      trust,
      webhooks,
      firstStart: started,
      app: (serverUrl) => createTrustApp(trust, webhooks, limits, log, version, serverUrl, observer),
      figures: [
        receiptFigure(store),
        ...logFigures(trust),
        ...witnessFigures(trust, witnesses),
        ...webhooks.figures,
        walFigure(join(directory.path, trustDatabase.name)),
      ],
      actions: readOnly ? [] : [...operatorActions, ...keyActions],
      jobs: [trust.health.task, store.files.task, ...(readOnly ? [] : [...jobsOf(trust), ...witnesses.jobs])],
      checkFiles: () => store.files.check(),
      async close() {
        await webhooks.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function jobsOf(trust: Trust): Job[] {
  const { store, clock, clockWatch, publisher } = trust;
  return [
    { name: 'publish checkpoints', everyMs: PUBLISH_MS, run: () => publisher.publishInTime() },
    { name: 'activate keys', everyMs: ACTIVATE_MS, run: () => activateDue(trust) },
    { name: 'follow reputations', everyMs: 60_000, run: () => followDays(trust) },
    ...unlessAhead(clockWatch, [
      { name: 'forget old challenges', everyMs: 600_000, run: () => forgetOldChallenges(trust) },
      { name: 'forget old answers', everyMs: 600_000, run: () => forgetOldAnswers(store, clock) },
      { name: 'forget old sessions', everyMs: 600_000, run: () => forgetOldSessions(store, clock) },
    ]),
  ];
}

function receiptFigure(store: Store): Figure {
  return {
    name: 'countersign_receipts',
    help: 'Receipts by the state in which they stand.',
    labels: ['status', 'revocation_status'],
    read: async () =>
      (await store.read(countByState)).map(({ status, revocationStatus, receipts }) => ({
        labels: { status, revocation_status: revocationStatus },
        value: receipts,
      })),
  };
}
