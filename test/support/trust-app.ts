import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { sha256Hex } from '../../src/platform/crypto/crypto.ts';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { freshDatabase } from '../../src/platform/store/migrations/apply-migration.ts';
import { createOperator } from '../../src/trust/operators/create-operator.ts';
import { trustDatabase, trustDatabaseOf } from '../../src/trust/service/database.ts';
import { trustModules } from '../../src/trust/service/modules.ts';
import type { OpenOptions } from '../../src/trust/service/open-context.ts';
import { openTrustService, type TrustService } from '../../src/trust/service/service.ts';
import { client } from './client.ts';
import { checkedAgainst } from './contract.ts';
import { withFreshHealth } from './fresh-health.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface TrustApp {
  fetch: (request: Request, peer?: string) => Promise<Response>;
  service: TrustService;
  apiKey: string;
  /** A second operator's key. */
  otherKey: string;
  otherId: string;
  directory: string;
  /** Clients with the first operator's key, the second's key, and no key. */
  own: ReturnType<typeof client>;
  other: ReturnType<typeof client>;
  anyone: ReturnType<typeof client>;
  /** The log lines so far. */
  logged(): string;
  close(): Promise<void>;
}

const URL = 'http://localhost';

/**
 * Returns the OpenAPI document from a separate service, so that the request changes no log and metrics of a
 * test.
 */
async function documentOf(modules: Pick<OpenOptions, 'modules'>): Promise<unknown> {
  const directory = takeDataDirectory(':memory:');
  const options = { version: 'test', url: 'http://localhost:3000', ...modules };
  const service = await openTrustService(directory, new Map(), pino({ level: 'silent' }), options);
  const { body } = await client(service.app('/').fetch, URL, null).get('/openapi.json');
  await service.close();
  directory.release();
  return body;
}

/** The bytes of databases with all migrations and no row, by the modules that have them. */
const migrated = new Map<OpenOptions['modules'], Uint8Array>();
/** The modules that a service was opened with: those of only one test are migrated by its start. */
const opened = new Set<OpenOptions['modules']>([undefined]);

/**
 * Writes a new database into a directory that has none, as a start would: its migrations take longer than the
 * rest of the start.
 */
export function putDatabase(directory: string, modules?: OpenOptions['modules']): void {
  let bytes = migrated.get(modules);
  if (bytes === undefined) {
    const database = freshDatabase(trustDatabaseOf(modules ?? trustModules).schema);
    bytes = database.serialize();
    database.close();
    migrated.set(modules, bytes);
  }
  writeFileSync(join(directory, trustDatabase.name), bytes);
}

/** Documents by the modules of their service, each of which is made only once for all tests. */
const documents = new Map<OpenOptions['modules'], () => Promise<unknown>>();

function promisedBy(modules: OpenOptions['modules']): () => Promise<unknown> {
  const known = documents.get(modules) ?? (() => documentOf(modules === undefined ? {} : { modules }));
  documents.set(modules, known);
  return known;
}

/**
 * Opens the trust service in this process, on a new database with two operators. A given directory keeps its
 * key after the service closes. Unless `settings` sets them, rate limits are off, and the smallest withdrawal
 * is 1 credit.
 */
export async function openTrustApp(
  settings: Record<string, string> = {},
  time: VirtualTime | null = null,
  data = ':memory:',
  more: Partial<Pick<OpenOptions, 'resolve' | 'recorder' | 'url' | 'modules' | 'listener'>> = {},
): Promise<TrustApp> {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const isNew = data === ':memory:' || !existsSync(data) || readdirSync(data).length === 0;
  const directory = takeDataDirectory(data);
  if (isNew && settings.read_only !== 'on' && opened.has(more.modules))
    putDatabase(directory.path, more.modules);
  opened.add(more.modules);
  const apiKey = data === ':memory:' ? `pp_${randomBytes(32).toString('hex')}` : `pp_${sha256Hex(data)}`;
  const config = { bootstrap_api_key: apiKey, rate_limits: 'off', check_responses: 'on', ...settings };
  const service = await openTrustService(directory, new Map(Object.entries(config)), log, {
    version: 'test',
    url: 'http://localhost:3000',
    ...more,
    ...(time === null ? {} : { clock: time }),
  }).catch((error: unknown) => {
    directory.release();
    throw error;
  });
  const other = service.trust.readOnly
    ? { api_key: apiKey, operator_id: service.firstStart.operatorId }
    : await createOperator(service.trust, { name: 'other', admin: false });
  const promised = promisedBy(more.modules);
  const fetch = checkedAgainst(withFreshHealth(service.trust.health, service.app('/').fetch), promised);
  return {
    fetch,
    service,
    apiKey,
    otherKey: other.api_key,
    otherId: other.operator_id,
    directory: directory.path,
    own: client(fetch, URL, apiKey),
    other: client(fetch, URL, other.api_key),
    anyone: client(fetch, URL, null),
    logged: () => lines.join(''),
    async close() {
      await service.close();
      directory.release();
    },
  };
}
