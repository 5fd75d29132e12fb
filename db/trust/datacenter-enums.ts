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

/**
 * What a meter is of: the IT equipment, the whole facility, or both. An item without a role is of both.
 */
export const METER_ROLES = ['it', 'facility', 'both'] as const;

/** What is expected of a meter, slot by slot. `meter` stands for any of the others, and for power. */
export const METERED_QUANTITIES = ['it', 'facility', 'water', 'renewable', 'reused', 'co2', 'meter'] as const;
export type MeteredQuantity = (typeof METERED_QUANTITIES)[number];
