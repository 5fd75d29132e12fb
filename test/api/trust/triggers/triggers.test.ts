import { afterAll, expect, test } from 'bun:test';
import { apiClient } from '../../../../src/platform/demo/api-client.ts';
import { eventsOf } from '../../../../src/platform/module.ts';
import { trustModules } from '../../../../src/trust/service/modules.ts';
import { triggers } from '../../../../src/trust/triggers/triggers.ts';
import type { EmittedEvent } from '../../../../src/trust/webhooks/events.ts';
import { openSeededTrust } from '../../../support/seeded.ts';

const opened = await openSeededTrust('agents: {}');
afterAll(() => opened.close());
const keys = {
  ask: apiClient(opened.service.app('/')),
  apiKey: opened.apiKey,
  serviceToken: opened.serviceToken,
};
const happened: EmittedEvent[] = [];
opened.service.trust.events.listen((event) => void happened.push(event));

test('every event of the service can be triggered', () => {
  expect(Object.keys(triggers.events).sort()).toEqual(Object.keys(eventsOf(trustModules)).sort());
});

test.each(Object.keys(triggers.events))(
  'triggering %s makes it happen, for the agent that it names',
  async (event) => {
    const made = await triggers.events[event]?.run(keys);
    const ofAgent = happened.filter(({ data }) => Object.values(data).includes(made?.subject_commitment));
    expect(ofAgent.map((one) => one.event)).toContain(event);
  },
);

test('a subscription is found by its event', async () => {
  const body = { url: 'http://127.0.0.1:9/', events: ['evidence.anchored'] };
  expect(await triggers.isSubscribed(keys, 'evidence.anchored')).toBe(false);
  await keys.ask('POST /api/v1/webhooks', { key: keys.apiKey, body });
  expect(await triggers.isSubscribed(keys, 'evidence.anchored')).toBe(true);
  expect(await triggers.isSubscribed(keys, 'reputation.degraded')).toBe(false);
});
