import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { createProgram } from '../../../src/commands/program.ts';
import { text } from '../../../src/platform/config/setting.ts';
import { auditedOf, errorTable, type ModuleEntry, settingsOf } from '../../../src/platform/module.ts';
import { staffingModules } from '../../../src/staffing/service/modules.ts';
import { trustCommands } from '../../../src/trust/commands/commands.ts';
import { commonErrors } from '../../../src/trust/http/errors.ts';
import { trustDatabaseOf } from '../../../src/trust/service/database.ts';
import type { TrustModule, TrustServer } from '../../../src/trust/service/module.ts';
import { trustModules } from '../../../src/trust/service/modules.ts';
import type { EmittedEvent } from '../../../src/trust/webhooks/events.ts';
import { witnessModules } from '../../../src/witness/modules.ts';
import { audited } from '../../support/audit.ts';
import { localAdministrator } from '../../support/local-administrator.ts';
import { commands } from '../../support/notes/commands.ts';
import { notesModule } from '../../support/notes/module.ts';
import { server } from '../../support/notes/server.ts';
import { countNotes } from '../../support/notes/store.ts';
import { openTrustApp, type TrustApp } from '../../support/trust-app.ts';

/** The product's capabilities and one more: this is all that registering one takes. */
const MODULES: readonly TrustModule[] = [...trustModules, notesModule];

const modules = async () => MODULES;

/** Its commands take one more line. */
const NOTES_COMMANDS = {
  name: 'notes',
  words: ['notes'],
  load: (forHelp: boolean) => commands({ modules, forHelp }),
};
const PROGRAM = {
  load: async () => ({ trust: MODULES, staffing: staffingModules, witness: witnessModules }),
  commands: [...trustCommands(modules), NOTES_COMMANDS],
};

describe('a capability that one line registers', () => {
  let app: TrustApp;
  beforeEach(async () => {
    app = await openTrustApp({ 'notes.most': '3' }, null, ':memory:', { modules: MODULES });
  });
  afterEach(() => app.close());

  const keep = (text: unknown) => app.own.post('/api/v1/notes', { text });

  test('answers at its route, with the key, schema and errors of the service', async () => {
    expect((await keep('call back')).status).toBe(201);
    expect((await app.anyone.post('/api/v1/notes', { text: 'x' })).body.reason_code).toBe('unauthorized');
    expect((await keep(7)).body.reason_code).toBe('validation_error');
  });

  test('repeats the first response to a repeated request, and does nothing else', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await app.own.post('/api/v1/notes', { text: 'call back' }, headers);
    const second = await app.own.post('/api/v1/notes', { text: 'call back' }, headers);
    expect(second.body).toEqual(first.body);
    expect(await app.service.trust.store.read(countNotes)).toBe(1);
  });

  test('refuses with its own error at the limit of its setting', async () => {
    for (const text of ['a', 'b', 'c']) expect((await keep(text)).status).toBe(201);
    const { status, body } = await keep('d');
    expect([status, body.reason_code, body.error]).toEqual([
      409,
      'notes_full',
      'The operator has as many notes as it may store. Delete one of them first.',
    ]);
  });

  test('is in the OpenAPI document, with its tag', async () => {
    const { body } = await app.anyone.get('/openapi.json');
    expect(Object.keys(Object(body.paths))).toContain('/api/v1/notes');
    expect(Object(body.components).schemas.Note.required).toEqual(['text', 'at']);
    expect(body.tags).toContainEqual({ name: 'Notes', description: 'What operators want to remember.' });
  });

  test('emits its events, which webhooks can subscribe to and the guide explains', async () => {
    const events: EmittedEvent[] = [];
    app.service.trust.events.listen((event) => events.push(event));
    const url = 'https://receiver.example/';
    expect((await app.own.post('/api/v1/webhooks', { url, events: ['note.kept'] })).status).toBe(201);
    await keep('call back');
    expect(events).toMatchObject([{ event: 'note.kept', data: { text: 'call back' } }]);
    const { body } = await app.anyone.get('/api/v1/webhooks/verify-guide');
    expect(Object(body.events)['note.kept']).toEqual(['text']);
  });

  test('has its task, metric and local operation in the running service', async () => {
    await keep('call back');
    const { tasks, metrics } = await app.service.background();
    const metric = metrics.find(({ name }) => name === 'countersign_notes');
    expect(await metric?.read()).toEqual([{ labels: {}, value: 1 }]);
    expect(await (await localAdministrator(app, MODULES))('countNotes')).toEqual({ notes: 1 });
    await Bun.sleep(2);
    await tasks.find(({ name }) => name === 'forget old notes')?.run();
    expect(await metric?.read()).toEqual([{ labels: {}, value: 0 }]);
  });
});

describe('fsck of a service with one more capability', () => {
  let directory: string;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-notes-'));
    const app = await openTrustApp({}, null, directory, { modules: MODULES });
    for (const text of ['call back', 'write']) await app.own.post('/api/v1/notes', { text });
    await app.close();
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('counts its rows', async () => {
    const { outcome } = await audited(directory, { modules: MODULES });
    expect(outcome).toMatchObject({ ok: true, examined: { notes: 2 } });
    const counted = Object.keys(outcome.examined);
    expect(counted.slice(0, 3)).toEqual(['receipts', 'leaves', 'checkpoints']);
    expect(counted.slice(-2)).toEqual(['notes', 'signatures']);
  });

  test('reports a wrong row, with its table and number', async () => {
    const database = new Database(join(directory, 'trust.db'), { readwrite: true });
    database.run("UPDATE note SET at = 'then' WHERE note_seq = 2");
    database.close();
    const { reported: events } = await audited(directory, { modules: MODULES });
    expect(events.map(({ sentence }) => sentence)).toEqual(['note (note_seq 2): at is no time: found then']);
  });
});

describe('the program with a capability', () => {
  const program = () => createProgram(PROGRAM);

  /** What a command line of it writes, which is JSON. */
  async function output(...args: string[]): Promise<unknown> {
    const stdout = spyOn(process.stdout, 'write').mockImplementation((...args: unknown[]) => {
      for (const done of args) if (typeof done === 'function') done();
      return true;
    });
    try {
      await (await program()).parseAsync(args, { from: 'user' });
      return JSON.parse(stdout.mock.calls.map(([text]) => String(text)).join(''));
    } finally {
      stdout.mockRestore();
    }
  }

  test('has its verb in the help', async () => {
    expect((await program()).helpInformation()).toContain('count the notes that are kept');
  });

  test('has its setting in the help of serve', async () => {
    const serve = (await program()).commands.find((command) => command.name() === 'serve');
    expect(serve?.helpInformation()).toContain('--notes-most');
  });

  test('has its setting in config, with where it came from', async () => {
    expect(await output('config', '--json', '--notes-most', '7')).toContainEqual({
      key: 'notes.most',
      value: '7',
      source: '--notes-most',
      overridden: [],
    });
  });

  test('opens a data directory that has the tables of the capability, in its verb and in those of others', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-notes-'));
    try {
      const app = await openTrustApp({}, null, directory, { modules: MODULES });
      await app.own.post('/api/v1/notes', { text: 'call back' });
      await app.close();
      expect(await output('notes', 'count', '--data', directory)).toEqual({ notes: 1 });
      expect(
        await output('keys', 'rotate', '--yes', '--purpose', 'receipts', '--data', directory),
      ).toBeObject();
      expect(await output('log', 'restart', '--force', '--data', directory)).toBeArray();
      expect(await output('operators', 'create', '--yes', '--data', directory)).toBeObject();
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});

/** Starts the service with one more capability, as the program does, and ends it. */
async function starting(module: TrustModule): Promise<void> {
  const app = await openTrustApp({}, null, ':memory:', { modules: [...MODULES, module] });
  try {
    await app.service.background();
    await app.service.app('/').load();
  } finally {
    await app.close();
  }
}

describe('two capabilities', () => {
  const { errors, events, settings, migrations } = notesModule;
  const { routes, tasks, metrics } = server;
  const doing = (part: TrustServer) => ({ name: 'twin', server: async () => ({ server: part }) });
  const cases: [kind: string, twin: TrustModule, name: string][] = [
    ['error', { name: 'twin', errors }, 'notes_full'],
    ['event', { name: 'twin', events }, 'note.kept'],
    ['migration', { name: 'twin', migrations }, '9001'],
    ['route', doing({ routes }), 'POST /api/v1/notes'],
    ['task', doing({ tasks }), 'forget old notes'],
    ['metric', doing({ metrics }), 'countersign_notes'],
  ];

  test.each(cases)('that bring the same %s are refused with the names of both', async (kind, twin, name) => {
    await expect(starting(twin)).rejects.toThrow(`the modules notes and twin both have the ${kind} ${name}`);
  });

  test('that bring the same audited table are refused with the names of both', async () => {
    const twin: ModuleEntry = { name: 'twin', audit: notesModule.audit };
    await expect(auditedOf([...MODULES, twin])).rejects.toThrow(
      'the modules notes and twin both have the audited table note',
    );
  });

  test('that bring the same command are refused with the names of both', async () => {
    const twin = { ...NOTES_COMMANDS, name: 'twin' };
    await expect(createProgram({ ...PROGRAM, commands: [...PROGRAM.commands, twin] })).rejects.toThrow(
      'the modules notes and twin both have the command notes',
    );
  });

  test.each([
    ['of the program', 'fsck', undefined],
    ['of one of its verbs', 'backup', 'keys' as const],
  ])('that bring a command %s are refused', async (_, name, under) => {
    const location = under === undefined ? {} : { under };
    const one = {
      name: 'one',
      words: [name],
      load: async () => [{ command: new Command(name), ...location }],
    };
    await expect(createProgram({ ...PROGRAM, commands: [...PROGRAM.commands, one] })).rejects.toThrow(
      `the modules common and one both have the command ${[under, name].join(' ').trim()}`,
    );
  });

  test('that have two settings with one flag are refused, since one could not be set', () => {
    const one = { name: 'one', settings: [text('notes.most_of', { description: '', fallback: '' })] };
    const other = { name: 'other', settings: [text('notes_most.of', { description: '', fallback: '' })] };
    expect(() => settingsOf([], [one, other])).toThrow(
      'the modules one and other both have the flag --notes-most-of',
    );
  });

  test('that bring a metric of the service itself are refused', async () => {
    const name = 'countersign_store_wal_bytes';
    const twin = doing({ metrics: () => [{ name, help: '', labels: [], read: async () => [] }] });
    await expect(starting(twin)).rejects.toThrow(`the modules twin and common both have the metric ${name}`);
  });

  test('that bring the same setting are refused with the names of both, before anything is opened', () => {
    const twin: ModuleEntry = { name: 'twin', settings };
    expect(() => settingsOf([], [...MODULES, twin])).toThrow(
      'the modules notes and twin both have the setting notes.most',
    );
  });

  test('are refused when one has an error code of the service', () => {
    const conflict = { status: 409, message: 'No.', remedy: 'Stop.' };
    const modules = [
      { name: 'common', errors: commonErrors },
      { name: 'one', errors: { conflict } },
    ];
    expect(() => errorTable(modules)).toThrow('the modules common and one both have the error conflict');
  });
});

test('a capability that brings something twice is reported so', () => {
  const { settings } = notesModule;
  expect(() => settingsOf([], [{ name: 'notes', settings: [...settings, ...settings] }])).toThrow(
    'the module notes has the setting notes.most twice',
  );
});

test('a migration is refused with the advice to number it anew', () => {
  const { migrations } = notesModule;
  const modules = [notesModule, { name: 'twin', migrations }];
  expect(() => trustDatabaseOf(modules)).toThrow(
    expect.objectContaining({
      hint: 'give the new one the highest number: a released migration keeps its name',
    }),
  );
});
