import { Elysia } from 'elysia';
import { readBody } from '../request/body.ts';

/**
 * Returns the macro for endpoints whose callers sign the bytes of the body. `rawBody: <most>` gives the
 * handler these bytes as `rawBody`. Nothing of the body is parsed, so the schema of the body is for the
 * documentation only: it must allow an empty object.
 */
export function rawBody() {
  const bodies = new WeakMap<Request, Uint8Array>();
  return new Elysia({ name: 'raw-body' }).macro({
    rawBody: (most: number) => ({
      transform: async (context: { request: Request; body: unknown }) => {
        bodies.set(context.request, await readBody(context.request, most));
        context.body = {};
      },
      resolve: ({ request }: { request: Request }) => ({ rawBody: bodies.get(request) ?? new Uint8Array() }),
    }),
  });
}
