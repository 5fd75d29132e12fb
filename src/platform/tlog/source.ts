import { join } from 'node:path';
import type { LogName } from '../../proof/log/log-names.ts';
import { type BundleRange, bundleRanges, readBundle } from '../../proof/log/tiles.ts';
import { Failure } from '../failure.ts';
import { readFile, unreadableReason } from '../files/read.ts';
import { displayUrl, fetchAll, isUrl } from '../network/fetch.ts';

/** A full bundle of the longest entries has 16 MiB. */
const MOST_OF_BUNDLE = 17 * 2 ** 20;
/** A full tile has 8 KiB; a checkpoint has some lines of signatures, of which those by ML-DSA-44 have 3.3 KiB. */
const MOST_OF_OTHERS = 2 ** 18;
const FETCHING = {
  timeoutMs: 30_000,
  failed: 'cannot be read',
  hint: 'check that the service runs and that this machine can reach it',
};

/** The static form of an installation's logs (C2SP tlog-tiles): at `<location>/<log>/checkpoint` and `<location>/<log>/tile/…`. */
export interface LogSource {
  /** For people: where it is. */
  location: string;
  /** What stands at a path such as `receipts/tile/0/000`. @throws Failure */
  read(path: string): Promise<Uint8Array>;
}

/** The logs below a URL, which of a service alone means its /log, or in a directory. */
export function logSource(location: string): LogSource {
  return isUrl(location) ? fromUrl(location) : fromDirectory(location);
}

/** A bundle of a log's entries, with its bytes as they came. */
export interface Bundle extends BundleRange {
  bytes: Uint8Array;
  entries: Uint8Array[];
}

/**
 * The bundles of a log's first `size` entries, from that which holds `from` on; `size` is that of a checkpoint of the same source.
 * @throws Failure for a bundle that is missing, or has not just the entries of its range
 */
export async function* bundlesOf(
  source: LogSource,
  name: LogName,
  from: number,
  size: number,
): AsyncGenerator<Bundle> {
  for (const range of bundleRanges(from, size)) {
    const path = `${name}/${range.path}`;
    const bytes = await source.read(path);
    yield { ...range, bytes, entries: entriesIn(bytes, range, `${source.location}/${path}`) };
  }
}

/** The entries of a log with index `from` to `size`, exclusive, in bundles as `bundlesOf` reads them. @throws Failure */
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
      'name one such as https://trust.example/log, or a directory',
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
        `${location}/${path} answers ${status}`,
        'name the address of the logs, up to and including /log',
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
          'name the directory or the address of the logs',
        );
      }
    },
  };
}

/** The most bytes that a file of a log has. */
function mostOf(path: string): number {
  return path.includes('/tile/entries/') ? MOST_OF_BUNDLE : MOST_OF_OTHERS;
}
