import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type LogSource, logSource } from '../../src/platform/tlog/source.ts';
import { HIGH_WATER_FILE } from '../../src/trust/log/high-water.ts';
import { type RecoveredLogs, recoverLogs } from '../../src/trust/log/recovery/recover.ts';
import { trustModules } from '../../src/trust/service/modules.ts';
import { withServiceStopped } from '../../src/trust/service/open-context.ts';
import { openTrustApp, type TrustApp } from './trust-app.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A data directory with a backup of its database, for tests of what `recover` restores. */
export class BackedUpDirectory {
  readonly #root = mkdtempSync(join(tmpdir(), 'countersign-recovery-'));
  readonly #backup = join(this.#root, 'backup');
  #path = join(this.#root, 'data');

  /** @param settings of the service @param time the clock of the service */
  constructor(
    private readonly settings: Record<string, string> = {},
    private readonly time: VirtualTime | null = null,
  ) {}

  /** The data directory; after `recovered`, the one that the logs were recovered into. */
  get path(): string {
    return this.#path;
  }

  /** Serves the directory for as long as `task` takes. */
  async served<T>(task: (app: TrustApp) => Promise<T>): Promise<T> {
    const app = await openTrustApp(this.settings, this.time, this.#path);
    try {
      return await task(app);
    } finally {
      await app.close();
    }
  }

  backUp(): void {
    cpSync(join(this.#path, 'trust.db'), this.#backup);
  }

  /**
   * Restores the backup into a copy of the directory, and recovers the logs from a server of the directory
   * itself.
   * @param accounts the checkpoint of the log of accounts that was published last; by default the newest
   */
  recovered(accounts: Uint8Array | null = null): Promise<RecoveredLogs> {
    return this.served(async (app) => {
      await app.service.trust.log.publisher.publish();
      const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.fetch(request) });
      const restored = join(this.#root, 'restored');
      cpSync(this.#path, restored, { recursive: true, filter: (path) => !/-(wal|shm)$|lock$/.test(path) });
      cpSync(this.#backup, join(restored, 'trust.db'));
      const live = logSource(`http://127.0.0.1:${server.port}`);
      const read: LogSource['read'] = async (path, ...rest) =>
        accounts !== null && path === 'accounts/checkpoint' ? accounts : live.read(path, ...rest);
      if (accounts !== null) rmSync(join(restored, HIGH_WATER_FILE));
      try {
        return await withServiceStopped(
          restored,
          new Map(),
          pino({ level: 'silent' }),
          trustModules,
          (context, path) =>
            recoverLogs(context, path, { ...live, read }, () => undefined, { trustCopy: accounts !== null }),
        );
      } finally {
        await server.stop(true);
        this.#path = restored;
      }
    });
  }

  dispose(): void {
    rmSync(this.#root, { recursive: true });
  }
}
