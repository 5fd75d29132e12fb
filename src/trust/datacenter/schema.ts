import { type Static, Type } from '@sinclair/typebox';
import { METER_ROLES, TELEMETRY_CLASSES, TELEMETRY_EVENTS } from '../../../db/trust/datacenter-enums.ts';
import {
  dateTime,
  hexString,
  limitParameter,
  named,
  nullable,
  oneOf,
  plainName,
  reasonText,
  strictObject,
} from '../../platform/http/schema.ts';
import { RevocationStatus } from '../http/enumerations.ts';
import { CheckpointResponseSchema, PathWithoutCheckpoint } from '../log/schema.ts';
import { ReceiptResponse } from '../receipts/receipt-schema.ts';
import { FACILITY_NAME, LIMITS, type Quantity } from './limits.ts';

const quantity = (name: Quantity, description: string) => {
  const { minimum, maximum } = LIMITS[name];
  return Type.Optional(Type.Number({ minimum, maximum, description }));
};

/** Returns the schema of the id of a cluster or an instance. */
const facilityName = (description: string, example: string) =>
  Type.String({
    pattern: FACILITY_NAME,
    description,
    examples: [example],
    'x-message': 'must be 1 to 128 letters, digits, dots, underscores, colons or hyphens, and not . or ..',
  });

const time = (description: string, example = '2026-05-01T11:00:00Z') =>
  Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,3})?Z$',
    format: 'date-time',
    description,
    examples: [example],
    'x-message': 'must be a date-time of RFC 3339 in UTC (Z) with at most three digits of a second',
  });

const clusterId = facilityName(
  'The id of the cluster. The first operator that sends its telemetry owns it.',
  'demo-hall-1',
);

/** The path of what is about one cluster. */
export const ClusterPath = strictObject({
  id: facilityName('The id of the cluster.', 'demo-hall-1'),
});

const TelemetryEventType = named(
  'TelemetryEventType',
  oneOf(TELEMETRY_EVENTS, { description: 'What the telemetry is about. Each type needs a measurement.' }),
);

const TelemetryClass = named(
  'TelemetryClass',
  oneOf(TELEMETRY_CLASSES, {
    description:
      '`hardware_measured`: a live instrument that was an enrolled agent when the window began signed it. `declared`: the operator says that it is of a live ' +
      'instrument. `simulated`: it is synthetic.',
  }),
);

export const TelemetryRequest = named(
  'TelemetryRequest',
  strictObject(
    {
      cluster_id: clusterId,
      instance_id: facilityName('The rack, host, meter or hall that the values are of.', 'rack-07'),
      event_type: TelemetryEventType,
      origin: oneOf(['live-instrument', 'synthetic'], {
        description: 'Whether an instrument measured the values, or a program made them up.',
      }),
      sku: Type.Optional(plainName('The model of the hardware.', 'HGX-H100')),
      window_start: time('The start of the measured window, not before the year 2000.'),
      window_end: time(
        'The end of the window, exclusive: after its start, at most 31 days later, not in the future.',
      ),
      telemetry_source: Type.Optional(plainName('What measured the values.', 'pdu-snmp')),
      it_energy_kwh: quantity('it_energy_kwh', 'Energy of the IT equipment in the window, kWh.'),
      facility_energy_kwh: quantity(
        'facility_energy_kwh',
        'Energy of the facility, including its IT equipment, kWh.',
      ),
      water_l: quantity('water_l', 'Water that the facility consumed, litres.'),
      renewable_kwh: quantity('renewable_kwh', 'Renewable part of the energy of the facility, kWh.'),
      reused_kwh: quantity('reused_kwh', 'Energy that was reused outside the facility, kWh.'),
      measured_power_avg_w: quantity('measured_power_avg_w', 'Mean power of the IT equipment, watts.'),
      baseline_nameplate_w: quantity('baseline_nameplate_w', 'Power on the nameplate, watts.'),
      delta_power_pct: quantity(
        'delta_power_pct',
        'Change of the power in percent; negative for a reduction.',
      ),
      peak_junction_temp_c: quantity(
        'peak_junction_temp_c',
        'Highest temperature of a junction, degrees Celsius.',
      ),
      inlet_temp_c: quantity('inlet_temp_c', 'Mean temperature of the inlet air, degrees Celsius.'),
      policy_setpoint_applied: Type.Optional(
        Type.Boolean({ description: 'Whether the setpoint of a policy was applied.' }),
      ),
      thermal_throttle_observed: Type.Optional(
        Type.Boolean({ description: 'Whether the hardware throttled because of its temperature.' }),
      ),
      grid_carbon_intensity_g_per_kwh: quantity(
        'grid_carbon_intensity_g_per_kwh',
        'Emissions of the grid, grams of CO2e for each kWh.',
      ),
      energy_saved_kwh: quantity(
        'energy_saved_kwh',
        'Energy that was saved, kWh. Only counted for CARBON_AVOIDED_ACCRUAL.',
      ),
      carbon_avoided_kg: quantity(
        'carbon_avoided_kg',
        'Emissions that were avoided, kg of CO2e. Only counted for CARBON_AVOIDED_ACCRUAL.',
      ),
      meter_role: Type.Optional(
        oneOf(METER_ROLES, {
          description: 'What the meter is of: IT equipment, facility or both (default).',
        }),
      ),
      pue_category: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 3,
          description:
            'Where the IT energy is metered: 1 UPS output, 2 PDU output, 3 input of the equipment.',
        }),
      ),
      corrects: Type.Optional(
        Type.String({
          pattern: '^dce_[0-9a-f]{32}$',
          description: 'The item that this one replaces in all metrics. With `correction_reason`.',
          'x-message': 'must be an evidence_id: dce_ and 32 hexadecimal digits',
        }),
      ),
      correction_reason: Type.Optional(reasonText('Why the item is corrected.')),
      attestation: Type.Optional(
        strictObject(
          {
            attester_commitment: hexString(32, 'An enrolled agent that another operator sponsors.'),
            signature: hexString(64, 'Its Ed25519 signature.'),
          },
          { description: 'The word of another party for the instrument; see docs/datacenter.md.' },
        ),
      ),
      subject_commitment: Type.Optional(
        hexString(
          32,
          'The instrument: an enrolled agent that you sponsor. With `signature`, or neither of them.',
        ),
      ),
      signature: Type.Optional(
        hexString(
          64,
          'Ed25519 by the key of the instrument over the 64 characters of the digest (SHA-256 of the canonical JSON) of all other members.',
        ),
      ),
    },
    {
      examples: [
        {
          cluster_id: 'demo-hall-1',
          instance_id: 'rack-07',
          event_type: 'WORKLOAD_ENERGY_EFFICIENCY',
          origin: 'live-instrument',
          window_start: '2026-05-01T11:00:00Z',
          window_end: '2026-05-01T12:00:00Z',
          telemetry_source: 'pdu-snmp',
          it_energy_kwh: 38.4,
          facility_energy_kwh: 46.1,
          water_l: 51.5,
          renewable_kwh: 20,
          measured_power_avg_w: 38400,
          baseline_nameplate_w: 45000,
          inlet_temp_c: 23.5,
          grid_carbon_intensity_g_per_kwh: 321.5,
        },
      ],
    },
  ),
);

/** Telemetry as an operator sends it. */
export type Telemetry = Static<typeof TelemetryRequest>;

export const TelemetryResponse = named(
  'TelemetryEvidence',
  strictObject({
    evidence_id: Type.String({ description: 'The id of the item: `dce_…`.' }),
    cluster_id: clusterId,
    instance_id: facilityName('The instance that the values are of.', 'rack-07'),
    event_type: TelemetryEventType,
    class: TelemetryClass,
    counts_energy: Type.Boolean({
      description:
        'Whether energy, power and water count in the metrics. false if there are none, for CARBON_AVOIDED_ACCRUAL, and if another ' +
        'item of this instance and class already counts for a part of the window.',
    }),
    window_start: dateTime('The start of the window, as sent.'),
    window_end: dateTime('The end of the window, as sent.'),
    payload_digest: hexString(32, 'SHA-256 of the canonical JSON (RFC 8785) of the request body.'),
    receipt: ReceiptResponse,
    scorecard_url: Type.String({ description: 'Where the metrics of the cluster are.' }),
    duplicate: Type.Boolean({
      description: 'Whether the same body arrived before; the response is then the first one.',
    }),
  }),
);

export const TelemetryListQuery = strictObject({
  cluster_id: Type.Optional(facilityName('Return only receipts of this cluster.', 'demo-hall-1')),
  limit: limitParameter('Receipts per page.', 50),
  cursor: Type.Optional(
    Type.String({
      maxLength: 256,
      description: '`next_cursor` of the previous page, with the same cluster_id.',
    }),
  ),
});
export type TelemetryListRequest = Static<typeof TelemetryListQuery>;

const { evidence_id, instance_id, event_type, counts_energy, payload_digest } = TelemetryResponse.properties;

export const TelemetryListResponse = named(
  'TelemetryReceiptPage',
  strictObject({
    checkpoint: CheckpointResponseSchema,
    receipts: Type.Array(
      named(
        'TelemetryReceipt',
        strictObject({
          receipt_id: Type.String({ description: 'The id of the receipt: `rcpt_…`.' }),
          content_hash: hexString(32, 'The content_hash of the current version of the receipt.'),
          issued_at: dateTime('The time when the receipt was issued.'),
          revocation_status: RevocationStatus,
          evidence_id,
          cluster_id: clusterId,
          instance_id,
          event_type,
          class: TelemetryClass,
          counts_energy,
          window_start: dateTime('The start of the window.'),
          window_end: dateTime('The end of the window.'),
          payload_digest,
          corrects: nullable(Type.String({ description: 'The item that it corrects.' })),
          corrected_by: nullable(Type.String({ description: 'The item that corrects it.' })),
          inclusion_path: nullable(PathWithoutCheckpoint),
        }),
      ),
      { description: 'Newest first. `inclusion_path` is null until the next checkpoint, about a second.' },
    ),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'The cursor of the next page. null on the last page.',
    }),
  }),
);

export const RetireRequest = named(
  'RetireMeterRequest',
  strictObject(
    {
      at: Type.Optional(
        time(
          'When it was taken out of service: at most 24 hours ago, not before its last window ends. Now by default.',
          '2026-05-01T12:00:00Z',
        ),
      ),
    },
    { examples: [{}] },
  ),
);

export const MeterPath = strictObject({
  ...ClusterPath.properties,
  instance_id: facilityName('The id of the instance.', 'digital-twin'),
});

export const RetiredMeter = named(
  'RetiredMeter',
  strictObject({
    cluster_id: clusterId,
    instance_id,
    retired_at: dateTime('When it was taken out of service.'),
    receipt: ReceiptResponse,
  }),
);
