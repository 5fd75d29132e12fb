import { describe, expect, test } from 'bun:test';
import { descriptionsIn, failuresOf, messagesOf } from '../support/messages.ts';

const SOURCES = 'src/**/*.ts';
/**
 * Data, not messages: names of people and places, what people call specialties, and code that is shown or run
 * elsewhere.
 */
const DATA = [
  'src/staffing/registry/sample/',
  'src/staffing/registry/vocabulary/',
  'src/commands/completion/scripts.ts',
  'src/platform/http/docs.ts',
];

/** Words that a reader has to guess, and what to write instead. */
const INSTEAD: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\b(?:doors?|bringers?|entrance)\b/, 'authentication, or what authenticates'],
  [/\bdesk\b/, 'command context'],
  [/\bfigures?\b/, 'metric, number'],
  [/\bnoughts?\b/, 'zero'],
  [/\bremember(?:s|ed)?\b/, 'cache, store, record'],
  [/\bpatience\b/, 'timeout'],
  [/\b(?:told|tells?|telling)\b/, 'notify, report, show, state'],
  [/\b(?:hears?|heard)\b/, 'receive events, subscribe'],
  [/\bstretch(?:es)?\b/, 'range, chunk'],
  [/\b(?:findings?|flaws?)\b/, 'problem'],
  [/\black(?:s|ed|ing)?\b/, 'does not have, is missing'],
  [/(?<!\bas )(?<!\.)\bwell\b(?!-)/, 'ok, works, is enough'],
  [/\bwhom?ever\b/, 'anyone who, or the name of who it is'],
  [/\bwhom\b/, 'who, in another order of words'],
  [/\bthat which\b/, 'what, or its name'],
  [/\balone\b/, 'only'],
  [/\bsuch\b(?! as\b)/, 'this, or its name'],
  [/\bof it\b/, 'its'],
  [/\bfor ever\b/, 'permanently'],
  [/\bvouch(?:es|ed|ing)?\b/, 'sign, cross-sign'],
  [/\bstations?\b/, 'witness client'],
  [/\bsubmissions?\b/, 'request'],
  [/\bstanding\b/, 'state, status, counters'],
  [/\bcrews?\b/, 'worker pool'],
  [/\banew\b/, 'again, new'],
  [/\bbeside\b/, 'while the server runs, with, next to'],
  [/\bgo(?:es)? on\b/, 'continue'],
  [/\b(?:brings?|brought|bringing)\b/, 'send, add, restore, migrate'],
  [/\b(?:lies|lay|lain)\b/, 'is stored, is'],
  [/\bnobody knows\b/, 'is unknown'],
];

/** Failures that show their next step in another way. */
const WITHOUT_HINT: readonly string[] = [
  // Its last sentence is the next step.
  'Two different schemas are named …: one is used in …, the other in …. Rename one of them.',
  // It becomes a part of a failure with a hint.
  'its entries do not match its checkpoint',
  // Nobody sees it: whatever ended the threads has its own failure.
  'the worker threads have ended',
];

describe('the texts of the program', () => {
  const texts = [...messagesOf(SOURCES), ...descriptionsIn('src/**/api.md')].filter(
    ({ at }) => !DATA.some((file) => at.startsWith(file)),
  );

  test('are found', () => {
    expect(texts.map(({ at }) => at)).toContain('src/trust/receipts/api.md issueReceipt');
    expect(texts.length).toBeGreaterThan(2000);
    expect(texts.map(({ text }) => text)).toContain(
      '… is not empty and contains no demonstration: --demo would replace what is in it',
    );
  });

  test('use the words of the field', () => {
    const problems = texts.flatMap(({ at, text }) =>
      INSTEAD.flatMap(([word, instead]) => {
        const found = word.exec(text);
        return found === null ? [] : [`${at}: instead of "${found[0]}" write: ${instead}. ${text.trim()}`];
      }),
    );
    expect(problems).toEqual([]);
  });
});

test('every failure has a hint', () => {
  const failures = failuresOf(SOURCES);
  expect(failures.length).toBeGreaterThan(150);
  const silent = failures.filter(({ text, hasHint }) => !hasHint && !WITHOUT_HINT.includes(text));
  expect(silent.map(({ at, text }) => `${at}: give a hint as the second argument. ${text}`)).toEqual([]);
  // Parsing all sources takes long while other tests run.
}, 180_000);
