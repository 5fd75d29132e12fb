import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type DataDirectory, takeDataDirectory } from '../../src/platform/data-directory.ts';
import { Traffic } from '../../src/platform/http/traffic.ts';
import { noopRecorder } from '../../src/platform/monitoring/recorder.ts';
import type { RunningService, ServiceDefinition } from '../../src/platform/service-definition.ts';
import { STAFFING_DOCUMENTS, together } from './openapi.ts';

const URL = 'http://127.0.0.1:3000';

/** Opens the demonstration of a service in this process, in its own directory. */
export async function openDemo(
  kind: ServiceDefinition,
  directory: DataDirectory,
  config: ReadonlyMap<string, string> = new Map(),
): Promise<RunningService> {
  return kind.openDemo(openingOf(directory, config));
}

function openingOf(directory: DataDirectory, config: ReadonlyMap<string, string>) {
  return {
    directory,
    config,
    log: pino({ level: 'silent' }),
    version: 'test',
    recorder: noopRecorder,
    traffic: new Traffic(),
    url: URL,
  };
}

/** A demonstration that is loaded once. Each caller gets its own copy. */
export async function demoCopies(kind: ServiceDefinition) {
  const path = mkdtempSync(join(tmpdir(), 'countersign-demo-'));
  const first = join(path, 'first');
  const directory = takeDataDirectory(first);
  const demo = await openDemo(kind, directory);
  const app = demo.app('/');
  const documents: unknown[] = [];
  for (const path of kind.name === 'staffing' ? STAFFING_DOCUMENTS : ['/openapi.json']) {
    documents.push(await (await app.fetch(new Request(URL + path))).json());
  }
  const document: unknown = together(documents);
  await demo.close();
  directory.release();
  let copies = 0;
  return {
    document,
    /**
     * Sends a request to a service on a fresh copy.
     * @param request creates the request, if needed with earlier requests
     */
    async fetch(request: (fetch: Fetch) => Promise<Request>) {
      copies++;
      const copy = join(path, String(copies));
      cpSync(first, copy, { recursive: true });
      const taken = takeDataDirectory(copy);
      const config = new Map([
        ['rate_limits', 'off'],
        ['check_responses', 'on'],
        ['webhooks.allow_private', 'on'],
        ['billing.processor', 'sandbox'],
      ]);
      const service = await kind.open(openingOf(taken, config));
      try {
        const { fetch } = service.app('/');
        const send: Fetch = (one) => fetch(one, '127.0.0.1');
        const response = await send(await request(send));
        return { status: response.status, text: await response.text() };
      } finally {
        await service.close();
        taken.release();
      }
    },
    dispose: () => rmSync(path, { recursive: true, force: true }),
  };
}

type Fetch = (request: Request) => Promise<Response>;
