import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml';
import { Failure } from '../../../../src/platform/failure.ts';
import { unwrappedServers, wrappedServers } from '../../../../src/tools/mcp-install/changes.ts';
import { type ClientName, configurationOf } from '../../../../src/tools/mcp-install/clients.ts';
import { CLIENT_FILES } from '../../../support/mcp-client-files.ts';

const WRAPPER = { executable: '/usr/local/bin/countersign', options: ['--agent=clerk'] };
const source = (client: ClientName, text: string) => ({ text, ...configurationOf(client) });
const wrap = (client: ClientName, text: string, names: string[] = []) =>
  wrappedServers(source(client, text), names, WRAPPER);
const unwrap = (client: ClientName, text: string, names: string[] = []) =>
  unwrappedServers(source(client, text), names, WRAPPER.executable);
const NAMESAKE = 'something else called countersign starts it';
const namesOf = (servers: readonly { path: readonly string[] }[]) =>
  servers.map(({ path }) => path.join('.'));
const failureOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
  return 'none';
};

describe('the servers of a client are wrapped:', () => {
  test.each(CLIENT_FILES)('$client, $what', ({ client, text, wrapped, unchanged }) => {
    const changes = wrap(client, text);
    expect(namesOf(changes.changed).toSorted()).toEqual(wrapped.toSorted());
    expect(namesOf(changes.unchanged).toSorted()).toEqual(unchanged.toSorted());
    // Every line that is not a command or a list of args is there as before.
    const lines = text.split('\n').filter((line) => !/command|args|"?-y"?|\binline|\bbare/.test(line));
    expect(changes.text.split('\n')).toEqual(expect.arrayContaining(lines));
  });

  test.each(CLIENT_FILES)('$client, $what: a second time changes nothing', ({ client, text }) => {
    const again = wrap(client, wrap(client, text).text);
    expect(again.changed).toEqual([]);
    expect(again.text).toBe(wrap(client, text).text);
  });

  test.each(CLIENT_FILES)('$client, $what: unwrapped, each starts as before', ({ client, text }) => {
    const wrapped = wrap(client, text);
    const unwrapped = unwrap(client, wrapped.text);
    expect(namesOf(unwrapped.changed)).toEqual(namesOf(wrapped.changed));
    for (const [index, { after }] of unwrapped.changed.entries()) {
      const { command, args } = wrapped.changed[index]?.before ?? after;
      expect(after).toEqual({ command, args: args ?? [] });
    }
    expect(unwrap(client, unwrapped.text).changed).toEqual([]);
  });

  test('a list keeps its comments and its indentation, and the command its comment', () => {
    const [vscode] = CLIENT_FILES.filter(({ client }) => client === 'vscode');
    expect(wrap('vscode', vscode?.text ?? '', ['perplexity']).text).toContain(`
			"command": "/usr/local/bin/countersign", // the package is pinned
			"args": [
				"mcp",
				"--agent=clerk",
				"--",
				"npx",
				"-y", // no question
				"server-perplexity-ask@0.1.3",
			],
`);
  });

  test('args that are not there are added behind the command', () => {
    const [codex] = CLIENT_FILES.filter(({ client }) => client === 'codex');
    const { text } = wrap('codex', codex?.text ?? '');
    const list = (command: string) => `args = ["mcp", "--agent=clerk", "--", ${command}]`;
    expect(text).toContain(
      `command = "/usr/local/bin/countersign"\n${list('"C:\\\\tools\\\\server.exe"')}\n`,
    );
    expect(text).toContain(`bare = { command = "/usr/local/bin/countersign", ${list('"uvx"')} }`);
    expect(text).toContain(
      `dotted.command = "/usr/local/bin/countersign"\ndotted.${list('"docs-server"')}\ndotted.cwd`,
    );
    expect(wrap('cursor', '{"mcpServers":{"a":{"command":"x"}}}').text).toBe(
      '{"mcpServers":{"a":{"command":"/usr/local/bin/countersign", "args":["mcp", "--agent=clerk", "--", "x"]}}}',
    );
  });

  test('only the named servers are, in whatever group they are', () => {
    const [user] = CLIENT_FILES;
    expect(namesOf(wrap('claude-code', user?.text ?? '', ['airtable']).changed)).toEqual([
      'mcpServers.airtable',
    ]);
  });
});

describe('a server is left as it is', () => {
  const cursor = (server: string) => `{"mcpServers": {"one": ${server}}}`;
  test.each([
    ['with a URL and a command', '{"command": "npx", "url": "https://a.example"}', 'by a URL'],
    ['of the type http', '{"type": "http", "command": "npx"}', 'by a URL'],
    ['without a command', '{"args": []}', 'it has no command'],
    ['with an empty command', '{"command": ""}', 'it has no command'],
    ['with a list as its command', '{"command": ["npx", "-y"]}', 'it has no command'],
    ['with args that are no list', '{"command": "npx", "args": "-y"}', 'not a list of texts'],
    ['with a number in its args', '{"command": "npx", "args": ["-p", 1]}', 'not a list of texts'],
    ['with a command line as its command', '{"command": "npx -y server"}', 'is a command line'],
    ['that is no object', '"npx"', 'it is not an object'],
    [
      'that is this program',
      '{"command": "/usr/local/bin/countersign", "args": ["mcp", "serve"]}',
      'this program',
    ],
    [
      'that is wrapped with other options',
      '{"command": "/usr/local/bin/countersign", "args": ["mcp", "--", "server"]}',
      'it is wrapped already, with other options',
    ],
    ['that npx starts', '{"command": "npx", "args": ["countersign", "mcp", "--", "server"]}', NAMESAKE],
    [
      'that something else starts with our words',
      '{"command": "npx", "args": ["-y", "evil", "countersign", "mcp", "--x", "--", "y"]}',
      NAMESAKE,
    ],
    [
      'that a file of the project starts',
      '{"command": "./countersign", "args": ["mcp", "--x", "--", "node", "evil.js"]}',
      NAMESAKE,
    ],
    [
      'that another file with the name of the program starts',
      '{"command": "C:\\\\bin\\\\countersign.exe", "args": ["mcp", "--agent=clerk", "--", "server"]}',
      NAMESAKE,
    ],
  ])('%s', (_, server, reason) => {
    const { changed, unchanged, text } = wrap('cursor', cursor(server));
    expect(changed).toEqual([]);
    expect(text).toBe(cursor(server));
    expect(unchanged[0]?.reason).toContain(reason);
  });

  test('a wrapper that something else starts is not unwrapped', () => {
    const text = cursor('{"command": "npx", "args": ["countersign", "mcp", "--", "server"]}');
    expect(unwrap('cursor', text)).toMatchObject({ text, changed: [] });
  });

  test('another server with mcp and -- in its args is not unwrapped', () => {
    const text = cursor('{"command": "uvx", "args": ["mcp", "run", "--", "server"]}');
    expect(unwrap('cursor', text).changed).toEqual([]);
    expect(wrap('cursor', text).changed.length).toBe(1);
  });
});

describe('a file is refused', () => {
  const many = (text: string) => text.repeat(200_000);
  test.each([
    ['cursor', 'that is empty', '', 'line 1 is not valid JSON (ValueExpected)'],
    ['cursor', 'that is not closed', '{"mcpServers": {', 'line 1 is not valid JSON (CloseBraceExpected)'],
    ['cursor', 'with a missing comma', '{\n"a": 1\n"b": 2}', 'line 3 is not valid JSON (CommaExpected)'],
    ['cursor', 'with a list', '[]', 'the file contains no JSON object'],
    ['cursor', 'with a list of servers', '{"mcpServers": []}', 'mcpServers is not an object'],
    [
      'cursor',
      'with two groups',
      '{"mcpServers": {}, "mcpServers": {}}',
      'mcpServers is there more than once',
    ],
    [
      'cursor',
      'with two servers of one name',
      '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}',
      'the member mcpServers.a is there more than once',
    ],
    [
      'cursor',
      'with two commands',
      '{"mcpServers": {"a": {"command": "x", "command": "y"}}}',
      'the member mcpServers.a.command is there more than once',
    ],
    ['cursor', 'that is nested too deeply', `{"x": ${many('[')}`, 'the file is nested too deeply'],
    ['codex', 'that is nested too deeply', `x = ${many('[')}`, 'excessively nested'],
    [
      'codex',
      'with two commands',
      '[mcp_servers.a]\ncommand = "x"\ncommand = "y"',
      'line 3 is not valid TOML',
    ],
    ['codex', 'with a list of servers', '[[mcp_servers]]\ncommand = "x"', 'mcp_servers is not a table'],
    ['codex', 'without an end', 'x = """a', 'line 1 is not valid TOML'],
  ] as const)('of %s, %s', (client, _, text, message) => {
    expect(failureOf(() => wrap(client, text))).toContain(message);
    expect(failureOf(() => unwrap(client, text))).toContain(message);
  });

  test.each(['{', '"other"', '"x", "y"', '"x"}, "more": {"command": "x"'])(
    'if an edit would change anything else in it (%s)',
    (literal) => {
      const wrong = source('cursor', '{"mcpServers": {"a": {"command": "x"}}}');
      const format = { ...wrong.format, literalOf: () => literal };
      expect(failureOf(() => wrappedServers({ ...wrong, format }, [], WRAPPER))).toBe(
        'the file cannot be edited without changing something else in it',
      );
    },
  );

  test('for a server that it does not have, and for one that has a URL', () => {
    const text = '{"mcpServers": {"a": {"command": "x"}, "b": {"url": "https://b.example"}}}';
    expect(failureOf(() => wrap('cursor', text, ['c']))).toBe('the file has no server c');
    expect(failureOf(() => wrap('cursor', text, ['b']))).toContain('b cannot be wrapped: the client reaches');
    expect(failureOf(() => wrap('cursor', '{}', ['c']))).toBe('the file has no server c');
  });
});

describe('names and values of strangers', () => {
  test.each([
    '__proto__',
    'constructor',
    'toString',
    '',
    'a.b',
    '*',
    '\u202e',
    '"',
    "'",
    '\\',
    '\u0000',
    '💥',
  ])('the name %j of a server is a name like any other', (name) => {
    const json = JSON.stringify({ mcpServers: { other: { command: 'y' } } }).replace(
      '{"other"',
      `{${JSON.stringify(name)}: {"command": "x"}, "other"`,
    );
    expect(wrap('cursor', json, [name]).changed.map(({ path }) => path)).toEqual([['mcpServers', name]]);
    const toml = `[mcp_servers.${JSON.stringify(name)}]\ncommand = "x"\n[mcp_servers.other]\ncommand = "y"\n`;
    const changes = wrap('codex', toml, [name]);
    expect(changes.changed.map(({ path }) => path)).toEqual([['mcp_servers', name]]);
    expect(unwrap('codex', changes.text).changed[0]?.after).toEqual({ command: 'x', args: [] });
  });

  test('a file of 10 MB with histories is edited', () => {
    const history = Array.from({ length: 40_000 }, (_, index) => ({ display: 'x'.repeat(220), index }));
    const text = JSON.stringify({ history, mcpServers: { a: { command: 'x' } }, deep: '[' }, null, 2);
    expect(text.length).toBeGreaterThan(10_000_000);
    const list = '["mcp", "--agent=clerk", "--", "x"]';
    const line = `"command": "/usr/local/bin/countersign",\n      "args": ${list}`;
    expect(wrap('claude-code', text).text === text.replace('"command": "x"', line)).toBe(true);
  });
});

describe('for any configuration', () => {
  const words = fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 });
  const server = fc.record(
    {
      command: fc.string({ minLength: 1 }).filter((text) => !/^[^\s/\\]+\s/.test(text)),
      args: words,
      env: fc.dictionary(fc.string(), fc.string()),
      cwd: fc.string(),
    },
    { requiredKeys: ['command'] },
  );
  const configuration = fc.record({
    before: fc.jsonValue(),
    mcpServers: fc.dictionary(fc.string(), server, { maxKeys: 4 }),
    after: fc.jsonValue(),
  });

  test('JSON: wrapping and unwrapping give back all values, and a bare server gets an empty list', () => {
    fc.assert(
      fc.property(configuration, fc.constantFrom('', ' ', '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const wrapped = wrap('cursor', text);
        const back = JSON.parse(unwrap('cursor', wrapped.text).text);
        const expected = structuredClone(value);
        for (const one of Object.values(expected.mcpServers)) one.args ??= [];
        return Bun.deepEquals(back, JSON.parse(JSON.stringify(expected)));
      }),
      { numRuns: 150 },
    );
  });

  test('TOML: the same, with tables as the library writes them', () => {
    const toml = fc.record({
      mcp_servers: fc.dictionary(fc.string({ unit: 'grapheme' }), server, { maxKeys: 4 }),
      other: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), words)),
    });
    fc.assert(
      fc.property(toml, (value) => {
        const text = stringifyToml(value);
        const wrapped = wrap('codex', text);
        const back = parseToml(unwrap('codex', wrapped.text).text);
        const expected = parseToml(text);
        for (const one of Object.values(Object(expected.mcp_servers ?? {}))) Object(one).args ??= [];
        return Bun.deepEquals(back, expected);
      }),
      { numRuns: 150 },
    );
  });
});
