import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { nativePrimitives } from '../../src/platform/crypto/crypto.ts';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { encodeBase64 } from '../../src/proof/encoding/base64.ts';
import { checkpointText } from '../../src/proof/log/checkpoint.ts';
import {
  consistencyPath,
  leafHash,
  type NodeReader,
  nodeHash,
  treeRoot,
} from '../../src/proof/log/merkle.ts';
import { formatNote, formatVerifierKey } from '../../src/proof/log/note.ts';
import { openWitness, type WitnessService } from '../../src/witness/service.ts';
import { type NoteSigner, newNoteSigner } from '../unit/proof/log/signed-notes.ts';
import { withFreshHealth } from './fresh-health.ts';
import { scratch } from './process.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A log in memory with numbers as leaves; another `seed` makes another tree. */
export class SmallLog {
  readonly signers: NoteSigner[];

  constructor(
    readonly origin: string,
    readonly seed = 'leaf',
    signers: NoteSigner[] | null = null,
  ) {
    this.signers = signers ?? [newNoteSigner(origin, 'ed25519')];
  }

  /** The same keys over another tree. */
  fork(seed: string): SmallLog {
    return new SmallLog(this.origin, seed, this.signers);
  }

  private readonly node: NodeReader = (level, index) =>
    level === 0
      ? leafHash(nativePrimitives, Buffer.from(`${this.seed} ${index}`))
      : nodeHash(nativePrimitives, this.node(level - 1, index * 2), this.node(level - 1, index * 2 + 1));

  root(size: number): Uint8Array {
    return treeRoot(nativePrimitives, size, this.node);
  }

  proof(from: number, to: number): string[] {
    return consistencyPath(nativePrimitives, from, to, this.node).map(encodeBase64);
  }

  note(size: number, signers: readonly NoteSigner[] = this.signers): string {
    const text = checkpointText({ origin: this.origin, size, root: this.root(size) });
    return formatNote({ text, signatures: signers.map((signer) => signer.sign(text)) });
  }

  /** Returns the body of an add-checkpoint request. */
  submission(from: number, to: number): string {
    return body(from, this.proof(from, to), this.note(to));
  }

  get policyLines(): string {
    return this.signers.map(({ key }) => `log ${formatVerifierKey(key)}\n`).join('');
  }
}

export function body(oldSize: number | string, proof: readonly string[], note: string): string {
  return [`old ${oldSize}`, ...proof, '', note].join('\n');
}

export interface WitnessApp {
  service: WitnessService;
  directory: string;
  fetch: (request: Request, peer?: string) => Promise<Response>;
  /** Sends a body to add-checkpoint. */
  add(text: string | Uint8Array<ArrayBuffer>): Promise<{ status: number; text: string; headers: Headers }>;
  logged(): string;
  close(): Promise<void>;
}

/**
 * Opens a witness in this process, on its own data directory. Rate limits are off unless `settings` sets
 * them.
 */
export async function openWitnessApp(
  logs: readonly SmallLog[],
  settings: Record<string, string> = {},
  time: VirtualTime | null = null,
): Promise<WitnessApp> {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const place = scratch();
  const file = join(place.path, 'logs.policy');
  writeFileSync(file, `${logs.map(({ policyLines }) => policyLines).join('')}quorum none\n`);
  const directory = takeDataDirectory(join(place.path, 'data'));
  const config = { name: 'witness.example/w1', logs: file, rate_limits: 'off', ...settings };
  const service = await openWitness(
    directory,
    new Map(Object.entries(config)),
    log,
    time === null ? {} : { clock: time },
  );
  const fetch = withFreshHealth(service.witness.health, service.app().fetch);
  return {
    service,
    directory: directory.path,
    fetch,
    async add(text) {
      const response = await fetch(
        new Request('http://localhost/add-checkpoint', { method: 'POST', body: text }),
      );
      return { status: response.status, text: await response.text(), headers: response.headers };
    },
    logged: () => lines.join(''),
    async close() {
      await service.close();
      directory.release();
      rmSync(place.path, { recursive: true });
    },
  };
}
