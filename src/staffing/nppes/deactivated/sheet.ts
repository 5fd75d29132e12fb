import { SaxesParser } from 'saxes';
import { Failure } from '../../../platform/failure.ts';
import type { ZippedFile } from '../reading/zip.ts';

/** A cell as text; a number stays one, because days may be numbers. Null for an empty cell. */
export type Cell = string | number | null;

/** Receives a row of a sheet; its number from 1. */
export type OnRow = (line: number, cells: readonly Cell[]) => void;

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;
const STRINGS = 'xl/sharedStrings.xml';
/**
 * The most bytes of XML that are read of a file: five times those of the list, so that a small zip cannot
 * fill the memory.
 */
const MOST_BYTES = 256 * 2 ** 20;
/** The most columns that are read of a row. */
const MOST_COLUMNS = 64;

/** Returns whether the files of a zip are those of a spreadsheet (Office Open XML, ECMA-376). */
export function isSpreadsheet(files: readonly ZippedFile[]): boolean {
  return files.some(({ name }) => SHEET.test(name));
}

/**
 * Reads the rows of the first sheet as a stream: the list has 350,000, for which read-excel-file takes 600 MB
 * of memory.
 * @throws Failure for a damaged file
 */
export async function readSheet(name: string, files: readonly ZippedFile[], onRow: OnRow): Promise<void> {
  const [sheet] = files.filter((file) => SHEET.test(file.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (sheet === undefined) throw damaged(name, 'it has no sheet');
  const strings = files.find((file) => file.name === STRINGS);
  const large = [sheet, strings].find((file) => file !== undefined && file.bytes > MOST_BYTES);
  if (large !== undefined) {
    throw new Failure(
      `${name} contains ${large.name} with ${large.bytes} bytes, more than any list of deactivated NPIs has`,
      'specify the report as CMS publishes it',
    );
  }
  try {
    const shared = strings === undefined ? [] : await sharedStrings(strings);
    await parse(sheet, sheetReader(shared, onRow));
  } catch (error) {
    throw error instanceof Failure ? error : damaged(name, error instanceof Error ? error.message : 'XML');
  }
}

/** What is done at the parts of an XML file. */
interface Reader {
  open(tag: string, attributes: Readonly<Record<string, string>>): void;
  text(text: string): void;
  close(tag: string): void;
}

async function parse(file: ZippedFile, reader: Reader): Promise<void> {
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => reader.open(localName(name), attributes));
  parser.on('text', (text) => reader.text(text));
  parser.on('closetag', ({ name }) => reader.close(localName(name)));
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of file.pieces()) parser.write(utf8.decode(piece, { stream: true }));
  parser.write(utf8.decode()).close();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/**
 * Reads the texts that cells refer to. A text may be in several runs; its phonetic reading (`rPh`) does not
 * count.
 */
async function sharedStrings(file: ZippedFile): Promise<string[]> {
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await parse(file, {
    open(tag) {
      if (tag === 'si') text = '';
      else if (tag === 'rPh') isPhonetic = true;
      isText = tag === 't' && !isPhonetic;
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(tag) {
      if (tag === 'si') strings.push(text);
      else if (tag === 'rPh') isPhonetic = false;
      isText = false;
    },
  });
  return strings;
}

function sheetReader(shared: readonly string[], onRow: OnRow): Reader {
  let line = 0;
  let cells: Cell[] = [];
  let column = -1;
  let type = '';
  let value = '';
  let isValue = false;
  return {
    open(tag, attributes) {
      if (tag === 'row') {
        line = Number(attributes.r ?? line + 1);
        cells = [];
        column = -1;
      } else if (tag === 'c') {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r);
        type = attributes.t ?? 'n';
        value = '';
      }
      isValue = tag === 'v' || tag === 't';
    },
    text(piece) {
      if (isValue) value += piece;
    },
    close(tag) {
      isValue = false;
      if (tag === 'row') onRow(line, cells);
      else if (tag === 'c' && value !== '' && column < MOST_COLUMNS) {
        while (cells.length < column) cells.push(null);
        cells[column] = type === 'n' ? Number(value) : type === 's' ? (shared[Number(value)] ?? null) : value;
      }
    },
  };
}

/** Returns the column of a cell such as B12, from 0. */
function columnOf(cell: string): number {
  let column = 0;
  for (const letter of /^[A-Z]+/.exec(cell)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function damaged(name: string, cause: string): Failure {
  return new Failure(`${name} is not a complete spreadsheet: ${cause}`, 'download it again');
}
