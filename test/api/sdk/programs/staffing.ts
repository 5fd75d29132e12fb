import {
  ApiError,
  type Clinician,
  StaffingAdminClient,
  StaffingClient,
  type StaffingEvent,
} from '../../../../dist/sdk/typescript/staffing.js';

/** Returns what an event says. */
export function described(event: StaffingEvent): string {
  switch (event.type) {
    case 'requisition.status_changed':
      return `${event.data.id} is ${event.data.status}`;
    case 'webhook.test':
      return `${event.data.webhook_id} works`;
  }
}

/** Searches clinicians, works with a requisition, and makes a partner live. Returns what it saw. */
export async function run(url: string, apiKey: string, adminToken: string): Promise<unknown> {
  const client = new StaffingClient({ url, apiKey });
  const [first]: Clinician[] = await client.clinicians.search({ state: 'TX', limit: 1 }).toArray(1);
  const unknown = await client.clinicians
    .search({ specialty: 'nothing of the kind' })
    .page()
    .catch((error: unknown) => error);
  const submitted = await client.requisitions.submit({
    title: 'ICU travel nurse',
    specialty: 'RN critical care',
    state: 'TX',
    shift: 'night',
  });
  const cancelled = await client.requisitions.cancel(submitted.id);
  const admin = new StaffingAdminClient({ url, apiKey: adminToken });
  const { data } = await admin.partners.list({ limit: 1 }).page();
  const promoted = await admin.partners.promote(data[0]?.partner_id ?? '');
  return {
    read: (await client.clinicians.get(first?.npi ?? '')).state,
    unknown: ApiError.is(unknown, 'UNKNOWN_SPECIALTY') ? Object.keys(unknown.details) : unknown,
    shift: submitted.shift,
    status: cancelled.status,
    me: (await client.me.get()).tier,
    address: data[0]?.email.split('@')[1],
    promoted: promoted.tier,
  };
}
