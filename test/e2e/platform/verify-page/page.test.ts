import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page, Worker } from 'playwright-core';
import { lookAt } from '../../../support/appearance.ts';
import { browserAvailable, closeBrowser, visiting } from '../../../support/browser.ts';
import { type Firefox, type FirefoxVisit, firefoxAvailable, startFirefox } from '../../../support/firefox.ts';
import { run, scratch } from '../../../support/process.ts';
import { VECTORS } from '../../../support/vectors.ts';

afterAll(closeBrowser);

const directory = scratch();
const page = join(directory.path, 'verify.html');
const baked = join(directory.path, 'baked.html');
const vector = (name: string): string => join(VECTORS, name);
const FILES = ['keys.json', 'receipt.json', 'genuine.tlog-proof'].map((name) =>
  vector(`receipt-proof/${name}`),
);

beforeAll(async () => {
  const plain = await run(['verify', '--page']);
  writeFileSync(page, plain.stdout);
  const digest = new Bun.CryptoHasher('sha256').update(plain.stdout).digest('hex');
  expect([plain.code, plain.stderr]).toEqual([0, `SHA-256 of the page: ${digest}\n`]);
  writeFileSync(
    baked,
    (await run(['verify', '--page', '--trust', vector('receipt-proof/keys.json')])).stdout,
  );
}, 60_000);
afterAll(() => directory.dispose());

test('verify.html has at most 150 kB compressed', () => {
  expect(Bun.gzipSync(readFileSync(page)).length).toBeLessThan(150_000);
});

/** Opens a file in Chromium. Nothing may be requested but the file itself and the Worker of the page. */
async function opened(file: string, visit: (page: Page) => Promise<void>): Promise<void> {
  await visiting('file://', async ({ page: tab, foreign, complaints }) => {
    const requests: string[] = [];
    await tab.unrouteAll();
    tab.on('request', (request) => requests.push(request.url()));
    await tab.goto(`file://${file}`);
    await visit(tab);
    expect(requests.filter((url) => url !== `file://${file}` && !url.startsWith('blob:null/'))).toEqual([]);
    expect([foreign, complaints]).toEqual([[], []]);
  });
}

const cards = async (tab: Page, count: number): Promise<string[]> => {
  await tab
    .locator('article')
    .nth(count - 1)
    .waitFor();
  return tab.locator('article').allInnerTexts();
};

/** Returns what drags something to a place without a field, as a person does, and drops it there. */
async function dragging(
  tab: Page,
  { files = [], items = [] }: { files?: string[]; items?: { mimeType: string; data: string }[] },
) {
  const session = await tab.context().newCDPSession(tab);
  const data = { files, items, dragOperationsMask: 1 };
  return (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 20, y: 20, data });
}

/** Checks that the page shows no result and nothing trusted, is at rest, and that all can be removed. */
async function expectNothing(tab: Page): Promise<void> {
  expect(await tab.locator('article').count()).toBe(0);
  expect(await tab.locator('#trusted').textContent()).toBe('');
  expect(await tab.locator('#results').getAttribute('aria-busy')).toBeNull();
  expect(await tab.getByRole('button', { name: 'Remove all' }).isVisible()).toBe(true);
}

/** Writes hostile documents. @returns their paths */
function hostileFiles(): string[] {
  const hostile: [name: string, content: string | Uint8Array][] = [
    [
      '<img src=x onerror=alert(1)>.json',
      '{"receipt_id":"<script>alert(1)</script>\u202e","__proto__":{"a":1}}',
    ],
    ['deep.json', '['.repeat(1_000_000)],
    ['half.json', new Uint8Array([0x7b, 0x22, 0xc3])],
    ['mark.json', '\ufeff{}'],
    ['large.json', new Uint8Array(100 * 2 ** 20).fill(0x20, 0, 1)],
    ['empty.json', ''],
  ];
  return hostile.map(([name, content]) => {
    const path = join(directory.path, name.replace('/', ''));
    writeFileSync(path, content);
    return path;
  });
}

/** Writes copies of the files that a test spoils. @returns their paths */
function copiesOfFiles(): string[] {
  return FILES.map((path) => {
    const copy = join(directory.path, basename(path));
    copyFileSync(path, copy);
    return copy;
  });
}

/** What makes a file unreadable after a page has judged it. */
const SPOILED: [how: string, spoil: (path: string) => void][] = [
  ['changed', (path) => writeFileSync(path, '{}')],
  ['deleted', (path) => rmSync(path)],
];

describe.skipIf(!browserAvailable)('verify.html, opened as a file in Chromium,', () => {
  test('judges the files that are chosen together, without a request', async () => {
    await opened(page, async (tab) => {
      await tab.setInputFiles('#files', FILES);
      const [receipt = '', proof = '', keys = ''] = await cards(tab, 3);
      expect(receipt).toContain('receipt.json');
      expect(receipt).toContain('Judged as: receipt, with genuine.tlog-proof');
      expect(receipt).toContain('; the log has it. Not checked:');
      expect([receipt, proof].map((text) => /\bValid\b/.test(text))).toEqual([true, true]);
      expect(keys).toContain('Used');
      expect(await tab.getByRole('status').textContent()).toBe('Valid: 2');
      await lookAt(tab, 'verify.html');
      await tab.getByRole('button', { name: 'Remove genuine.tlog-proof' }).click();
      await tab.getByText('Valid: 1').waitFor();
      await tab.reload();
      expect(await tab.locator('article').count()).toBe(0);
    });
  }, 180_000);

  test('judges the files that are dropped anywhere, and shows that while they are dragged', async () => {
    await opened(page, async (tab) => {
      const drag = await dragging(tab, { files: FILES });
      const isMarked = () => tab.evaluate('document.body.classList.contains("over")');
      await drag('dragEnter');
      await drag('dragOver');
      expect(await isMarked()).toBe(true);
      // The protocol has no event for a drag that leaves the window.
      await tab.dispatchEvent('body', 'dragleave');
      expect(await isMarked()).toBe(false);
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await drag(type);
      expect((await cards(tab, 3)).join()).toContain('Judged as: receipt, with genuine.tlog-proof');
      expect([await tab.getByRole('status').textContent(), await isMarked()]).toEqual(['Valid: 2', false]);
      expect(tab.url()).toBe(`file://${page}`);
    });
  }, 180_000);

  test('does not follow a link that is dropped', async () => {
    await opened(page, async (tab) => {
      const link = { mimeType: 'text/uri-list', data: 'https://evil.example/' };
      const drag = await dragging(tab, { items: [link] });
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) await drag(type);
      await tab.setInputFiles('#files', FILES);
      await cards(tab, 3);
      expect(tab.url()).toBe(`file://${page}`);
    });
  }, 180_000);

  test('judges what is pasted by the keys that it was made with, and takes no others', async () => {
    await opened(baked, async (tab) => {
      const text = await Bun.file(vector('receipt-proof/receipt.json')).text();
      await tab.getByLabel('Or paste a document').fill(text);
      await tab.keyboard.press('Tab');
      expect((await cards(tab, 1)).join()).toContain('Valid');
      await tab.setInputFiles('#files', [vector('keys/keys.json')]);
      const [, other = ''] = await cards(tab, 2);
      expect(other).toContain('this page was made with a list of keys, which counts');
    });
  }, 180_000);

  test('shows hostile documents as text, and says of each what is wrong', async () => {
    const paths = hostileFiles();
    await opened(page, async (tab) => {
      await tab.setInputFiles('#files', [vector('receipt-proof/keys.json'), ...paths]);
      const texts = await cards(tab, paths.length + 1);
      expect(texts.filter((text) => /malformed:/.test(text))).toHaveLength(4);
      expect(texts.join()).toContain('The file has more than 64 MiB');
      expect(texts.join()).toContain('The file is empty.');
      expect(await tab.locator('img, article script').count()).toBe(0);
      expect(await tab.getByRole('status').textContent()).toBe('Not valid: 4, Not judged: 2');
    });
  }, 180_000);

  test('judges nothing of more than 100 files, and says so', async () => {
    await opened(page, async (tab) => {
      await tab.setInputFiles('#files', FILES);
      await tab.getByText('Valid: 2').waitFor();
      const others = Array.from({ length: 98 }, (_, index) => ({
        name: `policy ${index}`,
        mimeType: 'text/plain',
        buffer: Buffer.from('quorum none\n'),
      }));
      await tab.setInputFiles('#files', others);
      await tab
        .getByText('These are 101 files, and a page takes 100. Nothing was judged.', { exact: true })
        .waitFor();
      await expectNothing(tab);
      await tab.getByRole('button', { name: 'Remove all' }).click();
      await tab.setInputFiles('#files', FILES);
      await tab.getByText('Valid: 2').waitFor();
    });
  }, 180_000);

  test.each(SPOILED)(
    'judges nothing while a file cannot be read, because it was %s, and names it',
    async (_, spoil) => {
      const copies = copiesOfFiles();
      await opened(page, async (tab) => {
        await tab.setInputFiles('#files', copies);
        await tab.getByText('Valid: 2').waitFor();
        spoil(copies[0] ?? '');
        await tab.getByLabel('The status of a bundle must be valid now').check();
        await tab.getByText('Not judged: 3').waitFor();
        const [keys = '', ...others] = await cards(tab, 3);
        expect(keys).toMatch(/^keys\.json\s+Not judged\s+Remove\s+The file cannot be read/);
        for (const text of others)
          expect(text).toContain('Nothing was judged: the file keys.json cannot be read');
        expect(await tab.locator('#trusted').textContent()).toBe('');
        await tab.getByRole('button', { name: 'Remove keys.json' }).click();
        await tab.setInputFiles('#files', FILES.slice(0, 1));
        await tab.getByText('Valid: 2').waitFor();
      });
    },
    180_000,
  );

  const failures: [how: string, said: RegExp, fail: (worker: Worker, tab: Page) => Promise<unknown>][] = [
    [
      'cannot be started',
      /^The script that judges cannot run .* Nothing was judged\.$/,
      async (worker, tab) => {
        await tab.evaluate(`URL.revokeObjectURL(${JSON.stringify(worker.url())})`);
        await tab.getByLabel('The status of a bundle must be valid now').check();
      },
    ],
    [
      'ends with an error',
      /^The script that judges cannot run .* Nothing was judged\.$/,
      (worker) => worker.evaluate("void setTimeout(() => { throw new Error('a test'); })"),
    ],
    [
      'says that it failed',
      /^This could not be judged: TypeError: /,
      (worker) => worker.evaluate('self.onmessage({ data: {} })'),
    ],
  ];
  test.each(failures)(
    'takes back what it said when its Worker %s',
    async (_, said, fail) => {
      // The browser notes the failure in its console.
      await visiting('file://', async ({ page: tab }) => {
        await tab.unrouteAll();
        await tab.goto(`file://${page}`);
        const [worker] = await Promise.all([tab.waitForEvent('worker'), tab.setInputFiles('#files', FILES)]);
        await tab.getByText('Valid: 2').waitFor();
        await fail(worker, tab);
        await tab.getByText(said).waitFor();
        await expectNothing(tab);
      });
    },
    180_000,
  );

  test('stops the first judging when all is removed', async () => {
    const receipt: unknown = JSON.parse(readFileSync(vector('receipt-proof/receipt.json'), 'utf8'));
    const list = join(directory.path, 'many.jsonl');
    writeFileSync(list, `${JSON.stringify(receipt)}\n`.repeat(10_000));
    await opened(page, async (tab) => {
      const [worker] = await Promise.all([
        tab.waitForEvent('worker'),
        tab.setInputFiles('#files', [vector('receipt-proof/keys.json'), list]),
      ]);
      await tab.getByText(/^Judging… \d+ receipts of many\.jsonl$/).waitFor();
      const closed = worker.waitForEvent('close');
      await tab.getByRole('button', { name: 'Remove all' }).click();
      await closed;
      expect(await tab.getByRole('status').textContent()).toBe('');
      expect(await tab.getByRole('button', { name: 'Remove all' }).isVisible()).toBe(false);
    });
  }, 180_000);
});

describe.skipIf(!firefoxAvailable)('verify.html, opened as a file in Firefox,', () => {
  let firefox: Firefox;
  beforeAll(async () => {
    firefox = await startFirefox();
  }, 180_000);
  afterAll(() => firefox[Symbol.asyncDispose]());

  /** Returns an expression that waits until a condition of the page holds, and then returns a text of it. */
  const when = (condition: string, text: string): string =>
    `new Promise((resolve) => {
      const look = () => ${condition} ? resolve(${text}) : requestAnimationFrame(look);
      look();
    })`;
  const STATUS = "document.getElementById('status').textContent";
  const ARTICLES =
    "[...document.querySelectorAll('article')].map((article) => article.innerText).join('\\n\\n')";
  /** Returns an expression that waits until the status is a text, and returns the results. */
  const whenStatusIs = (text: string): string => when(`${STATUS} === ${JSON.stringify(text)}`, ARTICLES);
  const REST = `[document.querySelectorAll('article').length, document.getElementById('trusted').textContent,
    document.getElementById('results').hasAttribute('aria-busy'), document.getElementById('clear').hidden].join()`;

  /** Opens the page. Nothing may be requested, and only what a test expects is complained of. */
  async function inFirefox(visit: (seen: FirefoxVisit) => Promise<void>, complaints: string[] = []) {
    await firefox.visit(`file://${page}`, async (seen) => {
      await visit(seen);
      expect([seen.requests, seen.complaints]).toEqual([[], complaints]);
    });
  }

  test('judges the files that are chosen together, without a request', async () => {
    await inFirefox(async ({ evaluate, chooseFiles }) => {
      await chooseFiles('#files', FILES);
      expect(await evaluate(whenStatusIs('Valid: 2'))).toContain('; the log has it. Not checked:');
    });
  }, 180_000);

  test('shows hostile documents as text, and says of each what is wrong', async () => {
    await inFirefox(async ({ evaluate, chooseFiles }) => {
      await chooseFiles('#files', [vector('receipt-proof/keys.json'), ...hostileFiles()]);
      const text = (await evaluate(whenStatusIs('Not valid: 4, Not judged: 2'))) ?? '';
      expect(text.match(/malformed:/g)).toHaveLength(4);
      for (const words of ['The file has more than 64 MiB', 'The file is empty.'])
        expect(text).toContain(words);
      expect(await evaluate("String(document.querySelectorAll('img, article script').length)")).toBe('0');
    });
  }, 180_000);

  test('judges nothing of more than 100 files, and says so', async () => {
    const policies = Array.from({ length: 98 }, (_, index) => join(directory.path, `policy ${index}`));
    for (const path of policies) writeFileSync(path, 'quorum none\n');
    await inFirefox(async ({ evaluate, chooseFiles }) => {
      await chooseFiles('#files', FILES);
      await evaluate(whenStatusIs('Valid: 2'));
      await chooseFiles('#files', policies);
      await evaluate(whenStatusIs('These are 101 files, and a page takes 100. Nothing was judged.'));
      expect(await evaluate(REST)).toBe('0,,false,false');
    });
  }, 180_000);

  // Chromium refuses a changed file. Firefox reads what it has now, as if it was chosen again.
  test.each([
    ['changed', /There are no trusted keys/g, 3],
    ['deleted', /Nothing was judged: the file keys\.json cannot be read/g, 2],
  ] as const)(
    'says nothing valid by keys of a file that was %s',
    async (how, words, count) => {
      const copies = copiesOfFiles();
      await inFirefox(async ({ evaluate, chooseFiles }) => {
        await chooseFiles('#files', copies);
        await evaluate(whenStatusIs('Valid: 2'));
        new Map(SPOILED).get(how)?.(copies[0] ?? '');
        await evaluate("document.getElementById('fresh').click()");
        expect((await evaluate(whenStatusIs('Not judged: 3')))?.match(words)).toHaveLength(count);
      });
    },
    180_000,
  );

  test('takes back what it said when its Worker says that it failed, and judges again', async () => {
    await inFirefox(async ({ evaluate, chooseFiles }) => {
      await evaluate(
        'window.Worker = class extends Worker { constructor(url) { super(url); window.started = this; } }; null',
      );
      await chooseFiles('#files', FILES);
      await evaluate(whenStatusIs('Valid: 2'));
      await evaluate('started.postMessage({}); null');
      expect(
        await evaluate(when(`${STATUS}.startsWith('This could not be judged: TypeError: ')`, REST)),
      ).toBe('0,,false,false');
      await evaluate("document.getElementById('fresh').click()");
      expect(await evaluate(whenStatusIs('Valid: 2'))).toContain('receipt.json');
    });
  }, 180_000);
});
