import { afterAll, describe, expect, test } from 'bun:test';
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatVerifierKey } from '../../../../src/proof/log/note.ts';
import type { Receipt } from '../../../../src/proof/receipt/receipt.ts';
import { verify } from '../../../../src/tools/verify/verify.ts';
import { COUNT, completeStories } from '../../../support/complete-stories.ts';
import {
  cosignedNote,
  FINAL,
  KEYS,
  LeafWriter,
  linesOf,
  OPERATOR,
  OTHER,
  POLICY,
  pendingReceipt,
  version,
  writeAccountLog,
} from '../../../support/made-account.ts';
import { hasPython } from '../../../support/python.ts';
import { newNoteSigner } from '../../proof/log/signed-notes.ts';

const stories = completeStories();
const { path, made, verified, failure } = stories;
afterAll(() => stories.dispose());

describe('a list', () => {
  test('that is complete says so, with counts', async () => {
    const { isComplete, problems, summary, said } = await verified(made.receipts);
    expect([isComplete, problems]).toEqual([true, []]);
    expect(summary).toMatchObject({
      complete: true,
      operator_id: OPERATOR,
      log: 'made.example/accounts',
      tree_size: made.entries.length,
      receipts: COUNT,
      logged: COUNT,
      matched: COUNT,
      problems: {},
      checkpoints: made.kept.length + 1,
      unbounded_leaves: 0,
    });
    expect(said.at(-1)).toMatch(
      /^complete: Of op_cus_\w+, the log of accounts has these 300 receipts and no others, from 2\S+Z to 2\S+Z; a trusted key signed each; witnesses cosigned the log; kept checkpoints, at most [\d,]+ s apart, bound the time of each leaf; the account was always linked\. Not checked: what came before 2\S+Z; whether any has expired or is revoked \(verify without --complete\); whether the log of keys has these keys, and names no other closed log \(verify of the list of keys with --log\)\.$/,
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

  test('that is empty has its missing receipts written a few at a time', async () => {
    writeFileSync(path('empty.ndjson'), '');
    const counts: number[] = [];
    const write = async (text: string): Promise<void> => void counts.push(text.split('\n').length - 1);
    const isComplete = await verify(
      path('empty.ndjson'),
      {
        complete: true,
        operator: OPERATOR,
        log: path('log'),
        policy: path('policy.txt'),
        keys: path('keys.json'),
      },
      { write, say: () => undefined },
    );
    // At the end of a hundred lines each, and the summary.
    expect([isComplete, counts]).toEqual([false, [100, 100, 100, 1]]);
  });

  test('is not complete of a log without the checkpoints that were kept, which could be made up today', async () => {
    cpSync(path('log'), path('bare'), { recursive: true });
    rmSync(join(path('bare'), 'accounts/checkpoints.ndjson'));
    const { isComplete, problems, summary } = await verified(made.receipts, { log: path('bare') });
    const { leaves, unbounded_leaves, attested_at, judged_since } = Object(summary);
    expect([isComplete, problems]).toEqual([false, [`unbounded null ${leaves}`]]);
    expect([unbounded_leaves, judged_since]).toEqual([leaves, attested_at]);
  });

  test('is judged from a time on, and says what came before', async () => {
    const { time = 0 } = made.kept[2] ?? {};
    const { isComplete, summary, said } = await verified(made.receipts, { from: time });
    const { earlier_leaves, earlier_receipts, judged_since } = Object(summary);
    expect([isComplete, judged_since]).toEqual([true, new Date(Math.floor(time)).toISOString()]);
    const [{ sentence, not_checked }, last] = [Object(summary), said.at(-1)];
    expect(last).toBe(sentence);
    expect(last).toContain(
      `has these ${COUNT - earlier_receipts} receipts and no others, from ${judged_since} to `,
    );
    expect(last).toContain(
      `Not checked: what came before ${judged_since}: ${earlier_leaves} leaves, and ${earlier_receipts} receipts of the list with no other leaves (an earlier --from); `,
    );
    expect(not_checked[0]).toEqual({ check: 'earlier', option: 'an earlier --from' });
    expect(earlier_receipts).toBeGreaterThan(0);
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
    const write = async (more: string): Promise<void> => {
      text += more;
    };
    expect(await verify(file, { complete: true, ...options }, { write, say: () => undefined })).toBe(false);
    expect(text).toContain('2Jcomplete');
    expect(text).not.toContain('\u009b');
  });

  test('is compared with the entries that were cosigned, of a copy that has more', async () => {
    cpSync(path('log'), path('ahead'), { recursive: true });
    const [, size = '', root = ''] = String(
      JSON.parse(readFileSync(path('log/accounts/checkpoints.ndjson'), 'utf8').split('\n')[4] ?? '').note,
    ).split('\n');
    const note = cosignedNote(Number(size), Buffer.from(root, 'base64'), Date.now());
    writeFileSync(join(path('ahead'), 'accounts/cosigned-checkpoint'), note);
    rmSync(join(path('ahead'), 'accounts/checkpoints.ndjson'));
    const { isComplete, summary } = await verified(made.receipts, { log: path('ahead') });
    expect([isComplete, summary]).toMatchObject([false, { tree_size: 400, checkpoints: 1 }]);
    cpSync(path('ahead'), path('unsized'), { recursive: true });
    writeFileSync(join(path('unsized'), 'accounts/checkpoint'), 'nothing\n');
    expect(await failure({ log: path('unsized') })).toContain('is not a checkpoint');
  });

  test('in any other order is named where the fewest receipts are out of place', async () => {
    const [first, ...rest] = made.receipts;
    const { problems } = await verified(first === undefined ? [] : [...rest, first]);
    expect(problems).toEqual([`reordered ${COUNT} 2`]);
    const backwards = await verified(made.receipts.toReversed());
    expect(backwards.problems).toHaveLength(COUNT - 1);
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
      kept: [
        { size: 0, time: ago(31) },
        { size: writer.entries.length, time: Date.now() },
      ],
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
    const { log, keys: rows } = JSON.parse(KEYS);
    const [ofReceipts, ofLog] = rows;
    const ended = { ...ofLog, status: 'retired', valid_until: new Date(old).toISOString() };
    writeFileSync(path('ended-keys.json'), JSON.stringify({ keys: [ofReceipts, ended], log }));
    expect(await failure({ keys: path('ended-keys.json') })).toContain('no trusted key');
    writeFileSync(path('none.txt'), 'quorum none\n');
    expect(await failure({ policy: path('none.txt') })).toContain('has no quorum');
    expect(await failure({ log: withNote('nothing\n') })).toContain('does not count');
  });

  test('of which nothing says that it is meant, or that is another', async () => {
    const named = (...origins: string[]): string => {
      const vkeys = origins.map((origin, index) =>
        formatVerifierKey(newNoteSigner(origin, 'ed25519', `0${2 + index}`.repeat(32)).key),
      );
      const file = path(`policy-${origins.map((origin) => origin.replace('/', '-')).join('-')}.txt`);
      writeFileSync(file, `${vkeys.map((vkey) => `log ${vkey}\n`).join('')}${POLICY}`);
      return file;
    };
    const keys = path('keys-without-log.json');
    writeFileSync(keys, KEYS.replace('"log"', '"nothing"'));
    expect(await failure({ keys })).toContain('log_not_named: nothing says which log of accounts is meant');
    expect((await verified(made.receipts, { keys, anyLog: true })).isComplete).toBe(true);
    const own = named('made.example/accounts');
    expect((await verified(made.receipts, { keys, policy: own })).isComplete).toBe(true);
    const ofReceipts = named('made.example/receipts');
    for (const anyLog of [false, true])
      expect(await failure({ keys, policy: ofReceipts, anyLog })).toContain(
        `which log of accounts is meant: ${ofReceipts} only has keys of other logs`,
      );
    // The same key and the same witnesses: the log of an earlier time, or of another service of the operator.
    const restarted = path('keys-of-another-log.json');
    writeFileSync(restarted, KEYS.replace('made.example/keys', 'made.example-2/keys'));
    const wrongLog = 'wrong_log: made.example/accounts was read, and made.example-2/accounts is meant';
    expect(await failure({ keys: restarted })).toContain(wrongLog);
    expect(await failure({ keys: restarted, anyLog: true })).toContain(wrongLog);
    const other = named('made.example-2/accounts');
    expect(await failure({ keys, policy: other })).toContain(wrongLog);
    const several = named('made.example/accounts', 'made.example-2/accounts');
    expect((await verified(made.receipts, { policy: several })).isComplete).toBe(true);
    expect(await failure({ keys, policy: several })).toContain('nothing says which log');
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
      'gives an old checkpoint: the quorum had cosigned 100000',
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

/** Why src/tools/python/verify.py says nothing, in the order of the stories. */
const REASONS = [
  /not a note/,
  ...[/at least 15 minutes ago/, /quorum of the checkpoint is missing/, /no trusted key has signed/],
  /no trusted key has signed/,
  ...[/policy has no quorum/, /not a note/],
  ...[/nothing says which log/, /nothing says which log/, /nothing says which log/],
  ...[/wrong_log/, /wrong_log/, /wrong_log/, /nothing says which log/],
  ...[/ends within an entry/, /No such file/],
  ...[
    /another tree of|not have the root|not JSON|not of its form|not canonical/,
    /another tree of \d+ entries/,
  ],
  ...[/more than 100,000,000/, /another tree of 300 entries/, /cosigned 100000 entries before/],
  ...[/not JSON/, /has another form/, /was never linked/, /in more than 10,000 places/],
  ...[/unlinked more than 10,000 times/, /not of its form/],
];

test.skipIf(!hasPython)(
  'src/tools/python/verify.py writes the same about each of these lists and logs',
  async () => {
    const { stories: count, differences, reasons } = await stories.heldAgainstPython();
    expect(differences).toEqual([]);
    expect(count - reasons.length).toBeGreaterThan(10);
    expect(reasons).toEqual(REASONS.map((reason) => expect.stringMatching(reason)));
  },
  180_000,
);
