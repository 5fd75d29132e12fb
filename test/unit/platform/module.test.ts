import { expect, test } from 'bun:test';
import { moduleLoader } from '../../../src/platform/module.ts';

/** Returns the loader of three modules, and the names of those that it has loaded. */
async function loading() {
  const loaded: string[] = [];
  const moduleOf = (name: string, text: string | null) => ({
    name,
    ...(text === null ? {} : { descriptions: async () => ({ default: text }) }),
    async server() {
      loaded.push(name);
      return { server: {} };
    },
  });
  const loader = await moduleLoader([
    moduleOf('notes', '## listNotes\n\nLists notes.\n\n## dropNotes (local)\n\nDrops notes.\n'),
    moduleOf('files', '## listFiles\r\n\r\nLists files. See\n## listNotesOfFile\n\nLists notes.\n'),
    moduleOf('plain', null),
  ]);
  return { loader, loaded };
}

test.each([
  ['an operation', 'listNotes', ['notes']],
  ['a local operation', 'dropNotes', ['notes']],
  ['an operation in a text with line ends of Windows', 'listFiles', ['files']],
  ['an operation whose name begins as another', 'listNotesOfFile', ['files']],
  ['the beginning of a name', 'list', ['notes', 'files', 'plain']],
  ['an operation that no module describes', 'listOthers', ['notes', 'files', 'plain']],
])('%s loads the modules that describe it, and all if none does', async (_case, operation, expected) => {
  const { loader, loaded } = await loading();
  expect((await loader.describing(operation)).map(({ name }) => name)).toEqual(expected);
  expect(loaded).toEqual(expected);
});
