import { Database } from 'bun:sqlite';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { openTrustService, type TrustService } from '../../src/trust/service.ts';
import { client, type Fetch } from './client.ts';

export interface TrustApp {
  fetch: Fetch;
  service: TrustService;
  apiKey: string;
  /** A second operator's key. */
  otherKey: string;
  /** Callers with the first operator's key, with the other's, and with none. */
  own: ReturnType<typeof client>;
  other: ReturnType<typeof client>;
  anyone: ReturnType<typeof client>;
  /** What was logged so far. */
  logged(): string;
  close(): Promise<void>;
}

const URL = 'http://localhost';

/** The trust service in process, on a real database of its own, with two operators. */
export async function openTrustApp(): Promise<TrustApp> {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const directory = takeDataDirectory(':memory:');
  const apiKey = `pp_${randomBytes(32).toString('hex')}`;
  const service = await openTrustService(directory, { apiKey, serviceToken: null }, log, 'test');
  const otherKey = addOperator(join(directory.path, 'trust.db'));
  const { fetch } = service.app('/');
  return {
    fetch,
    service,
    apiKey,
    otherKey,
    own: client(fetch, URL, apiKey),
    other: client(fetch, URL, otherKey),
    anyone: client(fetch, URL, null),
    logged: () => lines.join(''),
    async close() {
      await service.close();
      directory.release();
    },
  };
}

function addOperator(file: string): string {
  const key = `pp_${randomBytes(32).toString('hex')}`;
  const hash = createHash('sha256').update(key).digest();
  const database = new Database(file, { readwrite: true });
  database.run(
    "INSERT INTO operator VALUES (NULL, 'op_cus_000000000000000000000000', 'ACTIVE', '2026-01-01T00:00:00.000Z')",
  );
  database
    .query(
      "INSERT INTO api_key SELECT ?, max(operator_seq), 'issuer', 0, NULL, '2026-01-01T00:00:00.000Z' FROM operator",
    )
    .run(hash);
  database.close();
  return key;
}
