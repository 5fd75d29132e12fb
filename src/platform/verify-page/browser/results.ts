import type { Signer } from '../../../proof/words/signer.ts';
import type { Row } from '../session/judge-files.ts';
import { checkInWords, openInWords, resultInWords, unprovenBy } from '../session/words.ts';
import { element, listOf, quoted } from './element.ts';

/** Of problems and facts, a page shows at most so many. */
const LINES_MAX = 100;
const JSON_MAX = 20_000;

const MARKS = { good: '✓', bad: '✗', open: '–' } as const;

/** Returns what is said of a file. @param remove removes the file */
export function resultOf(row: Row, remove: () => void): HTMLElement {
  const { tone, word } = outcomeOf(row);
  const name = element('h3', {}, quoted(row.file, 200));
  const button = element('button', { type: 'button', class: 'slim' }, 'Remove');
  button.setAttribute('aria-label', `Remove ${row.file.slice(0, 100)}`);
  button.addEventListener('click', remove);
  const head = element(
    'div',
    { class: 'head' },
    name,
    element('span', { class: `tag ${tone}` }, word),
    button,
  );
  return element('article', { class: 'card' }, head, ...bodyOf(row));
}

/** Returns how a file is called in the summary of all. */
export function outcomeOf(row: Row): { tone: string; word: string } {
  if ('described' in row) return verdict(row.described.isValid);
  if ('list' in row) return verdict(row.list.isValid);
  return 'problem' in row ? { tone: 'warn', word: 'Not judged' } : { tone: 'info', word: 'Used' };
}

const verdict = (isValid: boolean) =>
  isValid ? { tone: 'good', word: 'Valid' } : { tone: 'bad', word: 'Not valid' };

function bodyOf(row: Row): (HTMLElement | null)[] {
  if ('problem' in row) return [element('p', {}, quoted(row.problem))];
  if ('usedAs' in row) return [element('p', {}, USES[row.usedAs])];
  if ('list' in row) return listBody(row.list);
  return documentBody(row);
}

const USES = {
  keys: 'The list of trusted keys. The verdicts are worth as much as the way by which you got it.',
  policy: 'The policy: which witnesses must have cosigned a log.',
  'log keys': 'The keys of logs that count, in place of those in the list of keys.',
  companion: 'It belongs to a document that was judged with it.',
} as const;

function listBody({ sentence, problems, summary }: Extract<Row, { list: unknown }>['list']) {
  const lines = problems.map((problem) => {
    const { line } = problem;
    if ('detail' in problem) return quoted(`line ${line}: ${problem.detail}`);
    const { receipt_id, verdict: said, problems: why } = problem;
    return quoted(`line ${line}, ${receipt_id ?? 'without an id'}: ${said}. ${why.join(' ')}`);
  });
  return [
    element('p', { class: 'sentence' }, quoted(sentence)),
    ...titled('Problems', lines),
    jsonOf(summary),
  ];
}

function documentBody({ judgedAs, inputs, with: used, described }: Extract<Row, { described: unknown }>) {
  const { kind, result, isValid, remarks = [], facts } = described;
  const { signer, checks, not_checked, problems, sentence } = result;
  const made = Object.entries(checks).map(([name, value]) => {
    const { words, end } = resultInWords(value);
    return element('span', { class: end }, `${MARKS[end]} ${checkInWords(name)}: `, quoted(words, 100));
  });
  const open = not_checked.map(({ check, option }) =>
    element('span', {}, openInWords(kind, check), option === '' ? '' : ` (${option})`),
  );
  // The first fact is the signer, which is shown as such.
  const others = signer === undefined ? facts : facts.slice(1);
  return [
    element('p', { class: 'soft' }, `Judged as: ${judgedAs}`, ...withFiles(used)),
    element('p', { class: 'sentence' }, quoted(sentence)),
    signer === undefined ? null : signerOf(signer),
    ...titled(
      'Problems',
      [...problems, ...remarks].map((line) => quoted(line)),
    ),
    ...titled('Checks', made, 'checks'),
    ...titled('Not checked', open),
    ...titled(
      'What it says',
      others.map((line) => quoted(line)),
    ),
    ...(isValid ? titled('What this does not prove', [...unprovenBy(inputs)]) : []),
    jsonOf(result),
  ];
}

function withFiles(used: readonly string[]): (Node | string)[] {
  return used.flatMap((name, index) => [index === 0 ? ', with ' : ' and ', quoted(name, 200)]);
}

function signerOf({ issuer, is_only_claimed, kid, key_log }: Signer): HTMLElement {
  const claimed = is_only_claimed ? ' (only the document says so)' : '';
  const rows: [string, string][] = [
    ['Signed by', `${issuer ?? 'a service that the list of keys does not name'}${claimed}`],
    ['Key', kid ?? 'not named'],
    ['Log of keys', key_log ?? 'not named'],
  ];
  return element(
    'dl',
    { class: 'facts' },
    ...rows.flatMap(([term, said]) => [element('dt', {}, term), element('dd', {}, quoted(said, 300))]),
  );
}

function titled(title: string, items: readonly (Node | string)[], kind = ''): HTMLElement[] {
  const shown =
    items.length > LINES_MAX ? [...items.slice(0, LINES_MAX), `and ${items.length - LINES_MAX} more`] : items;
  const list = listOf(shown, kind === '' ? {} : { class: kind });
  return list === null ? [] : [element('h4', {}, title), list];
}

function jsonOf(result: unknown): HTMLElement {
  const text = JSON.stringify(result, null, 2);
  const block = element('pre', { tabindex: '0' }, quoted(text, JSON_MAX));
  return element('details', {}, element('summary', {}, 'The result as JSON'), block);
}
