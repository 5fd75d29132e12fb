import { Command, Option } from 'commander';
import { examples, GROUPS } from '../../../platform/command-help.ts';
import { captureOptions } from '../options.ts';
import type { OpenLocal } from '../services.ts';
import type { HookOptions } from './hook.ts';

/**
 * Returns the command `hook`, which records the calls that an agent's own hooks report.
 * @param openLocal opens the service of --local
 */
export function hookCommand(openLocal: OpenLocal): Command {
  const command = new Command('hook')
    .description("record the tool calls that an agent's hooks report")
    .helpGroup(GROUPS.capture)
    .helpCommand(false)
    .addHelpText('after', examples(['Record an event of Claude Code', 'countersign hook claude-code']));
  const claudeCode = command
    .command('claude-code')
    .description(
      'record an event of Claude Code, which is on standard input as JSON; it prints nothing, and ends with 0 within a second',
    )
    .option(
      '--include-mcp <server>',
      'record the tools of this MCP server, too; by default none, because countersign mcp records them; can be repeated',
      (server: string, before: string[] = []) => [...before, server],
    )
    .addOption(
      new Option(
        '--on-failure <what>',
        'what becomes of a call without a receipt: it is made, or it is blocked with exit code 2',
      )
        .choices(['pass', 'block'])
        .default('pass'),
    );
  for (const option of captureOptions()) claudeCode.addOption(option);
  claudeCode
    .addHelpText(
      'after',
      examples(['Record an event with a login context', 'countersign hook claude-code --context prod']),
    )
    .action(async (options: HookOptions) => {
      const { runHook } = await import('./hook.ts');
      await runHook(options, openLocal);
    });
  return command;
}
