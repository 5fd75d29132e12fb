import { ServiceClient } from '../../src/platform/client/service-client.ts';
import { ServiceTarget } from '../../src/platform/client/service-target.ts';
import type { KeyPair } from '../../src/platform/crypto/key-files.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { OPERATIONS } from '../../src/tools/capture/services.ts';
import type { Call } from '../../src/tools/capture/session/capture.ts';
import { Keep } from '../../src/tools/capture/session/keep.ts';
import { Notices } from '../../src/tools/capture/session/notices.ts';
import { CaptureSession } from '../../src/tools/capture/session/session.ts';
import { SpoolDirectory } from '../../src/tools/capture/spool/directory.ts';
import { type Header, VERSION } from '../../src/tools/capture/spool/lines.ts';
import { scratch } from './process.ts';
import { openTrustApp } from './trust-app.ts';

/** What stands between a session and its service. */
type Between = (request: Request, pass: () => Promise<Response>) => Response | Promise<Response>;

/** Opens a trust service for sessions of capture, and what a test puts before it. */
export async function openCaptured(settings: Record<string, string> = {}) {
  let between: Between = (_, pass) => pass();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    fetch: (request) => between(request, () => app.fetch(request)),
  });
  const app = await openTrustApp(settings, null, ':memory:', { url: server.url.href });
  const { path, dispose } = scratch();
  const directory = new SpoolDirectory(`${path}/capture`);
  const said: string[] = [];
  let apiKey = app.apiKey;
  const openTarget = () => new ServiceTarget(new ServiceClient(server.url.href, apiKey), OPERATIONS);
  return {
    app,
    url: server.url.href,
    path,
    directory,
    openTarget,
    /** The lines that sessions wrote to stderr. */
    said,
    /** Puts something before the service. */
    put: (next: Between) => {
      between = next;
    },
    /** The service responds to nothing but with 503. */
    away: () => {
      between = () => new Response('away', { status: 503 });
    },
    back: () => {
      between = (_, pass) => pass();
    },
    useKey: (key: string) => {
      apiKey = key;
    },
    session: (more: { key?: KeyPair; keep?: string; header?: Partial<Header> } = {}) =>
      new CaptureSession({
        directory,
        openTarget,
        closeTarget: async () => undefined,
        key: more.key ?? null,
        keep: more.keep === undefined ? null : new Keep(more.keep, (error) => void said.push(String(error))),
        notices: new Notices((line) => void said.push(line)),
        header: () => ({ ...headerFor(server.url.href), ...more.header }),
      }),
    /** All receipts of the service, in the order of their issue. */
    async receipts(): Promise<JsonObject[]> {
      const receipts: JsonObject[] = [];
      let cursor = '';
      do {
        const { body } = await app.own.get(`/api/v1/receipts?limit=100${cursor && `&cursor=${cursor}`}`);
        receipts.push(...Object(body).receipts);
        cursor = String(body.next_cursor ?? '');
      } while (cursor !== '');
      return receipts.toReversed();
    },
    async close() {
      await server.stop(true);
      await app.close();
      dispose();
    },
  };
}

export type Captured = Awaited<ReturnType<typeof openCaptured>>;

/** Returns the header of a session for the service at a URL. */
export function headerFor(url: string): Header {
  return {
    ...{ type: 'session', version: VERSION, kind: 'mcp', target: { kind: 'url', url, key_file: null } },
    ...{ agent_id: 'clerk', domain: 'SYSTEM_INTEGRATION', server: 'files' },
    started_at: new Date().toISOString(),
  };
}

/** Returns the call with a number. */
export function callNumber(number: number): Call {
  return {
    scope: `mcp:files:read_${number}`,
    inputDigest: number.toString(16).padStart(64, '0'),
    details: { method: 'tools/call', tool: `read_${number}`, arguments: { number }, requestId: number },
  };
}

export const SUCCESS = { status: 'success', outputHash: 'ab'.repeat(32) } as const;
