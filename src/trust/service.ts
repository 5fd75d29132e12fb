import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/setting.ts';
import type { Handler } from '../platform/control/action.ts';
import type { Opening } from '../platform/control/perform.ts';
import { type DataDirectory, refuseOthers } from '../platform/data-directory.ts';
import { Failure } from '../platform/failure.ts';
import type { App } from '../platform/http/app.ts';
import { Limits } from '../platform/http/limits.ts';
import { forgetOldAnswers } from '../platform/idempotency/service.ts';
import type { Figure } from '../platform/metrics.ts';
import { type Observer, unobserved } from '../platform/observer.ts';
import type { Job } from '../platform/scheduler.ts';
import { logFigure } from '../platform/store/figure.ts';
import { migrate } from '../platform/store/migrations.ts';
import { openStore, type Store } from '../platform/store/store.ts';
import { createTrustApp } from './app.ts';
import type { Desk, Trust } from './context.ts';
import { trustDatabase } from './database.ts';
import { openSigner } from './keys/service.ts';
import { operatorActions } from './operators/actions.ts';
import { type FirstStart, firstStart } from './operators/first-start.ts';
import { Principals } from './operators/principals.ts';
import { forgetOldSessions } from './operators/sessions.ts';
import { countByState } from './receipts/count.ts';
import { rulesOf } from './rules.ts';
import { trustSettings } from './settings.ts';

/** Those of the services that this one must not move in with. */
const OTHER_DATABASES = ['staffing.db'];

export interface TrustService {
  trust: Trust;
  firstStart: FirstStart;
  /** The application; its documentation names `serverUrl`, `/` being wherever the document was fetched from. */
  app(serverUrl: string): App;
  /** What commands may ask of it while it runs. */
  actions: readonly Handler<Desk>[];
  jobs: readonly Job[];
  figures: readonly Figure[];
  /** Commits what is under way and closes the database. */
  close(): Promise<void>;
}

/** Opens the trust service on its data directory: migrations, store, keys, and the first start's secrets. */
export async function openTrustService(
  directory: DataDirectory,
  config: Config,
  log: Logger,
  version: string,
  observer: Observer = unobserved,
): Promise<TrustService> {
  const { desk, close } = openDesk(directory, config, log, observer);
  try {
    const { store, clock } = desk;
    const trust = { ...desk, signer: await openSigner(store, directory.path, clock) };
    const started = await firstStart(store, clock, {
      apiKey: trustSettings.bootstrapApiKey.in(config),
      serviceToken: trustSettings.serviceToken.in(config),
    });
    const limits = new Limits({
      on: trustSettings.rateLimits.in(config) === 'on',
      trustedProxies: trustSettings.trustedProxies.in(config),
    });
    return {
      trust,
      firstStart: started,
      app: (serverUrl) => createTrustApp(trust, limits, log, version, serverUrl, observer),
      figures: [receiptFigure(store), logFigure(join(directory.path, trustDatabase.name))],
      actions: operatorActions,
      jobs: [
        { name: 'forget old answers', everyMs: 600_000, run: () => forgetOldAnswers(store, clock) },
        { name: 'forget old sessions', everyMs: 600_000, run: () => forgetOldSessions(store, clock) },
      ],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** How a command opens the service of which nobody holds the data directory. */
export function trustOpening(config: Config, log: Logger): Opening<Desk> {
  return {
    database: trustDatabase.name,
    async open(directory) {
      const { desk, close } = openDesk(directory, config, log, unobserved);
      return { context: desk, close };
    },
  };
}

function openDesk(directory: DataDirectory, config: Config, log: Logger, { group }: Observer) {
  // Settings that contradict each other are found before anything is migrated or open.
  const rules = rulesOf(config);
  const file = join(directory.path, trustDatabase.name);
  refuseOthers(directory.path, OTHER_DATABASES);
  refuseKeysAlone(directory.path, file);
  for (const name of migrate(file, trustDatabase.schema)) log.info({ migration: name }, 'database migrated');
  const failed = (err: unknown): void => log.error({ err }, 'the store failed beside a request');
  const store = openStore(file, directory.durability, { failed, group });
  const principals = new Principals(store, systemClock, failed);
  const desk: Desk = { store, clock: systemClock, rules, principals };
  return { desk, close: () => store.close() };
}

/** Keys that have signed, and nothing that tells what: this is no first start. @throws Failure */
function refuseKeysAlone(directory: string, file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const keys = join(directory, 'keys');
  if (size > 0 || !existsSync(keys) || !readdirSync(keys).some((name) => name.endsWith('.pem'))) return;
  throw new Failure(
    `${directory} has signing keys, but ${trustDatabase.name} is ${existsSync(file) ? 'empty' : 'missing'}`,
    'countersign restore brings a backup back; to begin anew, move the keys directory away',
  );
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
