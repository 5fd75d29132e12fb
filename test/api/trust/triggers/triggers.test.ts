import { afterAll, expect, test } from 'bun:test';
import { type ApiCall, apiClient } from '../../../../src/platform/demo/api-client.ts';
import { eventsOf } from '../../../../src/platform/module.ts';
import { webhookSecret } from '../../../../src/trust/billing/sandbox/secret.ts';
import { sendEvents } from '../../../../src/trust/billing/sandbox/sender.ts';
import { trustModules } from '../../../../src/trust/service/modules.ts';
import { triggers } from '../../../../src/trust/triggers/triggers.ts';
import type { EmittedEvent } from '../../../../src/trust/webhooks/events.ts';
import { openSeededTrust } from '../../../support/seeded.ts';

const opened = await openSeededTrust('operators: { first: { credits: 10 } }', {
  'billing.processor': 'sandbox',
});
const app = opened.service.app('/');
const listener = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (sent) => app.fetch(sent) });
afterAll(async () => {
  await listener.stop(true);
  await opened.close();
});
const request = apiClient(app);
/** Sends a request. One to the clock of a test service advances this one; the sandbox then sends its events. */
const ask: ApiCall = async (line, options) => {
  if (line.startsWith('POST /sandbox/')) {
    const response = await request(line, options);
    const { trust } = opened.service;
    const secret = webhookSecret(trust.masterKey);
    await sendEvents({ ...trust, secret, listener: `http://127.0.0.1:${listener.port}` });
    return response;
  }
  if (line !== 'POST /_test/clock') return request(line, options);
  expect(Object(options).body).toEqual({ advance: '4s' });
  await opened.advanceTo(opened.clock.now() + 4_000);
  return {};
};
const keys = {
  ask,
  apiKey: opened.apiKey,
  serviceToken: opened.serviceToken,
};
const happened: EmittedEvent[] = [];
opened.service.trust.events.listen((event) => void happened.push(event));

/** What the sandbox paid cannot be withdrawn, and only an administrator ends a payout. */
const NOT_TRIGGERED = ['payout.queued', 'payout.confirmed', 'payout.failed'];

test('every event of the service that requests with the keys of a ready file cause can be triggered', () => {
  const all = [...Object.keys(triggers.events), ...NOT_TRIGGERED];
  expect(all.sort()).toEqual(Object.keys(eventsOf(trustModules)).sort());
});

test.each(Object.keys(triggers.events))('triggering %s makes it happen, for what it names', async (event) => {
  const made = await triggers.events[event]?.run(keys);
  const names = Object.values(made ?? {});
  const ofNamed = happened.filter(({ data }) => Object.values(data).some((value) => names.includes(value)));
  expect(ofNamed.map((one) => one.event)).toContain(event);
});

test('a subscription is found by its event', async () => {
  const body = { url: 'http://127.0.0.1:9/', events: ['evidence.anchored'] };
  expect(await triggers.isSubscribed(keys, 'evidence.anchored')).toBe(false);
  await keys.ask('POST /api/v1/webhooks', { key: keys.apiKey, body });
  expect(await triggers.isSubscribed(keys, 'evidence.anchored')).toBe(true);
  expect(await triggers.isSubscribed(keys, 'reputation.degraded')).toBe(false);
});
