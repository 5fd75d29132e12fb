import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import ts from 'typescript-5';

const ROOT = join(import.meta.dir, '../..');

/** A command of an operation in the sources. */
interface OperationCommandCall {
  /** Its file and name, such as `src/trust/commands/agents.ts list`. */
  at: string;
  /** Whether it may work on a service, whose OpenAPI documents have its operation then. */
  isOfApi: boolean;
  /** The operations that it names. One of a data directory only may be among them. */
  operations: string[];
  /** The member with the rows and the members that the columns show; null for a command that lists nothing. */
  list: { rows: string; members: string[] } | null;
}

/** Returns the commands of operations in some files. */
export function operationCommandsOf(files: string): OperationCommandCall[] {
  return [...new Glob(files).scanSync({ cwd: ROOT })].sort().flatMap((file) => {
    const code = readFileSync(join(ROOT, file), 'utf8');
    const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
    return nodesIn(source).flatMap((node) => {
      if (!ts.isCallExpression(node)) return [];
      if (!/^(?:list|call|operation|journal)Command$/.test(node.expression.getText())) return [];
      const [group, name, operation, definition] = node.arguments;
      if (group === undefined || name === undefined || operation === undefined) return [];
      // A function that adds several such commands is called with the operation of each.
      if (ts.isIdentifier(operation)) return [];
      if (definition === undefined || !ts.isObjectLiteralExpression(definition)) return [];
      const property = (key: string) => definition.properties.find((one) => one.name?.getText() === key);
      const [operationFor, rows, columns] = ['operationFor', 'rows', 'columns'].map(property);
      const named = [operation, ...(operationFor === undefined ? [] : nodesIn(operationFor))];
      const ids = named.flatMap(textsOf).filter((text) => /^[a-z]+[A-Z]\w*$/.test(text));
      const [member] = rows === undefined ? [] : nodesIn(rows).flatMap(textsOf);
      const members = columns === undefined ? [] : membersOf(columns, source);
      return [
        {
          at: `${file} ${textsOf(name).join('')}`,
          isOfApi: groupIn(code, group.getText()) !== 'operationGroup',
          operations: [...new Set(ids)],
          list: member === undefined ? null : { rows: member, members },
        },
      ];
    });
  });
}

/** Returns the function that made a group, through the groups that were copied from it. */
function groupIn(code: string, group: string): string {
  const [, name = ''] = /^(?:await |\{ \.\.\.)?(\w+)/.exec(group) ?? [];
  const [, made] = new RegExp(`const ${name} = ([^\n]+)`).exec(code) ?? [];
  return made === undefined ? name : groupIn(code, made);
}

/** Returns the members that columns read: those of `column` and `numbers`, and those that `cellOf` takes. */
function membersOf(columns: ts.Node, source: ts.SourceFile): string[] {
  return nodesIn(columns).flatMap((node) => {
    if (ts.isCallExpression(node) && /^(?:column|numbers)$/.test(node.expression.getText()))
      return node.arguments.slice(1).flatMap(textsOf);
    if (!ts.isPropertyAssignment(node) || node.name.getText() !== 'cellOf') return [];
    const { initializer } = node;
    const cellOf = ts.isIdentifier(initializer)
      ? nodesIn(source).find((one) => ts.isFunctionDeclaration(one) && one.name?.text === initializer.text)
      : initializer;
    if (cellOf === undefined || !ts.isFunctionLike(cellOf)) return [];
    return cellOf.parameters.flatMap(({ name }) =>
      ts.isObjectBindingPattern(name)
        ? name.elements.map((element) => (element.propertyName ?? element.name).getText())
        : [],
    );
  });
}

const textsOf = (node: ts.Node): string[] => (ts.isStringLiteral(node) ? [node.text] : []);

function nodesIn(node: ts.Node): ts.Node[] {
  const below: ts.Node[] = [];
  ts.forEachChild(node, (child) => void below.push(...nodesIn(child)));
  return [node, ...below];
}
