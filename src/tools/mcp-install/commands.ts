import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, Command, Option } from 'commander';
import { Contexts } from '../../platform/client/contexts.ts';
import { examples } from '../../platform/command-help.ts';
import { Failure } from '../../platform/failure.ts';
import { requireFile } from '../../platform/files/read.ts';
import { writeOut } from '../../platform/terminal/output.ts';
import { DOMAINS } from '../../proof/receipt/receipt.ts';
import { CLIENTS, type ClientName } from './clients.ts';

/** The options that say which file and which servers. */
interface FileFlags {
  server?: string[];
  configFile?: string;
  project?: string;
  yes?: true;
}

/** The options that the wrapper of each server gets. */
interface WrapperFlags {
  context?: string;
  local?: string;
  agent?: string;
  agentKey?: string;
  domain?: string;
  keep?: string;
  onFailure?: string;
}

/** Returns the command `install`, which wraps the servers of an MCP client. */
export function mcpInstallCommand(): Command {
  return forFile(
    new Command('install')
      .summary('wrap the servers of an MCP client')
      .description(
        'wrap the servers in the configuration of an MCP client: each is started by countersign mcp, which makes a receipt of each call',
      ),
  )
    .addOption(new Option('--context <name>', 'the login context of the receipts (default: the current one)'))
    .addOption(
      new Option('--local <directory>', 'make the receipts in this directory, without a service').conflicts(
        'context',
      ),
    )
    .option('--agent <name>', 'the agent that the receipts name (default: the name of the client)')
    .addOption(
      new Option('--agent-key <file>', 'the key of the agent, which signs evidence of each call').conflicts(
        'agent',
      ),
    )
    .addOption(new Option('--domain <domain>', 'the domain of the receipts').choices(DOMAINS))
    .option('--keep <directory>', 'keep arguments and results there; receipts have only their digests')
    .addOption(
      new Option('--on-failure <what>', 'what becomes of a call when no receipt can be made').choices([
        'pass',
        'block',
      ]),
    )
    .addHelpText(
      'after',
      `
What is written is the path of this program, the options above, and the former command behind --.
No key is written: the wrapper reads the login context. env, cwd and everything else stay as they
are, and so do servers with a URL. Close the client first, and start it again afterwards.
${examples(
  ['Show the change, and ask', 'countersign mcp install claude-code'],
  [
    'Wrap one server of a project, and keep the receipts on this machine',
    'countersign mcp install cursor --project . --server github --local receipts --yes',
  ],
)}`,
    )
    .action(async (client: ClientName, flags: FileFlags & WrapperFlags) => {
      const options = wrapperOptions(flags);
      const { install } = await import('./install.ts');
      await writeOut(await install(request(client, flags), { executable: executablePath(), options }));
    });
}

/** Returns the command `uninstall`, which takes back what `install` did. */
export function mcpUninstallCommand(): Command {
  return forFile(
    new Command('uninstall')
      .summary('unwrap the servers of an MCP client')
      .description('unwrap the servers in the configuration of an MCP client'),
  )
    .addHelpText(
      'after',
      `
A file that is as install left it gets its former bytes back. In any other, only the servers that
countersign mcp starts are changed.
${examples(['Show the change, and ask', 'countersign mcp uninstall claude-code'])}`,
    )
    .action(async (client: ClientName, flags: FileFlags) => {
      const { uninstall } = await import('./install.ts');
      await writeOut(await uninstall(request(client, flags), executablePath()));
    });
}

function forFile(command: Command): Command {
  return command
    .addArgument(new Argument('<client>', 'the MCP client').choices(CLIENTS))
    .option(
      '--server <name>',
      'only the server with this name; may be repeated',
      (name: string, names: string[] = []) => [...names, name],
    )
    .option('--config-file <file>', 'the configuration file (default: the one of this user)')
    .option('--project <directory>', 'the configuration file of the project in this directory')
    .option('--yes', 'do not show the change, and do not ask');
}

function request(client: ClientName, { server = [], configFile, project, yes }: FileFlags) {
  return {
    client,
    servers: server,
    isConfirmed: yes === true,
    ...(configFile !== undefined && { configFile: resolve(configFile) }),
    ...(project !== undefined && { project: resolve(project) }),
  };
}

/**
 * Returns the options of the wrapper, one word each. Paths are absolute: clients start servers anywhere.
 * @throws Failure for an unknown context, one of another service, none, and a missing key file
 */
function wrapperOptions(flags: WrapperFlags): string[] {
  const { context, local, agent, agentKey, domain, keep, onFailure } = flags;
  if (local === undefined) requireTrustContext(context ?? new Contexts().current());
  if (agentKey !== undefined) requireFile(agentKey);
  const values = {
    context,
    local: local === undefined ? undefined : resolve(local),
    agent,
    'agent-key': agentKey === undefined ? undefined : resolve(agentKey),
    domain,
    keep: keep === undefined ? undefined : resolve(keep),
    'on-failure': onFailure,
  };
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
}

/** Without a service, the wrapper does not start, and the client has no servers. */
function requireTrustContext(name: string | null): void {
  if (name === null)
    throw new Failure(
      'there is no login context in which receipts can be made',
      'log in with countersign login, or add --local with a directory',
      2,
    );
  const { service } = new Contexts().read(name);
  if (service !== 'trust')
    throw new Failure(`the context ${name} is of the ${service} service`, 'receipts need a trust service', 2);
}

/**
 * Returns the path by which clients can start this program: the one on the PATH if it is this program, which
 * stays when a new version is installed, else that of the file.
 * @throws Failure if this program runs from its sources
 */
function executablePath(): string {
  if (!Bun.main.startsWith('/$bunfs/') && !/^[A-Z]:[/\\]~BUN/i.test(Bun.main))
    throw new Failure(
      'this program runs from its sources',
      'build the executable, and use it: bun run build',
    );
  const onPath = Bun.which('countersign');
  return onPath !== null && realpathSync(onPath) === realpathSync(process.execPath)
    ? resolve(onPath)
    : process.execPath;
}
