import { type Html, html } from '../../../../platform/page/html.ts';
import { grouped, moment } from '../../../compliance/packages/page/values.ts';
import type { PublishedCheckpoint } from '../../../log/checkpoints/checkpoints.ts';
import { strangerText } from '../../parts/values.ts';
import { witnessesOf } from './witnesses.ts';

/** Draws which witnesses cosigned which checkpoints. @param checkpoints newest first */
export function witnessMatrix(checkpoints: readonly PublishedCheckpoint[]): Html {
  const witnesses = [...new Set(checkpoints.flatMap(witnessesOf))].sort();
  if (witnesses.length === 0)
    return html`<p class="empty">No witness has cosigned one of the newest ${checkpoints.length} checkpoints. No other party confirms that the log only grows.</p>\n`;
  const cosigners = checkpoints.map((checkpoint) => new Set(witnessesOf(checkpoint)));
  const rows = witnesses.map((witness) => {
    const cells = cosigners.map((names) =>
      names.has(witness)
        ? html`<td class="yes"><span aria-hidden="true">●</span><span class="hidden">cosigned</span></td>`
        : html`<td class="no"><span aria-hidden="true">·</span><span class="hidden">no</span></td>`,
    );
    return html`<tr><th scope="row">${strangerText(witness)}</th>${cells}</tr>\n`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Witnesses of checkpoints"><table class="matrix"><caption class="hidden">Witnesses of the newest checkpoints, by size of the tree</caption>
<thead><tr><th scope="col">Checkpoint of size</th>${checkpoints.map(({ response }) => html`<th scope="col">${grouped(response.tree_size)}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>
`;
}

/** Returns the list of checkpoints, newest first. */
export function checkpointList(checkpoints: readonly PublishedCheckpoint[]): Html {
  const rows = checkpoints.map((checkpoint) => {
    const { tree_size, issued_at, root_hash } = checkpoint.response;
    return html`<tr><th scope="row" class="number">${grouped(tree_size)}</th><td class="nowrap">${moment(issued_at)}</td><td class="number" data-label="Witnesses">${witnessesOf(checkpoint).length}</td>
<td data-label="Root"><span class="hash">${root_hash}</span></td></tr>\n`;
  });
  return html`<details class="behind"><summary>The newest checkpoints, as a table</summary>
<table class="list stacked"><thead><tr><th scope="col" class="number">Size</th><th scope="col">Issued</th><th scope="col" class="number">Witnesses</th><th scope="col">Root hash</th></tr></thead>
<tbody>
${rows}</tbody></table></details>
`;
}
