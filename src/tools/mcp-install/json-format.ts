import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { Failure } from '../../platform/failure.ts';
import {
  ambiguous,
  type Configuration,
  type Edit,
  type Format,
  type Literal,
  type OtherServer,
  reasonAgainst,
  type Server,
} from './configuration.ts';
import { textValue, type Values } from './values.ts';

/** JSON with comments and trailing commas. */
export const JSON_FORMAT: Format = { read, literalOf: (text) => JSON.stringify(text) };

/** A member of an object. */
interface Member {
  name: string;
  /** Where the name begins and ends, with its quotation marks. */
  key: Node;
  value: Node;
}

function read(text: string, groups: readonly (readonly string[])[]): Configuration {
  const root = parsed(text);
  const servers: Server[] = [];
  const others: OtherServer[] = [];
  for (const group of groups) {
    for (const { path, node } of objectsAt(root, group, [])) {
      for (const { name, value } of membersOf(node, path)) {
        const server = serverOf(text, [...path, name], name, value);
        if ('reason' in server) others.push(server);
        else servers.push(server);
      }
    }
  }
  return { servers, others, values: valuesOf(root) };
}

/** Returns the tree of a text. @throws Failure for what is no JSON object, with or without comments */
function parsed(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const before = text.slice(0, error.offset).split('\n');
    throw new Failure(
      `line ${before.length} is not valid JSON (${printParseErrorCode(error.error)})`,
      'correct the file, and run the command again',
    );
  }
  if (root?.type !== 'object') throw ambiguous('the file contains no JSON object');
  return root;
}

/**
 * Returns the objects at a path, whose names may be `*`.
 * @throws Failure for a repeated name on the way, of which clients use different ones
 */
function objectsAt(
  node: Node,
  [first, ...rest]: readonly string[],
  path: readonly string[],
): { path: readonly string[]; node: Node }[] {
  if (first === undefined) {
    if (node.type === 'object') return [{ path, node }];
    throw ambiguous(`${path.join('.')} is not an object`);
  }
  if (node.type !== 'object') return [];
  const all = allMembersOf(node);
  const chosen = first === '*' ? all : all.filter(({ name }) => name === first);
  requireDistinct(chosen, path);
  return chosen.flatMap(({ name, value }) => objectsAt(value, rest, [...path, name]));
}

function serverOf(text: string, path: readonly string[], name: string, node: Node): Server | OtherServer {
  if (node.type !== 'object') return { name, path, reason: 'it is not an object' };
  const members = membersOf(node, path);
  const member = (wanted: string) => members.find((one) => one.name === wanted);
  const [command, args, type] = [member('command'), member('args'), member('type')];
  const reason = reasonAgainst(
    members.map((one) => one.name),
    {
      type: type?.value.type === 'string' ? String(type.value.value) : undefined,
      command: command?.value.value,
      args: args === undefined ? undefined : getNodeValue(args.value),
    },
  );
  if (reason !== null || command === undefined) return { name, path, reason: reason ?? 'it has no command' };
  return {
    name,
    path,
    command: literalAt(command.value),
    args:
      args === undefined
        ? null
        : {
            start: args.value.offset,
            end: args.value.offset + args.value.length,
            elements: (args.value.children ?? []).map(literalAt),
          },
    withArgs: (list) => addedMember(text, command, list),
  };
}

/** Returns the edit that adds args after the command, with the white space that the command has. */
function addedMember(text: string, { key, value }: Member, list: string): Edit {
  const end = value.offset + value.length;
  const [space = ' '] = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, key.offset)) ?? [];
  const colon = text.slice(key.offset + key.length, value.offset);
  const isPlain = /^\s*:\s*$/.test(colon);
  return { start: end, end, text: `,${space === '' ? ' ' : space}"args"${isPlain ? colon : ': '}${list}` };
}

function literalAt({ value, offset, length }: Node): Literal {
  return { value: String(value), start: offset, end: offset + length };
}

/** Returns the members of an object. @throws Failure for a repeated name */
function membersOf(node: Node, path: readonly string[]): Member[] {
  const members = allMembersOf(node);
  requireDistinct(members, path);
  return members;
}

function requireDistinct(members: readonly Member[], path: readonly string[]): void {
  const names = members.map(({ name }) => name);
  if (new Set(names).size === names.length) return;
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  throw ambiguous(`the member ${[...path, repeated].join('.')} is there more than once`);
}

function allMembersOf(node: Node): Member[] {
  return (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [{ name: String(key.value), key, value }],
  );
}

function valuesOf(node: Node): Values {
  if (node.type === 'object')
    return { members: allMembersOf(node).map(({ name, value }) => [name, valuesOf(value)]) };
  if (node.type === 'array') return (node.children ?? []).map(valuesOf);
  return node.type === 'string' ? textValue(String(node.value)) : `${node.type} ${node.value}`;
}
