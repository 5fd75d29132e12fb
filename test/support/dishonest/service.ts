import { bytesToHex } from '../../../src/proof/encoding/hex.ts';
import type { JsonObject, JsonValue } from '../../../src/proof/encoding/json.ts';
import { parseCheckpoint } from '../../../src/proof/log/checkpoint.ts';
import { parseNote } from '../../../src/proof/log/note.ts';
import type { FakeLog } from '../fake-log.ts';

/** An HTTP server that answers as the operator likes. */
export class DishonestService implements Disposable {
  /** The logs behind /log. */
  log: FakeLog | null = null;
  /** Answers by their path, also with `?log=`, which replace those of the logs. A text is sent as it is. */
  answers = new Map<string, JsonValue>();
  readonly #server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname, search, searchParams } = new URL(request.url);
      const ofLog = `${pathname}?log=${searchParams.get('log')}`;
      const answer = this.answers.get(ofLog) ?? this.answers.get(pathname);
      if (typeof answer === 'string') return new Response(answer);
      if (answer !== undefined) return Response.json(answer);
      try {
        const path = pathname.slice('/log/'.length);
        const bytes = await this.log?.read(path.endsWith('/checkpoint') ? `${path}${search}` : path);
        if (pathname.startsWith('/log/') && bytes) return new Response(Uint8Array.from(bytes));
      } catch {
        // A log that does not have a file answers like any other server.
      }
      return new Response('not found', { status: 404 });
    },
  });

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}

/** Returns a list of checkpoints, newest first, as a service answers. */
export function checkpointList(notes: readonly string[]): JsonObject {
  const checkpoints = notes.map((note, place) => {
    const { origin, size, root } = parseCheckpoint(parseNote(Buffer.from(note)).text);
    return {
      ...{ checkpoint_id: `cp_${notes.length - place}`, origin, tree_size: size },
      root_hash: bytesToHex(root),
      issued_at: '2026-05-01T12:00:00.000Z',
      previous_checkpoint_id: place === notes.length - 1 ? null : `cp_${notes.length - place - 1}`,
      note,
    };
  });
  return { checkpoints, next_cursor: null };
}
