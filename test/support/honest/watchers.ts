import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logSource } from '../../../src/platform/tlog/source.ts';
import { parseCheckpoint } from '../../../src/proof/log/checkpoint.ts';
import { parseNote } from '../../../src/proof/log/note.ts';
import { sentenceOf } from '../../../src/proof/log/problem.ts';
import { serviceLogKeys } from '../../../src/tools/monitor/keys/log-keys.ts';
import { Monitor } from '../../../src/tools/monitor/monitor.ts';
import { auditRemote } from '../../../src/tools/monitor/remote-audit.ts';
import type { CommandOptions } from '../../../src/tools/verify/options/by-document.ts';
import { verify } from '../../../src/tools/verify/verify.ts';
import { audited } from '../audit.ts';
import type { HonestService } from './service.ts';

/** What is said of a service whose clock is wrong, and rightly. */
const OF_THE_CLOCK = /was signed in the future|minutes old/;
/** What is said of logs that begin again after a restored backup, and rightly. */
export const OF_A_LOSS = /does not begin with the \d+ entr/;

/** What `verify` said. */
export interface Verified {
  isValid: boolean;
  /** The JSON values that it wrote. */
  rows: unknown[];
  said: string[];
}

/** Those who watch the logs of a service: monitors, with their directories, and audits. */
export class Watchers {
  private directories = 0;
  /** The directory of the copy of the open logs; null before the first. */
  private current: string | null = null;
  /** The directories of the copies of closed logs. */
  readonly closed: string[] = [];
  /** True once published entries were lost for good. */
  hasLoss = false;
  /** Who named the loss. */
  private readonly namedLosses = new Set<string>();
  /** What they said that is wrong. */
  readonly alarms: string[] = [];

  constructor(private readonly service: HonestService) {}

  /** The copy of the open logs. */
  get copy(): string {
    this.current ??= this.newDirectory();
    return this.current;
  }

  private newDirectory(): string {
    return this.service.path(`monitor-${++this.directories}`);
  }

  /** From now on there are other logs, with another copy. */
  logsWereClosed(): void {
    if (this.current !== null) this.closed.push(this.current);
    this.current = null;
  }

  /** Has a monitor with the right time run a round, in its directory or in a new one. */
  async round({ isNew = false } = {}): Promise<void> {
    const { service } = this;
    const source = { location: 'the service', read: (path: string) => service.read(path) };
    const listener = { say: () => undefined, progress: () => undefined };
    const directory = isNew ? this.newDirectory() : this.copy;
    const clock = { now: () => service.truth() };
    const keys = await service.logKeys();
    const api = new URL(service.url);
    const monitor = new Monitor(directory, source, keys, clock, listener, undefined, api);
    try {
      const { problems } = await monitor.round();
      for (const problem of problems) this.note('monitor', problem);
    } finally {
      monitor.close();
    }
  }

  /** Audits the logs over the network. */
  async auditLogs(): Promise<void> {
    const { url } = this.service;
    const trusted = await serviceLogKeys(url);
    for await (const step of auditRemote(logSource(url), new URL(url), trusted, this.service.truth()))
      if ('problem' in step) this.note('audit', sentenceOf(step.problem));
  }

  /** Examines the data directory of the stopped service. */
  async auditDirectory(): Promise<void> {
    for (const problem of (await audited(this.service.data)).reported) this.note('fsck', sentenceOf(problem));
  }

  private note(who: string, problem: string): void {
    if (this.hasLoss && OF_A_LOSS.test(problem)) {
      this.namedLosses.add(who);
      return;
    }
    if (who === 'monitor' && !this.service.isInOrder && OF_THE_CLOCK.test(problem)) return;
    this.alarms.push(`${who}: ${problem}`);
  }

  /** Requires that all have named a loss of published entries. */
  requireNamedLoss(): void {
    for (const who of ['monitor', 'audit'])
      if (!this.namedLosses.has(who)) this.alarms.push(`${who} did not name what is lost`);
  }

  /** Returns the copies of closed logs of this name that had entries, as predecessors. */
  predecessors(name: 'accounts' | 'revocations'): string[] {
    return this.closed.filter((directory) => sizeIn(directory, name) > 0);
  }

  /** Verifies a document by the code of `countersign verify`. @param now milliseconds since 1970 */
  async verified(file: string, options: CommandOptions, now = this.service.truth()): Promise<Verified> {
    let text = '';
    const said: string[] = [];
    const output = {
      write: async (more: string) => {
        text += more;
      },
      say: (sentence: string) => void said.push(sentence),
    };
    const isValid = await verify(file, options, output, now);
    const isList = options.complete === true;
    const rows = (isList ? text.trimEnd().split('\n') : [text]).map((row): unknown => JSON.parse(row));
    return { isValid, rows, said };
  }
}

function sizeIn(directory: string, name: string): number {
  const path = join(directory, name, 'checkpoint');
  return existsSync(path) ? parseCheckpoint(parseNote(readFileSync(path)).text).size : 0;
}
