import { type Content, type Html, html } from '../html.ts';

/** A plot with its caption and the values behind it. */
export interface Figure {
  caption: string;
  /** A sentence or two on what the plot shows. */
  note: Content;
  plot: Html;
  /** The heads of the columns of its values, and the rows. The first cell names the row. */
  columns: readonly string[];
  rows: readonly (readonly Content[])[];
}

/** Returns a plot with its caption, and its values as a table that opens below it. */
export function figure({ caption, note, plot, columns, rows }: Figure): Html {
  const cells = ([name = '', ...values]: readonly Content[]): Html =>
    html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td class="number">${value}</td>`)}</tr>\n`;
  return html`<figure class="captioned"><figcaption><strong>${caption}</strong> <span class="soft">${note}</span></figcaption>
${plot}
<details class="behind"><summary>${caption}, as a table</summary>
<table class="sample"><thead><tr>${columns.map((name, index) => html`<th scope="col" class="${index === 0 ? '' : 'number'}">${name}</th>`)}</tr></thead>
<tbody>
${rows.map(cells)}</tbody></table></details></figure>
`;
}
