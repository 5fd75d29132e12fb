import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import ts from 'typescript-5';
import { parseDescriptions } from '../../src/platform/http/openapi/descriptions.ts';

const ROOT = join(import.meta.dir, '../..');
const SQL =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|DROP|ALTER|ATTACH|DETACH|PRAGMA|VACUUM|SAVEPOINT|ROLLBACK)\b/;

/** A text of the program, and its position. */
export interface Message {
  /** File and line. */
  at: string;
  /** The text; `…` replaces each value of a template. */
  text: string;
}

/** A `Failure` in the sources. */
export interface FailureCall extends Message {
  /** Whether it has a hint. */
  hasHint: boolean;
}

/**
 * Returns all texts of two or more words in the sources: messages, hints, help, descriptions. Leaves out SQL.
 */
export function messagesOf(files: string): Message[] {
  return visited(files, (node, at) => {
    const text = textOf(node);
    return text !== null && /[a-z]{2,} [a-z]/i.test(text) && !SQL.test(text) ? [{ at, text }] : [];
  });
}

/** Returns the summary and the paragraphs of the description of each operation in the `api.md` files. */
export function descriptionsIn(files: string): Message[] {
  return [...new Glob(files).scanSync({ cwd: ROOT })]
    .sort()
    .flatMap((file) =>
      Object.entries(parseDescriptions(readFileSync(join(ROOT, file), 'utf8'), file)).flatMap(
        ([operation, { summary, description }]) =>
          [summary, ...description.split('\n\n')].map((text) => ({ at: `${file} ${operation}`, text })),
      ),
    );
}

/**
 * Returns every `new Failure(message, hint)` of the sources. A message that is no text is shown as its code.
 */
export function failuresOf(files: string): FailureCall[] {
  return visited(files, (node, at) => {
    if (!ts.isNewExpression(node) || node.expression.getText() !== 'Failure') return [];
    const [message, hint] = node.arguments ?? [];
    if (message === undefined) return [];
    const hasHint = hint !== undefined && hint.kind !== ts.SyntaxKind.NullKeyword;
    return [{ at, text: textOf(message) ?? message.getText(), hasHint }];
  });
}

function visited<Found>(files: string, find: (node: ts.Node, at: string) => Found[]): Found[] {
  return [...new Glob(files).scanSync({ cwd: ROOT })].sort().flatMap((file) => {
    const code = readFileSync(join(ROOT, file), 'utf8');
    const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): Found[] => {
      if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return [];
      // SQL, and the code that pages and shells run.
      if (ts.isTaggedTemplateExpression(node)) return [];
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      const below: Found[] = [];
      ts.forEachChild(node, (child) => void below.push(...visit(child)));
      return [...find(node, `${file}:${line + 1}`), ...below];
    };
    return visit(source);
  });
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}
