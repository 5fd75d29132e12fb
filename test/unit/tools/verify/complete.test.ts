import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../../../src/proof/encoding/json.ts';
import type { Receipt } from '../../../../src/proof/receipt/receipt.ts';
import type { CompleteOptions } from '../../../../src/tools/verify/complete/options.ts';
import { verifyComplete } from '../../../../src/tools/verify/complete.ts';
import {
  cosignedNote,
  FINAL,
  KEYS,
  LeafWriter,
  linesOf,
  type MadeAccount,
  madeAccount,
  OPERATOR,
  OTHER,
  POLICY,
  pendingReceipt,
  version,
  writeAccountLog,
} from '../../../support/made-account.ts';
import { scratch } from '../../../support/process.ts';

let place: ReturnType<typeof scratch>;
let made: MadeAccount;
const path = (name: string): string => join(place.path, name);
beforeAll(() => {
  place = scratch();
  made = madeAccount(600, Date.now(), 100);
  writeAccountLog(path('log'), made);
  writeFileSync(path('keys.json'), KEYS);
  writeFileSync(path('policy.txt'), POLICY);
});
afterAll(() => place.dispose());

interface Outcome {
  isComplete: boolean;
  problems: string[];
  summary: unknown;
  said: string[];
}

/** Verifies a list. @returns the problems as `kind line sequence` */
async function verified(
  receipts: readonly Receipt[] | string,
  changes: Partial<CompleteOptions> = {},
): Promise<Outcome> {
  const file = path(`list-${crypto.randomUUID()}.ndjson`);
  writeFileSync(file, typeof receipts === 'string' ? receipts : linesOf(receipts));
  let text = '';
  const said: string[] = [];
  const options = {
    ...{ operator: OPERATOR, log: path('log'), policy: path('policy.txt'), keys: path('keys.json') },
    ...changes,
  };
  const isComplete = await verifyComplete(file, options, {
    write: (more) => {
      text += more;
    },
    say: (sentence) => said.push(sentence),
  });
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => parseJson(line));
  const summary = rows.pop();
  const problems = rows.map((row) => {
    const { problem, line, sequence } = Object(row);
    return `${problem} ${line} ${sequence}`;
  });
  return { isComplete, problems, summary, said };
}

/** Returns the message of the error, of which nothing else may have been said. */
async function failure(
  changes: Partial<CompleteOptions>,
  receipts: readonly Receipt[] | string = made.receipts,
): Promise<string> {
  return verified(receipts, changes).then(
    ({ said }) => `no error: ${said.join()}`,
    (error) => (error instanceof Error ? error.message : String(error)),
  );
}

describe('a list', () => {
  test('that is complete says so, with counts', async () => {
    const { isComplete, problems, summary, said } = await verified(made.receipts);
    expect([isComplete, problems]).toEqual([true, []]);
    expect(summary).toMatchObject({
      complete: true,
      operator_id: OPERATOR,
      log: 'made.example/accounts',
      tree_size: made.entries.length,
      receipts: 600,
      logged: 600,
      matched: 600,
      problems: {},
      checkpoints: made.kept.length + 1,
      unbounded_leaves: 0,
    });
    expect(said.at(-1)).toMatch(
      /^complete: op_cus_\w+ has these 600 receipts and no others, from 2\S+Z to 2\S+Z\.$/,
    );
    expect(said[0]).toStartWith('quorum: the cosignatures meet the quorum');
  });

  test('that is not complete names each receipt, in the order of the list, then what it lacks', async () => {
    const [first, second, third, ...rest] = made.receipts;
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('too few receipts');
    const forged = { ...second, authority_scope: 'everything' };
    const list = `${linesOf([first, forged])}\nno receipt\n${'x'.repeat(2 ** 20 + 1)}\n${linesOf([third, third, ...rest.slice(1, -1)])}`;
    const { isComplete, problems, summary, said } = await verified(list);
    expect(isComplete).toBe(false);
    expect(problems.map((text) => text.split(' ', 2).join(' '))).toEqual([
      'not_authentic 2',
      'not_authentic 4',
      'not_authentic 5',
      'duplicate 7',
      'missing null',
      'missing null',
    ]);
    expect(summary).toMatchObject({
      complete: false,
      problems: { not_authentic: 3, duplicate: 1, missing: 2 },
    });
    expect(said.at(-1)).toBe('not complete: 3 not_authentic, 1 duplicate, 2 missing.');
  });

  test('says how many times nothing bounds, of a log without the checkpoints that were kept', async () => {
    cpSync(path('log'), path('bare'), { recursive: true });
    rmSync(join(path('bare'), 'accounts/checkpoints.ndjson'));
    const { isComplete, said } = await verified(made.receipts, { log: path('bare') });
    expect(isComplete).toBe(true);
    expect(said.at(-2)).toMatch(/^times: ([\d,]+) of \1 leaves could be younger than they say/);
    expect((await verified(made.receipts)).said).toHaveLength(2);
  });

  test('whose lines would change the terminal does not', async () => {
    const file = path('hostile.ndjson');
    writeFileSync(file, '{"\u009b2Jcomplete":1}\n');
    let text = '';
    const options = {
      operator: OPERATOR,
      log: path('log'),
      policy: path('policy.txt'),
      keys: path('keys.json'),
    };
    const write = (more: string): void => {
      text += more;
    };
    expect(await verifyComplete(file, options, { write, say: () => undefined })).toBe(false);
    expect(text).toContain('2Jcomplete');
    expect(text).not.toContain('\u009b');
  });

  test('in any other order is named where the fewest receipts are out of place', async () => {
    const [first, ...rest] = made.receipts;
    const { problems } = await verified(first === undefined ? [] : [...rest, first]);
    expect(problems).toEqual(['reordered 600 2']);
    const backwards = await verified(made.receipts.toReversed());
    expect(backwards.problems).toHaveLength(599);
  });

  test('of an account that was not linked for a while is complete only if that is allowed', async () => {
    const ago = (minutes: number): number => Date.now() - minutes * 60_000;
    const writer = new LeafWriter();
    writer.link('linked', ago(30));
    const [first, second, third] = [25, 15, 5].map((minutes, index) => pendingReceipt(index, ago(minutes)));
    if (first === undefined || second === undefined || third === undefined)
      throw new Error('too few receipts');
    writer.act('issued', first, Date.parse(first.issued_at));
    writer.link('unlinked', ago(20));
    writer.link('linked', ago(10));
    const final = version(second, FINAL);
    writer.act('finalized', final, ago(9));
    writer.act('issued', third, Date.parse(third.issued_at));
    const own = path('unlinked');
    writeAccountLog(own, {
      entries: writer.entries,
      kept: [{ size: writer.entries.length, time: Date.now() }],
    });
    const list = [first, final, third];
    const strict = await verified(list, { log: own });
    expect([strict.isComplete, strict.problems]).toEqual([false, ['issue_unproven 2 5', 'unlinked null 3']]);
    const allowed = await verified(list, { log: own, allowUnlinked: true });
    expect([allowed.isComplete, allowed.problems]).toEqual([true, strict.problems]);
    expect(allowed.said.at(-1)).toContain('except while it was not linked (1 issue_unproven, 1 unlinked)');
    const missing = await verified(list.slice(1), { log: own, allowUnlinked: true });
    expect([missing.isComplete, missing.problems]).toEqual([
      false,
      ['issue_unproven 1 5', 'missing null 2', 'unlinked null 3'],
    ]);
  });

  test('names a receipt that another operator issued, and one that was signed again', async () => {
    const [first, ...rest] = made.receipts;
    if (first === undefined) throw new Error('no receipt');
    const of = (changes: Partial<Receipt>) => verified([version(first, changes), ...rest]);
    expect((await of({ operator_id: OTHER })).problems).toEqual(['foreign 1 2', 'missing null 2']);
    expect((await of({ input_digest: '00'.repeat(32) })).problems).toEqual(['altered 1 2']);
    expect((await of(FINAL)).problems).toHaveLength(first.status === 'pending' ? 1 : 0);
  });
});

describe('nothing is said about a log', () => {
  /** A copy of the log that a test changes. */
  const changed = (change: (directory: string) => void): string => {
    const directory = path(crypto.randomUUID());
    cpSync(path('log'), directory, { recursive: true });
    change(directory);
    return directory;
  };
  const root = () =>
    Buffer.from(readFileSync(path('log/accounts/checkpoint'), 'utf8').split('\n')[2] ?? '', 'base64');
  const withNote = (note: string): string =>
    changed((directory) => writeFileSync(join(directory, 'accounts/checkpoint'), note));
  const size = () => made.entries.length;

  test('whose checkpoint is old, or not cosigned by the quorum, or signed by nobody who is trusted', async () => {
    const old = Date.now() - 16 * 60_000;
    expect(await failure({ log: withNote(cosignedNote(size(), root(), old)) })).toContain(
      'at least 15 minutes ago',
    );
    expect(await failure({ log: withNote(cosignedNote(size(), root(), Date.now(), ['three'])) })).toContain(
      'do not meet the quorum',
    );
    writeFileSync(path('other-keys.json'), KEYS.replaceAll('accounts-log', 'receipts-log'));
    expect(await failure({ keys: path('other-keys.json') })).toContain(
      'no trusted key has signed the checkpoint',
    );
    writeFileSync(path('none.txt'), 'quorum none\n');
    expect(await failure({ policy: path('none.txt') })).toContain('has no quorum');
    expect(await failure({ log: withNote('nothing\n') })).toContain('does not count');
  });

  test('whose files are damaged, missing, changed or of another tree', async () => {
    const bundle = 'accounts/tile/entries/001';
    const damaged = (change: (file: string) => void) =>
      changed((directory) => change(join(directory, bundle)));
    expect(
      await failure({ log: damaged((file) => writeFileSync(file, readFileSync(file).subarray(0, -1))) }),
    ).toContain('the bundle ends within an entry');
    expect(await failure({ log: damaged((file) => rmSync(file)) })).toContain('cannot be read');
    const flip = damaged((file) => {
      const bytes = readFileSync(file);
      bytes[700] = (bytes[700] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    });
    expect(await failure({ log: flip })).toMatch(/another tree of|do not hash to the root|is not a leaf/);
    const newest = withNote(cosignedNote(size(), new Uint8Array(32), Date.now()));
    rmSync(join(newest, 'accounts/checkpoints.ndjson'));
    expect(await failure({ log: newest })).toContain('do not hash to the root of its checkpoint');
    expect(await failure({ log: withNote(cosignedNote(100_000_001, root(), Date.now())) })).toContain(
      '100,000,001',
    );
  });

  test('of which the witnesses kept another tree, or whose list of kept checkpoints cannot be read', async () => {
    const forked = changed((directory) =>
      appendFileSync(
        join(directory, 'accounts/checkpoints.ndjson'),
        `${JSON.stringify({ note: cosignedNote(300, new Uint8Array(32).fill(1), Date.now()) })}\n`,
      ),
    );
    expect(await failure({ log: forked })).toContain('the quorum cosigned another tree of 300 entries');
    const shortened = changed((directory) =>
      appendFileSync(
        join(directory, 'accounts/checkpoints.ndjson'),
        `${JSON.stringify({ note: cosignedNote(100_000, new Uint8Array(32), Date.now() - 120_000) })}\n`,
      ),
    );
    expect(await failure({ log: shortened })).toContain(
      'gives an old checkpoint: the quorum cosigned 100000',
    );
    for (const line of ['no JSON', '{"note":5}'])
      expect(
        await failure({
          log: changed((directory) =>
            writeFileSync(join(directory, 'accounts/checkpoints.ndjson'), `${line}\n`),
          ),
        }),
      ).toMatch(/lists no checkpoints|a form that the API does not have/);
  });

  test('that never linked the account, or contradicts itself everywhere', async () => {
    expect(await failure({ operator: OPERATOR.replace('A1', 'Z9') })).toContain(
      'its account was never linked',
    );
    const own = path('contradictory');
    const [linked] = made.entries;
    if (linked === undefined) throw new Error('no leaf');
    const entries = Array.from({ length: 6000 }, () => ({ ...linked, sequence: 1 }));
    writeAccountLog(own, { entries, kept: [{ size: entries.length, time: Date.now() }] });
    expect(await failure({ log: own })).toContain('in more than 10,000 places');
    const restless = new LeafWriter();
    for (let turn = 0; turn < 10_001; turn++) {
      restless.link('linked', Date.now() - 1000);
      restless.link('unlinked', Date.now() - 1000);
    }
    const { length } = restless.entries;
    writeAccountLog(path('restless'), {
      entries: restless.entries,
      kept: [{ size: length, time: Date.now() }],
    });
    expect(await failure({ log: path('restless') })).toContain('unlinked more than 10,000 times');
    const kept = [{ size: made.entries.length, time: Date.now() }];
    const wrong = path('wrong');
    writeAccountLog(wrong, { entries: made.entries, kept });
    const file = join(wrong, 'accounts/tile/entries/000');
    writeFileSync(
      file,
      Buffer.from(readFileSync(file, 'latin1').replace('"event":"linked"', '"event":"linker"'), 'latin1'),
    );
    expect(await failure({ log: wrong })).toContain('is not a leaf: event is unknown');
  });
});

describe('a service', () => {
  /** Serves the log with the API's list of checkpoints. */
  async function served<Result>(
    answer: (url: URL, usual: () => Response) => Response | undefined,
    work: (url: string) => Promise<Result>,
  ): Promise<Result> {
    const rows = readFileSync(path('log/accounts/checkpoints.ndjson'), 'utf8').trimEnd().split('\n');
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        const url = new URL(request.url);
        const usual = (): Response => {
          if (url.pathname === '/api/v1/transparency/keys') return new Response(KEYS);
          if (url.pathname === '/api/v1/receipts/checkpoints') {
            const from = Number(url.searchParams.get('cursor') ?? 0);
            const page = rows.slice(from, from + 3).join(',');
            const next = from + 3 < rows.length ? `"${from + 3}"` : 'null';
            return new Response(`{"checkpoints":[${page}],"next_cursor":${next}}`);
          }
          return new Response(Bun.file(path(url.pathname.slice(1))));
        };
        return answer(url, usual) ?? usual();
      },
    });
    try {
      return await work(`http://127.0.0.1:${server.port}`);
    } finally {
      await server.stop(true);
    }
  }

  test('gives the newest cosigned checkpoint, the list of checkpoints, the entries and the keys', async () => {
    const asked: string[] = [];
    const { isComplete, summary } = await served(
      (url) => void asked.push(url.pathname + url.search),
      (url) => verified(made.receipts, { log: url, keys: `${url}/` }),
    );
    expect([isComplete, asked.includes('/log/accounts/checkpoint?cosigned=yes')]).toEqual([true, true]);
    expect(summary).toMatchObject({ checkpoints: made.kept.length + 1 });
  });

  test('that stops answering half-way, or lists checkpoints without end, proves nothing', async () => {
    const stops = (part: string, status = 500) =>
      served(
        (url) => (url.href.includes(part) ? new Response('gone', { status }) : undefined),
        (url) => failure({ log: url }),
      );
    expect(await stops('/tile/entries/001')).toContain('returned status 500');
    expect(await stops('cursor=6')).toContain('does not list checkpoints: status 500');
    expect(await stops('receipts/checkpoints', 404)).toContain('status 404');
    const lists = (page: string) =>
      served(
        (url) => (url.pathname.endsWith('/receipts/checkpoints') ? new Response(page) : undefined),
        (url) => failure({ log: url }),
      );
    expect(await lists('{"checkpoints":[],"next_cursor":"1"}')).toContain('does not end');
    expect(await lists('{"checkpoints":[{"note":"x"}],"next_cursor":"1"}')).toContain('does not end');
    expect(await lists('{"checkpoints":5}')).toContain('in a form that the API does not have');
  });
});
