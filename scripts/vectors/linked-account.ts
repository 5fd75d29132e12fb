import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../src/proof/encoding/json.ts';
import { verify } from '../../src/tools/verify/verify.ts';
import { KEYS, linesOf, OPERATOR, POLICY } from '../../test/support/made-account.ts';
import { ATTESTED, at, CLOSED, FORMER, NOW, rootOf, SIX, writeLogs } from './linked-account-logs.ts';
import { STORIES } from './linked-account-stories.ts';

/** A story as test/vectors/linked-account/stories.json has it. */
export interface StoredStory {
  name: string;
  list: string;
  operator: string;
  log: string;
  policy: string;
  keys: string;
  allow_unlinked: boolean;
  /** RFC 3339; null without --from. */
  from: string | null;
  predecessors: string[];
  at: string;
  problems: JsonObject[] | null;
  summary: JsonValue;
}

const keysWith = (index: number, changes: JsonObject): string => {
  const { keys, ...others } = JSON.parse(KEYS);
  return JSON.stringify({ keys: keys.with(index, { ...keys[index], ...changes }), ...others });
};
/** Returns the keys with a closed log of accounts. */
const closing = (row: JsonObject): string => {
  const log = { log: 'accounts', origin: FORMER, certain: true, log_index: 9 };
  const closed_logs = [{ ...log, at: '2026-05-01T10:00:00.000Z', ...row }];
  return JSON.stringify({ ...JSON.parse(KEYS), closed_logs });
};
const ended = (time: number): JsonObject => ({
  status: 'retired',
  valid_until: new Date(time).toISOString(),
});
const FILES: Readonly<Record<string, string>> = {
  'keys.json': KEYS,
  'keys-retired.json': keysWith(0, ended(at(9))),
  'keys-compromised.json': keysWith(0, { ...ended(at(9)), status: 'compromised' }),
  'keys-log-ended.json': keysWith(1, ended(ATTESTED - 1)),
  'keys-log-ends.json': keysWith(1, ended(ATTESTED)),
  'keys-continued.json': closing({ tree_size: 5, root_hash: rootOf(SIX.entries, 5) }),
  'keys-continued-empty.json': closing({ tree_size: 0, root_hash: rootOf(SIX.entries, 0) }),
  'keys-continued-nine.json': closing({ tree_size: 9, root_hash: rootOf(SIX.entries, 9) }),
  'keys-closed.json': closing({ tree_size: 11, root_hash: rootOf(CLOSED.entries) }),
  'keys-closed-smaller.json': closing({ tree_size: 10, root_hash: rootOf(CLOSED.entries, 10) }),
  'keys-closed-uncertain.json': closing({
    ...{ tree_size: 9, root_hash: rootOf(CLOSED.entries, 9), certain: false },
  }),
  'keys-lost.json': closing({ tree_size: 5, root_hash: 'c'.repeat(64) }),
  'keys-lost-more.json': closing({ tree_size: 1000, root_hash: 'c'.repeat(64) }),
  'keys-uncertain.json': closing({ tree_size: 5, root_hash: rootOf(SIX.entries, 5), certain: false }),
  'keys-of-other-log.json': closing({
    ...{ log: 'receipts', origin: 'former.example/receipts', tree_size: 5, root_hash: 'c'.repeat(64) },
  }),
  'policy.txt': POLICY,
  'none.txt': 'quorum none\n',
};

const receiptId = (number: number): string => `rcpt_${number.toString(16).padStart(32, '0')}`;

/** The texts of the lists of all stories. Several stories have the same list. */
const LISTS = STORIES.map(({ list }) => (typeof list === 'string' ? list : linesOf(list)));
const listOf = (story: number): string => `list-${LISTS.indexOf(LISTS[story] ?? '') + 1}.ndjson`;

/** Returns the stories without their summaries. */
function storedStories(): Omit<StoredStory, 'summary'>[] {
  return STORIES.map(({ name, problems, log = 'log', operator = OPERATOR, ...story }, index) => {
    const named = problems?.map(([problem, receipt, line, sequence, detail]): JsonObject => {
      const receipt_id = receipt === null ? null : receiptId(receipt);
      return { problem, receipt_id, line, sequence, ...(detail !== undefined && { detail }) };
    });
    const { policy = 'policy.txt', keys = 'keys.json', allowUnlinked = false, at: time = NOW } = story;
    const { from, predecessors = [] } = story;
    const given = {
      ...{ list: listOf(index), operator, log, policy, keys, allow_unlinked: allowUnlinked },
      ...{ from: from === undefined ? null : new Date(from).toISOString(), predecessors: [...predecessors] },
    };
    return { name, ...given, at: new Date(time).toISOString(), problems: named ?? null };
  });
}

/** Returns a summary without what is said of it, which is the program's own. */
export function withoutWords(summary: JsonValue): JsonValue {
  if (!isJsonObject(summary)) return summary;
  const { checked: _, not_checked: __, sentence: ___, ...found } = summary;
  return found;
}

/** Returns the arguments of a story, with the paths of its files in a directory. */
function givenIn(
  directory: string,
  { list, operator, log, policy, keys, allow_unlinked, from, predecessors }: Omit<StoredStory, 'summary'>,
) {
  const pathOf = (name: string): string => join(directory, name);
  const options = { operator, log: pathOf(log), policy: pathOf(policy), keys: pathOf(keys) };
  return {
    ...{ list: pathOf(list), ...options, allowUnlinked: allow_unlinked },
    ...(from === null ? {} : { from: Date.parse(from) }),
    predecessor: predecessors.map(pathOf),
  };
}

/** Returns the lines that the program writes about a story; null if nothing can be said. */
async function writtenAbout(
  directory: string,
  story: Omit<StoredStory, 'summary'>,
): Promise<JsonValue[] | null> {
  let text = '';
  const { list, ...options } = givenIn(directory, story);
  const results = {
    write: async (more: string): Promise<void> => {
      text += more;
    },
    say: () => undefined,
  };
  try {
    await verify(list, { complete: true, ...options }, results, Date.parse(story.at));
  } catch (error) {
    if (text === '') return null;
    throw error;
  }
  return text
    .trimEnd()
    .split('\n')
    .map((line) => parseJson(line));
}

/**
 * Returns the content of each file of test/vectors/linked-account, by its path. The summaries are those that the
 * program writes about these files.
 */
export async function linkedAccountVectors(): Promise<ReadonlyMap<string, Uint8Array>> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-linked-account-'));
  try {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(directory, name), text);
    for (const [index, text] of LISTS.entries()) writeFileSync(join(directory, listOf(index)), text);
    writeLogs(directory);
    const rows: string[] = [];
    for (const story of storedStories()) {
      const summary = withoutWords((await writtenAbout(directory, story))?.at(-1) ?? null);
      rows.push(JSON.stringify({ ...story, summary }));
    }
    writeFileSync(join(directory, 'stories.json'), `[\n${rows.join(',\n')}\n]\n`);
    const files = readdirSync(directory, { recursive: true, withFileTypes: true });
    return new Map(
      files
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => [path.slice(directory.length + 1), readFileSync(path)]),
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}
