import { join } from 'node:path';
import type { Logger } from 'pino';
import { trustSchema } from '../../db/trust/schema.ts';
import { systemClock } from '../platform/clock.ts';
import type { DataDirectory } from '../platform/data-directory.ts';
import type { App } from '../platform/http/app.ts';
import { migrate } from '../platform/store/migrations.ts';
import { openStore } from '../platform/store/store.ts';
import { createTrustApp } from './app.ts';
import type { Trust } from './context.ts';
import { openSigner } from './keys/service.ts';
import { type ConfiguredSecrets, type FirstStart, firstStart } from './operators/first-start.ts';

export interface TrustService {
  trust: Trust;
  firstStart: FirstStart;
  /** The application; its documentation names `serverUrl`, `/` being wherever the document was fetched from. */
  app(serverUrl: string): App;
  /** Commits what is under way and closes the database. */
  close(): Promise<void>;
}

/** Opens the trust service on its data directory: migrations, store, keys, and the first start's secrets. */
export async function openTrustService(
  directory: DataDirectory,
  secrets: ConfiguredSecrets,
  log: Logger,
  version: string,
): Promise<TrustService> {
  const file = join(directory.path, 'trust.db');
  for (const name of migrate(file, trustSchema)) log.info({ migration: name }, 'database migrated');
  const store = openStore(file, directory.durability, (err) =>
    log.error({ err }, 'the store failed beside a write'),
  );
  try {
    const signer = await openSigner(store, directory.path, systemClock);
    const trust = { store, clock: systemClock, signer };
    const started = await firstStart(store, systemClock, secrets);
    return {
      trust,
      firstStart: started,
      app: (serverUrl) => createTrustApp(trust, log, version, serverUrl),
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
