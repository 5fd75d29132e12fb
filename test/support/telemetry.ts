import { HOUR_MS } from '../../src/platform/time/units.ts';
import type { JsonObject } from '../../src/proof/encoding/json.ts';
import { enrolledAgent } from './agent.ts';
import type { ApiResponse } from './client.ts';
import type { TrustApp } from './trust-app.ts';

export const TELEMETRY = '/api/v1/datacenter/evidence';

/** Returns a time as RFC 3339, `hours` after 2026-05-01T00:00:00Z. */
export const hourOf = (hours: number): string =>
  new Date(Date.UTC(2026, 4, 1) + hours * HOUR_MS).toISOString();

/** Telemetry of one hour, from `hour` on, with the values of a small hall. */
export function telemetryOf(hour: number, more: JsonObject = {}) {
  return {
    cluster_id: 'hall-1',
    instance_id: 'rack-1',
    event_type: 'WORKLOAD_ENERGY_EFFICIENCY' as const,
    origin: 'live-instrument' as const,
    window_start: hourOf(hour),
    window_end: hourOf(hour + 1),
    it_energy_kwh: 40,
    facility_energy_kwh: 50,
    ...more,
  };
}

/** Enrolls an instrument of the first operator before the windows of all telemetry. */
export const enrolledInstrument = (app: TrustApp) =>
  enrolledAgent(app, { clock: { now: () => Date.parse(hourOf(-1)) } });

/** Sends telemetry that must be stored. @returns the response */
export async function ingested(by: TrustApp['own'], telemetry: JsonObject): Promise<ApiResponse['body']> {
  const { status, body } = await by.post(TELEMETRY, telemetry);
  if (status !== 201) throw new Error(`the telemetry was refused: ${JSON.stringify(body)}`);
  return body;
}
