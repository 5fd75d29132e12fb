import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runnableBlocks, runStory, shellBlocks } from '../support/story.ts';

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
/** Returns the part of the README from one heading to the next. */
const sectionOf = (heading: string): string =>
  read('README.md')
    .split(/^(?=## )/m)
    .find((part) => part.startsWith(`## ${heading}\n`)) ?? '';

/**
 * The pages that a reader can follow one after the other, each with what the ones before it left: a service,
 * and files in `tryout`.
 */
const TRUST = [
  'docs/verification/receipts.md',
  'docs/verification/tools.md',
  'docs/verification/bundles.md',
  'docs/receipts.md',
  'docs/verification/logs.md',
  'docs/verification/linked-accounts.md',
  'docs/concepts.md',
  'docs/configuration.md',
  'docs/gate.md',
  'docs/agents.md',
  'docs/evidence.md',
  'docs/verification/evidence.md',
  'docs/payout-rails.md',
  'docs/commands.md',
];
const STAFFING = ['docs/staffing.md'];
const SANDBOX = ['docs/billing.md'];
const README = {
  trust: 'Sign and verify a first receipt',
  staffing: 'The staffing service',
};

const needed = ['bash', 'curl', 'jq', 'openssl', 'xxd', 'python3', 'sha256sum'].filter(
  (name) => Bun.which(name) === null,
);

/** Ends a story at a request that the service refuses. */
const STRICT =
  'curl() { case "$*" in -f* | --fail*) command curl "$@" ;; *) command curl --fail-with-body "$@" ;; esac; }';

describe.skipIf(needed.length > 0)(
  'the blocks of the pages run word for word, one page after the other:',
  () => {
    const blocksOf = (pages: readonly string[]) => pages.flatMap((page) => shellBlocks(read(page)));

    test('the README and the pages about receipts, agents and evidence', async () => {
      const blocks = [STRICT, ...shellBlocks(sectionOf(README.trust)), ...blocksOf(TRUST)];
      const { stderr } = await runStory(blocks, { COUNTERSIGN_AGENTS_POW_DIFFICULTY: '1' });
      expect(stderr).toMatch(
        /^valid: The receipt is authentic, unchanged and not expired; the log has it; /m,
      );
    });

    test('the README and the page of the staffing service', async () => {
      const { said } = await runStory(
        [STRICT, ...shellBlocks(sectionOf(README.staffing)), ...blocksOf(STAFFING)],
        {},
        'staffing',
      );
      expect(said.join('')).toContain('"status":"submitted"');
    });

    test('payments with the sandbox', async () => {
      const { said } = await runStory([STRICT, ...blocksOf(SANDBOX)], {
        COUNTERSIGN_BILLING_PROCESSOR: 'sandbox',
      });
      expect(said.join('')).toContain('http');
    });
  },
);

describe('every block that a reader can run', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...['docs', 'docs/verification'].flatMap((directory) =>
      readdirSync(join(ROOT, directory))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${directory}/${name}`),
    ),
  ];

  test('runs in one of these stories, or a comment before it says why not, or in which test', () => {
    const told = new Set([...TRUST, ...STAFFING, ...SANDBOX]);
    const inReadme = new Set(Object.values(README).flatMap((heading) => shellBlocks(sectionOf(heading))));
    const unmarked = pages.flatMap((page) =>
      runnableBlocks(read(page))
        .filter(
          ({ note, script, language }) =>
            note === null &&
            (language !== 'sh' || (page === 'README.md' ? !inReadme.has(script) : !told.has(page))),
        )
        .map(({ script }) => `${page}: ${script.split('\n', 1)[0]}`),
    );
    expect(unmarked).toEqual([]);
  });

  test('that a comment leaves to a test is in a page that this test reads', () => {
    for (const page of pages) {
      for (const { note } of runnableBlocks(read(page))) {
        const [, file = ''] = /^run by (\S+)$/.exec(note ?? '') ?? [];
        if (file === '') continue;
        const name = page.split('/').at(-1) ?? '';
        expect([
          page,
          file,
          existsSync(join(ROOT, file)) && read(file).includes(name.replace('.md', '')),
        ]).toEqual([page, file, true]);
      }
    }
  });
});
