import { Command } from 'commander';
import { wrapCommand, wrapsServer } from '../tools/capture/mcp/commands.ts';
import type { OpenLocal } from '../tools/capture/services.ts';
import { version } from './version.ts';

/** The commands of `mcp`, by name. They come first in the command line: behind `--`, a word is the server. */
const SUBCOMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  install: async () => (await import('../tools/mcp-install/commands.ts')).mcpInstallCommand(),
  uninstall: async () => (await import('../tools/mcp-install/commands.ts')).mcpUninstallCommand(),
  serve: async () => (await import('../tools/mcp-server/commands.ts')).mcpServeCommand(version),
};

/** Returns the command `mcp`: it wraps a server, or has a subcommand. @param words what follows `mcp` */
export async function mcpCommand(openLocal: OpenLocal, words: readonly string[]): Promise<Command> {
  const hasServer = wrapsServer(words, Object.keys(SUBCOMMANDS));
  if (hasServer) return wrapCommand(openLocal, hasServer);
  // The options of a subcommand have the names of the wrapper's, which would take them.
  const isSubcommand = Object.hasOwn(SUBCOMMANDS, words[0] ?? '');
  const command = isSubcommand ? new Command('mcp') : wrapCommand(openLocal, hasServer);
  for (const load of Object.values(SUBCOMMANDS)) command.addCommand(await load());
  return command;
}
