import { setServers } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

/** It is looked at no more often than this. */
const LOOK_MS = 1000;

/** The C library takes so many name servers. */
const MOST_SERVERS = 3;

/**
 * Follows the name servers of /etc/resolv.conf: the resolver reads the file once, and a service that started before its
 * network, or outlives a change of it, would ask the wrong ones until its next start.
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

  /** Tells the resolver the servers of a file that has changed; one that names none changes nothing. Costs some microseconds. */
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

  /** What changes when somebody writes or replaces the file; empty while there is none. */
  private current(): string {
    const found = statSync(this.path, { throwIfNoEntry: false });
    return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
  }
}
