import { expect } from 'bun:test';
import pino from 'pino';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { createSandboxIn } from '../../src/staffing/accounts/create-sandbox-key.ts';
import { promotePartner } from '../../src/staffing/accounts/partners/promote.ts';
import { openStaffingService, type StaffingService } from '../../src/staffing/service/service.ts';
import { type ApiResponse, client } from './client.ts';
import { checkedAgainst } from './contract.ts';
import { withFreshHealth } from './fresh-health.ts';
import { staffingDocument } from './openapi.ts';
import { giveSampleRegistry } from './sample-registry.ts';

export const PREFIX = '/api/staffing/partner/v1';
export const ADMIN = `adm_${'5a'.repeat(32)}`;

export interface StaffingApp {
  fetch: (request: Request, peer?: string) => Promise<Response>;
  service: StaffingService;
  partnerId: string;
  /**
   * Callers with a sandbox key, the same partner's live key, another partner's sandbox key, the admin token,
   * and nothing.
   */
  own: Caller;
  live: Caller;
  other: Caller;
  admin: Caller;
  anyone: Caller;
  keyed(key: string): Caller;
  ownKey: string;
  directory: string;
  logged(): string;
  close(): Promise<void>;
}

type Caller = ReturnType<typeof callerOf>;

/**
 * Returns the OpenAPI document from a separate service, so that the request changes no log and metrics of a
 * test.
 */
async function document(): Promise<unknown> {
  const directory = takeDataDirectory(':memory:');
  giveSampleRegistry(directory.path);
  const service = await openStaffingService(directory, new Map(), pino({ level: 'silent' }), {
    version: 'test',
  });
  const body = await staffingDocument(client(service.app('/').fetch, 'http://localhost', null).get);
  await service.close();
  directory.release();
  return body;
}

/**
 * The staffing service in process, on a real database and the sample registry. Rate limits are off unless
 * `settings` says otherwise.
 */
export async function openStaffingApp(settings: Record<string, string> = {}): Promise<StaffingApp> {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const directory = takeDataDirectory(':memory:');
  giveSampleRegistry(directory.path);
  const config = { admin_token: ADMIN, rate_limits: 'off', check_responses: 'on', ...settings };
  const service = await openStaffingService(directory, new Map(Object.entries(config)), log, {
    version: 'test',
  });
  const { store } = service.staffing;
  const made = await store.writeAsService(async (tx) => [
    await createSandboxIn(tx, service.staffing, 'own@firm.example', 'Firm'),
    await createSandboxIn(tx, service.staffing, 'other@agency.example', 'Agency'),
  ]);
  const [own, other] = made;
  if (own === undefined || other === undefined) throw new Error('no partners');
  const { partnerId } = own.partner;
  const live = await promotePartner(service.staffing, partnerId);
  const fetch = checkedAgainst(withFreshHealth(service.staffing.health, service.app('/').fetch), document);
  const keyed = (key: string | null) => callerOf(fetch, key);
  return {
    fetch,
    service,
    partnerId,
    own: keyed(own.key.api_key),
    live: keyed(live.api_key),
    other: keyed(other.key.api_key),
    admin: keyed(ADMIN),
    anyone: keyed(null),
    keyed,
    ownKey: own.key.api_key,
    directory: directory.path,
    logged: () => lines.join(''),
    async close() {
      await service.close();
      directory.release();
    },
  };
}

function callerOf(fetch: (request: Request) => Promise<Response>, key: string | null) {
  const { call } = client(fetch, 'http://localhost', key);
  const at = (path: string): string =>
    /^\/(?:api\b|(?:admin\/)?openapi\b)/.test(path) ? path : PREFIX + path;
  return {
    key,
    call: (method: string, path: string, body?: unknown, more?: Record<string, string>) =>
      call(method, at(path), body, more),
    get: (path: string) => call('GET', at(path)),
    post: (path: string, body?: unknown, more?: Record<string, string>) => call('POST', at(path), body, more),
    submit: (changes: Record<string, unknown> = {}, more?: Record<string, string>) =>
      call('POST', at('/jobs'), jobBody(changes), more),
  };
}

/** Returns a valid requisition, with some members changed; undefined removes a member. */
export function jobBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { title: 'ICU travel nurse', specialty: 'RN critical care', state: 'TX', ...changes };
}

/** Returns the status, the code and the invalid fields of a response. */
export function refusalOf({ status, body }: ApiResponse): [number, unknown, string[]] {
  const { code, message, request_id, details = [] } = Object(body.error);
  expect([typeof message, typeof request_id]).toEqual(['string', 'string']);
  return [status, code, details.map(({ field }: { field: string }) => field)];
}
