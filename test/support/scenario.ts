import { expect, test } from 'bun:test';
import type { StaffingCode, TrustCode } from './error-codes.ts';
import type { StaffingApp } from './staffing-app.ts';
import type { TrustApp } from './trust-app.ts';

/**
 * One request and its expected response. The name is a complete sentence. The request is a method and a path,
 * or a function if the path is known only when the service is open.
 */
export type Scenario<App extends Service = TrustApp> = readonly [
  name: string,
  request: string | (() => string),
  expected: Expected<CodeOf<App>>,
  more?: More<App>,
];

/**
 * The expected status, reason code and invalid fields: `404`, `409 conflict`, `400 validation_error: from,
 * to`; `none` for no field.
 */
type Expected<Code extends string> = `${number}` | `${number} ${Code}` | `${number} ${Code}: ${string}`;

type CodeOf<App extends Service> = App extends StaffingApp ? StaffingCode : TrustCode;

/** Further parts of the request, and further conditions for the response. */
export interface More<App extends Service = TrustApp> {
  /** The caller whose key is sent: by default the first account. */
  by?: 'own' | 'other' | 'anyone' | 'live' | 'admin';
  headers?: Record<string, string>;
  /** Sent as JSON; `raw` is sent unchanged. */
  body?: unknown | (() => unknown);
  raw?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  contains?: string[];
  lacks?: string[];
  /** null: the header must be absent. */
  responseHeaders?: Record<string, string | null>;
  /** A check after the response. */
  effects?: (app: App, body: Record<string, unknown>) => Promise<void> | void;
}

/** The parts of a service that its scenarios need. */
interface Service {
  fetch: (request: Request) => Promise<Response>;
  own: Caller;
  other: Caller;
  anyone: Caller;
  live?: Caller;
  admin?: Caller;
}
interface Caller {
  key: string | null;
}

/** Defines one test for each scenario, with the checks that apply to every response. */
export function scenarios<App extends Service>(
  app: () => App,
  table: readonly Scenario<App>[],
  common: More<App> = {},
): void {
  for (const [name, request, expected, own] of table) {
    test(name.length > 150 ? `${name.slice(0, 120)}… (${name.length} characters)` : name, async () => {
      const more = { ...common, ...own };
      const response = await app().fetch(requestOf(request, more, app()));
      const text = await response.text();
      const { status, code, fields } = readExpected(expected);
      expect([text, response.status]).toEqual([text, status]);
      for (const [header, value] of Object.entries(ALWAYS)) expect(response.headers.get(header)).toBe(value);
      expect(response.headers.get('x-request-id')).toMatch(/^[\w.:/+=-]{1,128}$/);
      expect(text).not.toContain(app().own.key ?? '');
      const body: Record<string, unknown> = text === '' ? {} : JSON.parse(text);
      if (status >= 400) {
        const refusal = refusalIn(body, response);
        expect(refusal.request).toBe(response.headers.get('x-request-id'));
        expect([typeof refusal.message, typeof refusal.code]).toEqual(['string', 'string']);
        if (code !== undefined) expect(refusal.code).toBe(code);
        if (fields !== undefined) expect(refusal.fields.sort()).toEqual(fields.sort());
      }
      for (const part of more.contains ?? []) expect(text).toContain(part);
      for (const part of more.lacks ?? []) expect(text).not.toContain(part);
      for (const [header, value] of Object.entries(more.responseHeaders ?? {})) {
        expect([header, response.headers.get(header)]).toEqual([header, value]);
      }
      await more.effects?.(app(), body);
    });
  }
}

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

function readExpected(expected: string): { status: number; code?: string; fields?: string[] } {
  const { status, code, fields } = /^(?<status>\d{3})(?: (?<code>\w+))?(?:: (?<fields>.+))?$/.exec(expected)
    ?.groups ?? { status: expected };
  return {
    status: Number(status),
    ...(code === undefined ? {} : { code }),
    ...(fields === undefined ? {} : { fields: fields === 'none' ? [] : fields.split(', ') }),
  };
}

/** An error in the format of either service, or of OTLP (google.rpc.Status). */
function refusalIn(
  body: Record<string, unknown>,
  { headers }: Response,
): {
  message: unknown;
  code: unknown;
  request: unknown;
  fields: string[];
} {
  if (typeof body.error === 'string') {
    const { error: message, reason_code: code, request_id: request, issues } = body;
    return { message, code, request, fields: Object.keys(Object(issues)) };
  }
  if (typeof body.message === 'string') {
    const [, code, message] = /^(\w+): (.+)$/s.exec(body.message) ?? [];
    return { message, code, request: headers.get('x-request-id'), fields: [] };
  }
  const { message, code, request_id: request, details = [] } = Object(body.error);
  return { message, code, request, fields: details.map(({ field }: { field: string }) => field) };
}

function requestOf<App extends Service>(
  request: Scenario<App>[1],
  { by = 'own', headers, body, raw }: More<App>,
  app: App,
): Request {
  const line = typeof request === 'function' ? request() : request;
  const [method = '', path = ''] = line.split(/ (.*)/s);
  if (!path.startsWith('/')) throw new Error(`no method and path: ${line}`);
  const value = typeof body === 'function' ? body() : body;
  const payload = raw ?? (value === undefined ? undefined : JSON.stringify(value));
  const all = new Headers(payload === undefined ? {} : { 'content-type': 'application/json' });
  const caller: Caller | undefined = app[by];
  if (caller === undefined) throw new Error(`the service has no caller ${by}`);
  if (caller.key !== null) all.set('authorization', `Bearer ${caller.key}`);
  for (const [name, text] of Object.entries(headers ?? {})) all.set(name, text);
  return new Request(`http://localhost${path}`, {
    method,
    headers: all,
    ...(payload === undefined ? {} : { body: payload }),
  });
}
