import { Argument, Command } from 'commander';
import { examples, GROUPS } from '../platform/command-help.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Returns the command `completion`, which prints a shell script for Tab completion. */
export function completionCommand(): Command {
  return new Command('completion')
    .description('print a script that completes commands and options with the Tab key')
    .helpGroup(GROUPS.program)
    .addHelpText(
      'after',
      examples(
        ['Enable completion in this shell (bash or zsh)', 'source <(countersign completion bash)'],
        [
          'Enable completion in every new fish shell',
          'countersign completion fish > ~/.config/fish/completions/countersign.fish',
        ],
      ),
    )
    .addHelpText(
      'after',
      `
To enable it in every new bash or zsh, add the first example to ~/.bashrc or ~/.zshrc, with the name of
the shell. In zsh, put it below compinit. In fish, run the command again after an upgrade.`,
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action(async (shell: Shell, _options: object, self: Command) => {
      const program = self.parent ?? self;
      const { commandWords } = await import('./completion/words.ts');
      const { scripts } = await import('./completion/scripts.ts');
      process.stdout.write(scripts[shell](commandWords(program)));
    });
}
