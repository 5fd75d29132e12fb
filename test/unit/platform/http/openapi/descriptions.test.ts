import { describe, expect, test } from 'bun:test';
import { Elysia } from 'elysia';
import {
  checkDescriptions,
  parseDescriptions,
  withValues,
} from '../../../../../src/platform/http/openapi/descriptions.ts';
import { descriptionsOf } from '../../../../../src/platform/module.ts';

const parse = (markdown: string) => parseDescriptions(markdown, 'notes/api.md');
const section = (operation: string, description = 'Stores it.') =>
  `## ${operation}\n\nKeep a note\n\n${description}\n`;
const texts = { summary: 'Keep a note', description: 'Stores it.', errors: [] };

describe('the texts of operations', () => {
  test('are read from sections: the operation, its summary, its description', () => {
    expect(parse(`${section('keepNote')}\n${section('getNote', 'One.\n\nTwo.')}`)).toEqual({
      keepNote: texts,
      getNote: { summary: 'Keep a note', description: 'One.\n\nTwo.', errors: [] },
    });
    expect(parse(section('keepNote').replaceAll('\n', '\r\n'))).toEqual({ keepNote: texts });
    expect(parse('')).toEqual({});
  });

  test('end with the errors of the operation, which may take several lines', () => {
    expect(parse(section('keepNote', 'Stores it.\n\nErrors: *limited write*, not_found,\nconflict'))).toEqual(
      {
        keepNote: { ...texts, errors: ['*limited write*', 'not_found', 'conflict'] },
      },
    );
    expect(parse(section('keepNote', 'Errors: are explained.\n\nStores it.')).keepNote?.errors).toEqual([]);
  });

  test('of a local operation are its summary', () => {
    expect(parse(`## countNotes (local)\n\nCount the notes\n\n${section('keepNote')}`)).toEqual({
      countNotes: { summary: 'Count the notes', description: '', errors: [], isLocal: true },
      keepNote: texts,
    });
    expect(() => parse('## countNotes (local)\n\nCount the notes\n\nAll of them.')).toThrow(
      'the section "countNotes (local)" is not complete',
    );
  });

  test.each([
    ['a paragraph becomes one line', 'One\ntwo, 404\n\nthree\nfour.', 'One two, 404\n\nthree four.'],
    ['a list keeps its items', 'Either\n- one\n  of two\n- or\n\n1. first\n2) last', null],
    ['a table keeps its rows', '| a | b |\n| - | - |\n| 1 | 2 |', null],
    ['a heading and a quote keep their lines', '### More\n\n> one\n> two', null],
    ['code keeps its lines', 'See\n\n```sh\none\ntwo # three\n\nfour\n```\n\nand\n\n    five\n    six', null],
  ])('are unwrapped: %s', (_, given, expected) => {
    expect(parse(section('keepNote', given)).keepNote?.description).toBe(expected ?? given);
  });

  test.each([
    ['twice', `${section('keepNote')}\n${section('keepNote')}`, 'notes/api.md has two sections keepNote'],
    ['with no text', '## keepNote\n', 'the section "keepNote" is not complete'],
    ['with a summary only', '## keepNote\n\nKeep a note\n', 'the section "keepNote" is not complete'],
    [
      'with a summary of two lines',
      '## keepNote\n\nKeep\na note\n\nStores it.\n',
      'the section "keepNote" is not complete',
    ],
    ['with a heading of two words', section('keep note'), 'the section "keep note" is not complete'],
    ['after another text', `# Notes\n\n${section('keepNote')}`, 'has text before its first section: # Notes'],
  ])('are refused for a section %s', (_, markdown, message) => {
    expect(() => parse(markdown)).toThrow(message);
  });

  test('of two modules must be of different operations', async () => {
    const module = (name: string, operation: string) => ({
      name,
      descriptions: async () => ({ default: section(operation) }),
    });
    expect(await descriptionsOf([module('notes', 'keepNote'), { name: 'other' }])).toEqual({
      keepNote: texts,
    });
    await expect(descriptionsOf([module('notes', 'keepNote'), module('other', 'keepNote')])).rejects.toThrow(
      'the modules notes and other both have the description keepNote',
    );
    await expect(descriptionsOf([module('notes', '')])).rejects.toThrow(
      'the api.md of the module notes: the section',
    );
  });

  test('are complete when each operation has its own, and none is left over', () => {
    const routes = [
      new Elysia().post('/notes', () => 'kept', { detail: { operationId: 'keepNote' } }),
      new Elysia().get('/page', () => 'page', { detail: { hide: true } }).get('/other', () => 'other'),
    ];
    expect(() => checkDescriptions({ keepNote: texts }, routes)).not.toThrow();
    const local = { countNotes: { ...texts, isLocal: true } } as const;
    expect(() => checkDescriptions({ keepNote: texts, ...local }, routes)).not.toThrow();
    expect(() => checkDescriptions({}, routes)).toThrow('no api.md has a section for keepNote');
    expect(() => checkDescriptions({ keepNote: texts, getNote: texts }, routes)).toThrow(
      'an api.md has a section for getNote, and no route has this operationId',
    );
  });

  test('have the values that the route gives', () => {
    expect(withValues('At most {{MOST}} of {a, b}.', { MOST: 5 }, 'keepNote')).toBe('At most 5 of {a, b}.');
    expect(() => withValues('At most {{MOST}}.', {}, 'keepNote')).toThrow(
      'the description of keepNote names MOST, which has no value',
    );
    expect(() => withValues('Some.', { MOST: 5 }, 'keepNote')).toThrow(
      'the description of keepNote does not use MOST',
    );
  });
});
