import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountEntryText } from '../../../../src/proof/log/log-entry.ts';
import { checkedOptions } from '../../../../src/tools/verify/options/combinations.ts';
import { verify } from '../../../../src/tools/verify/verify.ts';
import { KEYS, LeafWriter, POLICY, pendingReceipt } from '../../../support/made-account.ts';
import { scratch } from '../../../support/process.ts';
import { smallLog, testKey } from '../../../support/small-log.ts';

let place: ReturnType<typeof scratch>;
const file = (name: string, content: unknown): string => {
  const path = join(place.path, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
beforeAll(() => {
  place = scratch();
});
afterAll(() => place.dispose());

const AT = Date.parse('2026-06-01T12:00:00.000Z');
const receipt = pendingReceipt(1, AT);
const writer = new LeafWriter();
writer.link('linked', AT);
writer.act('issued', receipt, AT);
const log = smallLog('made.example/accounts', writer.entries.map(accountEntryText), [testKey(2)]);

/** The JSON of every result so far, and the sentences of the last. */
const written: string[] = [];
let all: string[] = [];

async function verified(
  manifest: unknown,
  policy?: string,
  content: unknown = receipt,
  { keys = KEYS, anyLog = false } = {},
) {
  const said: string[] = [];
  const options = {
    keys: file('keys.json', keys),
    anyLog,
    proof: file('manifest.json', manifest),
    ...(policy !== undefined && { policy: file('policy.txt', policy) }),
  };
  const isValid = await verify(
    file('receipt.json', content),
    { linked: true, ...options },
    {
      write: async (text) => void written.push(text),
      say: (sentence) => said.push(sentence),
    },
  );
  all = said;
  return [isValid, said.join('\n')];
}

test('a receipt is valid with the leaves of its acts, and not proven without', async () => {
  const manifest = { account_leaves: [log.manifest(1)] };
  expect(await verified(manifest)).toEqual([true, expect.stringMatching(/^valid: /)]);
  expect(await verified({})).toEqual([
    false,
    expect.stringMatching(/^not proven: .*\(linked\)\.\n {2}linked: the leaf \w+ is missing\n/),
  ]);
  expect(await verified(manifest, POLICY)).toEqual([false, expect.stringContaining('not proven')]);
  expect(await verified(manifest, 'quorum none\n')).toEqual([true, expect.stringMatching(/^valid: /)]);
  await expect(verified('no JSON')).rejects.toThrow('does not prove it');
  await expect(verified(manifest, undefined, '{}')).rejects.toThrow('is not a receipt');
});

test('leaves of another log of the key are not those of the log that is meant', async () => {
  const manifest = { account_leaves: [log.manifest(1)] };
  const other = KEYS.replace('made.example/keys', 'made.example-2/keys');
  const { log: _, ...unnamed } = JSON.parse(KEYS);
  const keys = JSON.stringify(unnamed);
  const said = async (more: { keys: string; anyLog?: boolean }) =>
    verified(manifest, undefined, receipt, more);
  expect(await said({ keys: other })).toEqual([false, expect.stringContaining('another log')]);
  expect(await said({ keys: other, anyLog: true })).toEqual([false, expect.stringContaining('another log')]);
  expect(await said({ keys })).toEqual([false, expect.stringContaining('Nothing says which log')]);
  expect(await said({ keys, anyLog: true })).toEqual([true, expect.stringMatching(/^valid: /)]);
});

test('the logs of accounts that were asked are named, each tree once, also one that does not count', async () => {
  const shadow = smallLog('shadow.example/accounts', log.entries, [testKey(2)]);
  const { log: _, ...unnamed } = JSON.parse(KEYS);
  const made = `log: made.example/accounts has ${log.entries.length} entries, signed without a time`;
  await verified({ account_leaves: [log.manifest(1), log.manifest(1)] });
  expect(all.filter((line) => line.includes('log: '))).toEqual([`  ${made}`]);
  await verified({ account_leaves: [shadow.manifest(1)] }, undefined, receipt, {
    keys: JSON.stringify(unnamed),
    anyLog: true,
  });
  expect(all).toContain(`  ${made.replace('made', 'shadow')}`);
  expect(JSON.parse(written.at(-1) ?? '')).toMatchObject({
    checks: { linked: 'ok' },
    trees: [{ log: 'shadow.example/accounts', tree_size: log.entries.length, signed_at: null }],
  });
  await verified({ account_leaves: [shadow.manifest(1)] });
  expect(all).toContain(`  ${made.replace('made', 'shadow')}`);
});

test('it needs a proof, and no options of other checks', () => {
  const options = { keys: 'k', proof: 'p', linked: true };
  const trust = { keys: 'k', policy: undefined, logKey: undefined, anyLog: false };
  expect(checkedOptions('f', { ...options, policy: 'q', logKey: ['l'] })).toEqual({
    ...{ subject: 'linked', proof: 'p', trust: { ...trust, policy: 'q', logKey: ['l'] } },
  });
  expect(checkedOptions('f', { ...options, anyLog: true })).toEqual({
    ...{ subject: 'linked', proof: 'p', trust: { ...trust, anyLog: true } },
  });
  expect(checkedOptions('f', { keys: 'k' }).subject).toBe('input');
  expect(() => checkedOptions('f', { keys: 'k', linked: true })).toThrow('--linked needs --proof');
  expect(() => checkedOptions('f', { proof: 'p', linked: true })).toThrow("option '--keys <file|url>'");
  for (const [option, flag = option] of [
    ...[['status'], ['revocations'], ['domain'], ['at'], ['ndjson'], ['log'], ['entry'], ['issuer']],
  ])
    expect(() => checkedOptions('f', { ...options, [String(option)]: 'x' })).toThrow(
      `--${flag} is not checked together with --linked`,
    );
});
