import { setServers } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

/** The minimum time between two checks of the file. */
const LOOK_MS = 1000;

/** The number of name servers that the C library uses. */
const MOST_SERVERS = 3;

/**
 * Follows changes of the name servers in /etc/resolv.conf. The resolver reads the file only once: a service
 * that started before its network, or outlives a change, would ask the wrong servers until its next start.
 */
export class ResolvConf {
  private stamp: string;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly path = '/etc/resolv.conf',
    private readonly use: (servers: string[]) => void = setServers,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.stamp = this.current();
  }

  /**
   * Passes the servers of a changed file to the resolver. A file without servers has no effect. Takes some
   * microseconds.
   */
  follow(): void {
    if (this.now() - this.lookedAt < LOOK_MS) return;
    this.lookedAt = this.now();
    const stamp = this.current();
    if (stamp === this.stamp) return;
    this.stamp = stamp;
    const servers = this.servers();
    if (servers.length > 0) this.use(servers);
  }

  private servers(): string[] {
    try {
      const lines = readFileSync(this.path, 'utf8').matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm);
      const servers = [...lines].map(([, server = '']) => server);
      return servers.filter((server) => isIP(server) !== 0).slice(0, MOST_SERVERS);
    } catch {
      return [];
    }
  }

  /** Returns a value that changes when the file is written or replaced; empty while it does not exist. */
  private current(): string {
    const stats = statSync(this.path, { throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
  }
}
