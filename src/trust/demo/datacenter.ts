import type { TelemetryEvent } from '../../../db/trust/datacenter-enums.ts';
import type { ApiCall } from '../../platform/demo/api-client.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { DAY_MS } from '../../platform/time/units.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import { DEMO_API_KEY, DEMO_CLUSTER, DEMO_OTHER_CLUSTER } from '../http/example-ids.ts';
import { type DemoAgent, demoAgent, enroll, signed } from './agents.ts';
import type { DemoClient } from './receipts.ts';

/** The meter of the whole hall. It is an enrolled agent, so its telemetry counts as hardware-measured. */
const METER = 'Hall meter';

/**
 * The 24 hours of telemetry: the number of the day in the scenario, and its end in milliseconds since 1970.
 */
interface MeasuredDay {
  day: number;
  end: number;
}

/** Enrolls the instrument of the demonstration's cluster. @returns the meter */
export async function enrollMeter({ ask }: DemoClient): Promise<DemoAgent> {
  const meter = demoAgent(METER);
  await enroll(ask, meter, DEMO_API_KEY);
  return meter;
}

/**
 * Sends the telemetry of 24 hours: measured by the meter of the hall, declared by the operator for a rack
 * without a meter, and simulated. Each has days without values.
 */
export async function sendTelemetry(
  { ask }: DemoClient,
  meter: DemoAgent,
  { day, end }: MeasuredDay,
): Promise<void> {
  const send = senderOf(ask, end);
  const wave = Math.sin((day / 14) * Math.PI);
  // The window of the first day begins before the meter is enrolled.
  if (day > 1 && (day < 17 || day > 20)) {
    await send(
      'WORKLOAD_ENERGY_EFFICIENCY',
      {
        instance_id: 'hall-1-meter',
        ...energies(9600 + 300 * wave, 1.22 + 0.05 * wave + 0.01 * (day % 3)),
        water_l: tenths(8200 + 900 * wave),
        renewable_kwh: tenths(4100 + 80 * (day % 7)),
        reused_kwh: tenths(600 + 20 * (day % 5)),
        baseline_nameplate_w: 500_000,
        inlet_temp_c: tenths(22.5 + 1.5 * wave),
        grid_carbon_intensity_g_per_kwh: tenths(320 - 40 * wave),
      },
      meter,
    );
  }
  if (day % 9 < 6) {
    await send('WORKLOAD_ENERGY_EFFICIENCY', {
      instance_id: 'rack-01',
      ...energies(820 + 15 * (day % 4), 1.36 + 0.02 * (day % 2)),
      grid_carbon_intensity_g_per_kwh: 330,
    });
  }
  if (day < 22) {
    await send('WORKLOAD_ENERGY_EFFICIENCY', {
      instance_id: 'digital-twin',
      origin: 'synthetic',
      ...energies(9600, 1.15 + 0.001 * day),
    });
  }
  if (day % 7 === 0) {
    await send(
      'THERMAL_SAFETY_AUDIT',
      {
        instance_id: 'hall-1-meter',
        peak_junction_temp_c: tenths(79 + 3 * wave),
        inlet_temp_c: tenths(22.5 + 1.5 * wave),
        thermal_throttle_observed: day === 21,
      },
      meter,
    );
  }
  if (day === 28) {
    await send('CARBON_AVOIDED_ACCRUAL', {
      instance_id: 'rack-01',
      carbon_avoided_kg: 84.5,
      energy_saved_kwh: 256,
    });
  }
}

/** Sends telemetry of another cluster only once: its credential waits for a checkpoint with the newest. */
export async function sendOfOtherCluster({ ask, clock }: DemoClient): Promise<void> {
  const send = senderOf(ask, clock.now(), DEMO_OTHER_CLUSTER);
  await send('WORKLOAD_ENERGY_EFFICIENCY', { instance_id: 'rack-21', ...energies(640, 1.31) });
}

/** Energy and mean power of 24 hours. */
function energies(it: number, pue: number): JsonObject {
  return {
    it_energy_kwh: tenths(it),
    facility_energy_kwh: tenths(it * pue),
    measured_power_avg_w: tenths((it * 1000) / 24),
  };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

/**
 * Returns a function that sends telemetry of a cluster for the 24 hours before `end`. The signer is the
 * instrument that measured.
 */
function senderOf(ask: ApiCall, end: number, cluster_id = DEMO_CLUSTER) {
  return async (event_type: TelemetryEvent, measured: JsonObject, signer?: DemoAgent): Promise<void> => {
    const telemetry = {
      cluster_id,
      event_type,
      origin: 'live-instrument',
      window_start: timestampOf(end - DAY_MS),
      window_end: timestampOf(end),
      ...measured,
      ...(signer === undefined ? {} : { subject_commitment: signer.commitment }),
    };
    const signature = signer === undefined ? {} : { signature: signed(signer, telemetry) };
    await ask('POST /api/v1/datacenter/evidence', {
      key: DEMO_API_KEY,
      body: { ...telemetry, ...signature },
    });
  };
}
