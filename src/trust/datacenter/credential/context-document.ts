import { SUSTAINABILITY_TYPE } from '../../../proof/credential/contexts.ts';
import { contextText, Vocabulary } from '../../credentials/vocabulary.ts';

const vocabulary = new Vocabulary('urn:countersign:vocabulary:sustainability:v1#');

const double = (name: string) => ({ [name]: vocabulary.typed(name, 'double') });
const integer = (name: string) => ({ [name]: vocabulary.typed(name, 'integer') });
const text = (name: string) => ({ [name]: vocabulary.typed(name, 'string') });

/**
 * Returns the JSON-LD context of credentials about clusters, version 1, as text. Credentials name it by its
 * URL, and verifiers may keep it permanently: it never changes. One more term makes another version.
 */
export function sustainabilityContext(): string {
  const period = (name: string) => ({
    [name]: vocabulary.nested(name, {
      from: vocabulary.typed('from', 'dateTime'),
      to: vocabulary.typed('to', 'dateTime'),
    }),
  });
  const metric = (name: string, more: Record<string, unknown> = {}) => ({
    [name]: vocabulary.nested(name, {
      ...double('value'),
      ...text('unit'),
      ...text('standard'),
      interim: vocabulary.typed('interim', 'boolean'),
      ...period('window'),
      ...double('coverage'),
      ...integer('count'),
      ...more,
    }),
  });
  const metrics = (name: string) => ({
    [name]: vocabulary.nested(name, {
      ...integer('evidence_count'),
      ...integer('instances'),
      ...period('window'),
      ...metric('pue'),
      ...metric('cue'),
      ...metric('wue'),
      ...metric('ref'),
      ...metric('erf'),
      ...metric('power', { ...double('max'), ...double('share_of_nameplate') }),
      ...metric('thermal', {
        ...double('inlet_min'),
        ...double('inlet_mean'),
        ...double('inlet_max'),
        ...integer('throttled_count'),
        ...integer('setpoint_applied_count'),
        ...integer('setpoint_count'),
      }),
      ...metric('avoided', double('energy_saved_kwh')),
      energy: vocabulary.nested('energy', {
        ...double('it_kwh'),
        ...double('facility_kwh'),
        ...double('renewable_kwh'),
        ...double('reused_kwh'),
        ...double('water_l'),
        ...double('emissions_kg'),
      }),
    }),
  });
  return contextText({
    [SUSTAINABILITY_TYPE]: vocabulary.term(SUSTAINABILITY_TYPE),
    ...text('cluster_id'),
    ...period('period'),
    ...metrics('hardware_measured'),
    ...metrics('declared'),
    ...metrics('simulated'),
    ...integer('evidence_count'),
    measured_at: vocabulary.typed('measured_at', 'dateTime'),
    checkpoint: vocabulary.nested('checkpoint', { receipts: vocabulary.checkpoint('receipts') }),
  });
}
