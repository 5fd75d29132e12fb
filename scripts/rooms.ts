/** Draws the rooms of the program and their one-way arrows into docs/architecture.md: bun scripts/rooms.ts */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES, OWN_IMPORTS, ROOT } from './imports.ts';

const PAGE = join(ROOT, 'docs/architecture.md');

/** The parts of src that are drawn as one box; the trust service is drawn as its rooms. */
const PARTS = ['main', 'commands', 'staffing', 'witness', 'tools', 'sdk', 'platform', 'proof'];

/** The rooms of the trust service that no user calls by name: they serve the others. */
const PLUMBING = ['http', 'service', 'pages', 'commands', 'demo', 'testing', 'audit', 'definition'];

/** Returns the box of a file: a part of src, or `trust/<room>`. */
function boxOf(file: string): string {
  const [, part = '', room = ''] = file.replace(/\.ts$/, '').split('/');
  return part === 'trust' ? `trust/${room}` : part;
}

/** Returns the imports between boxes, by the box that imports. Types, and what is loaded later, count too. */
function arrowsOf(): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const { from, to } of OWN_IMPORTS) {
    if (!from.startsWith('src/') || !to.startsWith('src/')) continue;
    const [source, target] = [boxOf(from), boxOf(to)];
    if (source === target) continue;
    arrows.set(source, (arrows.get(source) ?? new Set()).add(target));
  }
  return arrows;
}

/** Returns what can be reached from a box without its own arrow to one box. */
function reachedWithout(arrows: Map<string, Set<string>>, start: string, skipped: string): Set<string> {
  const reached = new Set<string>();
  const visit = (box: string): void => {
    for (const next of arrows.get(box) ?? []) {
      if (reached.has(next) || (box === start && next === skipped)) continue;
      reached.add(next);
      visit(next);
    }
  };
  visit(start);
  return reached;
}

/** Returns the text of a box: the name of the room, and the capabilities in its folders. */
function labelOf(box: string): string {
  const name = box.replace('trust/', '');
  const inside = FILES.map((file) => new RegExp(`^src/${box}/([^/]+)/module\\.ts$`).exec(file)?.[1])
    .filter((folder) => folder !== undefined)
    .sort();
  return inside.length === 0 || !box.startsWith('trust/') ? name : `<b>${name}</b><br>${inside.join(', ')}`;
}

/**
 * Returns the picture as Mermaid. An arrow means "imports"; an arrow is left out if others lead to the same
 * room (transitive reduction), so a room may import everything that its arrows lead to, and nothing else.
 */
export function roomsPicture(): string {
  const arrows = arrowsOf();
  const id = (box: string): string => box.replace('/', '_');
  const drawn = [...arrows]
    .flatMap(([from, targets]) =>
      [...targets].filter((to) => !reachedWithout(arrows, from, to).has(to)).map((to) => [from, to] as const),
    )
    .map(([from, to]) => `  ${id(from)} --> ${id(to)}`)
    .sort();
  const rooms = [...new Set(FILES.filter((file) => file.startsWith('src/trust/')).map(boxOf))].sort();
  return [
    'flowchart TD',
    ...PARTS.map((part) => `  ${part}`),
    '  subgraph trust [src/trust]',
    ...rooms.map((room) => {
      const isPlumbing = PLUMBING.includes(room.replace('trust/', ''));
      return isPlumbing ? `    ${id(room)}([${labelOf(room)}])` : `    ${id(room)}["${labelOf(room)}"]`;
    }),
    '  end',
    ...drawn,
  ].join('\n');
}

/** Returns the page with a picture in place of the one that it has. */
export function withPicture(page: string, picture: string): string {
  return page.replace(/```mermaid\n[\s\S]*?\n```/, () => `\`\`\`mermaid\n${picture}\n\`\`\``);
}

if (import.meta.main) writeFileSync(PAGE, withPicture(readFileSync(PAGE, 'utf8'), roomsPicture()));
