import { quoted } from '../../platform/terminal/shell-word.ts';
import type { CommandWords, Values } from './words.ts';

/**
 * Returns a shell's completion script for the commands of a program. The first command is the program itself.
 */
type Script = (all: readonly CommandWords[]) => string;

/** The patterns of a shell `case` and their code. */
type Case = readonly [patterns: readonly string[], code: string];

/**
 * They find the command in the words of the line, and offer its completions. They run and evaluate nothing.
 */
export const scripts: Readonly<Record<'bash' | 'zsh' | 'fish', Script>> = {
  bash: (all) => `# Completion of countersign for bash. In ~/.bashrc: source <(countersign completion bash)
_countersign() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at='' words='' options='' index
  # Bash makes three words of --option=value.
  if [[ $current == = ]]; then current=''
  elif [[ $previous == = && COMP_CWORD -gt 1 ]]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at \${COMP_WORDS[index]}" in
      ${patterns(followedPaths(all))}) at="$at \${COMP_WORDS[index]}" ;;
    esac
  done
  COMPREPLY=()
  case "$at $previous" in
${casesText([
  ...valueCases(all, (words) => `COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$current")); return`),
  ...openCases(all, 'return'),
])}
  esac
  case $at in
${casesText(all.map(({ path, options, values }) => [[at(path)], [`options=${quoted(options.flatMap(({ names }) => names).join(' '))}`, ...(isWords(values) ? [`words=${quoted(values.join(' '))}`] : [])].join('; ')]))}
  esac
  [[ $current == -* ]] && words=$options
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
# Where no word fits, bash offers file names.
complete -o bashdefault -o default -F _countersign countersign
`,

  zsh: (all) => `#compdef countersign
# Completion of countersign for zsh. In ~/.zshrc, below compinit: source <(countersign completion zsh)
_countersign() {
  local at='' word previous=\${words[CURRENT-1]}
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      (${patterns(followedPaths(all))}) at="$at $word" ;;
    esac
  done
  if [[ $PREFIX == --*=* ]]; then
    previous=\${PREFIX%%=*}
    compset -P 1 '*='
  fi
  case "$at $previous" in
${casesText(
  [
    ...valueCases(all, (words) => `compadd -- ${words.map(quoted).join(' ')}; return`),
    ...openCases(all, '_files; return', 'files'),
    ...openCases(all, 'return', 'nothing'),
  ],
  '(',
)}
  esac
  case $at in
${casesText(
  all.map(({ path, commands, options, values }) => [
    [at(path)],
    [
      `options=(${options.flatMap(({ names, description }) => names.map((name) => described(name, description))).join(' ')})`,
      ...(commands.length > 0
        ? [`commands=(${commands.map(({ name, description }) => described(name, description)).join(' ')})`]
        : isWords(values)
          ? [`commands=(${values.map(quoted).join(' ')})`]
          : []),
    ].join('; '),
  ]),
  '(',
)}
  esac
  if [[ $PREFIX == -* ]]; then _describe -o option options
  elif (( $#commands )); then _describe command commands
  else
    case $at in
${casesText([[all.flatMap(({ path, values }) => (values === 'files' ? [at(path)] : [])), '_files']], '(')}
    esac
  fi
}
if [[ $funcstack[1] == _countersign ]]; then _countersign "$@"; else compdef _countersign countersign; fi
`,

  fish: (
    all,
  ) => `# Completion of countersign for fish. It belongs in ~/.config/fish/completions/countersign.fish
function __countersign_at
    set -l at ''
    for word in (commandline -opc)[2..-1]
        switch "$at $word"
            case ${followedPaths(all).map(fishQuoted).join(' ')}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c countersign -f
${all.flatMap(fishLines).join('\n')}
`,
};

/** Formats a command's path for the scripts: a space before each word. */
function at(path: string): string {
  return path === '' ? '' : ` ${path}`;
}

/** Returns the paths of all commands except the program. */
function followedPaths(all: readonly CommandWords[]): string[] {
  return all.flatMap(({ path }) => (path === '' ? [] : [at(path)]));
}

/** Returns the cases for the options of all commands whose value is one of a list of words. */
function valueCases(all: readonly CommandWords[], code: (words: readonly string[]) => string): Case[] {
  return all.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      isWords(value) ? [[names.map((name) => `${at(path)} ${name}`), code(value)] as const] : [],
    ),
  );
}

/** Returns the cases for the options of all commands with other values: all cases, or only one sort. */
function openCases(all: readonly CommandWords[], code: string, sort?: 'files' | 'nothing'): Case[] {
  const words = all.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value !== null && !isWords(value) && (sort === undefined || value === sort))
      .flatMap(({ names }) => names.map((name) => `${at(path)} ${name}`)),
  );
  return [[words, code]];
}

function isWords(values: Values | null): values is readonly string[] {
  return Array.isArray(values);
}

/** Formats the cases. `open`: the parenthesis that zsh requires before a pattern within functions. */
function casesText(cases: readonly Case[], open = ''): string {
  return cases
    .filter(([words]) => words.length > 0)
    .map(([words, code]) => `    ${open}${patterns(words)}) ${code} ;;`)
    .join('\n');
}

function patterns(words: readonly string[]): string {
  return words.map(quoted).join('|');
}

/** Formats a word and its description for \`_describe\` of zsh. */
function described(word: string, description: string): string {
  return quoted(`${word.replaceAll(':', '\\:')}:${description}`);
}

function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

function fishLines({ path, commands, options, values }: CommandWords): string[] {
  const start = `complete -c countersign -n ${fishQuoted(`__countersign_at "${at(path)}"`)}`;
  const argumentLines =
    commands.length > 0 ? [] : isWords(values) ? [`${start} -a ${fishQuoted(values.join(' '))}`] : [];
  return [
    ...commands.map(({ name, description }) => `${start} -a ${name} -d ${fishQuoted(description)}`),
    ...argumentLines,
    ...(values === 'files' ? [`${start} -F`] : []),
    ...options.map(({ names, description, value }) => {
      const flags = names.map((name) =>
        name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
      );
      return `${start} ${flags.join(' ')} -d ${fishQuoted(description)}${fishValue(value)}`;
    }),
  ];
}

function fishValue(value: Values | null): string {
  if (value === null) return '';
  if (value === 'files') return ' -r -F';
  return isWords(value) ? ` -x -a ${fishQuoted(value.join(' '))}` : ' -x';
}
