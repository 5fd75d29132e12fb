import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Known } from './known.ts';
import type { KnownPartners, staffingFacts } from './staffing-facts.ts';
import type { administratorFacts, TrustFacts } from './trust-facts.ts';
import type { witnessFacts } from './witness-facts.ts';

/** A recorded data directory of the trust service: what a reader must know, and what it must find. */
export interface ExpectedTrust {
  known: Known;
  facts: TrustFacts;
  administrator: Awaited<ReturnType<typeof administratorFacts>>;
}

/** What `expected.json` says of the recorded data directories. */
export interface Expected {
  /** What `version` of the executable prints. */
  version: string;
  recorded_at: string;
  trust: ExpectedTrust;
  /** Also a data directory of the trust service, with payments in live mode. */
  billing: ExpectedTrust;
  staffing: { known: KnownPartners; facts: Awaited<ReturnType<typeof staffingFacts>> };
  /** `policy` names the logs that it cosigns. */
  witness: { policy: string; facts: Awaited<ReturnType<typeof witnessFacts>> };
}

export type DirectoryName = 'trust' | 'billing' | 'staffing' | 'witness';

/** What the commit 8b394208 recorded. */
const RECORDED = join(import.meta.dir, '../../vectors/directory-8b394208');

export function expected(): Expected {
  return JSON.parse(readFileSync(join(RECORDED, 'expected.json'), 'utf8'));
}

/**
 * Unpacks a recorded data directory.
 * @param from the directory with the archives
 * @returns its path, in `into`
 */
export function unpack(name: DirectoryName, into: string, from = RECORDED): string {
  tar('-xzf', join(from, `${name}.tar.gz`), '-C', into, '--no-same-owner');
  return join(into, name);
}

/** Packs a data directory, so that the same directory gives the same bytes. */
export function pack(name: DirectoryName, root: string, into: string): void {
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '--format=ustar'];
  const file = join(into, `${name}.tar.gz`);
  tar(...same, '--use-compress-program=gzip -9n', '-cf', file, '-C', root, name);
}

function tar(...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['tar', ...args]);
  if (exitCode !== 0) throw new Error(`tar ${args.join(' ')}: ${stderr}`);
}
