import { RequestRefused } from '../../platform/demo/api-client.ts';
import type { Trigger, TriggerKeys, Triggers } from '../../platform/triggers/trigger.ts';
import { STATUS_CHANGED, TEST } from '../webhooks/event-types.ts';

const API = '/api/staffing/partner/v1';

const statusChanged: Trigger = {
  summary: 'submits a requisition and cancels it',
  async run({ ask, apiKey }) {
    const body = { title: 'A requisition of a trigger', specialty: 'RN', state: 'TX' };
    const { id } = await ask(`POST ${API}/jobs`, { key: apiKey, body });
    await ask(`POST ${API}/jobs/${id}/cancel`, { key: apiKey });
    return { id: String(id) };
  },
};

const test: Trigger = {
  summary: 'asks for a test event, which needs a webhook',
  async run({ ask, apiKey }) {
    const { id } = await ask(`POST ${API}/webhook/test`, { key: apiKey });
    return { id: String(id) };
  },
};

/** How each event of webhooks is made to happen. */
export const triggers: Triggers = {
  events: { [STATUS_CHANGED]: statusChanged, [TEST]: test },
  isSubscribed: hasWebhook,
};

async function hasWebhook({ ask, apiKey }: TriggerKeys): Promise<boolean> {
  try {
    await ask(`GET ${API}/webhook`, { key: apiKey });
    return true;
  } catch (error) {
    if (error instanceof RequestRefused && error.status === 404) return false;
    throw error;
  }
}
