import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOG_NAMES } from '../../../src/proof/log/log-names.ts';
import { type Running, witness } from '../process.ts';
import { served } from './session.ts';

/** A witness that cosigns the logs of a service whenever the service runs. */
export class Watching {
  /**
   * @param temporary a directory for its policies
   * @param data its data directory
   */
  constructor(
    private readonly temporary: string,
    private readonly name: string,
    private readonly data: string,
  ) {}

  /** The policy that names the logs, since the last run. */
  get logs(): string {
    return join(this.temporary, 'logs.policy');
  }

  /**
   * Runs the witness while `task` runs.
   * @param task gets the setting with which a service asks the witness, and the witness
   */
  async watched<T>(
    data: string,
    task: (setting: Record<'log.witness_policy', string>, running: Running) => Promise<T>,
  ): Promise<T> {
    const [logs, policy] = [this.logs, join(this.temporary, 'witness.policy')];
    await served(data, { read_only: 'on' }, [], async ({ url }) => {
      const lines = LOG_NAMES.map(async (log) => (await fetch(`${url}/log/${log}/vkeys`)).text());
      writeFileSync(logs, `${(await Promise.all(lines)).join('')}quorum none\n`);
    });
    const running = await witness(this.data, [
      ...['--name', `${this.name}/w1`, '--logs', logs, '--rate-limits', 'off'],
    ]);
    try {
      const [ed25519, mldsa] = [running.ready.vkeys].flat();
      const keys = `witness ed ${ed25519} ${running.url}\nwitness pq ${mldsa} ${running.url}\n`;
      writeFileSync(policy, `${keys}group both all ed pq\nquorum both\n`);
      return await task({ 'log.witness_policy': policy }, running);
    } finally {
      await running.stop();
    }
  }
}
