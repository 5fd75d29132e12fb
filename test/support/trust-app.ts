import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { createOperator } from '../../src/trust/operators/administration.ts';
import { openTrustService, type TrustService } from '../../src/trust/service.ts';
import { client } from './client.ts';

export interface TrustApp {
  fetch: (request: Request, peer?: string) => Promise<Response>;
  service: TrustService;
  apiKey: string;
  /** A second operator's key. */
  otherKey: string;
  otherId: string;
  directory: string;
  /** Callers with the first operator's key, with the other's, and with none. */
  own: ReturnType<typeof client>;
  other: ReturnType<typeof client>;
  anyone: ReturnType<typeof client>;
  /** What was logged so far. */
  logged(): string;
  close(): Promise<void>;
}

const URL = 'http://localhost';

/**
 * The trust service in process, on a real database of its own, with two operators. Rate limits are off unless `settings` says
 * otherwise.
 */
export async function openTrustApp(settings: Record<string, string> = {}): Promise<TrustApp> {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const directory = takeDataDirectory(':memory:');
  const apiKey = `pp_${randomBytes(32).toString('hex')}`;
  const config = { bootstrap_api_key: apiKey, rate_limits: 'off', ...settings };
  const service = await openTrustService(directory, new Map(Object.entries(config)), log, 'test');
  const other = await createOperator(service.trust, { name: 'other', admin: false });
  const { fetch } = service.app('/');
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
