import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../platform/failure.ts';
import { gathered } from '../../platform/input.ts';
import { decodeEntries, tilePath } from '../../proof/tiles.ts';
import type { LogName } from './store.ts';
import { TILE_WIDTH } from './tree.ts';

/** A full bundle of the longest entries has 16 MiB. */
const MAX_BYTES = 17 * 2 ** 20;
const TIMEOUT_MS = 30_000;

/** The static form of an installation's logs (C2SP tlog-tiles): at `<place>/<log>/checkpoint` and `<place>/<log>/tile/…`. */
export interface LogSource {
  /** For people: where it is. */
  place: string;
  /** What stands at a path such as `receipts/tile/0/000`. @throws Failure */
  read(path: string): Promise<Uint8Array>;
}

/** The logs below a URL, which of a service alone means its /log, or in a directory. */
export function logSource(place: string): LogSource {
  return /^https?:\/\//.test(place) ? fromUrl(place) : fromDirectory(place);
}

/**
 * The entries of a log with index `from` to `size`, exclusive, in bundles as they come; `size` is that of a checkpoint of the
 * same source.
 * @throws Failure for a bundle that is missing or damaged
 */
export async function* entriesFrom(
  source: LogSource,
  name: LogName,
  from: number,
  size: number,
): AsyncGenerator<Uint8Array[]> {
  for (let index = Math.floor(from / TILE_WIDTH); index * TILE_WIDTH < size; index++) {
    const start = index * TILE_WIDTH;
    const width = Math.min(TILE_WIDTH, size - start);
    const path = `${name}/${tilePath('entries', index, width)}`;
    const entries = bundle(await source.read(path), `${source.place}/${path}`);
    if (entries.length < width) {
      throw new Failure(`${source.place}/${path} has ${entries.length} entries, and ${width} were asked for`);
    }
    yield entries.slice(Math.max(from - start, 0), width);
  }
}

function bundle(bytes: Uint8Array, place: string): Uint8Array[] {
  try {
    return decodeEntries(bytes);
  } catch (error) {
    throw new Failure(`${place} is damaged: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fromUrl(text: string): LogSource {
  const url = new URL(text);
  if (url.pathname === '/') url.pathname = '/log';
  const place = url.href.replace(/\/$/, '');
  return {
    place,
    async read(path) {
      const from = `${place}/${path}`;
      let response: Response;
      try {
        response = await fetch(from, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
        if (response.ok) return await gathered(from, bodyOf(response), MAX_BYTES);
      } catch (error) {
        if (error instanceof Failure) throw error;
        throw new Failure(
          `${from} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
          'see that the service runs and is reached from here',
        );
      }
      throw new Failure(`${from} answers ${response.status}`, 'name where the logs lie, up to and with /log');
    },
  };
}

async function* bodyOf({ body }: Response): AsyncGenerator<Uint8Array> {
  if (body !== null) yield* body;
}

function fromDirectory(place: string): LogSource {
  return {
    place,
    async read(path) {
      try {
        return await readFile(join(place, path));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Failure(`${place}/${path} cannot be read: ${reason}`, 'name where the logs lie');
      }
    },
  };
}
