import { afterAll, expect, test } from 'bun:test';
import { apiClient } from '../../../../src/platform/demo/api-client.ts';
import { triggers } from '../../../../src/staffing/triggers/triggers.ts';
import { STATUS_CHANGED, TEST } from '../../../../src/staffing/webhooks/event-types.ts';
import { openSeededStaffing } from '../../../support/seeded.ts';

const API = '/api/staffing/partner/v1';
const opened = await openSeededStaffing('partners: {}');
afterAll(() => opened.close());
const keys = {
  ask: apiClient(opened.service.app('/')),
  apiKey: opened.apiKey,
  serviceToken: null,
};

const eventsSent = async (): Promise<unknown[]> => {
  const { data } = await keys.ask(`GET ${API}/webhook/deliveries`, { key: keys.apiKey });
  return [data].flat().map((delivery) => Object(delivery).event);
};

test('every event of the service can be triggered, and is sent to the webhook', async () => {
  expect(Object.keys(triggers.events).sort()).toEqual([STATUS_CHANGED, TEST].sort());
  expect(await triggers.isSubscribed(keys, TEST)).toBe(false);
  await expect(triggers.events[TEST]?.run(keys)).rejects.toMatchObject({ status: 404 });
  await keys.ask(`PUT ${API}/webhook`, { key: keys.apiKey, body: { url: 'http://127.0.0.1:9/' } });
  expect(await triggers.isSubscribed(keys, TEST)).toBe(true);
  await triggers.events[TEST]?.run(keys);
  const made = await triggers.events[STATUS_CHANGED]?.run(keys);
  expect(made?.id).toStartWith('req_');
  expect((await eventsSent()).sort()).toEqual([STATUS_CHANGED, TEST].sort());
});
