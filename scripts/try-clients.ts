/**
 * Tries `countersign mcp install` and `countersign hook` with MCP clients themselves, of the npm registry:
 *
 *     bun scripts/try-clients.ts DIRECTORY
 *
 * installs them there (a gigabyte), and prints what each recorded. A program plays the model, so it needs
 * neither an account nor a network. The executable must be built.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXECUTABLE, scratch } from '../test/support/process.ts';
import { anthropicModel, type Model, openaiModel, type ToolCall } from './clients/model.ts';
import { ROOT } from './sources.ts';

const SERVER = ['bun', join(ROOT, 'test/support/mcp/server-v1.ts')];
const RECEIPTS = 'receipts';
const LONGEST_MS = 120_000;

/** A client that is tried. */
interface Client {
  /** Its name for `mcp install`. */
  name: string;
  package: string;
  command: string;
  /** The calls that the model asks for: one that succeeds, and one that fails. */
  calls: readonly ToolCall[];
  play(calls: readonly ToolCall[]): Model;
  /** The file that `mcp install` changes, below the home directory. */
  file: string;
  /** Writes what the client must know of the model. @returns its environment */
  configure(home: string, model: Model): Record<string, string>;
  prompt: readonly string[];
  /** What must have been recorded: scope and status of each receipt. */
  expected: readonly string[];
}

const OF_SERVER = ['mcp:tools:echo success', 'mcp:tools:fail terminal', 'session:tools success'];

const CLIENTS: readonly Client[] = [
  {
    name: 'claude-code',
    package: '@anthropic-ai/claude-code@2.1.197',
    command: 'claude',
    calls: [
      { name: 'mcp__tools__echo', input: { city: 'Berlin' } },
      { name: 'mcp__tools__fail', input: {} },
      { name: 'Bash', input: { command: 'echo hello', description: 'greets' } },
      { name: 'Bash', input: { command: 'exit 3', description: 'fails' } },
      { name: 'Write', input: { file_path: 'denied.txt', content: '' } },
    ],
    play: anthropicModel,
    file: '.claude.json',
    configure(home, { url }) {
      const hooks = [
        { type: 'command', command: `${EXECUTABLE} hook claude-code --local ${home}/${RECEIPTS}` },
      ];
      const ofTools = [{ matcher: '*', hooks }];
      mkdirSync(join(home, '.claude'));
      writeFileSync(
        join(home, '.claude/settings.json'),
        JSON.stringify({
          hooks: {
            ...{ PreToolUse: ofTools, PostToolUse: ofTools, PostToolUseFailure: ofTools },
            ...{ PermissionDenied: ofTools, SessionEnd: [{ hooks }] },
          },
        }),
      );
      return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none', DISABLE_TELEMETRY: '1' };
    },
    prompt: ['-p', 'Use the tools', '--allowedTools', 'mcp__tools', 'Bash(echo:*)', 'Bash(exit:*)'],
    expected: [
      ...OF_SERVER,
      ...['hook:Bash success', 'hook:Bash terminal', 'hook:Write null', 'session:claude-code success'],
    ],
  },
  {
    name: 'codex',
    package: '@openai/codex@0.171.0',
    command: 'codex',
    calls: ['echo', 'fail'].map((name) => ({ name, namespace: 'mcp__tools', input: {} })),
    play: openaiModel,
    file: '.codex/config.toml',
    configure(home, { url }) {
      mkdirSync(join(home, '.codex'));
      writeFileSync(
        join(home, '.codex/config.toml'),
        'model = "played"\nmodel_provider = "played"\n\n[model_providers.played]\nname = "played"\n' +
          `base_url = "${url}/v1"\nwire_api = "responses"\n`,
      );
      return {};
    },
    prompt: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', 'Use the tools'],
    expected: OF_SERVER,
  },
];

async function tried(directory: string, client: Client): Promise<void> {
  const { path: home, dispose } = scratch();
  const model = client.play(client.calls);
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: join(home, 'state') };
  const file = join(home, client.file);
  const contents = () => readFileSync(file, 'utf8');
  try {
    Object.assign(env, client.configure(home, model));
    const run = (...command: string[]) => output(command, home, env);
    const command = join(directory, 'node_modules/.bin', client.command);
    await run(command, 'mcp', 'add', 'tools', '--', ...SERVER);
    const before = contents();
    await run(EXECUTABLE, 'mcp', 'install', client.name, '--local', join(home, RECEIPTS), '--yes');
    const installed = contents();
    if (!(await run(command, 'mcp', 'list')).includes(EXECUTABLE))
      throw new Error('the client does not list it');
    await run(command, ...client.prompt);
    const wasKept = contents() === installed;
    await run(EXECUTABLE, 'mcp', 'uninstall', client.name, '--yes');
    if (wasKept && contents() !== before) throw new Error('uninstall did not restore the file');
    if ((await run(command, 'mcp', 'list')).includes(EXECUTABLE)) throw new Error('it is still wrapped');
    const receipts = (await run(EXECUTABLE, 'receipts', 'export', '--data', join(home, RECEIPTS)))
      .trimEnd()
      .split('\n')
      .map((line): { authority_scope: string; status: string } => JSON.parse(line))
      .map(({ authority_scope, status }) => `${authority_scope} ${status}`);
    const [found, expected] = [receipts, client.expected].map((all) => all.toSorted().join('\n'));
    if (found !== expected) throw new Error(`it recorded:\n${found}`);
    process.stdout.write(`${client.package}: ${receipts.join(', ')}\n`);
  } finally {
    await model.stop();
    dispose();
  }
}

/** Runs a command to its end. @returns what it wrote @throws Error if it fails */
async function output(command: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = Bun.spawn(command, {
    cwd,
    env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: LONGEST_MS,
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${command.join(' ')}: ${code}\n${stdout}${stderr}`);
  return stdout;
}

const [argument] = process.argv.slice(2);
if (argument === undefined) {
  process.stderr.write('usage: bun scripts/try-clients.ts DIRECTORY\n');
  process.exit(2);
}
const directory = resolve(argument);
mkdirSync(directory, { recursive: true });
const packages = CLIENTS.map((client) => client.package);
await output(
  ['npm', 'install', '--no-audit', '--no-fund', '--prefix', directory, ...packages],
  directory,
  process.env,
);
// npm runs no scripts of packages: this one puts the program of the machine in its place.
await output(['node', 'node_modules/@anthropic-ai/claude-code/install.cjs'], directory, process.env);
for (const client of CLIENTS) await tried(directory, client);
