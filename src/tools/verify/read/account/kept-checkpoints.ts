import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { nativePrimitives } from '../../../../platform/crypto/crypto.ts';
import { Failure } from '../../../../platform/failure.ts';
import { bytesOf } from '../../../../platform/files/read.ts';
import { displayUrl, fetchAll, isUrl } from '../../../../platform/network/fetch.ts';
import {
  type AccountsCheckpoint,
  type AccountsTrust,
  keptCheckpoint,
} from '../../../../proof/account/account-checkpoint.ts';
import {
  KEPT_CHECKPOINTS_MAX,
  type KeptCheckpoint,
  KeptCheckpoints,
} from '../../../../proof/account/kept-checkpoints.ts';
import { JsonError, type JsonValue, parseJsonBytes } from '../../../../proof/encoding/json.ts';
import { linesOf, wholeLines } from '../../../../proof/verifier/judge/lines.ts';

/** Older checkpoints of the log of accounts in a directory: one JSON object with a `note` a line. */
const KEPT_FILE = 'accounts/checkpoints.ndjson';

const PAGE = 100;
const FETCHING = {
  maxBytes: 8 * 2 ** 20,
  timeoutMs: 30_000,
  failed: 'does not list checkpoints',
  hint: 'check that the service runs and that this machine can reach it',
};

const Row = Type.Object({ note: Type.String({ maxLength: 2 ** 20 }) });
const Page = Type.Object({
  checkpoints: Type.Array(Row),
  next_cursor: Type.Union([Type.String({ maxLength: 4096 }), Type.Null()]),
});

/**
 * Reads the checkpoints that the service at a URL lists, or that a directory has in `KEPT_FILE`, and keeps
 * those that the quorum cosigned. The newest one counts too.
 * @throws Failure for a list that is incomplete or malformed, or has a newer checkpoint than the newest
 */
export async function keptCheckpointsFrom(
  location: string,
  newest: AccountsCheckpoint,
  trust: AccountsTrust,
): Promise<KeptCheckpoints> {
  const checkpoints = await checkpointsFrom(location, (note) => {
    const checkpoint = keptCheckpoint(nativePrimitives, note, newest, trust);
    if (checkpoint === null || !('problem' in checkpoint)) return checkpoint;
    throw new Failure(
      `${displayUrl(location)} gives an old checkpoint: ${checkpoint.problem}`,
      'get the newest one: entries after it are kept back',
    );
  });
  return new KeptCheckpoints([newest, ...checkpoints]);
}

/**
 * Reads the checkpoints that the service at a URL lists, or that a directory has in `KEPT_FILE`.
 * @param judge returns null for one that does not count
 * @throws Failure for a list that is incomplete or malformed
 */
export async function checkpointsFrom(
  location: string,
  judge: (note: Uint8Array) => KeptCheckpoint | null,
): Promise<KeptCheckpoint[]> {
  const checkpoints: KeptCheckpoint[] = [];
  let read = 0;
  for await (const note of isUrl(location) ? listedBy(location) : storedIn(location)) {
    if (++read > KEPT_CHECKPOINTS_MAX)
      throw new Failure(
        `${displayUrl(location)} lists more than 1 000 000 checkpoints`,
        'use a copy of the log',
      );
    // As UTF-8, half of a surrogate pair would become another character.
    if (!note.isWellFormed()) continue;
    const checkpoint = judge(Buffer.from(note));
    if (checkpoint !== null) checkpoints.push(checkpoint);
  }
  return checkpoints;
}

async function* storedIn(directory: string): AsyncGenerator<string> {
  const path = join(directory, KEPT_FILE);
  if (!existsSync(path)) return;
  for await (const chunk of wholeLines(bytesOf(path)))
    for (const line of linesOf(chunk)) yield parsed(Row, line, path).note;
}

async function* listedBy(location: string): AsyncGenerator<string> {
  const url = new URL('/api/v1/receipts/checkpoints', location);
  // A repeated cursor shows that the list does not end. Only one is stored (Brent), since a server can return
  // a million long ones.
  let earlierCursor: string | null = null;
  let cursor: string | null = '';
  for (let pages = 1, next = 1; cursor !== null; pages++) {
    const page: Static<typeof Page> = await pageAt(url, cursor);
    yield* page.checkpoints.map(({ note }) => note);
    cursor = page.next_cursor;
    if (cursor !== null && (cursor === earlierCursor || page.checkpoints.length === 0))
      throw new Failure(`the list of checkpoints at ${url.origin} does not end`, FETCHING.hint);
    if (pages < next) continue;
    earlierCursor = cursor;
    next *= 2;
  }
}

async function pageAt(api: URL, cursor: string): Promise<Static<typeof Page>> {
  const url = new URL(api);
  url.search = new URLSearchParams({
    log: 'accounts',
    limit: String(PAGE),
    ...(cursor === '' ? {} : { cursor }),
  }).toString();
  const { ok, status, bytes } = await fetchAll(url.href, FETCHING);
  if (!ok)
    throw new Failure(
      `${api.origin} ${FETCHING.failed}: status ${status}`,
      'specify the URL of the service, or save the log in a directory',
    );
  return parsed(Page, bytes, api.origin);
}

function parsed<Schema extends typeof Row | typeof Page>(
  schema: Schema,
  bytes: Uint8Array,
  where: string,
): Static<Schema> {
  let value: JsonValue;
  try {
    value = parseJsonBytes(bytes);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Failure(`${where} lists no checkpoints: ${error.message}`, FETCHING.hint);
  }
  if (Value.Check(schema, value)) return value;
  throw new Failure(`${where} lists checkpoints in a form that the API does not have`, FETCHING.hint);
}
