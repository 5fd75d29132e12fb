import { homedir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../platform/failure.ts';
import type { Format } from './configuration.ts';
import { JSON_FORMAT } from './json-format.ts';
import { TOML_FORMAT } from './toml-format.ts';

/** The MCP clients whose configuration files are known. */
export const CLIENTS = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex'] as const;
export type ClientName = (typeof CLIENTS)[number];

/** How a client is configured. */
interface Client {
  format: Format;
  /** Where its files list servers; `*` stands for any name. */
  groups: readonly (readonly string[])[];
  /** The file of this user. */
  userFile(places: Places): string;
  /** The file of a project, below its directory; null for a client without one. */
  projectFile: string | null;
}

/** Where a user's files are. */
export interface Places {
  home: string;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

const MCP_SERVERS = [['mcpServers']];

/** By the documentation of each client; docs/mcp-clients.md links it. */
const KNOWN: Readonly<Record<ClientName, Client>> = {
  'claude-code': {
    format: JSON_FORMAT,
    // The scopes user and local are one file; the latter has a member for each project.
    groups: [...MCP_SERVERS, ['projects', '*', 'mcpServers']],
    userFile: ({ home, env }) => join(env.CLAUDE_CONFIG_DIR || home, '.claude.json'),
    projectFile: '.mcp.json',
  },
  'claude-desktop': {
    format: JSON_FORMAT,
    groups: MCP_SERVERS,
    userFile: (places) => join(applicationDirectory(places), 'Claude', 'claude_desktop_config.json'),
    projectFile: null,
  },
  cursor: {
    format: JSON_FORMAT,
    groups: MCP_SERVERS,
    userFile: ({ home }) => join(home, '.cursor', 'mcp.json'),
    projectFile: join('.cursor', 'mcp.json'),
  },
  vscode: {
    format: JSON_FORMAT,
    groups: [['servers']],
    userFile: (places) => join(applicationDirectory(places), 'Code', 'User', 'mcp.json'),
    projectFile: join('.vscode', 'mcp.json'),
  },
  codex: {
    format: TOML_FORMAT,
    groups: [['mcp_servers']],
    userFile: ({ home, env }) => join(env.CODEX_HOME || join(home, '.codex'), 'config.toml'),
    projectFile: join('.codex', 'config.toml'),
  },
};

const here: Places = { home: homedir(), platform: process.platform, env: process.env };

/** Which file of a client a command works on. */
export interface FileOptions {
  configFile?: string;
  /** The directory of a project. */
  project?: string;
}

/** Returns how the files of a client are read. */
export const configurationOf = (client: ClientName): Pick<Client, 'format' | 'groups'> => KNOWN[client];

/**
 * Returns the path of the file that the options name, else of the file of the user.
 * @throws Failure (exit code 2) if the options name two files, or a project where the client has no such file
 */
export function configurationFile(
  client: ClientName,
  { configFile, project }: FileOptions,
  places: Places = here,
): string {
  if (configFile !== undefined && project !== undefined)
    throw new Failure('--config-file and --project name two files', 'name one', 2);
  if (configFile !== undefined) return configFile;
  const { projectFile, userFile } = KNOWN[client];
  if (project === undefined) return userFile(places);
  if (projectFile !== null) return join(project, projectFile);
  throw new Failure(`${client} has no configuration of a project`, 'omit --project', 2);
}

/** Returns the directory in which applications keep what they know of a user. */
function applicationDirectory({ home, platform, env }: Places): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  return env.XDG_CONFIG_HOME || join(home, '.config');
}
