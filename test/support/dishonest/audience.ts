import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { logSource } from '../../../src/platform/tlog/source.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/proof/encoding/json.ts';
import { LOG_NAMES } from '../../../src/proof/log/log-names.ts';
import { sentenceOf } from '../../../src/proof/log/problem.ts';
import { bundleRanges, tilePath } from '../../../src/proof/log/tiles.ts';
import { compareLogs } from '../../../src/tools/monitor/compare.ts';
import { namedLogKeys } from '../../../src/tools/monitor/keys/log-keys.ts';
import { Monitor } from '../../../src/tools/monitor/monitor.ts';
import { auditRemote } from '../../../src/tools/monitor/remote-audit.ts';
import type { CommandOptions } from '../../../src/tools/verify/options/by-document.ts';
import { verify } from '../../../src/tools/verify/verify.ts';
import { FakeLog } from '../fake-log.ts';
import { runsOfPython } from '../python.ts';

/** A file that somebody has, or a directory with a copy of logs, which may be written by a function. */
type Held = string | Uint8Array | JsonObject | FakeLog | ((directory: string) => void);

const isFile = (held: string | Uint8Array | JsonObject): held is string | Uint8Array =>
  typeof held === 'string' || held instanceof Uint8Array;

/** What a customer got, and how it verifies it. */
export interface Evidence {
  document: Held;
  /** The files that options name. */
  files: Partial<Record<'keys' | 'proof' | 'status' | 'revocations' | 'policy' | 'log' | 'entry', Held>>;
  more?: CommandOptions;
  /** Copies of closed logs. */
  predecessors?: readonly Held[];
  /** The time, in milliseconds since 1970. */
  now: number;
}

/** What a party says about what it saw, and whether that is all right for it. */
export interface Opinion {
  isAccepted: boolean;
  text: string;
}

/** Those who look at what an operator shows, each with its own files under one directory. */
export class Audience {
  #files = 0;
  readonly #state: string;

  constructor(private readonly directory: string) {
    mkdirSync(directory, { recursive: true });
    this.#state = join(directory, 'state');
  }

  /** A round of the monitor that has watched since the beginning, or of one that begins now. */
  async monitor(log: FakeLog, state = this.#state): Promise<Opinion> {
    const listener = { say: () => undefined, progress: () => undefined };
    const clock = { now: () => log.now * 1000 };
    // Later rounds trust what the first one found.
    const keys = existsSync(state) ? [] : [log.vkey];
    const monitor = new Monitor(state, log, keys, clock, listener);
    try {
      const { problems } = await monitor.round();
      return { isAccepted: problems.length === 0, text: problems.join('\n') };
    } catch (error) {
      return refusal(error);
    } finally {
      monitor.close();
    }
  }

  newMonitor(log: FakeLog): Promise<Opinion> {
    return this.monitor(log, this.#path('new'));
  }

  /** Says what `fsck` says of the logs, and of the checkpoints that a service lists. */
  async fsck(log: FakeLog, api: URL | null = null): Promise<Opinion> {
    const found: string[] = [];
    try {
      for await (const step of auditRemote(log, api, await namedLogKeys([log.vkey]), log.now * 1000))
        if ('problem' in step) found.push(sentenceOf(step.problem));
    } catch (error) {
      return refusal(error);
    }
    return { isAccepted: found.length === 0, text: found.join('\n') };
  }

  /** Compares the copy of the monitor that has watched since the beginning with the logs. */
  async compare(log: FakeLog): Promise<Opinion> {
    const { keys } = await namedLogKeys([join(this.#state, 'trusted-log-keys')]);
    const found: string[] = [];
    try {
      for await (const { row, fork, loss } of compareLogs(logSource(this.#state), log, keys)) {
        if (row !== null && row.result !== 'ok') found.push(row.result);
        if (fork !== null) found.push(fork.message);
        if (loss !== undefined) found.push(loss);
      }
    } catch (error) {
      return refusal(error);
    }
    return { isAccepted: found.length === 0, text: found.join('\n') };
  }

  /** Says what `countersign verify` says. */
  async verify(evidence: Evidence): Promise<Opinion> {
    const { document, options } = await this.#written(evidence);
    let text = '';
    const said: string[] = [];
    const write = async (more: string): Promise<void> => {
      text += more;
    };
    try {
      const output = { write, say: (sentence: string) => void said.push(sentence) };
      const isAccepted = await verify(document, options, output, evidence.now);
      return { isAccepted, text: [...summary(text), ...said].join('\n') };
    } catch (error) {
      return refusal(error);
    }
  }

  /** Says what src/tools/python/verify.py says. */
  async python(evidence: Evidence): Promise<Opinion> {
    const { document, options } = await this.#written(evidence);
    const args = Object.entries(options).flatMap(([name, value]) => {
      const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      if (value === true) return [flag];
      if (name === 'from') return [flag, new Date(Number(value)).toISOString()];
      return (Array.isArray(value) ? value : [value]).flatMap((one) => [flag, String(one)]);
    });
    const [run] = await runsOfPython([{ args: [document, ...args], now: evidence.now / 1000 }]);
    const { code, stdout, stderr } = run ?? { code: 1, stdout: '', stderr: '' };
    return { isAccepted: code === 0, text: [...summary(stdout), stderr].join('\n') };
  }

  async #written({ document, files, more = {}, predecessors = [] }: Evidence) {
    const options: CommandOptions = { ...more };
    for (const [name, held] of Object.entries(files))
      Object.assign(options, { [name]: await this.#write(held) });
    if (predecessors.length > 0)
      options.predecessor = await Promise.all(predecessors.map((copy) => this.#write(copy)));
    return { document: await this.#write(document), options };
  }

  async #write(held: Held): Promise<string> {
    const path = this.#path('file');
    if (held instanceof FakeLog) await copyOf(held, path);
    else if (typeof held === 'function') held(path);
    else writeFileSync(path, isFile(held) ? held : JSON.stringify(held));
    return path;
  }

  #path(name: string): string {
    return join(this.directory, `${name}-${this.#files++}`);
  }
}

/** Writes the static files of logs with fewer than 256 entries each. */
async function copyOf(log: FakeLog, directory: string): Promise<void> {
  for (const name of LOG_NAMES) {
    const { length } = log.entries[name];
    const paths = ['checkpoint', ...Array.from(bundleRanges(0, length), ({ path }) => path)];
    if (length > 0) paths.push(tilePath(0, 0, length));
    for (const path of paths) {
      const file = join(directory, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, await log.read(`${name}/${path}`));
    }
  }
}

const refusal = (error: unknown): Opinion => ({
  isAccepted: false,
  text: error instanceof Error ? error.message : String(error),
});

/** Returns the verdict, the checks, the problems and the notes of each result. */
function summary(stdout: string): string[] {
  const results = stdout.startsWith('{\n') ? [stdout] : stdout.split('\n').filter((line) => line !== '');
  return results.flatMap((text) => {
    const result: JsonValue = JSON.parse(text);
    if (!isJsonObject(result)) return [text];
    const { verdict, checks, problem, detail, problems, notes } = result;
    const said = isJsonObject(checks ?? null)
      ? Object.entries(Object(checks)).map(([name, value]) => `${name}: ${value}`)
      : [];
    const lines = [problems, notes].flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
    return [
      ...(verdict === undefined ? [] : [`verdict: ${verdict}`]),
      ...(problem === undefined ? [] : [`problem: ${problem} ${detail}`]),
      ...[...said, ...lines],
    ];
  });
}
