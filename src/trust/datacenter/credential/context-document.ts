import { SUSTAINABILITY_TYPE } from '../../../proof/credential/contexts.ts';
import { contextText, Vocabulary } from '../../credentials/vocabulary.ts';

const vocabulary = new Vocabulary('urn:countersign:vocabulary:sustainability:v1#');

const double = (name: string) => ({ [name]: vocabulary.typed(name, 'double') });
const integer = (name: string) => ({ [name]: vocabulary.typed(name, 'integer') });
const text = (name: string) => ({ [name]: vocabulary.typed(name, 'string') });

/** The members of a metric that all versions have. */
const COMMON = {
  ...double('value'),
  ...text('unit'),
  ...text('standard'),
  interim: vocabulary.typed('interim', 'boolean'),
  ...double('coverage'),
  ...integer('count'),
};

const period = (name: string) => ({
  [name]: vocabulary.nested(name, {
    from: vocabulary.typed('from', 'dateTime'),
    to: vocabulary.typed('to', 'dateTime'),
  }),
});

/**
 * Returns the JSON-LD context of credentials about clusters, version 2, as text. Credentials name it by its
 * URL, and verifiers may keep it permanently: it never changes. One more term makes another version.
 */
export function sustainabilityContext(): string {
  const slots = { ...COMMON, ...integer('slots') };
  const byCategory = { ...slots, ...integer('category') };
  return contextOf({
    class: {
      ...integer('evidence_count'),
      ...integer('corrected_count'),
      ...integer('instances'),
      ...double('late_share'),
      ...double('corrected_share'),
      ...integer('longest_window_s'),
      ...period('window'),
      meters: vocabulary.nested('meters', {
        ...integer('count'),
        ...integer('it'),
        ...integer('facility'),
        ...integer('retired'),
        ...integer('unreplaced'),
        ...integer('attested'),
        first_enrolled_at: vocabulary.typed('first_enrolled_at', 'dateTime'),
        last_enrolled_at: vocabulary.typed('last_enrolled_at', 'dateTime'),
      }),
    },
    pue: {
      ...byCategory,
      exactly_one: vocabulary.typed('exactly_one', 'boolean'),
      ...double('first_sent'),
      ...integer('impossible_slots'),
      ...integer('coarse_slots'),
    },
    byCategory,
    ratio: slots,
    item: COMMON,
  });
}

/** Returns version 1 of the context, which credentials of earlier versions name. */
export function sustainabilityContextV1(): string {
  const metric = {
    ...double('value'),
    ...text('unit'),
    ...text('standard'),
    interim: vocabulary.typed('interim', 'boolean'),
    ...period('window'),
    ...double('coverage'),
    ...integer('count'),
  };
  return contextOf({
    class: { ...integer('evidence_count'), ...integer('instances'), ...period('window') },
    pue: metric,
    byCategory: metric,
    ratio: metric,
    item: metric,
  });
}

type Terms = Record<string, unknown>;

/** Returns a context from the terms of a class and of each kind of metric. */
function contextOf(of: { class: Terms; pue: Terms; byCategory: Terms; ratio: Terms; item: Terms }): string {
  const metric = (name: string, terms: Terms) => ({ [name]: vocabulary.nested(name, terms) });
  const metrics = (name: string) => ({
    [name]: vocabulary.nested(name, {
      ...of.class,
      ...metric('pue', of.pue),
      ...metric('cue', of.byCategory),
      ...metric('wue', of.byCategory),
      ...metric('ref', of.ratio),
      ...metric('erf', of.ratio),
      ...metric('power', { ...of.item, ...double('max'), ...double('share_of_nameplate') }),
      ...metric('thermal', {
        ...of.item,
        ...double('inlet_min'),
        ...double('inlet_mean'),
        ...double('inlet_max'),
        ...integer('throttled_count'),
        ...integer('setpoint_applied_count'),
        ...integer('setpoint_count'),
      }),
      ...metric('avoided', { ...of.item, ...double('energy_saved_kwh') }),
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
