import type { ApiCall } from '../../platform/demo/api-client.ts';
import type { KnownIds } from '../../platform/demo/known-ids.ts';
import type { ScenarioClock } from '../../platform/demo/scenario-clock.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time/units.ts';
import {
  DEMO_ADMIN_TOKEN,
  DEMO_KEY,
  DEMO_KEY_TEXT,
  DEMO_LIVE_REQUISITION_ID,
  DEMO_LIVE_TEXT,
  DEMO_PARTNER_ID,
  DEMO_PARTNER_KEY_ID,
  DEMO_REQUISITION_ID,
  DEMO_REVOKED_KEY_ID,
  DEMO_SPARE_REQUISITION_ID,
} from '../http/example-ids.ts';

/** The length of the scenario, in days. It ends now. */
export const SCENARIO_DAYS = 21;

/** The service, clock and ids that the scenario uses. */
interface ScenarioContext {
  ask: ApiCall;
  clock: ScenarioClock;
  ids: KnownIds;
  /** The end of the scenario, which is now, in milliseconds since 1970. */
  end: number;
  /** The URL that receives the webhooks. */
  receiver: string;
}

const API = '/api/staffing/partner/v1';

/** Title, specialty, state, city, weeks and positions of the partners' requisitions. */
const REQUISITIONS = [
  ['ICU travel nurse', 'RN critical care', 'TX', 'Austin', 13, 2],
  ['Emergency nurse', 'RN emergency', 'CA', 'Fresno', 8, 1],
  ['Hospitalist', 'Hospitalist', 'OH', 'Dayton', 26, 1],
  ['Physical therapist', 'Physical therapist', 'WA', 'Yakima', 13, 3],
  ['Labor and delivery nurse', 'RN obstetric', 'FL', 'Ocala', 13, 1],
  ['Family nurse practitioner', 'Nurse practitioner family', 'NM', 'Gallup', 52, 1],
] as const;

/**
 * Creates two partners and their requisitions by requests to the service, at times from `SCENARIO_DAYS` ago
 * up to now.
 */
export async function runScenario(context: ScenarioContext): Promise<void> {
  const { clock, end } = context;
  const startOf = (day: number): number => end - (SCENARIO_DAYS - day) * DAY_MS;
  const liveKey = await createPartners(context);
  for (let day = 1; day < SCENARIO_DAYS; day++) {
    clock.advanceTo(startOf(day));
    await runDay(context, liveKey, day);
  }
  clock.advanceTo(end);
}

/**
 * Creates a partner with a sandbox, a live key and webhooks, and a partner with a sandbox only. @returns the
 * live key
 */
async function createPartners({ ask, clock, ids, receiver }: ScenarioContext): Promise<string> {
  ids.reserve(DEMO_KEY_TEXT);
  const created = await ask(`POST ${API}/sandbox-keys`, {
    body: { email: 'demo@prairie-staffing.example', company: 'Prairie Staffing' },
  });
  if (created.api_key !== DEMO_KEY) throw new Error(`the sandbox key is ${created.api_key}`);
  clock.advanceTo(clock.now() + HOUR_MS);
  ids.reserve(DEMO_REVOKED_KEY_ID);
  await ask(`POST ${API}/keys`, { key: DEMO_KEY, body: {} });
  await ask(`DELETE ${API}/keys/${DEMO_REVOKED_KEY_ID}`, { key: DEMO_KEY });
  ids.reserve(DEMO_LIVE_TEXT);
  const live = await ask(`POST ${API}/admin/partners/${created.partner_id}/promote`, {
    key: DEMO_ADMIN_TOKEN,
  });
  ids.reserve(DEMO_PARTNER_ID, DEMO_PARTNER_KEY_ID);
  const other = await ask(`POST ${API}/sandbox-keys`, {
    body: { email: 'demo@harbour-health.example', company: 'Harbour Health' },
  });
  await ask(`POST ${API}/jobs`, { key: String(other.api_key), body: requisition(4) });
  const webhook = { body: { url: receiver } };
  for (const key of [DEMO_KEY, String(live.api_key)]) await ask(`PUT ${API}/webhook`, { key, ...webhook });
  return String(live.api_key);
}

async function runDay({ ask, ids }: ScenarioContext, liveKey: string, day: number): Promise<void> {
  const post = async (key: string): Promise<string> => {
    const { id } = await ask(`POST ${API}/jobs`, {
      key,
      body: { ...requisition(day), external_id: `ats-${day}` },
    });
    return String(id);
  };
  if (day === 1) ids.reserve(DEMO_REQUISITION_ID, DEMO_LIVE_REQUISITION_ID);
  if (day === 3) ids.reserve(DEMO_SPARE_REQUISITION_ID);
  if (day % 2 === 1) {
    const id = await post(DEMO_KEY);
    if (day % 6 === 5) await ask(`POST ${API}/jobs/${id}/cancel`, { key: DEMO_KEY });
  }
  if (day % 3 === 1) {
    const id = await post(liveKey);
    const status = day === 1 ? null : ['filled', 'on_hold', 'closed', null][day % 4];
    if (typeof status !== 'string') return;
    await ask(`POST ${API}/admin/jobs/${id}/status`, { key: DEMO_ADMIN_TOKEN, body: { status } });
  }
}

function requisition(n: number) {
  const [title, specialty, state, city, weeks, positions] =
    REQUISITIONS[n % REQUISITIONS.length] ?? REQUISITIONS[0];
  return { title, specialty, state, city, weeks, positions };
}
