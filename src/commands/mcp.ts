import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';
import { mcpInstallCommand, mcpUninstallCommand } from '../tools/mcp-install/commands.ts';
import { mcpServeCommand } from '../tools/mcp-server/commands.ts';
import { version } from './version.ts';

/** Returns the command `mcp`, whose subcommands are for MCP clients. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description('make receipts of the tool calls of MCP clients')
    .helpGroup(GROUPS.agents)
    .helpCommand(false)
    .addHelpText('after', examples(['Wrap the servers of a client', 'countersign mcp install claude-code']))
    .addCommand(mcpInstallCommand())
    .addCommand(mcpUninstallCommand())
    .addCommand(mcpServeCommand(version));
}
