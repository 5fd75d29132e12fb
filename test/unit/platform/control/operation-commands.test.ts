import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { Type } from '@sinclair/typebox';
import { Command, Option } from 'commander';
import {
  type CallOperation,
  callCommand,
  listCommand,
  writeRows,
} from '../../../../src/platform/control/operation-commands.ts';

const NOTES = Array.from({ length: 250 }, (_, index) => `note ${index}`);
const Page = Type.Object({
  notes: Type.Array(Type.String()),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
const text = (summary: string) => ({ summary, description: '', errors: [] });
const texts = { listNotes: text('List notes'), keepNote: text('Keep a note') };

let calls: unknown[];
let isOpen: boolean;
let writtenWhileOpen: boolean;
let stdout: ReturnType<typeof spyOn<typeof process.stdout, 'write'>>;
let stderr: ReturnType<typeof spyOn<typeof process.stderr, 'write'>>;
beforeEach(() => {
  calls = [];
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
    texts,
    async operations<Result>(_command: Command, body: (call: CallOperation) => Promise<Result>) {
      isOpen = true;
      try {
        return await body(call);
      } finally {
        isOpen = false;
      }
    },
  };
  listCommand(group, 'list', 'listNotes', {
    summary: 'list notes',
    options: { about: new Option('--about <topic>', 'only those about a topic') },
    limit: 100,
    response: async () => Page,
    pageOf: ({ notes, next_cursor }) => ({ rows: notes, next_cursor }),
    columns: [{ title: 'NOTE', cellOf: (note) => note }],
    examples: [['List notes', 'countersign notes list']],
  });
  callCommand(group, 'keep', 'keepNote', {
    summary: 'keep a note',
    arguments: { operator: ['<operator>', 'whose note it is'], text: ['<text>', 'the note'] },
    options: { urgent: new Option('--urgent', 'it cannot wait') },
    values: { kind: 'note' },
    remarks: async (again, operator) =>
      operator === 'nobody' ? String(await again('failing')) : `kept for ${operator}\n`,
    examples: [['Keep a note', 'countersign notes keep OPERATOR TEXT']],
  });
  return command;
}

const run = (...args: string[]) => program().parseAsync(args, { from: 'user' });

test('a list is read in pages up to the limit, and written when the service is closed', async () => {
  await run('list', '--limit', '230', '--json');
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
});

test('a command sends its arguments and options by the names of the operation, for the operator it names', async () => {
  await run('keep', 'op_cus_x', 'call back', '--urgent');
  expect(calls).toEqual([['keepNote', { kind: 'note', text: 'call back', urgent: true }, 'op_cus_x']]);
  expect(JSON.parse(output())).toEqual({ kind: 'note', text: 'call back', urgent: true });
  expect(stderr.mock.calls).toEqual([['kept for op_cus_x\n']]);
});

test('the result is written even if the remarks about it fail, and the reason is said', async () => {
  await run('keep', 'nobody', 'call back');
  expect(JSON.parse(output())).toEqual({ kind: 'note', text: 'call back' });
  expect(stderr.mock.calls).toEqual([['it failed\n']]);
});

test('its description is the summary of its operation', () => {
  const [list] = program().commands;
  expect(list?.description()).toBe('list notes');
});

test('a list without rows is a line of titles, or nothing', async () => {
  const columns = [{ title: 'NOTE', cellOf: (note: string) => note }];
  await writeRows(columns, []);
  await writeRows(null, []);
  expect(output()).toBe('NOTE\n');
});
