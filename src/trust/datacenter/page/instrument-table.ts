import { TELEMETRY_CLASSES } from '../../../../db/trust/datacenter-enums.ts';
import { type Html, html } from '../../../platform/page/html.ts';
import { grouped, hash, moment } from '../../compliance/packages/page/values.ts';
import { CLASS_WORDS, type MetricsByClass, type ShownInstrument } from './metric-table.ts';

/** The words for the roles of meters. */
const ROLE_WORDS: Readonly<Record<string, string>> = { it: 'IT', facility: 'Facility', both: 'Both' };

/** Returns the instruments of each class as a table: since when they are enrolled, and who attests them. */
export function instrumentTables(classes: MetricsByClass): Html {
  const tables = TELEMETRY_CLASSES.flatMap((one) => {
    const metrics = classes[one];
    const instruments = metrics?.instruments ?? [];
    if (metrics === null || instruments.length === 0) return [];
    const all = metrics.meters.count + metrics.meters.retired;
    const more = all - instruments.length;
    return [
      html`<table class="list stacked"><caption>${CLASS_WORDS[one]}</caption>
<thead><tr><th scope="col">Instrument</th><th scope="col">Role</th><th scope="col">First item received</th><th scope="col">Attested by</th><th scope="col">Signing key</th></tr></thead>
<tbody>
${instruments.map(rowOf)}</tbody>
</table>${more > 0 ? html`<p class="soft">And ${grouped(more)} more.</p>` : null}\n`,
    ];
  });
  return tables.length === 0
    ? html`<p class="empty">No meter has energy in this period.</p>`
    : html`${tables}`;
}

function rowOf(instrument: ShownInstrument): Html {
  const { instance_id, meter_role, subject_commitment, enrolled_at, attested_by, retired_at } = instrument;
  const account = instrument.attester_operator_id;
  return html`<tr><th scope="row">${instance_id}</th><td data-label="Role">${ROLE_WORDS[meter_role] ?? meter_role}</td>
<td data-label="First item received">${enrolled_at === null ? '–' : moment(enrolled_at)}${retired_at === null ? null : html`<br>retired ${moment(retired_at)}`}</td>
<td data-label="Attested by">${attested_by === 'self_attested' ? 'self-attested' : hash(attested_by)}${account === null ? null : html`<br>of another account (${account})`}</td>
<td data-label="Signing key">${subject_commitment === null ? 'none' : hash(subject_commitment)}</td></tr>
`;
}
