import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { nativePrimitives } from '../../platform/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { fetchOk } from '../../platform/fetching.ts';
import { parseCheckpoint } from '../../proof/checkpoint.ts';
import { equalBytes } from '../../proof/equal-bytes.ts';
import { bytesToHex } from '../../proof/hex.ts';
import { leafHash } from '../../proof/merkle.ts';
import { parseNote, type VerifierKey } from '../../proof/note.ts';
import { openCheckpoint } from '../../proof/note-signature.ts';
import { TILE_WIDTH, tilePath } from '../../proof/tiles.ts';
import { type LogName, originOf } from '../log/logs.ts';
import { bundlesOf, type LogSource } from '../log/source.ts';
import { KnownKeys } from './entry-check.ts';
import type { Finding } from './finding.ts';
import { GrowingTree } from './growing-tree.ts';
import { type LogKey, type TrustedLogKeys, unique, verifiersOf } from './log-keys.ts';

const IN_ORDER = ['keys', 'receipts', 'revocations'] as const satisfies readonly LogName[];
const PAGE = 100;
const FETCHING = {
  maxBytes: 16 * 2 ** 20,
  timeoutMs: 30_000,
  failed: 'lists no checkpoints',
  hint: 'where only the files of the log are served, name their place, up to and with /log',
};

const CheckpointPage = Type.Object({
  checkpoints: Type.Array(
    Type.Object({
      checkpoint_id: Type.String(),
      origin: Type.String(),
      tree_size: Type.Integer({ minimum: 0 }),
      root_hash: Type.String(),
      issued_at: Type.String(),
      previous_checkpoint_id: Type.Union([Type.String(), Type.Null()]),
      note: Type.String(),
    }),
  ),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
type Listed = Static<typeof CheckpointPage>['checkpoints'][number];

/** What was looked at from outside. */
export interface SeenFromOutside {
  entries: number;
  tiles: number;
  checkpoints: number;
  signatures: number;
}

export type OutsideStep = { finding: Finding } | { seen: SeenFromOutside; share: number };

/**
 * Audits an installation's logs as anybody can: every entry, every tile, and every checkpoint that is listed, against the newest
 * ones, which a trusted key has signed.
 *
 * @param api where checkpoints are listed; null where there are only files
 * @throws Failure for what cannot be read, and for a newest checkpoint that no trusted key has signed
 */
export async function* auditFromOutside(
  source: LogSource,
  api: URL | null,
  trusted: TrustedLogKeys,
): AsyncGenerator<OutsideStep> {
  const seen: SeenFromOutside = { entries: 0, tiles: 0, checkpoints: 0, signatures: 0 };
  const known = new KnownKeys();
  for (const name of IN_ORDER) {
    // Those that are listed come first: the newest checkpoint then covers them.
    const listed = api === null ? [] : await listedCheckpoints(api, name);
    const note = await source.read(`${name}/checkpoint`);
    const origin = trusted.origin === null ? originIn(note, source.place) : originOf(trusted.origin, name);
    const { checkpoint, findings } = openNewest(note, verifiersOf(trusted.keys, origin), source.place);
    seen.signatures += findings.length;
    yield* treeSteps(source, name, origin, checkpoint, { known, seen, listed: rootsOf(listed) });
    const keys = verifiersOf(allKeys(trusted.keys, known), origin);
    for (const finding of listFindings(listed, origin, keys, seen)) yield { finding };
  }
}

interface Context {
  known: KnownKeys;
  seen: SeenFromOutside;
  /** By size, what the checkpoints that are listed say. */
  listed: ReadonlyMap<number, Listed[]>;
}

async function* treeSteps(
  source: LogSource,
  name: LogName,
  origin: string,
  checkpoint: { size: number; root: Uint8Array },
  { known, seen, listed }: Context,
): AsyncGenerator<OutsideStep> {
  const tree = GrowingTree.empty();
  const place = { log: origin };
  const { size } = checkpoint;
  const rootsHere = (): Finding[] =>
    (listed.get(tree.size) ?? [])
      .filter(({ root_hash }) => root_hash !== bytesToHex(tree.root()))
      .map((row) => ({
        table: 'checkpoint',
        row: {},
        id: row.checkpoint_id,
        ...place,
        what: `root_hash is not that of the first ${row.tree_size} entries`,
        expected: bytesToHex(tree.root()),
        found: row.root_hash,
      }));
  for (const finding of rootsHere()) yield { finding };
  for await (const { start, entries } of bundlesOf(source, name, 0, size)) {
    for (const [at, entry] of entries.entries()) {
      const index = start + at;
      const what = name === 'keys' ? known.take(entry, index) : (known.check(name, entry)?.problem ?? null);
      if (name !== 'keys') seen.signatures++;
      if (what !== null) yield { finding: { table: 'entry', row: {}, index, ...place, what } };
      for (const { level, index: tile, hashes } of tree.append(leafHash(nativePrimitives, entry))) {
        const finding = await tileFinding(source, name, origin, tilePath(level, tile), hashes);
        seen.tiles++;
        if (finding !== null) yield { finding };
      }
      for (const finding of rootsHere()) yield { finding };
      seen.entries++;
    }
    yield { seen, share: tree.size / size };
  }
  for (const [level, hashes] of tree.edge().entries()) {
    if (hashes.length === 0) continue;
    const tile = Math.floor(size / TILE_WIDTH ** (level + 1));
    const finding = await tileFinding(source, name, origin, tilePath(level, tile, hashes.length), hashes);
    seen.tiles++;
    if (finding !== null) yield { finding };
  }
  if (!equalBytes(tree.root(), checkpoint.root)) {
    const values = { expected: bytesToHex(tree.root()), found: bytesToHex(checkpoint.root) };
    yield {
      finding: {
        table: 'checkpoint',
        row: {},
        ...place,
        what: `the newest one's root is not that of its ${size} entries`,
        ...values,
      },
    };
  }
  if (name !== 'keys') return;
  for (const { index, what } of known.problems(0))
    yield { finding: { table: 'entry', row: {}, index, ...place, what } };
  seen.signatures += known.all().reduce((sum, { entry }) => sum + entry.signatures.length, 0);
}

async function tileFinding(
  source: LogSource,
  name: LogName,
  log: string,
  path: string,
  hashes: readonly Uint8Array[],
): Promise<Finding | null> {
  const bytes = await source.read(`${name}/${path}`);
  if (equalBytes(bytes, Buffer.concat([...hashes]))) return null;
  return { table: 'tile', row: {}, id: path, log, what: 'its hashes are not those of the entries' };
}

function openNewest(note: Uint8Array, keys: readonly VerifierKey[], place: string) {
  try {
    return openCheckpoint(nativePrimitives, note, keys);
  } catch (error) {
    throw new Failure(
      `the newest checkpoint in ${place} is not trusted: ${error instanceof Error ? error.message : String(error)}`,
      'nothing below it is worth anything; see that the log keys are the right ones',
    );
  }
}

function originIn(note: Uint8Array, place: string): string {
  try {
    return parseCheckpoint(parseNote(note).text).origin;
  } catch (error) {
    throw new Failure(
      `what ${place} gives is no checkpoint: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Whoever signed a checkpoint long ago may have been retired since. */
function allKeys(trusted: readonly LogKey[], known: KnownKeys): LogKey[] {
  const told = known.logKeys(true).map(
    ({ algorithm, public_key }): LogKey => ({
      algorithm: algorithm === 'Ed25519' ? 'Ed25519' : 'ML-DSA-44',
      publicKey: public_key,
    }),
  );
  return unique([...trusted, ...told]);
}

function rootsOf(listed: readonly Listed[]): ReadonlyMap<number, Listed[]> {
  const roots = new Map<number, Listed[]>();
  for (const row of listed) roots.set(row.tree_size, [...(roots.get(row.tree_size) ?? []), row]);
  return roots;
}

/** What is wrong with the checkpoints that are listed, newest first, by themselves and one after the other. */
function listFindings(
  listed: readonly Listed[],
  origin: string,
  keys: readonly VerifierKey[],
  seen: SeenFromOutside,
): Finding[] {
  return listed.flatMap((row, at) => {
    const problems: string[] = [];
    seen.checkpoints++;
    try {
      const { checkpoint, findings } = openCheckpoint(nativePrimitives, Buffer.from(row.note), keys);
      seen.signatures += findings.length;
      const said = [checkpoint.origin, checkpoint.size, bytesToHex(checkpoint.root)].join(' ');
      const told = [row.origin, row.tree_size, row.root_hash].join(' ');
      if (said !== told || checkpoint.origin !== origin)
        problems.push(`its note says ${said}, and its row ${told}`);
    } catch (error) {
      problems.push(`its note does not open: ${error instanceof Error ? error.message : String(error)}`);
    }
    const before = listed[at + 1];
    if (row.previous_checkpoint_id !== (before?.checkpoint_id ?? null))
      problems.push('previous_checkpoint_id is not the checkpoint before it');
    if (before !== undefined && (before.tree_size > row.tree_size || before.issued_at > row.issued_at))
      problems.push('its tree or its time goes back');
    return problems.map((what) => ({
      table: 'checkpoint',
      row: {},
      id: row.checkpoint_id,
      log: origin,
      what,
    }));
  });
}

/** Every checkpoint that the service lists, newest first. @throws Failure */
async function listedCheckpoints(api: URL, log: LogName): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url = new URL('/api/v1/receipts/checkpoints', api);
    url.searchParams.set('log', log);
    url.searchParams.set('limit', String(PAGE));
    if (cursor !== '') url.searchParams.set('cursor', cursor);
    const page = await pageAt(url);
    all.push(...page.checkpoints);
    if (page.next_cursor !== null && page.checkpoints.length === 0)
      throw new Failure(`${url.href} gives an empty page that is not the last`);
    cursor = page.next_cursor;
  }
  return all;
}

async function pageAt({ href }: URL): Promise<Static<typeof CheckpointPage>> {
  const bytes = await fetchOk(href, FETCHING);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Failure(
      `${href} ${FETCHING.failed}: ${error instanceof Error ? error.message : String(error)}`,
      FETCHING.hint,
    );
  }
  if (Value.Check(CheckpointPage, value)) return value;
  throw new Failure(`${href} lists no checkpoints of the form that the API has`);
}
