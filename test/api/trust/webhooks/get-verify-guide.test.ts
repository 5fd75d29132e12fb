import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Webhook } from 'standardwebhooks';
import { eventsOf } from '../../../../src/platform/module.ts';
import { trustModules } from '../../../../src/trust/service/modules.ts';
import { guideOf } from '../../../../src/trust/webhooks/get-verify-guide.ts';
import { PYTHON } from '../../../support/python.ts';
import { openTrustApp, type TrustApp } from '../../../support/trust-app.ts';
import { EVENTS, eventOf, TABLE } from '../../../support/webhooks.ts';

const PATH = '/api/v1/webhooks/verify-guide';
const verifyGuide = await guideOf(eventsOf(trustModules));
const { example, samples } = verifyGuide;
const arrived: Record<string, string> = example.headers;

/** The form of a delivery in the OpenAPI document. */
interface Forms {
  properties: {
    event: { const?: string; enum?: string[] };
    data: { $ref?: string; properties: object };
  };
}

/** A delivery as a receiver's code gets it. */
interface Case {
  headers: Record<string, string>;
  body: string;
  secret: string;
  now: number;
}

const good: Case = {
  headers: example.headers,
  body: example.body,
  secret: example.signing_secret,
  now: example.now,
};
const sent = Number(arrived['webhook-timestamp']);
const [, signature = ''] = arrived['webhook-signature']?.split(',') ?? [];
const withHeader = (name: string, value: string): Case => ({
  ...good,
  headers: { ...good.headers, [name]: value },
});

const CASES: [name: string, verifies: boolean, one: Case][] = [
  ['the example', true, good],
  ['300 seconds later', true, { ...good, now: sent + 300 }],
  ['300 seconds before', true, { ...good, now: sent - 300 }],
  ['301 seconds later', false, { ...good, now: sent + 301 }],
  ['301 seconds before', false, { ...good, now: sent - 301 }],
  ['a second signature beside it', true, withHeader('webhook-signature', `v1a,x v1,AAAA v1,${signature}`)],
  ['no signature', false, withHeader('webhook-signature', '')],
  ['another version', false, withHeader('webhook-signature', `v2,${signature}`)],
  ['a signature cut short', false, withHeader('webhook-signature', `v1,${signature.slice(0, -1)}`)],
  ['another time', false, withHeader('webhook-timestamp', String(sent + 1))],
  ['a time that is none', false, withHeader('webhook-timestamp', `${sent}.0`)],
  ['no time', false, withHeader('webhook-timestamp', '')],
  ['another id', false, withHeader('webhook-id', 'msg_1')],
  ['another body', false, { ...good, body: `${good.body} ` }],
  ['another secret', false, { ...good, secret: `whsec_${'A'.repeat(43)}=` }],
];

let app: TrustApp;
let directory: string;
beforeAll(async () => {
  app = await openTrustApp({ rate_limits: 'on' });
  directory = mkdtempSync(join(tmpdir(), 'countersign-guide-'));
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await app.close();
});

describe('the guide to webhooks', () => {
  test('is there for everybody, within the limit of public reads', async () => {
    const { status, body, headers } = await app.anyone.get(PATH);
    expect([status, body]).toEqual([200, JSON.parse(JSON.stringify(verifyGuide))]);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('ratelimit-policy')).toBe('"public-reads";q=600;w=60');
    expect((await app.anyone.get(`${PATH}?limit=1`)).status).toBe(200);
  });

  test('has an example that others sign alike', () => {
    const at = new Date(sent * 1000);
    const { 'webhook-id': id = '', 'webhook-signature': given } = arrived;
    expect(new Webhook(example.signing_secret).sign(id, at, example.body)).toBe(String(given));
    expect(example.signed_content).toBe(`${id}.${sent}.${example.body}`);
    expect(Object.keys(JSON.parse(example.body))).toEqual(Object.keys(verifyGuide.body));
    expect(example.headers['x-service-signature']).toBe(example.secret);
    expect(Object.keys(example.headers)).toEqual(
      Object.keys(verifyGuide.headers).map((name) => name.toLowerCase()),
    );
  });

  test('names the members of every event as they are', () => {
    const { events } = verifyGuide;
    expect(events).toEqual(
      Object.fromEntries(EVENTS.map((name) => [name, Object.keys(eventOf(name, []).data)])),
    );
  });

  test('has the events that the OpenAPI document has as webhooks', async () => {
    const document = Object((await app.anyone.get('/openapi.json')).body);
    expect(Object.keys(document.webhooks).sort()).toEqual([...EVENTS].sort());
    const { schemas, pathItems } = document.components;
    const body = pathItems.Delivery.post.requestBody.content['application/json'];
    expect(body.schema).toEqual({ $ref: '#/components/schemas/WebhookEvent' });
    const told = schemas.WebhookEvent.oneOf.flatMap(({ properties: { event, data } }: Forms) => {
      const { properties } = data.$ref === undefined ? data : schemas[data.$ref.split('/').at(-1) ?? ''];
      return (event.enum ?? [event.const]).map((name) => [name, Object.keys(properties)]);
    });
    expect(Object.fromEntries(told)).toEqual(verifyGuide.events);
  });

  test('is what docs/webhooks.md and docs/verification/webhooks.md show', () => {
    const pageOf = (name: string) => readFileSync(join(import.meta.dir, '../../../../docs', name), 'utf8');
    const shownIn = (text: string) =>
      [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, kind = '', block = '']) => [kind, block]);
    const page = pageOf('webhooks.md');
    const verification = pageOf('verification/webhooks.md');
    const headers = Object.entries(example.headers).map(([name, value]) => `${name}: ${value}\n`);
    expect(shownIn(verification)).toContainEqual(['http', `${headers.join('')}\n${example.body}\n`]);
    expect(verification).toContain(example.signing_secret);
    const [deliveries = [], ...programs] = shownIn(page);
    expect(programs).toEqual([
      ['python', samples.python],
      ['javascript', samples.javascript],
    ]);
    for (const name of EVENTS) expect(page).toContain(`\`${name}\``);
    const bodies = (deliveries[1] ?? '')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(bodies.map(({ event }) => event).sort()).toEqual([...EVENTS].sort());
    for (const { event, data, ...rest } of bodies) {
      expect([event, Object.keys(data), Object.keys(rest)]).toEqual([
        event,
        verifyGuide.events[event],
        ['timestamp'],
      ]);
      expect([event, Value.Check(TABLE[event] ?? Type.Never(), data)]).toEqual([event, true]);
    }
  });
});

describe('the samples that verify a webhook', () => {
  test.each(CASES)('in JavaScript: %s', async (_, verifies, { headers, body, secret, now }) => {
    const file = join(directory, 'verify.mjs');
    writeFileSync(file, samples.javascript);
    const { verify } = await import(file);
    const act = () => verify(headers, Buffer.from(body), secret, now);
    if (verifies) expect(act()).toEqual(JSON.parse(body));
    else expect(act).toThrow();
  });

  test.skipIf(PYTHON === null)('in Python: all of these', () => {
    const driver = `${samples.python}
import sys
def verifies(case):
    try:
        return verify(case["headers"], case["body"].encode(), case["secret"], case["now"]) == json.loads(case["body"])
    except ValueError:
        return False
print(json.dumps([verifies(case) for case in json.load(sys.stdin)]))
`;
    const { stdout, stderr } = Bun.spawnSync([PYTHON ?? '', '-B', '-c', driver], {
      stdin: Buffer.from(JSON.stringify(CASES.map(([, , one]) => one))),
    });
    expect(stderr.toString()).toBe('');
    expect(JSON.parse(stdout.toString())).toEqual(CASES.map(([, verifies]) => verifies));
  });
});
