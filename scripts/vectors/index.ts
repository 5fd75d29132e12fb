import { parseArgs } from 'node:util';
import { differencesIn, OWN_DIRECTORIES, writeDirectory, writeSamples } from './directories.ts';

const USAGE = `usage: bun scripts/vectors [--check | --sample] [DIRECTORY …]
Writes our own directories of test/vectors, or the named ones.
  --check   write nothing; print the files that differ, and exit with 1 if there are any
  --sample  first take new genuine statements and a new genuine scorecard from a running service
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    sample: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !OWN_DIRECTORIES.includes(name));
if (values.help || unknown.length > 0 || (values.check && values.sample)) {
  const problem = unknown.length > 0 ? `unknown directories: ${unknown.join(', ')}\n` : '';
  process.stderr.write(`${problem}${USAGE}`);
  process.exit(values.help ? 0 : 2);
}

if (values.sample) await writeSamples();
let differing = 0;
for (const directory of positionals.length > 0 ? positionals : OWN_DIRECTORIES) {
  if (values.check) {
    const names = await differencesIn(directory);
    for (const name of names) process.stdout.write(`test/vectors/${directory}/${name}\n`);
    differing += names.length;
  } else await writeDirectory(directory);
}
process.exitCode = differing > 0 ? 1 : 0;
