import { describe, expect, test } from 'bun:test';
import { Argument, Command, Option } from 'commander';
import { scripts } from '../../../src/commands/completion/scripts.ts';
import { commandWords } from '../../../src/commands/completion/words.ts';

/** A program with a command of every sort, and descriptions that a shell would obey if it could. */
function program(): Command {
  const all = new Command('countersign').version('1.0.0', '-V, --version', 'print the version');
  all.helpCommand(false);
  const read = all.command('read').description("read a 'file' \\ of $HOME; and more");
  read.argument('<file>').option('--from <file|url>', 'where it is').option('--loud', 'aloud');
  read.option('--color [on|off]', 'in colors').option('--port <number>', 'the port');
  const things = all.command('things').description('work with things').helpCommand(false);
  const move = things.command('move').description('move one').argument('<id>');
  move.addArgument(new Argument('<place>').choices(['here', 'there']));
  move.addOption(new Option('-s, --size <size>', 'how large').choices(['small', 'large']));
  all.addCommand(new Command('former').description('the former name'), { hidden: true });
  all.command('help').argument('[command...]').description('show the help');
  return all;
}

const words = commandWords(program());

/** What bash offers for the last of some words. */
function offered(...line: string[]): string[] {
  const quoted = ['countersign', ...line].map((word) => `'${word}'`).join(' ');
  const script = `${scripts.bash(words)}
COMP_WORDS=(${quoted}); COMP_CWORD=${line.length}; _countersign; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { exitCode, stdout, stderr } = Bun.spawnSync(['bash', '--norc', '-c', script]);
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
  return stdout.toString().split('\n').filter(Boolean);
}

describe('bash completes', () => {
  test.each([
    ['commands', [''], ['read', 'things', 'help']],
    ['a command that was begun', ['th'], ['things']],
    ['options of the program', ['-'], ['-V', '--version', '-h', '--help']],
    ['commands below a command', ['things', ''], ['move']],
    ['options of a command', ['read', '--'], ['--from', '--loud', '--color', '--port', '--help']],
    ['options behind an argument', ['read', 'a.json', '--l'], ['--loud']],
    ['options behind a value that is the name of a command', ['read', '--port', 'things', '--l'], ['--loud']],
    ['the words that a placeholder has', ['read', '--color', ''], ['on', 'off']],
    ['choices of an option', ['things', 'move', 'x', '--size', ''], ['small', 'large']],
    ['choices of an option by its letter', ['things', 'move', 'x', '-s', 'l'], ['large']],
    ['choices behind an equals sign', ['things', 'move', '--size', '=', 's'], ['small']],
    ['choices right behind an equals sign', ['things', 'move', '--size', '='], ['small', 'large']],
    ['choices of an argument', ['things', 'move', 'x', 't'], ['there']],
    ['commands behind help', ['help', 'r'], ['read']],
    // Nothing of ours: bash offers file names.
    ['no word for a file', ['read', ''], []],
    ['no word for a file of an option', ['read', '--from', ''], []],
    ['nothing behind an unknown command', ['nope', 'th'], ['things']],
  ])('%s', (_what, line, expected) => {
    expect(offered(...line)).toEqual(expected);
  });
});

describe('the script for', () => {
  test.each(['bash', 'zsh', 'fish'] as const)(
    '%s is valid for the shell, where that is installed',
    (shell) => {
      if (Bun.which(shell) === null) return;
      const { exitCode, stderr } = Bun.spawnSync([shell, '-n'], {
        stdin: Buffer.from(scripts[shell](words)),
      });
      expect([exitCode, stderr.toString()]).toEqual([0, '']);
    },
  );

  test('zsh has commands and options with their descriptions, escaped', () => {
    const script = scripts.zsh(words);
    expect(script).toStartWith('#compdef countersign\n');
    expect(script).toContain(
      "commands=('read:read a '\\''file'\\'' \\ of $HOME' 'things:work with things' 'help:show the help')",
    );
    expect(script).toContain(
      "(' things move -s'|' things move --size') compadd -- 'small' 'large'; return ;;",
    );
    expect(script).toContain("(' read --from') _files; return ;;");
    expect(script).toContain("(' read --port') return ;;");
  });

  test('fish has commands and options with their descriptions, escaped', () => {
    const lines = scripts.fish(words).split('\n');
    expect(lines).toContain(
      "complete -c countersign -n '__countersign_at \"\"' -a read -d 'read a \\'file\\' \\\\ of $HOME'",
    );
    expect(lines).toContain(
      "complete -c countersign -n '__countersign_at \" things move\"' -s s -l size -d 'how large' -x -a 'small large'",
    );
    expect(lines).toContain(
      "complete -c countersign -n '__countersign_at \" read\"' -l from -d 'where it is' -r -F",
    );
    expect(lines).toContain('complete -c countersign -n \'__countersign_at " read"\' -F');
  });
});
