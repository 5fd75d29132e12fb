import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { capabilities } from '../../../src/commands/capabilities.ts';
import { createProgram } from '../../../src/commands/program.ts';
import { GROUPS } from '../../../src/platform/command-help.ts';

/** A program whose commands do nothing but note that they were called, and what they wrote. */
async function noted(words: readonly string[] = []): Promise<{ program: Command; written: string[] }> {
  const program = await createProgram(capabilities, words);
  const written: string[] = [];
  for (const command of withAllBelow(program)) {
    const write = (text: string) => void written.push(text);
    command.configureOutput({ writeOut: write, writeErr: write, outputError: write });
  }
  return { program, written };
}

function withAllBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withAllBelow)];
}

/** The help of a command with all its texts. */
function helpOf(command: Command): string {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => void parts.push(part), getOutHelpWidth: () => 80 });
  command.outputHelp();
  return parts.join('');
}

function reviewedHelp(name: string): string {
  return readFileSync(join(import.meta.dir, 'help', `${name.replaceAll(' ', '-')}.txt`), 'utf8');
}

/** The words of a command line, without quotes and redirections. */
function wordsOf(line: string): string[] {
  const [before = ''] = line.split(' > ');
  return [...before.matchAll(/'([^']*)'|"([^"]*)"|\S+/g)].map(
    ([word, single, double]) => single ?? double ?? word,
  );
}

const EXAMPLE = /^ {2}(?:source <\()?(countersign .*?)\)?$/gm;
const all = withAllBelow(await createProgram(capabilities)).slice(1);
const shown = all.map((command) => ({
  command,
  name: pathOf(command),
  examples: [...helpOf(command).matchAll(EXAMPLE)].map(([, line = '']) => line),
}));

function pathOf(command: Command): string {
  return command.parent?.parent == null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

describe('the help', () => {
  test.each(shown.map(({ command, name }) => [name, command] as const))(
    'of %s describes the command, its arguments and its options, and was reviewed',
    (name, command) => {
      const { options, registeredArguments } = command;
      expect(command.description()).not.toBe('');
      for (const { description } of [...options, ...registeredArguments]) expect(description).not.toBe('');
      expect(helpOf(command)).toBe(reviewedHelp(name));
    },
  );

  test.each(shown.map(({ name, examples }) => [name, examples] as const))(
    'of %s has one to three examples of it, which have all that it requires',
    async (name, examples) => {
      expect([1, 2, 3]).toContain(examples.length);
      for (const line of examples) {
        expect(`${line} `).toStartWith(`countersign ${name} `);
        const { program } = await noted();
        const called: string[] = [];
        for (const command of withAllBelow(program)) {
          // All but a command that has others below it, which does nothing itself without an argument of its own.
          if (command.commands.length === 0 || command.registeredArguments.length > 0)
            command.action(() => void called.push(pathOf(command)));
        }
        await program.parseAsync(wordsOf(line).slice(1), { from: 'user' });
        expect(`${called.join()} `).toStartWith(`${name} `);
      }
    },
  );

  test('of the program was reviewed, and nothing that no longer is a command', async () => {
    expect(helpOf(await createProgram(capabilities))).toBe(reviewedHelp('countersign'));
    const files = readdirSync(join(import.meta.dir, 'help'));
    expect(files.length).toBe(shown.length + 1);
  });

  test('of the program lists every command in one of the groups, in their order', async () => {
    const program = await createProgram(capabilities);
    const headings = [...helpOf(program).matchAll(/^(\S.*:)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Options:', ...Object.values(GROUPS)]);
  });

  test.each([
    [[], 'Usage: countersign [options] [command]'],
    [['verify'], 'Usage: countersign verify [options] [file]'],
    [['keys'], 'Usage: countersign keys [options] [command]'],
    [['keys', 'backup'], 'Usage: countersign keys backup [options] <file>'],
    [['operators', 'keys', 'list'], 'Usage: countersign operators keys list [options] <operator>'],
    [['help'], 'Usage: countersign help [options] [command...]'],
    [['verify', 'receipt.json'], 'Usage: countersign verify [options] [file]'],
  ])('of %p is shown by the command help', async (words, usage) => {
    const { program, written } = await noted(['help', ...words]);
    const ended = program.parseAsync(['help', ...words], { from: 'user' });
    await expect(ended).rejects.toMatchObject({ exitCode: 0 });
    expect(written.join('')).toStartWith(usage);
  });

  test.each([
    [['help', 'verfy'], 'verify'],
    [['help', 'keys', 'bakup'], 'backup'],
    [['verfy'], 'verify'],
    [['keys', 'bakup'], 'backup'],
    [['operators', 'keys', 'lst'], 'list'],
    [['serve', '--prot', '1'], '--port'],
  ])('names what is similar to an unknown word of %p', async (words, similar) => {
    const { program, written } = await noted(words);
    const error: unknown = await program.parseAsync(words, { from: 'user' }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(CommanderError);
    expect(error).not.toMatchObject({ exitCode: 0 });
    expect(written.join('')).toContain(`Did you mean ${similar}?`);
  });
});

test.each([
  [['serve'], ['serve']],
  [
    ['help', 'serve'],
    ['serve', 'help'],
  ],
  [['version', 'help'], ['version']],
  [['credits', 'show'], ['credits']],
  [['recover'], ['log', 'recover']],
  [['operators', 'link'], ['operators']],
])('of the command line %p the program has only the commands %p', async (words, names) => {
  const { commands } = await createProgram(capabilities, words);
  expect(commands.map((command) => command.name())).toEqual(names);
});
