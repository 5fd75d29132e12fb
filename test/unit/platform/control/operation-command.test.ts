import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { callCommand } from '../../../../src/platform/control/call-command.ts';
import { column, listCommand, writeRows } from '../../../../src/platform/control/list-command.ts';
import type { CallOperation, CommandTarget } from '../../../../src/platform/control/operation-command.ts';
import { Failure } from '../../../../src/platform/failure.ts';

const NOTES = Array.from({ length: 250 }, (_, index) => ({ text: `note ${index}` }));
const text = (summary: string) => ({ summary, description: '', errors: [] });
const texts = {
  listNotes: text('List notes'),
  keepNote: text('Keep a note'),
  checkNote: text('Check a note'),
};

let calls: unknown[];
let isOpen: boolean;
let target: CommandTarget;
let writtenWhileOpen: boolean;
let stdout: ReturnType<typeof spyOn<typeof process.stdout, 'write'>>;
let stderr: ReturnType<typeof spyOn<typeof process.stderr, 'write'>>;
beforeEach(() => {
  calls = [];
  target = { isService: false, label: '/data' };
  writtenWhileOpen = false;
  stdout = spyOn(process.stdout, 'write').mockImplementation((...args: unknown[]) => {
    writtenWhileOpen ||= isOpen;
    for (const done of args) if (typeof done === 'function') done();
    return true;
  });
  stderr = spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  stdout.mockRestore();
  stderr.mockRestore();
});

const output = () => stdout.mock.calls.map(([written]) => String(written)).join('');

/** Pages of notes, and what an operation that keeps one responds. */
const call: CallOperation = async (operation, values = {}, operator = null) => {
  calls.push([operation, values, operator]);
  if (operation === 'keepNote') return values;
  if (operation === 'checkNote' && values.text === '')
    throw new Failure(
      'validation_error: text is empty, and not fine; urgent is not a time, text; kind text',
      null,
      2,
    );
  if (operation === 'checkNote' && values.text === 'gone')
    throw new Failure('not_found: text of a note is gone', null, 4);
  if (operation === 'checkNote')
    return {
      ok: values.text === 'fine',
      tags: ['a', 'b'],
      by: { name: null, hours: { from: 1 } },
      log: [{ at: 1 }],
      none: {},
    };
  if (operation === 'badPage') return values.page;
  if (operation === 'failing') throw new Error('it failed');
  const start = Number(values.cursor ?? 0);
  const end = start + Number(values.limit);
  return { notes: NOTES.slice(start, end), next_cursor: end < NOTES.length ? String(end) : null };
};

function program(): Command {
  const command = new Command('notes').exitOverride();
  const group = {
    command,
    settings: [],
    targetOptions: [],
    unlisted: [],
    texts,
    async operations<Result>(
      _command: Command,
      body: (call: CallOperation, target: CommandTarget) => Promise<Result>,
      before?: (target: CommandTarget) => Promise<void>,
    ) {
      await before?.(target);
      isOpen = true;
      try {
        return await body(call, target);
      } finally {
        isOpen = false;
      }
    },
  };
  listCommand(group, 'list', 'listNotes', {
    summary: 'list notes',
    options: { about: new Option('--about <topic>', 'only those about a topic') },
    rows: 'notes',
    columns: [column('NOTE', 'text')],
    examples: [['List notes', 'countersign notes list']],
  });
  callCommand(group, 'keep', 'keepNote', {
    summary: 'keep a note',
    arguments: { operator: ['<operator>', 'whose note it is'], text: ['<text>', 'the note'] },
    options: { urgent: new Option('--urgent', 'it cannot wait') },
    takesBody: true,
    values: { kind: 'note' },
    remarks: async (again, operator) =>
      operator === 'nobody' ? String(await again('failing')) : `kept for ${operator}\n`,
    examples: [['Keep a note', 'countersign notes keep OPERATOR TEXT']],
  });
  callCommand(group, 'shred', 'keepNote', {
    summary: 'shred a note',
    arguments: { text: ['<text>', 'the note'] },
    asks: ({ text: named }) => `shred ${named}`,
    examples: [['Shred a note', 'countersign notes shred TEXT']],
  });
  callCommand(group, 'check', 'checkNote', {
    summary: 'check a note',
    reads: true,
    arguments: { text: ['<text>', 'the note'] },
    options: { urgent: new Option('-u, --in-hours <number>', 'when') },
    refusalIn: ({ ok }) => (ok === true ? null : 'NOT_FINE: the note is refused'),
    examples: [['Check a note', 'countersign notes check TEXT']],
  });
  return command;
}

const run = (...args: string[]) => program().parseAsync(args, { from: 'user' });

test('a list is read in pages up to the limit, and written when the service is closed', async () => {
  await run('list', '--limit', '230', '--output', 'ndjson');
  expect(calls).toEqual([
    ['listNotes', { limit: '100' }, null],
    ['listNotes', { limit: '100', cursor: '100' }, null],
    ['listNotes', { limit: '30', cursor: '200' }, null],
  ]);
  expect(output()).toBe(
    NOTES.slice(0, 230)
      .map((note) => `${JSON.stringify(note)}\n`)
      .join(''),
  );
  expect(writtenWhileOpen).toBe(false);
});

test('a list ends with its last page, and has the values of its options', async () => {
  await run('list', '--limit', '1000000', '--about', 'money');
  expect(calls).toHaveLength(3);
  expect(calls[0]).toEqual(['listNotes', { about: 'money', limit: '100' }, null]);
  expect(output().split('\n')).toHaveLength(1 + NOTES.length + 1);
  expect(stderr).not.toHaveBeenCalled();
});

test('a command sends its arguments and options by the names of the operation, for the operator it names', async () => {
  await run('keep', 'op_cus_x', 'call back', '--urgent');
  expect(calls).toEqual([['keepNote', { kind: 'note', text: 'call back', urgent: true }, 'op_cus_x']]);
  expect(JSON.parse(output())).toEqual({ kind: 'note', text: 'call back', urgent: true });
  expect(stderr.mock.calls).toEqual([['/data\n'], ['kept for op_cus_x\n']]);
});

test('the result is written even if the remarks about it fail, and the reason is said', async () => {
  await run('keep', 'nobody', 'call back');
  expect(JSON.parse(output())).toEqual({ kind: 'note', text: 'call back' });
  expect(stderr.mock.calls).toEqual([['/data\n'], ['it failed\n']]);
});

test('its description is the summary of its operation', () => {
  const [list] = program().commands;
  expect(list?.description()).toBe('list notes');
});

test('a wrong value is named as on the command line, and nothing else is reworded', async () => {
  expect(run('check', '')).rejects.toThrow(
    'validation_error: <text> is empty, and not fine; --in-hours is not a time, text; kind text',
  );
  expect(run('check', 'gone')).rejects.toThrow('not_found: text of a note is gone');
});

test('a table of a result has the members of objects, and texts of a list one after the other', async () => {
  await run('check', 'fine', '--output', 'table');
  expect(
    output()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ...[
      ['MEMBER', 'VALUE'],
      ['ok', 'true'],
      ['tags', 'a, b'],
      ['by.name', '-'],
      ['by.hours.from', '1'],
    ],
    ...[['log', '[{"at":1}]'], ['none', '{}'], ['']],
  ]);
});

test('a list without rows is a line of titles, or nothing', async () => {
  const columns = [{ title: 'NOTE', cellOf: (note: { text: string }) => note.text }];
  await writeRows(columns, []);
  await writeRows(null, []);
  expect(output()).toBe('NOTE\n');
});

test('a list shows 100 rows and says that there are more, and --all shows all', async () => {
  await run('list');
  expect(output().split('\n')).toHaveLength(1 + 100 + 1);
  expect(stderr.mock.calls.flat().join('')).toContain('there are more: --all prints them');
  stdout.mockClear();
  await run('list', '--all', '--output', 'json');
  expect(JSON.parse(output())).toEqual(NOTES);
});

/** Lists notes at a service that answers each request with what `respond` returns. */
function listedFrom(respond: () => unknown, ...args: string[]): Promise<Command> {
  const command = new Command('notes').exitOverride();
  const group = {
    command,
    settings: [],
    targetOptions: [],
    unlisted: [],
    texts: null,
    operations: async <Result>(
      _command: Command,
      body: (call: CallOperation, target: CommandTarget) => Promise<Result>,
    ) => body(async () => respond(), target),
  };
  listCommand(group, 'list', 'listNotes', {
    summary: 'list notes',
    rows: 'notes',
    columns: null,
    examples: [['List notes', 'countersign notes list']],
  });
  return command.parseAsync(['list', ...args], { from: 'user' });
}

test.each([
  ['a list', []],
  ['no rows', { notes: 'none', next_cursor: null }],
  ['rows that are no objects', { notes: ['one'], next_cursor: null }],
  ['a cursor that is no text', { notes: [], next_cursor: 7 }],
])('a page with %s is refused', async (_, page) => {
  await expect(listedFrom(() => page)).rejects.toThrow(
    'what the operation listNotes returned is no page with notes',
  );
});

test.each([
  ['their cursor', () => 'again'],
  ['pages without rows', () => crypto.randomUUID()],
])('pages that never end are noticed by %s', async (_, cursor) => {
  const page = () => ({ notes: [], next_cursor: cursor() });
  await expect(listedFrom(page, '--limit', '5')).rejects.toThrow('have no end');
});

test('a secret that a repeated response does not have is said to be lost, after the result', async () => {
  const making = new Command('keys').exitOverride();
  const results: unknown[] = [{ hash: 'x', key: null }, { hash: 'y', key: 'k' }, { hash: 'z' }];
  const group = {
    command: making,
    settings: [],
    targetOptions: [],
    unlisted: [],
    texts: null,
    operations: async <Result>(
      _command: Command,
      body: (call: CallOperation, target: CommandTarget) => Promise<Result>,
    ) => body(async () => results.shift(), target),
  };
  callCommand(group, 'make', 'makeKey', { summary: 'make a key', secret: 'key', examples: [] });
  const make = () => making.parseAsync(['make'], { from: 'user' });
  await expect(make()).rejects.toThrow('the response with key was lost');
  expect(JSON.parse(output())).toEqual({ hash: 'x', key: null });
  await make();
  await make();
});

test('text in place of a result is refused, such as that of a proxy', async () => {
  const texting = new Command('notes').exitOverride();
  const group = {
    command: texting,
    settings: [],
    targetOptions: [],
    unlisted: [],
    texts: null,
    operations: async <Result>(
      _command: Command,
      body: (call: CallOperation, target: CommandTarget) => Promise<Result>,
    ) => body(async () => 'OK\u001b[2J\n', target),
  };
  callCommand(group, 'keep', 'keepNote', { summary: 'keep a note', examples: [] });
  callCommand(group, 'print', 'printNote', {
    summary: 'print a note',
    reads: true,
    returnsText: true,
    examples: [],
  });
  await expect(texting.parseAsync(['keep'], { from: 'user' })).rejects.toThrow(
    'what the operation keepNote returned is text',
  );
  await texting.parseAsync(['print'], { from: 'user' });
  expect(output()).toBe('OK\\u001b[2J\n');
});

test('what cannot be taken back is not done without a terminal, and done with --yes', async () => {
  const shredding = run('shred', 'diary');
  await expect(shredding).rejects.toMatchObject({ exitCode: 2 });
  expect(calls).toEqual([]);
  await run('shred', 'diary', '--yes');
  expect(calls).toEqual([['keepNote', { text: 'diary' }, null]]);
});

test('what changes something says where, and what only reads says nothing', async () => {
  target = { isService: true, label: 'https://trust.example\u001b[2J (context prod)' };
  await run('keep', 'op_cus_x', 'call back');
  expect(stderr.mock.calls[0]).toEqual(['https://trust.example\\u001b[2J (context prod)\n']);
  stderr.mockClear();
  await run('check', 'fine');
  expect(stderr.mock.calls.flat().join('')).toBe('');
});

test('a check that says no prints its result and fails with the reason', async () => {
  await expect(run('check', 'coffee')).rejects.toMatchObject({
    message: 'NOT_FINE: the note is refused',
    hint: 'the printed result shows why',
    exitCode: 1,
  });
  expect(JSON.parse(output())).toMatchObject({ ok: false });
});

test.each([
  ['ndjson', '{"kind":"note","text":"a\\u009bb"}\n'],
  ['table', 'MEMBER  VALUE\nkind    note\ntext    a\\u009bb\n'],
])('a result as %s has no character that a terminal obeys', async (form, printed) => {
  await run('keep', 'op_cus_x', 'a\u009bb', '--output', form);
  expect(output()).toBe(printed);
});

describe('a body in a file', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-body-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const file = (content: string): string => {
    const path = join(directory, 'body.json');
    writeFileSync(path, content);
    return path;
  };

  test('is sent with the values of the command line', async () => {
    await run('keep', 'op_cus_x', 'call back', '--data-file', file('{"color":"red"}'));
    expect(calls).toEqual([['keepNote', { color: 'red', kind: 'note', text: 'call back' }, 'op_cus_x']]);
  });

  test.each([
    ['that both have', '{"text":"other"}', 'and the command line both have text'],
    ['that is no JSON', '{', 'contains no JSON'],
    ['that is a list', '[]', 'contains no JSON object'],
    ['with a member twice', '{"a":1,"a":2}', 'the same member name twice'],
    ['that is too large', JSON.stringify({ color: 'x'.repeat(2 ** 20) }), 'larger'],
  ])('%s is refused', async (_, content, message) => {
    await expect(run('keep', 'op_cus_x', 'call back', '--data-file', file(content))).rejects.toThrow(message);
    expect(calls).toEqual([]);
  });
});
