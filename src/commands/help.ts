import { Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';

/** Returns the command `help`, for the program or a command: `help keys backup` is `keys backup --help`. */
export function helpCommand(): Command {
  return new Command('help')
    .description('show the help of a command')
    .helpGroup(GROUPS.program)
    .addHelpText('after', examples(['Show the help of keys backup', 'countersign help keys backup']))
    .argument('[command...]', 'the command; without it, all commands are listed')
    .action(async (names: readonly string[], _options: object, self: Command) => {
      const program = self.parent ?? self;
      let command = program;
      for (const [index, name] of names.entries()) {
        const next = command.commands.find((one) => one.name() === name);
        if (next === undefined && command.commands.length > 0) {
          // A command with subcommands does nothing itself: parsing ends with its error and similar names.
          await program.parseAsync(names.slice(0, index + 1), { from: 'user' });
        }
        command = next ?? command;
      }
      command.help();
    });
}
