import { setImmediate } from 'node:timers/promises';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../http/principal.ts';
import type { PagePosition } from '../registry/search.ts';
import { normalizedFiltersOf, questionIn } from './filters.ts';
import { rowsOf } from './page.ts';
import type { Search } from './schema.ts';
import type { Clinicians } from './services.ts';

/** The media type of one JSON value a line. */
export const NDJSON = 'application/x-ndjson';
/**
 * The clinicians that are read at once: about 1 ms of processor time, after which other requests are served.
 */
const CHUNK = 200;

/** Returns whether a request asks for all clinicians of its filters, one a line. */
export function wantsLines(request: Request): boolean {
  return request.headers.get('accept')?.includes(NDJSON) === true;
}

/** The keys that have a stream under way. */
export class ClinicianStreams {
  private readonly open = new Set<string>();

  /**
   * Returns all clinicians of a search as lines of JSON. They are read page by page as the client takes them,
   * each page from the state that the registry then has, with the same promise as pages with cursors. The
   * stream ends without its last chunk when the key is revoked or the registry cannot be read.
   *
   * @throws ApiError SCOPE_MISSING for a sandbox key; RATE_LIMITED while the key has another stream;
   * VALIDATION_FAILED, INVALID_NPI, UNKNOWN_SPECIALTY, REGISTRY_UNAVAILABLE
   */
  async start(
    { registry }: Pick<Clinicians, 'registry'>,
    { tier, key, isActive }: Pick<Principal, 'tier' | 'key' | 'isActive'>,
    query: Search,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    if (tier !== 'live') {
      throw commonErrors.SCOPE_MISSING({
        message: `Responses as ${NDJSON} are for live keys. Read the pages of the search with this key, or use a live key.`,
      });
    }
    const filters = filtersOf(query);
    // Refuses an unknown specialty before the response begins.
    await registry.read((open) => open.atOnce(() => questionIn(open, filters)));
    if (this.open.has(key.keyId)) {
      throw commonErrors.RATE_LIMITED({
        message: 'This key already has a stream. Wait for its end, or close it.',
        headers: { 'retry-after': '10' },
      });
    }
    this.open.add(key.keyId);
    const ended = (): void => void this.open.delete(key.keyId);
    const encoder = new TextEncoder();
    let position: PagePosition | null = null;
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          try {
            // Lets other requests go first.
            await setImmediate();
            if (signal.aborted) throw new Error('the client is gone');
            if (!(await isActive())) throw new Error('the key was revoked');
            const { data, next } = await registry.read((open) =>
              open.atOnce(() => rowsOf(open, questionIn(open, filters).question, position, CHUNK)),
            );
            position = next;
            if (data.length > 0) controller.enqueue(encoder.encode(`${data.join('\n')}\n`));
            if (next !== null) return;
            ended();
            controller.close();
          } catch (error) {
            ended();
            controller.error(error);
          }
        },
        cancel: ended,
      },
      { highWaterMark: 0 },
    );
  }
}

function filtersOf(query: Search) {
  const issues = Object.fromEntries(
    (['limit', 'cursor', 'include_total'] as const)
      .filter((name) => query[name] !== undefined)
      .map((name) => [name, [`is not for ${NDJSON}, which has all clinicians`]]),
  );
  if (Object.keys(issues).length > 0) throw commonErrors.VALIDATION_FAILED({ issues });
  return normalizedFiltersOf(query);
}
