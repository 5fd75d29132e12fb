import { TELEMETRY_EVENTS, type TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { SUSTAINABILITY_CONTEXT_PATH } from '../../../proof/credential/contexts.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { CLUSTER_FRAMEWORKS } from '../../../proof/package/frameworks/framework-ids.ts';
import { FIRST_WINDOW, LIMITS, MAX_WINDOW_MS } from '../limits.ts';
import { MEASUREMENTS, RULES } from '../plausibility.ts';
import { STANDARDS } from '../standards.ts';

/** How each metric of a scorecard is computed: sums over items that have all values of the formula. */
const METRICS = [
  { name: 'pue', unit: '1', standard: STANDARDS.pue, formula: 'facility_energy_kwh / it_energy_kwh' },
  {
    name: 'cue',
    unit: 'kg/kWh',
    standard: STANDARDS.cue,
    formula: 'facility_energy_kwh * grid_carbon_intensity_g_per_kwh / 1000 / it_energy_kwh',
  },
  { name: 'wue', unit: 'L/kWh', standard: STANDARDS.wue, formula: 'water_l / it_energy_kwh' },
  { name: 'ref', unit: '1', standard: STANDARDS.ref, formula: 'renewable_kwh / facility_energy_kwh' },
  { name: 'erf', unit: '1', standard: STANDARDS.erf, formula: 'reused_kwh / facility_energy_kwh' },
  { name: 'power', unit: 'W', standard: null, formula: 'measured_power_avg_w, weighted by time' },
  { name: 'thermal', unit: 'Cel', standard: null, formula: 'the maximum of peak_junction_temp_c' },
  { name: 'avoided', unit: 'kg', standard: STANDARDS.avoided, formula: 'carbon_avoided_kg' },
];

const CLASSES: { name: TelemetryClass; description: string }[] = [
  {
    name: 'hardware_measured',
    description:
      'The origin is live-instrument, and an agent that the operator sponsors signed the body. The window begins at or after its enrollment.',
  },
  {
    name: 'declared',
    description:
      'The origin is live-instrument, without a signature of an instrument that was enrolled then.',
  },
  { name: 'simulated', description: 'The origin is synthetic.' },
];

/** Returns how telemetry of facilities is taken, which metrics it gives, and where they are. */
export function facilityManifest() {
  return {
    v: 1 as const,
    classes: CLASSES,
    event_types: TELEMETRY_EVENTS.map((name) => ({ name, needs_one_of: [...MEASUREMENTS[name]] })),
    quantities: Object.entries(LIMITS).map(([name, { minimum, maximum, factor }]) => ({
      name,
      minimum,
      maximum,
      resolution: 1 / factor,
    })),
    rules: RULES.map(({ member, sentence }) => ({ member, rule: sentence })),
    windows: {
      longest_days: MAX_WINDOW_MS / DAY_MS,
      earliest_start: timestampOf(FIRST_WINDOW),
      latest_end_seconds_ahead: AHEAD_MS / 1000,
    },
    metrics: METRICS,
    frameworks: [...CLUSTER_FRAMEWORKS],
    documents: [
      { name: 'scorecard', path: '/api/v1/datacenter/clusters/{cluster_id}/scorecard' },
      { name: 'credential', path: '/api/v1/datacenter/clusters/{cluster_id}/credential' },
      { name: 'credential_context', path: SUSTAINABILITY_CONTEXT_PATH },
      { name: 'compliance_package', path: '/api/v1/datacenter/compliance/packages/{cluster_id}' },
      { name: 'receipts', path: '/api/v1/datacenter/receipts' },
      { name: 'controls', path: '/api/v1/compliance/frameworks' },
      { name: 'keys', path: '/api/v1/transparency/keys' },
    ],
  };
}
