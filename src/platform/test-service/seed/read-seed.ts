import type { Static, TSchema } from '@sinclair/typebox';
import type { ValueErrorIterator } from '@sinclair/typebox/errors';
import { Value } from '@sinclair/typebox/value';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  visit,
  type YAMLError,
} from 'yaml';
import { Failure } from '../../failure.ts';
import { sentenceOf } from '../../http/errors/issues.ts';

/** A place in a seed: the names and numbers that lead to it. */
export type Path = readonly (string | number)[];

/** The content of a seed, and where things stand in its file. */
export interface Seed<Content> {
  content: Content;
  /** Returns the error for a place, which names the file and the line. @param message a predicate */
  problemAt(path: Path, message: string): Failure;
}

/** The problems that are reported at once. */
const MOST_PROBLEMS = 10;

/**
 * Reads a seed, YAML 1.2 or JSON, and checks its form. Every value is written where it stands: aliases, tags
 * and several documents are refused, as are names that appear twice. @param file its name in errors
 * @throws Failure (exit code 2) that names lines and places
 */
export function parseSeed<Schema extends TSchema>(
  file: string,
  text: string,
  schema: Schema,
): Seed<Static<Schema>> {
  const lines = new LineCounter();
  const document = documentOf(file, text, lines);
  const content: unknown = document.toJS();
  const problemAt = (at: Path, message: string): Failure => {
    const { line } = lines.linePos(offsetOf(document, at));
    return refusal(`${file}:${line}: ${at.length === 0 ? 'the seed' : nameOf(at)} ${message}`);
  };
  if (Value.Check(schema, content)) return { content, problemAt };
  const problems = problemsOf(Value.Errors(schema, content)).map(
    ([at, message]) => problemAt(at, message).message,
  );
  throw refusal(problems.join('\n'));
}

function refusal(message: string): Failure {
  return new Failure(message, 'correct the seed; docs/testing.md describes it', 2);
}

/** @throws Failure */
function documentOf(file: string, text: string, lineCounter: LineCounter): Document {
  const documents = parse(file, text, lineCounter);
  const [document, second] = 'empty' in documents ? [] : documents;
  if (document === undefined) throw refusal(`${file}: is empty`);
  if (second !== undefined) throw refusal(`${file}: contains several documents; write one`);
  const at = (offset: number): string => `${file}:${lineCounter.linePos(offset).line}`;
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw refusal(`${at(problem.pos[0])}: ${explained(problem)}`);
  visit(document, {
    Alias(_, { source, range }) {
      throw refusal(`${at(range?.[0] ?? 0)}: *${source} is an alias; write the value itself`);
    },
  });
  return document;
}

/** The messages of the parser that name its options, or its own limits. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'a name appears twice in one place',
  NON_STRING_KEY: 'a name must be text',
  RESOURCE_EXHAUSTION: 'the seed is nested too deeply',
  TAG_RESOLVE_FAILED: 'a tag is not allowed; write a plain value',
};

function explained({ code, message }: YAMLError): string {
  return EXPLANATIONS[code] ?? message;
}

function parse(file: string, text: string, lineCounter: LineCounter) {
  try {
    return parseAllDocuments(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      stringKeys: true,
      uniqueKeys: true,
      prettyErrors: false,
      lineCounter,
    });
  } catch (error) {
    // The parser calls itself for every level.
    if (error instanceof RangeError) throw refusal(`${file}: is nested too deeply`);
    throw error;
  }
}

/** Returns where a place begins in the text; for one that is absent, where what should contain it begins. */
function offsetOf({ contents }: Document, path: Path): number {
  let node: unknown = contents;
  let offset = 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === String(step));
      if (pair === undefined) break;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (isMap(node) || isScalar(node) || isSeq(node) || isAlias(node)) offset = node.range?.[0] ?? offset;
    } else break;
  }
  return offset;
}

/** Returns the first problems, each with its place. A missing member has one problem. */
function problemsOf(errors: ValueErrorIterator): [Path, string][] {
  const problems = new Map<string, [Path, string]>();
  for (const error of errors) {
    if (problems.size >= MOST_PROBLEMS) break;
    if (problems.has(error.path)) continue;
    const steps = error.path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    problems.set(error.path, [steps, sentenceOf(error)]);
  }
  return [...problems.values()];
}

/** Returns the name of a place: `receipts[2].status`. */
function nameOf(path: Path): string {
  return path
    .map((step, index) => (/^\d+$/.test(String(step)) ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('');
}
