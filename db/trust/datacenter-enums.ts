/** What telemetry is about. */
export const TELEMETRY_EVENTS = [
  'HARDWARE_POWER_VALIDATION',
  'POLICY_SETPOINT_TRANSITION',
  'THERMAL_SAFETY_AUDIT',
  'CARBON_AVOIDED_ACCRUAL',
  'WORKLOAD_ENERGY_EFFICIENCY',
] as const;
export type TelemetryEvent = (typeof TELEMETRY_EVENTS)[number];

/**
 * How telemetry came about, fixed when it arrives. hardware_measured: a live instrument that is an enrolled
 * agent signed it. declared: the operator says that it is of a live instrument. simulated: it is synthetic.
 * No figure mixes them.
 */
export const TELEMETRY_CLASSES = ['hardware_measured', 'declared', 'simulated'] as const;
export type TelemetryClass = (typeof TELEMETRY_CLASSES)[number];
