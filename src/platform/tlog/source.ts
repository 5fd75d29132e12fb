import { join } from 'node:path';
import type { LogName } from '../../proof/log/log-names.ts';
import { type BundleRange, bundleRanges, readBundle } from '../../proof/log/tiles.ts';
import { Failure } from '../failure.ts';
import { readFile, unreadableReason } from '../files/read.ts';
import { displayUrl, fetchAll, isUrl } from '../network/fetch.ts';

/** The maximum size of an entry bundle. A full bundle of the longest entries has 16 MiB. */
const MOST_OF_BUNDLE = 17 * 2 ** 20;
/**
 * The maximum size of other files. A full tile has 8 KiB; a checkpoint has some signature lines, up to 3.3
 * KiB each for ML-DSA-44.
 */
const MOST_OF_OTHERS = 2 ** 18;
const FETCHING = {
  timeoutMs: 30_000,
  failed: 'cannot be read',
  hint: 'check that the service runs and that this machine can reach it',
};

/**
 * A source of an installation's logs as static files (C2SP tlog-tiles): `<location>/<log>/checkpoint` and
 * `<location>/<log>/tile/…`.
 */
export interface LogSource {
  /** The URL or the directory, for messages. */
  location: string;
  /** Returns the file at a path such as `receipts/tile/0/000`. @throws Failure */
  read(path: string): Promise<Uint8Array>;
}

/** Returns the logs of a URL or a directory. A URL without a path means its /log. */
export function logSource(location: string): LogSource {
  return isUrl(location) ? fromUrl(location) : fromDirectory(location);
}

/** A bundle of a log's entries, with its original bytes. */
export interface Bundle extends BundleRange {
  bytes: Uint8Array;
  entries: Uint8Array[];
}

/**
 * Yields the bundles of a log's first `size` entries, starting with the bundle that contains entry `from`.
 * @param size of a checkpoint from the same source
 * @param ahead the number of bundles that are read at the same time
 * @throws Failure for a bundle that is missing or does not contain exactly the entries of its range
 */
export async function* bundlesOf(
  source: LogSource,
  name: LogName,
  from: number,
  size: number,
  ahead = 1,
): AsyncGenerator<Bundle> {
  const reading: { range: BundleRange; read: Promise<Uint8Array> }[] = [];
  const ranges = bundleRanges(from, size);
  for (;;) {
    while (reading.length < ahead) {
      const { value: range } = ranges.next();
      if (range === undefined) break;
      const read = source.read(`${name}/${range.path}`);
      // It is awaited later. Until then, a rejection must not count as unhandled.
      read.catch(() => undefined);
      reading.push({ range, read });
    }
    const first = reading.shift();
    if (first === undefined) return;
    const { range, read } = first;
    const bytes = await read;
    yield { ...range, bytes, entries: entriesIn(bytes, range, `${source.location}/${name}/${range.path}`) };
  }
}

/**
 * Yields the entries of a log from index `from` to `size`, exclusive, in bundles like `bundlesOf`. @throws
 * Failure
 */
export async function* entriesFrom(
  source: LogSource,
  name: LogName,
  from: number,
  size: number,
): AsyncGenerator<Uint8Array[]> {
  for await (const { start, entries } of bundlesOf(source, name, from, size)) {
    yield entries.slice(Math.max(from - start, 0));
  }
}

function entriesIn(bytes: Uint8Array, range: BundleRange, where: string): Uint8Array[] {
  try {
    return readBundle(bytes, range);
  } catch (error) {
    throw new Failure(
      `${where} is damaged: ${error instanceof Error ? error.message : String(error)}`,
      'use another copy of the log',
    );
  }
}

function fromUrl(text: string): LogSource {
  if (!URL.canParse(text))
    throw new Failure(
      `${text.slice(0, 255)} is not a URL`,
      'specify one such as https://trust.example/log, or a directory',
      2,
    );
  const url = new URL(text);
  if (url.search !== '' || url.hash !== '')
    throw new Failure(
      `${displayUrl(text)} is not the address of a directory`,
      'remove the part that begins with ? or #',
      2,
    );
  if (url.pathname === '/') url.pathname = '/log';
  const base = url.href.replace(/\/$/, '');
  const location = displayUrl(base);
  return {
    location,
    async read(path) {
      const { ok, status, bytes } = await fetchAll(`${base}/${path}`, {
        ...FETCHING,
        maxBytes: mostOf(path),
      });
      if (ok) return bytes;
      throw new Failure(
        `${location}/${path} returned status ${status}`,
        'specify the address of the logs, up to and including /log',
      );
    },
  };
}

function fromDirectory(location: string): LogSource {
  return {
    location,
    async read(path) {
      try {
        return readFile(join(location, path), { maxBytes: mostOf(path) });
      } catch (error) {
        throw new Failure(
          `${location}/${path} cannot be read: ${unreadableReason(error)}`,
          'specify the directory or the address of the logs',
        );
      }
    },
  };
}

/** Returns the maximum size of a log's file, in bytes. */
function mostOf(path: string): number {
  return path.includes('/tile/entries/') ? MOST_OF_BUNDLE : MOST_OF_OTHERS;
}
