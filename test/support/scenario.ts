import { expect, test } from 'bun:test';
import type { TrustApp } from './trust-app.ts';

/** One request and all that must be true of its answer. */
export interface Scenario {
  name: string;
  method?: string;
  path: string | (() => string);
  /** `own` (the first operator's key, the default), `other`, `none`, or a header's literal value. */
  key?: 'own' | 'other' | 'none' | { authorization: string };
  headers?: Record<string, string>;
  /** Sent as JSON; `raw` is sent as it stands. */
  body?: unknown | (() => unknown);
  raw?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  status: number;
  reasonCode?: string;
  /** Exactly these fields are complained of. */
  issues?: string[];
  contains?: string[];
  lacks?: string[];
  /** null: not there. */
  answerHeaders?: Record<string, string | null>;
  /** What else must be true afterwards. */
  effects?: (app: TrustApp, body: Record<string, unknown>) => Promise<void> | void;
}

/** Makes one test a scenario. What holds for every answer is asserted for each. */
export function scenarios(app: () => TrustApp, table: readonly Scenario[]): void {
  for (const scenario of table) {
    test(scenario.name, async () => {
      const response = await app().fetch(requestOf(scenario, app()));
      const text = await response.text();
      expect([text, response.status]).toEqual([text, scenario.status]);
      for (const [name, value] of Object.entries(ALWAYS)) expect(response.headers.get(name)).toBe(value);
      expect(response.headers.get('x-request-id')).toMatch(/^[\w.:/+=-]{1,128}$/);
      expect(text).not.toContain(app().apiKey);
      const body: Record<string, unknown> = text === '' ? {} : JSON.parse(text);
      if (response.status >= 400) {
        expect([typeof body.error, typeof body.reason_code]).toEqual(['string', 'string']);
        expect(body.request_id).toBe(response.headers.get('x-request-id'));
      }
      if (scenario.reasonCode !== undefined) expect(body.reason_code).toBe(scenario.reasonCode);
      if (scenario.issues !== undefined)
        expect(Object.keys(Object(body.issues)).sort()).toEqual(scenario.issues.sort());
      for (const part of scenario.contains ?? []) expect(text).toContain(part);
      for (const part of scenario.lacks ?? []) expect(text).not.toContain(part);
      for (const [name, value] of Object.entries(scenario.answerHeaders ?? {})) {
        expect([name, response.headers.get(name)]).toEqual([name, value]);
      }
      await scenario.effects?.(app(), body);
    });
  }
}

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

function requestOf({ method, path, key, headers, body, raw }: Scenario, app: TrustApp): Request {
  const value = typeof body === 'function' ? body() : body;
  const payload = raw ?? (value === undefined ? undefined : JSON.stringify(value));
  const init: RequestInit = { method: method ?? (payload === undefined ? 'GET' : 'POST') };
  const all = new Headers(payload === undefined ? {} : { 'content-type': 'application/json' });
  const authorization = authorizationOf(key, app);
  if (authorization !== null) all.set('authorization', authorization);
  for (const [name, text] of Object.entries(headers ?? {})) all.set(name, text);
  if (payload !== undefined) init.body = payload;
  return new Request(`http://localhost${typeof path === 'function' ? path() : path}`, {
    ...init,
    headers: all,
  });
}

function authorizationOf(key: Scenario['key'], app: TrustApp): string | null {
  if (key === 'none') return null;
  if (typeof key === 'object') return key.authorization;
  return `Bearer ${key === 'other' ? app.otherKey : app.apiKey}`;
}
