import { base64 } from '@scure/base';
import { type Html, html } from '../../../../platform/page/html.ts';
import { timestampOf } from '../../../../platform/time/timestamp.ts';
import { bytesToHex } from '../../../../proof/encoding/hex.ts';
import { parseSignatureLines } from '../../../../proof/log/note.ts';
import { cosignatureTime } from '../../../../proof/log/note-signature.ts';
import { factList, grouped, hash, moment } from '../../../compliance/packages/page/values.ts';
import type { PublishedCheckpoint } from '../../../log/checkpoints/checkpoints.ts';
import type { Cosignature } from '../../../log/checkpoints/cosignatures.ts';
import type { ReceiptLife } from '../../../receipts/get-life.ts';
import { strangerText } from '../../parts/values.ts';
import { siblingsOnPath } from './tree-path.ts';

type InclusionPath = NonNullable<ReceiptLife['manifest']['inclusion_path']>;

/** A subtree on the path of a proof, with its hash in hexadecimal. */
type Step = ReturnType<typeof siblingsOnPath>[number] & { hash: string };

/** Returns the proof that the log contains a receipt, as a drawing and a table, with its checkpoint. */
export function proofSection(path: InclusionPath, checkpoint: PublishedCheckpoint): Html {
  const { leaf_index, tree_size, leaf_hash } = path;
  const siblings = siblingsOnPath(leaf_index, tree_size);
  const steps = path.hashes.toReversed().flatMap((text, index) => {
    const sibling = siblings[index];
    return sibling === undefined ? [] : [{ ...sibling, hash: bytesToHex(base64.decode(text)) }];
  });
  return html`<section class="card"><h2 id="proof">Proof that the log contains it</h2>
<p class="soft">Hash the entry, then combine it with each hash next to the path, from the bottom up. The result is the root, which the checkpoint signs.</p>
<div class="halves even">
<figure class="captioned">${drawing(path, steps)}
<details class="behind"><summary>The path, as a table</summary>${table(path, steps)}</details></figure>
<div><h3>Entry</h3>
${factList([
  ['Log', hash(path.log)],
  ['Position', html`<a href="/logs/receipts?index=${leaf_index}">entry ${grouped(leaf_index)}</a>`],
  ['Hash', hash(leaf_hash)],
])}
${checkpointFacts(checkpoint, path.cosigned)}</div>
</div></section>
`;
}

/** The height of all levels together, if each has one between these two, in pixels. */
const HEIGHT = 360;
const [LOWEST, HIGHEST] = [36, 64];
/** The height of the labels above and below. */
const EDGE = 40;

function drawing({ leaf_index, tree_size }: InclusionPath, steps: readonly Step[]): Html {
  const level = Math.round(Math.min(HIGHEST, Math.max(LOWEST, HEIGHT / Math.max(1, steps.length))));
  const height = steps.length * level + 2 * EDGE;
  const label = `The path from entry ${grouped(leaf_index)} to the root of ${entries(tree_size)}, over ${grouped(steps.length)} hashes.`;
  const levels = steps.map(({ side, first, last, hash: text }, index) => {
    const top = EDGE + index * level;
    const bottom = top + level;
    const [x, anchor, dx] = side === 'left' ? ['34%', 'end', -12] : ['66%', 'start', 12];
    return html`<line class="branch" x1="50%" y1="${top}" x2="${x}" y2="${bottom}"/><line class="trunk" x1="50%" y1="${top}" x2="50%" y2="${bottom}"/>
<circle class="sibling" cx="${x}" cy="${bottom}" r="5"/><text class="code" x="${x}" y="${bottom}" dx="${dx}" dy="2" text-anchor="${anchor}">${text.slice(0, 8)}</text><text class="minor" x="${x}" y="${bottom}" dx="${dx}" dy="15" text-anchor="${anchor}">${rangeOf({ first, last })}</text>
`;
  });
  const nodes = Array.from({ length: steps.length + 1 }, (_, index) => EDGE + index * level);
  return html`<svg class="tree" role="img" aria-label="${label}" height="${height}">
${levels}${nodes.map((y) => html`<circle class="filled" cx="50%" cy="${y}" r="6"/>`)}
<text class="name" x="50%" y="${EDGE - 16}" text-anchor="middle">Root of ${entries(tree_size)}</text>
<text class="name" x="50%" y="${height - EDGE + 30}" text-anchor="middle">Entry ${grouped(leaf_index)}: this receipt</text>
</svg>`;
}

function table({ leaf_index, leaf_hash }: InclusionPath, steps: readonly Step[]): Html {
  const rows = steps
    .toReversed()
    .map(
      (step) =>
        html`<tr><th scope="row">${rangeOf(step)}</th><td data-label="Side">${step.side}</td><td data-label="Hash">${hash(step.hash)}</td></tr>\n`,
    );
  return html`<table class="list stacked small"><thead><tr><th scope="col">Entries</th><th scope="col">Side</th><th scope="col">Hash</th></tr></thead>
<tbody>
<tr><th scope="row">${grouped(leaf_index)}</th><td data-label="Side">this receipt</td><td data-label="Hash">${hash(leaf_hash)}</td></tr>
${rows}</tbody></table>`;
}

function checkpointFacts(
  { response, rootHash, cosignatures }: PublishedCheckpoint,
  meetsPolicy: boolean,
): Html {
  const { tree_size, issued_at, kid } = response;
  return html`<h3>Checkpoint</h3>
${factList([
  ['Entries', grouped(tree_size)],
  ['Root', hash(bytesToHex(rootHash))],
  ['Signed', moment(issued_at)],
  ['By key', hash(kid)],
])}
<h3>Witnesses</h3>
${
  cosignatures.length === 0
    ? html`<p class="empty">No other party has cosigned this checkpoint.</p>`
    : html`<ul class="plain">${cosignatures.map(
        (line) => html`<li>${strangerText(line.witness)}${timeOf(line)}</li>`,
      )}</ul>
<p class="soft">${meetsPolicy ? 'They meet the policy of this service. ' : null}Whom to trust is the choice of who verifies.</p>`
}
`;
}

/** Returns the time that a cosignature states; null without one. */
function timeOf({ line }: Pick<Cosignature, 'line'>): Html | null {
  const [signature] = parseSignatureLines(line);
  const seconds = signature === undefined ? null : cosignatureTime(signature.signature);
  if (seconds === null || seconds === 0 || seconds > MAX_SECONDS) return null;
  return html`<span class="soft">${moment(timestampOf(seconds * 1000))}</span>`;
}

/** 9999-12-31: the end of the times that have a year of four digits. */
const MAX_SECONDS = 253_402_300_799;

const entries = (count: number): string => `${grouped(count)} ${count === 1 ? 'entry' : 'entries'}`;

function rangeOf({ first, last }: { first: number; last: number }): string {
  return first === last ? grouped(first) : `${grouped(first)}–${grouped(last)}`;
}
